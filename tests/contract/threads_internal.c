/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differences measure the noise of f now and then: what panels have measured that do not count, as one below them failed, depends on
   how threads came along, and is forgotten.  A run is the same, to the bit and in its counts, at any number of threads. */
#include "test.h"

#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 3, LEVELS = 45, NP = LEVELS + 2, RUNS = 5 };

/* The level of the interval that the piece says. */
static int drive(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const u = p[2 + (int)p[NP]];
    f[0] = -p[0] * y[0] + u * y[1];
    f[1] = p[1] * (1 - y[1]) - 0.2 * u * y[1] * y[0];
    f[2] = y[0] * u - 0.3 * y[2];
    return 0;
}

/* y, S and what is counted of a run. */
struct result {
    double y[N], S[N * NP];
    size_t steps, rhs, solves;
};

static struct result run(tansy_method method, int threads)
{
    static const double y0[N] = {0.3, 0.9, 0.1};
    double p[NP] = {0.7, 0.5}, from[NP], breaks[LEVELS - 1], rtol[NP];
    for (int k = 0; k < NP; k++) {
        if (k > 1) p[k] = 0.5 + 0.3 * sin(k);
        from[k] = k < 3 ? -HUGE_VAL : k - 2;
        rtol[k] = pow(10, -3 - (k * 7) % 4); /* columns of limex in panels by their tolerance */
    }
    for (int k = 1; k < LEVELS; k++) breaks[k - 1] = k;
    tansy_problem const problem = {.n = N,
                                   .np = NP,
                                   .t0 = 20.5,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = drive,
                                   .breaks = LEVELS - 1,
                                   .break_times = breaks,
                                   .active_from = from,
                                   .concurrent = 1};
    struct result r;
    memset(&r, 0, sizeof r);
    tansy_stats stats;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = method,
                                                .sensitivities = TANSY_DIFFERENCE,
                                                .rtol = 1e-6,
                                                .atol = 1e-9,
                                                .threads = threads,
                                                .rtol_column = rtol});
    CHECK_EQUAL(tansy_solve(s, 3.25, r.y, r.S), TANSY_OK);
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    r.rhs = stats.rhs_evals;
    r.solves = stats.solves;
    tansy_free(s);
    return r;
}

TEST(noise_that_does_not_count_is_forgotten)
{
    static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (int m = 0; m < 3; m++) {
        struct result const one = run(methods[m], 1);
        for (int again = 0; again < RUNS; again++) {
            struct result const several = run(methods[m], 3);
            CHECK_EQUAL(several.steps, one.steps);
            CHECK_EQUAL(several.rhs, one.rhs);
            CHECK_EQUAL(several.solves, one.solves);
            CHECK(memcmp(several.y, one.y, sizeof one.y) == 0);
            CHECK(memcmp(several.S, one.S, sizeof one.S) == 0);
        }
    }
}
