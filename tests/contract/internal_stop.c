/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differences: f that wants to stop is obeyed in whatever call it says so, the looks at its rounding included; and
   columns that are larger than y by more than the root of the largest number. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "test.h"

static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX};
enum { METHODS = sizeof methods / sizeof *methods };

/* The call in which f wants to stop; once, unless it goes on to do so. */
struct wish {
    int calls, at;
    bool goes_on, was_told;
};

/* y' = -p y, in units of 2e-6, so that all looks are made. */
static int rounded(double t, const double *y, const double *p, double *f, void *context)
{
    struct wish *const wish = context;
    volatile double const large = 1e10 - p[0] * y[0];
    (void)t;
    f[0] = large - 1e10;
    bool const wants = ++wish->calls == wish->at || (wish->goes_on && wish->calls > wish->at);
    if (!wants) return 0;
    wish->was_told = true;
    return -1;
}

static void check_wishes(bool goes_on)
{
    enum { CALLS = 400 };
    static const double y0[] = {1}, p[] = {1};
    for (int m = 0; m < METHODS; m++)
        for (int at = 2; at < CALLS; at++) {
            struct wish wish = {.at = at, .goes_on = goes_on};
            tansy_problem const problem = {
                .n = 1, .np = 1, .y0 = y0, .p = p, .rhs = rounded, .context = &wish};
            tansy_solver *const s =
                tansy_create(&problem, &(tansy_options){.method = methods[m],
                                                        .sensitivities = TANSY_DIFFERENCE,
                                                        .max_steps = 50,
                                                        .rtol = 1e-3});
            double y = 0, sens = 0;
            tansy_status const status = tansy_solve(s, 1, &y, &sens);
            if (wish.was_told && status != TANSY_USER_STOPPED)
                printf("method %d, call %d: status %d\n", m, at, (int)status);
            CHECK(!wish.was_told || status == TANSY_USER_STOPPED);
            tansy_free(s);
        }
}

TEST(a_wish_to_stop_is_obeyed_in_every_call)
{
    check_wishes(false);
}

TEST(a_wish_to_stop_that_goes_on_is_obeyed)
{
    check_wishes(true);
}

/* y' = -q y + p z, z' = -0.1 z at p = 0, q = 1: y = exp(-t), dy/dp = (exp(-0.1 t) - exp(-t))/0.9, which is 1e161 y at t = 420. */
static int driven(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[1] * y[0] + p[0] * y[1];
    f[1] = -0.1 * y[1];
    return 0;
}

TEST(columns_may_be_1e161_times_y)
{
    static const double y0[] = {1, 1}, p[] = {0, 1}, scale[] = {1, 1};
    static const double rtol = 1e-4, t_end = 420;
    for (int m = 0; m < METHODS; m++) {
        tansy_problem const problem = {
            .n = 2, .np = 2, .y0 = y0, .p = p, .scale = scale, .rhs = driven};
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.method = methods[m],
                                                    .sensitivities = TANSY_DIFFERENCE,
                                                    .difference = TANSY_FOURTH_ORDER,
                                                    .norm = TANSY_MAX,
                                                    .rtol = rtol,
                                                    .atol = TANSY_NO_ATOL});
        double y[2] = {0}, sens[4] = {0};
        tansy_status const status = tansy_solve(s, t_end, y, sens);
        if (status < 0) printf("method %d: %s\n", m, tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
        CHECK_AT_MOST(fabs(sens[0] / (exp(-0.1 * t_end) / 0.9) - 1),
                      t_end * rtol); /* every step adds to it */
        tansy_free(s);
    }
}
