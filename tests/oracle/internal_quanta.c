/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differentiation of f that is rounded to units far above its last digit: either S is right or the report warns.  The
   logistic equation y' = p y (1 - y), y(0) = 0.2: y = 1/(1 + 4 e^-pt), S = t y (1 - y). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tansy/tansy.h>

#include "test.h"

static const double t_end = 2;

/* Rounded to a unit. */
static int in_units(double t, const double *y, const double *p, double *f, void *context)
{
    double const unit = *(const double *)context;
    (void)t;
    f[0] = unit * rint(p[0] * y[0] * (1 - y[0]) / unit);
    return 0;
}

/* Rounded beside a large term that cancels. */
static int cancelled(double t, const double *y, const double *p, double *f, void *context)
{
    volatile double const sum = *(const double *)context + p[0] * y[0] * (1 - y[0]);
    (void)t;
    f[0] = sum - *(const double *)context;
    return 0;
}

/* S is right to a hundred times rtol, or there is a warning of noise. */
static void check_honest(tansy_rhs rhs, double size, tansy_method method, double rtol)
{
    static char report[20000];
    double const y0 = 0.2, p = 1, exact = 1 / (1 + 4 * exp(-t_end));
    double y = 0, S = 0, S_exact = t_end * exact * (1 - exact);
    tansy_options const o = {.method = method,
                             .rtol = rtol,
                             .atol = 1e-3 * rtol,
                             .sensitivities = TANSY_DIFFERENCE,
                             .max_steps = 20000};
    tansy_problem const problem = {
        .n = 1, .np = 1, .y0 = &y0, .p = &p, .rhs = rhs, .context = &size};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, t_end, &y, &S);
    tansy_report(s, report, sizeof report);
    int const told = status < 0 || strstr(report, "warning") != NULL;
    if (!told) {
        printf("%g, method %d, rtol %g: S = %g, exact %g\n", size, (int)method, rtol, S, S_exact);
        CHECK_AT_MOST(fabs(S / S_exact - 1), 100 * rtol);
    }
    tansy_free(s);
}

TEST(columns_of_f_in_coarse_units_are_right_or_lost_in_words)
{
    for (int method = TANSY_RK8; method <= TANSY_LIMEX; method++)
        for (int digits = 3; digits <= 6; digits += TEST_STRIDE > 1 ? 3 : 1)
            for (double unit = 2e-3; unit > 1e-10; unit *= TEST_STRIDE > 1 ? 1e-3 : 0.1)
                check_honest(in_units, unit, (tansy_method)method, pow(10, -digits));
    for (int method = TANSY_RK8; method <= TANSY_LIMEX; method++)
        for (int digits = 3; digits <= 6; digits += TEST_STRIDE > 1 ? 3 : 1)
            for (double term = 1e6; term<2e12; term *= TEST_STRIDE> 1 ? 1e3 : 10)
                check_honest(cancelled, term, (tansy_method)method, pow(10, -digits));
}

/* Two states, of which the first does not act on the second, nor p: no noise is seen where a column does nothing. */
static int apart(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    f[1] = 0.25;
    return y[0] > 1.005 ? -1 : 0; /* a look far away may not stop the run */
}

/* S at the end; nothing is warned of. */
static void solve_quietly(const tansy_problem *problem, tansy_method method, double *sens)
{
    static char report[20000];
    tansy_options const o = {
        .method = method, .rtol = 1e-5, .atol = 1e-8, .sensitivities = TANSY_DIFFERENCE};
    tansy_solver *const s = tansy_create(problem, &o);
    CHECK_EQUAL(tansy_solve(s, t_end, NULL, sens), TANSY_OK);
    tansy_report(s, report, sizeof report);
    CHECK(!strstr(report, "warning"));
    tansy_free(s);
}

TEST(a_column_that_does_nothing_has_no_noise)
{
    static const double y0[] = {1, 0}, p[] = {1};
    static const int columns[] = {0, TANSY_INITIAL(0)};
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = p, .rhs = apart, .ns = 2, .columns = columns};
    for (int method = TANSY_RK8; method <= TANSY_LIMEX; method++) {
        double sens[4];
        solve_quietly(&problem, (tansy_method)method, sens);
        CHECK_CLOSE(sens[0], -t_end * exp(-t_end), 1e-3);
        CHECK_CLOSE(sens[2], exp(-t_end), 1e-3);
        CHECK_CLOSE(sens[1], 0, 0);
    }
}

/* y' = -p y from y = 1, and once more as it should be: in units of a fiftieth to a tenth of f, which no look within a hundredth of y sees; */
static int in_large_units(double t, const double *y, const double *p, double *f, void *context)
{
    double const unit = *(const double *)context;
    (void)t;
    f[0] = unit * rint(-p[0] * y[0] / unit);
    f[1] = -p[0] * y[1];
    return 0;
}

/* and with y rounded beside a large term, where p alone moves f as it should. */
static int with_rounded_y(double t, const double *y, const double *p, double *f, void *context)
{
    const volatile double *const size = context;
    volatile double const sum = *size + y[0];
    (void)t;
    f[0] = p[0] * (*size - sum);
    f[1] = -p[0] * y[1];
    return 0;
}

static void check_decay(tansy_rhs rhs, double size, tansy_method method, double rtol)
{
    static char report[20000];
    static const double y0[] = {1, 1}, p[] = {1};
    double y[2], S[2];
    tansy_options const o = {.method = method,
                             .rtol = rtol,
                             .atol = 1e-3 * rtol,
                             .sensitivities = TANSY_DIFFERENCE,
                             .max_steps = 1000};
    tansy_problem const problem = {.n = 2, .np = 1, .y0 = y0, .p = p, .rhs = rhs, .context = &size};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, t_end, y, S);
    tansy_report(s, report, sizeof report);
    bool const told = status < 0 || strstr(report, "warning: rounding in f") != NULL;
    if (!told) CHECK_AT_MOST(fabs(S[0] / (-t_end * exp(-t_end)) - 1), 100 * rtol);
    tansy_free(s);
}

TEST(f_without_digits_is_told)
{
    static const double units[] = {0.02, 0.03, 0.05, 0.07, 0.1}, sizes[] = {3e12, 5e12, 7e12};
    for (int method = TANSY_RK8; method <= TANSY_LIMEX; method++)
        for (int digits = 3; digits <= 6; digits += TEST_STRIDE > 1 ? 3 : 1) {
            double const rtol = pow(10, -digits);
            for (int k = 0; k < 5; k++)
                check_decay(in_large_units, units[k], (tansy_method)method, rtol);
            for (int k = 0; k < 3; k++)
                check_decay(with_rounded_y, sizes[k], (tansy_method)method, rtol);
        }
}

/* Nothing happens below a threshold that y does not reach, and that is right. */
static int below(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    f[1] = y[0] > 1.2 ? y[0] - 1.2 : 0;
    return 0;
}

TEST(a_threshold_is_no_unit)
{
    static const double y0[] = {1, 0}, p[] = {1};
    tansy_problem const problem = {.n = 2, .np = 1, .y0 = y0, .p = p, .rhs = below};
    for (int method = TANSY_RK8; method <= TANSY_LIMEX; method++) {
        double sens[2];
        solve_quietly(&problem, (tansy_method)method, sens);
        CHECK_CLOSE(sens[0], -t_end * exp(-t_end), 1e-3);
        CHECK_CLOSE(sens[1], 0, 0);
    }
}
