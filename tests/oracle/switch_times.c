/* SPDX-License-Identifier: Apache-2.0 */
/* Switches whose time depends on p alone, two crossings in one step, and two switches at one time, against closed
   forms. */
#include "support/switch_runs.h"
#include "test.h"

static const double rtol = 1e-6;

/* y' = -a y where t >= tau^2, else -b y: p = (a, b, tau), y = exp(-b T - a (t - T)), T = tau^2. */
static int timed(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -(p[3] != 0 ? p[0] : p[1]) * y[0];
    return 0;
}

static int timed_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = t - p[2] * p[2];
    return 0;
}

static const double timed_p[] = {0.4, 1.1, 1.2};
static const double one = 1;

static tansy_problem timed_problem(void)
{
    return (tansy_problem){.n = 1,
                           .np = 3,
                           .y0 = &one,
                           .p = timed_p,
                           .rhs = timed,
                           .switches = 1,
                           .switch_function = timed_switch};
}

static void check_timed(const double *sens, double y, double t)
{
    double const a = timed_p[0], b = timed_p[1], tau = timed_p[2], T = tau * tau;
    double const exact = exp(-b * T - a * (t - T));
    CHECK_AT_MOST(switch_error(y, exact, 1e-3), 100 * rtol);
    CHECK_AT_MOST(switch_error(a * sens[0], -a * (t - T) * exact, 1e-3), 100 * rtol);
    CHECK_AT_MOST(switch_error(b * sens[1], -b * T * exact, 1e-3), 100 * rtol);
    CHECK_AT_MOST(switch_error(tau * sens[2], tau * 2 * tau * (a - b) * exact, 1e-3), 100 * rtol);
}

TEST(a_switching_time_that_depends_on_p_makes_columns_jump)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_problem const problem = timed_problem();
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[3];
        CHECK_EQUAL(tansy_solve(s, 1.4, &y, sens), TANSY_OK);
        CHECK_CLOSE(sens[2], 0, 0); /* T = 1.44 */
        CHECK_EQUAL(tansy_solve(s, 3, &y, sens), TANSY_OK);
        check_timed(sens, y, 3);
        tansy_free(s);
    }
}

TEST(a_direction_jumps_as_its_columns_do)
{
    static const double directions[2][4] = {{0, 1, -2, 0.5}, {3, 0, 0, 1}}; /* y0, a, b, tau */
    tansy_problem problem = timed_problem();
    tansy_options const o = switch_options(4, rtol);
    tansy_solver *const plain = tansy_create(&problem, &o);
    problem.ns = 2;
    problem.directions = *directions;
    tansy_solver *const s = tansy_create(&problem, &o);
    double y = 0, z = 0, sens[3], along[2];
    CHECK_EQUAL(tansy_solve(plain, 3, &y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 3, &z, along), TANSY_OK);
    CHECK_AT_MOST(switch_error(along[0], sens[0] - 2 * sens[1] + 0.5 * sens[2], 1e-3), 200 * rtol);
    CHECK_AT_MOST(switch_error(along[1], 3 * y + sens[2], 1e-3), 200 * rtol); /* dy/dy0 = y */
    tansy_free(plain);
    tansy_free(s);
}

/* y' = 1, but q where |t - 5| < w: p = (q, w), y = t - 2 w + 2 w q beyond. */
static int gate(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[2] != 0 ? 1 : p[0];
    return 0;
}

static int gate_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = (t - 5) * (t - 5) - p[1] * p[1];
    return 0;
}

static void check_gate(double w, double max_step)
{
    double const p[] = {3, w}, zero = 0;
    tansy_problem const problem = {.n = 1,
                                   .np = 2,
                                   .y0 = &zero,
                                   .p = p,
                                   .rhs = gate,
                                   .switches = 1,
                                   .switch_function = gate_switch};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options o = switch_options(x, rtol);
        o.max_step = max_step;
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens[2];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 20, &y, sens), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 2);
        CHECK_EQUAL(stats.restarts, 2);
        CHECK_AT_MOST(switch_error(y, 20 + 4 * w, 0), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[0], 2 * w, 1e-3), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[1], 4, 1e-3), 100 * rtol);
        tansy_free(s);
    }
}

TEST(two_crossings_inside_one_step_are_both_found)
{
    check_gate(1, 6);
    check_gate(0.3, 6);
    check_gate(1e-3, 6); /* between two samples: the parabola through them shows it */
    check_gate(0.1, 1);
}

/* The same surface written twice: f knows only what can be, y >= c or not (y > c). */
static int twice(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const above = p[3], below = p[4];
    f[0] = above == below ? (double)NAN : above != 0 ? -p[0] * y[0] : -p[1] * y[0];
    return 0;
}

static int twice_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)context;
    g[0] = y[0] - p[2];
    g[1] = 2 * p[2] - 2 * y[0];
    return 0;
}

TEST(one_surface_written_twice_is_turned_at_once)
{
    static const double p[] = {1.5, 0.7, 1}, two = 2;
    tansy_problem const problem = {.n = 1,
                                   .np = 3,
                                   .y0 = &two,
                                   .p = p,
                                   .rhs = twice,
                                   .switches = 2,
                                   .switch_function = twice_switch};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double const T = log(2) / p[0], y = exp(-p[1] * (2 - T));
        double value = 0, sens[3];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 2, &value, sens), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 2);
        CHECK_EQUAL(stats.restarts, 1);
        CHECK_AT_MOST(switch_error(value, y, 2e-3), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[0], -y * p[1] * T / p[0], 2e-3), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[1], -(2 - T) * y, 2e-3), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[2], y - y * p[1] / p[0], 2e-3), 100 * rtol);
        tansy_free(s);
    }
}

/* Two surfaces met at t = 1: y_0 decays by p_0 = log 2 from 2 to c = 1, then by p_1; y_1 by p_0 until tau = 1, then by
   p_1: p = (k1, k2, c, tau). */
static int both(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -(p[4] != 0 ? p[0] : p[1]) * y[0];
    f[1] = -(p[5] != 0 ? p[1] : p[0]) * y[1];
    return 0;
}

static int both_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)context;
    g[0] = y[0] - p[2];
    g[1] = t - p[3];
    return 0;
}

TEST(two_surfaces_met_at_one_time_jump_one_after_the_other)
{
    double const p[] = {log(2), 0.3, 1, 1}, y0[] = {2, 2}, k1 = p[0], k2 = p[1];
    tansy_problem const problem = {.n = 2,
                                   .np = 4,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = both,
                                   .switches = 2,
                                   .switch_function = both_switch};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double const e = exp(-k2); /* both y at t = 2 */
        double const exact[4][2] = {
            {-e * k2 / k1, -e}, {-e, -e}, {e - e * k2 / k1, 0}, {0, e * (k2 - k1)}};
        double y[2], sens[4][2];
        CHECK_EQUAL(tansy_solve(s, 2, y, *sens), TANSY_OK);
        for (int i = 0; i < 2; i++) {
            CHECK_AT_MOST(switch_error(y[i], e, 2e-3), 100 * rtol);
            for (int k = 0; k < 4; k++)
                CHECK_AT_MOST(switch_error(sens[k][i], exact[k][i], 2e-3), 100 * rtol);
        }
        tansy_free(s);
    }
}

/* Two switches at exactly one time that p moves apart: y_0' = 1 or 2, y_1' = 1 or 3, from tau_0 and tau_1 = 1 on. */
static int apart(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[2] != 0 ? 2 : 1;
    f[1] = p[3] != 0 ? 3 : 1;
    return 0;
}

static int apart_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)y, (void)context;
    g[0] = t - p[0];
    g[1] = 5 * (t - p[1]);
    return 0;
}

TEST(two_switches_at_exactly_one_time_have_jumps_of_their_own)
{
    static const double p[] = {1, 1}, y0[] = {0, 0};
    tansy_problem const problem = {.n = 2,
                                   .np = 2,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = apart,
                                   .switches = 2,
                                   .switch_function = apart_switch};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[2], sens[2][2];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 2, y, *sens), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 2);
        CHECK_EQUAL(stats.restarts, 1);
        CHECK_AT_MOST(switch_error(y[0], 3, 0), 100 * rtol);
        CHECK_AT_MOST(switch_error(y[1], 4, 0), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[0][0], -1, 0), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[1][1], -2, 0), 100 * rtol);
        CHECK_CLOSE(sens[0][1], 0, 0);
        CHECK_CLOSE(sens[1][0], 0, 0);
        tansy_free(s);
    }
}

/* y = 2 - t reaches 1 just when t >= tau = 1 turns it round: condition y < 1 must not be turned. */
static int rebound(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[1] != 0 ? 1 : -1;
    return 0;
}

static int rebound_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)context;
    g[0] = t - p[0];
    g[1] = 1 - y[0];
    return 0;
}

TEST(a_switch_that_another_drives_away_is_not_turned)
{
    static const double tau = 1, two = 2;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &two,
                                   .p = &tau,
                                   .rhs = rebound,
                                   .switches = 2,
                                   .switch_function = rebound_switch};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y = 0, sens = 0;
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 2, &y, &sens), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 1);
        CHECK_AT_MOST(switch_error(y, 2, 0), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens, -2, 0), 100 * rtol);
        tansy_free(s);
    }
}

/* One surface written twice, y_0 = 1 - t/3 < 1/7 with roundings of its own, beyond which y_1 goes to p_0 at a rate of
   1e12: the first step there is far shorter than the rounding errors of g. */
static int sudden(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -1.0 / 3;
    f[1] = p[1] != p[2] ? (double)NAN : p[1] != 0 ? 1e12 * (p[0] - y[1]) : 0;
    return 0;
}

static int sudden_switch(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = 1.0 / 7 - y[0];
    g[1] = (1000 + 3.0 / 7 - 2e-13) - (1000 + 3 * y[0]); /* 2e-13 late */
    return 0;
}

TEST(a_first_step_below_the_rounding_errors_of_g_is_no_harm)
{
    static const double y0[] = {1, 0};
    for (int x = 0; x < 20; x++) {
        double const p = 1 + 0.01 * x;
        tansy_problem const problem = {.n = 2,
                                       .np = 1,
                                       .y0 = y0,
                                       .p = &p,
                                       .rhs = sudden,
                                       .switches = 2,
                                       .switch_function = sudden_switch};
        tansy_options o = switch_options(3 + x % 3, rtol);
        o.max_step = 0.1 + 0.01 * x;
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[2], sens[2];
        CHECK_EQUAL(tansy_solve(s, 2.6, y, sens), TANSY_OK); /* T = 18/7 */
        CHECK_AT_MOST(switch_error(y[1], p, 0), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[1], 1, 0), 100 * rtol);
        tansy_free(s);
    }
}
