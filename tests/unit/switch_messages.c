/* SPDX-License-Identifier: Apache-2.0 */
/* What was tried on the way and forgiven leaves no message: a run that succeeds has none; and a start that fails still says why. */
#include <tansy/tansy.h>

#include <math.h>

#include "support/model_solution.h"
#include "test.h"

static void check_silent(const char *text, tansy_method method, double t, double y, double sens)
{
    tansy_problem problem;
    double end[SOLUTION_MOST], columns[SOLUTION_MOST * SOLUTION_MOST];
    tansy_model *const m = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = method});
    CHECK_EQUAL(tansy_solve(s, t, end, columns), TANSY_OK);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK(tansy_message(s)[0] == '\0');
    CHECK_CLOSE(end[0], y, 1e-4);
    CHECK_CLOSE(columns[0], sens, 1e-3);
    tansy_free(s);
    tansy_model_free(m);
}

/* The guess a = 0 has no z with the condition a > 0 as it is where a = -p; later a rises above 0 at x = p/2. */
TEST(modes_that_were_tried_leave_no_message)
{
    check_silent("parameter p = 1\nstate x = 0\nalgebraic a = 0, z = 1\n"
                 "x' = z\n0 = a + p\n0 = z - sqrt(max(a, 0) + 0.01)\n",
                 TANSY_METHOD_AUTO, 1, 0.1, 0);
    check_silent("parameter p = 1\nstate x = -1\nalgebraic a = 0, z = 1\nx' = 1 + 0*z\n"
                 "0 = a + p - 2*max(x, 0)\n"
                 "0 = z - sqrt(max(a, 0) + 0.01) - (if x > 0.2 then 1 else 0)\n",
                 TANSY_METHOD_AUTO, 3, 2, 0);
}

/* x' = p + sqrt(x) from 0: with r = sqrt(x), t = 2 r - 2 p log(1 + r/p), and dx/dp from dt = 0. */
TEST(a_start_beside_an_infinite_derivative_leaves_no_message)
{
    double const p = 1, t = 1;
    double r = 1;
    for (int k = 0; k < 60; k++)
        r -= (2 * r - 2 * p * log(1 + r / p) - t) * (p + r) / (2 * r); /* Newton's method */
    double const by_p = -2 * log(1 + r / p) + 2 * r / (p + r), by_r = 2 * r / (p + r);
    check_silent("parameter p = 1\nstate x = 0\nx' = p + sqrt(abs(x))\n", TANSY_RK8, t, r * r,
                 -2 * r * by_p / by_r);
}

/* Beyond x = 0.5 there is no z. */
TEST(values_that_do_not_exist_are_explained)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text("parameter p = 1\nstate x = 0\nalgebraic z = 1\nx' = z\n"
                                         "0 = z*z - p + (if x > 0.5 then 2 else 0)\n",
                                         &problem);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_INCONSISTENT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "starting anew: no consistent");
    CHECK_CLOSE(tansy_time(s), 0.5, 1e-4); /* x = t */
    tansy_free(s);
    tansy_model_free(m);
}
