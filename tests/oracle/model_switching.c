/* SPDX-License-Identifier: Apache-2.0 */
/* Models with conditions, controls and inputs against closed forms: the columns of S jump where the branches of a
   condition differ and its switching time depends on a parameter. */
#include <tansy/tansy.h>

#include <math.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-8;

static struct model_solution solve(const char *text, tansy_method method, double t)
{
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-10};
    return model_solve(text, &o, t);
}

static void check(double actual, double expected)
{
    CHECK_CLOSE(actual, expected, 100 * rtol * fmax(1, fabs(expected)));
}

/* y = exp(-k t) down to c at T = -log(c)/k, then y = c - b (t - T). */
TEST(a_condition_on_the_state_makes_the_columns_jump)
{
    static const char text[] = "parameter k = 0.7, c = 0.5, b = 0.2\n"
                               "state y = 1\n"
                               "y' = if y > c then -k*y else -b\n";
    double const k = 0.7, c = 0.5, b = 0.2, T = -log(c) / k, t = 3;
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++) {
        struct model_solution const s = solve(text, (tansy_method)method, t);
        check(s.y[0], c - b * (t - T));
        check(s.sens[0][0], -b * T / k);
        check(s.sens[1][0], 1 - b / (k * c));
        check(s.sens[2][0], -(t - T));
        struct model_solution const before = solve(text, (tansy_method)method, 0.9 * T);
        check(before.sens[0][0], -0.9 * T * exp(-k * 0.9 * T));
        check(before.sens[1][0], 0);
    }
}

/* y = t - 2 tau after 2 tau. */
TEST(a_condition_on_time_and_a_parameter_makes_the_column_jump)
{
    static const char text[] = "parameter tau = 0.6, a = 1.5\n"
                               "state y = 0\n"
                               "y' = if time >= 2*tau then a else 0\n";
    struct model_solution const s = solve(text, TANSY_BDF, 3);
    check(s.y[0], 1.5 * (3 - 1.2));
    check(s.sens[0][0], -2 * 1.5);
    check(s.sens[1][0], 3 - 1.2);
}

/* x = a - t; y' = abs(x): y = a t - t^2/2 up to t = a, then a^2/2 + (t - a)^2/2. */
TEST(a_kink_needs_no_jump)
{
    static const char text[] = "parameter a = 1\n"
                               "state x = a, y = 0\n"
                               "x' = -1\n"
                               "y' = abs(x)\n";
    struct model_solution const s = solve(text, TANSY_ADAMS, 2.5);
    check(s.y[1], 0.5 + 1.5 * 1.5 / 2);
    check(s.sens[0][1], 1 - 1.5);
}

/* max and min of three arguments, switched twice. */
TEST(max_and_min_switch_where_their_arguments_cross)
{
    static const char text[] = "parameter a = 1\n"
                               "state y = 0, z = 0\n"
                               "y' = max(time, a, 2*time - 2)\n"
                               "z' = min(time, a)\n";
    struct model_solution const s = solve(text, TANSY_ADAMS, 3);
    /* max: a on [0, 1], t on [1, 2], 2 t - 2 on [2, 3] */
    check(s.y[0], 1 + 1.5 + 3);
    check(s.sens[0][0], 1);
    check(s.y[1], 0.5 + 2);
    check(s.sens[0][1], 2);
}

/* Two intervals of a piecewise constant control: y' = -y + u. */
TEST(levels_of_a_control_act_on_their_intervals_alone)
{
    static const char text[] = "control u = {2, 5} piecewise constant at {0, 1, 2}\n"
                               "state y = 1\n"
                               "y' = -y + u\n";
    struct model_solution const s = solve(text, TANSY_BDF, 2);
    double const at_1 = 2 + (1 - 2) * exp(-1);
    check(s.y[0], 5 + (at_1 - 5) * exp(-1));
    check(s.sens[0][0], (1 - exp(-1)) * exp(-1));
    check(s.sens[1][0], 1 - exp(-1));
    struct model_solution const early = solve(text, TANSY_BDF, 0.75);
    CHECK(early.sens[1][0] == 0); /* exactly: the level is not active yet */
}

/* Linear hats at 0, 1, 2: y = integral of u. */
TEST(levels_of_a_linear_control_are_hats)
{
    static const char text[] = "control u = {1, 3, 2} piecewise linear on 0 .. 2 by 2\n"
                               "state y = 0\n"
                               "y' = u\n";
    struct model_solution const s = solve(text, TANSY_ADAMS, 2);
    check(s.y[0], 2 + 2.5);
    check(s.sens[0][0], 0.5);
    check(s.sens[1][0], 1);
    check(s.sens[2][0], 0.5);
}

/* Initial values that depend on parameters and on a condition of parameters alone. */
TEST(initial_values_may_depend_on_conditions_of_parameters)
{
    static const char text[] = "parameter a = 2, b = 3\n"
                               "state y = if a > 1 then a*b else b\n"
                               "y' = -y\n";
    struct model_solution const s = solve(text, TANSY_BDF, 1);
    check(s.y[0], 6 * exp(-1));
    check(s.sens[0][0], 3 * exp(-1));
    check(s.sens[1][0], 2 * exp(-1));
}

/* A relay with hysteresis written with two conditions of one state: heating to 1, cooling to 0.5, by a mode variable. */
TEST(an_integral_of_a_switching_rate_has_the_right_columns)
{
    static const char text[] = "parameter w = 2\n"
                               "state x = 0, v = w, count = 0\n"
                               "x' = v\nv' = -w*w*x\n"
                               "count' = if x > 0 then 1 else 0\n";
    /* x = sin(w t): positive half of the time; at t = 4.5 pi/w - ... count = time with sin > 0 */
    double const w = 2, t = 5;
    double const pi = 3.14159265358979323846;
    /* w t = 10: positive on (0, pi), (2 pi, 3 pi); (3 pi, 10) negative: 2 pi/w */
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++) {
        struct model_solution const s = solve(text, (tansy_method)method, t);
        check(s.y[2], 2 * pi / w);
        check(s.sens[0][2], -2 * pi / (w * w));
    }
}

/* Emptying a tank: h' = -k sqrt(h) - q down to h = 0 at T = 2/k - 2 q/k^2 L, L = log(1 + k/q), then h = -q (t - T).  Beyond
   the root the first branch is NaN.  The derivative of sqrt is unbounded there, which costs a digit. */
TEST(a_branch_that_ends_at_its_condition_is_left_there)
{
    static const char text[] = "parameter k = 0.5, q = 0.3\n"
                               "state h = 1\n"
                               "h' = if h > 0 then -k*sqrt(h) - q else -q\n";
    double const k = 0.5, q = 0.3, t = 4, L = log(1 + k / q);
    double const T = 2 / k - 2 * q / (k * k) * L;
    double const T_k = -2 / (k * k) + 4 * q / (k * k * k) * L - 2 * q / (k * k * (q + k));
    double const T_q = -2 * L / (k * k) + 2 / (k * (q + k));
    for (int method = TANSY_ADAMS; method <= TANSY_BDF; method++) {
        struct model_solution const s = solve(text, (tansy_method)method, t);
        CHECK_CLOSE(s.y[0], -q * (t - T), 1000 * rtol);
        CHECK_CLOSE(s.sens[0][0], q * T_k, 1000 * rtol);
        CHECK_CLOSE(s.sens[1][0], -(t - T) + q * T_q, 1000 * rtol * fabs(t - T));
    }
}

/* sqrt(1 - t) ends at t = 1; the condition is far from its root and has nothing to do with it. */
TEST(a_function_that_ends_by_itself_is_no_switch)
{
    static const char text[] = "parameter k = 1\n"
                               "state x = 0, y = 0\n"
                               "x' = sqrt(k - time)\n"
                               "y' = if y < 100 then 1 else 2\n";
    double y[2];
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    tansy_solver *const solver = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(solver, 2, y, NULL), TANSY_NOT_FINITE);
    CHECK_CLOSE(tansy_time(solver), 1, 1e-6);
    CHECK_TEXT_CONTAINS(tansy_message(solver), "x");
    tansy_free(solver);
    tansy_model_free(m);
}
