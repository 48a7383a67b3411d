/* SPDX-License-Identifier: Apache-2.0 */
/* What those get who choose nothing: small models with algebraic equations hold the promise of 100 rtol by the default method, over many oscillations and at every
   tolerance, as the same model without algebraic equations does. */
#include "support/complex_number.h"
#include "support/model_solution.h"
#include "test.h"

#include <math.h>
#include <string.h>

static const double rtols[] = {1e-4, 1e-6, 1e-8};
enum { RTOLS = 3, TIMES = 200 };

/* e of DESIGN 12 of one number, in rtol. */
static double error(double is, double exact, double scale, double floor)
{
    return fabs(is - exact) * scale / (fabs(exact) * scale + floor);
}

static const char driven[] = "parameter a = 0.1, w = 2\nstate z = 1\nalgebraic u = 1\n"
                             "z' = u - a*z\n0 = u - cos(w*time)\n";

/* z' = cos(w t) - a z, z(0) = 1. */
static double complex driven_solution(double t, double complex a, double complex w)
{
    double complex const r = a * a + w * w;
    return (a * ccos(w * t) + w * csin(w * t)) / r + (1 - a / r) * cexp(-a * t);
}

TEST(a_driven_lag_holds_the_promise_over_many_oscillations)
{
    double const step = 1e-30; /* of complex differences, which cancel nothing */
    for (int k = 0; k < RTOLS; k++) {
        tansy_problem problem;
        tansy_model *const m = model_of_text(driven, &problem);
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.rtol = rtols[k], .atol = 1e-3 * rtols[k]});
        double y[2], S[2][2], worst = 0;
        for (int i = 1; i <= TIMES; i++) {
            double const t = 0.1 * i, floor = 1e-3; /* of z, which begins with 1 */
            CHECK_EQUAL(tansy_solve(s, t, y, *S), TANSY_OK);
            double const exact[] = {creal(driven_solution(t, 0.1, 2)),
                                    cimag(driven_solution(t, complex_number(0.1, step), 2)) / step,
                                    cimag(driven_solution(t, 0.1, complex_number(2, step))) / step};
            worst = fmax(worst, error(y[0], exact[0], 1, floor));
            worst = fmax(worst, error(S[0][0], exact[1], 0.1, floor));
            worst = fmax(worst, error(S[1][0], exact[2], 2, floor));
        }
        tansy_stats stats;
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.method, TANSY_ROSENBROCK);
        CHECK_AT_MOST(worst, 100 * rtols[k]);
        tansy_free(s);
        tansy_model_free(m);
    }
}

/* The largest e of the states they share, which come last in the implicit model. */
static double compare(const char *implicit, const char *plain, double end, double rtol)
{
    tansy_problem problem[2];
    tansy_model *const m[] = {model_of_text(implicit, &problem[0]),
                              model_of_text(plain, &problem[1])};
    tansy_solver *const s[] = {
        tansy_create(&problem[0],
                     &(tansy_options){.rtol = rtol, .atol = 1e-3 * rtol, .max_steps = 5000}),
        tansy_create(&problem[1], &(tansy_options){.rtol = 1e-11, .atol = 1e-14})};
    double y[2][SOLUTION_MOST], S[2][SOLUTION_MOST * SOLUTION_MOST], worst = 0;
    double size[SOLUTION_MOST] = {0};
    size_t const n = problem[1].n, ahead = problem[0].n - n;
    for (int i = 1; i <= TIMES; i++) {
        double const t = end * i / TIMES;
        for (int x = 0; x < 2; x++) CHECK_EQUAL(tansy_solve(s[x], t, y[x], S[x]), TANSY_OK);
        for (size_t j = 0; j < n; j++) {
            size[j] = fmax(size[j], fabs(y[1][j]));
            double const floor = 1e-3 * fmax(1, size[j]);
            worst = fmax(worst, error(y[0][ahead + j], y[1][j], 1, floor));
            for (size_t k = 0; k < problem[1].np; k++)
                worst = fmax(worst, error(S[0][k * problem[0].n + ahead + j], S[1][k * n + j],
                                          fabs(problem[1].p[k]), floor));
        }
    }
    for (int x = 0; x < 2; x++) tansy_free(s[x]), tansy_model_free(m[x]);
    return worst;
}

#define MACHINE                                                                                    \
    "parameter Pm = 0.8, H = 3.5, D = 1, E = 1.1, V = 1, X = 0.5\n"                                \
    "state delta = 0.3, w = 0\ndelta' = 314*w\n"

/* A generator that swings against the grid. */
TEST(a_swinging_machine_holds_the_promise)
{
    for (int k = 0; k < RTOLS; k++)
        CHECK_AT_MOST(compare("algebraic Pe = 0.8\n" MACHINE "2*H*w' = Pm - Pe - D*w\n"
                              "0 = Pe - E*V*sin(delta)/X\n",
                              MACHINE "w' = (Pm - E*V*sin(delta)/X - D*w)/(2*H)\n", 5, rtols[k]),
                      100 * rtols[k]);
}

#define BATTERY                                                                                    \
    "parameter C = 3, R0 = 0.05, R1 = 0.03, C1 = 20, I0 = 2, Vmax = 4.1\n"                         \
    "state z = 0.2, v1 = 0\nlet ocv = 3.2 + 0.7*z + 0.15*z^2 - 0.05*exp(-20*z)\n"                  \
    "z' = ic/C\nv1' = -v1/(R1*C1) + ic/C1\n"

/* Charged with constant current, then with constant voltage: the equation of the second branch holds the condition of the first at 0. */
TEST(a_battery_is_charged_by_current_then_by_voltage)
{
    for (int k = 0; k < RTOLS; k++)
        CHECK_AT_MOST(compare("algebraic ic = 0\nalgebraic vt = 3\nvt = ocv + v1 + R0*ic\n"
                              "0 = if vt < Vmax then I0 - ic else Vmax - vt\n" BATTERY,
                              "let ic = min(I0, (Vmax - ocv - v1)/R0)\n" BATTERY, 4, rtols[k]),
                      100 * rtols[k]);
}

#define BOILER "parameter V = 10\nstate U = 4e7\n"
#define HOUSE  "parameter C = 5.548e6, P = 8243, UA = 329.7, sp = 291.9\nstate H = 283*C\n"

/* A pressure in Pa that the volume has no say in after a while, heat in J: what is left of their columns are roundings of terms that cancel, above the usual atol.  They took 100,000 steps. */
TEST(columns_that_vanish_in_large_units_take_no_steps)
{
    for (int k = 0; k < RTOLS; k++) {
        CHECK_AT_MOST(compare("algebraic p = 1e6\np = 0.4*U/V\n" BOILER
                              "U' = 1e6 - max(p - 1e6, 0)\n",
                              BOILER "U' = 1e6 - max(0.4*U/V - 1e6, 0)\n", 2000, rtols[k]),
                      100 * rtols[k]);
        CHECK_AT_MOST(compare("algebraic T = 283\nH = C*T\nalgebraic u = 0\n"
                              "u = P*min(1, max(0, sp - T))\n" HOUSE "H' = u - UA*(T - 275)\n",
                              HOUSE "let T = H/C\nlet u = P*min(1, max(0, sp - T))\n"
                                    "H' = u - UA*(T - 275)\n",
                              252411, rtols[k]),
                      100 * rtols[k]);
    }
}

#define CLARIFIER "parameter Cw = 1.8, L = 30, crest = 3, q = 5e4, A = 1200\nstate level = 2.9\n"
#define BALANCE   "level' = (q*(1 + 0.5*sin(6.28*time)) - over)/A\n"

/* Its overflow in m3/d is 3.5e5 times what the level leaves of it. */
TEST(a_clarifier_overflows)
{
    for (int k = 0; k < RTOLS; k++)
        CHECK_AT_MOST(compare("algebraic over = 0\n" CLARIFIER BALANCE
                              "0 = over - 86400*Cw*L*max(level - crest, 0)^1.5\n",
                              CLARIFIER "let over = 86400*Cw*L*max(level - crest, 0)^1.5\n" BALANCE,
                              2, rtols[k]),
                      100 * rtols[k]);
}
