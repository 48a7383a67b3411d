/* SPDX-License-Identifier: Apache-2.0 */
/* What the differences of limex's tableau do not see, by closed forms: a slow component that a stiff rate drives, of which the first rows leave an
   error that they agree on; a transition in the last part of a step, where no row has looked; and what it costs to look there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

/* y follows x^2 = exp(-2 k t) from the beginning, whatever L is, and z = y^2.  Column 0: d/dL, 1: d/dk. */
static const char driven[] = "parameter L = %g, k = 1\nstate x = 1, y = 1, z = 1\n"
                             "let r = -L*(y - x^2) - 2*k*x^2\nx' = -k*x\ny' = r\n"
                             "z' = -(z - y^2) + 2*y*r\n";

/* The same with B(t, y) y' = f. */
static const char varying[] = "parameter L = %g, k = 1\nstate x = 1, y = 0.5\n"
                              "let f = -k*x\nlet g = -L*(y - 0.5*x^2) - k*x^2\n"
                              "(1 + 0.2*x^2)*x' + 0.2*sin(y + time)*y' = "
                              "(1 + 0.2*x^2)*f + 0.2*sin(y + time)*g\ny' = g\n";

enum { Z = 2 };

static double apart(double value, double right)
{
    return isfinite(value) ? fabs(value - right) : HUGE_VAL;
}

/* The largest error of z and its columns at t = 1, L d/dL and k d/dk, in units of rtol. */
static double error_of_driven(double L, double rtol, tansy_sensitivities way)
{
    char text[512];
    double const t = 1, right = exp(-4 * t);
    (void)snprintf(text, sizeof text, driven, L);
    tansy_options const options = {
        .method = TANSY_LIMEX, .sensitivities = way, .rtol = rtol, .atol = 1e-3 * rtol};
    struct model_solution const s = model_solve(text, &options, t);
    double error = apart(s.y[Z], right);
    if (way != TANSY_NONE)
        error = fmax(error, fmax(apart(L * s.sens[0][Z], 0), apart(s.sens[1][Z], -4 * t * right)));
    printf("L = %g, rtol %g: error/rtol %.2g\n", L, rtol, error / rtol);
    return error / rtol;
}

/* Without a look at the end, and at what row 4 says of row 3, errors of y were 24 to 170 rtol with L = 1e5 and 1e7. */
TEST(a_slow_component_that_a_stiff_rate_drives_is_right)
{
    static const double stiffness[] = {1e3, 1e5, 1e7};
    for (int k = 0; k < 3; k++)
        for (int digits = 3; digits <= 5; digits++) {
            double const rtol = pow(10, -digits);
            CHECK_AT_MOST(error_of_driven(stiffness[k], rtol, TANSY_NONE), 10);
            CHECK_AT_MOST(error_of_driven(stiffness[k], rtol, TANSY_SENSITIVITIES_AUTO), 10);
        }
    CHECK_AT_MOST(error_of_driven(1e5, 1e-4, TANSY_SIMULTANEOUS), 10);
}

TEST(so_it_is_where_b_varies)
{
    char text[512];
    (void)snprintf(text, sizeof text, varying, 1e5);
    for (int digits = 3; digits <= 4; digits++) {
        double const rtol = pow(10, -digits);
        tansy_options const options = {.method = TANSY_LIMEX, .rtol = rtol, .atol = 1e-3 * rtol};
        struct model_solution const s = model_solve(text, &options, 2);
        CHECK_AT_MOST(apart(s.y[0], exp(-2)), 10 * rtol);
        CHECK_AT_MOST(apart(s.y[1], exp(-4) / 2), 10 * rtol);
        CHECK_AT_MOST(apart(s.sens[1][0], -2 * exp(-2)), 20 * rtol);
    }
}

/* y' = tanh(x/w), x = a t - 1: df/dy is 0 on both sides, and 1/a is where no row looks.  y = (w/a) ln(cosh((2 a - 1)/w)/cosh(1/w)) is
   (2 a - 2)/a at t = 2, dy/da = 2/a^2. */
TEST(a_transition_at_the_end_of_a_step_is_seen)
{
    double const w = 1e-3, rtol = 1e-6;
    for (int k = 0; k < 7; k++) {
        double const a = 1.05 + 0.15 * k;
        char text[256];
        (void)snprintf(text, sizeof text,
                       "parameter a = %g\nstate x = -1, y = 0\nx' = a\ny' = tanh(x/%g)\n", a, w);
        tansy_options const options = {.method = TANSY_LIMEX, .rtol = rtol, .atol = 1e-8};
        struct model_solution const s = model_solve(text, &options, 2);
        printf("a = %g: y %.3g rtol, dy/da %.3g rtol\n", a, apart(s.y[1], (2 * a - 2) / a) / rtol,
               apart(s.sens[0][1], 2 / (a * a)) / rtol);
        CHECK_AT_MOST(apart(s.y[1], (2 * a - 2) / a), 100 * rtol);
        CHECK_AT_MOST(apart(s.sens[0][1], 2 / (a * a)), 100 * rtol);
    }
}

/* Two rows take two evaluations of f; that at the end is the first of the next step. */
TEST(f_at_the_end_is_that_at_the_beginning_of_the_next_step)
{
    tansy_problem problem;
    tansy_stats stats;
    tansy_options const options = {.method = TANSY_LIMEX,
                                   .sensitivities = TANSY_NONE,
                                   .rtol = 1e-4,
                                   .atol = 1e-7,
                                   .max_order = 1};
    tansy_model *const model = model_of_text("state x = 1, y = 0\nx' = y\ny' = -x\n", &problem);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 5, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    size_t const attempts = stats.steps + stats.rejected_error;
    CHECK(attempts > 50);
    CHECK(stats.rhs_evals <= 2 * attempts + 6);
    tansy_free(s);
    tansy_model_free(model);
}

/* x = 1.4 t reaches 1, where f ends, at the end of the run, but for rounding: there no row looks.  y = 0.4/1.4 p. */
TEST(a_run_may_end_at_a_border_of_f)
{
    double const end = 1 / 1.4;
    for (int digits = 3; digits <= 7; digits++) {
        double const rtol = pow(10, -digits);
        tansy_options const options = {.method = TANSY_LIMEX,
                                       .rtol = rtol,
                                       .atol = 1e-3 * rtol,
                                       .use_stop_time = 1,
                                       .stop_time = end};
        struct model_solution const s = model_solve(
            "parameter p = 1\nstate y = 0, x = 0\nx' = 1.4\ny' = p*(1 - x)^1.5\n", &options, end);
        CHECK_AT_MOST(apart(s.y[0], 0.4 / 1.4) / rtol, 10);
        CHECK_AT_MOST(apart(s.sens[0][0], 0.4 / 1.4) / rtol, 10);
    }
}

static int refuse_negative(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -1000 * y[0];
    f[1] = y[0] - y[1];
    return y[0] < 0;
}

/* A component that decays below its tolerance comes out with any sign, and is put right when the step is accepted: f is not to see it before. */
TEST(f_at_the_end_sees_signs_put_right)
{
    static const int sign[] = {1, 0};
    static const double y0[] = {1, 1};
    tansy_problem const problem = {.n = 2, .rhs = refuse_negative, .y0 = y0, .sign = sign};
    for (int digits = 3; digits <= 7; digits += 2) {
        double const rtol = pow(10, -digits), right = (1000 * exp(-1) - exp(-1000)) / 999;
        double y[2];
        tansy_stats stats;
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.method = TANSY_LIMEX, .rtol = rtol});
        CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
        CHECK_AT_MOST(apart(y[1], right) / rtol, 100);
        tansy_get_stats(s, &stats);
        CHECK_AT_MOST((double)stats.steps, 30); /* 10 to 22; where f sees them, 17 to 47 */
        tansy_free(s);
    }
}

/* w0 = x0 is slow, w1 = x1 - a x0^2 stiff, w2 = x2 - a x1^2 slow again, driven by x1' in x2'; z is algebraic.  Steps get as short as 1e-4, of order 1 and 2: the
   error of x2 was 130 rtol without a word. */
static const char coupled[] =
    "parameter a = 0.3, L = 1.6e7\n"
    "control u = {0.936, 0.841, -0.923, -0.184} piecewise linear at {0.597, 0.797, 1.051, 1.108}\n"
    "state x0 = 0.176, x1 = 1.225 + a*x0(0)^2, x2 = -0.16 + a*x1(0)^2\nalgebraic z = 0.1\n"
    "let g = z + 0.2*z^3 - (x0*u + sin(x2))\n"
    "let f0 = -1.687*(x0 - 0.824*u - 0.5*sin(1.492*time)) - 2*g\n"
    "let f1 = -L*(x1 - a*x0^2 + 0.775*u) + 2*a*x0*f0\n"
    "let w2 = x2 - a*x1^2\n"
    "x0' = f0\nx1' = f1\n"
    "x2' = -0.619*(w2 - 0.481*u) - 0.219*x0 + 0.129*(x1 - a*x0^2) + 2*a*x1*f1\n0 = g\n";

TEST(errors_that_add_up_over_many_short_steps_are_told)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text(coupled, &problem);
    double y[2][4];
    char report[8000];
    double const rtol = 1e-4;
    tansy_options o = {.sensitivities = TANSY_NONE, .rtol = 1e-8, .atol = 1e-11};
    tansy_solver *const exact = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(exact, 1.1, y[0], NULL), TANSY_OK);
    o = (tansy_options){
        .method = TANSY_LIMEX, .sensitivities = TANSY_NONE, .rtol = rtol, .atol = 1e-3 * rtol};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 1.1, y[1], NULL), TANSY_OK);
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    double const error = apart(y[1][2], y[0][2]) / rtol;
    printf("x2 is wrong by %.2g rtol\n", error);
    CHECK(error <= 100 || strstr(report, "limex took"));
    tansy_free(exact);
    tansy_free(s);
    tansy_model_free(m);
}
