/* SPDX-License-Identifier: Apache-2.0 */
/* Methods times correctors for the tests of switches, and the measure of an error. */
#ifndef TEST_SWITCH_RUNS_H
#define TEST_SWITCH_RUNS_H

#include <math.h>
#include <tansy/tansy.h>

enum { SWITCH_RUNS = 10 };

/* Options of run number x: adams and bdf with each of the three correctors, the one-step formulas that have
   dense output of their own, limex. */
static inline tansy_options switch_options(int x, double rtol)
{
    static const tansy_sensitivities correctors[] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED,
                                                     TANSY_DIRECT};
    if (x == 9) return (tansy_options){.method = TANSY_LIMEX, .rtol = rtol, .atol = 1e-3 * rtol};
    if (x >= 6) {
        static const tansy_formula formulas[] = {TANSY_DOP853, TANSY_RODAS5P, TANSY_RODAS4};
        tansy_formula const formula = formulas[x - 6];
        return (tansy_options){.method = formula == TANSY_DOP853 ? TANSY_RK8 : TANSY_ROSENBROCK,
                               .formula = formula,
                               .rtol = rtol,
                               .atol = 1e-3 * rtol};
    }
    return (tansy_options){.method = x < 3 ? TANSY_ADAMS : TANSY_BDF,
                           .sensitivities = correctors[x % 3],
                           .rtol = rtol,
                           .atol = 1e-3 * rtol};
}

/* |value - exact| against |exact| + floor; docs/design.md section 12. */
static inline double switch_error(double value, double exact, double floor)
{
    return fabs(value - exact) / (fabs(exact) + floor);
}

#endif
