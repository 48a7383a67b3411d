/* SPDX-License-Identifier: Apache-2.0 */
/* A dose as a short infusion that begins at T, a parameter, where elimination is not linear: inside S is as large as the infusion is fast, up to 1e7, and what
   counts is what both of its ends leave.  Nothing depends on t but by t - T, so that behind it dA/dT = -A' and, of the integral, dU/dT = -U' = -A. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>

#include "support/model_solution.h"
#include "test.h"

static const double T = 3.3, vmax = 10, km = 5;

static const char explicit_form[] =
    "parameter T = 3.3\nconstant dur = %g, vmax = 10, km = 5\nstate A = 0, U = 0\n"
    "A' = (if time >= T and time < T + dur then 100/dur else 0) - vmax*A/(km + A)\nU' = A\n";
static const char implicit_form[] =
    "parameter T = 3.3\nconstant dur = %g, vmax = 10, km = 5\nstate A = 0, U = 0\nalgebraic q = 0\n"
    "A' = (if time >= T and time < T + dur then 100/dur else 0) - q\nU' = A\n0 = q*(km + A) - "
    "vmax*A\n";
static const char as_control[] =
    "parameter T = 3.3\nconstant dur = %g, vmax = 10, km = 5\nstate A = 0, U = 0\n"
    "control r = {0, 100/dur, 0} piecewise constant at {0, T, T + dur, 24}\n"
    "A' = r - vmax*A/(km + A)\nU' = A\n";

/* Begun and ended by states: x = exp(-k t) comes to c at T = -log(c)/k, so that dT/dc = -1/(k c). */
static const char by_states[] =
    "parameter c = 0.3715766910220457\nconstant k = 0.3, dur = %g, vmax = 10, km = 5\n"
    "state A = 0, U = 0, x = 1, m = 0\nlet dose = if x < c and m < 100 then 100/dur else 0\n"
    "x' = -k*x\nm' = dose\nA' = dose - vmax*A/(km + A)\nU' = A\n";
static const char by_states_implicit[] =
    "parameter c = 0.3715766910220457\nconstant k = 0.3, dur = %g, vmax = 10, km = 5\n"
    "state A = 0, U = 0, x = 1, m = 0\nalgebraic q = 0\n"
    "let dose = if x < c and m < 100 then 100/dur else 0\n"
    "x' = -k*x\nm' = dose\nA' = dose - q\nU' = A\n0 = q*(km + A) - vmax*A\n";
static const double by_time = 1, by_c = -1 / (0.3 * 0.3715766910220457);

/* In the norm of DESIGN 12, A being up to 100; one rounding of t is worth eps T/dur of S.  The rate is dT/dp. */
static void check(const char *form, double rate, double dur, const tansy_options *o)
{
    static const double times[] = {3.6, 8};
    char text[400];
    (void)snprintf(text, sizeof text, form, dur);
    for (int x = 0; x < 2; x++) {
        struct model_solution const r = model_solve(text, o, times[x]);
        double const A = r.y[0], by_A = vmax * A / (km + A), promise = 100 * o->rtol;
        double const off_A = fabs(r.sens[0][0] / rate - by_A) * T / (by_A * T + 0.1);
        double const off_U = fabs(r.sens[0][1] / rate + A) * T / (A * T + 1e-3 * r.y[1]);
        if (!(off_A <= promise && off_U <= promise))
            printf("method %d, rtol %g, %g long: A %.2g, U %.2g rtol\n", (int)o->method, o->rtol,
                   dur, off_A / o->rtol, off_U / o->rtol);
        CHECK_AT_MOST(off_A, promise);
        CHECK_AT_MOST(off_U, promise);
    }
}

static const double lengths[] = {1e-2, 1e-3, 1e-4, 1e-5};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void check_all(const char *form, double rate, const tansy_method *methods, size_t count)
{
    for (size_t m = 0; m < count; m++)
        for (size_t k = 0; k < LENGTHS; k++)
            for (double rtol = 1e-4; rtol > 0.9e-6; rtol /= 100)
                check(form, rate, lengths[k],
                      &(tansy_options){
                          .method = methods[m], .rtol = rtol, .atol = 1e-9, .max_step = 0.12});
}

TEST(S_with_respect_to_the_time_of_a_short_dose_is_right)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF,   TANSY_DASSL, TANSY_RK8,
                                           TANSY_ROSENBROCK,  TANSY_LIMEX, TANSY_ADAMS};
    check_all(explicit_form, by_time, methods, sizeof methods / sizeof *methods);
}

TEST(so_it_is_in_implicit_problems)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    check_all(implicit_form, by_time, methods, sizeof methods / sizeof *methods);
}

TEST(so_it_is_where_the_dose_is_a_level_of_a_control)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_ROSENBROCK};
    check_all(as_control, by_time, methods, sizeof methods / sizeof *methods);
}

TEST(so_it_is_where_states_begin_and_end_the_dose)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF,   TANSY_RK8,
                                           TANSY_ROSENBROCK,  TANSY_LIMEX, TANSY_ADAMS};
    static const tansy_method implicit[] = {TANSY_ROSENBROCK, TANSY_LIMEX, TANSY_DASSL};
    check_all(by_states, by_c, methods, sizeof methods / sizeof *methods);
    check_all(by_states_implicit, by_c, implicit, sizeof implicit / sizeof *implicit);
}
