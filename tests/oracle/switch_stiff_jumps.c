/* SPDX-License-Identifier: Apache-2.0 */
/* A stiff component that is switched on at T: z' = -L (z - u), u = 0, then 1, and y' = -L (z - u) y - 0.3 u y, y = exp(1 - exp(-L (t - T)) - 0.3 (t - T)) behind T.
   S jumps there by L, and is back at dz/dT = 0 and dy/dT = 0.3 y when z has settled.  Errors of rtol L on the way would stay behind in y. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TEXT = 1000 };
static const double rtol = 1e-6;

/* These conditions, z' and y' of the model above, and L. */
#define MODEL(first, condition, last)                                                              \
    "parameter T = 1\nconstant L = %g\nstate z = 0, y = 1\n" first "let u = if " condition         \
    " then 0 else 1\nz' = -L*(z - u)\ny' = -L*(z - u)*y - 0.3*u*y\n" last

static tansy_options options_of(tansy_method method)
{
    return (tansy_options){.method = method, .rtol = rtol, .atol = 1e-9, .max_step = 0.02};
}

/* Errors of the solution are within the usual 100 rtol, in units of y/T. */
static void check(const char *format, double L, tansy_method method, double t)
{
    char text[TEXT];
    (void)snprintf(text, sizeof text, format, L);
    tansy_options const o = options_of(method);
    struct model_solution const s = model_solve(text, &o, t);
    double const y = exp(1 - 0.3 * (t - 1));
    CHECK_CLOSE(s.y[1], y, 100 * rtol * y);
    CHECK_CLOSE(s.sens[0][0], 0, 100 * rtol);
    CHECK_CLOSE(s.sens[0][1], 0.3 * y, 100 * rtol * y);
}

static const tansy_method stiff[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK,
                                     TANSY_LIMEX};
enum { STIFF = sizeof stiff / sizeof *stiff };

TEST(a_switching_time_of_a_stiff_component_leaves_no_error_behind)
{
    for (int digits = 3; digits <= 7; digits += 2)
        for (int m = 0; m < STIFF; m++)
            check(MODEL("", "time < T", ""), pow(10, digits), stiff[m], 2);
    check(MODEL("", "time < T", ""), 1e4, TANSY_RK8, 1.1);
    check(MODEL("", "time < T", ""), 1e4, TANSY_ADAMS, 1.1);
}

/* g is 0 to the bit where a step begins: f+ changes within 1e-9 of a step as it is stiff, and depends on no direction (cross_apex.c). */
TEST(a_step_that_ends_at_the_switching_time_leaves_no_error)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_RK8, TANSY_ROSENBROCK};
    double const fine = 1e-10, t = 1.1, y = exp(1 - 0.3 * (t - 1));
    for (int m = 0; m < 3; m++) {
        char text[TEXT];
        tansy_options o = options_of(methods[m]);
        o.rtol = fine;
        o.max_step = 0.01;
        (void)snprintf(text, sizeof text, MODEL("", "time < T", ""), 1e4);
        struct model_solution const s = model_solve(text, &o, t);
        CHECK_CLOSE(s.sens[0][1], 0.3 * y, 100 * fine * y);
    }
}

TEST(a_condition_on_the_solution_does_neither)
{
    for (int m = 0; m < STIFF; m++)
        check(MODEL("state x = 0\n", "x < T", "x' = 1\n"), 1e6, stiff[m], 2);
}

TEST(a_control_with_times_that_are_parameters_does_neither)
{
    static const char text[] = "parameter T = 1\nconstant L = %g\nstate z = 0, y = 1\n"
                               "control u = {0, 1} piecewise constant at {0, T, 3}\n"
                               "z' = -L*(z - u)\ny' = -L*(z - u)*y - 0.3*u*y\n";
    for (int m = 0; m < STIFF; m++) check(text, 1e6, stiff[m], 2);
}

TEST(an_algebraic_rate_does_neither)
{
    static const char text[] = "parameter T = 1\nconstant L = %g\nstate z = 0, y = 1\n"
                               "let u = if time < T then 0 else 1\nalgebraic w = 0\n"
                               "0 = w + (z - u)\nz' = L*w\ny' = L*w*y - 0.3*u*y\n";
    for (int m = 0; m < STIFF; m++) check(text, 1e6, stiff[m], 2);
}

/* Three switches: u = 0, 1, 0, 2.  ln y gains what u does at the last, and of the first two nothing, be the second long after the transient of the first or within it. */
TEST(several_switches_do_neither)
{
    static const double between[] = {1e-4, 2e-6};
    for (int x = 0; x < 2 * STIFF; x++) {
        char text[TEXT];
        tansy_options const o = options_of(stiff[x / 2]);
        (void)snprintf(
            text, sizeof text,
            "parameter T1 = 0.5, T2 = 0.5 + %g, T3 = 1.5\nconstant L = 1e6\nstate z = 0, y = 1\n"
            "let u = if time < T1 then 0 else if time < T2 then 1 else if time < T3 then 0 else 2\n"
            "z' = -L*(z - u)\ny' = -L*(z - u)*y - 0.3*u*y\n",
            between[x % 2]);
        struct model_solution const s = model_solve(text, &o, 2);
        double const y = exp(2 - 0.3 * (between[x % 2] + 2 * 0.5));
        double const right[] = {0.3 * y, -0.3 * y, 0.6 * y};
        for (int k = 0; k < 3; k++) CHECK_CLOSE(s.sens[k][1], right[k], 300 * rtol * y);
    }
}

/* Two time constants, 1/L and 100/L, and x with x' = 1e5 u, dx/dT = -1e5, which stays as large as it is behind T. */
TEST(slower_transients_and_columns_that_stay_large_do_neither)
{
    static const char text[] =
        "parameter T = 1\nconstant L = 1e6\nstate z = 0, y = 1, x = 0, w = 0, v = 1\n"
        "let u = if time < T then 0 else 1\nz' = -L*(z - u)\ny' = -L*(z - u)*y - 0.3*u*y\n"
        "x' = 1e5*u\nw' = -L/100*(w - u)\nv' = -L/100*(w - u)*v\n";
    double const y = exp(1 - 0.3), v = exp(1);
    for (int m = 0; m < STIFF; m++) {
        tansy_options const o = options_of(stiff[m]);
        struct model_solution const s = model_solve(text, &o, 2);
        CHECK_CLOSE(s.sens[0][1], 0.3 * y, 100 * rtol * y);
        CHECK_CLOSE(s.sens[0][2], -1e5, 100 * rtol * 1e5);
        CHECK_CLOSE(s.sens[0][4], 0, 100 * rtol * v);
    }
}

/* Differences of f leave more than the tolerances would have: these give way, and the run does not fail.  So it does where few failures are allowed.  A component with an atol alone
   has no say in it. */
TEST(where_f_is_noisy_tolerances_give_way)
{
    static const double rtols[] = {1e-6, 1e-6, 0}, atols[] = {1e-9, 1e-9, 1e-6};
    static const char text[] = "parameter T = 1\nconstant L = 1e6\nstate z = 0, y = 1, x = 0\n"
                               "let u = if time < T then 0 else 1\nz' = -L*(z - u)\n"
                               "y' = -L*(z - u)*y - 0.3*u*y\nx' = 1\n";
    double const y = exp(1 - 0.3);
    for (int x = 0; x < 2 * STIFF; x++) {
        tansy_options o = options_of(stiff[x / 2]);
        o.residual = TANSY_DIFFERENCES;
        o.max_error_failures = x % 2 ? 10 : 0;
        o.rtol_state = rtols;
        o.atol_state = atols;
        struct model_solution const s = model_solve(text, &o, 2);
        CHECK_CLOSE(s.sens[0][1], 0.3 * y, 300 * rtol * y);
    }
}

/* Backward from t = 2 with z' = L (z - u): u = 1 before T. */
TEST(backward_in_time_it_is_the_same)
{
    static const char text[] = "parameter T = 1\nconstant L = 1e6\nstate z = 0, y = 1\n"
                               "let u = if time < T then 1 else 0\n"
                               "z' = L*(z - u)\ny' = L*(z - u)*y - 0.3*u*y\n";
    double const right = exp(1 + 0.3 * 1);
    for (int m = 0; m < STIFF; m++) {
        tansy_options const o = options_of(stiff[m]);
        tansy_problem problem;
        double y[2], S[2];
        tansy_model *const model = model_of_text(text, &problem);
        problem.t0 = 2;
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 0, y, S), TANSY_OK);
        CHECK_CLOSE(S[1], 0.3 * right, 100 * rtol * right);
        tansy_free(s);
        tansy_model_free(model);
    }
}

static tansy_solver *solver_of(double L, tansy_method method, double tolerance, tansy_model **model)
{
    char text[TEXT];
    tansy_problem problem;
    tansy_options o = options_of(method);
    o.rtol = tolerance;
    (void)snprintf(text, sizeof text, MODEL("", "time < T", ""), L);
    *model = model_of_text(text, &problem);
    return tansy_create(&problem, &o);
}

/* A run that is left within the transient has no part in the next one; one that stops there, and goes on, ends as if it had not. */
TEST(tolerances_are_back_in_the_next_run)
{
    static const double late[] = {5}, once[] = {1};
    for (int m = 0; m < STIFF; m++) {
        tansy_model *model[2];
        tansy_stats fresh, second;
        double y[2], S[2], first[2];
        tansy_solver *const s = solver_of(1e6, stiff[m], rtol, &model[0]);
        tansy_solver *const other = solver_of(1e6, stiff[m], rtol, &model[1]);
        CHECK_EQUAL(tansy_solve(s, 1 + 3e-6, y, S), TANSY_OK);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, late, NULL), TANSY_OK);
        tansy_get_stats(s, &fresh);
        size_t const before = fresh.steps;
        CHECK_EQUAL(tansy_solve(s, 3, y, S), TANSY_OK);
        tansy_get_stats(s, &second);
        CHECK_EQUAL(tansy_restart(other, 0, NULL, late, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(other, 3, y, S), TANSY_OK);
        tansy_get_stats(other, &fresh);
        CHECK_EQUAL(second.steps - before, fresh.steps);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, once, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_restart(other, 0, NULL, once, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(other, 2, y, first), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 2, y, S), TANSY_OK);
        CHECK_CLOSE(S[1], first[1], 0);
        tansy_free(s);
        tansy_free(other);
        tansy_model_free(model[0]);
        tansy_model_free(model[1]);
    }
}

static void report_of(double L, double tolerance, char *text, size_t size)
{
    tansy_model *model;
    double y[2], S[2];
    tansy_solver *const s = solver_of(L, TANSY_ROSENBROCK, tolerance, &model);
    CHECK_EQUAL(tansy_solve(s, 2, y, S), TANSY_OK);
    (void)tansy_report(s, text, size);
    tansy_free(s);
    tansy_model_free(model);
}

TEST(the_report_tells_of_transients_and_warns_where_rounding_leaves_too_much)
{
    char text[5000];
    report_of(1e6, 1e-6, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, "transients     of S behind 1 switching point");
    CHECK(!strstr(text, "warning"));
    report_of(1e9, 1e-9, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, "warning: d/d(T) is 1e+09 times its usual size behind t = 1");
    report_of(3, 1e-6, text, sizeof text); /* it is not stiff: nothing happens */
    CHECK(!strstr(text, "transients"));
}
