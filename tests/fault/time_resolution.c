/* SPDX-License-Identifier: Apache-2.0 */
/* Steps below the spacing of t: what is asked for at t is inside the last step, or the run stops; nothing is extrapolated. */
#include <math.h>
#include <tansy/tansy.h>

#include "test.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    f[1] = -y[1];
    return 0;
}

TEST(values_are_right_or_refused_where_t_is_coarse)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    static const double starts[] = {1e12, 1e14, 1e15, 4e15, 8e15, 1e16, 1e17};
    double const p = 1, y0[] = {1, 0.5};
    for (int m = 0; m < 6; m++)
        for (int k = 0; k < 7; k++) {
            double const t0 = starts[k], end = t0 + (k < 6 ? 4 : 16), way = end - t0;
            tansy_problem const problem = {
                .n = 2, .np = 1, .p = &p, .y0 = y0, .t0 = t0, .rhs = rhs};
            tansy_options const options = {.method = methods[m]};
            double y[2], S[2];
            tansy_solver *const s = tansy_create(&problem, &options);
            tansy_status const status = tansy_solve(s, end, y, S);
            tansy_free(s);
            if (status < 0) continue;
            CHECK_CLOSE(y[0], exp(-way), 3e-5 * exp(-way) + 1e-8);
            CHECK_CLOSE(S[0], -way * exp(-way), 3e-5 * way * exp(-way) + 1e-8);
        }
}

static int drive(double t, const double *y, const double *p, double *f, void *context)
{
    const double *const t0 = context;
    f[0] = cos(t - *t0) - p[0] * y[0];
    return 0;
}

/* f sees t in stairs of 2. */
TEST(a_step_that_is_lost_in_t_is_told)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    double t0 = 1e16;
    double const p = 1, y0 = 0;
    for (int m = 0; m < 6; m++) {
        tansy_problem const problem = {
            .n = 1, .np = 1, .p = &p, .y0 = &y0, .t0 = t0, .rhs = drive, .context = &t0};
        tansy_options const options = {.method = methods[m]};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, t0 + 8, NULL, NULL), TANSY_STEP_TOO_SMALL);
        CHECK_TEXT_CONTAINS(tansy_message(s), "let time begin nearer to 0");
        tansy_free(s);
    }
}

static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    return 0;
}

/* A break time that cuts nothing but the very first step: 60 steps suffice for the rest at the default tolerances. */
TEST(a_break_right_behind_t0_costs_no_hundreds_of_steps)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_DASSL};
    static const double breaks[] = {1e-300};
    double const p = 2, y0 = 1;
    for (int m = 0; m < 3; m++) {
        tansy_problem const problem = {
            .n = 1, .np = 1, .p = &p, .y0 = &y0, .rhs = decay, .breaks = 1, .break_times = breaks};
        tansy_options const options = {.method = methods[m]};
        double y = 0;
        tansy_stats stats;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, &y, NULL), TANSY_OK);
        tansy_get_stats(s, &stats);
        tansy_free(s);
        CHECK_CLOSE(y, exp(-2), 1e-5);
        CHECK(stats.steps < 80);
    }
}
