/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_check() where F is at most quadratic and 0 at the solution: all that is left of its fourth difference is rounding, which is far above F
   itself, but no reason to leave a wrong derivative open. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"

/* What is wrong with a tangent, and by how much, relative. */
struct fault {
    double in_state, in_rate, in_parameter;
};

/* F_1 = y_1' + a y_1 y_2, F_2 = y_1 + b y_2 - c. */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0] * y[0] * y[1];
    F[1] = y[0] + p[1] * y[1] - p[2];
    return 0;
}

static int tangent(double t, const double *y, const double *yp, const double *p, size_t columns,
                   size_t ld, const double *V, const double *W, const double *U, double *R,
                   void *context)
{
    const struct fault *const wrong = context;
    (void)t, (void)yp;
    for (size_t k = 0; k < columns; k++) {
        double const a = V[k], b = V[ld + k];
        R[k] = (1 + wrong->in_rate) * W[k] + p[0] * (y[1] * a + y[0] * b) +
               (1 + wrong->in_parameter) * y[0] * y[1] * U[k];
        R[ld + k] = a + (1 + wrong->in_state) * p[1] * b + y[1] * U[ld + k] - U[2 * ld + k];
    }
    return 0;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0] - p[1] * y[1];
    f[1] = p[2] - y[0] * y[1];
    return 0;
}

static int rhs_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                       const double *V, const double *U, double *R, void *context)
{
    const struct fault *const wrong = context;
    (void)t;
    for (size_t k = 0; k < columns; k++) {
        R[k] = p[0] * V[k] - (1 + wrong->in_state) * p[1] * V[ld + k] + y[0] * U[k] -
               (1 + wrong->in_parameter) * y[1] * U[ld + k];
        R[ld + k] = -(1 + wrong->in_rate) * (y[1] * V[k] + y[0] * V[ld + k]) + U[2 * ld + k];
    }
    return 0;
}

/* y is of the size `unit`; the right tangent is right, the wrong ones are wrong, at the start and in the run. */
static void check(tansy_problem problem)
{
    static const struct fault faults[] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3},
                                          {-1, 0, 0},   {0, -1, 0},   {0, 0, -1}};
    struct fault wrong = {0, 0, 0};
    problem.context = &wrong;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    for (double t = 0; t < 2; t++) {
        wrong = (struct fault){0, 0, 0};
        CHECK_EQUAL(tansy_solve(s, t, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_check(s), TANSY_OK);
        for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
            wrong = faults[k];
            CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
            CHECK_TEXT_CONTAINS(tansy_message(s), "but differences say");
        }
    }
    tansy_free(s);
}

TEST(wrong_tangents_of_a_residual_that_is_0_are_found)
{
    static const double units[] = {1e-3, 1, 1e3, 1e5};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        double const y0[] = {0.6 * units[k], 0.8 * units[k]},
                     p[] = {0.3 / units[k], 0.7, 0.6 * units[k] + 0.7 * 0.8 * units[k]};
        check((tansy_problem){
            .n = 2, .np = 3, .y0 = y0, .p = p, .residual = residual, .residual_tangent = tangent});
    }
}

/* A point at rest: f = 0, its terms are not. */
TEST(wrong_tangents_of_a_right_hand_side_at_rest_are_found)
{
    static const double y0[] = {0.7, 0.3 * 0.7 / 0.6}, p[] = {0.3, 0.6, 0.7 * (0.3 * 0.7 / 0.6)};
    check((tansy_problem){.n = 2, .np = 3, .y0 = y0, .p = p, .rhs = rhs, .tangent = rhs_tangent});
}

/* y_2 = p/(p + y_1) has its pole at y_1 = -p = -4e-11, y_1 is 1e-8, and its tolerances say 1e-3: increments by them go over the pole. */
TEST(a_pole_beside_a_small_component_does_not_make_derivatives_wrong)
{
    static const char *const text =
        "parameter p = 4e-11, k = 1\nstate x = 1e-8\nalgebraic z = 4e-3\n"
        "x' = -k*x\n0 = z - p/(p + x)\n";
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    for (double atol = 1e-12; atol < 1e-4; atol *= 10) {
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.rtol = 1e-6, .atol = atol});
        CHECK_EQUAL(tansy_check(s), TANSY_OK);
        tansy_free(s);
    }
    tansy_model_free(m);
}
