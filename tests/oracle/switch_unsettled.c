/* SPDX-License-Identifier: Apache-2.0 */
/* A condition on a stiff component c is turned where the dense output has its root, and c itself comes across it a little later.  Meanwhile another condition turns, on z, which is faster
   than that: it must not wait, as z - c is far beyond its root then, and S has lost all that z left behind.  References by rosenbrock at rtol = 1e-10 and dassl at 1e-9. */
#include <math.h>
#include <stdbool.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

static const tansy_method stiff[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK,
                                     TANSY_LIMEX};
enum { STIFF = sizeof stiff / sizeof *stiff, W = 3 };

/* dw/da, dw/dK, dw/dth at the end. */
static void check(const char *model, double end, const double right[3])
{
    static const double p[] = {1.37, 0.889, 1.02};
    for (int x = 0; x < 2 * STIFF; x++)
        for (int digits = 4; digits <= 6; digits++) {
            int const m = x / 2;
            bool const automatic = x % 2;
            /* rosenbrock at 1e-4 is 9 % off with automatic atol: a known fault, in the yardstick as
               stiff_relay */
            if (automatic && stiff[m] == TANSY_ROSENBROCK && digits == 4) continue;
            double const rtol = pow(10, -digits);
            tansy_options const o = {
                .method = stiff[m], .rtol = rtol, .atol = automatic ? TANSY_AUTO_ATOL : 1e-9};
            struct model_solution const s = model_solve(model, &o, end);
            for (int k = 0; k < 3; k++) {
                double const unit = fmax(fabs(right[k]), fabs(s.y[W]) / p[k]);
                CHECK_CLOSE(s.sens[k][W], right[k], 100 * rtol * unit);
            }
        }
}

#define HEAD "parameter a = 1.37, K = 0.889, th = 1.02\n"

TEST(another_condition_turns_before_the_first_has_settled)
{
    check(HEAD "constant e1 = 5.34e-6, e2 = 1.5e-4\nstate s = 1, c = 0, z = 0, w = 0\n"
               "s' = (0.5 + 0.4*sin(0.193*time) - c*a)/20.7\nc' = (s/(K + s) - c)/e1\n"
               "z' = ((if c > th*0.5 then s else -s) - z)/e2\nw' = (abs(z - c) - w*z)/34.5\n",
          103.4, (const double[]){-10.2074125, 15.8592384, 14.2102085});
}
