/* SPDX-License-Identifier: Apache-2.0 */
/* A heater with a fast sensor m and a slow relay q, which begins to move at T1, where m passes a limit, and is stopped where m comes back, at T2.  Between them dq/dp is -q' dT1/dp, behind T2
   it is q' (dT2/dp - dT1/dp), a hundredth to 1e-5 of that.  All pieces are sums of exponentials; T1, T2 and the derivatives below were found by bisection with 50 digits. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TEXT = 4000, STATES = 3, COLUMNS = 7 };
static const double rtol = 1e-6;

static const tansy_method stiff[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK,
                                     TANSY_LIMEX};
enum { STIFF = sizeof stiff / sizeof *stiff };

/* The share of the heater that is on, and P, ts, tm. */
#define HEATER(on, values)                                                                         \
    "parameter lo = 18, hi = 22, a = 0.2, Ta = 10, " values "\nstate T = 15, q = 1, m = 15\n"      \
    "T' = P*(" on ") - a*(T - Ta)\nm' = (T - m)/tm\n"                                              \
    "q' = if m < lo then (1 - q)/ts else if m > hi then (-1 - q)/ts else 0\n"
#define RELAY "if q > 0 then 1 else 0"
#define PUMP                                                                                       \
    "parameter q = 2, h0 = 3, k = 0.5\nstate h = h0, z = 0\n"                                      \
    "h' = if h > 0 then -q - k*z else 0\nz' = 1 - z\n"

struct result {
    double wrong; /* the largest error of dq/dp, in units of rtol */
    bool told;    /* of rates that are not known well enough */
};

/* At t; with p and dq/dp in the order lo, hi, a, Ta, P, ts, tm. */
static struct result solve(const char *text, tansy_method method, double t, const double *p,
                           const double *right)
{
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-9, .max_step = 0.06};
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, &o);
    double y[STATES], S[STATES * COLUMNS];
    char report[TEXT];
    struct result r = {0};
    CHECK_EQUAL(tansy_solve(s, t, y, S), TANSY_OK);
    (void)tansy_report(s, report, sizeof report);
    r.told = strstr(report, "the rate of the condition") != NULL;
    for (size_t k = 0; k < COLUMNS; k++) {
        double const unit = fabs(right[k]) + fabs(y[1]) / p[k];
        r.wrong = fmax(r.wrong, fabs(S[k * STATES + 1] - right[k]) / unit / rtol);
    }
    tansy_free(s);
    tansy_model_free(model);
    return r;
}

/* Between T1 and T2 q passes 0 and turns the heater off.  Then dm/dp jumps, and dq/dp, whose time constant is ts, is yet to be followed to T2. */
TEST(a_relay_that_is_stopped_after_it_has_turned_the_heater_off)
{
    static const double p[] = {18, 22, 0.2, 10, 7.12, 0.0103, 5.51e-7};
    static const double right[] = {0,
                                   0.0438102716942697,
                                   2.63230306107207,
                                   -0.0438102716942697,
                                   -0.0738375365633759,
                                   0.075529278655193,
                                   -73.683642414148};
    for (int m = 0; m < STIFF; m++) {
        struct result const r =
            solve(HEATER(RELAY, "P = 7.12, ts = 0.0103, tm = 5.51e-7"), stiff[m], 1.6, p, right);
        CHECK(r.wrong <= 100);
        CHECK(!r.told);
    }
}

/* At the lower limit the heater is turned on, and m would pass both limits while q settles: q stops at the first. */
TEST(a_sensor_that_would_pass_two_limits_stops_at_the_first)
{
    static const double p[] = {18, 22, 0.2, 10, 7.03, 0.0087, 5e-7};
    static const double right[] = {0.0223592391404025, -0.00639367681742045, 0.509873564152217,
                                   -0.015965562322982, -0.0145305535297546,  -0.0281220935085918,
                                   139.167459587175};
    for (int m = 0; m < STIFF; m++) {
        struct result const r =
            solve(HEATER(RELAY, "P = 7.03, ts = 0.0087, tm = 5e-7"), stiff[m], 3.6, p, right);
        CHECK(r.wrong <= 100);
    }
}

/* (T - m)/tm is known to 3e-9, and the second time less than 1e-5 of dq/dp is left: S is wrong by 0.05 %, and that is told. */
TEST(where_rounding_of_a_rate_is_too_much_that_is_told)
{
    static const double p[] = {18, 22, 0.2, 10, 3.8, 0.00231, 1.31e-6};
    static const double right[] = {0.197733549049316,   -0.12940771366529,    0.144569055869541,
                                   -0.0683258353840256, -0.00762521800290603, -0.938277803023917,
                                   1607.17899835921};
    for (int m = 0; m < STIFF; m++) {
        struct result const r =
            solve(HEATER("max(min(q, 1), -1)*0.5 + 0.5", "P = 3.8, ts = 0.00231, tm = 1.31e-6"),
                  stiff[m], 12, p, right);
        CHECK(r.told);
    }
}

/* Adams has the error of y in a stiff sensor, and a thousand times that in its rate: S is wrong by per cents, and that is told.  Without the sensor its rates are good, and a tank that has run empty is empty however well they are known. */
TEST(adams_tells_where_the_rate_of_a_condition_is_stiff)
{
    static const char *const models[] = {
        "parameter h = 5, k = 0.5, lo = 3, hi = 4\nstate T = 2, q = 1, m = 2\n"
        "T' = h*q - k*(T - 1)\nm' = (T - m)/1e-3\n"
        "q' = if m < lo and q < 1 then 20 else if m > hi and q > 0 then -20 else 0\n",
        "parameter h = 5, k = 0.5, lo = 3, hi = 4\nstate T = 2, q = 1\n"
        "T' = h*q - k*(T - 1)\n"
        "q' = if T < lo and q < 1 then 20 else if T > hi and q > 0 then -20 else 0\n",
        PUMP};
    for (int x = 0; x < 3; x++) {
        tansy_options const o = {
            .method = TANSY_ADAMS, .rtol = rtol, .atol = 1e-9, .max_step = 0.02};
        tansy_problem problem;
        tansy_model *const model = model_of_text(models[x], &problem);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[STATES], S[STATES * COLUMNS];
        char report[TEXT];
        CHECK_EQUAL(tansy_solve(s, 2, y, S), TANSY_OK);
        (void)tansy_report(s, report, sizeof report);
        CHECK_EQUAL(strstr(report, "use rosenbrock or bdf") != NULL, x == 0);
        tansy_free(s);
        tansy_model_free(model);
    }
}

/* The rounding of T and m makes f of m rough near the surface and far from it: that is not what 0/0 does. */
TEST(a_stiff_sensor_is_not_taken_for_a_branch_that_is_0_over_0)
{
    static const char *const models[] = {
        "parameter lo = 18, hi = 22, P = 7.46, a = 0.2, Ta = 10, ts = 1.79e-5, tm = 9.42e-7\n"
        "state T = 15, q = 1, m = 15, z = 0\nz' = ((if q > 0 then 1 else 0) - z)/ts\n"
        "T' = P*z - a*(T - Ta)\nm' = (T - m)*(1 + m/20)/tm\n"
        "q' = if m < lo then (1 - q)/0.05 else if m > hi then (-1 - q)/0.05 else 20*q*(1 - q^2)\n",
        HEATER("max(min(q, 1), -1)*0.5 + 0.5", "P = 3.8, ts = 0.00231, tm = 1.31e-6")};
    static const double steps[] = {0.06, 0.3};
    for (int x = 0; x < 2 * STIFF; x++) {
        tansy_options const o = {
            .method = stiff[x / 2], .rtol = rtol, .atol = 1e-9, .max_step = steps[x % 2]};
        tansy_problem problem;
        tansy_model *const model = model_of_text(models[x % 2], &problem);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[STATES + 1], S[(STATES + 1) * COLUMNS];
        char report[TEXT];
        CHECK_EQUAL(tansy_solve(s, 12, y, S), TANSY_OK);
        (void)tansy_report(s, report, sizeof report);
        CHECK(!strstr(report, "0/0"));
        tansy_free(s);
        tansy_model_free(model);
    }
}
