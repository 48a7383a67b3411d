/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions whose g has no value while other modes are not yet what they will be, at t0, at a switching point and at a break, or
   as long as nothing depends on them, x > 0 and sqrt(x) > c while x < 0: in closed form, with bounds and tangents of g, with tangents
   alone, and with g alone. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7, promise = 1e-5; /* 100 rtol */

enum given { BOUNDS, TANGENTS, VALUES, GIVEN };

struct run {
    tansy_status status;
    double t, y[SOLUTION_MOST], sens[SOLUTION_MOST][SOLUTION_MOST];
    char message[600], report[6000];
};

static struct run solve(const char *text, tansy_method method, enum given given, double t)
{
    struct run r = {.status = TANSY_OK};
    double sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    if (given != BOUNDS) problem.switch_range = NULL;
    if (given == VALUES) problem.switch_tangent = NULL;
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-9, .max_step = 0.05};
    tansy_solver *const s = tansy_create(&problem, &o);
    r.status = tansy_solve(s, t, r.y, sens);
    r.t = tansy_time(s);
    snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    CHECK(tansy_report(s, r.report, sizeof r.report) < sizeof r.report);
    model_solution_columns(&problem, sens, r.sens);
    tansy_free(s);
    tansy_model_free(m);
    return r;
}

/* The last state and its columns for the first two parameters. */
struct expected {
    double t, y, sens[2];
};

static void check(const char *text, size_t row, struct expected x)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_RK8, TANSY_ROSENBROCK};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (enum given given = 0; given < GIVEN; given++) {
            struct run const r = solve(text, methods[k], given, x.t);
            if (r.status < 0) printf("%s: %s\n", text, r.message);
            CHECK_EQUAL(r.status, TANSY_OK);
            CHECK_CLOSE(r.y[row], x.y, promise * (fabs(x.y) + 1e-3));
            for (size_t p = 0; p < 2; p++)
                CHECK_CLOSE(r.sens[p][row], x.sens[p], promise * (fabs(x.sens[p]) + 1e-3));
            if (strstr(r.report, "one-sided")) printf("%s: %d %s\n", text, given, r.report);
            CHECK(strstr(r.report, "one-sided") == NULL);
        }
}

/* x = 4 exp(-2 t)/X with the surface X = a^2 - 0.01, passed at log(2/X). */
TEST(a_condition_on_a_root_of_a_distance_is_decided_after_the_distance)
{
    double const a = 1.2, X = a * a - 0.01, x = 4 * exp(-6) / X;
    check("parameter a = 1.2, b = 1\nstate x = 2\n"
          "x' = if sqrt(abs(x) + 0.01) > a then -b*x else -2*x\n",
          0, (struct expected){3, x, {-x * 2 * a / X, -2 * x * log(2 / X)}});
}

/* z = m + (2 - m) exp(-t), m = min(q, |p - 0.5|^1.5). */
TEST(the_lesser_of_a_power_of_a_distance)
{
    double const gain = 1 - exp(-2), m = pow(1.5, 1.5);
    check("parameter q = 1.4, p = 2\nstate z = 2\nz' = min(q, abs(abs(p - 0.5))^1.5) - z\n", 0,
          (struct expected){2, 2 - (2 - 1.4) * gain, {gain, 0}});
    check("parameter q = 2.4, p = 2\nstate z = 2\nz' = min(q, abs(abs(p - 0.5))^1.5) - z\n", 0,
          (struct expected){2, 2 - (2 - m) * gain, {0, 1.5 * sqrt(1.5) * gain}});
}

/* v jumps from 1 to -2 at T = 1 - p, and abs(v) with it. */
TEST(a_distance_that_jumps_at_a_switch_is_decided_before_what_uses_it)
{
    double const p = 0.4, T = 1 - p, a = log(1.1), b = log(2.1);
    check("parameter p = 0.4, q = 3\nstate x = 1, y = 0\nx' = -1\n"
          "let v = if x > p then 1 else -2\ny' = min(q, log(abs(v) + 0.1))\n",
          1, (struct expected){2, a * T + b * (2 - T), {b - a, 0}});
    check("parameter p = 0.5, q = 1\nstate x = q, y = 0\nx' = -1\n"
          "y' = if sqrt(max(sign(x), 0) + 0.01) > p then 1 else 2\n",
          1, (struct expected){2, 3, {0, -1}});
    check("parameter c = 0.5, d = 1\nstate x = -1, y = 0\nx' = d\n"
          "y' = if sqrt(max(0, x) + 0.01) > c then 1 else 2\n",
          1, (struct expected){2, 2 + 1.24, {1, -1.24}});
    double const area = 2.0 / 3 * (sqrt(27) - 1); /* of sqrt(x + 1) over (0, 2) */
    check("parameter c = 0.5, d = 2\nstate x = -2, y = 0\nx' = 1\n"
          "y' = min(d, if x > 0 then 2*c*sqrt(x + 1) else 0)\n",
          1, (struct expected){4, area, {2 * area, 0}});
}

TEST(branches_that_have_no_value_beyond_a_break_are_left_there)
{
    double const e = exp(-1), x = 2 * (1 - e) * e;
    check("parameter p = 2, q = 1\nstate x = 0\nlet u = if time >= 1 then -1 else q\n"
          "x' = (if u > 0 then p*sqrt(u) else 0) - x\n",
          0, (struct expected){2, x, {x / 2, x / 2}});
    double const a = log(1.1), b = log(0.6);
    check("parameter p = 1, q = 0.5\nstate x = 0\nlet u = if time >= 1 then -q else p\n"
          "x' = log(abs(u) + 0.1)\n",
          0, (struct expected){2, a + b, {1 / 1.1, 1 / 0.6}});
    check("parameter p = 1, q = 0.5\nstate x = 0\nlet u = if time >= 1 then -q else p\n"
          "x' = sqrt(max(u, 0) + 0.44)\n",
          0, (struct expected){2, 1.2 + sqrt(0.44), {0.5 / 1.2, 0}});
    check("parameter p = 1, q = 0.5\nstate x = 0\nlet u = if time >= 1 then 0 else q\n"
          "x' = p*sqrt(2) + (if u > 0.1 then p/u else 0)\n",
          0, (struct expected){2, 2 * sqrt(2) + 2, {2 * sqrt(2) + 2, -4}});
}

/* x = -0.5 + p t; both hold for x in (0, 1/4), x in (c^2, ..). */
TEST(a_condition_on_which_nothing_depends_needs_no_value)
{
    check("parameter p = 1, c = 0.5\nstate x = -0.5, y = 0\nx' = p\n"
          "y' = if x > 0 and 1 - sqrt(x) > c then 1 else 2\n",
          1, (struct expected){3, 5.75, {0.25, 1}});
    check("parameter p = 1, c = 1.1\nstate x = -0.5, y = 0\nx' = p\n"
          "y' = if x > 0 and sqrt(x) > c then 1 else 2\n",
          1, (struct expected){3, 6 - 1.29, {-1.71, 2.2}});
    check("parameter p = 1, c = 1.1\nstate x = -0.5, y = 0\nx' = p\n"
          "y' = if x <= 0 or sqrt(x) > c then 1 else 2\n",
          1, (struct expected){3, 3 + 1.21, {-1.21, 2.2}});
    check("parameter p = 1, c = 0.5\nstate x = 0.75, y = 0\nx' = -p\n"
          "y' = if x > 0 and 1 - sqrt(x) > c then 1 else 2\n",
          1, (struct expected){3, 5.75, {0.25, 1}});
    check("parameter p = 1, c = 0.5\nstate x = -0.75, y = 0\nx' = p\n"
          "y' = if x > 0.25 and log(x) > log(c) then 1 else 2\n",
          1, (struct expected){3, 6 - 1.75, {-1.25, 1}});
}

/* sin t < 0 in every second half turn, where the root has none; y' = 1 for sin t in (0, c^2), twice a turn: y = 2 t - 2 asin(c^2) a turn. */
TEST(a_condition_is_watched_again_whenever_it_has_a_value)
{
    double const c = 0.5, turn = 2 * acos(-1.0), s = asin(c * c);
    check("parameter c = 0.5, q = 1\nstate y = 0\nlet x = sin(time + 0.5)\n"
          "y' = if x > 0 and sqrt(x) < c then q else 2*q\n",
          0,
          (struct expected){
              4 * turn, 8 * turn - 8 * s, {-16 * c / sqrt(1 - c * c * c * c), 8 * turn - 8 * s}});
}

TEST(a_condition_that_f_depends_on_needs_a_value)
{
    struct run r = solve("parameter p = 1\nstate x = -1, y = 0\nx' = 1\n"
                         "y' = if sqrt(x) > 1.1 then p else 2*p\n",
                         TANSY_ADAMS, BOUNDS, 1);
    CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(r.message, "sqrt(x) > 1.1 is NaN at t = 0");
    for (enum given given = 0; given < GIVEN; given++) {
        r = solve("parameter p = 1\nstate x = 2, y = 0\nx' = -1\n"
                  "y' = if sqrt(x) > 1.1 then p else 2*p\n",
                  TANSY_ADAMS, given, 4);
        CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(r.message, "sqrt(x) > 1.1");
        CHECK_CLOSE(r.t, 2, 1e-3); /* steps are made smaller thirty times at most */
        CHECK(r.t <= 2);
        /* it matters from t = 1 on, by another condition, or by a break */
        r = solve("parameter p = 1\nstate x = -2, z = 0, y = 0\nx' = 0.5\nz' = 1\n"
                  "y' = if z > 1 and sqrt(x) > 1.1 then p else 2*p\n",
                  TANSY_BDF, given, 4);
        CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(r.message, "sqrt(x) > 1.1 is NaN at t = 1");
        CHECK_CLOSE(r.t, 1, 1e-6);
        r = solve("parameter p = 1\nstate x = -2, y = 0\nx' = 0.5\n"
                  "y' = if time >= 1 and sqrt(x) > 1.1 then p else 2*p\n",
                  TANSY_BDF, given, 4);
        CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(r.message, "sqrt(x) > 1.1 is NaN at t = 1");
    }
}

/* y' is 0 either way, dy'/dk is not. */
TEST(a_condition_that_columns_alone_depend_on_needs_a_value)
{
    for (enum given given = 0; given < GIVEN; given++) {
        struct run const r = solve("parameter k = 0, p = 1\nstate x = 1, y = 0\nx' = -p\n"
                                   "y' = if log(x) > -1 then k*time else 2*k\n",
                                   TANSY_BDF, given, 2);
        CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(r.message, "log(x) > -1 is ");
        CHECK_CLOSE(r.t, 1, 0.05); /* the longest step */
    }
}

/* Before a run, and in its midst. */
TEST(derivatives_are_checked_but_for_conditions_without_a_value)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text("parameter p = 1, c = 0.5\nstate x = -0.5, y = 0\nx' = p\n"
                                         "y' = if x > 0 and 1 - sqrt(x) > c then 1 else 2\n",
                                         &problem);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = rtol});
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.25, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.6, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_check(s), TANSY_OK);
    tansy_free(s);
    tansy_model_free(m);
}

/* Neither condition alone changes y', nor do three of them together, but some of them do. */
TEST(conditions_that_f_depends_on_together_need_values)
{
    static const char *const choices[] = {
        "log(x) >= 0 and sqrt(x) >= p", "log(x) >= 0 and not (sqrt(x) >= p) and log(2*x) >= 0",
        ("not (log(x) >= 0 and sqrt(x) >= p and asin(x - 2) >= 0 and log(3*x) >= 1 and "
         "sqrt(x/2) >= 2*p)")};
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++)
        for (enum given given = 0; given < GIVEN; given++) {
            char text[300];
            (void)snprintf(text, sizeof text,
                           "parameter p = 1\nstate x = -1, y = 0\nx' = 1\n"
                           "y' = if %s then p else 2*p\n",
                           choices[k]);
            struct run const r = solve(text, TANSY_ADAMS, given, 1);
            CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
            CHECK_TEXT_CONTAINS(r.message, "log(x) >= 0 is NaN at t = 0");
        }
}
