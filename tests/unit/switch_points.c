/* SPDX-License-Identifier: Apache-2.0 */
/* Where switching points meet output times, stop times and single steps: what is given there are left limits, and
   asking for them changes nothing in the run. */
#include "support/switch_decay.h"
#include "support/switch_runs.h"
#include "test.h"

#include <stdbool.h>
#include <string.h>

static const double rtol = 1e-6;

/* y' = a where t >= tau, else b: p = (a, b, tau). */
static int ramp(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[3] != 0 ? p[0] : p[1];
    return 0;
}

static int at_tau(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = t - p[2];
    return 0;
}

static const double ramp_p[] = {3, 1, 1}, zero = 0;

static tansy_problem ramp_problem(double t0)
{
    return (tansy_problem){.n = 1,
                           .np = 3,
                           .t0 = t0,
                           .y0 = &zero,
                           .p = ramp_p,
                           .rhs = ramp,
                           .switches = 1,
                           .switch_function = at_tau};
}

static void check_values(const double *y, const double *sens, const double *exact)
{
    CHECK_CLOSE(*y, exact[0], 1e-9); /* a straight line: exact but for rounding and differences */
    for (int k = 0; k < 3; k++) CHECK_CLOSE(sens[k], exact[k + 1], 1e-8);
}

TEST(output_at_a_switching_point_is_the_left_limit)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_problem const problem = ramp_problem(0);
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[3];
        CHECK_EQUAL(tansy_solve(s, 1, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){1, 0, 1, 0});
        CHECK_EQUAL(tansy_solve(s, 1, &y, sens), TANSY_OK); /* again */
        check_values(&y, sens, (double[]){1, 0, 1, 0});
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){4, 1, 1, -2});
        tansy_free(s);
    }
}

TEST(a_switch_at_the_stop_time_waits_until_the_run_goes_on)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_problem const problem = ramp_problem(0);
        tansy_options o = switch_options(x, rtol);
        o.use_stop_time = 1;
        o.stop_time = 1;
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[3];
        CHECK_EQUAL(tansy_solve(s, 1, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){1, 0, 1, 0});
        CHECK_EQUAL(tansy_step(s, 1, &y, sens), TANSY_OK);
        CHECK(tansy_time(s) == 1);
        CHECK_EQUAL(tansy_set_stop_time(s, 3), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 3, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){7, 2, 1, -2});
        tansy_free(s);
    }
}

TEST(a_switch_at_a_break_time_is_turned_once)
{
    static const double breaks[] = {1};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_problem problem = ramp_problem(0);
        tansy_options const o = switch_options(x, rtol);
        problem.breaks = 1;
        problem.break_times = breaks;
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[3];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 1, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){1, 0, 1, 0});
        CHECK_EQUAL(tansy_solve(s, 3, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){7, 2, 1, -2});
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 1);
        tansy_free(s);
    }
}

TEST(a_start_at_the_switching_time_takes_the_piece_ahead)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_problem const problem = ramp_problem(1);
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[3];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        check_values(&y, sens, (double[]){3, 1, 0, 0});
        CHECK_EQUAL(tansy_restart(s, 1, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 0, &y, sens), TANSY_OK); /* backward */
        check_values(&y, sens, (double[]){-1, 0, -1, 0});
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 0);
        tansy_free(s);
    }
}

/* y' = -y; a switch function that is known at t0 and then only from 1e-4 on. */
static int decays(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    return 0;
}

static int patchy(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)p, (void)context;
    g[0] = fabs(t) > 0 && fabs(t) < 1e-4 ? (double)NAN : 1 + t;
    return 0;
}

TEST(a_start_needs_no_rates_of_switches)
{
    static const double one = 1;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &one,
                                   .p = &one,
                                   .rhs = decays,
                                   .switches = 1,
                                   .switch_function = patchy};
    tansy_options const o = {.rtol = 1e-3, .atol = 1e-3, .first_step = 1e-2};
    tansy_solver *const s = tansy_create(&problem, &o);
    double y = 0;
    CHECK_EQUAL(tansy_solve(s, 1, &y, NULL), TANSY_OK);
    CHECK_CLOSE(y, exp(-1), 1e-2);
    tansy_free(s);
}

TEST(the_slope_at_the_start_is_that_of_the_piece_ahead)
{
    tansy_problem const problem = ramp_problem(1);
    tansy_solver *const s = tansy_create(&problem, NULL);
    double slope = 0;
    CHECK_EQUAL(tansy_initialise(s, NULL, &slope, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(slope, 3, 0);
    tansy_free(s);
}

/* Steps through the switch: one ends there, tansy_at gives left values up to it, the next starts with the jump. */
TEST(steps_end_at_a_switching_point)
{
    for (int x = 0; x < 2 * SWITCH_RUNS; x++) {
        bool const forward = x % 2;
        struct decay_user user = decay_user();
        tansy_problem const problem = decay_problem(&user, forward, DECAY_GIVES_MATRICES);
        tansy_options const o = switch_options(x / 2, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double const T = decay_switch_time(forward), end = forward ? 2 : 0;
        double y = 0, sens[DECAY_COLUMNS], begin = 0;
        tansy_stats stats = {.switches = 0};
        bool ended = false;
        while (stats.switches == 0) {
            begin = tansy_time(s);
            ended = fabs(begin - T) < 100 * rtol;
            CHECK_EQUAL(tansy_step(s, end, &y, sens), TANSY_OK);
            tansy_get_stats(s, &stats);
            double const here = tansy_time(s), middle = begin + 0.7 * (here - begin);
            bool const near = fabs(here - T) < 100 * rtol && stats.switches == 0; /* left limits */
            CHECK_AT_MOST(decay_error(forward, near ? T : here, &y, sens), 200 * rtol);
            if (stats.switches > 0) break;
            CHECK_EQUAL(tansy_at(s, middle, &y, NULL, sens, NULL), TANSY_OK);
            CHECK_AT_MOST(decay_error(forward, middle, &y, sens), 100 * rtol);
            CHECK_EQUAL(tansy_at(s, here, &y, NULL, sens, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_at(s, here + 1e-3 * (end - begin), &y, NULL, NULL, NULL),
                        TANSY_BAD_CALL);
        }
        CHECK(ended);
        CHECK_EQUAL(tansy_at(s, begin, &y, NULL, sens, NULL), TANSY_OK); /* now the right limit */
        double const after = forward ? nextafter(T, 9) : nextafter(T, -9);
        CHECK_AT_MOST(decay_error(forward, after, &y, sens), 200 * rtol);
        tansy_free(s);
    }
}

TEST(output_times_change_nothing_in_a_run_with_switches)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        struct decay_user user = decay_user();
        tansy_problem const problem = decay_problem(&user, true, DECAY_GIVES_TANGENT);
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const a = tansy_create(&problem, &o), *const b = tansy_create(&problem, &o);
        double y[2], sens[2][DECAY_COLUMNS];
        CHECK_EQUAL(tansy_solve(a, 0.1, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(a, 2, &y[0], sens[0]), TANSY_OK);
        for (int m = 1; m <= 200; m++) /* the first as above: it tells the first step */
            CHECK_EQUAL(tansy_solve(b, m == 1 ? 0.1 : 0.1 + 1.9 * m / 200, &y[1], sens[1]),
                        TANSY_OK);
        CHECK_EQUAL(memcmp(&y[0], &y[1], sizeof y[0]), 0);
        CHECK_EQUAL(memcmp(sens[0], sens[1], sizeof sens[0]), 0);
        tansy_free(a);
        tansy_free(b);
    }
}

TEST(a_restart_replays_a_run_with_switches)
{
    struct decay_user user = decay_user();
    tansy_problem const problem = decay_problem(&user, true, DECAY_GIVES_F);
    tansy_options const o = switch_options(3, rtol);
    tansy_solver *const s = tansy_create(&problem, &o);
    double y[2], sens[2][DECAY_COLUMNS];
    for (int x = 0; x < 2; x++) {
        CHECK_EQUAL(tansy_solve(s, 2, &y[x], sens[x]), TANSY_OK);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    }
    CHECK_EQUAL(memcmp(&y[0], &y[1], sizeof y[0]), 0);
    CHECK_EQUAL(memcmp(sens[0], sens[1], sizeof sens[0]), 0);
    tansy_free(s);
}

TEST(the_report_names_the_switching_points)
{
    struct decay_user user = decay_user();
    tansy_problem problem = decay_problem(&user, true, DECAY_GIVES_F);
    static const double times[] = {1.5};
    char text[4096];
    problem.breaks = 1;
    problem.break_times = times;
    tansy_options const o = {.rtol = rtol, .sensitivities = TANSY_NONE};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 1.4, NULL, NULL), TANSY_OK);
    (void)tansy_report(s, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, "switches       1, their derivatives differences");
    CHECK_TEXT_CONTAINS(text, "breaks         1");
    CHECK_TEXT_CONTAINS(text, "switched       1 times, 1 starts anew");
    CHECK_TEXT_CONTAINS(text, "condition 0 at t = 0.4620");
    tansy_free(s);
}

/* y' = -1 where y >= 0, else 1. */
static int to_zero(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[0] != 0 ? -1 : 1;
    return 0;
}

static int sign_of_y(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = y[0];
    return 0;
}

/* From y = 0 there is no way forward, but backward there is: y = -t. */
TEST(slopes_at_a_start_that_only_goes_backward_are_given)
{
    tansy_problem const problem = {
        .n = 1, .y0 = &zero, .rhs = to_zero, .switches = 1, .switch_function = sign_of_y};
    tansy_solver *s = tansy_create(&problem, &(tansy_options){.rtol = rtol, .atol = rtol});
    double y = 1, yp = 0;
    CHECK_EQUAL(tansy_initialise(s, &y, &yp, NULL, NULL), TANSY_OK);
    CHECK(y == 0 && yp == -1 && tansy_message(s)[0] == '\0');
    CHECK_EQUAL(tansy_solve(s, -1, &y, NULL), TANSY_OK);
    CHECK_CLOSE(y, 1, 1e-9);
    tansy_free(s);
    s = tansy_create(&problem, &(tansy_options){.rtol = rtol, .atol = rtol});
    CHECK_EQUAL(tansy_solve(s, 1, &y, NULL), TANSY_SLIDING);
    tansy_free(s);
}
