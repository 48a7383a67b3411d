/* SPDX-License-Identifier: Apache-2.0 */
/* A break time that is not reached changes nothing: nothing looks inside steps for it. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <tansy/tansy.h>

enum { N = 3 };

/* An oscillator and an algebraic variable (or, of y' = f, a fast one). */
static int swing(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = y[1];
    f[1] = -p[0] * y[0] - 0.3 * p[1] + 0.1 * sin(3 * t);
    f[2] = -50 * (y[2] - cos(t)) + p[2] * y[0];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = B[4] = 1;
    return 0;
}

/* y, S and the number of steps. */
struct result {
    double y[N], S[N * N];
    size_t steps;
};

static struct result run(tansy_problem problem, const tansy_options *o, bool breaks)
{
    static const double never[] = {100};
    struct result r = {.steps = 0};
    tansy_stats stats;
    problem.breaks = breaks;
    problem.break_times = breaks ? never : NULL;
    tansy_solver *const s = tansy_create(&problem, o);
    CHECK_EQUAL(tansy_solve(s, 5, r.y, r.S), TANSY_OK);
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    tansy_free(s);
    return r;
}

TEST(a_break_time_ahead_changes_nothing)
{
    static const double y0[N] = {0.4, -0.7, 0.9}, p[N] = {0.8, 1.1, 1.7};
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int implicit = 0; implicit < 2; implicit++)
            for (double rtol = 1e-4; rtol > 5e-9; rtol /= 10) {
                tansy_problem const problem = {.n = N,
                                               .np = N,
                                               .y0 = y0,
                                               .p = p,
                                               .rhs = swing,
                                               .mass = implicit ? mass : NULL};
                tansy_options const o = {.method = methods[m], .rtol = rtol, .atol = 1e-3 * rtol};
                /* the first step of bdf and dassl depends on how values were made consistent */
                if (implicit && methods[m] != TANSY_ROSENBROCK && methods[m] != TANSY_LIMEX)
                    continue;
                struct result const with = run(problem, &o, true),
                                    without = run(problem, &o, false);
                CHECK_EQUAL(with.steps, without.steps);
                double const rounding = implicit ? 1e-12 : 0; /* values are made consistent twice */
                for (int i = 0; i < N; i++) CHECK_CLOSE(with.y[i], without.y[i], rounding);
                for (int x = 0; x < N * N; x++) CHECK_CLOSE(with.S[x], without.S[x], rounding);
            }
}
