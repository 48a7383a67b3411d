/* SPDX-License-Identifier: Apache-2.0 */
/* What a switching point of an implicit problem with S costs.  Whether the branch before it is 0/0 there is told by two values of F where it is not: the
   matrices, which every consistent solution takes anew, are not evaluated more often for it. */
#include <math.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 3 };

/* F = (a' - w b, b' + w a, z + z^3/10 - a (2 where a > 1/2, else 1)). */
static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] - p[0] * y[1];
    F[1] = yp[1] + p[0] * y[0];
    F[2] = y[2] + 0.1 * y[2] * y[2] * y[2] - y[0] * (1 + p[1]);
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    size_t *const calls = context;
    (void)t, (void)yp;
    J[1] = -p[0];
    J[3] = p[0];
    J[6] = -1 - p[1];
    J[8] = 1 + 0.3 * y[2] * y[2];
    ++*calls;
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *M,
                         void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    M[0] = M[4] = 1;
    return 0;
}

static int above(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)p, (void)context;
    g[0] = y[0] - 0.5;
    return 0;
}

/* a = sin t passes 1/2 at pi/6.  All that is decided there takes 13 consistent solutions of three matrices each, 40 with that of the step: six more would be seen. */
TEST(a_smooth_branch_before_a_surface_costs_no_matrices)
{
    static const double y0[N] = {0, 1, 0}, w = 1;
    enum { AT_MOST = 45 };
    size_t calls = 0;
    double y[N], S[N];
    tansy_problem const problem = {.n = N,
                                   .np = 1,
                                   .p = &w,
                                   .y0 = y0,
                                   .context = &calls,
                                   .residual = residual,
                                   .residual_jacobian = jacobian,
                                   .rate_jacobian = rate_jacobian,
                                   .switches = 1,
                                   .switch_function = above};
    tansy_options const options = {
        .method = TANSY_DASSL, .rtol = 1e-6, .atol = 1e-9, .use_stop_time = 1, .stop_time = 0.53};
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&problem, &options);
    do {
        calls = 0;
        CHECK(tansy_step(s, 0.53, NULL, NULL) >= 0);
        tansy_get_stats(s, &stats);
    } while (stats.switches == 0);
    size_t const at_the_surface = calls;
    CHECK_EQUAL(tansy_solve(s, 0.53, y, S), TANSY_OK);
    tansy_free(s);
    CHECK_AT_MOST((double)at_the_surface, AT_MOST);
    CHECK_CLOSE(S[0], 0.53 * cos(0.53), 100e-6);
}
