/* SPDX-License-Identifier: Apache-2.0 */
/* Algebraic variables whose S bends like a root where a condition changes (src/drive/bends.c): weirs, tanks that run empty, a flow that turns.  The same models with the variable put into
   the right-hand sides, which rk8 solves, say what is right. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

enum { MOST = 5, ROWS = 16 };

struct pair {
    const char *dae, *ode; /* the same states and parameters in front, algebraic variables behind */
    size_t states, algebraic, parameters;
    double end;
};

#define WEIR     "parameter q = 1.2, hmax = 2, kw = 3\nstate h = 0.5\n"
#define CREST    "parameter q = 0.8, c = 0.4, k = 3\nstate h = 0.4\n"
#define TIDE     "parameter w = 0.8, k = 2.8, c = 0.4\nstate x = 1\n"
#define FLOWS    "parameter q = 0.4, c = 0.5, k = 3\nstate V = 0.8\n"
#define RATE     "V' = q*(1 + 2*sin(time)) - o - d - 0.1*(if o > d then l else 0)\n"
#define OVERFLOW "parameter q = 1.2, hmax = 2, kw = 3\nstate h = 0.5, w = 0.1\n"
#define EMPTY    "parameter q = 0.9, h0 = 1.5\nstate h = h0, w = 0\n"

static const struct pair pairs[] = {
    {WEIR "algebraic f = 0\nh' = q - f\n0 = f - (if h > hmax then kw*(h - hmax)^1.5 else 0)\n",
     WEIR "h' = q - (if h > hmax then kw*(h - hmax)^1.5 else 0)\n", 1, 1, 3, 5},
    {WEIR "algebraic f = 0\nh' = q - f\n0 = f - kw*max(h - hmax, 0)^1.5\n",
     WEIR "h' = q - kw*max(h - hmax, 0)^1.5\n", 1, 1, 3, 5},
    /* its level is at the crest as the run begins */
    {CREST "algebraic f = 0\nh' = q - f\n0 = f - k*max(h - c, 0)^1.5\n",
     CREST "h' = q - k*max(h - c, 0)^1.5\n", 1, 1, 3, 10},
    /* a weir of time */
    {TIDE "algebraic f = 0\nx' = -x + f\n0 = f - k*max(sin(w*time) - c, 0)^1.5\n",
     TIDE "x' = -x + k*max(sin(w*time) - c, 0)^1.5\n", 1, 1, 3, 10},
    /* flows are compared: o has no value a little below the crest as long as it flows */
    {FLOWS "algebraic l = 0.4, o = 0, d = 0\n0 = l - V/2\n0 = o - k*max(l - c, 0)^1.5\n"
           "0 = d - 0.2*l\n" RATE,
     FLOWS "let l = V/2\nlet o = k*max(l - c, 0)^1.5\nlet d = 0.2*l\n" RATE, 1, 3, 3, 10},
    /* it runs over twice */
    {OVERFLOW
     "algebraic f = 0\nh' = q*sin(time) - f\nw' = f - 0.35*w\n0 = f - kw*max(h - hmax, 0)^1.5\n",
     OVERFLOW "let f = kw*max(h - hmax, 0)^1.5\nh' = q*sin(time) - f\nw' = f - 0.35*w\n", 2, 1, 3,
     10},
    {EMPTY "algebraic f = 1\nh' = -f\nw' = f - 0.2*w\n0 = f - (if h > 0 then q*sqrt(h) else 0)\n",
     EMPTY "let f = if h > 0 then q*sqrt(h) else 0\nh' = -f\nw' = f - 0.2*w\n", 2, 1, 2, 6}};

static tansy_status run(const char *text, const tansy_options *o, double end, size_t n, size_t ns,
                        double (*y)[MOST], double (*S)[MOST * MOST])
{
    char report[8192];
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, o);
    tansy_status status = TANSY_OK;
    CHECK_EQUAL(problem.n, n);
    CHECK_EQUAL(problem.np, ns);
    for (int k = 0; k < ROWS && status == TANSY_OK; k++)
        status = tansy_solve(s, end * (k + 1) / ROWS, y[k], S[k]);
    if (status != TANSY_OK) printf("%s%s\n", text, tansy_message(s));
    (void)tansy_report(s, report, sizeof report);
    if (strstr(report, "warning")) puts(strstr(report, "warning"));
    CHECK(!strstr(report, "warning"));
    tansy_free(s);
    tansy_model_free(model);
    return status;
}

/* Within 100 rtol, as docs/design.md promises, of what p dy/dp or y is at most. */
static void check(const struct pair *x, tansy_method method, double rtol)
{
    static double y[ROWS][MOST], S[ROWS][MOST * MOST], right[ROWS][MOST],
        right_S[ROWS][MOST * MOST];
    size_t const n = x->states + x->algebraic, ns = x->parameters;
    tansy_options const o = {.method = method,
                             .rtol = rtol,
                             .atol = 1e-3 * rtol,
                             .max_step = x->end / 200,
                             .max_steps = 4000},
                        tight = {.method = TANSY_RK8,
                                 .rtol = 1e-11,
                                 .atol = 1e-13,
                                 .max_step = x->end / 200};
    CHECK_EQUAL(run(x->ode, &tight, x->end, x->states, ns, right, right_S), TANSY_OK);
    CHECK_EQUAL(run(x->dae, &o, x->end, n, ns, y, S), TANSY_OK);
    for (int k = 0; k < ROWS; k++)
        for (size_t i = 0; i < x->states; i++) {
            double size = 1;
            CHECK_CLOSE(y[k][i], right[k][i], 100 * rtol);
            for (size_t j = 0; j < ns; j++) size = fmax(size, fabs(right_S[k][j * x->states + i]));
            for (size_t j = 0; j < ns; j++)
                CHECK_CLOSE(S[k][j * n + i], right_S[k][j * x->states + i], 100 * rtol * size);
        }
}

static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};

TEST(algebraic_variables_may_bend_at_a_condition)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (int m = 0; m < 3; m++)
            for (double rtol = 1e-4; rtol > 5e-9; rtol /= pow(10, TEST_STRIDE > 1 ? 2 : 1))
                check(&pairs[k], methods[m], rtol);
}

/* As another machine would round. */
TEST(algebraic_variables_bend_whatever_rounding_is)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (int m = 0; m < 3; m++)
            for (int turn = 1; turn <= 20; turn += TEST_STRIDE)
                check(&pairs[k], methods[m], 1e-6 * (1 + 1e-9 * turn));
}
