/* SPDX-License-Identifier: Apache-2.0 */
/* What limex promises besides what all one-step methods do (contract/one_step.c): any max_order, output inside steps that its error is tested for, rows
   that the columns have no part in where they are not tested. */
#include <string.h>

#include "drive/solver.h"
#include "support/problems.h"
#include "support/step_problem.h"
#include "test.h"

static const double RTOL = 1e-5, TIME = 1.5;
enum { COLUMNS = 40 };

static tansy_options options_of(int max_order)
{
    return (tansy_options){
        .method = TANSY_LIMEX, .max_order = max_order, .rtol = RTOL, .atol = RTOL};
}

/* Two panels: rows of one part must not reach into the next, whatever the option says. */
TEST(y_and_s_are_right_with_any_max_order)
{
    for (int form = STEP_ODE; form < STEP_FORMS; form++)
        for (int q = 1; q <= method_limex.max_order; q++) {
            static double y[STEP_N], sens[STEP_N * COLUMNS];
            double errors[1 + COLUMNS];
            struct step_problem it;
            tansy_options const options = options_of(q);
            step_problem_set(&it, (enum step_form)form, STEP_ALL, COLUMNS);
            tansy_solver *const s = tansy_create(&it.problem, &options);
            CHECK_EQUAL(tansy_solve(s, TIME, y, sens), TANSY_OK);
            tansy_stats stats;
            tansy_get_stats(s, &stats);
            CHECK_AT_MOST(stats.order_last, q + 1);
            step_errors(&it, TIME, y, sens, errors);
            for (int k = 0; k <= COLUMNS; k++) CHECK_AT_MOST(errors[k], 100 * RTOL);
            tansy_free(s);
        }
}

/* Output is part of what a step is tested by: as good as the ends of steps, wherever it is asked for, and it does not make steps end. */
TEST(output_inside_steps_is_as_good_as_at_their_ends)
{
    enum { TIMES = 97 };
    for (int form = STEP_ODE; form < STEP_FORMS; form++) {
        struct step_problem it;
        tansy_options const options = options_of(0);
        tansy_stats stats;
        step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
        tansy_solver *const s = tansy_create(&it.problem, &options);
        for (int m = 1; m <= TIMES; m++) {
            double const t = TIME * m / TIMES;
            double y[STEP_N], sens[STEP_N * STEP_NP], errors[1 + STEP_NP];
            CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
            step_errors(&it, t, y, sens, errors);
            for (int k = 0; k <= STEP_NP; k++) CHECK_AT_MOST(errors[k], 100 * RTOL);
        }
        tansy_get_stats(s, &stats);
        CHECK_AT_MOST((double)stats.steps, TIMES / 6);
        tansy_free(s);
    }
}

/* A row less where it will do is made without columns, and with columns that are not tested, in the same steps. */
TEST(columns_that_are_not_tested_change_no_rows)
{
    struct step_problem it;
    tansy_stats stats[2];
    tansy_options options = options_of(0);
    options.first_step = 0.03; /* that chosen looks at S too */
    options.error_control = TANSY_STATE_ONLY;
    step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
    for (int k = 0; k < 2; k++) {
        options.sensitivities = k ? TANSY_NONE : TANSY_TANGENT;
        tansy_solver *const s = tansy_create(&it.problem, &options);
        CHECK_EQUAL(tansy_solve(s, TIME, NULL, NULL), TANSY_OK);
        tansy_get_stats(s, &stats[k]);
        tansy_free(s);
    }
    CHECK_EQUAL(stats[0].steps, stats[1].steps);
    CHECK_EQUAL(stats[0].factorizations, stats[1].factorizations);
    CHECK_EQUAL(stats[0].rhs_evals, stats[1].rhs_evals);
}

/* f(y) at the beginning is the same in all rows: one evaluation a row is saved, and nothing else changes. */
TEST(f_at_the_beginning_serves_all_rows_of_autonomous_problems)
{
    const struct test_problem *const gas_oil = problem_find("gas_oil");
    double y[2][2], sens[2][6];
    tansy_stats stats[2];
    tansy_problem problem = gas_oil->problem;
    tansy_options const options = options_of(0);
    CHECK_EQUAL(problem.n, 2);
    for (int k = 0; k < 2; k++) {
        problem.autonomous = k;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 0.5, y[k], sens[k]), TANSY_OK);
        tansy_get_stats(s, &stats[k]);
        tansy_free(s);
    }
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
    CHECK(memcmp(sens[0], sens[1], sizeof sens[0]) == 0);
    CHECK_EQUAL(stats[0].factorizations, stats[1].factorizations);
    CHECK_EQUAL(stats[0].rhs_evals, stats[1].rhs_evals + stats[1].factorizations);
}
