/* SPDX-License-Identifier: Apache-2.0 */
/* Holds runs against their bounds, see promise.h. */
#include "promise.h"
#include "sparse_solver.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

const tansy_sensitivities all_correctors[CORRECTORS] = {TANSY_DIRECT, TANSY_STAGGERED,
                                                        TANSY_SIMULTANEOUS};

static void tell(const struct oracle *o, const tansy_options *options, double bound,
                 const struct accuracy *a)
{
    fprintf(stderr, "%s, %s, %s, rtol %.0e: ", o->problem->name, method_name(options->method),
            sensitivities_name(options->sensitivities), options->rtol);
    if (a->status == TANSY_OK)
        fprintf(stderr, "error %.2e of the state, %.2e of column %zu at t = %g; bound %.2e\n",
                a->state, a->columns, a->column, a->time, bound);
    else
        fprintf(stderr, "stopped before t = %g: %s\n", a->time, a->message);
}

static int run_breaks(const struct oracle *o, enum derivatives derivatives,
                      const tansy_options *options)
{
    double const bound = oracle_bound(o, options->method, options->rtol);
    struct accuracy const a = oracle_measure(o, derivatives, options);
    int const kept = fmax(a.state, a.columns) <= bound;
    if (!kept) tell(o, options, bound, &a);
    return !kept;
}

/* Opens the oracle of a problem; a sparse one is solved by dense factors where there are no others. */
static void open_problem(const char *problem, tansy_linear_solver solver, struct oracle *o)
{
    oracle_open(problem, o);
    bool const sparse = o->problem->problem.structure == TANSY_SPARSE;
    if (sparse && solver == TANSY_LINEAR_AUTO) sparse_solver_or_dense();
}

enum { SPARING = TEST_STRIDE > 1 ? 3 : 1 }; /* decades from one tolerance to the next */

size_t promises_broken(const char *problem, tansy_method method, enum derivatives derivatives,
                       double smallest)
{
    struct oracle o;
    size_t broken = 0;
    open_problem(problem, TANSY_LINEAR_AUTO, &o);
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int digits = 4; digits <= -log10(smallest) + 0.5; digits += SPARING) {
            tansy_options const options = {
                .method = method, .sensitivities = all_correctors[c], .rtol = pow(10, -digits)};
            broken += run_breaks(&o, derivatives, &options);
        }
    oracle_close(&o);
    return broken;
}

size_t promises_broken_by(const char *what, const char *problem, enum derivatives derivatives,
                          const tansy_options *base, double largest, double smallest)
{
    struct oracle o;
    size_t broken = 0;
    open_problem(problem, base->linear_solver, &o);
    for (size_t c = 0; c < CORRECTORS; c++)
        for (double rtol = largest; rtol > 0.9 * smallest; rtol /= pow(10, SPARING)) {
            tansy_options options = *base;
            options.method = TANSY_DASSL;
            options.sensitivities = all_correctors[c];
            options.rtol = rtol;
            int const breaks = run_breaks(&o, derivatives, &options);
            if (breaks) fprintf(stderr, "    (%s)\n", what);
            broken += breaks;
        }
    oracle_close(&o);
    return broken;
}
