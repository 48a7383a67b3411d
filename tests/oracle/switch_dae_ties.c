/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions between an algebraic variable and what it is equal to: decided as with `let`, not by the errors of Newton's method.
   In closed form. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7, promise = 1e-5; /* 100 rtol */
static const tansy_method methods[] = {TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};
enum { METHODS = sizeof methods / sizeof *methods, MOST_STEPS = 2000 };

/* Row `row` at t, and its column for the first parameter; with and without columns, in a sane number of steps. */
static void check(const char *text, double t, size_t row, double y, double column)
{
    for (size_t k = 0; k < (size_t)2 * METHODS; k++) {
        bool const with_columns = k < METHODS;
        tansy_options const o = {.method = methods[k % METHODS],
                                 .sensitivities =
                                     with_columns ? TANSY_SENSITIVITIES_AUTO : TANSY_NONE,
                                 .rtol = rtol,
                                 .atol = 1e-9,
                                 .max_steps = MOST_STEPS};
        struct model_solution const s = model_solve(text, &o, t);
        CHECK_CLOSE(s.y[row], y, promise * (fabs(y) + 1e-3));
        if (with_columns) CHECK_CLOSE(s.sens[0][row], column, promise * (fabs(column) + 1e-3));
    }
}

/* x = 0.3 + sin(t)/4 stays below h, so that w = x: y' = 1.27 c - 0.9 y. */
static void check_limiter(const char *equations)
{
    char text[600];
    int const length = snprintf(text, sizeof text,
                                "parameter c = 0.4, h = 1\nstate x = 0.3, y = 0.1\n"
                                "algebraic w = 0, v = 0\nx' = cos(time)/4\n%s",
                                equations);
    CHECK(length < (int)sizeof text);
    double const e = exp(-0.9 * 3), column = 1.27 / 0.9 * (1 - e);
    check(text, 3, 1, 0.1 * e + 0.4 * column, column);
}

TEST(a_limiter_that_does_not_act_leaves_what_it_limits)
{
    check_limiter("w = min(x, h)\nv = x\ny' = c*(if x <= w then 1.27 else y) - 0.9*y\n");
    check_limiter("y' = c*(if x > w then y else 1.27) - 0.9*y\n0 = v + x\n0 = w - min(x, h)\n");
    check_limiter(
        "y' = c*(if x <= w then 1.27 else y) - 0.9*y\n0 = 3*min(x, h) - 3*w\n0 = 1 - v\n");
    check_limiter("y' = c*(if w >= x then 1.27 else y) - 0.9*y\nmin(x, h) = 3*w - 2*w\nv = x\n"
                  "output q = if w < x then 1 else 0\n");
}

TEST(a_chain_of_variables_is_followed_in_any_order)
{
    check_limiter("y' = c*(if v < x then y else 1.27) - 0.9*y\nv = w\nw = min(x, h)\n");
    check_limiter("y' = c*(if v < w then y else 1.27) - 0.9*y\nw = v\nv = max(x, -h)\n");
    check_limiter("y' = c*(if v < w then y else 1.27) - 0.9*y\nv = sin(x) + w*0\nw = sin(x)\n");
}

/* The condition that w is made of comes after the one on w. */
TEST(conditions_stand_after_those_their_variables_depend_on)
{
    check_limiter(
        "y' = c*(if w >= v then 1.27 else y) - 0.9*y\n"
        "v = if w >= x then x else 2*x\nw = if x < h then x else (if x < 2*h then h else 0)\n");
}

/* w = a from t = 1 on, equal to the bit: x' = 1 - x/2 throughout. */
TEST(a_variable_equal_to_a_parameter_is_equal_to_it)
{
    check("parameter a = 0.843\nstate x = 0.1\nalgebraic w = 0\n"
          "w = if time < 1 then 0.5*x else a\nx' = (if w <= a then 1 else -0.2) - 0.5*x\n",
          3, 0, 2 - 1.9 * exp(-1.5), 0);
}

/* w = x - a, so that x' = -w^1.5 while w > 0, and x comes to rest at a: (x - a)^-1/2 = 1 + t/2. */
TEST(roots_of_such_variables_stay_guarded)
{
    check("parameter a = 1\nstate x = 2\nalgebraic w = 0\n0 = w - x + a\n"
          "x' = if w > 0 then -w^1.5 else 0\n",
          2, 0, 1.25, 1 - 0.125);
}

/* x passes 1 at t = 1 and jumps from rate 1 to 1/2, by way of a condition of w on itself: w = x or 1 + (x - 1)/2, so that
   w >= 1 says x >= 1. */
TEST(a_variable_that_depends_on_a_condition_on_itself_stays)
{
    check("parameter a = 1\nstate x = 0\nalgebraic w = 0\nw = if w < a then x else a + (x - a)/2\n"
          "x' = if w < a then 1 else 0.5\n",
          3, 0, 2, 0.5);
}

/* Does the report say that chance decides a condition?  *stops: the run stops because of it. */
static bool is_told(const char *text, const tansy_options *options, bool *stops)
{
    static char report[20000];
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST];
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    tansy_solver *const solver = tansy_create(&problem, options);
    *stops = tansy_solve(solver, 3, y, sens) < 0;
    CHECK(tansy_report(solver, report, sizeof report) < sizeof report);
    tansy_free(solver);
    tansy_model_free(m);
    return strstr(report, "chance decides it") != NULL;
}

/* With all methods, with columns and without, and at two tolerances. */
static void check_told(const char *text, bool expected)
{
    for (size_t k = 0; k < (size_t)4 * METHODS; k++) {
        tansy_options const o = {.method = methods[k % METHODS],
                                 .sensitivities =
                                     k / METHODS % 2 ? TANSY_SENSITIVITIES_AUTO : TANSY_NONE,
                                 .rtol = k / METHODS < 2 ? 1e-6 : 1e-4,
                                 .atol = 1e-9,
                                 .max_steps = 300};
        bool stops = false;
        bool const told = is_told(text, &o, &stops);
        CHECK(expected ? told || stops : !told);
    }
}

/* z is x in no way that the model shows. */
TEST(what_errors_of_algebraic_variables_decide_is_told)
{
    check_told("parameter c = 0.4\nstate x = 0.3, y = 0.1\nalgebraic z = 0\n"
               "0 = z^3 + z - x^3 - x\nx' = sin(3*time + 1.5) - 0.4*x\n"
               "y' = c*(if x <= z then 1.27 else y) - 0.9*y\n",
               true);
}

/* A kink; a crossing, and one that is slow; a condition that is far. */
TEST(what_is_no_tie_is_not_told)
{
    check_told("parameter c = 0.4\nstate x = 0.3, y = 0.1\nalgebraic z = 0\n"
               "0 = z^3 + z - x^3 - x\nx' = sin(3*time + 1.5) - 0.4*x\ny' = c*abs(x - z) - y\n",
               false);
    check_told("parameter c = 0.4\nstate x = 0.3, y = 0.1\nalgebraic z = 0\n"
               "0 = z^3 + z - x^3 - x\nx' = sin(3*time + 1.5) - 0.4*x\n"
               "y' = (if z > c then 1 else -1) - y\n",
               false);
    check_told("parameter c = 0.4\nstate x = 0.3, y = 0.1\nalgebraic z = 0\n"
               "0 = z^3 + z - x^3 - x\nx' = 0.001*(c + 0.2 - x)\n"
               "y' = (if z > 0.30045 then 1 else -1) - y\n",
               false);
}

/* A variable that crosses is found and S jumps as before: x = t, w = x^2 = p at T = sqrt(p), y' = 1 then. */
TEST(crossings_of_such_variables_are_found)
{
    check("parameter p = 2\nstate x = 0, y = 0\nalgebraic w = 0\nw = x^2\nx' = 1\n"
          "y' = if w > p then 1 else 0\n",
          3, 1, 3 - sqrt(2), -0.5 / sqrt(2));
}

/* w + c w^3 = x = 500 k sin(2 t): w >= h where x >= X = h + c h^3, from T1 = asin(X/(500 k))/2 to T2 = pi/2 - T1.  x - c w^3 in place of w would have c times its
   errors. */
TEST(a_variable_in_its_own_equation_stays)
{
    double const T1 = asin((0.07 + 343) / 500) / 2, T2 = acos(-1) / 2 - T1, dT2 = tan(2 * T1) / 2;
    double const E1 = exp(-0.1 * (2 - T1)), E2 = exp(-0.1 * (2 - T2));
    check("parameter k = 1\nconstant h = 0.07, c = 1e6\nstate x = 0, y = 0\nalgebraic w = 0\n"
          "0 = w + c*w^3 - x\nx' = k*1000*cos(2*time)\n"
          "y' = (if w >= h then 1 else -0.5) - 0.1*y\n",
          2, 1, -5 * (1 - exp(-0.2)) + 15 * (E2 - E1), 1.5 * (E2 + E1) * dT2);
}

/* F > th and F < th turn together, though consistent values and dense output differ there: F + 10 F^2 = T passes th at s, X = 1 - exp(-s/2) up to there, then X' = 1 + 0.2 (1 - X).
   Nothing is held, touches or is one-sided. */
TEST(two_conditions_at_one_surface_turn_together)
{
    enum { VALUES = 24 };
    double const end = 7.7, kd = 0.4;
    for (int x = 0; x < METHODS * VALUES; x++) {
        tansy_method const method = methods[x % METHODS];
        tansy_options const o = {.method = method,
                                 .rtol = method == TANSY_LIMEX ? 1e-4 : 1e-6,
                                 .atol = 1e-9,
                                 .max_step = 0.05};
        double const th = 0.1 + 0.2 / 23 * (x / METHODS), level = th + 10 * th * th;
        double const s = -log(1 - kd * level) / kd, rest = exp(-0.2 * (end - s));
        double const X = 6 - (5 + exp(-0.5 * s)) * rest;
        double const dX = rest * (0.3 * exp(-0.5 * s) - 1) * (1 + 20 * th) / (1 - kd * level);
        tansy_problem problem;
        char text[600], report[4000];
        double y[3], S[3];
        (void)snprintf(text, sizeof text,
                       "parameter th = %.17g\nstate T = 0, X = 0\nalgebraic F = 0.5\n"
                       "0 = F + 10*F^2 - T\nT' = 1 - 0.4*T\n"
                       "X' = (if F > th then 1 else 0) + (if F < th then 0.5 else 0.2)*(1 - X)\n",
                       th);
        tansy_model *const model = model_of_text(text, &problem);
        tansy_solver *const solver = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(solver, end, y, S), TANSY_OK);
        (void)tansy_report(solver, report, sizeof report);
        CHECK(!strstr(report, "warning"));
        CHECK_CLOSE(y[1], X, 100 * o.rtol * X);
        CHECK_CLOSE(S[1], dX, 100 * o.rtol * fmax(fabs(dX), X / th));
        tansy_free(solver);
        tansy_model_free(model);
    }
}
