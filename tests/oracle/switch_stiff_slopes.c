/* SPDX-License-Identifier: Apache-2.0 */
/* A condition on a quasi-steady component, c' = (s/(K + s) - c)/e: at the switching point f has the error of c over e in it, up to all of c', and so would have dT/dp.  The same model with
   c = q - e q', q = s/(K + s), which is right to e^2, has no stiff component. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TEXT = 1000 };
static const double end = 10;

static const tansy_method stiff[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK,
                                     TANSY_LIMEX};
enum { STIFF = sizeof stiff / sizeof *stiff };

#define INFLOW "0.5 + 0.4*sin(1.37*time)"
#define HEAD   "parameter a = 1.76, th = 0.2575\nconstant e = %g, K = 0.704\n"
#define TAIL   "s' = (" INFLOW " - a*c)/2.92\nz' = (if c > th then s else 0.5*s) - z\n"

static struct model_solution solve(const char *format, double e, tansy_method method, double rtol)
{
    char text[TEXT];
    tansy_options const o = {.method = method, .rtol = rtol, .atol = rtol};
    (void)snprintf(text, sizeof text, format, e);
    return model_solve(text, &o, end);
}

static void check(double e, double rtol, double most)
{
    static const double p[] = {1.76, 0.2575};
    struct model_solution const right =
        solve(HEAD "state s = 1, z = 1\nlet q = s/(K + s)\n"
                   "let c = q - e*K/(K + s)^2*(" INFLOW " - a*q)/2.92\n" TAIL,
              e, TANSY_ROSENBROCK, 1e-12);
    for (int m = 0; m < STIFF; m++) {
        struct model_solution const x =
            solve(HEAD "state s = 1, z = 1, c = 1/1.704\n" TAIL "c' = (s/(K + s) - c)/e\n", e,
                  stiff[m], rtol);
        for (int k = 0; k < 2; k++) {
            double const unit = fabs(right.sens[k][1]) + fabs(right.y[1]) / p[k];
            CHECK_CLOSE(x.sens[k][1], right.sens[k][1], most * rtol * unit);
        }
    }
}

TEST(a_quasi_steady_component_turns_its_condition_in_time)
{
    check(1e-5, 1e-6, 100);
    check(1e-6, 1e-6, 100);
    check(1.75e-8, 1e-6, 100);
}

TEST(so_it_does_with_small_tolerances)
{
    check(1e-5, 1e-9, 100);
    check(1.75e-8, 1e-9, 100);
}
