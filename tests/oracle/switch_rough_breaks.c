/* SPDX-License-Identifier: Apache-2.0 */
/* A branch that is 0/0 at its surface, which the solution meets at a break time or just before it: there is no room to leap over what is but
   rounding.  S is right, or it is told that it is not controlled. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

static const double promise = 1e-4; /* 100 rtol */

/* x passes 0 at t = 1/p = 1; breaks says what has its break there.  y(2) = q (1/p + 1/p int_0^(2p - 1) 2 (1 - cos u)/u^2 du). */
static void check(const char *breaks, tansy_method method)
{
    double const expected = -0.09378598316024303; /* dy/dp by mpmath */
    char text[400], report[6000];
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    double columns[SOLUTION_MOST][SOLUTION_MOST];
    tansy_problem problem;
    (void)snprintf(text, sizeof text,
                   "parameter p = 1, q = 0.7\n%s\nstate x = -1, y = 0\nx' = p*u\n"
                   "y' = q*(if x > 0 then 2*(1 - cos(x))/x^2 else 1)\n",
                   breaks);
    tansy_model *const m = model_of_text(text, &problem);
    tansy_options const o = {.method = method, .rtol = 1e-6, .max_step = 0.01};
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, 2, y, sens);
    CHECK(tansy_report(s, report, sizeof report) < sizeof report);
    model_solution_columns(&problem, sens, columns);
    double const found = columns[0][1];
    bool const right = status == TANSY_OK && fabs(found - expected) <= promise * fabs(expected);
    if (!right && !strstr(report, "is but rounding"))
        (void)printf("%s: %g, not %g\n%s\n", breaks, found, expected, report);
    CHECK(right || strstr(report, "is but rounding, as 0/0 is"));
    tansy_free(s);
    tansy_model_free(m);
}

TEST(a_surface_of_0_by_0_at_a_break_is_passed_well_or_told)
{
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_RK8, TANSY_ROSENBROCK};
    static const char *const after[] = {
        "1", "1.000000000000001", "1.0000000000001", "1.00000001", "1.0001", "1.002"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t x = 0; x < sizeof after / sizeof *after; x++) {
            char breaks[100];
            (void)snprintf(breaks, sizeof breaks,
                           "control u = {1, 1} piecewise constant at {0, %s, 2}", after[x]);
            check(breaks, methods[k]);
            (void)snprintf(breaks, sizeof breaks, "let u = if time >= %s then 1 else p/p",
                           after[x]);
            check(breaks, methods[k]);
        }
}
