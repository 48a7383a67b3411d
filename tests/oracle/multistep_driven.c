/* SPDX-License-Identifier: Apache-2.0 */
/* A slow component that a stiff rate drives, by its closed form: y follows x^2 = exp(-2 k t) from the beginning, whatever L is, and z = y^2.
   What old factors leave of r in the row of y is no matter there, but is what z lacks. */
#include <math.h>
#include <stdio.h>

#include "support/model_solution.h"
#include "test.h"

static const char driven[] = "parameter L = %g, k = 1\nstate x = 1, y = 1, z = 1\n"
                             "let r = -L*(y - x^2) - 2*k*x^2\nx' = -k*x\ny' = r\n"
                             "z' = -(z - y^2) + 2*y*r\n";

enum { Z = 2, MOST_STEPS = 250 }; /* rtol 1e-6 takes 100 to 171 */

/* Single iterations with old factors left up to three tolerances: 692 steps and 58 rtol at t = 0.5 with bdf and L = 1e6, 210 rtol at 2. */
TEST(old_factors_leave_no_more_of_it_than_of_others)
{
    static const tansy_method methods[] = {TANSY_BDF, TANSY_DASSL};
    static const double ends[] = {0.5, 1, 2, 4}, stiffness[] = {1e5, 1e6, 1e7};
    double const rtol = 1e-6;
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++) {
                char text[512];
                (void)snprintf(text, sizeof text, driven, stiffness[k]);
                tansy_options const options = {.method = methods[m],
                                               .sensitivities = TANSY_NONE,
                                               .rtol = rtol,
                                               .atol = 1e-3 * rtol,
                                               .max_steps = MOST_STEPS};
                struct model_solution const s = model_solve(text, &options, ends[j]);
                printf("method %d, L = %g, t = %g: %.2g rtol\n", (int)methods[m], stiffness[k],
                       ends[j], fabs(s.y[Z] - exp(-4 * ends[j])) / rtol);
                CHECK_AT_MOST(fabs(s.y[Z] - exp(-4 * ends[j])), 15 * rtol);
            }
}
