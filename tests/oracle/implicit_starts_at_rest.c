/* SPDX-License-Identifier: Apache-2.0 */
/* Starts of implicit problems at which all y' are 0: circuits at rest. */
#include "test.h"

#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

/* A capacitor charged through a diode: v' = d - v, A t = d + v + 1e-3 (exp(10 d) - 1); at rest at t = 0, however d is guessed. */
static int circuit(double t, const double *y, const double *yp, const double *p, double *F,
                   void *context)
{
    (void)context;
    F[0] = yp[0] - y[1] + y[0];
    F[1] = p[0] * t - y[1] - y[0] - 1e-3 * expm1(10 * y[1]);
    return 0;
}

/* There: v = 0, d = 0, v' = 0; d' = A/(1 + 1e-2), dv/dA = dd/dA = 0, (dd/dA)' = 1/(1 + 1e-2). */
static void check_rest(const tansy_problem *problem, tansy_linear_solver linear)
{
    tansy_solver *const s = tansy_create(problem, &(tansy_options){.linear_solver = linear});
    double y[2], yp[2], S[2], Sp[2];
    CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
    CHECK_CLOSE(y[0], 0, 0);
    CHECK_CLOSE(y[1], 0, 1e-11); /* 0.01 atol */
    CHECK_CLOSE(yp[0], 0, 1e-11);
    CHECK_CLOSE(yp[1], 2 / 1.01, 1e-6);
    CHECK_CLOSE(S[1], 0, 1e-11);
    CHECK_CLOSE(Sp[1], 1 / 1.01, 1e-6);
    CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
    CHECK_CLOSE(2 - y[1] - y[0] - 1e-3 * expm1(10 * y[1]), 0, 1e-4);
    tansy_free(s);
}

TEST(a_circuit_at_rest_starts)
{
    static const double p = 2, guess[] = {0.1, -0.3, 0.4};
    for (int k = 0; k < 3; k++) {
        double const y0[] = {0, guess[k]};
        static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC};
        tansy_problem problem = {.n = 2, .np = 1, .p = &p, .y0 = y0, .residual = circuit};
        check_rest(&problem, TANSY_LINEAR_AUTO);
        problem.kind = kind;
        check_rest(&problem, TANSY_GMRES); /* without stored matrices */
    }
}

/* The same as a model, and a network that waits for its source with three nodes at 0. */
TEST(models_at_rest_start)
{
    static const char *const text[] = {
        "parameter A = 2\nstate v = 0\nalgebraic d = 0.1\nv' = d - v\n"
        "0 = A*time - d - v - 1e-3*(exp(d/0.1) - 1)\ntime 0 .. 1\n",
        "parameter G = 0.7, U = 2\nstate v = 0\nalgebraic a = 0.3, b = 0.1\n"
        "0.5*v' = 1.3*tanh(b - v)\n0 = (if time > 1 then U else 0) - a - G*sinh(a - b)\n"
        "0 = G*sinh(a - b) - 1.3*tanh(b - v)\ntime 0 .. 6\n"};
    for (int k = 0; k < 2; k++) {
        tansy_model *const m = tansy_model_parse(text[k], strlen(text[k]), "rest");
        tansy_problem problem = {.n = 0};
        double y[3], yp[3];
        CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
        tansy_solver *const s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_initialise(s, y, yp, NULL, NULL), TANSY_OK);
        for (int i = 0; i < 2 + k; i++) CHECK_CLOSE(y[i], 0, 1e-11);
        CHECK_CLOSE(yp[0], 0, 1e-10);
        CHECK_EQUAL(tansy_solve(s, 0.9, y, NULL), TANSY_OK);
        tansy_free(s);
        tansy_model_free(m);
    }
}
