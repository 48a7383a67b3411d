/* SPDX-License-Identifier: Apache-2.0 */
/* Internal numerical differentiation does not depend on the units of p: large parameters, columns that are huge against y, and other
   values of p after tansy_restart(). */
#include <math.h>

#include <tansy/tansy.h>

#include "support/one_step_cases.h"
#include "test.h"

static const double rtol = 1e-6, t_end = 12, first = 0.1;

/* y' = r y (1 - y/K), p = (r, K), in a unit of y and K; y and dy/dr, K dy/dK. */
static int logistic(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0] * (1 - y[0] / p[1]);
    return 0;
}

static void logistic_exact(double r, double K, double start, double *y, double *sens)
{
    double const decay = exp(-r * t_end), D = start + (K - start) * decay;
    *y = K * start / D;
    sens[0] = K * start * (K - start) * t_end * decay / (D * D);
    sens[1] = start / D - K * start * decay / (D * D);
}

static tansy_options differences(int x, double unit)
{
    tansy_options o = one_step_options(&one_step_cases[x], rtol, 1e-3 * rtol * unit);
    o.sensitivities = TANSY_DIFFERENCE;
    return o;
}

TEST(units_of_parameters_do_not_matter)
{
    static const double units[] = {1, 1e14, 1e-14};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (size_t k = 0; k < sizeof units / sizeof *units; k++)
            for (int control = TANSY_EACH_COLUMN; control <= TANSY_STATE_ONLY; control++) {
                if (TEST_STRIDE > 1 && ((size_t)x + k + (size_t)control) % 2 != 0) continue;
                double const p[2] = {1, 10 * units[k]}, start = first * units[k];
                tansy_options o = differences(x, units[k]);
                tansy_problem const problem = {
                    .n = 1, .np = 2, .y0 = &start, .p = p, .rhs = logistic};
                double y = 0, sens[2] = {0}, y_exact = 0, exact[2] = {0};
                o.error_control = (tansy_error_control)control;
                tansy_solver *const s = tansy_create(&problem, &o);
                CHECK_EQUAL(tansy_solve(s, t_end, &y, sens), TANSY_OK);
                logistic_exact(p[0], p[1], start, &y_exact, exact);
                tansy_stats stats;
                tansy_get_stats(s, &stats);
                CHECK_AT_MOST(fabs(y / y_exact - 1), 100 * rtol);
                /* columns that are not tested follow the state: ten times that */
                double const most = control == TANSY_EACH_COLUMN ? 100 * rtol : 1000 * rtol;
                CHECK_AT_MOST(fabs(sens[0] / exact[0] - 1), most);
                CHECK_AT_MOST(fabs(sens[1] / exact[1] - 1), most);
                CHECK_AT_MOST((double)stats.steps, 300);
                tansy_free(s);
            }
}

/* y' = 30 (y + 1 - p) with y = 0 and p = 1: S = 1 - e^30t, beside which an increment of p is lost. */
static int growth(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = 30 * (y[0] + (1 - p[0]));
    return 0;
}

TEST(a_huge_column_moves_y_and_p_apart)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        double const p = 1, start = 0;
        tansy_options const o = differences(x, 1);
        tansy_problem const problem = {.n = 1, .np = 1, .y0 = &start, .p = &p, .rhs = growth};
        double y = 1, sens = 0;
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 1, &y, &sens), TANSY_OK);
        CHECK_EQUAL(y, 0);
        /* errors made at t grow by as much as S itself: they add up over 30 units of time */
        CHECK_AT_MOST(fabs(sens / (1 - exp(30)) - 1), 100 * rtol);
        tansy_free(s);
    }
}

/* The increments of the run before have no part in the next one. */
TEST(restart_is_a_new_run)
{
    static const double before[2] = {3, 1}, after[2] = {1, 1e12};
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        tansy_options const o = differences(x, 1);
        tansy_problem problem = {.n = 1, .np = 2, .y0 = &first, .p = before, .rhs = logistic};
        double used[3] = {0}, fresh[3] = {1};
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, t_end, used, used + 1), TANSY_OK);
        CHECK_EQUAL(tansy_restart(s, 0, &first, after, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, t_end, used, used + 1), TANSY_OK);
        problem.p = after;
        tansy_solver *const other = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(other, t_end, fresh, fresh + 1), TANSY_OK);
        for (int i = 0; i < 3; i++) CHECK(used[i] == fresh[i]);
        tansy_free(s);
        tansy_free(other);
    }
}
