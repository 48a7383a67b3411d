/* SPDX-License-Identifier: Apache-2.0 */
/* max_error_failures and max_convergence_failures beside switches: a run with a limit is that without it, or stops
   on the way; it never goes on by other means. */
#include "test.h"

#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,   TANSY_DASSL,
                                       TANSY_RK8,   TANSY_LIMEX, TANSY_METHOD_AUTO};
enum { METHODS = sizeof methods / sizeof *methods };

/* A narrow pulse, at which error tests fail, and a condition on t that has nothing to do with it. */
static int pulse(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = 50 * exp(-200 * (t - 1) * (t - 1)) - p[0] * y[0] + p[1];
    return 0;
}

static int later(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)p, (void)context;
    g[0] = t - 5;
    return 0;
}

/* A tank that runs empty: its branch has no values below zero. */
static int drain(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[1] != 0 ? -p[0] : 0;
    return p[1] != 0 && y[0] < 0;
}

static int level(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = y[0];
    return 0;
}

/* y and s where the run ends. */
static tansy_status run(const tansy_problem *problem, const tansy_options *o, double end,
                        double *result)
{
    tansy_solver *const s = tansy_create(problem, o);
    tansy_status const status = tansy_solve(s, end, result, result + 1);
    if (status < 0) result[2] = tansy_time(s);
    tansy_free(s);
    return status;
}

TEST(a_limit_of_error_failures_stops_a_run_or_changes_nothing)
{
    static const double y0[] = {0.1}, p[] = {0.5};
    tansy_problem const problem = {
        .n = 1, .np = 1, .y0 = y0, .p = p, .rhs = pulse, .switches = 1, .switch_function = later};
    int stopped = 0;
    for (int m = 0; m < METHODS; m++) {
        tansy_options o = {.method = methods[m], .rtol = 1e-6};
        double free[3], limited[3];
        CHECK_EQUAL(run(&problem, &o, 10, free), TANSY_OK);
        for (int most = 1; most <= 4; most++) {
            o.max_error_failures = most;
            tansy_status const status = run(&problem, &o, 10, limited);
            if (status == TANSY_OK) {
                CHECK(memcmp(free, limited, 2 * sizeof *free) == 0);
                continue;
            }
            CHECK_EQUAL(status, TANSY_STEP_TOO_SMALL);
            CHECK(limited[2] < 1.5); /* at the pulse, of width 0.05 */
            stopped++;
        }
    }
    CHECK(stopped >= METHODS);
}

/* y = 1 - t/2 until it is 0; S = -t. */
TEST(a_limit_of_other_failures_stops_a_run_or_changes_nothing)
{
    static const double y0[] = {1}, p[] = {0.5};
    tansy_problem const problem = {
        .n = 1, .np = 1, .y0 = y0, .p = p, .rhs = drain, .switches = 1, .switch_function = level};
    int stopped = 0;
    for (int m = 0; m < METHODS; m++) {
        tansy_options o = {.method = methods[m], .rtol = 1e-6};
        double free[3], limited[3];
        CHECK_EQUAL(run(&problem, &o, 3, free), TANSY_OK);
        for (int most = 1; most <= 4; most++) {
            o.max_convergence_failures = most;
            tansy_status const status = run(&problem, &o, 3, limited);
            if (status == TANSY_OK) {
                CHECK(memcmp(free, limited, 2 * sizeof *free) == 0);
                continue;
            }
            double const t = limited[2];
            CHECK_EQUAL(status, TANSY_USER_FAILED);
            CHECK_CLOSE(limited[0], 1 - t / 2,
                        1e-6);                 /* exact at order 1, but for the corrector: rtol */
            CHECK_CLOSE(limited[1], -t, 1e-6); /* by differences, to sqrt(eps) */
            stopped++;
        }
    }
    CHECK(stopped >= METHODS);
}
