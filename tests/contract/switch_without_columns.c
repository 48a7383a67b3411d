/* SPDX-License-Identifier: Apache-2.0 */
/* y and its switching points are the same with columns of S and without any, also where a condition jumps to its edge, but for
   rounding, at a break. */
#include <tansy/tansy.h>

#include <stdbool.h>

#include "test.h"

static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)y, (void)context;
    f[0] = p[1] != 0 ? -p[0] : -2 * p[0];
    return 0;
}

/* From the break at t = 1 on g is `before` below zero, and on its way up. */
static int edge(double t, const double *y, const double *p, double *g, void *context)
{
    const double *const before = context;
    (void)y;
    g[0] = p[2] < 0.5 ? 0.5 : t - 1 - *before;
    return 0;
}

/* The switching points up to t = 2, and y there. */
static size_t count(tansy_method method, double before, bool columns, double *y)
{
    double const y0[] = {1}, p[] = {1}, times[] = {1};
    double sens[1];
    tansy_stats stats;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .rhs = decay,
                                   .switches = 1,
                                   .switch_function = edge,
                                   .context = &before,
                                   .breaks = 1,
                                   .break_times = times};
    tansy_options const o = {.method = method, .sensitivities = columns ? 0 : TANSY_NONE};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 2, y, columns ? sens : NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats.switches;
}

/* g turns at the break and turns back: twice, however near to zero it is. */
TEST(switching_points_do_not_depend_on_columns)
{
    static const double before[] = {1e-3, 1e-12, 1e-15};
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t b = 0; b < sizeof before / sizeof *before; b++) {
            double alone = 0, with = 0;
            CHECK_EQUAL(count(methods[k], before[b], false, &alone), 2);
            CHECK_EQUAL(count(methods[k], before[b], true, &with), 2);
            CHECK_CLOSE(alone, -1 - before[b], 1e-6); /* default rtol 1e-6 */
            CHECK_CLOSE(with, -1 - before[b], 1e-6);
        }
}
