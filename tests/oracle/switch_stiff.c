/* SPDX-License-Identifier: Apache-2.0 */
/* A condition on a stiff component: z' = -L (z - cos wt) - w sin wt, z = cos wt, and n' = 1 while z > c.  f at the switching point has the error of z
   times L in it; dT/dc follows from the slope of the solution, -w sin wt: every one of the switches adds -1/(w sqrt(1 - c^2)) to dn/dc. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

static const double w = 1.63, c = 0.6, end = 20, rtol = 1e-6;

/* Switches before t = end, and the time with z > c. */
static int count(double *above)
{
    double const turn = 2 * acos(-1) / w, half = acos(c) / w;
    int switches = 0;
    *above = 0;
    for (int k = 0; k * turn - half < end; k++) {
        double const from = fmax(k * turn - half, 0), to = fmin(k * turn + half, end);
        *above += to - from;
        switches += (from > 0) + (to < end);
    }
    return switches;
}

TEST(switching_times_of_stiff_components_have_their_derivatives)
{
    static const tansy_method methods[] = {TANSY_BDF, TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    double above = 0;
    int const switches = count(&above);
    double const right = -switches / (w * sqrt(1 - c * c));
    for (int digits = 2; digits <= 10; digits += 2)
        for (size_t x = 0; x < sizeof methods / sizeof *methods; x++) {
            char text[300];
            (void)snprintf(text, sizeof text,
                           "parameter L = 1e%d, w = 1.63, c = 0.6\nstate z = 1, n = 0\n"
                           "z' = -L*(z - cos(w*time)) - w*sin(w*time)\n"
                           "n' = if z > c then 1 else 0\ntime 0 .. 20",
                           digits);
            tansy_model *const m = tansy_model_parse(text, strlen(text), "stiff switch");
            tansy_options const options = {
                .method = methods[x], .rtol = rtol, .atol = 1e-9, .max_step = end / 200};
            tansy_problem problem;
            tansy_stats stats;
            double y[2], S[6];
            CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, end, y, S), TANSY_OK);
            tansy_get_stats(s, &stats);
            tansy_free(s);
            tansy_model_free(m);
            CHECK_EQUAL(stats.switches, switches);
            CHECK_CLOSE(y[1], above, 100 * rtol * above);
            CHECK_CLOSE(S[5], right, 100 * rtol * fabs(right));
        }
}

/* A heater that is switched on by a sensor of 1.3 us, and stopped half way when the temperature is back: dq/d(lo) = 0.13 is what is left of 160 - 160, so that errors of dT/dp count 1200
   times.  bdf, dassl and rosenbrock agree on dT/d(lo) to 2e-6 at rtol of 1e-8; with f instead of the slope limex is wrong by 3e-4 to 2e-3 at any rtol.
   Rounding, eps 18/1.3e-6 of m' = 1.1, is 4e-6 of it. */
TEST(limex_takes_the_slope_of_its_stiff_rows)
{
    static const char text[] =
        "parameter lo = 18\nstate T = 18.5, q = -1, m = 18.5\nT' = 3.8*(q/2 + 0.5) - 0.2*(T - 10)\n"
        "m' = (T - m)/1.31e-6\nq' = if m < lo then (1 - q)/0.00231 else 0\ntime 0 .. 2\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "sensor");
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    for (int digits = 5; digits <= 10; digits++) {
        double y[3], S[3];
        tansy_options const options = {
            .method = TANSY_LIMEX, .rtol = pow(10, -digits), .atol = 1e-9, .max_step = 0.01};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 2, y, S), TANSY_OK);
        tansy_free(s);
        CHECK_CLOSE(S[0], 1.557124, fmax(1200 * options.rtol, 3e-5));
    }
    tansy_model_free(m);
}
