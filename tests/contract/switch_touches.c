/* SPDX-License-Identifier: Apache-2.0 */
/* A condition that is only touched is told with every method and tolerance, also where its g is a difference of states, whose error
   weights do not cancel; one that passes its edge by, or crosses it, by more than errors of y is not. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                       TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};

struct run {
    double w, sens; /* the time over the edge, and its derivative by a */
    bool told;
};

/* x = a sin(t), highest at pi/2; w: the time while the condition holds. */
static struct run solve(const char *condition, double a, tansy_method method, double rtol)
{
    char text[300], report[6000];
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    double columns[SOLUTION_MOST][SOLUTION_MOST];
    tansy_problem problem;
    snprintf(text, sizeof text,
             "parameter a = %.6f, p = 1\nstate x = 0, v = a, z = 1, w = 0\n"
             "x' = v\nv' = -x\nz' = 0*x\nw' = if %s then 1 else 0\n",
             a, condition);
    tansy_model *const m = model_of_text(text, &problem);
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-3 * rtol};
    tansy_solver *const s = tansy_create(&problem, &o);
    CHECK_EQUAL(tansy_solve(s, 3, y, sens), TANSY_OK);
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    model_solution_columns(&problem, sens, columns);
    tansy_free(s);
    tansy_model_free(m);
    return (struct run){y[3], columns[0][3], strstr(report, "only touches") != NULL};
}

static const char *const conditions[] = {"x > 1", "x > z", "x > z*p", "x - z + 1 > p", "z < x*p"};
enum { CONDITIONS = sizeof conditions / sizeof *conditions };

TEST(a_touch_is_told_with_every_method_and_tolerance)
{
    for (size_t c = 0; c < CONDITIONS; c++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
            for (int digits = 4; digits <= 10; digits++) {
                struct run const r = solve(conditions[c], 1, methods[k], pow(10, -digits));
                if (!r.told)
                    printf("%s, method %d, rtol = 1e-%d: w = %g, S = %g\n", conditions[c],
                           (int)methods[k], digits, r.w, r.sens);
                CHECK(r.told);
            }
}

/* Beside a touch by d = 0.01, and rtol = 1e-6: errors of y are at most 1e-4 (100 rtol). */
TEST(what_passes_by_or_crosses_is_no_touch)
{
    double const a = 1.01, high = acos(-1.0) - 2 * asin(1 / a);
    for (size_t c = 0; c < CONDITIONS; c++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            struct run const below = solve(conditions[c], 0.99, methods[k], 1e-6);
            struct run const above = solve(conditions[c], a, methods[k], 1e-6);
            CHECK(below.w == 0 && below.sens == 0 && !below.told);
            CHECK(!above.told);
            /* dw/da = 2/(a sqrt(a^2 - 1)); an error e of x at the edge is e/0.14 of w, and 1/0.14^2 times that of dw/da */
            CHECK_CLOSE(above.w, high, 1e-3);
            CHECK_CLOSE(above.sens, 2 / (a * sqrt(a * a - 1)), 1e-4 / pow(0.14, 3));
        }
}
