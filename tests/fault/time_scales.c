/* SPDX-License-Identifier: Apache-2.0 */
/* Times that are large against the step, and spans that are tiny: neither changes the solution. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

static const double omega = 1.3;

/* A harmonic oscillator in t - t0, with the frequency as parameter. */
static int oscillator(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = y[1];
    f[1] = -p[0] * p[0] * y[0];
    return 0;
}

/* The largest error of y and dy/dp at t0 + 10 in units of rtol; amplitudes are 1 and 10. */
static double error_from(double t0, tansy_method method, double rtol)
{
    double const y0[] = {1, 0}, span = 10;
    double y[2] = {0, 0}, s[2] = {0, 0};
    tansy_problem const problem = {
        .n = 2, .np = 1, .t0 = t0, .y0 = y0, .p = &omega, .rhs = oscillator};
    tansy_options const options = {.method = method, .rtol = rtol, .atol = rtol};
    tansy_solver *const solver = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(solver, t0 + span, y, s), TANSY_OK);
    tansy_free(solver);
    double const end = (t0 + span) - t0; /* as rounded */
    double const state = fabs(y[0] - cos(omega * end));
    double const column = fabs(s[0] + end * sin(omega * end)) / 10;
    return fmax(state, column) / rtol;
}

/* Rounding t at every step of a clock that counts seconds or milliseconds since 1970 would move the solution by
   (steps eps t0): at 1.7e12 that is 2e-4 a step, a hundred times the tolerance. */
TEST(a_large_initial_time_costs_no_accuracy)
{
    static const double times[] = {0, 1.7e9, 1.7e12, -1.7e12};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        CHECK_AT_MOST(error_from(times[k], TANSY_ADAMS, 1e-6), 100);
        CHECK_AT_MOST(error_from(times[k], TANSY_BDF, 1e-6), 100);
    }
}

static int growth(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0];
    return 0;
}

/* y = exp(p t) with p t = 1, whatever the unit of time. */
TEST(tiny_and_huge_spans_are_alike)
{
    static const double spans[] = {1, 1e-100, 1e-200, 1e100, 1e200};
    double const y0 = 1, exact = exp(1);
    for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
        double const p = 1 / spans[k];
        double y = 0, s = 0;
        tansy_problem const problem = {.n = 1, .np = 1, .y0 = &y0, .p = &p, .rhs = growth};
        tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
        CHECK_EQUAL(tansy_solve(solver, spans[k], &y, &s), TANSY_OK);
        tansy_free(solver);
        CHECK_CLOSE(y, exact, 1e-4 * exact); /* 100 rtol */
        CHECK_CLOSE(s * p, exact, 1e-4 * exact);
    }
}
