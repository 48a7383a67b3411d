/* SPDX-License-Identifier: Apache-2.0 */
/* y' = -k y at tolerances near roundoff: the columns keep all the digits that were asked for. */
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

/* dy/dk = -t y0 exp(-k t).  The promise at rtol = atol = 1e-12 is 1e-10; five hundred steps of order 5 do it. */
TEST(bdf_at_1e_12_gives_the_column_to_1e_10_in_under_500_steps)
{
    const struct test_problem *const decay = problem_find("decay");
    tansy_problem problem = decay->problem;
    problem.columns = NULL; /* k alone */
    problem.ns = 0;
    double const k = problem.p[0], y0 = problem.y0[0], t = 4;
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
