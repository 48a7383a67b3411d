/* SPDX-License-Identifier: Apache-2.0 */
/* All that moves begins at 0 with rate 0, and time drives it later: a chain of lags behind a ramp, a rectifier, and meters of what is 0 but
   for rounding.  With default options by every method, whatever the first time is that is asked for. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>

#include "support/accuracy.h"
#include "support/model_solution.h"
#include "test.h"

static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK,
                                       TANSY_LIMEX};
enum { METHODS = sizeof methods / sizeof *methods };

/* Component i at t, on the way through `first`; NaN: stopped. */
static double value_at(const char *text, const tansy_options *o, double first, double t, size_t i)
{
    double y[SOLUTION_MOST];
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, o);
    tansy_status status = tansy_solve(s, first, y, NULL);
    if (status >= 0) status = tansy_solve(s, t, y, NULL);
    if (status < 0) printf("%s: %s\n", method_name(o->method), tansy_message(s));
    tansy_free(s);
    tansy_model_free(model);
    return status >= 0 ? y[i] : (double)NAN;
}

/* Within the promise by all methods from rtol 1e-3 to 1e-8. */
static void check(const char *text, double first, double t, size_t i, double right, double size)
{
    for (int m = 0; m < METHODS; m++)
        for (int digits = 3; digits <= 8; digits++) {
            tansy_options const o = {.method = methods[m], .rtol = pow(10, -digits)};
            double const off = fabs(value_at(text, &o, first, t, i) - right) / size;
            if (!(off <= 100 * o.rtol))
                printf("%s, 1e-%d: %g rtol\\n", method_name(o.method), digits, off / o.rtol);
            CHECK_AT_MOST(off, 100 * o.rtol);
        }
}

/* x = t - 1/L + .., y = t - 2/L + .., z' = y^2: behind the first moment z is (t - 2/L)^3/3 + 2/(3 L^3) or so. */
TEST(lags_behind_a_ramp)
{
    static const char text[] = "parameter L = 1e4\nstate x = 0, y = 0, z = 0\nx' = -L*(x - time)\n"
                               "y' = -L*(y - x)\nz' = y^2\ntime 0 .. 10\n";
    static const double firsts[] = {1e-9, 0.1, 10};
    double const right = pow(10 - 2e-4, 3) / 3;
    for (int k = 0; k < 3; k++) check(text, firsts[k], 10, 2, right, right);
}

/* The current is algebraic, exp(5/0.026) of its smallest.  By rosenbrock at 1e-8 with an atol of 1e-13. */
TEST(a_rectifier)
{
    static const char text[] =
        "parameter V = 5\nstate v = 0\nalgebraic i = 0\nv' = 1e3*i - v\n"
        "0 = i - 1e-14*(exp((V*sin(time) - v - 0.1*i)/0.026) - 1)\ntime 0 .. 12\n";
    static const double firsts[] = {0.1, 3};
    for (int k = 0; k < 2; k++) check(text, firsts[k], 12, 0, 0.10240818187, 0.10240818187);
}

/* Q measures the heat between two bodies of one temperature, and what flows is roundings until the first is heated. */
TEST(meters_of_what_is_but_rounding)
{
    static const char text[] =
        "parameter U = 0.37, g = 0.5\nstate T = 300.1, Q = 0, X = 1e-12\nT' = -U*(T - 300.1) + X\n"
        "Q' = U*T - U*300.1\nX' = g*X*(1 - X)\ntime 0 .. 100\n";
    for (int m = 0; m < METHODS; m++)
        for (int digits = 4; digits <= 8; digits += 2) {
            tansy_options const o = {
                .method = methods[m], .rtol = pow(10, -digits), .max_steps = 20000};
            double const Q = value_at(text, &o, 100, 100, 1);
            CHECK_CLOSE(Q, 42.0352557, 42.04 * 100 * o.rtol + 300.1 * 100 * o.rtol);
        }
}

/* rk8 takes x below 0, where x^0.7 has no value, and auto starts over; in single steps no time is given out twice. */
TEST(a_power_that_only_stiff_methods_keep_positive)
{
    static const char text[] =
        "parameter L = 1e4\nstate x = 1e4, w = 1, z = 0\nx' = -L*x + L*w*1e-5\nw' = -0.1*w\n"
        "z' = x^0.7\ntime 0 .. 100\n";
    double const right =
        value_at(text, &(tansy_options){.method = TANSY_BDF, .rtol = 1e-9}, 50, 100, 2);
    tansy_options const o = {.rtol = 1e-3};
    CHECK_CLOSE(value_at(text, &o, 50, 100, 2), right, 0.1 * fabs(right));
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, &o);
    double y[3], last = 0;
    while (tansy_time(s) < 100 && tansy_step(s, 100, y, NULL) >= 0) {
        CHECK(tansy_time(s) > last);
        last = tansy_time(s);
    }
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK(last >= 100);
    tansy_free(s);
    tansy_model_free(model);
}
