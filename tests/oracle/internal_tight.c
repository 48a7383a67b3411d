/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differences at small tolerances: right where f varies far faster with a parameter than its size says, as a linear control
   does with a time of its grid; and where they cannot be right, or a run stops, report and message say so and name `tangent`. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX};
static const char *const names[] = {"rk8", "rosenbrock", "limex"};
enum { METHODS = sizeof methods / sizeof *methods };

/* u rises from 0 at s to 1 at 0.75: x = (0.75 - s)/3 + t - 0.75, dx/ds = -1/3. */
static const char ramp[] = "parameter s = 0.73\n"
                           "control u = {0, 0, 1, 1} piecewise linear at {0, s, 0.75, 1}\n"
                           "state x = 0\n"
                           "x' = u^2\n";

/* Increments of 7e-4 of s are a 40th of the rise: with them rk8 was wrong by 214 rtol. */
TEST(columns_of_grid_times_are_right_at_small_tolerances)
{
    for (int m = 0; m < METHODS; m++)
        for (double rtol = 1e-6; rtol > 0.9e-8; rtol /= 10) {
            struct model_solution const s =
                model_solve(ramp,
                            &(tansy_options){.method = methods[m],
                                             .sensitivities = TANSY_DIFFERENCE,
                                             .rtol = rtol,
                                             .atol = 1e-3 * rtol},
                            0.9);
            double const e = fabs(s.sens[0][0] + 1.0 / 3) / rtol;
            if (e > 10) printf("%s, rtol %.0e: %.3g rtol\n", names[m], rtol, e);
            CHECK_AT_MOST(e, 100.0 / 3);
        }
}

/* y' = -p y; *context: in units of 2e-6. */
static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    volatile double const large = 1e10 - p[0] * y[0];
    (void)t;
    f[0] = *(const bool *)context ? large - 1e10 : -p[0] * y[0];
    return 0;
}

enum { ROOM = 8000 };

struct result {
    tansy_status status;
    char report[ROOM], message[ROOM];
};

static struct result run(bool is_rounded, tansy_options options)
{
    static const double y0[] = {1}, p[] = {1};
    struct result r;
    tansy_problem const problem = {
        .n = 1, .np = 1, .y0 = y0, .p = p, .rhs = decay, .context = &is_rounded};
    tansy_solver *const s = tansy_create(&problem, &options);
    r.status = tansy_solve(s, 1, NULL, NULL);
    tansy_report(s, r.report, sizeof r.report);
    (void)snprintf(r.message, sizeof r.message, "%s", tansy_message(s));
    tansy_free(s);
    return r;
}

TEST(columns_tested_below_the_root_of_rounding_are_told)
{
    static const char warning[] = "below the root of the rounding unit";
    for (int m = 0; m < METHODS; m++)
        for (double rtol = 1e-7; rtol > 0.9e-8; rtol /= 10) {
            tansy_options options = {.method = methods[m],
                                     .sensitivities = TANSY_DIFFERENCE,
                                     .rtol = rtol,
                                     .atol = rtol};
            bool const small = rtol < 1.5e-8;
            CHECK_EQUAL(strstr(run(false, options).report, warning) != NULL, small);
            options.error_control = TANSY_STATE_ONLY;
            CHECK_EQUAL(strstr(run(false, options).report, warning) != NULL, false);
            options.error_control = TANSY_EACH_COLUMN;
            options.sensitivities = TANSY_SENSITIVITIES_AUTO;
            CHECK_EQUAL(strstr(run(false, options).report, warning) != NULL, false);
        }
}

TEST(runs_that_stop_name_differences_and_tangent)
{
    for (int m = 0; m < METHODS; m++) {
        double const column[] = {1e-7};
        tansy_options options = {.method = methods[m],
                                 .sensitivities = TANSY_DIFFERENCE,
                                 .rtol = 1e-3,
                                 .rtol_column = column,
                                 .max_error_failures = 1};
        struct result const failed = run(true, options);
        CHECK_EQUAL(failed.status, TANSY_STEP_TOO_SMALL);
        CHECK_TEXT_CONTAINS(failed.message, "internal differences");
        CHECK_TEXT_CONTAINS(failed.message, "sensitivities = tangent");
        options.max_error_failures = 0;
        options.max_steps = 200;
        struct result const endless = run(true, options);
        CHECK_EQUAL(endless.status, TANSY_TOO_MANY_STEPS);
        CHECK_TEXT_CONTAINS(endless.message, "internal differences");
        CHECK_TEXT_CONTAINS(endless.message, "sensitivities = tangent");
    }
}
