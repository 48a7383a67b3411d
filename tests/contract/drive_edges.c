/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of the driver: bounds of switch functions that cannot be had, switches at the end of what f is defined for, weights at
   the end of the range of numbers, and user functions that stop where only output is asked for. */
#include "test.h"

#include <float.h>
#include <math.h>
#include <tansy/tansy.h>

/* y' = -p while y >= 0.05, then a fifth of that; bounds of g = y - 0.05 can be had `good` times, then the function returns `code`. */
struct valve {
    long ranges, good;
    int code;
};

static int valve_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)y;
    (void)context;
    f[0] = p[1] != 0 ? -p[0] : -0.2 * p[0];
    return 0;
}

static int valve_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t;
    (void)p;
    (void)context;
    g[0] = y[0] - 0.05;
    return 0;
}

static int valve_range(const tansy_box *box, const double *p, const tansy_bounds *bounds,
                       void *context)
{
    struct valve *const valve = context;
    (void)p;
    if (++valve->ranges > valve->good) return valve->code;
    bounds->low[0] = box->y_low[0] - 0.05;
    bounds->high[0] = box->y_high[0] - 0.05;
    bounds->rate_low[0] = box->slope_low[0];
    bounds->rate_high[0] = box->slope_high[0];
    return 0;
}

static tansy_solver *start_valve(struct valve *valve)
{
    static const double p[] = {1}, y0[] = {1};
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = valve_rhs,
                                   .switches = 1,
                                   .switch_function = valve_switch,
                                   .switch_range = valve_range,
                                   .context = valve};
    tansy_options const options = {
        .method = TANSY_BDF, .sensitivities = TANSY_NONE, .max_step = 0.05};
    return tansy_create(&problem, &options);
}

/* At 0.95 y slows down; 24 steps of 0.05, in a few of which bounds are asked for 4096 times at most. */
TEST(without_bounds_switches_are_found_by_values)
{
    for (int good = 0; good <= 8; good += 4) {
        struct valve valve = {.good = good, .code = 1};
        double y = 0;
        tansy_solver *const s = start_valve(&valve);
        CHECK_EQUAL(tansy_solve(s, 1.2, &y, NULL), TANSY_OK);
        CHECK_CLOSE(y, 0.05 - 0.2 * 0.25, 1e-5);
        CHECK_AT_MOST((double)valve.ranges, 8 * 4096);
        tansy_free(s);
    }
}

TEST(bounds_that_want_to_stop_stop_the_run)
{
    for (int good = 0; good <= 40; good++) {
        struct valve valve = {.good = good, .code = -1};
        double y = 0;
        tansy_solver *const s = start_valve(&valve);
        CHECK_EQUAL(tansy_solve(s, 3, &y, NULL), TANSY_USER_STOPPED);
        CHECK_TEXT_CONTAINS(tansy_message(s), "switch_range");
        CHECK_EQUAL(valve.ranges, good + 1);
        tansy_free(s);
    }
}
