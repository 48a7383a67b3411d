/* SPDX-License-Identifier: Apache-2.0 */
/* f in single precision, with all derivatives by differences: y_0' = -k y_0 y_1, y_1' = q (1 - y_1), whose solution is
   y_0 = e^-kI, I = t - 0.8 (1 - e^-qt)/q, y_1 = 1 - 0.8 e^-qt. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tansy/tansy.h>

#include "test.h"

static const double k = 1, q = 2, t_end = 2;
static char page[20000];

static int single(double t, const double *y, const double *p, double *f, void *context)
{
    float const a = (float)y[0], b = (float)y[1], rate = (float)p[0], other = (float)p[1];
    (void)t, (void)context;
    f[0] = (double)(-rate * a * b);
    f[1] = (double)(other * (1 - b));
    return 0;
}

/* The same to all digits of double. */
static int full(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] * y[1];
    f[1] = p[1] * (1 - y[1]);
    return 0;
}

/* The largest relative error of dy_0/dk, dy_1/dq. */
static double worst_error(tansy_rhs rhs, const tansy_options *o)
{
    double const y0[] = {1, 0.2}, p[] = {k, q}, decay = exp(-q * t_end);
    double const I = t_end - 0.8 * (1 - decay) / q;
    double y[2] = {0, 0}, sens[4] = {0, 0, 0, 0};
    tansy_problem const problem = {.n = 2, .np = 2, .y0 = y0, .p = p, .rhs = rhs};
    tansy_solver *const s = tansy_create(&problem, o);
    CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
    tansy_report(s, page, sizeof page);
    tansy_free(s);
    return fmax(fabs(sens[0] / (-I * exp(-k * I)) - 1), fabs(sens[3] / (0.8 * t_end * decay) - 1));
}

TEST(columns_of_f_in_single_precision_are_right)
{
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int digits = 2; digits <= 4; digits++) {
            tansy_options const o = {.method = (tansy_method)method,
                                     .rtol = pow(10, -digits),
                                     .atol = 1e-3 * pow(10, -digits)};
            double const error = worst_error(single, &o);
            printf("method %d, rtol 1e-%d: e/rtol %.2g\n", method, digits, error / o.rtol);
            CHECK_AT_MOST(error, 100 * o.rtol);
            CHECK_TEXT_CONTAINS(page, "f is right to");
        }
}

/* Single precision cannot give so many digits. */
TEST(digits_that_f_does_not_have_are_warned_of)
{
    tansy_options const o = {.method = TANSY_RK8, .rtol = 1e-6, .atol = 1e-9};
    (void)worst_error(single, &o);
    CHECK_TEXT_CONTAINS(page, "warning: f is right to");
}

TEST(tolerances_below_what_differences_hold_are_warned_of)
{
    tansy_options o = {.method = TANSY_RK8, .rtol = 1e-10, .atol = 1e-13};
    (void)worst_error(full, &o);
    CHECK_TEXT_CONTAINS(page, "warning: derivatives by differences hold about 9 digits");
    o.rtol = 1e-9;
    (void)worst_error(full, &o);
    CHECK(!strstr(page, "warning"));
    CHECK(!strstr(page, "f is right to"));
}

TEST(rows_of_limex_that_multiply_errors_of_second_derivatives_are_warned_of)
{
    tansy_options o = {.method = TANSY_LIMEX, .rtol = 1e-6, .atol = 1e-9};
    (void)worst_error(full, &o);
    CHECK_TEXT_CONTAINS(page, "multiply: many short steps may be needed");
    o.error_control = TANSY_STATE_ONLY;
    (void)worst_error(full, &o);
    CHECK_TEXT_CONTAINS(page, "multiply: columns that are not tested may be wrong");
    o.rtol = 1e-4;
    (void)worst_error(full, &o);
    CHECK(!strstr(page, "multiply"));
}

/* An increment of the user's own stays. */
TEST(an_increment_that_is_chosen_is_not_widened)
{
    tansy_options const o = {.method = TANSY_RK8,
                             .rtol = 1e-3,
                             .atol = 1e-6,
                             .difference = TANSY_CENTRAL,
                             .difference_increment = 1e-2};
    CHECK_AT_MOST(worst_error(single, &o), 100 * o.rtol);
    CHECK_TEXT_CONTAINS(page, "relative increment 0.01");
}

/* Noise is measured anew in every run: a restart with f that has all digits by now is as a fresh solver. */
static int either(double t, const double *y, const double *p, double *f, void *context)
{
    return (*(const bool *)context ? single : full)(t, y, p, f, context);
}

TEST(noise_is_forgotten_at_a_restart)
{
    bool is_single = false;
    double const y0[] = {1, 0.2}, p[] = {k, q};
    double y[2], sens[3][4];
    tansy_options const o = {.method = TANSY_BDF, .rtol = 1e-3, .atol = 1e-6};
    tansy_problem const problem = {
        .n = 2, .np = 2, .y0 = y0, .p = p, .rhs = either, .context = &is_single};
    tansy_solver *const s = tansy_create(&problem, &o);
    for (int run = 0; run < 3; run++) {
        is_single = run == 1;
        CHECK_EQUAL(tansy_restart(s, 0, y0, p, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, t_end, y, sens[run]), TANSY_OK);
    }
    CHECK_EQUAL(memcmp(sens[0], sens[2], sizeof sens[0]), 0);
    CHECK(memcmp(sens[0], sens[1], sizeof sens[0]) != 0);
    tansy_free(s);
}

/* Another tolerance chooses another formula, whose increments must be as wide. */
TEST(noise_counts_for_tolerances_that_are_set_later)
{
    double const y0[] = {1, 0.2}, p[] = {k, q}, decay = exp(-q * t_end);
    double const I = t_end - 0.8 * (1 - decay) / q;
    double y[2], sens[4] = {0, 0, 0, 0};
    tansy_options const o = {.method = TANSY_BDF, .rtol = 1e-2, .atol = 1e-5};
    tansy_problem const problem = {.n = 2, .np = 2, .y0 = y0, .p = p, .rhs = single};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_step(s, t_end, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_set_tolerances(s, 1e-4, 1e-7), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
    double const error =
        fmax(fabs(sens[0] / (-I * exp(-k * I)) - 1), fabs(sens[3] / (0.8 * t_end * decay) - 1));
    printf("e %.2g\n", error);
    CHECK_AT_MOST(error, 10 * 1e-4); /* 5 nu^(4/5) = 1e-5 by differences, the rest by steps */
    tansy_report(s, page, sizeof page);
    CHECK_TEXT_CONTAINS(page, "fourth-order, relative increment 0.03");
    tansy_free(s);
}
