/* SPDX-License-Identifier: Apache-2.0 */
/* Starts and restarts of implicit problems that are easy to get wrong, against closed forms. */
#include "test.h"

#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

static const double rtol = 1e-8, promise = 1e-6; /* 100 rtol */

/* p a' + b' = -a, 0 = a + 2 b - q from a = b = 1: M y is kept, so a(0) = (p + 1 - q/2)/(p - 1/2), which depends on p. */
TEST(a_null_space_that_depends_on_p_moves_s)
{
    static const char text[] = "parameter p = 2, q = 5\nstate a = 1, b = 1\n"
                               "p*a' + b' = -a\n0 = a + 2*b - q\ntime 0 .. 1\n";
    tansy_problem problem = {.n = 0};
    double y[2], s[2][2];
    tansy_model *const m = tansy_model_parse(text, strlen(text), "coupled");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = rtol});
    CHECK_EQUAL(tansy_solve(solver, 0, y, *s), TANSY_OK);
    CHECK(fabs(y[0] - 1.0 / 3) < promise);
    CHECK(fabs(s[0][0] - 4.0 / 9) < promise && fabs(s[0][1] + 2.0 / 9) < promise);
    CHECK(fabs(s[1][0] + 1.0 / 3) < promise && fabs(s[1][1] - 2.0 / 3) < promise);
    CHECK_EQUAL(tansy_solve(solver, 1, y, *s), TANSY_OK);
    double const decay = exp(-2.0 / 3);
    CHECK(fabs(s[0][0] - decay * (4.0 / 9 + 4.0 / 27)) < promise);
    tansy_free(solver);
    tansy_model_free(m);
}

/* y'^2 + y = p: two branches.  y = 1 - (1 - t/2)^2 from y'(0) = 1, y(0) = 0, p = 1; y' = sqrt(p - y), dy/dp = t/(2 sqrt p)
   along this branch. */
static int square(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] * yp[0] + y[0] - p[0];
    return 0;
}

static tansy_problem branches(const double *yp0)
{
    static const double y0 = 0, p = 1;
    return (tansy_problem){.n = 1, .np = 1, .y0 = &y0, .p = &p, .yp0 = yp0, .residual = square};
}

TEST(a_break_keeps_the_branch_of_y_prime)
{
    static const double yp0 = 1, at = 0.25;
    tansy_problem problem = branches(&yp0);
    double y = 0, s = 0;
    problem.breaks = 1;
    problem.break_times = &at;
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = rtol});
    CHECK_EQUAL(tansy_solve(solver, 0.5, &y, &s), TANSY_OK);
    CHECK(fabs(y - 0.4375) < promise);
    CHECK(fabs(s - 0.25) < promise);
    CHECK_EQUAL(tansy_restart(solver, 0.5, &y, NULL, &s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(solver, 1, &y, &s), TANSY_OK);
    CHECK(fabs(y - 0.75) < promise);
    CHECK(fabs(s - 0.5) < promise);
    tansy_free(solver);
}

TEST(a_derivative_that_vanishes_in_the_guess_is_no_algebraic_variable)
{
    tansy_problem const problem = branches(NULL);
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = rtol});
    CHECK_EQUAL(tansy_error(solver), TANSY_HIGH_INDEX);
    CHECK(strstr(tansy_message(solver), ".yp0") != NULL);
    tansy_free(solver);
}

/* x' = -x + z, 0 = x - 1 - p t sqrt(t), undefined before t0: z = x + x'. */
static int half_defined(double t, const double *y, const double *yp, const double *p, double *F,
                        void *context)
{
    (void)context;
    if (t < 0) return 1;
    F[0] = yp[0] + y[0] - y[1];
    F[1] = y[0] - 1 - p[0] * t * sqrt(t);
    return 0;
}

TEST(constraints_that_are_undefined_before_the_start_are_differentiated_from_one_side)
{
    static const double y0[] = {1, 0}, p = 1;
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = &p, .kind = kind, .residual = half_defined};
    double y[2], s[2];
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    CHECK_EQUAL(tansy_solve(solver, 1, y, s), TANSY_OK);
    CHECK(fabs(y[0] - 2) < 1e-4 && fabs(s[0] - 1) < 1e-4);
    CHECK(fabs(y[1] - 3.5) < 1e-3 && fabs(s[1] - 2.5) < 1e-3);
    tansy_free(solver);
}
