/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on values far below atol on which y or S hangs: they turn, or it is told.  Only those on which nothing hangs are passed over (tests/oracle/switch_leaving_zero.c). */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_ADAMS, TANSY_ROSENBROCK};
enum { METHODS = sizeof methods / sizeof *methods };

struct result {
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST];
    size_t n;
    char report[8192];
};

static struct result solve(const char *text, tansy_method method, double t)
{
    struct result r = {.n = 0};
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(
        &problem, &(tansy_options){.method = method, .atol = 1e-9, .max_step = t / 200});
    tansy_status const status = tansy_solve(s, t, r.y, r.sens);
    if (status != TANSY_OK) puts(tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    r.n = problem.n;
    (void)tansy_report(s, r.report, sizeof r.report);
    tansy_free(s);
    tansy_model_free(model);
    return r;
}

/* c = (a - 1) t + 1e-13 sin t, so that dw/da is the integral of t where sin t > 0: 3 pi^2 up to 10.  With atol = 1e-9 multistep methods need not know the roots of c; rk8 does. */
TEST(S_hangs_on_the_sign_of_what_is_far_below_atol)
{
    double const exact = 3 * acos(-1) * acos(-1);
    struct result const r = solve("parameter a = 1\nstate c = 0, w = 0\n"
                                  "c' = (a - 1) + 1e-13*cos(time)\nw' = 1 + max(c, 0)\n",
                                  TANSY_RK8, 10);
    CHECK_CLOSE(r.sens[1], exact, 1e-4 * exact); /* 100 rtol */
}

/* z - y = 1e-12 (cos 3t + 3 sin 3t - exp(-t))/10 is above 0 up to T and from a later root on; w grows by 100 there. */
TEST(y_hangs_on_the_sign_of_what_is_far_below_atol)
{
    double T = 0.9;
    for (int k = 0; k < 50; k++)
        T -= (cos(3 * T) + 3 * sin(3 * T) - exp(-T)) / (-3 * sin(3 * T) + 9 * cos(3 * T) + exp(-T));
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve("parameter a = 1, b = 100\nstate y = 1, z = 1, w = 1e6\n"
                                      "y' = -y + cos(time)\n"
                                      "z' = -z + cos(time) + 1e-12*cos(3*time)\n"
                                      "w' = a*(if z > y then b else 0)\n",
                                      methods[m], 1.9);
        CHECK_CLOSE(r.y[2] - 1e6, 100 * T,
                    1); /* y - z is what is left of 1 by rounding: 1e-16 of 1e-13 */
        CHECK_CLOSE(r.sens[2], 100 * T, 1);
    }
}

/* S of e is 1e12 times that of c1 - c2, which stays 0. */
TEST(what_is_far_below_atol_may_be_amplified)
{
    for (int m = 0; m < METHODS; m++) {
        struct result const r =
            solve("parameter q1 = 1e-13, q2 = 1e-13, a = 1e12\nstate c1 = 0, c2 = 0, e = 1\n"
                  "c1' = q1 - 0.1*c1\nc2' = q2 - 0.1*c2\n"
                  "e' = -0.2*e*(1 + a*max(c1 - c2, 0))\n",
                  methods[m], 20);
        CHECK_TEXT_CONTAINS(r.report, "stays at its surface; S is one-sided there");
    }
}

/* y is at 1 where x is, by another parameter; u = v, which stays, is not told, as nothing depends on it before x = 5. */
TEST(conditions_that_stay_do_not_hide_others)
{
    for (int m = 0; m < METHODS; m++) {
        struct result const r =
            solve("parameter a = 1, b = 1, c = 1, d = 1\nstate x = 0, y = 0, w = 0, u = 1, v = 1\n"
                  "x' = a\ny' = if x < 1 then b else -b\nw' = if y > 1 then 5 else 1\n"
                  "u' = -c*u\nv' = -d*v + (if x < 5 then 0 else max(u, v))\n",
                  methods[m], 2);
        CHECK_TEXT_CONTAINS(r.report, "at the same time as");
    }
}

/* From 1e-17 by r1 up to c = 1e-15, atol 1e-9, and on by r2: T = log(c/x0)/r1, x = c exp(r2 (t - T)).  The jump of x' at c is as small as x is, but x grows. */
TEST(what_grows_from_far_below_atol_turns_where_it_is)
{
    static const char text[] = "parameter r1 = 1, r2 = 2, c = 1e-15\nstate x = 1e-17\n"
                               "x' = (if x > c then r2 else r1)*x\n";
    static const tansy_method exact[] = {TANSY_METHOD_AUTO, TANSY_RK8, TANSY_ROSENBROCK};
    double const T = log(100), x = 1e-15 * exp(2 * (20 - T));
    for (int m = 0; m < 3; m++) {
        struct result const r = solve(text, exact[m], 20);
        CHECK_CLOSE(r.y[0], x, 1e-4 * x); /* 100 rtol */
        CHECK_CLOSE(r.sens[0], x * 2 * T, 1e-4 * x * 2 * T);
        CHECK_CLOSE(r.sens[1], x * (20 - T), 1e-4 * x * (20 - T));
        CHECK_CLOSE(r.sens[2], -x / 1e-15, 1e-4 * x / 1e-15); /* 1 - r2/r1 */
    }
}

/* The same with a kink, x' = r1 x + (r2 - r1) max(x - c, 0): x = a + (c - a) exp(r2 (t - T)), a = c (r2 - r1)/r2. */
TEST(what_grows_from_far_below_atol_bends_where_it_is)
{
    static const char text[] = "parameter r1 = 1, r2 = 2, c = 1e-15\nstate x = 1e-17\n"
                               "x' = r1*x + (r2 - r1)*max(x - c, 0)\n";
    static const tansy_method exact[] = {TANSY_METHOD_AUTO, TANSY_RK8, TANSY_ROSENBROCK};
    double const x = 0.5e-15 * (1 + exp(2 * (20 - log(100))));
    for (int m = 0; m < 3; m++) {
        struct result const r = solve(text, exact[m], 20);
        CHECK_CLOSE(r.y[0], x, 1e-4 * x);                           /* 100 rtol */
        CHECK_CLOSE(r.sens[0], x * 2 * log(100) + x, 1e-4 * x * 9); /* dT/dr1 = -T, da/dr1 = -c/2 */
    }
}

/* An epidemic that ends where fewer than c are ill: it does not come back.  Reference: atol = 1e-40. */
TEST(what_has_died_out_does_not_rise_again)
{
    static const char text[] = "parameter beta = 400, gamma = 26, mu = 0.02, cut = 1e-15\n"
                               "state s = 0.5, i = 1e-4\n"
                               "let inf = if i > cut then beta*s*i else 0\n"
                               "s' = mu*(1 - s) - inf\ni' = inf - gamma*i\n";
    static const tansy_method most[] = {TANSY_METHOD_AUTO, TANSY_RK8,   TANSY_ROSENBROCK,
                                        TANSY_BDF,         TANSY_LIMEX, TANSY_DASSL};
    struct model_solution const right =
        model_solve(text, &(tansy_options){.method = TANSY_RK8, .rtol = 1e-11, .atol = 1e-40}, 10);
    CHECK_CLOSE(right.y[0], 0.178931, 1e-6);
    for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
        struct result const r = solve(text, most[m], 10);
        CHECK_CLOSE(r.y[0], right.y[0], 1e-4 * right.y[0]); /* 100 rtol */
        CHECK_CLOSE(r.sens[4], right.sens[2][0], 1e-4 * right.sens[2][0]);
    }
}

/* Two equal vessels and a valve between them that lets little through: S is one-sided by cv t p/2 or so, against p = 1e5; roundings decide where p1 - p2 is. */
TEST(a_little_that_hangs_on_a_condition_that_stays_is_told)
{
    static const char text[] = "parameter k1 = 0.5, k2 = 0.5\nconstant cv = %g\n"
                               "state p1 = 1e5, p2 = 1e5\n"
                               "p1' = -k1*(p1 - 5e4) - cv*max(p1 - p2, 0)\n"
                               "p2' = -k2*(p2 - 5e4) + cv*max(p1 - p2, 0)\n";
    for (double cv = 1e-5; cv < 2e-2; cv *= 10)
        for (int m = 0; m < METHODS; m++) {
            char with[sizeof text + 20];
            (void)snprintf(with, sizeof with, text, cv);
            CHECK_TEXT_CONTAINS(solve(with, methods[m], 10).report,
                                "stays at its surface; S is one-sided there");
        }
}
