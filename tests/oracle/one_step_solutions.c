/* SPDX-License-Identifier: Apache-2.0 */
/* The promise, docs/design.md section 12, for the one-step methods with exact tangents: with given derivatives the error of y and of
   every column at every reference time is at most 100 rtol; on problems that amplify errors, at most that or what CVODES has (Adams
   for rk8, BDF for rosenbrock) at the same tolerances. */
#include <math.h>
#include <stdio.h>

#include "support/accuracy.h"
#include "support/one_step_cases.h"
#include "test.h"

/* Runs rtol = 10^-first .. 10^-last and tells of those that break the promise; the number of them. */
static size_t breaks(const char *problem, const struct one_step_case *it, int first, int last)
{
    struct oracle o;
    size_t broken = 0;
    double worst = 0;
    oracle_open(problem, &o);
    for (int digits = o.problem->amplifies && first < 4 ? 4 : first; digits <= last;
         digits += TEST_STRIDE) {
        double const rtol = pow(10, -digits);
        tansy_options const options = one_step_options(it, rtol, 0);
        struct accuracy const a = oracle_measure(&o, GIVEN, &options);
        double const error = fmax(a.state, a.columns);
        worst = fmax(worst, error / rtol);
        if (error <= fmax(100 * rtol, oracle_bound(&o, it->method, rtol))) continue;
        fprintf(stderr, "%s, %s, rtol %.0e: error %.2e, column %zu at t = %g %s\n", problem,
                it->name, rtol, error, a.column, a.time, a.message);
        broken++;
    }
    printf("%-18s %-8s error/rtol at most %.2g\n", problem, it->name, worst);
    oracle_close(&o);
    return broken;
}

static size_t all_break(const char *problem, tansy_method method, int last, int last_of_grk4)
{
    size_t broken = 0;
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        const struct one_step_case *const it = &one_step_cases[x];
        bool const grk4 = it->formula >= TANSY_GRK4A;
        if (it->method != method || (grk4 && last_of_grk4 == 0)) continue;
        broken += breaks(problem, it, 3, grk4 ? last_of_grk4 : last);
    }
    return broken;
}

#define EXPLICIT(problem)                                                                          \
    TEST(rk8_keeps_its_promise_on_##problem)                                                       \
    {                                                                                              \
        CHECK_EQUAL(all_break(#problem, TANSY_RK8, 10, 0), 0);                                     \
    }

EXPLICIT(decay)
EXPLICIT(gas_oil)
EXPLICIT(c1)
EXPLICIT(c5)
EXPLICIT(lotka_volterra)
EXPLICIT(pleiades)

/* GRK4A and GRK4T lose order on stiff problems: to 1e-6 in reasonable time. */
#define IMPLICIT(problem)                                                                          \
    TEST(rosenbrock_keeps_its_promise_on_##problem)                                                \
    {                                                                                              \
        CHECK_EQUAL(all_break(#problem, TANSY_ROSENBROCK, 8, 6), 0);                               \
    }

IMPLICIT(decay)
IMPLICIT(gas_oil)
IMPLICIT(c1)
IMPLICIT(c5)
IMPLICIT(robertson)
IMPLICIT(e3)
IMPLICIT(hires)
IMPLICIT(ethane)
IMPLICIT(pollution)
IMPLICIT(van_der_pol)
IMPLICIT(heat_10_ode)

/* B y' = f of index 1 with constant B: for the stiffly accurate formulas. */
#define ALGEBRAIC(problem)                                                                         \
    TEST(rosenbrock_keeps_its_promise_on_##problem)                                                \
    {                                                                                              \
        CHECK_EQUAL(all_break(#problem, TANSY_ROSENBROCK, 8, 0), 0);                               \
    }

ALGEBRAIC(robertson_dae_mass)
ALGEBRAIC(akzo_nobel_mass)
ALGEBRAIC(batch_reactor_mass)
ALGEBRAIC(heat_10_mass)
