/* SPDX-License-Identifier: Apache-2.0 */
/* Many switching points: a thermostat with hysteresis, and a body that falls to either side of zero; kinks. */
#include "support/switch_runs.h"
#include "test.h"

static const double rtol = 1e-7;

/* y' = k (H - y) while heating, k (L - y) while cooling (mode 1), which begins at hi and ends at lo: the condition
   depends on its own mode.  p = (k, hi, lo). */
enum { HOT = 10, COLD = 0 };

static int room(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * ((p[3] != 0 ? COLD : HOT) - y[0]);
    return 0;
}

static int thermostat(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)context;
    g[0] = y[0] - (p[3] != 0 ? p[2] : p[1]);
    return 0;
}

static int at_lo(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    y0[0] = p[2];
    return 0;
}

/* The closed form at t, with hi and lo at the switching points and T_h, T_c between them. */
static void room_exact(const double *p, double t, double *y, double *sens)
{
    double const k = p[0], hi = p[1], lo = p[2];
    double const heat = log((HOT - lo) / (HOT - hi)) / k, cool = log((hi - COLD) / (lo - COLD)) / k;
    double const d_heat[] = {-heat / k, 1 / (HOT - hi) / k, -1 / (HOT - lo) / k};
    double const d_cool[] = {-cool / k, 1 / (hi - COLD) / k, -1 / (lo - COLD) / k};
    double begin = 0, d_begin[] = {0, 0, 0};
    int cooling = 0;
    while (begin + (cooling ? cool : heat) < t) {
        begin += cooling ? cool : heat;
        for (int x = 0; x < 3; x++) d_begin[x] += cooling ? d_cool[x] : d_heat[x];
        cooling = !cooling;
    }
    double const from = cooling ? hi : lo, to = cooling ? COLD : HOT, e = exp(-k * (t - begin));
    *y = to + (from - to) * e;
    for (int x = 0; x < 3; x++) sens[x] = (from - to) * e * k * d_begin[x];
    sens[0] -= (from - to) * e * (t - begin);
    sens[cooling ? 1 : 2] += e;
}

TEST(a_thermostat_switches_many_times_and_columns_stay_right)
{
    static const double p[] = {0.5, 6, 4};
    tansy_problem const problem = {.n = 1,
                                   .np = 3,
                                   .initial = at_lo,
                                   .p = p,
                                   .rhs = room,
                                   .switches = 1,
                                   .switch_function = thermostat};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        tansy_stats stats;
        double y = 0, sens[3], exact = 0, s_exact[3];
        CHECK_EQUAL(tansy_solve(s, 40.3, &y, sens), TANSY_OK);
        room_exact(p, 40.3, &exact, s_exact);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, (size_t)floor(40.3 * p[0] / log(1.5))); /* equal pieces */
        CHECK_AT_MOST(switch_error(y, exact, 1e-2), 100 * rtol);
        for (int k = 0; k < 3; k++)
            CHECK_AT_MOST(switch_error(sens[k] * p[k], s_exact[k] * p[k], 1e-2),
                          1000 * rtol); /* 50 pieces */
        tansy_free(s);
    }
}

/* x' = v, v' = -a where x >= 0, else b; from (0, v0): parabolas of length 2 v0/a and 2 v0/b in turn. p = (a, b). */
static int falls(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = y[1];
    f[1] = p[2] != 0 ? -p[0] : p[1];
    return 0;
}

static int ground(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = y[0];
    return 0;
}

TEST(a_start_on_the_surface_takes_the_side_it_moves_to)
{
    static const double p[] = {2, 1.25}, up[] = {0, 1}, down[] = {0, -1};
    static const int columns[] = {0, 1, TANSY_INITIAL(1)};
    tansy_problem problem = {.n = 2,
                             .np = 2,
                             .y0 = up,
                             .p = p,
                             .rhs = falls,
                             .ns = 3,
                             .columns = columns,
                             .switches = 1,
                             .switch_function = ground};
    for (int x = 0; x < 2 * SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x / 2, rtol);
        int const sign = x % 2 ? -1 : 1; /* mirrored: the first piece is the one below */
        double const a = sign > 0 ? p[0] : p[1], b = sign > 0 ? p[1] : p[0];
        problem.y0 = sign > 0 ? up : down;
        tansy_solver *const s = tansy_create(&problem, &o);
        double const T = 5 * (2 / a + 2 / b), r = 0.4; /* into piece 11 */
        double y[2], sens[3][2];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, T + r, y, *sens), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.switches, 10);
        double const X = r - a * r * r / 2, V = 1 - a * r; /* dT/da = -10/a^2, dT/dv0 = T */
        double const d[3][2] = {{-r * r / 2 + V * 10 / (a * a), -r - a * 10 / (a * a)},
                                {V * 10 / (b * b), -a * 10 / (b * b)},
                                {r - V * T, 1 + a * T}};
        CHECK_AT_MOST(switch_error(sign * y[0], X, 1e-2), 1000 * rtol); /* ten pieces */
        CHECK_AT_MOST(switch_error(sign * y[1], V, 1e-2), 1000 * rtol);
        for (int i = 0; i < 2; i++) {
            int const first = sign > 0 ? 0 : 1;
            CHECK_AT_MOST(switch_error(sign * sens[first][i], d[0][i], 1e-2), 1000 * rtol);
            CHECK_AT_MOST(switch_error(sign * sens[1 - first][i], d[1][i], 1e-2), 1000 * rtol);
            CHECK_AT_MOST(switch_error(sens[2][i], d[2][i], 1e-2), 1000 * rtol);
        }
        tansy_free(s);
    }
}

/* y_0' = 1, y_1' = |y_0|: y_0 = t + x, y_1 = (x^2 + (t + x)^2)/2 once t > -x; column: x = y_0(0).  With p_0 = 3 the
   first is y_0 = (t - 1)^3, which touches zero without a slope. */
static int bends(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = p[0] == 3 ? 3 * (t - 1) * (t - 1) : 1;
    f[1] = p[1] != 0 ? y[0] : -y[0];
    return 0;
}

TEST(a_kink_needs_no_jump)
{
    static const double plain = 1, y0[] = {-1, 0};
    static const int column = TANSY_INITIAL(0);
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = &plain,
                                   .rhs = bends,
                                   .ns = 1,
                                   .columns = &column,
                                   .switches = 1,
                                   .switch_function = ground};
    for (int x = 0; x < SWITCH_RUNS; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[2], sens[2], later[2];
        while (tansy_time(s) < 0.999) CHECK_EQUAL(tansy_step(s, 2, y, sens), TANSY_OK);
        CHECK_CLOSE(tansy_time(s), 1, 1e-6); /* the step ended at the kink */
        CHECK_EQUAL(tansy_step(s, 2, y, later), TANSY_OK);
        double const r = tansy_time(s) - 1;
        CHECK_CLOSE(later[1], sens[1] + r, 100 * rtol); /* s' = 1 beyond: nothing was added */
        CHECK_EQUAL(tansy_solve(s, 3, y, sens), TANSY_OK);
        CHECK_AT_MOST(switch_error(y[1], 2.5, 1e-2), 100 * rtol);
        CHECK_AT_MOST(switch_error(sens[1], 1, 1e-2), 100 * rtol);
        tansy_free(s);
    }
}

TEST(a_kink_may_be_touched_without_a_slope)
{
    static const double cubic = 3, y0[] = {-1, 0};
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = &cubic,
                                   .rhs = bends,
                                   .switches = 1,
                                   .switch_function = ground};
    /* Not limex, the last: its long step passes -1 and 1 alike, and an error of rtol at the kink makes y turn back there. */
    for (int x = 0; x < SWITCH_RUNS - 1; x++) {
        tansy_options const o = switch_options(x, rtol);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[2];
        CHECK_EQUAL(tansy_solve(s, 2, y, NULL), TANSY_OK);
        CHECK_AT_MOST(switch_error(y[1], 0.5, 1e-2), 100 * rtol); /* two times 1/4 */
        tansy_free(s);
    }
}
