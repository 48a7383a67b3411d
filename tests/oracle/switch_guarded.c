/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that others guard because they have a pole, a root's edge or no value beside it, `x > 0 and log(x) > -1`: in closed
   form; branches that have no value at the surface itself, A/V while V > 0; with every method, and with bounds and tangents of g, with tangents alone and with g alone. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7, promise = 1e-5; /* 100 rtol */

/* The state `row` at t and its columns for the first two parameters. */
struct expected {
    double t;
    size_t row;
    double y, sens[2];
};

static void solve(const char *text, const tansy_options *o, const tansy_problem *problem,
                  const struct expected *x)
{
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    double columns[SOLUTION_MOST][SOLUTION_MOST];
    char report[6000];
    tansy_solver *const s = tansy_create(problem, o);
    tansy_status const status = tansy_solve(s, x->t, y, sens);
    if (status < 0) printf("%smethod %d: %s\n", text, (int)o->method, tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    CHECK(tansy_message(s)[0] == '\0');
    model_solution_columns(problem, sens, columns);
    CHECK_CLOSE(y[x->row], x->y, promise * (fabs(x->y) + 1e-3));
    for (size_t k = 0; k < 2; k++)
        CHECK_CLOSE(columns[k][x->row], x->sens[k], promise * (fabs(x->sens[k]) + 1e-3));
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    if (strstr(report, "one-sided")) printf("%smethod %d: %s\n", text, (int)o->method, report);
    CHECK(strstr(report, "one-sided") == NULL);
    tansy_free(s);
}

/* With steps of at most max_step; first the whole problem, then without bounds, then without tangents of g. */
static void check(const char *text, double max_step, struct expected x)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        tansy_problem problem;
        tansy_model *const m = model_of_text(text, &problem);
        tansy_options const o = {
            .method = methods[k], .rtol = rtol, .atol = 1e-9, .max_step = max_step};
        bool const runs = !problem.residual || k == 2 || k >= 4;
        if (runs) solve(text, &o, &problem, &x);
        problem.switch_range = NULL;
        if (runs) solve(text, &o, &problem, &x);
        problem.switch_tangent = NULL;
        if (runs) solve(text, &o, &problem, &x);
        tansy_model_free(m);
    }
}

/* x' = p from -1, or 0, up to c, then p + q: x = c + (p + q)(t - T), T = (c - x0)/p. */
static struct expected beyond(double x0, double c)
{
    double const p = 1, q = 0.7, t = 2, T = (c - x0) / p;
    return (struct expected){t, 0, c + (p + q) * (t - T), {t - T + (p + q) * T / p, t - T}};
}

/* Just beside x = 0 |g| is 36, or 1e16, but its slope says that it crosses at once. */
TEST(a_pole_beside_its_guard_is_no_crossing)
{
    check("parameter p = 1, q = 0.7\nstate x = -1\n"
          "x' = p + (if x > 0 and log(x) > -1 then q else 0)\n",
          0.05, beyond(-1, exp(-1)));
    check("parameter p = 1, q = 0.7\nstate x = -1\n"
          "x' = p + (if x > 0 and 1/x < 3 then q else 0)\n",
          0.05, beyond(-1, 1 / 3.0));
    check("parameter p = 1, q = 0.7\nstate x = -1\n"
          "x' = p + (if x > 0 and 1e-9*log(x) > -1e-9 then q else 0)\n",
          0.05, beyond(-1, exp(-1)));
}

/* p + q between 0 and 1: x = 1 + p (t - 1/p - 1/(p + q)). */
TEST(a_condition_that_holds_from_its_pole_on)
{
    double const p = 1, q = 0.7, t = 2.5, r = 1 / (p + q), T = 1 / p + r;
    check("parameter p = 1, q = 0.7\nstate x = -1\n"
          "x' = p + (if x > 0 and log(x) < 0 then q else 0)\n",
          0.05,
          (struct expected){t, 0, 1 + p * (t - T), {t - T + p * (1 / p / p + r * r), p * r * r}});
}

TEST(a_start_where_a_guarded_condition_has_no_value_or_no_slope)
{
    check("parameter p = 1, q = 0.7\nstate x = 0\n"
          "x' = p + (if x > 0.05 and log(x) > -1 then q else 0)\n",
          0.05, beyond(0, exp(-1)));
    check("parameter p = 1, q = 0.7\nstate x = 0\n"
          "x' = p + (if x > 0 and sqrt(x) > 0.5 then q else 0)\n",
          0.05, beyond(0, 0.25));
    check("parameter p = 1, q = 0.7\nstate x = 0\n"
          "x' = p + (if sqrt(abs(x)) > 0.5 then q else 0)\n",
          0.05, beyond(0, 0.25));
}

/* At x = 0, from where x > 0 holds, log(x) and 1/x have no value. */
TEST(a_start_at_a_pole)
{
    double const p = 1, q = 0.7, t = 2, T = exp(-1) / (p + q);
    check("parameter p = 1, q = 0.7\nstate x = 0\n"
          "x' = p + (if x > 0 and log(x) > -1 then q else 0)\n",
          0.05, beyond(0, exp(-1)));
    check("parameter p = 1, q = 0.7\nstate x = 0\n"
          "x' = p + (if x > 0 and 1/x < 3 then q else 0)\n",
          0.05, beyond(0, 1 / 3.0));
    check(
        "parameter p = 1, q = 0.7\nstate x = 0\n"
        "x' = p + (if x > 0 and log(x) < -1 then q else 0)\n",
        0.05,
        (struct expected){t, 0, exp(-1) + p * (t - T), {t - T + p * T / (p + q), p * T / (p + q)}});
}

/* With F = t + t^2/2: x = p F - 1 up to 0 at T0, + q (t - T0) up to 0.2 at T1, then + (q + 1)(t - T1); sqrt(x) > 0.42 turns before. */
TEST(a_condition_that_has_a_value_again_is_no_noise)
{
    double const p = 1, q = 0.3, t = 1.5, T0 = sqrt(1 + 2 / p) - 1, F = t + t * t / 2;
    double const T1 = (sqrt((p + q) * (p + q) + 2 * p * (1.2 + q * T0)) - p - q) / p;
    double const F1 = T1 + T1 * T1 / 2, speed = p * (1 + T1) + q;
    double const dT0 = -(T0 + T0 * T0 / 2) / (p * (1 + T0)), dT1 = (q * dT0 - F1) / speed;
    double const x = p * (F - F1) + 0.2 + (q + 1) * (t - T1);
    check("parameter p = 1, q = 0.3\nstate x = -1\n"
          "x' = p*(1 + time) + (if x > 0.2 and sqrt(x) > 0.42 then 1 else 0) + (if x > 0 then q "
          "else 0)\n",
          0.02,
          (struct expected){
              t, 0, x, {F - F1 - (speed + 1) * dT1, t - T1 + (speed + 1) * (T1 - T0) / speed}});
}

/* z = (a - p cos(t)/2)/0.9 passes 0 to the accuracy of dense output, where consistent z may be -1e-14 still, and c^2 at T;
   w = q (t - T). */
TEST(a_guard_of_an_algebraic_variable_that_is_not_quite_there)
{
    double const p = 1, q = 0.7, t = 3, c = 0.5;
    for (int k = 0; k < 60; k += TEST_STRIDE) {
        char text[300];
        double const a = 0.025 + 0.00065 * k, u = (a - 0.9 * c * c) / (0.5 * p), T = acos(u);
        double const dT = u / p / sqrt(1 - u * u);
        snprintf(text, sizeof text,
                 "parameter p = 1, q = 0.7\nstate x = -p, v = 0, w = 0\nalgebraic z = 1\n"
                 "x' = v\nv' = -x\n0 = z - 0.5*x - 0.1*z - %.5f\n"
                 "w' = if z > 0 and sqrt(z) > 0.5 then q else 0\n",
                 a);
        check(text, 0.02, (struct expected){t, 2, q * (t - T), {-q * dT, t - T}});
    }
}

/* c = A/V where V > 0: A = a t, a = q - k c, c = a/(a + 2), from t = s on, whatever c is where V is 0. */
TEST(a_vessel_fills_from_empty)
{
    static const double ks[] = {0.3,
                                30}; /* with the second f along the first direction leads back */
    for (size_t i = 0; i < 2; i++) {
        double const k = ks[i], t = 2, s = 0.5, half = (1 + k) / 2;
        double const a = sqrt(half * half + 2) - half, c = a / (a + 2);
        double const da = -a / (2 * a + 1 + k), dc = 2 * da / (a + 2) / (a + 2);
        char text[400];
        snprintf(text, sizeof text,
                 "parameter k = %g, q = 2\nstate A = 0, B = 0, P = 0\nlet V = A + B\n"
                 "let c = if V > 0 then A/V else 0\nA' = 1 - k*c\nB' = q\nP' = c\n",
                 k);
        double const dq =
            2 * ((1 - a) / (2 * a + 1 + k)) / (a + 2) / (a + 2) - a / (a + 2) / (a + 2);
        check(text, 0.05, (struct expected){t, 2, c * t, {dc * t, dq * t}});
        snprintf(text, sizeof text,
                 "parameter k = %g, s = 0.5\nstate A = 0, B = 0, P = 0\nlet V = A + B\n"
                 "let c = if V > 0 then A/V else 0\nA' = if time > s then 1 - k*c else 0\n"
                 "B' = if time > s then 2 else 0\nP' = c\n",
                 k);
        check(text, 0.05, (struct expected){t, 2, c * (t - s), {dc * (t - s), -c}});
    }
}

/* x' = p from s = 0, or 0.5, on: (1 - exp(-x))/x is 0/0 at 0, where it is 1. */
TEST(a_quotient_that_is_guarded_where_it_has_no_value)
{
    static const char *const speeds[] = {"p", "if time > 0.5 then p else 0"};
    double const E = 0.79659959929705313428; /* of (1 - exp(-x))/x from 0 to 1 */
    for (int i = 0; i < 2; i++) {
        char text[200];
        double const s = i == 0 ? 0 : 0.5, y = s + E; /* q (s + E(p (t - s))/p) */
        snprintf(text, sizeof text,
                 "parameter p = 1, q = 1\nstate x = 0, y = 0\nx' = %s\n"
                 "y' = q*(if x > 0 then (1 - exp(-x))/x else 1)\n",
                 speeds[i]);
        check(text, 0.05, (struct expected){1 + s, 1, y, {1 - exp(-1) - E, y}});
    }
}

/* Where the branch ahead has no value at all it is said that it is that one. */
TEST(a_branch_without_values_is_named)
{
    static const char *const starts[] = {"0", "-1"};
    for (int i = 0; i < 2; i++) {
        char text[200];
        double y[2];
        tansy_problem problem;
        snprintf(text, sizeof text,
                 "parameter p = 1\nstate x = %s, y = 0\nx' = p\n"
                 "y' = if x > 0 then asin(2 + x) else 0\n",
                 starts[i]);
        tansy_model *const m = model_of_text(text, &problem);
        tansy_solver *const s = tansy_create(&problem, &(tansy_options){.max_step = 0.05});
        CHECK_EQUAL(tansy_solve(s, 2, y, NULL), TANSY_NOT_FINITE);
        CHECK(strstr(tansy_message(s), "where the condition x > 0 turns: its other branch") !=
              NULL);
        tansy_free(s);
        tansy_model_free(m);
    }
}

/* Integrals of (1 - exp(-u))/u and of 2 (1 - cos(u))/u^2 from 0 to x, by their series. */
static double integral_of_exp(double x)
{
    double sum = 0, term = -1;
    for (int k = 1; k < 30; k++) sum += (term *= -x / k) / k;
    return sum;
}

static double integral_of_cos(double x)
{
    double sum = 0, term = x;
    for (int k = 0; k < 15; k++) {
        sum += 2 * term / (2 * k + 1) / ((2 * k + 1) * (2 * k + 2));
        term *= -x * x / ((2 * k + 1) * (2 * k + 2));
    }
    return sum;
}

/* x' = p from -1, y' = q f(x): y = q (F(p t - 1) - F(-1))/p, F' = f. */
static struct expected along(double F, double F_start, double f, double p, double q, double t)
{
    double const y = q * (F - F_start) / p;
    return (struct expected){t, 1, y, {(q * f * t - y) / p, y / q}};
}

/* 0/0 at the surface: f, df/dy and dT/dp from there would be rounding errors. */
TEST(a_guarded_removable_singularity_has_its_limit)
{
    double const p = 1.3, q = 0.7, t = 2, x = p * t - 1, e = (1 - exp(-x)) / x,
                 c = 2 * (1 - cos(x)) / x / x;
    check("parameter p = 1.3, q = 0.7\nstate x = -1, y = 0\nx' = p\n"
          "y' = q*(if x > 0 then (1 - exp(-x))/x else 1)\n",
          0.05, along(integral_of_exp(x), -1, e, p, q, t));
    check("parameter p = 1.3, q = 0.7\nstate x = -1, y = 0\nx' = p\n"
          "y' = q*(if abs(x) > 0 then (1 - exp(-x))/x else 1)\n",
          0.05, along(integral_of_exp(x), integral_of_exp(-1), e, p, q, t));
    check("parameter p = 1.3, q = 0.7\nstate x = -1, y = 0\nx' = p\n"
          "y' = q*(if x > 0 then 2*(1 - cos(x))/x^2 else 1)\n",
          0.05, along(integral_of_cos(x), -1, c, p, q, t));
    check("parameter p = 1.3, q = 0.7\nstate x = -1, y = 0\nx' = p\n"
          "y' = q*(if abs(x) > 1e-9 then 2*(1 - cos(x))/x^2 else 1)\n",
          0.05, along(integral_of_cos(x), integral_of_cos(-1), c, p, q, t));
}

/* The slope of abs(x) turns over between the two sides of a window that is passed in no time. */
TEST(a_window_that_is_passed_in_no_time_is_no_sliding)
{
    static const char *const width[] = {"1e-13", "1e-12", "1e-10"};
    double const p = 1.3, q = 0.7, t = 2;
    for (size_t k = 0; k < sizeof width / sizeof *width; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "parameter p = 1.3, q = 0.7\nstate x = -1, y = 0\nx' = p\n"
                 "y' = if abs(x) > %s then q else 2\n",
                 width[k]);
        check(text, 0.01, (struct expected){t, 1, q * t, {0, t}});
        check(text, 0.5, (struct expected){t, 1, q * t, {0, t}});
    }
    check("parameter p = 1.3, q = 0.7\nstate x = -1, y = 0\nx' = p\n"
          "y' = q*x/max(abs(x), 1e-12)\n",
          0.01, (struct expected){t, 1, q * (t - 2 / p), {2 * q / p / p, t - 2 / p}});
}

/* f may not be evaluated where it is but rounding, a stretch behind the surface that a step begins after: output within it. */
TEST(output_just_behind_a_removable_singularity)
{
    static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX};
    double const a = 0.8843, b = 1, T = 0.6 / a;
    tansy_problem problem;
    tansy_model *const m =
        model_of_text("parameter a = 0.8843, b = 1\nstate x = -0.6, y = 0.8\nx' = a\n"
                      "y' = b*(if x > 0 then (1 - cos(x))/x^2 else 0.5) + 5*sin(200*time)\n",
                      &problem);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        tansy_options const o = {
            .method = methods[k], .rtol = rtol, .atol = 1e-9, .max_step = 0.0045};
        tansy_solver *const s = tansy_create(&problem, &o);
        for (double after = 1e-9; after < 0.02; after *= 2) {
            double const t = T + after, x = a * after, F = integral_of_cos(x) / 2;
            double const f = 0.5 - x * x / 24 + x * x * x * x / 720, slope = -x / 12;
            double y[2], yp[2], sens[SOLUTION_MOST], sensp[SOLUTION_MOST];
            double S[SOLUTION_MOST][SOLUTION_MOST], S_rate[SOLUTION_MOST][SOLUTION_MOST];
            CHECK_EQUAL(tansy_solve(s, t, y, sens), TANSY_OK);
            model_solution_columns(&problem, sens, S);
            CHECK_CLOSE(y[0], x, promise * 1e-3);
            CHECK_CLOSE(y[1], 0.8 + b * (T / 2 + F / a) + (1 - cos(200 * t)) / 40, promise);
            CHECK_CLOSE(S[0][0], t, promise);
            CHECK_CLOSE(S[0][1], b * (f * t - T / 2 - F / a) / a, promise);
            CHECK_CLOSE(S[1][1], T / 2 + F / a, promise);
            CHECK_EQUAL(tansy_at(s, t, y, yp, sens, sensp), TANSY_OK);
            model_solution_columns(&problem, sensp, S_rate);
            CHECK_CLOSE(yp[0], a, promise);
            CHECK_CLOSE(yp[1], b * f + 5 * sin(200 * t), 100 * promise);
            CHECK_CLOSE(S_rate[0][1], b * slope * t, 1000 * promise); /* df/dy is noise of 1e-3 */
            CHECK_CLOSE(S_rate[1][1], f, 100 * promise);
        }
        tansy_free(s);
    }
    tansy_model_free(m);
}

/* x is 0 where f is not known, so that its own size says nothing of what an error of it is worth.  By (1 - exp(-x))/x as a series within 0.02. */
TEST(a_singularity_passed_by_a_curved_way)
{
    check("parameter a = 0.8\nstate x = -0.2, y = 0.8\nx' = a*cos(2.3*time) - 0.1*y\n"
          "y' = if x > 0 then (1 - exp(-x))/x else 1\n",
          0.01, (struct expected){0.4, 1, 1.19918146770504, {-0.0134470399646, 0}});
}

/* A condition that turns just behind the surface, and back again, is not passed over, and S that is not known for that is told. */
TEST(a_condition_that_turns_beside_a_removable_singularity)
{
    static const double from[] = {1e-8, 1e-7, 1e-6, 1e-5};
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        char text[300], report[6000];
        double y[3], sens[3];
        tansy_problem problem;
        snprintf(text, sizeof text,
                 "parameter p = 1.3\nstate x = -1, y = 0, z = 0\nx' = p\n"
                 "y' = if x > 0 then (1 - exp(-x))/x else 1\n"
                 "z' = if x > %g and x < %g then %g else 0\n",
                 from[k], 5 * from[k], 1 / from[k]);
        tansy_model *const m = model_of_text(text, &problem);
        tansy_options const o = {.method = TANSY_RK8, .rtol = rtol, .atol = 1e-9, .max_step = 0.05};
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 2, y, sens), TANSY_OK);
        CHECK_CLOSE(y[2], 4 / 1.3, promise);
        CHECK(tansy_report(s, report, sizeof report) < sizeof report);
        double const x = 1.6, f = (1 - exp(-x)) / x, p = 1.3;
        double const right = (f * 2 - (1 + integral_of_exp(x)) / p) / p;
        bool const told = strstr(report, "S is not controlled") != NULL;
        CHECK(told || fabs(sens[1] - right) <= promise);
        CHECK_CLOSE(sens[1], right, 100 * promise);
        tansy_free(s);
        tansy_model_free(m);
    }
}
