/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions within conditions that meet at one surface: the upper one is decided from the g that it has once the lower
   one is turned, and y does not depend on whether columns are asked for. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-8;

static void check(double actual, double expected)
{
    CHECK_CLOSE(actual, expected, 100 * rtol * fmax(1, fabs(expected)));
}

/* Solves with columns, and once more without.  Steps by the error of y alone are the same with adams (bdf renews its matrix
   for the columns), and so is y, to the bit. */
static struct model_solution solve(const char *text, tansy_method method, double t)
{
    tansy_options o = {.method = method, .rtol = rtol, .atol = 1e-10};
    struct model_solution const s = model_solve(text, &o, t);
    o.error_control = TANSY_STATE_ONLY;
    struct model_solution const with = model_solve(text, &o, t);
    o.sensitivities = TANSY_NONE;
    struct model_solution const without = model_solve(text, &o, t);
    for (size_t i = 0; i < SOLUTION_MOST; i++) {
        check(without.y[i], s.y[i]);
        if (method == TANSY_ADAMS) CHECK(with.y[i] == without.y[i]);
    }
    return s;
}

/* e(x) = |x - a|, max(x - a, 0), 1; and its integral E over x from a, with dE/da = -e or 0. */
enum shape { DISTANCE, RAMP, ONE };

static double value(enum shape e, double d)
{
    return e == DISTANCE ? fabs(d) : e == RAMP ? fmax(d, 0) : 1;
}

static double integral(enum shape e, double d)
{
    return e == DISTANCE ? d * fabs(d) / 2 : e == RAMP ? fmax(d, 0) * d / 2 : d;
}

/* x = x0 + v b t, z' = e(x): z = (E(x) - E(x0))/(v b); dz/da = (e(x0) - e(x))/(v b), dz/db = (e(x) t - z)/b. */
static void check_passage(const char *expression, enum shape e, const char *x0, int v, double t)
{
    char text[300];
    double const a = 0.8, b = 1, from = strcmp(x0, "a") == 0 ? a : x0[0] - '0', to = from + v * t;
    double const z = (integral(e, to - a) - integral(e, from - a)) / v;
    double const moved = from == a ? 1 : 0; /* x0 = a moves with a: e(x) stays */
    snprintf(text, sizeof text,
             "parameter a = 0.8, b = 1\nstate x = %s, z = 0\nx' = %d*b\nz' = %s\n", x0, v,
             expression);
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++) {
        struct model_solution const s = solve(text, (tansy_method)method, t);
        check(s.y[0], to);
        check(s.y[1], z);
        check(s.sens[0][0], moved);
        check(s.sens[0][1], (1 - moved) * (value(e, from - a) - value(e, to - a)) / v);
        check(s.sens[1][0], v * t);
        check(s.sens[1][1], (value(e, to - a) * t - z) / b);
    }
}

TEST(a_condition_of_a_condition_at_its_surface_is_as_its_closed_form)
{
    static const struct {
        const char *text;
        enum shape e;
    } of[] = {{"abs(abs(x - a))", DISTANCE},
              {"max(abs(x - a), 0)", DISTANCE},
              {"abs(max(x - a, a - x))", DISTANCE},
              {"abs(abs(abs(x - a)))", DISTANCE},
              {"max(abs(x - a), abs(a - x))", DISTANCE},
              {"max(if x >= a then x - a else 0, 0)", RAMP},
              {"max(min(x - a, abs(x - a)), 0)", RAMP},
              {"if abs(x - a) > 0 then 1 else 2", ONE},
              {"if abs(x - a) >= 0 then 1 else 2", ONE},
              {"if max(x - a, a - x) < 0 then 2 else 1", ONE}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (int t = -2; t <= 2; t += 4) {
            check_passage(of[k].text, of[k].e, "0", t > 0 ? 1 : -1, t);
            check_passage(of[k].text, of[k].e, "2", t > 0 ? -1 : 1, t);
            check_passage(of[k].text, of[k].e, "a", 1, t);
            check_passage(of[k].text, of[k].e, "a", -1, t);
        }
}

/* min(x - 1, if x >= 1 then s else 0) = x - 1 as long as x - 1 < s: s has no influence. */
TEST(a_branch_that_is_never_the_least_has_no_column)
{
    struct model_solution const s =
        solve("parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = a - 0.3*x\n"
              "z' = sin(min(x - 1, if x >= 1 then sin(b) else 0)) - 0.3*z\n",
              TANSY_ADAMS, 2);
    struct model_solution const plain =
        solve("parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = a - 0.3*x\n"
              "z' = sin(x - 1) - 0.3*z\n",
              TANSY_ADAMS, 2);
    check(s.y[1], plain.y[1]);
    check(s.sens[0][1], plain.sens[0][1]);
    CHECK(s.sens[1][1] == 0);
}

/* x = a t, z = a t^2/2 - t up to a t = 1 + b, forward; backward the mirror image. */
TEST(a_g_that_jumps_back_is_not_turned)
{
    double const t = 1.8;
    for (int v = -1; v <= 1; v += 2) {
        struct model_solution const s =
            v > 0 ? solve("parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = a\n"
                          "z' = min(x - 1, if x >= 1 then b else 0)\n",
                          TANSY_BDF, t)
                  : solve("parameter a = 1, b = 1\nstate x = 0, z = 0\nx' = -a\n"
                          "z' = -min(x - 1, if x >= 1 then b else 0)\n",
                          TANSY_BDF, -t);
        check(s.y[1], t * t / 2 - t);
        check(s.sens[0][1], t * t / 2);
        CHECK(s.sens[1][1] == 0);
    }
}

/* y rises to 1 at t = 1, where x passes 1 and turns it back: only the first of two surfaces is crossed.  p is on a
   corner, S has no unique value, but y has. */
TEST(a_surface_that_another_one_keeps_away_is_not_crossed)
{
    for (int v = -1; v <= 1; v += 2) {
        struct model_solution const s =
            v > 0 ? solve("parameter a = 1, b = 1\nstate x = 0, y = 0, z = 0\nx' = a\n"
                          "y' = if x >= 1 then -b else b\nz' = if y >= 1 then 10 else 0\n",
                          TANSY_ADAMS, 2)
                  : solve("parameter a = 1, b = 1\nstate x = 0, y = 0, z = 0\nx' = -a\n"
                          "y' = if x >= 1 then b else -b\nz' = if y >= 1 then 10 else 0\n",
                          TANSY_ADAMS, -2);
        check(s.y[0], 2);
        check(s.y[1], 0);
        check(s.y[2], 0);
    }
}

/* x = t.  The surfaces x = a and x = 2 a - 1 coincide at a = 1 and move apart with it: z = 3 a + t - (2 a - 1).
   x - a < max(x - a, 0) follows from the first; beyond, its g is zero for good. */
TEST(surfaces_that_coincide_at_one_p_have_jumps_of_their_own)
{
    struct model_solution const s = solve("parameter a = 1\nstate x = 0, z = 0\nx' = 1\n"
                                          "z' = (if x - a < max(x - a, 0) then 3 else 0) +"
                                          " (if x >= 2*a - 1 then 1 else 0)\n",
                                          TANSY_ADAMS, 2);
    check(s.y[1], 4);
    check(s.sens[0][1], 1);
}

/* Between the two surfaces, had they a distance, x would run back: y is x = t, with columns and without. */
TEST(f_between_surfaces_that_coincide_has_no_say_in_y)
{
    struct model_solution const s = solve("parameter a = 1, b = 1\nstate x = 0\n"
                                          "x' = if x >= a and x < b then -1 else 1\n",
                                          TANSY_ADAMS, 2);
    check(s.y[0], 2);
}

/* x = t.  With the lower condition turned and the upper one not yet, f is sqrt(a - x) where x > a.  z = t + 2/3 a^1.5; the
   root is not smooth at a, so its error is that of steps that end there: 100 rtol = 1e-4. */
TEST(modes_on_the_way_need_no_f)
{
    struct model_solution const s =
        model_solve("parameter a = 0.8\nstate x = 0, z = 0\nx' = 1\n"
                    "z' = if abs(x - a) > x - a then 1 + sqrt(a - x) else 1\n",
                    &(tansy_options){.method = TANSY_ADAMS, .rtol = 1e-6, .atol = 1e-8}, 2);
    CHECK_CLOSE(s.y[1], 2 + pow(0.8, 1.5) / 1.5, 1e-4);
}
