/* SPDX-License-Identifier: Apache-2.0 */
/* A condition of an index-2 problem that depends on the multiplier in one mode only: in the other one bounds of it count again.
     x' = z, 0 = x - 1 - sin t    z = cos t    g_0 = 0.5 - t,  g_1 = 100 - (g_0 >= 0 ? z : x) */
#include "drive/solver.h"
#include "test.h"

#include <math.h>

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)p;
    (void)context;
    F[0] = yp[0] - y[1];
    F[1] = y[0] - 1 - sin(t);
    return 0;
}

static int conditions(double t, const double *y, const double *p, double *g, void *context)
{
    (void)context;
    g[0] = 0.5 - t;
    g[1] = 100 - (p[0] != 0 ? y[1] : y[0]);
    return 0;
}

static int ranges(const tansy_box *box, const double *p, const tansy_bounds *bounds, void *context)
{
    size_t const i = p[0] != 0 ? 1 : 0;
    (void)context;
    bounds->low[0] = 0.5 - box->t_high;
    bounds->high[0] = 0.5 - box->t_low;
    bounds->rate_low[0] = bounds->rate_high[0] = -1;
    bounds->low[1] = 100 - box->y_high[i];
    bounds->high[1] = 100 - box->y_low[i];
    bounds->rate_low[1] = -box->slope_high[i];
    bounds->rate_high[1] = -box->slope_low[i];
    return 0;
}

TEST(bounds_count_again_when_a_condition_no_longer_depends_on_a_multiplier)
{
    static const double y0[] = {1, 1};
    static const tansy_kind kinds[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    tansy_problem const problem = {.n = 2,
                                   .y0 = y0,
                                   .residual = residual,
                                   .kind = kinds,
                                   .switches = 2,
                                   .switch_function = conditions,
                                   .switch_range = ranges};
    double y[2];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-5});
    CHECK_EQUAL(tansy_solve(s, 0.25, y, NULL), TANSY_OK);
    CHECK_EQUAL(s->events.vagues, 1);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[0], 1 + sin(1), 1e-3);
    CHECK_EQUAL(s->events.softs, 0);
    CHECK_EQUAL(s->events.vagues, 0);
    CHECK_EQUAL(s->events.vague[1], 0);
    tansy_free(s);
}
