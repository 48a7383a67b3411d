/* SPDX-License-Identifier: Apache-2.0 */
/* f or F alone, with default options, automatic absolute tolerances above all: S is known by differences whose noise no tolerance may ask to be
   below.  Robertson's DAE stopped at t = 5e-6 by every method: C is 1e-12 there, and dC/dp the difference of terms of 1, which differences know
   to 1e-12. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>

#include "support/accuracy.h"
#include "test.h"

/* The number of runs that are not right, at 1e-4, 1e-6 and down to there. */
static size_t wrong(const char *name, const tansy_method *methods, size_t count, int most_digits)
{
    struct oracle oracle;
    size_t broken = 0;
    oracle_open(name, &oracle);
    tansy_problem const alone = problem_with(oracle.problem->problem, BY_DIFFERENCES);
    for (size_t m = 0; m < count; m++)
        for (int digits = 4; digits <= most_digits; digits += 2) {
            tansy_options const o = {.method = methods[m], .rtol = pow(10, -digits)};
            struct accuracy const a = oracle_measure_form(&oracle, &alone, &o);
            double const off = fmax(a.state, a.columns),
                         bound = oracle_bound(&oracle, o.method, o.rtol);
            if (a.status == TANSY_OK && off <= bound) continue;
            printf("%s, %s, rtol 1e-%d: status %d, errors %.3g, %.3g of %.3g; %s\n", name,
                   method_name(o.method), digits, (int)a.status, a.state, a.columns, bound,
                   a.message);
            broken++;
        }
    oracle_close(&oracle);
    return broken;
}

enum { METHODS = 5 };
static const tansy_method methods[METHODS] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL,
                                              TANSY_ROSENBROCK, TANSY_LIMEX};

/* The transistors have noise of 1e-5 in S at 1e-8, whatever the tolerances. */
TEST(F_alone)
{
    size_t broken = wrong("robertson_dae", methods, 3, 8);
    broken += wrong("akzo_nobel", methods, 3, 8);
    broken += wrong("batch_reactor", methods, 3, 8);
    broken += wrong("transistor", methods, 3, 6);
    CHECK_EQUAL(broken, 0);
}

TEST(f_alone)
{
    static const char *const names[] = {"robertson", "hires", "pollution", "ethane", "gas_oil"};
    size_t broken = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        broken += wrong(names[k], methods, METHODS, 8);
    CHECK_EQUAL(broken, 0);
}

/* Those of one step put J into their formulas. */
TEST(f_and_B_alone)
{
    size_t broken = wrong("robertson_dae_mass", methods + 3, 2, 8);
    broken += wrong("akzo_nobel_mass", methods + 3, 2, 8);
    broken += wrong("batch_reactor_mass", methods + 3, 2, 6);
    CHECK_EQUAL(broken, 0);
}
