/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of controls that act from a break time on: the columns are sorted inside the solver, the user sees the user's order, in all
   outputs, tolerances and derived quantities. */
#include "support/control_decay.h"

#include <math.h>
#include <stdio.h>

#include "test.h"

static const double rtol = 1e-7;

/* At a break time they are the limits from before it: the level that begins there has not acted yet. */
TEST(columns_in_disorder_come_in_the_users_order)
{
    static const double times[] = {0.3, 0.5, 1, 1.1, 2.25, 2.9, 4};
    for (int m = 0; m < CONTROL_METHODS; m++) {
        struct control_user u = control_user();
        tansy_problem const problem = control_problem(&u);
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = control_methods[m], .rtol = rtol, .atol = rtol});
        for (size_t j = 0; j < sizeof times / sizeof *times; j++) {
            double y[2], sens[2 * NP];
            CHECK_EQUAL(tansy_solve(s, times[j], y, sens), TANSY_OK);
            control_check(times[j], rtol, y, sens);
            for (size_t i = 1; i < PIECES; i++) {
                size_t const k = LEVEL + control_place[i];
                bool const waits = times[j] <= control_breaks[i - 1];
                CHECK_EQUAL(sens[2 * k] == 0 && sens[2 * k + 1] == 0, waits);
            }
        }
        tansy_free(s);
    }
}

/* s' at a break is the slope before it: -k s for a column whose level acts no more, 0 for one that does not act yet. */
TEST(slopes_at_a_break_are_left_limits)
{
    struct control_user u = control_user();
    tansy_problem const problem = control_problem(&u);
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = 1e-10, .atol = 1e-12});
    double y[2], yp[2], sens[2 * NP], sensp[2 * NP];
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_at(s, 1, y, yp, sens, sensp), TANSY_OK);
    CHECK_CLOSE(yp[0], -control_rate * y[0] + control_level[1], 1e-8);
    CHECK_CLOSE(sensp[2 * (LEVEL + control_place[1])],
                1 - control_rate * sens[2 * (LEVEL + control_place[1])], 1e-8);
    CHECK(sensp[2 * (LEVEL + control_place[2])] == 0);
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_initialise(s, y, yp, sens, sensp), TANSY_OK);
    CHECK_CLOSE(sensp[2 * (LEVEL + control_place[0])], 1, 0);
    CHECK(sensp[2 * (LEVEL + control_place[1])] == 0 && sens[0] == 0);
    tansy_free(s);
}

/* From 4 back to 0.2: levels that act below 4 all matter, what acts from 4 on does not. */
TEST(backwards_all_levels_below_the_start_act)
{
    for (int m = 0; m < CONTROL_METHODS; m++) {
        struct control_user u = control_user();
        double y4[2], sens4[2 * NP], y[2], sens[2 * NP];
        tansy_problem problem = control_problem(&u);
        control_exact(4, y4, sens4);
        problem.t0 = 4;
        problem.y0 = y4;
        tansy_solver *const s = tansy_create(
            &problem,
            &(tansy_options){.method = control_methods[m], .rtol = rtol, .atol = 1e-2 * rtol});
        CHECK_EQUAL(tansy_restart(s, 4, y4, NULL, sens4), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 0.2, y, sens), TANSY_OK);
        control_check(0.2, rtol, y, sens);
        /* From 0.8 back to 0.2, with S(0.8): only the first two levels act, the others stay exactly 0. */
        control_exact(0.8, y4, sens4);
        CHECK_EQUAL(tansy_restart(s, 0.8, y4, NULL, sens4), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 0.2, y, sens), TANSY_OK);
        control_check(0.2, rtol, y, sens);
        for (size_t i = 2; i < PIECES; i++) CHECK(sens[2 * (LEVEL + control_place[i])] == 0);
        tansy_free(s);
    }
}

/* A direction acts when the first of its parameters does, or at once where it moves y(t0). */
TEST(directions_act_with_their_first_parameter)
{
    struct control_user u = control_user();
    enum { COLUMNS = 4, LENGTH = 2 + NP };
    double directions[COLUMNS * LENGTH] = {0}, exact_y[2], exact[2 * NP], sens[2 * COLUMNS];
    directions[0 * LENGTH + 2 + LEVEL + control_place[4]] = 1;
    directions[1 * LENGTH + 2 + LEVEL + control_place[4]] = 2;
    directions[1 * LENGTH + 2 + LEVEL + control_place[1]] = -1;
    directions[2 * LENGTH + 0] = 1;
    directions[2 * LENGTH + 2 + LEVEL + control_place[4]] = 1;
    /* the last is zero */
    tansy_problem problem = control_problem(&u);
    problem.ns = COLUMNS;
    problem.directions = directions;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 0.4, NULL, sens), TANSY_OK);
    CHECK(sens[0] == 0 && sens[2] == 0 && sens[4] != 0 && sens[6] == 0);
    CHECK_EQUAL(tansy_solve(s, 4, NULL, sens), TANSY_OK);
    control_exact(4, exact_y, exact);
    for (size_t i = 0; i < 2; i++) {
        double const first = exact[2 * (LEVEL + control_place[1]) + i],
                     last = exact[2 * (LEVEL + control_place[4]) + i];
        double const moved =
            i == 0 ? exp(-4 * control_rate) : (1 - exp(-4 * control_rate)) / control_rate;
        CHECK_CLOSE(sens[i], last, 100 * rtol);
        CHECK_CLOSE(sens[2 + i], 2 * last - first, 100 * rtol);
        CHECK_CLOSE(sens[4 + i], moved + last, 100 * rtol);
        CHECK(sens[6 + i] == 0);
    }
    tansy_free(s);
}

/* Initial columns that are not zero, though their level does not act: then all are in use. */
TEST(initial_columns_of_waiting_levels_count)
{
    struct control_user u = control_user();
    tansy_problem const problem = control_problem(&u);
    double sens0[2 * NP] = {0}, sens[2 * NP];
    sens0[2 * (LEVEL + control_place[4])] = 1;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, sens0), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.4, NULL, sens), TANSY_OK);
    CHECK_CLOSE(sens[2 * (LEVEL + control_place[4])], exp(-0.4 * control_rate), 100 * rtol);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0, NULL, sens), TANSY_OK);
    CHECK(sens[2 * (LEVEL + control_place[4])] == 0);
    tansy_free(s);
}

/* The tolerances of a column go with it: a loose one lets its column be worse, a literal one too. */
TEST(tolerances_are_those_of_the_users_columns)
{
    double steps[2];
    for (int x = 0; x < 2; x++) {
        struct control_user u = control_user();
        double atol_sens[2 * NP], rtol_sens[2 * NP], rtol_column[NP];
        tansy_stats stats;
        tansy_problem const problem = control_problem(&u);
        for (size_t k = 0; k < NP; k++) rtol_column[k] = 1e-3;
        if (x == 1)
            rtol_column[LEVEL + control_place[4]] = 1e-11; /* acts in the last piece alone */
        for (size_t k = 0; k < 2 * NP; k++) {
            rtol_sens[k] = rtol_column[k / 2];
            atol_sens[k] = 1e-2 * rtol_column[k / 2];
        }
        tansy_options const o = {.method = TANSY_RK8,
                                 .rtol = 1e-3,
                                 .atol = 1e-5,
                                 .rtol_column = rtol_column,
                                 .rtol_sens = rtol_sens,
                                 .atol_sens = atol_sens,
                                 .substeps = 1};
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_OK);
        tansy_get_stats(s, &stats);
        double const before = (double)stats.steps;
        CHECK_EQUAL(tansy_solve(s, 8, NULL, NULL), TANSY_OK);
        tansy_get_stats(s, &stats);
        steps[x] = (double)stats.steps - before;
        if (x == 1) CHECK_AT_MOST(before, 12); /* nothing of it is seen before */
        tansy_free(s);
    }
    CHECK_AT_MOST(2 * steps[0], steps[1]);
}

/* Q = y1 + p of the level of the last piece. */
static int derived(double t, const double *y, const double *yp, const double *p, double *Q,
                   void *context)
{
    (void)t, (void)yp, (void)context;
    Q[0] = y[0] + p[LEVEL + control_place[4]];
    return 0;
}

TEST(derived_quantities_have_the_users_columns)
{
    struct control_user u = control_user();
    tansy_problem problem = control_problem(&u);
    problem.nq = 1;
    problem.derived = derived;
    double Q[1], Q_p[NP], exact_y[2], exact[2 * NP];
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 2, Q, Q_p), TANSY_OK);
    control_exact(2, exact_y, exact);
    for (size_t k = 0; k < NP; k++)
        CHECK_CLOSE(Q_p[k], exact[2 * k] + (k == LEVEL + control_place[4] ? 1 : 0), 100 * rtol);
    tansy_free(s);
}
