/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of the driver: bounds of switch functions that cannot be had, switches at the end of what f is defined for, weights at
   the end of the range of numbers, and user functions that stop where only output is asked for. */
#include "test.h"

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

/* y' = p - y from 0, whose weight is atol: y' in its units is beyond the root of the largest number. */
static int rise(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = p[0] - y[0];
    return 0;
}

TEST(weights_whose_squares_overflow_do_no_harm)
{
    static const double p[] = {1}, y0[] = {0};
    double const end = 1 - exp(-1);
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_problem const problem = {.n = 1, .np = 1, .y0 = y0, .p = p, .rhs = rise};
        tansy_options const options = {.method = (tansy_method)method, .atol = 1e-170};
        double y = 0, S = 0;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, &y, &S), TANSY_OK);
        CHECK_CLOSE(y, end, 1e-4); /* 100 rtol */
        CHECK_CLOSE(S, end, 1e-4);
        tansy_free(s);
    }
}

/* f ends at t = 1, where g is still 0.5 away from its root. */
static int ends(double t, const double *y, const double *p, double *f, void *context)
{
    (void)y;
    (void)context;
    f[0] = p[1] != 0 ? -p[0] : 0;
    return t > 1 && p[1] != 0;
}

static int half(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t;
    (void)p;
    (void)context;
    g[0] = y[0] - 0.5;
    return 0;
}

TEST(a_switch_is_not_turned_far_from_its_root)
{
    static const double p[] = {1}, y0[] = {2}, min_step[] = {0, 1e-3, 2e-2};
    for (int method = TANSY_BDF; method <= TANSY_ROSENBROCK; method++)
        for (int m = 0; m < 3; m++) {
            tansy_problem const problem = {.n = 1,
                                           .np = 1,
                                           .y0 = y0,
                                           .p = p,
                                           .rhs = ends,
                                           .switches = 1,
                                           .switch_function = half};
            tansy_options const options = {.method = (tansy_method)method,
                                           .min_step = min_step[m],
                                           .sensitivities = TANSY_NONE,
                                           .rtol = 1e-4,
                                           .atol = 1e-4};
            tansy_stats stats;
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_USER_FAILED);
            tansy_get_stats(s, &stats);
            CHECK_EQUAL(stats.switches, 0);
            tansy_free(s);
        }
}

/* y' = -p y; *context is what f returns. */
static int fades(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    f[0] = -p[0] * y[0];
    return *(const int *)context;
}

static int itself(double t, const double *y, const double *yp, const double *p, double *Q,
                  void *context)
{
    (void)t;
    (void)yp;
    (void)p;
    (void)context;
    Q[0] = y[0];
    return 0;
}

TEST(a_function_that_stops_in_dense_output_is_heard)
{
    static const double p[] = {3}, y0[] = {1};
    for (int derived = 0; derived < 2; derived++) {
        int code = 0;
        double y = 0, Q_p = 0;
        tansy_stats stats;
        tansy_problem const problem = {.n = 1,
                                       .np = 1,
                                       .y0 = y0,
                                       .p = p,
                                       .rhs = fades,
                                       .nq = 1,
                                       .derived = itself,
                                       .context = &code};
        tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = TANSY_RK8});
        for (int k = 0; k < 5; k++) CHECK_EQUAL(tansy_step(s, 2, NULL, NULL), TANSY_OK);
        tansy_get_stats(s, &stats);
        double const t = tansy_time(s) - 0.4 * stats.h_last;
        code = -1;
        CHECK_EQUAL(derived ? tansy_derived_at(s, t, &y, &Q_p)
                            : tansy_at(s, t, &y, NULL, NULL, NULL),
                    TANSY_USER_STOPPED);
        CHECK_EQUAL(tansy_error(s), TANSY_USER_STOPPED);
        CHECK_EQUAL(tansy_at(s, tansy_time(s), &y, NULL, NULL, NULL), TANSY_OK);
        tansy_free(s);
    }
}
