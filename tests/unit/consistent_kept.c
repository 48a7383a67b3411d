/* SPDX-License-Identifier: Apache-2.0 */
/* keep_initial: x' = -x, z = p x with given values that are consistent to the tolerances, bit for bit, or are refused. */
#include "test.h"

#include <tansy/tansy.h>

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    (void)context;
    F[0] = yp[0] + y[0];
    F[1] = y[1] - p[0] * y[0];
    return 0;
}

static const char *const states[] = {"x", "z"}, *const parameters[] = {"gain"};
static const double p[] = {2}, off = 1e-6; /* in z, whose weight is rtol 2 = 2e-6 and more */

static tansy_solver *start(const double *y0)
{
    static const double yp0[] = {-1, 0};
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .yp0 = yp0,
                                   .p = p,
                                   .residual = residual,
                                   .state_names = states,
                                   .parameter_names = parameters};
    return tansy_create(&problem, &(tansy_options){.rtol = 1e-6, .keep_initial = 1});
}

TEST(kept_values_are_not_moved)
{
    double const y0[] = {1, 2 + off};
    double y[2], S[2];
    tansy_solver *const s = start(y0);
    CHECK_EQUAL(tansy_initialise(s, y, NULL, S, NULL), TANSY_OK);
    CHECK(y[0] == y0[0] && y[1] == y0[1]);
    CHECK_CLOSE(S[1], 1, 1e-6); /* was not given */
    CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
    CHECK_CLOSE(y[1], 2 * 0.36787944117144233, 1e-4);
    CHECK_CLOSE(S[1], 0.36787944117144233, 1e-4);
    tansy_free(s);
}

TEST(kept_columns_are_not_moved)
{
    double const y0[] = {1, 2}, S0[] = {0, 1 + off / 2};
    double S[2];
    tansy_solver *const s = start(y0);
    CHECK_EQUAL(tansy_restart(s, 0, y0, NULL, S0), TANSY_OK);
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, S, NULL), TANSY_OK);
    CHECK(S[0] == S0[0] && S[1] == S0[1]);
    tansy_free(s);
}

TEST(kept_columns_that_are_inconsistent_are_refused)
{
    double const y0[] = {1, 2}, S0[] = {0, 5};
    tansy_solver *const s = start(y0);
    CHECK_EQUAL(tansy_restart(s, 0, y0, NULL, S0), TANSY_INCONSISTENT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "z in d/d(gain) is 5 but should be near 1");
    tansy_free(s);
}
