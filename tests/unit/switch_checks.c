/* SPDX-License-Identifier: Apache-2.0 */
/* What is refused about switches, breaks and bounds, and the scale that bounds give. */
#include "support/switch_decay.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The problem is refused with these words. */
static void check_refused(const tansy_problem *problem, const char *words)
{
    tansy_solver *const s = tansy_create(problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), words);
    tansy_free(s);
}

TEST(switches_that_make_no_sense_are_refused)
{
    struct decay_user user = decay_user();
    tansy_problem const good = decay_problem(&user, true, DECAY_GIVES_SWITCH);
    tansy_problem bad = good;
    bad.switch_function = NULL;
    check_refused(&bad, ".switch_function is NULL");
    bad = good;
    bad.switches = 0;
    check_refused(&bad, "switches = 0");
    bad = good;
    bad.switches = SIZE_MAX / 2;
    check_refused(&bad, "too many");
}

TEST(break_times_must_be_finite_and_rise)
{
    static const double falling[] = {1, 2, 1.5}, twice[] = {1, 1},
                        infinite[] = {1, (double)INFINITY}, unknown[] = {(double)NAN};
    struct decay_user user = decay_user();
    tansy_problem bad = decay_problem(&user, true, DECAY_GIVES_F);
    bad.breaks = 3;
    check_refused(&bad, ".break_times is NULL");
    bad.break_times = falling;
    check_refused(&bad, "break_times[2]");
    bad.breaks = 2;
    bad.break_times = twice;
    check_refused(&bad, "break_times[1]");
    bad.break_times = infinite;
    check_refused(&bad, "break_times[1]");
    bad.breaks = 1;
    bad.break_times = unknown;
    check_refused(&bad, "break_times[0]");
    bad.breaks = SIZE_MAX / 2;
    check_refused(&bad, "too many");
}

TEST(bounds_must_be_in_order_but_p_may_be_outside)
{
    static const double wrong[] = {0, 1, 3, 2, 0, 1}, unknown[] = {0, 1, 0, (double)NAN, 0, 1},
                        tight[] = {0, 1, 0, 0.1, -1, 0.5};
    struct decay_user user = decay_user();
    tansy_problem problem = decay_problem(&user, true, DECAY_GIVES_F);
    problem.bound = wrong;
    check_refused(&problem, "bounds of parameter 1");
    problem.bound = unknown;
    check_refused(&problem, "bounds of parameter 1");
    problem.bound = tight;
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    tansy_free(s);
}

static int two_terms(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -y[0] + p[0];
    f[1] = p[1] * y[0];
    return 0;
}

/* Steps of a run with p = 0 and these bounds or scales, and whether the report warns. */
static size_t steps_of(const double *bound, const double *scale, const char **warning)
{
    static const double y0[] = {1, 0}, p[] = {0, 0};
    tansy_problem const problem = {
        .n = 2, .np = 2, .y0 = y0, .p = p, .rhs = two_terms, .bound = bound, .scale = scale};
    tansy_options const o = {.method = TANSY_BDF, .rtol = 1e-6};
    tansy_solver *const s = tansy_create(&problem, &o);
    char text[4096];
    tansy_stats stats;
    CHECK_EQUAL(tansy_solve(s, 5, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    (void)tansy_report(s, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, warning[0]);
    tansy_free(s);
    return stats.rhs_evals + 1000000 * stats.steps;
}

TEST(a_parameter_that_is_zero_has_the_scale_of_its_bounds)
{
    static const double finite[] = {-1e3, 3e3, 0, 1e-4}, scale[] = {4e3, 1e-4};
    static const double open[] = {0, (double)INFINITY, (double)-INFINITY, (double)INFINITY};
    static const double fixed[] = {0, 0, 0, 0}, ones[] = {1, 1};
    static const char *const quiet[] = {"iterations"}, *const warns[] = {"warning: 2 parameters"};
    CHECK_EQUAL(steps_of(finite, NULL, (const char **)quiet),
                steps_of(NULL, scale, (const char **)quiet));
    CHECK_EQUAL(steps_of(open, NULL, (const char **)warns),
                steps_of(NULL, ones, (const char **)quiet));
    CHECK_EQUAL(steps_of(fixed, NULL, (const char **)warns),
                steps_of(NULL, ones, (const char **)quiet));
    CHECK(steps_of(finite, NULL, (const char **)quiet) !=
          steps_of(NULL, ones, (const char **)quiet));
}

TEST(statuses_of_switches_have_words)
{
    CHECK_TEXT_CONTAINS(tansy_status_text(TANSY_SLIDING), "both sides");
    CHECK_TEXT_CONTAINS(tansy_status_text(TANSY_GRAZING), "touched");
}

static int steady(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    f[0] = 1;
    return 0;
}

/* From y = 1/2 on the second wants the mode of the third, and the third the opposite of that of the second. */
static int quarrel(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)context;
    bool const begun = p[0] != 0;
    g[0] = y[0] - 0.5;
    g[1] = begun && p[2] != 0 ? 1 : -1;
    g[2] = begun && p[1] == 0 ? 1 : -1;
    return 0;
}

TEST(conditions_that_follow_each_other_without_end_are_refused)
{
    static const double zero = 0;
    tansy_problem const problem = {
        .n = 1, .y0 = &zero, .rhs = steady, .switches = 3, .switch_function = quarrel};
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6, .atol = 1e-6});
    double y = 0;
    CHECK_EQUAL(tansy_solve(s, 0.25, &y, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, &y, NULL), TANSY_SLIDING);
    CHECK_TEXT_CONTAINS(tansy_message(s), "over and over at t = 0.5");
    CHECK_CLOSE(tansy_time(s), 0.5, 1e-9);
    tansy_free(s);
}

/* x' = -1 or -x by max(p_0, p_1) with p_0 = p_1: a switch that stays at zero.  Its slope in p is not to be had, or wants to stop. */
static int flat_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -(p[2] != 0 ? p[0] : p[1]) * y[0];
    return 0;
}

static int flat_g(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)y, (void)context;
    g[0] = p[0] - p[1];
    return 0;
}

static int flat_slopes(double t, const double *y, const double *p, size_t columns, size_t ld,
                       const double *V, const double *U, double *gt, double *G, void *context)
{
    bool moves = false;
    (void)t, (void)y, (void)p, (void)V;
    gt[0] = 0;
    for (size_t k = 0; k < columns; k++) {
        G[k] = U[k] - U[ld + k];
        moves = moves || G[k] != 0;
    }
    return moves ? *(const int *)context : 0;
}

TEST(a_slope_that_fails_where_corners_are_looked_for_does_not_stop_the_run)
{
    static const double y0[] = {1}, p[] = {1, 1};
    for (int code = -1; code <= 1; code++) {
        tansy_problem const problem = {.n = 1,
                                       .np = 2,
                                       .y0 = y0,
                                       .p = p,
                                       .rhs = flat_rhs,
                                       .switches = 1,
                                       .switch_function = flat_g,
                                       .switch_tangent = flat_slopes,
                                       .context = &code};
        double y[1], S[2];
        char report[4000];
        tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-8});
        tansy_status const status = tansy_solve(s, 1, y, S);
        (void)tansy_report(s, report, sizeof report);
        CHECK_EQUAL(status, code < 0 ? TANSY_USER_STOPPED : TANSY_OK);
        CHECK((strstr(report, "S is one-sided") != NULL) == (code == 0));
        if (code >= 0) CHECK_CLOSE(y[0], exp(-1), 1e-6);
        tansy_free(s);
    }
}
