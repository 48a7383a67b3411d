/* SPDX-License-Identifier: Apache-2.0 */
/* All that moves begins at 0 with rate 0, and time drives it later: a chain of lags behind a ramp, a rectifier, and meters of what is 0 but
   for rounding.  With default options by every method, whatever the first time is that is asked for. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
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

/* Component i at the end by auto, and by dassl; it is right by two methods at rtol = 1e-9, with literal tolerances or without. */
static void check_model(const char *text, bool by_dassl, double t, size_t i, double right)
{
    for (int m = 0; m < (by_dassl ? 3 : 1); m += 2)
        for (int digits = 3; digits <= 7; digits += 2) {
            tansy_options const o = {
                .method = methods[m], .rtol = pow(10, -digits), .max_steps = 5000};
            double const off = fabs(value_at(text, &o, t / 4, t, i) - right) / fabs(right);
            if (!(off <= 100 * o.rtol))
                printf("%s, 1e-%d: %g rtol\n", method_name(o.method), digits, off / o.rtol);
            CHECK_AT_MOST(off, 100 * o.rtol);
        }
}

/* The voltage is known from the loop, not from the exponential of which the current is. */
TEST(algebraic_variables_are_known_by_their_best_equation)
{
    check_model(
        "parameter Is = 1e-14, R = 1e3, V = 5\nstate q = 0\nalgebraic v = 0, i = 0\nq' = v\n"
        "0 = i - Is*(exp(v/0.025) - 1)\n0 = V*sin(100*time) - R*i - v\ntime 0 .. 0.1\n",
        true, 0.1, 0, -0.0687290864);
    check_model(
        "parameter k = 1\nstate q = 0\nalgebraic a = 0, b = 1\nq' = a\n0 = b - 1 - 1e-14*sin(a)\n"
        "0 = a + exp(5*a) - 3 - 2*sin(9*time)\ntime 0 .. 3\n",
        true, 3, 0, 0.5645693453);
}

/* exp(v/0.05) - 1 is rounding where v is 1e-12, which no derivative shows: dassl stops there, and names the tolerance. */
TEST(a_bridge_of_two_diodes)
{
    check_model(
        "parameter R = 1e3, C = 5e-5, Is = 1e-9, V = 3\nstate vc = 0\nalgebraic va = 0, vp = 0, ip "
        "= 0, iq = 0\n"
        "C*vc' = ip + iq - vc/(50*R)\n0 = ip - Is*(exp((va - vp)/0.05) - 1)\n0 = iq - Is*(exp((-va "
        "- vp)/0.05) - 1)\n"
        "0 = (V*sin(400*time) - va)/R*10 - ip + iq\n0 = (vp - vc)/R*10 - ip - iq\ntime 0 .. 0.04\n",
        false, 0.04, 0, 1.71542995);
}

/* What roundings of a tension, or of a meter, make of a velocity, a place, another meter. */
TEST(roundings_are_passed_on)
{
    check_model("parameter m = 1, M = 1, g = 9.81, L = 1, A = 1\nstate x = 0, y = 0, u = 0, v = 0, "
                "s = 0, w = 0\nalgebraic l = 0\n"
                "x' = u\ny' = v\ns' = w\nm*u' = -2*l*(x - s)\nm*v' = -2*l*(y - L) - m*g\nM*w' = "
                "2*l*(x - s) + A*time\n"
                "0 = 2*(x - s)*(u - w) + 2*(y - L)*v\ntime 0 .. 3\n",
                true, 3, 0, 2.17803119);
    check_model("parameter A = 1\nstate s = 0, w = 0, v = 0, y = 0\nalgebraic l = 9.81\ns' = w\nw' "
                "= A*time\nv' = l - 9.81\n"
                "y' = v\n0 = l - 9.81*sqrt(1 + s^2)\ntime 0 .. 3\n",
                true, 3, 3, 9.6107654);
    check_model("parameter U = 0.37\nstate T = 300.1, Q = 0, R = 0, X = 1e-12\nT' = -U*(T - 300.1) "
                "+ X\nQ' = U*T - U*300.1\n"
                "R' = Q\nX' = 0.5*X*(1 - X)\ntime 0 .. 100\n",
                true, 100, 2, 893.713370);
    /* two that drive each other fast */
    check_model(
        "parameter U = 0.37, L = 1e4\nstate T = 300.1, v = 0, w = 0, X = 1e-12\nT' = -U*(T - "
        "300.1) + X\n"
        "v' = U*T - U*300.1 - L*(v - w)\nw' = L*(v - 2*w)\nX' = 0.5*X*(1 - X)\ntime 0 .. 100\n",
        true, 100, 1, 1.99999958815e-4);
}
