/* SPDX-License-Identifier: Apache-2.0 */
/* Default options on models in common units, with nothing but rates and initial values: ODESSA's two mechanisms in mol/cm^3 (Leis and Kramer
   1988), H' = a - 2 k H^2, growth from 0, an enzyme of nM written in M.  An error is that of docs/design.md 12, and at most 100 rtol. */
#include <tansy/tansy.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "support/accuracy.h"
#include "support/complex_number.h"
#include "support/model_solution.h"
#include "support/random.h"
#include "test.h"

/* The mechanism with the options as they are. */
static struct accuracy solve(const char *name, const tansy_options *o)
{
    struct oracle oracle;
    oracle_open(name, &oracle);
    struct accuracy const a = oracle_measure_form(&oracle, &oracle.problem->problem, o);
    oracle_close(&oracle);
    return a;
}

static void check_mechanism(const char *name)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL,
                                           TANSY_ROSENBROCK, TANSY_LIMEX};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int digits = 3; digits <= 8; digits++) {
            tansy_options const o = {.method = methods[m], .rtol = pow(10, -digits)};
            struct accuracy const a = solve(name, &o);
            printf("%s, %s, 1e-%d: %.3g, %.3g rtol\n", name, method_name(methods[m]), digits,
                   a.state / o.rtol, a.columns / o.rtol);
            CHECK_EQUAL(a.status, TANSY_OK);
            CHECK_AT_MOST(fmax(a.state, a.columns), 100 * o.rtol);
        }
}

TEST(ethane_in_mol_per_cm3_is_right)
{
    check_mechanism("ethane");
}

TEST(CO_in_mol_per_cm3_is_right)
{
    check_mechanism("co_oxidation");
}

/* ATOL = RTOL/100, as in Tables I and II: literally it is far above all radicals, and what is below it need not be right; but there is no stop. */
TEST(a_literal_atol_above_the_radicals_stops_nothing)
{
    for (int digits = 3; digits <= 8; digits++) {
        double const rtol = pow(10, -digits);
        struct accuracy const a =
            solve("ethane", &(tansy_options){.rtol = rtol, .atol = rtol / 100});
        CHECK_EQUAL(a.status, TANSY_OK);
    }
}

/* CO is below such an atol altogether: what follows is any solution, and some grow without bound.  It is told why. */
TEST(a_literal_atol_above_everything_is_told_where_it_stops_a_run)
{
    size_t stops = 0;
    for (int digits = 3; digits <= 8; digits++) {
        double const rtol = pow(10, -digits);
        struct accuracy const a =
            solve("co_oxidation", &(tansy_options){.rtol = rtol, .atol = rtol / 100});
        if (a.status == TANSY_OK) continue;
        CHECK_TEXT_CONTAINS(a.message, "is below its atol of 1e-0");
        CHECK_TEXT_CONTAINS(a.message, "try atol = auto");
        stops++;
    }
    printf("%zu of 6 stop\n", stops);
}

/* y(t; p) of one state and two parameters, analytic in p. */
typedef double complex solution(double complex p, double complex q, double t);

static double error_at(solution *exact, const double *p, double t, double largest,
                       const double *found)
{
    static const double step = 1e-20; /* of the complex step, relative */
    double worst = 0;
    for (int c = -1; c < 2; c++) {
        double complex const a = complex_number(p[0], c == 0 ? step * p[0] : 0);
        double complex const b = complex_number(p[1], c == 1 ? step * p[1] : 0);
        double complex const value = exact(a, b, t);
        double const right = c < 0 ? creal(value) : cimag(value) / step; /* times the parameter */
        double const is = c < 0 ? found[0] : found[1 + c] * p[c];
        worst = fmax(worst, fabs(is - right) / (fabs(right) + 1e-3 * largest));
    }
    return worst;
}

/* A model of x with parameters p and q from 0 to t; its error, in units of rtol. */
static double model_error(const char *text, solution *exact, const double *p, double t_end,
                          double rtol)
{
    enum { TIMES = 20 };
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = rtol});
    double worst = 0, largest = 0;
    for (int m = 1; m <= TIMES; m++)
        largest = fmax(largest, fabs(creal(exact(p[0], p[1], t_end * m / TIMES))));
    for (int m = 1; m <= TIMES; m++) {
        double found[3], t = t_end * m / TIMES;
        CHECK_EQUAL(tansy_solve(s, t, found, found + 1), TANSY_OK);
        worst = fmax(worst, error_at(exact, p, t, largest, found) / rtol);
    }
    tansy_free(s);
    tansy_model_free(model);
    return worst;
}

static double complex termination(double complex a, double complex k, double t)
{
    return csqrt(a / (2 * k)) * ctanh(csqrt(2 * a * k) * t);
}

TEST(a_radical_that_ends_with_itself_is_right)
{
    static const double p[] = {1e-9, 1.6e13};
    for (int digits = 3; digits <= 9; digits++) {
        double const error = model_error("parameter p = 1e-9, q = 1.6e13\nstate x = 0\n"
                                         "x' = p - 2*q*x^2\n",
                                         termination, p, 1, pow(10, -digits));
        double const early = model_error("parameter p = 1e-9, q = 1.6e13\nstate x = 0\n"
                                         "x' = p - 2*q*x^2\n",
                                         termination, p, 0.02, pow(10, -digits));
        printf("H, 1e-%d: %.3g, %.3g rtol\n", digits, error, early);
        CHECK_AT_MOST(fmax(error, early), 100);
    }
}

/* u' = s + g u (1 - u) = -g (u - u1)(u + u2), u1 u2 = s/g, u1 - u2 = 1. */
static double complex growth(double complex s, double complex g, double t)
{
    double complex const root = csqrt(1 + 4 * s / g), u1 = 0.5 * (1 + root), u2 = s / g / u1;
    double complex const e = cexp(-g * root * t);
    return u1 * (1 - e) / (1 + u1 / u2 * e);
}

TEST(growth_from_0_is_right)
{
    struct random_source random = {30};
    double worst[3] = {0};
    for (int draw = 0; draw < 30; draw++) {
        double const p[] = {pow(10, -10 + 4 * random_next(&random)),
                            pow(10, 0.5 * random_next(&random))};
        char text[200];
        (void)snprintf(text, sizeof text,
                       "parameter p = %.17g, q = %.17g\nstate x = 0\nx' = p + q*x*(1 - x)\n", p[0],
                       p[1]);
        for (int k = 0; k < 3; k++) {
            double const error = model_error(text, growth, p, 60 / p[1], pow(10, -4 - 2 * k));
            worst[k] = fmax(worst[k], error);
        }
    }
    printf("growth: %.3g, %.3g, %.3g rtol\n", worst[0], worst[1], worst[2]);
    for (int k = 0; k < 3; k++) CHECK_AT_MOST(worst[k], 100);
}

/* P and its columns where the unit of amount is `unit` M: columns in that of the parameters of M. */
static void enzyme(double unit, const tansy_options *o, double t, double *found)
{
    char text[400];
    double y[4], S[5 * 4];
    (void)snprintf(text, sizeof text,
                   "parameter kon = %.17g, koff = 1, kcat = 1, E0 = %.17g, S0 = %.17g\n"
                   "state E = E0, A = S0, B = 0, P = 0\nr1: E + A <-> B, kon*E*A, koff*B\n"
                   "r2: B -> E + P, kcat*B\n",
                   1e7 * unit, 2e-9 / unit, 1e-7 / unit);
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, o);
    CHECK_EQUAL(tansy_solve(s, t, y, S), TANSY_OK);
    for (size_t i = 0; i < 4; i++) {
        found[i] = y[i] * unit;
        for (size_t k = 0; k < 5; k++)
            found[4 + 4 * k + i] = S[4 * k + i] * problem.p[k] * unit; /* times the parameter */
    }
    tansy_free(s);
    tansy_model_free(model);
}

/* Against the same in nM by another method at rtol = 1e-11. */
TEST(an_enzyme_of_nM_in_M_is_right)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF,        TANSY_RK8,
                                           TANSY_DASSL,       TANSY_ROSENBROCK, TANSY_LIMEX};
    static const double times[] = {1e-3, 1, 20, 200}, largest[4] = {2e-9, 1e-7, 1e-9, 1e-7};
    tansy_options const tight = {.method = TANSY_ROSENBROCK, .rtol = 1e-11, .atol = 1e-14};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int digits = 4; digits <= 8; digits += 2)
            for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
                double right[24], is[24];
                enzyme(1e-9, &tight, times[k], right);
                enzyme(1, &(tansy_options){.method = methods[m], .rtol = pow(10, -digits)},
                       times[k], is);
                for (size_t x = 0; x < 24; x++)
                    CHECK_AT_MOST(fabs(is[x] - right[x]) / (fabs(right[x]) + 1e-3 * largest[x % 4]),
                                  100 * pow(10, -digits));
            }
}
