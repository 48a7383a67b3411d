/* SPDX-License-Identifier: Apache-2.0 */
/* A tank that runs out through a pipe above its bottom, h' = q - c sqrt(max(h - hp, 0)): df/dh is infinite behind the condition, not before it.  With u = sqrt(h - hp), from T = (hp - h0)/q on
     t - T = -(2/c) (u + (q/c) log(1 - c u/q)),
   from which S follows.  It is right, steps grow at once, and nothing is said of 0/0. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double q = 1, hp = 0.5, c = 0.3, h0 = 0.2, end = 3;

/* h, dh/dq, dh/dhp, dh/dc at `end`. */
static void solve_exactly(double *h)
{
    double const T = (hp - h0) / q;
    double u = 1, L = 0;
    for (int k = 0; k < 50; k++) {
        L = log1p(-c * u / q);
        u -= (-2 / c * (u + q / c * L) - (end - T)) * (q - c * u) / (2 * u);
    }
    double const rest = 1 - c * u / q, F_u = 2 * u / (q - c * u);
    double const F_q = -2 / (c * c) * (L + c * u / q / rest);
    double const F_c = 2 * u / (c * c) * (1 + 1 / rest) + 4 * q / (c * c * c) * L;
    h[0] = hp + u * u;
    h[1] = 2 * u * (T / q - F_q) / F_u;
    h[2] = 1 - 2 * u / (q * F_u);
    h[3] = -2 * u * F_c / F_u;
}

static void check(const char *flow, tansy_method method, double rtol)
{
    tansy_options const o = {
        .method = method, .rtol = rtol, .atol = 1e-3 * rtol, .max_step = 0.015, .max_steps = 2000};
    char text[300], report[8192];
    double h = 0, S[3] = {0}, exact[4];
    tansy_problem problem;
    (void)snprintf(text, sizeof text,
                   "parameter q = 1, hp = 0.5, c = 0.3\nstate h = 0.2\nh' = q - %s\n", flow);
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, &o);
    tansy_status const status = tansy_solve(s, end, &h, S);
    if (status != TANSY_OK) puts(tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    solve_exactly(exact);
    CHECK_CLOSE(h, exact[0], 100 * rtol);
    for (int k = 0; k < 3; k++) CHECK_CLOSE(S[k], exact[k + 1], 100 * rtol);
    (void)tansy_report(s, report, sizeof report);
    CHECK(!strstr(report, "warning"));
    tansy_free(s);
    tansy_model_free(model);
}

static const char *const flows[] = {"c*sqrt(max(h - hp, 0))",
                                    "(if h > hp then c*sqrt(h - hp) else 0)",
                                    "(if h > hp then c*sqrt(max(h - hp, 0)) else 0)"};
static const tansy_method methods[] = {TANSY_RK8,   TANSY_BDF,   TANSY_ADAMS,
                                       TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};

TEST(a_pipe_above_the_bottom_begins_to_flow)
{
    for (int f = 0; f < 3; f++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            for (double rtol = 1e-4; rtol > 5e-8; rtol /= 10) check(flows[f], methods[m], rtol);
}

/* As another machine would round. */
TEST(a_pipe_flows_whatever_rounding_is)
{
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int k = 1; k <= 20; k += TEST_STRIDE)
            check(flows[k % 3], methods[m], 1e-6 * (1 + 1e-9 * k));
}
