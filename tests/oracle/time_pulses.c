/* SPDX-License-Identifier: Apache-2.0 */
/* Pulses of time, x' = A/w exp(-((t - tc)/w)^2) - k x, in models that are at rest before them: by every method and at all widths they are seen, forward
   and backward, as what switches on and off, in algebraic equations and behind breaks; columns too.  Far from the pulse
     x(T) = A sqrt(pi) exp(-k (T - tc) + (k w)^2/4). */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>

#include "support/model_solution.h"
#include "test.h"

static const double end = 10;
static const double root_pi = 1.77245385090551602730;

static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_ADAMS,      TANSY_BDF,  TANSY_DASSL,
                                       TANSY_RK8,         TANSY_ROSENBROCK, TANSY_LIMEX};
enum { METHODS = sizeof methods / sizeof *methods };

static const double rtol = 1e-6;

/* The promise: 100 rtol of what is there, or of 1e-3 (atol/rtol) for what is small; of a column that was as large as `peak` in the pulse, errors of rtol
   of that as well, which remain. */
static void check_column(double actual, double expected, double unit, double peak)
{
    double const size = fabs(expected * unit) + 1e-3;
    CHECK_CLOSE(actual * unit, expected * unit, 100 * rtol * size + rtol * peak * unit);
}

static void check(double actual, double expected, double unit)
{
    check_column(actual, expected, unit, 0);
}

/* Parameters A, tc, w, k in this order; x is the first state. */
static void check_gauss(const char *form, tansy_method method, double w)
{
    double const A = 1.5, tc = 3.7, k = 0.3, rest = end - tc;
    double const x = A * root_pi * exp(-k * rest + k * k * w * w / 4);
    char text[600];
    tansy_options const o = {.method = method};
    snprintf(text, sizeof text, "parameter A = %g, tc = %g, w = %g, k = %g\n%s\n", A, tc, w, k,
             form);
    struct model_solution const r = model_solve(text, &o, end);
    check(r.y[0], x, 1);
    check(r.sens[0][0], x / A, A);
    check_column(r.sens[1][0], k * x, tc, A / w);
    check_column(r.sens[2][0], k * k * w / 2 * x, w, A / w);
    check(r.sens[3][0], (-rest + k * w * w / 2) * x, k);
}

TEST(a_pulse_of_any_width_is_seen_by_every_method)
{
    for (size_t m = 0; m < METHODS; m++)
        for (double w = 1e-5; w < 0.6; w *= 7 * TEST_STRIDE)
            check_gauss("state x = 0\nx' = A/w*exp(-((time - tc)/w)^2) - k*x", methods[m], w);
}

TEST(a_pulse_is_seen_beside_another_state_that_moves)
{
    for (size_t m = 0; m < METHODS; m++)
        check_gauss("state x = 0, z = 1\nx' = A/w*exp(-((time - tc)/w)^2) - k*x\n"
                    "z' = (2 - z)*(1 + sin(time))",
                    methods[m], 3e-4);
}

TEST(a_pulse_that_an_exponential_shares_with_a_state_is_seen)
{
    for (size_t m = 0; m < METHODS; m++)
        check_gauss("state x = 0, T = 0\nx' = A/w*exp(T - ((time - tc)/w)^2) - k*x\nT' = -T",
                    methods[m], 1e-3);
}

TEST(a_pulse_in_an_algebraic_equation_is_seen)
{
    tansy_method const implicit[] = {TANSY_METHOD_AUTO, TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (size_t m = 0; m < 4; m++)
        for (double w = 1e-4; w < 1; w *= 30)
            check_gauss("state x = 0\nalgebraic z = 0\nx' = z - k*x\n"
                        "0 = z - A/w*exp(-((time - tc)/w)^2)",
                        implicit[m], w);
}

TEST(a_pulse_behind_a_break_is_seen)
{
    for (size_t m = 0; m < METHODS; m++)
        check_gauss("state x = 0\n"
                    "x' = (if time > 2 then A/w*exp(-((time - tc)/w)^2) else 0) - k*x",
                    methods[m], 1e-3);
}

TEST(a_pulse_behind_a_condition_on_a_parameter_is_seen)
{
    for (size_t m = 0; m < METHODS; m++)
        check_gauss("state x = 0\n"
                    "x' = (if time > tc - 1 then A/w*exp(-((time - tc)/w)^2) else 0) - k*x",
                    methods[m], 1e-3);
}

/* x' = a (L(t - t1) - L(t - t2)) - k x with k = 0: x = a (t2 - t1), whatever the width of the edges is. */
static void check_on_off(const char *form, tansy_method method, double w, double atol)
{
    char text[600];
    double const a = 2 / w, t1 = 4, t2 = 4 + 5 * w;
    tansy_options const o = {.method = method, .atol = atol};
    snprintf(
        text, sizeof text,
        "parameter a = %.17g, t1 = %.17g, t2 = %.17g, w = %.17g, k = 0\nstate x = 0\nx' = %s\n", a,
        t1, t2, w / 8, form);
    struct model_solution const r = model_solve(text, &o, end);
    check(r.y[0], a * (t2 - t1), 1);
    check(r.sens[0][0], t2 - t1, a);
    check(r.sens[1][0], -a, w);
    check(r.sens[2][0], a, w);
}

TEST(what_switches_smoothly_on_and_off_is_seen)
{
    for (size_t m = 0; m < METHODS; m++)
        for (double w = 1e-4; w < 0.5; w *= 20) {
            check_on_off("-k*x + a/(1 + exp(-(time - t1)/w)) - a/(1 + exp(-(time - t2)/w))",
                         methods[m], w, 0);
            /* far away this is a stair of roundings, 1e-16 a, which no tolerance relative to x meets */
            check_on_off("a/2*(tanh((time - t1)/w/2) - tanh((time - t2)/w/2)) - k*x", methods[m], w,
                         1e-9);
        }
}

/* A hundred pulses have more knots than there is room for at once: the list is made anew on the way. */
TEST(a_train_of_pulses_is_seen_to_its_end)
{
    enum { PULSES = 100 };
    double const w = 0.1, k = 0.05, last = 24.0 * PULSES + 10;
    tansy_method const some[] = {TANSY_METHOD_AUTO, TANSY_DASSL, TANSY_LIMEX};
    double x = 0;
    for (int i = 1; i <= PULSES; i++)
        x += root_pi * exp(-k * (last - 24.0 * i) + k * k * w * w / 4);
    for (size_t m = 0; m < 3; m++) {
        tansy_options const o = {.method = some[m]};
        struct model_solution const r =
            model_solve("parameter A = 1\nstate x = 0\n"
                        "x' = sum(i in 1..100: A/0.1*exp(-((time - 24*i)/0.1)^2)) - 0.05*x\n",
                        &o, last);
        check(r.y[0], x, 1);
        check(r.sens[0][0], x, 1);
    }
}

TEST(a_pulse_is_seen_backward)
{
    for (size_t m = 0; m < METHODS; m++) {
        tansy_options const o = {.method = methods[m]};
        struct model_solution const r =
            model_solve("parameter w = 2e-3\nstate x = 0\n"
                        "x' = 1/w*exp(-((time + 6)/w)^2)\ntime 0 .. -10\n",
                        &o, -end);
        check(r.y[0], -root_pi, 1);
    }
}

/* The same problem with and without its terms: the evaluations, the result. */
static tansy_stats run(const tansy_problem *problem, tansy_method method, double t, double *y)
{
    tansy_stats stats;
    tansy_options const o = {.method = method};
    tansy_solver *const s = tansy_create(problem, &o);
    CHECK_EQUAL(tansy_solve(s, t, y, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats;
}

TEST(what_is_periodic_costs_no_step)
{
    static const char text[] = "parameter a = 1, k = 0.2\nstate x = 0.5, z = 0\n"
                               "x' = a*exp(3*(cos(2*pi*time/24) - 1))*(1 - x) - k*x\n"
                               "z' = sin(time)*cos(0.3*time) - z\n";
    for (size_t m = 0; m < METHODS; m++) {
        tansy_problem problem;
        double y[2], plain[2];
        tansy_model *const model = model_of_text(text, &problem);
        CHECK(problem.time_terms >= 3);
        tansy_stats const bounded = run(&problem, methods[m], 480, y);
        problem.time_terms = 0;
        tansy_stats const free = run(&problem, methods[m], 480, plain);
        CHECK_EQUAL(bounded.steps, free.steps);
        CHECK_EQUAL(bounded.rhs_evals, free.rhs_evals);
        CHECK(y[0] == plain[0] && y[1] == plain[1]);
        tansy_model_free(model);
    }
}

/* Three phases add up to nothing, whose range is but rounding.  Each alone moves by its range twice in a period, and a step passes 3/4 of that. */
TEST(a_sum_that_is_but_rounding_bounds_no_step)
{
    enum { PERIODS = 5, STEPS_EACH = 3 * 2 * 4 / 3 };
    static const char text[] = "parameter U = 325, k = 0.2\nstate x = 1\nlet a = 2*pi*50*time\n"
                               "x' = U*(sin(a) + sin(a + 2*pi/3) + sin(a - 2*pi/3)) - k*x\n";
    for (size_t m = 0; m < METHODS; m++) {
        tansy_problem problem;
        double y, plain;
        tansy_model *const model = model_of_text(text, &problem);
        tansy_stats const bounded = run(&problem, methods[m], PERIODS / 50.0, &y);
        problem.time_terms = 0;
        tansy_stats const free = run(&problem, methods[m], PERIODS / 50.0, &plain);
        CHECK(bounded.steps <= free.steps + PERIODS * STEPS_EACH);
        tansy_model_free(model);
    }
}

TEST(an_autonomous_model_has_no_terms_of_time)
{
    tansy_problem problem;
    tansy_model *const model =
        model_of_text("parameter k = 1\nstate x = 1\nx' = -k*x*exp(-x)\n", &problem);
    CHECK_EQUAL(problem.time_terms, 0);
    CHECK(!problem.time_range);
    tansy_model_free(model);
}

TEST(a_restart_looks_for_the_pulse_of_the_new_parameters)
{
    tansy_problem problem;
    tansy_model *const model = model_of_text("parameter tc = 2, w = 1e-3\nstate x = 0\n"
                                             "x' = 1/w*exp(-((time - tc)/w)^2)\n",
                                             &problem);
    tansy_solver *const s = tansy_create(&problem, NULL);
    double const zero = 0;
    for (double tc = 2; tc < 9; tc += 1.3) {
        double x = 0;
        double const p[] = {tc, 1e-3};
        CHECK_EQUAL(tansy_restart(s, 0, &zero, p, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, end, &x, NULL), TANSY_OK);
        check(x, root_pi, 1);
    }
    tansy_free(s);
    tansy_model_free(model);
}
