/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of controls that act from a break time on: the columns are sorted inside the solver, the user sees the user's order, in all
   outputs, tolerances, messages and counts; y' = -k y + u_i on piece i, in closed form. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

enum { PIECES = 5, NP = 1 + PIECES, LEVEL = 1 };
static const double rate = 0.8, rtol = 1e-7;
static const double breaks[PIECES - 1] = {0.5, 1, 2.25, 3};
/* In disorder: level[i] of piece i is parameter LEVEL + place[i]. */
static const size_t place[PIECES] = {3, 1, 4, 0, 2};
static const double level[PIECES] = {1, -2, 3, 0.5, 1.5};

struct user {
    double p[NP], active_from[NP];
    double fail_from;   /* f fails from here on; infinite: it does not */
    int failures, code; /* so many times beyond the first break it returns this code */
    size_t switches;    /* before the number of the piece */
    bool nan;           /* the tangent of the last level is none */
};

/* The parameter that is the level of the piece at work. */
static size_t level_at(const double *p, const void *context)
{
    const struct user *const u = context;
    return LEVEL + place[(size_t)p[NP + u->switches]];
}

static struct user user_make(void)
{
    struct user u = {.p = {rate}, .active_from = {-HUGE_VAL}, .fail_from = HUGE_VAL};
    for (size_t i = 0; i < PIECES; i++) {
        u.p[LEVEL + place[i]] = level[i];
        u.active_from[LEVEL + place[i]] = i == 0 ? -HUGE_VAL : breaks[i - 1];
    }
    return u;
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    struct user *const u = context;
    if (t > breaks[0] && u->failures > 0) {
        u->failures--;
        return u->code;
    }
    f[0] = -p[0] * y[0] + p[level_at(p, context)];
    f[1] = y[0];
    return t > u->fail_from ? 1 : 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t;
    const double *const u = U + level_at(p, context) * ld;
    bool const nan = ((const struct user *)context)->nan;
    for (size_t k = 0; k < columns; k++) {
        R[k] = -p[0] * V[k] - y[0] * U[k] + u[k];
        R[ld + k] = V[k];
        if (nan && U[(LEVEL + place[4]) * ld + k] != 0) R[k] = (double)NAN;
    }
    return 0;
}

static tansy_problem problem_of(struct user *u)
{
    static const double y0[] = {1, 0};
    return (tansy_problem){.n = 2,
                           .np = NP,
                           .y0 = y0,
                           .p = u->p,
                           .context = u,
                           .rhs = rhs,
                           .tangent = tangent,
                           .autonomous = 1,
                           .breaks = PIECES - 1,
                           .break_times = breaks,
                           .active_from = u->active_from};
}

/* y and dy/dp of both components at t >= 0: S as the solver gives it, sens[k*2 + i]. */
static void exact_at(double t, double *y, double *sens)
{
    double at = 0;
    y[0] = 1;
    y[1] = 0;
    memset(sens, 0, NP * 2 * sizeof *sens);
    for (size_t i = 0; at < t; i++) {
        double const end = i < PIECES - 1 ? fmin(breaks[i], t) : t, d = end - at;
        double const k = rate, e = exp(-k * d), u = level[i], one = (1 - e) / k;
        double const one_k = (d * e - one) / k; /* d(one)/dk */
        for (size_t x = 0; x < NP; x++) {
            sens[2 * x + 1] += sens[2 * x] * one;
            sens[2 * x] *= e;
        }
        sens[1] += y[0] * one_k + u * (-one_k / k - (d - one) / (k * k));
        sens[0] += -d * e * y[0] + u * one_k;
        sens[2 * (LEVEL + place[i])] += one;
        sens[2 * (LEVEL + place[i]) + 1] += (d - one) / k;
        y[1] += y[0] * one + u * (d - one) / k;
        y[0] = y[0] * e + u * one;
        at = end;
    }
}

static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX,
                                       TANSY_BDF, TANSY_ADAMS,      TANSY_DASSL};
enum { METHODS = sizeof methods / sizeof *methods };

static void check_columns(const double *y, const double *sens, const double *exact_y,
                          const double *exact)
{
    for (size_t i = 0; i < 2; i++) CHECK_CLOSE(y[i], exact_y[i], 100 * rtol);
    for (size_t x = 0; x < 2 * NP; x++) CHECK_CLOSE(sens[x], exact[x], 100 * rtol);
}

/* At a break time they are the limits from before it: the level that begins there has not acted yet. */
TEST(columns_in_disorder_come_in_the_users_order)
{
    static const double times[] = {0.3, 0.5, 1, 1.1, 2.25, 2.9, 4};
    for (int m = 0; m < METHODS; m++) {
        struct user u = user_make();
        tansy_problem const problem = problem_of(&u);
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = methods[m], .rtol = rtol, .atol = rtol});
        for (size_t j = 0; j < sizeof times / sizeof *times; j++) {
            double y[2], sens[2 * NP], exact_y[2], exact[2 * NP];
            CHECK_EQUAL(tansy_solve(s, times[j], y, sens), TANSY_OK);
            exact_at(times[j], exact_y, exact);
            check_columns(y, sens, exact_y, exact);
            for (size_t i = 1; i < PIECES; i++) {
                size_t const k = LEVEL + place[i];
                bool const waits = times[j] <= breaks[i - 1];
                CHECK_EQUAL(sens[2 * k] == 0 && sens[2 * k + 1] == 0, waits);
            }
        }
        tansy_free(s);
    }
}

/* s' at a break is the slope before it: -k s for a column whose level acts no more, 0 for one that does not act yet. */
TEST(slopes_at_a_break_are_left_limits)
{
    struct user u = user_make();
    tansy_problem const problem = problem_of(&u);
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = 1e-10, .atol = 1e-12});
    double y[2], yp[2], sens[2 * NP], sensp[2 * NP];
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_at(s, 1, y, yp, sens, sensp), TANSY_OK);
    CHECK_CLOSE(yp[0], -rate * y[0] + level[1], 1e-8);
    CHECK_CLOSE(sensp[2 * (LEVEL + place[1])], 1 - rate * sens[2 * (LEVEL + place[1])], 1e-8);
    CHECK(sensp[2 * (LEVEL + place[2])] == 0);
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_initialise(s, y, yp, sens, sensp), TANSY_OK);
    CHECK_CLOSE(sensp[2 * (LEVEL + place[0])], 1, 0);
    CHECK(sensp[2 * (LEVEL + place[1])] == 0 && sens[0] == 0);
    tansy_free(s);
}

/* From 4 back to 0.2: levels that act below 4 all matter, what acts from 4 on does not. */
TEST(backwards_all_levels_below_the_start_act)
{
    for (int m = 0; m < METHODS; m++) {
        struct user u = user_make();
        double y4[2], sens4[2 * NP], exact_y[2], exact[2 * NP], y[2], sens[2 * NP];
        tansy_problem problem = problem_of(&u);
        exact_at(4, y4, sens4);
        exact_at(0.2, exact_y, exact);
        problem.t0 = 4;
        problem.y0 = y4;
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = methods[m], .rtol = rtol, .atol = 1e-2 * rtol});
        CHECK_EQUAL(tansy_restart(s, 4, y4, NULL, sens4), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 0.2, y, sens), TANSY_OK);
        check_columns(y, sens, exact_y, exact);
        /* From 0.8 back to 0.2, with S(0.8): only the first two levels act, the others stay exactly 0. */
        exact_at(0.8, y4, sens4);
        CHECK_EQUAL(tansy_restart(s, 0.8, y4, NULL, sens4), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 0.2, y, sens), TANSY_OK);
        check_columns(y, sens, exact_y, exact);
        for (size_t i = 2; i < PIECES; i++) CHECK(sens[2 * (LEVEL + place[i])] == 0);
        tansy_free(s);
    }
}

/* A direction acts when the first of its parameters does, or at once where it moves y(t0). */
TEST(directions_act_with_their_first_parameter)
{
    struct user u = user_make();
    enum { COLUMNS = 4, LENGTH = 2 + NP };
    double directions[COLUMNS * LENGTH] = {0}, exact_y[2], exact[2 * NP], sens[2 * COLUMNS];
    directions[0 * LENGTH + 2 + LEVEL + place[4]] = 1;
    directions[1 * LENGTH + 2 + LEVEL + place[4]] = 2;
    directions[1 * LENGTH + 2 + LEVEL + place[1]] = -1;
    directions[2 * LENGTH + 0] = 1;
    directions[2 * LENGTH + 2 + LEVEL + place[4]] = 1;
    /* the last is zero */
    tansy_problem problem = problem_of(&u);
    problem.ns = COLUMNS;
    problem.directions = directions;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 0.4, NULL, sens), TANSY_OK);
    CHECK(sens[0] == 0 && sens[2] == 0 && sens[4] != 0 && sens[6] == 0);
    CHECK_EQUAL(tansy_solve(s, 4, NULL, sens), TANSY_OK);
    exact_at(4, exact_y, exact);
    for (size_t i = 0; i < 2; i++) {
        double const first = exact[2 * (LEVEL + place[1]) + i],
                     last = exact[2 * (LEVEL + place[4]) + i];
        double const moved = i == 0 ? exp(-4 * rate) : (1 - exp(-4 * rate)) / rate;
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
    struct user u = user_make();
    tansy_problem const problem = problem_of(&u);
    double sens0[2 * NP] = {0}, sens[2 * NP];
    sens0[2 * (LEVEL + place[4])] = 1;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, sens0), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.4, NULL, sens), TANSY_OK);
    CHECK_CLOSE(sens[2 * (LEVEL + place[4])], exp(-0.4 * rate), 100 * rtol);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0, NULL, sens), TANSY_OK);
    CHECK(sens[2 * (LEVEL + place[4])] == 0);
    tansy_free(s);
}

/* The tolerances of a column go with it: a loose one lets its column be worse, a literal one too. */
TEST(tolerances_are_those_of_the_users_columns)
{
    double steps[2];
    for (int x = 0; x < 2; x++) {
        struct user u = user_make();
        double atol_sens[2 * NP], rtol_sens[2 * NP], rtol_column[NP];
        tansy_stats stats;
        tansy_problem const problem = problem_of(&u);
        for (size_t k = 0; k < NP; k++) rtol_column[k] = 1e-3;
        if (x == 1) rtol_column[LEVEL + place[4]] = 1e-11; /* acts in the last piece alone */
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

TEST(messages_name_the_users_columns)
{
    struct user u = user_make();
    tansy_problem problem = problem_of(&u);
    double rtol_column[NP] = {0};
    rtol_column[LEVEL + place[4]] = -1;
    tansy_solver *s = tansy_create(&problem, &(tansy_options){.rtol_column = rtol_column});
    char words[40];
    (void)snprintf(words, sizeof words, "rtol_column[%zu]", LEVEL + place[4]);
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
    struct user u = user_make();
    tansy_problem problem = problem_of(&u);
    u.nan = true;
    tansy_solver *s = tansy_create(&problem, &(tansy_options){.method = TANSY_RK8});
    CHECK_EQUAL(tansy_solve(s, 2.9, NULL, NULL), TANSY_OK); /* nobody has asked for it */
    CHECK_EQUAL(tansy_solve(s, 3.1, NULL, NULL), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "column 3");
    tansy_free(s);
    u.nan = false;
    enum { LENGTH = 2 + NP };
    double directions[2 * LENGTH] = {0}, rtol_column[2] = {1e-15, 1e-2};
    directions[2 + LEVEL + place[4]] = 1;
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

/* After a failure at the break itself, where the panels are new already, y and S are those before it. */
TEST(a_break_that_cannot_be_crossed_keeps_its_columns)
{
    for (int m = 0; m < METHODS; m++) {
        struct user u = user_make();
        tansy_problem problem = problem_of(&u);
        double y[2], sens[2 * NP], exact_y[2], exact[2 * NP];
        if (methods[m] == TANSY_LIMEX) continue; /* has no switches */
        u.switches = problem.switches = 1;
        problem.switch_function = lost;
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = methods[m], .rtol = rtol, .atol = rtol});
        CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_USER_FAILED);
        CHECK_CLOSE(tansy_time(s), 0.5, 0);
        exact_at(0.5, exact_y, exact);
        check_columns(y, sens, exact_y, exact);
        tansy_free(s);
    }
}

/* After a failure within the second piece y and S are those of the last point. */
TEST(a_run_that_fails_after_a_break_keeps_its_columns)
{
    struct user u = user_make();
    tansy_problem const problem = problem_of(&u);
    double y[2], sens[2 * NP], exact_y[2], exact[2 * NP];
    u.fail_from = 0.5;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_USER_FAILED);
    CHECK_CLOSE(tansy_time(s), 0.5, 0);
    exact_at(0.5, exact_y, exact);
    check_columns(y, sens, exact_y, exact);
    tansy_free(s);
}

/* BDF starts anew with order 4 by six evaluations: when one of them fails, with order 1; when it says stop, not at all. */
TEST(a_start_with_order_4_that_fails_is_one_with_order_1)
{
    static const tansy_method warm[] = {TANSY_BDF, TANSY_DASSL};
    for (int x = 0; x < 4; x++) {
        struct user u = user_make();
        tansy_problem const problem = problem_of(&u);
        tansy_stats stats[2];
        double y[2], sens[2 * NP], exact_y[2], exact[2 * NP];
        bool const stops = x >= 2;
        u.failures = 1;
        u.code = stops ? -1 : 1;
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = warm[x % 2], .rtol = rtol, .atol = rtol});
        CHECK_EQUAL(tansy_solve(s, 4, y, sens), stops ? TANSY_USER_STOPPED : TANSY_OK);
        exact_at(stops ? 0.5 : 4, exact_y, exact);
        check_columns(y, sens, exact_y, exact);
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
    f[0] = -1e6 * (y[0] - p[level_at(p, context)]);
    f[1] = y[0];
    return 0;
}

TEST(a_stiff_problem_starts_anew_with_order_1)
{
    struct user u = user_make();
    tansy_problem problem = problem_of(&u);
    double y[2], sens[2 * NP];
    problem.rhs = stiff;
    problem.tangent = NULL;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_BDF, .rtol = 1e-5, .atol = 1e-8});
    CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_OK);
    CHECK_CLOSE(y[0], level[4], 1e-3);
    CHECK_CLOSE(sens[2 * (LEVEL + place[4])], 1, 1e-3);
    CHECK_CLOSE(sens[2 * (LEVEL + place[3]) + 1], 0.75, 1e-3); /* that level held so long */
    tansy_free(s);
}

/* Q = y1 + p of the level of the last piece. */
static int derived(double t, const double *y, const double *yp, const double *p, double *Q,
                   void *context)
{
    (void)t, (void)yp, (void)context;
    Q[0] = y[0] + p[LEVEL + place[4]];
    return 0;
}

TEST(derived_quantities_have_the_users_columns)
{
    struct user u = user_make();
    tansy_problem problem = problem_of(&u);
    problem.nq = 1;
    problem.derived = derived;
    double Q[1], Q_p[NP], exact_y[2], exact[2 * NP];
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_RK8, .rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 2, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_derived_at(s, 2, Q, Q_p), TANSY_OK);
    exact_at(2, exact_y, exact);
    for (size_t k = 0; k < NP; k++)
        CHECK_CLOSE(Q_p[k], exact[2 * k] + (k == LEVEL + place[4] ? 1 : 0), 100 * rtol);
    tansy_free(s);
}
