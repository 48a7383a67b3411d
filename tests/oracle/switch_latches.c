/* SPDX-License-Identifier: Apache-2.0 */
/* A condition that is crossed with full speed and left again at once, as what it sets going sends the solution back: C rises to c at T1, the latch M is through at T2 = T1 + 0.5/k, and from there on
   C falls.  Nothing is one-sided: with r = R - a c the rate at T1,
     dC/dc = (R - 0.2) exp(-a (t - T2))/r. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TEXT = 4000, STATES = 2 };
static const double R = 5, a = 0.4, c = 2, end = 3;

static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF,   TANSY_DASSL,
                                       TANSY_ROSENBROCK,  TANSY_LIMEX, TANSY_ADAMS,
                                       TANSY_RK8};
enum { METHODS = sizeof methods / sizeof *methods };

/* y and dy/dc at the end; true: something only touches its surface. */
static bool solve(const char *text, const tansy_options *o, double *y, double *S)
{
    tansy_problem problem;
    char report[TEXT];
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, o);
    CHECK_EQUAL(tansy_solve(s, end, y, S), TANSY_OK);
    (void)tansy_report(s, report, sizeof report);
    tansy_free(s);
    tansy_model_free(model);
    return strstr(report, "only touches") != NULL;
}

TEST(what_sends_itself_back_does_not_only_touch)
{
    static const double k[] = {1e2, 1e3, 1e4, 1e6}, rtol[] = {1e-4, 1e-6};
    for (int x = 0; x < 4 * 2 * METHODS; x++) {
        tansy_options const o = {
            .method = methods[x / 8], .rtol = rtol[x % 2], .atol = 1e-9, .max_step = 0.05};
        double const T2 = log(R / (R - a * c)) / a + 0.5 / k[x / 2 % 4];
        double const right = (R - 0.2) * exp(-a * (end - T2)) / (R - a * c);
        double y[STATES], S[STATES];
        char text[TEXT];
        (void)snprintf(text, sizeof text,
                       "parameter c = 2\nstate C = 0, M = 0\nM' = if C > c then %g else 0\n"
                       "C' = (if M > 0.5 then 0.2 else 5) - 0.4*C\n",
                       k[x / 2 % 4]);
        CHECK(!solve(text, &o, y, S));
        CHECK_CLOSE(S[0], right, 100 * o.rtol * fmax(right, y[0] / c));
    }
}

/* A clock sends x back, whatever it has crossed: with c a little larger it does not cross at all. */
TEST(what_a_clock_sends_back_does)
{
    for (int m = 0; m < METHODS; m++) {
        tansy_options const o = {
            .method = methods[m], .rtol = 1e-6, .atol = 1e-9, .max_step = 0.05};
        double y[STATES], S[STATES];
        CHECK(solve("parameter c = 0.9999999\nstate x = 0, z = 0\n"
                    "x' = if time < 1 then 1 else -1\nz' = if x > c then 1e3 else 0\n",
                    &o, y, S));
    }
}

/* Without hysteresis a relay behind a lag turns ever faster: that is what steps are spent on, and it is said. */
TEST(what_turns_ever_faster_is_named)
{
    for (int m = 0; m < METHODS; m++) {
        tansy_options const o = {
            .method = methods[m], .rtol = 1e-6, .atol = 1e-9, .max_step = 0.006, .max_steps = 5000};
        tansy_problem problem;
        tansy_model *const model = model_of_text("parameter k = 20\nstate P = 1, s = 0\n"
                                                 "s' = ((if P > 2 then 1 else 0) - s)/0.01\n"
                                                 "P' = 1.5 - k*0.06*s*P - 0.1*P\n",
                                                 &problem);
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[STATES], S[STATES];
        CHECK_EQUAL(tansy_solve(s, 1.2, y, S), TANSY_TOO_MANY_STEPS);
        CHECK(strstr(tansy_message(s), "turns ever faster") != NULL);
        tansy_free(s);
        tansy_model_free(model);
    }
}
