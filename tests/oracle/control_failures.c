/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with columns that wait which fail: messages and counts name the user's columns, y and S are those of the last point; and starts
   with order 4 that do. */
#include "support/control_decay.h"

#include <math.h>
#include <stdio.h>

#include "test.h"

static const double rtol = 1e-7;

TEST(messages_name_the_users_columns)
{
    struct control_user u = control_user();
    tansy_problem problem = control_problem(&u);
    double rtol_column[NP] = {0};
    rtol_column[LEVEL + control_place[4]] = -1;
    tansy_solver *s = tansy_create(&problem, &(tansy_options){.rtol_column = rtol_column});
    char words[40];
    (void)snprintf(words, sizeof words, "rtol_column[%zu]", LEVEL + control_place[4]);
    CHECK_TEXT_CONTAINS(tansy_message(s), words);
    tansy_free(s);
    u.active_from[2] = (double)NAN;
    s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "active_from[2]");
    tansy_free(s);
}

/* The last level's column is number 3 of the user's, the last inside. */
TEST(failures_name_the_users_columns)
{
    struct control_user u = control_user();
    tansy_problem problem = control_problem(&u);
    u.nan = true;
    tansy_solver *s = tansy_create(&problem, &(tansy_options){.method = TANSY_RK8});
    CHECK_EQUAL(tansy_solve(s, 2.9, NULL, NULL), TANSY_OK); /* nobody has asked for it */
    CHECK_EQUAL(tansy_solve(s, 3.1, NULL, NULL), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "column 3");
    tansy_free(s);
    u.nan = false;
    enum { LENGTH = 2 + NP };
    double directions[2 * LENGTH] = {0}, rtol_column[2] = {1e-15, 1e-2};
    directions[2 + LEVEL + control_place[4]] = 1;
    directions[LENGTH + 2] = 1;
    problem.ns = 2;
    problem.directions = directions;
    s = tansy_create(&problem, &(tansy_options){.method = TANSY_RK8,
                                                .rtol = 1e-2,
                                                .atol = 1e-2,
                                                .rtol_column = rtol_column,
                                                .substeps = 1,
                                                .min_step = 0.4});
    CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_repeated_steps(s, 0), 0);
    CHECK_EQUAL(tansy_solve(s, 4, NULL, NULL), TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "of direction 0");
    CHECK(tansy_repeated_steps(s, 0) > 0);
    CHECK_EQUAL(tansy_repeated_steps(s, 1), 0);
    tansy_free(s);
}

/* g cannot be evaluated on the second piece. */
static int lost(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)y, (void)context;
    g[0] = 1;
    return p[NP + 1] >= 1 ? 1 : 0;
}

/* The run ends at the first break; y and S are those before it. */
static void check_fails_at_break(const tansy_problem *problem, tansy_method method)
{
    double y[2], sens[2 * NP];
    tansy_solver *const s =
        tansy_create(problem, &(tansy_options){.method = method, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_USER_FAILED);
    CHECK_CLOSE(tansy_time(s), 0.5, 0);
    control_check(0.5, rtol, y, sens);
    tansy_free(s);
}

/* After a failure at the break itself, where the panels are new already, y and S are those before it. */
TEST(a_break_that_cannot_be_crossed_keeps_its_columns)
{
    for (int m = 0; m < CONTROL_METHODS; m++) {
        struct control_user u = control_user();
        tansy_problem problem = control_problem(&u);
        if (control_methods[m] == TANSY_LIMEX) continue; /* has no switches */
        u.switches = problem.switches = 1;
        problem.switch_function = lost;
        check_fails_at_break(&problem, control_methods[m]);
    }
}

/* After a failure within the second piece y and S are those of the last point. */
TEST(a_run_that_fails_after_a_break_keeps_its_columns)
{
    struct control_user u = control_user();
    tansy_problem const problem = control_problem(&u);
    u.fail_from = 0.5;
    check_fails_at_break(&problem, TANSY_RK8);
}

/* BDF starts anew with order 4 by six evaluations: when one of them fails, with order 1; when it says stop, not at all. */
TEST(a_start_with_order_4_that_fails_is_one_with_order_1)
{
    static const tansy_method warm[] = {TANSY_BDF, TANSY_DASSL};
    for (int x = 0; x < 4; x++) {
        struct control_user u = control_user();
        tansy_problem const problem = control_problem(&u);
        tansy_stats stats[2];
        double y[2], sens[2 * NP];
        bool const stops = x >= 2;
        u.failures = 1;
        u.code = stops ? -1 : 1;
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = warm[x % 2], .rtol = rtol, .atol = rtol});
        CHECK_EQUAL(tansy_solve(s, 4, y, sens), stops ? TANSY_USER_STOPPED : TANSY_OK);
        control_check(stops ? 0.5 : 4, rtol, y, sens);
        tansy_get_stats(s, &stats[0]);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_OK);
        tansy_get_stats(s, &stats[1]);
        if (!stops) CHECK(stats[1].steps - stats[0].steps < stats[0].steps);
        tansy_free(s);
    }
}

/* y1' = -1e6 (y1 - u): nothing explicit helps here.  After a break y1 goes to u within 1e-6 of time. */
static int stiff(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    f[0] = -1e6 * (y[0] - p[control_level_at(p, context)]);
    f[1] = y[0];
    return 0;
}

TEST(a_stiff_problem_starts_anew_with_order_1)
{
    struct control_user u = control_user();
    tansy_problem problem = control_problem(&u);
    double y[2], sens[2 * NP];
    problem.rhs = stiff;
    problem.tangent = NULL;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_BDF, .rtol = 1e-5, .atol = 1e-8});
    CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_OK);
    CHECK_CLOSE(y[0], control_level[4], 1e-3);
    CHECK_CLOSE(sens[2 * (LEVEL + control_place[4])], 1, 1e-3);
    CHECK_CLOSE(sens[2 * (LEVEL + control_place[3]) + 1], 0.75, 1e-3); /* that level held so long */
    tansy_free(s);
}
