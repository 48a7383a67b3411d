/* SPDX-License-Identifier: Apache-2.0 */
/* Products whose parts are out of the range of numbers though the whole is not: numbers are gathered only where that is safe. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

/* y(1) of y' = f with x and z at rest. */
static double integral_of(const char *f, double x, double z)
{
    char text[300];
    double y[3] = {0, 0, (double)NAN};
    tansy_problem problem;
    (void)snprintf(text, sizeof text,
                   "state x = %.17g, z = %.17g, y = 0\nx' = 0\nz' = 0\ny' = %s\n", x, z, f);
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = TANSY_ADAMS});
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
    tansy_free(s);
    tansy_model_free(m);
    return y[2];
}

TEST(numbers_out_of_range_together_stay_apart)
{
    CHECK_CLOSE(integral_of("1e200*(1e200*x)", 1e-300, 1), 1e100, 1e90);
    CHECK_CLOSE(integral_of("z - 1e-200*(1e-200*x)*1e100", 1e300, 2), 1, 1e-9);
    CHECK_CLOSE(integral_of("(1e-200*x)*(1.25e-122*z)", 1e200, 1e122), 1.25, 1e-9);
}
