/* SPDX-License-Identifier: Apache-2.0 */
/* The stop time: f is never evaluated beyond it, in either direction, wherever it lies. */
#include "support/fault_cases.h"
#include "test.h"

#include <math.h>

/* Starts at t0 with the case's options and a stop time. */
static tansy_solver *start(const struct fault_case *it, struct fault_user *user, double t0,
                           double stop, double first_step)
{
    tansy_problem problem = fault_problem(user, it->gives, fault_p);
    tansy_options options = it->options;
    problem.t0 = t0;
    options.use_stop_time = 1;
    options.stop_time = stop;
    options.first_step = first_step;
    return tansy_create(&problem, &options);
}

/* No time seen by any function is on the far side of stop. */
static bool stayed(const struct fault_user *user, double t0, double stop)
{
    return stop > t0 ? user->latest <= stop : user->earliest >= stop;
}

/* Runs to the stop time, by way of `by` if that is not NaN. */
static void check_stop(const struct fault_case *it, double t0, double by, double stop, double first)
{
    struct fault_user user = fault_user();
    double y[FAULT_N], sens[FAULT_SENS];
    tansy_solver *const s = start(it, &user, t0, stop, first);
    if (!isnan(by)) CHECK_EQUAL(tansy_solve(s, by, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, stop, y, sens), TANSY_OK);
    CHECK(tansy_time(s) == stop);
    CHECK(stayed(&user, t0, stop));
    CHECK_AT_MOST(fault_error(stop - t0, 1e-3, y, sens), 100 * it->options.rtol);
    CHECK_EQUAL(tansy_step(s, stop, y, sens), TANSY_OK); /* there is nowhere to go */
    CHECK(tansy_time(s) == stop);
    tansy_free(s);
}

/* From t0 to stop; where their signs differ stop - t is rounded and t + (stop - t) may lie beyond stop. */
static const double ways[][2] = {{0, 1},      {0, 0.1},     {0.1, 0.7},       {-1, 0.1},
                                 {-0.3, 0.1}, {-1, 1e-17},  {1e6, 1e6 + 0.5}, {-0.7, -0.1},
                                 {0, -0.4},   {0.3, -0.01}, {1, 0.7},         {1e-9, -0.3}};
enum { WAYS = sizeof ways / sizeof *ways };

TEST(f_is_never_evaluated_beyond_the_stop_time)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        for (size_t w = 0; w < WAYS; w++) {
            double const t0 = ways[w][0], stop = ways[w][1];
            check_stop(&it, t0, (double)NAN, stop, 0);
            check_stop(&it, t0, t0 + 0.9 * (stop - t0), stop, 0);
        }
    }
}

/* A first step that goes all the way: it is cut to stop - t0, and only rounding is left to go wrong. */
TEST(a_step_that_is_cut_ends_at_the_stop_time_and_not_beyond)
{
    struct fault_case it = fault_case(0);
    it.options.rtol = 0.1; /* so that the first step is accepted */
    it.options.atol = 1;
    for (int k = 1; k < 400; k++) {
        double const t0 = -1 / (double)k, stop = 0.001 * k;
        struct fault_user user = fault_user();
        tansy_solver *s = start(&it, &user, t0, stop, 10);
        CHECK_EQUAL(tansy_solve(s, stop, NULL, NULL), TANSY_OK);
        CHECK(tansy_time(s) == stop);
        CHECK(stayed(&user, t0, stop));
        tansy_free(s);
    }
}

TEST(the_stop_time_can_be_moved)
{
    struct fault_case const it = fault_case(0);
    struct fault_user user = fault_user();
    double y[FAULT_N], sens[FAULT_SENS];
    tansy_solver *const s = start(&it, &user, 0, 0.5, 0);
    CHECK_EQUAL(tansy_solve(s, 0.5, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_set_stop_time(s, 1), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    CHECK_AT_MOST(user.latest, 1);
    CHECK_AT_MOST(fault_error(1, 1e-3, y, sens), 100 * it.options.rtol);
    CHECK_EQUAL(tansy_set_stop_time(s, 0.9), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "0.9");
    CHECK_EQUAL(tansy_error(s), TANSY_OK); /* does not stick */
    CHECK_EQUAL(tansy_set_stop_time(s, (double)NAN), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "stop time");
    CHECK_EQUAL(tansy_set_stop_time(s, 2), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 2, y, sens), TANSY_OK);
    CHECK_AT_MOST(fault_error(2, 1e-3, y, sens), 100 * it.options.rtol);
    tansy_free(s);
}

/* A target beyond the stop time, or one that leads away from it, is refused by number; f is not called. */
TEST(a_target_that_the_stop_time_forbids_is_refused)
{
    static const struct {
        double t0, stop, t;
        const char *part;
    } wrong[] = {{0, 1, 1.5, "1.5"},      {0, 0, 1, "stop time 0"}, {0, -1, 1, "stop time -1"},
                 {0, 1, -1, "-1"},        {0, -1, -1.5, "-1.5"},    {0, 1e-200, 2e-200, "1e-200"},
                 {2, 2, 1, "stop time 2"}};
    struct fault_case const it = fault_case(0);
    for (size_t x = 0; x < sizeof wrong / sizeof *wrong; x++) {
        struct fault_user user = fault_user();
        tansy_solver *const s = start(&it, &user, wrong[x].t0, wrong[x].stop, 0);
        double y[FAULT_N], sens[FAULT_SENS];
        CHECK_EQUAL(tansy_solve(s, wrong[x].t, y, sens), TANSY_BAD_CALL);
        CHECK_TEXT_CONTAINS(tansy_message(s), wrong[x].part);
        CHECK_EQUAL(tansy_step(s, wrong[x].t, y, sens), TANSY_BAD_CALL);
        CHECK_EQUAL(user.calls[IN_RHS], 0);
        CHECK_EQUAL(tansy_error(s), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, wrong[x].t0, y, sens), TANSY_OK);
        tansy_free(s);
    }
}

TEST(single_steps_end_at_the_stop_time)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        double y[FAULT_N], sens[FAULT_SENS];
        tansy_solver *const s = start(&it, &user, 0, 0.8, 0);
        size_t steps = 0;
        for (double before = 0; tansy_time(s) < 0.8; before = tansy_time(s), steps++) {
            CHECK_EQUAL(tansy_step(s, 0.8, y, sens), TANSY_OK);
            CHECK(tansy_time(s) > before);
            CHECK_AT_MOST(fault_error(tansy_time(s), 1e-3, y, sens), 100 * it.options.rtol);
        }
        tansy_stats stats;
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.steps, steps);
        CHECK(tansy_time(s) == 0.8);
        CHECK_AT_MOST(user.latest, 0.8);
        tansy_free(s);
    }
}
