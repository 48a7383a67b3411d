/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems with a branch that is 0/0 at its surface, `if x > 0 then (1 - cos(x))/x^2 else 1/2`: y' before the surface, which the jump of S is found
   from, is but rounding there.  S is right, or the report says that it is not known, or the run stops. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const char *const forms[] = {
    "algebraic z = 0.4\nx' = -k\n0 = z - (if x > 0 then %s else %s)\ny' = z\n",
    "x' = -k\ny' + 0.3*x' = (if x > 0 then %s else %s) - 0.3*k\n"};

/* g and its limit at 0; the integral of g over 0 .. 1. */
static const struct {
    const char *text, *limit;
    double integral, value;
} quotients[] = {
    {"(exp(x) - 1)/x", "1", 1.3179021514544038, 1},
    {"(1 - cos(x))/x^2", "1/2", 0.48638537623532273, 0.5},
};

/* y = (integral + (k t - 1) value)/k at t > 1/k, so that dy/dk = (value - integral)/k^2: it was wrong by 38 times its size. */
static void run(int form, int q, tansy_method method, double rtol)
{
    char text[512] = "parameter k = 1\nstate x = 1, y = 0\n", report[8000];
    double y[3], sens[3];
    size_t const length = strlen(text);
    (void)snprintf(text + length, sizeof text - length, forms[form], quotients[q].text,
                   quotients[q].limit);
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options const o = {
        .method = method, .rtol = rtol, .atol = 1e-3 * rtol, .max_step = 0.0125, .max_steps = 2000};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, 2.5, y, sens);
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    double const right = quotients[q].value - quotients[q].integral;
    double const error = status < 0 ? 0 : fabs(sens[1] - right) / rtol;
    bool const told = status < 0 || strstr(report, "but rounding");
    printf("form %d, %s, method %d, rtol %g: status %d, error of S %.2g rtol%s\n", form,
           quotients[q].text, (int)method, rtol, (int)status, error, told ? ", told" : "");
    CHECK(told || error <= 100);
    tansy_free(s);
    tansy_model_free(model);
}

TEST(columns_behind_a_quotient_are_right_or_told)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (int q = 0; q < 2; q++)
        for (int digits = 4; digits <= 6; digits++) {
            for (int m = 0; m < 3; m++) run(0, q, methods[m], pow(10, -digits));
            run(1, q, TANSY_DASSL, pow(10, -digits));
        }
}

/* x falls to 0 and stays near it: nothing can be done but tell which equation is rounding. */
static void stops(const char *equations, tansy_method method, double rtol, const char *says)
{
    char text[512] = "parameter k = 1\nstate x = 1, y = 0\nx' = -k*x\n";
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s", equations);
    double y[3], sens[3];
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options const o = {
        .method = method, .rtol = rtol, .atol = 1e-3 * rtol, .max_steps = 2000};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK(tansy_solve(s, 30, y, sens) < 0);
    CHECK_TEXT_CONTAINS(tansy_message(s), says);
    CHECK_TEXT_CONTAINS(tansy_message(s),
                        "is but rounding there, as 0/0 is: write such a quotient");
    tansy_free(s);
    tansy_model_free(model);
}

TEST(a_run_that_stops_in_rounding_names_the_equation)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    static const double rtols[] = {1e-6, 1e-8};
    for (int m = 0; m < 3; m++)
        for (int r = 0; r < 2; r++) {
            stops("algebraic z = 0.1\nz = (x - sin(x))/x^3\ny' = z\n", methods[m], rtols[r],
                  ":5:1: z = (x - sin(x))/x^3 is");
            stops("y' + 0.3*x' = (exp(x) - 1 - x)/x^2 - 0.3*k*x\n", methods[m], rtols[r],
                  ":4:1: y' + 0.3*x' = (exp(x) - 1 - x)/x^2 - 0.3*k*x is");
        }
    stops("y' + y'^3 = (x - sin(x))/x^3\n", TANSY_DASSL, 1e-6, ":4:1: y' + y'^3 = ");
    stops("y' = (x - sin(x))/x^3\n", TANSY_RK8, 1e-6, "the right-hand side of y is");
    stops("y' = (x - sin(x))/x^3\n", TANSY_ROSENBROCK, 1e-8, "the right-hand side of y is");
}

/* A pole, a root and terms of a stiff equation that cancel are no rounding. */
static void is_not_rounding(const char *text, double end, size_t steps)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_LIMEX};
    for (int m = 0; m < 2; m++) {
        double y[200];
        tansy_problem problem;
        tansy_model *const model = model_of_text(text, &problem);
        tansy_options const o = {.method = methods[m], .rtol = 1e-9, .max_steps = steps};
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK(tansy_solve(s, end, y, NULL) < 0);
        if (strstr(tansy_message(s), "rounding")) puts(tansy_message(s));
        CHECK(!strstr(tansy_message(s), "rounding"));
        tansy_free(s);
        tansy_model_free(model);
    }
}

TEST(other_stops_are_not_called_rounding)
{
    is_not_rounding("state x = 1\nalgebraic z = 1\nx' = z\nz = x^2\n", 2, 3000);
    is_not_rounding("state x = 1\nalgebraic z = -1\nx' = z\nz = -1/x\n", 2, 3000);
    is_not_rounding("state x = 0, y = 1\nalgebraic z = 1\nx' = 1\n"
                    "z = sin(1e3*x)\ny' = -1e9*(y - z) + 1e3*z\n",
                    1e3, 300);
    /* rows whose terms cancel by chance when all of y moves */
    is_not_rounding("constant N = 100\nparameter A = 1, B = 3\n"
                    "state u[i in 1..N] = 1 + sin(2*pi*i/(N + 1)), v[1..N] = 3\n"
                    "u[i]' = A + u[i]^2*v[i] - (B + 1)*u[i] + 0.02*(N + 1)^2*((if i > 1 then "
                    "u[i-1] else 1) - 2*u[i] + (if i < N then u[i+1] else 1)) for i in 1..N\n"
                    "v[i]' = B*u[i] - u[i]^2*v[i] + 0.02*(N + 1)^2*((if i > 1 then v[i-1] else 3) "
                    "- 2*v[i] + (if i < N then v[i+1] else 3)) for i in 1..N\n",
                    10, 20);
}

/* From 0.995 on f is 0 or 1.1, by the rounding of y; the latest time it was asked for. */
static int noisy_at_the_end(double t, const double *y, const double *p, double *f, void *context)
{
    double *const latest = context;
    double const u = 1.5e-8 * (1 + p[0] * y[0]);
    *latest = fmax(*latest, t);
    f[0] = t < 0.995 ? 1 : (1 - cos(u)) / (u * u);
    return 0;
}

TEST(looks_for_rounding_are_not_beyond_the_stop_time)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_RK8, TANSY_LIMEX};
    double const p = 1, y0 = 0;
    double latest = 0;
    tansy_problem const problem = {
        .n = 1, .np = 1, .p = &p, .y0 = &y0, .rhs = noisy_at_the_end, .context = &latest};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        tansy_options const o = {.method = methods[m],
                                 .sensitivities = TANSY_NONE,
                                 .rtol = 1e-9,
                                 .use_stop_time = 1,
                                 .stop_time = 1,
                                 .max_steps = 45};
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK(tansy_solve(s, 1, NULL, NULL) < 0);
        CHECK_AT_MOST(latest, 1);
        tansy_free(s);
    }
}
