/* SPDX-License-Identifier: Apache-2.0 */
/* y' = -k y at tolerances near roundoff: the columns keep all the digits that were asked for. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)context;
    J[0] = -p[0];
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = -y[0];
    return 0;
}

/* S = -t y0 exp(-k t).  The promise at rtol = atol = 1e-12 would be 1e-10; five hundred steps of order 5 do it. */
TEST(bdf_at_1e_12_gives_the_column_to_1e_10_in_under_500_steps)
{
    double const k = 0.7314, y0 = 2, t = 4;
    tansy_problem const problem = {.n = 1,
                                   .np = 1,
                                   .y0 = &y0,
                                   .p = &k,
                                   .rhs = rhs,
                                   .jacobian = jacobian,
                                   .parameter_jacobian = parameter_jacobian};
    for (int way = TANSY_SIMULTANEOUS; way <= TANSY_DIRECT; way++) {
        tansy_options const options = {.method = TANSY_BDF,
                                       .sensitivities = (tansy_sensitivities)way,
                                       .rtol = 1e-12,
                                       .atol = 1e-12};
        double y = 0, s = 0;
        tansy_stats stats;
        tansy_solver *const solver = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(solver, t, &y, &s), TANSY_OK);
        tansy_get_stats(solver, &stats);
        tansy_free(solver);
        CHECK_CLOSE(y, y0 * exp(-k * t), 1e-10);
        CHECK_CLOSE(s, -t * y0 * exp(-k * t), 1e-10);
        CHECK(stats.steps < 500);
    }
}
