/* SPDX-License-Identifier: Apache-2.0 */
/* limex sorts columns by their tolerances, so that those which leave the tableau together share a panel; what the user gives and gets
   is in the user's order. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"
#include "support/control_decay.h"
#include "support/step_problem.h"
#include "test.h"

static const double RTOL = 1e-8, LOOSE = 1e-3, TIME = 1.5;
enum { N = 2, COLUMNS = 2 * STEP_NP, ALL = N * COLUMNS };

/* Everything that goes in or comes out column by column. */
struct run {
    double start[ALL], end[ALL], slope[ALL], again[ALL];
    double errors[1 + COLUMNS];
    tansy_stats stats;
    size_t panels;
};

static void solve(const struct step_problem *it, const tansy_problem *problem, const double *rtol,
                  struct run *r)
{
    tansy_options const options = {
        .method = TANSY_LIMEX, .rtol = RTOL, .atol = RTOL, .rtol_column = rtol};
    double y[N], yp[N];
    tansy_solver *const s = tansy_create(problem, &options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, r->start, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, TIME, y, r->end), TANSY_OK);
    step_errors(it, TIME, y, r->end, r->errors);
    CHECK_EQUAL(tansy_at(s, TIME, y, yp, NULL, r->slope), TANSY_OK);
    tansy_get_stats(s, &r->stats);
    r->panels = s->stepper.panels;
    CHECK_EQUAL(tansy_restart(s, TIME, y, NULL, r->end), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 2 * TIME, y, r->again), TANSY_OK);
    tansy_free(s);
}

static void check_columns(const double *mixed, const double *sorted, const int *place)
{
    for (int k = 0; k < COLUMNS; k++)
        CHECK(memcmp(mixed + N * k, sorted + N * place[k], N * sizeof *mixed) == 0);
}

/* Every second column is loose; column k of the mixed run is place[k] of the one whose user has sorted them. */
static void set_mixed(double *rtol, int *place)
{
    for (int k = 0; k < COLUMNS; k++) {
        rtol[k] = k % 2 ? 0 : LOOSE;
        place[k] = k % 2 ? k / 2 : COLUMNS / 2 + k / 2;
    }
}

/* The same columns in two orders. */
struct pair {
    struct step_problem mixed, sorted;
    double rtol[COLUMNS]; /* of the mixed ones */
    int place[COLUMNS];
};

static void set_pair(struct pair *it)
{
    set_mixed(it->rtol, it->place);
    step_problem_set(&it->mixed, STEP_ODE, STEP_ALL, COLUMNS);
    step_problem_set(&it->sorted, STEP_ODE, STEP_ALL, COLUMNS);
}

static void compare(const struct pair *it)
{
    double tolerance[COLUMNS];
    struct run a, b;
    for (int k = 0; k < COLUMNS; k++) tolerance[it->place[k]] = it->rtol[k];
    solve(&it->mixed, &it->mixed.problem, it->rtol, &a);
    solve(&it->sorted, &it->sorted.problem, tolerance, &b);
    CHECK_EQUAL(a.panels, 2);
    CHECK_EQUAL(b.panels, 2);
    CHECK_EQUAL(a.stats.tangent_evals, b.stats.tangent_evals);
    check_columns(a.start, b.start, it->place);
    check_columns(a.end, b.end, it->place);
    check_columns(a.slope, b.slope, it->place);
    check_columns(a.again, b.again, it->place);
    for (int k = 0; k < COLUMNS; k++)
        CHECK_AT_MOST(a.errors[1 + k], 100 * (it->rtol[k] > 0 ? it->rtol[k] : RTOL));
}

TEST(columns_of_a_list_are_grouped_and_given_in_their_order)
{
    struct pair it;
    set_pair(&it);
    for (int k = 0; k < COLUMNS; k++) it.sorted.columns[it.place[k]] = it.mixed.columns[k];
    compare(&it);
}

TEST(directions_are_grouped_and_given_in_their_order)
{
    static double mixed[COLUMNS * (N + STEP_NP)], sorted[COLUMNS * (N + STEP_NP)];
    struct pair it;
    set_pair(&it);
    for (int k = 0; k < COLUMNS; k++) {
        size_t const entry = N + (size_t)it.mixed.columns[k];
        mixed[(size_t)k * (N + STEP_NP) + entry] = 1;
        sorted[(size_t)it.place[k] * (N + STEP_NP) + entry] = 1;
    }
    it.mixed.problem.directions = mixed;
    it.sorted.problem.directions = sorted;
    it.mixed.problem.columns = it.sorted.problem.columns = NULL;
    compare(&it);
}

/* All columns have one tolerance, or there is one column: nothing is sorted. */
TEST(columns_alike_stay_as_they_are)
{
    for (size_t ns = 1; ns <= COLUMNS; ns += COLUMNS - 1) {
        struct step_problem it;
        double rtol[COLUMNS];
        for (int k = 0; k < COLUMNS; k++) rtol[k] = LOOSE;
        step_problem_set(&it, STEP_ODE, STEP_ALL, ns);
        tansy_solver *const s =
            tansy_create(&it.problem, &(tansy_options){.method = TANSY_LIMEX, .rtol_column = rtol});
        CHECK(s->activation.order == NULL && s->activation.from == NULL);
        CHECK_EQUAL(s->stepper.panels, 1);
        tansy_free(s);
    }
}

/* Other methods end no panel early, and do not sort. */
TEST(other_methods_do_not_sort_by_tolerance)
{
    struct step_problem it;
    double rtol[COLUMNS];
    int place[COLUMNS];
    set_mixed(rtol, place);
    step_problem_set(&it, STEP_ODE, STEP_ALL, COLUMNS);
    tansy_solver *const s =
        tansy_create(&it.problem, &(tansy_options){.method = TANSY_BDF, .rtol_column = rtol});
    CHECK(s->activation.order == NULL);
    CHECK_EQUAL(s->stepper.panels, 1);
    tansy_free(s);
}

/* Levels wait for their piece, and those of one piece are sorted by tolerance, whenever within it they say that they act. */
TEST(columns_that_wait_are_grouped_on_their_piece)
{
    struct control_user u = control_user();
    double rtol[NP], y[2], sens[2 * NP], exact[2], right[2 * NP];
    for (int k = 0; k < NP; k++) rtol[k] = k % 2 ? LOOSE : 1e-6;
    u.active_from[LEVEL + control_place[2]] = 0.9; /* at the latest at 1, */
    u.active_from[LEVEL + control_place[1]] = 0.5; /* both on the piece from 0.5 on */
    u.active_from[LEVEL + control_place[3]] = 0.6;
    tansy_problem const problem = control_problem(&u);
    tansy_solver *const s = tansy_create(
        &problem,
        &(tansy_options){.method = TANSY_LIMEX, .rtol = 1e-6, .atol = 1e-6, .rtol_column = rtol});
    static const double times[] = {0.3, 0.7, 1.6, 2.6, 4};
    static const size_t active[] = {2, 5, 5, 5, 6}, panels[] = {1, 2, 2, 2, 2};
    for (int m = 0; m < 5; m++) {
        CHECK_EQUAL(tansy_solve(s, times[m], y, sens), TANSY_OK);
        CHECK_EQUAL(s->activation.active, active[m]);
        CHECK_EQUAL(s->stepper.panels, panels[m]);
        control_exact(times[m], exact, right);
        for (int x = 0; x < 2 * NP; x++) CHECK_AT_MOST(fabs(sens[x] - right[x]), 100 * rtol[x / 2]);
        for (int i = 0; i < 2; i++) CHECK_AT_MOST(fabs(y[i] - exact[i]), 1e-4);
    }
    for (size_t k = 0; k + 1 < NP; k++) {
        CHECK(s->activation.from[k] <= s->activation.from[k + 1]);
        if (s->activation.from[k] == s->activation.from[k + 1])
            CHECK(s->options.rtol_column[k] <= s->options.rtol_column[k + 1]);
    }
    tansy_free(s);
}

static tansy_second *right_second;

/* Second derivatives along parameter 4 are none. */
/* NOLINTNEXTLINE(readability-function-size): the signature is the public one */
static int broken_second(double t, const double *y, const double *p, const double *v, double tau,
                         size_t columns, size_t ld, const double *V, const double *U, double *R,
                         void *context)
{
    int const code = right_second(t, y, p, v, tau, columns, ld, V, U, R, context);
    for (size_t k = 0; k < columns; k++)
        if (U[4 * ld + k] != 0) R[k] = (double)NAN;
    return code;
}

TEST(failures_name_the_users_column)
{
    static const char *const states[] = {"w", "v"}, *const parameters[] = {"a", "b", "c",
                                                                           "d", "k", "q"};
    struct step_problem it;
    double rtol[COLUMNS];
    int place[COLUMNS];
    set_mixed(rtol, place);
    step_problem_set(&it, STEP_ODE, STEP_ALL, COLUMNS);
    right_second = it.problem.second;
    it.problem.second = broken_second;
    it.problem.state_names = states;
    it.problem.parameter_names = parameters;
    tansy_solver *const s =
        tansy_create(&it.problem, &(tansy_options){.method = TANSY_LIMEX, .rtol_column = rtol});
    CHECK_EQUAL(tansy_solve(s, TIME, NULL, NULL), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "second derivative of the equation of w along d/d(k)");
    tansy_free(s);
}
