/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of steps: first, smallest, largest, how many; and where a call may lead to. */
#include "support/fault_cases.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static tansy_solver *start(struct fault_user *user, const tansy_options *options)
{
    *user = fault_user();
    tansy_problem const problem = fault_problem(user, WITH_MATRICES | WITH_INITIAL, fault_p);
    return tansy_create(&problem, options);
}

/* The largest and smallest step of all cases on the way from 0 to t, by single steps. */
struct range {
    double first, smallest, largest;
};

static struct range walk(const tansy_options *options, double t)
{
    struct fault_user user;
    struct range r = {0, HUGE_VAL, 0};
    double const direction = t > 0 ? 1 : -1;
    tansy_solver *const s = start(&user, options);
    while (direction * (t - tansy_time(s)) > 0) {
        double const before = tansy_time(s);
        tansy_status const status = tansy_step(s, t, NULL, NULL);
        if (status < 0) fprintf(stderr, "%s\n", tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
        double const h = fabs(tansy_time(s) - before);
        if (r.first == 0) r.first = h;
        r.smallest = fmin(r.smallest, h);
        r.largest = fmax(r.largest, h);
    }
    tansy_free(s);
    return r;
}

/* h is seen as the difference of two times below 10, each rounded. */
static const double rounding = 20 * DBL_EPSILON;

TEST(no_step_is_longer_than_max_step)
{
    for (int m = 0; m < 2; m++)
        for (double t = -0.5; t <= 8; t += 8.5) {
            tansy_options options = {.method = m ? TANSY_ADAMS : TANSY_BDF, .max_step = 0.01};
            CHECK_AT_MOST(walk(&options, t).largest, 0.01 + rounding);
            options.first_step = 1;
            CHECK_AT_MOST(walk(&options, t).largest, 0.01 + rounding);
        }
}

TEST(no_step_is_longer_than_max_step_before_the_stop_time)
{
    for (int k = 0; k < 50; k++) {
        double const stop = 1 + 2e-6 * k; /* up to 1e-3 max_step beyond the last whole step */
        tansy_options const options = {.max_step = 0.1,
                                       .first_step = 0.1,
                                       .rtol = 0.1, /* so that no step is rejected */
                                       .atol = 1,
                                       .use_stop_time = 1,
                                       .stop_time = stop};
        CHECK_AT_MOST(walk(&options, stop).largest, 0.1 + rounding);
    }
}

TEST(no_step_is_shorter_than_min_step)
{
    for (int m = 0; m < 2; m++) {
        tansy_options options = {
            .method = m ? TANSY_ADAMS : TANSY_BDF, .min_step = 1e-4, .rtol = 1e-4, .atol = 1e-7};
        CHECK(walk(&options, 2).smallest >= 1e-4 - rounding);
        options.first_step = 1e-5;
        CHECK(walk(&options, 2).smallest >= 1e-4 - rounding);
        options.first_step = 2; /* far too long: fails its test and shrinks */
        CHECK(walk(&options, 4).smallest >= 1e-4 - rounding);
    }
}

TEST(a_min_step_that_is_too_long_is_an_error_that_names_h)
{
    struct fault_user user;
    tansy_options const options = {
        .method = TANSY_BDF, .min_step = 0.01, .rtol = 1e-8, .atol = 1e-10};
    tansy_solver *const s = start(&user, &options);
    double y[FAULT_N], sens[FAULT_SENS];
    CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "h = 0.01");
    CHECK_TEXT_CONTAINS(tansy_message(s), "component");
    CHECK_CLOSE(tansy_time(s), 0, 0);
    CHECK_CLOSE(y[0], fault_p[2], 0); /* the last point reached */
    CHECK_CLOSE(sens[3 * FAULT_N + 1], 1, 0);
    tansy_free(s);
}

TEST(the_column_that_fails_is_told_by_its_name)
{
    static const double directions[] = {0, 0, 1, 0, 0, 0};
    static const int columns[][1] = {{0}, {TANSY_INITIAL(0)}};
    static const char *const names[] = {"of dy/dp_0", "of dy/dy_0(t0)", "of direction 0"};
    static const double tight[] = {1e-9};
    for (size_t x = 0; x < 3; x++) {
        struct fault_user user = fault_user();
        tansy_problem problem = fault_problem(&user, WITH_MATRICES | WITH_INITIAL, fault_p);
        tansy_options const options = {
            .method = TANSY_BDF, .min_step = 0.01, .rtol = 1e-2, .rtol_column = tight};
        problem.ns = 1;
        problem.columns = x < 2 ? columns[x] : NULL;
        problem.directions = x < 2 ? NULL : directions;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 4, NULL, NULL), TANSY_STEP_TOO_SMALL);
        CHECK_TEXT_CONTAINS(tansy_message(s), "in component ");
        CHECK_TEXT_CONTAINS(tansy_message(s), names[x]);
        tansy_free(s);
    }
}

TEST(the_first_step_is_as_given)
{
    for (int m = 0; m < 2; m++)
        for (double direction = -1; direction <= 1; direction += 2) {
            tansy_options const options = {.method = m ? TANSY_ADAMS : TANSY_BDF,
                                           .first_step = 0x1p-20};
            CHECK_CLOSE(walk(&options, 0.5 * direction).first, 0x1p-20, 0);
        }
}

TEST(too_many_steps_leave_the_last_point_reached)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        struct fault_user user = fault_user();
        it.options.max_steps = 7;
        tansy_problem const problem = fault_problem(&user, it.gives, fault_p);
        tansy_solver *const s = tansy_create(&problem, &it.options);
        double y[FAULT_N], sens[FAULT_SENS], here[FAULT_N], columns[FAULT_SENS];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 50, y, sens), TANSY_TOO_MANY_STEPS);
        CHECK_TEXT_CONTAINS(tansy_message(s), "7 steps");
        CHECK_TEXT_CONTAINS(tansy_message(s), "not 50");
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.steps, 7);
        CHECK(tansy_time(s) > 0 && tansy_time(s) < 50);
        CHECK_AT_MOST(fault_error(tansy_time(s), 1e-3, y, sens), 100 * it.options.rtol);
        CHECK_EQUAL(tansy_at(s, tansy_time(s), here, NULL, columns, NULL), TANSY_OK);
        for (size_t i = 0; i < FAULT_N; i++) CHECK_CLOSE(here[i], y[i], 0);
        for (size_t x = 0; x < FAULT_SENS; x++) CHECK_CLOSE(columns[x], sens[x], 0);
        CHECK_EQUAL(tansy_solve(s, 50, y, sens), TANSY_TOO_MANY_STEPS); /* sticks */
        tansy_free(s);
    }
}

TEST(max_steps_counts_each_call_anew)
{
    struct fault_user user;
    tansy_options const options = {.max_steps = 40, .rtol = 1e-4, .atol = 1e-6, .max_step = 0.1};
    tansy_solver *const s = start(&user, &options);
    for (int k = 1; k <= 40; k++) CHECK_EQUAL(tansy_solve(s, k, NULL, NULL), TANSY_OK);
    tansy_free(s);
}

TEST(the_initial_time_gives_the_initial_values)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_problem problem = fault_problem(&user, it.gives, fault_p);
        problem.t0 = 0.25;
        tansy_solver *const s = tansy_create(&problem, &it.options);
        double y[FAULT_N], sens[FAULT_SENS];
        CHECK_EQUAL(tansy_solve(s, 0.25, y, sens), TANSY_OK);
        CHECK_CLOSE(y[0], fault_p[2], 0);
        CHECK_CLOSE(y[1], fault_p[3], 0);
        /* initial() is linear: differences are exact but for the rounding of y0 over an increment >= 2^-26 */
        for (size_t k = 0; k < FAULT_NP; k++)
            for (size_t i = 0; i < FAULT_N; i++)
                CHECK_CLOSE(sens[k * FAULT_N + i], k == i + 2 ? 1 : 0,
                            it.differences ? DBL_EPSILON / 0x1p-26 : 0);
        CHECK_EQUAL(tansy_at(s, 0.25, y, NULL, sens, NULL), TANSY_OK);
        CHECK_EQUAL(user.calls[IN_RHS], 0);
        tansy_free(s);
    }
}

TEST(a_target_that_is_not_finite_or_behind_is_refused_and_harms_nothing)
{
    struct fault_user user;
    tansy_options const options = {.rtol = 1e-6};
    double y[FAULT_N], sens[FAULT_SENS], before[FAULT_N],
        wrong[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    tansy_solver *const s = start(&user, &options);
    for (size_t x = 0; x < 3; x++) {
        CHECK_EQUAL(tansy_solve(s, wrong[x], y, sens), TANSY_BAD_CALL);
        CHECK_TEXT_CONTAINS(tansy_message(s), "t is not finite");
        CHECK_EQUAL(tansy_step(s, wrong[x], y, sens), TANSY_BAD_CALL);
        CHECK_EQUAL(tansy_at(s, wrong[x], y, NULL, sens, NULL), TANSY_BAD_CALL);
    }
    CHECK_EQUAL(tansy_step(s, 0, y, sens), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "t0");
    CHECK_EQUAL(tansy_at(s, 0, y, before, NULL, NULL), TANSY_BAD_CALL); /* y' is not known yet */
    CHECK_EQUAL(tansy_solve(s, 1, before, sens), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.25, y, sens), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "t = 0.25");
    CHECK_TEXT_CONTAINS(tansy_message(s), "tansy_restart");
    CHECK_EQUAL(tansy_at(s, 0.25, y, NULL, sens, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_at(s, (double)NAN, y, NULL, sens, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_at(s, 1000, y, NULL, sens, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    for (size_t i = 0; i < FAULT_N; i++) CHECK_CLOSE(y[i], before[i], 0);
    CHECK_EQUAL(tansy_solve(s, 2, y, sens), TANSY_OK);
    CHECK_AT_MOST(fault_error(2, 1e-3, y, sens), 100 * options.rtol);
    tansy_free(s);
}

TEST(a_grid_says_how_far_it_came)
{
    struct fault_user user;
    tansy_options const options = {.rtol = 1e-4, .atol = 1e-6};
    static const double times[] = {0, 0.5, 0.5, 1, 0.25};
    double y[5 * FAULT_N], sens[5 * FAULT_SENS];
    size_t reached = 99;
    tansy_solver *s = start(&user, &options);
    CHECK_EQUAL(tansy_solve_grid(s, 4, times, y, sens, &reached), TANSY_OK);
    CHECK_EQUAL(reached, 4);
    for (size_t m = 0; m < 4; m++)
        CHECK_AT_MOST(fault_error(times[m], 1e-3, y + m * FAULT_N, sens + m * FAULT_SENS), 1e-2);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve_grid(s, 5, times, NULL, NULL, &reached), TANSY_BAD_CALL);
    CHECK_EQUAL(reached, 4);
    CHECK_EQUAL(tansy_solve_grid(s, 2, NULL, y, sens, &reached), TANSY_BAD_CALL);
    CHECK_EQUAL(reached, 0);
    CHECK_TEXT_CONTAINS(tansy_message(s), "times");
    CHECK_EQUAL(tansy_solve_grid(s, 0, NULL, NULL, NULL, NULL), TANSY_OK);
    tansy_free(s);
}

TEST(no_handle_is_out_of_memory)
{
    double y[1];
    char text[100];
    tansy_stats stats;
    size_t reached = 9;
    CHECK_EQUAL(tansy_solve(NULL, 1, y, NULL), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_solve_grid(NULL, 1, y, y, NULL, &reached), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(reached, 0);
    CHECK_EQUAL(tansy_step(NULL, 1, y, NULL), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_at(NULL, 1, y, NULL, NULL, NULL), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_restart(NULL, 1, NULL, NULL, NULL), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_set_stop_time(NULL, 1), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_check(NULL), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_error(NULL), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(tansy_message(NULL), "out of memory");
    CHECK(isnan(tansy_time(NULL)));
    CHECK_EQUAL(tansy_repeated_steps(NULL, 0), 0);
    CHECK(tansy_report(NULL, text, sizeof text) > 0);
    CHECK_TEXT_CONTAINS(text, "out of memory");
    tansy_get_stats(NULL, &stats);
    CHECK_EQUAL(stats.steps, 0);
    tansy_free(NULL);
}
