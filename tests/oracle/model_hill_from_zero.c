/* SPDX-License-Identifier: Apache-2.0 */
/* Cascades of powers that begin at 0: x_1' = a, x_(k+1)' = b x_k^n, by all methods for y' = f.  With x_k = c_k t^(m_k) the closed form is
     m_(k+1) = n m_k + 1,   c_(k+1) = b c_k^n/m_(k+1),
   and the columns follow from the logarithm of it.  A formula with a negative weight takes the flat ones, x_4 = c t^25, below 0 at
   its stages by 1e-190, where x^n has no value, however short the step is. */
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "support/model_solution.h"

enum { LENGTH = 6, A = 0, B = 1, N = 2, PARAMETERS = 3 };

static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_ADAMS,      TANSY_BDF,  TANSY_DASSL,
                                       TANSY_RK8,         TANSY_ROSENBROCK, TANSY_LIMEX};

static const double a = 1.3, b = 2;

/* The states at t, and their derivatives with respect to a, b and n. */
static void closed_form(double n, double t, double x[LENGTH], double S[PARAMETERS][LENGTH])
{
    double m = 1, dm = 0, c = log(a), dc[PARAMETERS] = {1 / a, 0, 0};
    for (int k = 0; k < LENGTH; k++) {
        x[k] = exp(c + m * log(t));
        for (int j = 0; j < PARAMETERS; j++) S[j][k] = x[k] * dc[j];
        S[N][k] += x[k] * dm * log(t);
        double const next = n * m + 1, dnext = m + n * dm;
        for (int j = 0; j < PARAMETERS; j++) dc[j] *= n;
        dc[B] += 1 / b;
        dc[N] += c - dnext / next;
        c = log(b) + n * c - log(next);
        m = next;
        dm = dnext;
    }
}

/* At rtol = 1e-6 with atol = 1e-9: e of docs/design.md, where the largest y is that at the end. */
static void compare(double n, tansy_method method)
{
    enum { MOST = 500 };
    double const rtol = 1e-6, t = 1.5, scale[PARAMETERS] = {a, b, n};
    double x[LENGTH], S[PARAMETERS][LENGTH];
    char text[MOST];
    snprintf(text, sizeof text,
             "parameter a = %g, b = %g, n = %g\nstate x[1..%d] = 0\nx[1]' = a\n"
             "x[k]' = b*x[k-1]^n for k in 2..%d\n",
             a, b, n, LENGTH, LENGTH);
    closed_form(n, t, x, S);
    tansy_options const options = {.method = method, .rtol = rtol, .atol = 1e-9};
    struct model_solution const found = model_solve(text, &options, t);
    for (int i = 0; i < LENGTH; i++) {
        double const floor = fmax(1e-3, 1e-3 * x[i]);
        CHECK_CLOSE(found.y[i], x[i], 100 * rtol * (x[i] + floor));
        for (int k = 0; k < PARAMETERS; k++)
            CHECK_CLOSE(found.sens[k][i], S[k][i], 100 * rtol * (fabs(S[k][i]) + floor / scale[k]));
    }
}

static void compare_all(double n)
{
    for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) compare(n, methods[j]);
}

TEST(cascades_of_powers_leave_zero_by_every_method)
{
    compare_all(1.5);
    compare_all(2.5);
    compare_all(3.7);
}

TEST(cascades_of_powers_of_whole_numbers)
{
    compare_all(2);
}

TEST(cascades_of_powers_near_1)
{
    compare_all(1.2);
}

/* 1 - K^n/(K^n + x^n) is rounded to +-1e-16 where x is small, so that y goes to -1e-33, where d(y^n)/dn has no value; with the
   quotient written as x^n/(K^n + x^n) there are no such roundings.  Runs of both forms differ by the errors of both at most. */
TEST(roundings_below_zero_do_not_stop_columns)
{
#define HILL(f) "parameter v = 1, K = 0.5, n = 3\nstate x = 0, y = 0, z = 0\nx' = v - x\n" f
    double const rtol = 1e-6, atol = 1e-9, t = 1, scale[PARAMETERS] = {1, 0.5, 3};
    for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
        tansy_options const options = {.method = methods[j], .rtol = rtol, .atol = atol};
        struct model_solution const rounded = model_solve(
            HILL("y' = (1 - K^n/(K^n + x^n)) - y\nz' = (1 - K^n/(K^n + y^n)) - z\n"), &options, t);
        struct model_solution const exact =
            model_solve(HILL("y' = x^n/(K^n + x^n) - y\nz' = y^n/(K^n + y^n) - z\n"), &options, t);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < PARAMETERS; k++)
                CHECK_CLOSE(rounded.sens[k][i], exact.sens[k][i],
                            200 * rtol * (fabs(exact.sens[k][i]) + atol / rtol / scale[k]));
    }
}

/* 1/(1 + (K/x)^n) has a value at x = 0, by 1/0, but its derivative is 0 times infinity. */
TEST(a_quotient_by_0_inside_a_power_is_told_how_to_be_written)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text(HILL("y' = 1/(1 + (K/x)^n)\nz' = 0\n"), &problem);
    tansy_solver *const solver = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(solver, 1, NULL, NULL), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(solver), "x^n/(K^n + x^n) for 1/(1 + (K/x)^n)");
    tansy_free(solver);
    tansy_model_free(m);
}
