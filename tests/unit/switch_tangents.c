/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_check() looks at the tangents of the switches too, and tangents given are as good as differences. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <tansy/tansy.h>

/* Two switch functions of two states and two parameters; what is added to one entry of their tangents. */
struct user {
    double wrong_y, wrong_p, wrong_t;
    int fails;
};

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = (p[2] != 0 ? -1 : -2) * y[0];
    f[1] = p[0] * y[0] + (p[3] != 0 ? 1 : 0);
    return 0;
}

static int switches(double t, const double *y, const double *p, double *g, void *context)
{
    (void)context;
    g[0] = y[0] * y[0] - p[1] * sin(t);
    g[1] = y[1] - exp(p[0] * t) + 0.25;
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *gt, double *G, void *context)
{
    const struct user *const user = context;
    double const e = exp(p[0] * t);
    gt[0] = -p[1] * cos(t) + user->wrong_t;
    gt[1] = -p[0] * e;
    for (size_t k = 0; k < columns; k++) {
        G[k] = (2 * y[0] + user->wrong_y) * V[k] - sin(t) * U[ld + k];
        G[ld + k] = V[ld + k] - (t * e + user->wrong_p) * U[k];
    }
    if (user->fails == 1) G[0] = (double)NAN;
    if (user->fails == 2) gt[1] = (double)NAN;
    return user->fails < 0 ? -1 : 0;
}

static const double p[] = {0.3, 0.9}, y0[] = {1, 0.1};

static tansy_problem problem_of(struct user *user, bool with_tangent)
{
    return (tansy_problem){.n = 2,
                           .np = 2,
                           .t0 = 0.1,
                           .y0 = y0,
                           .p = p,
                           .context = user,
                           .rhs = rhs,
                           .switches = 2,
                           .switch_function = switches,
                           .switch_tangent = with_tangent ? tangent : NULL};
}

static void check_found(struct user user, tansy_status status, const char *words)
{
    tansy_problem const problem = problem_of(&user, true);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_check(s), status);
    if (words) CHECK_TEXT_CONTAINS(tansy_message(s), words);
    tansy_free(s);
}

TEST(wrong_tangents_of_switches_are_found)
{
    check_found((struct user){0}, TANSY_OK, NULL);
    check_found((struct user){.wrong_y = 1e-3}, TANSY_WRONG_DERIVATIVE,
                "switch_tangent: component 0");
    check_found((struct user){.wrong_p = 1e-3}, TANSY_WRONG_DERIVATIVE, "component 1 of (dg/dy)");
    check_found((struct user){.wrong_t = 1e-3}, TANSY_WRONG_DERIVATIVE, "component 0 of dg/dt");
    check_found((struct user){.fails = 1}, TANSY_NOT_FINITE, "switch_tangent gave NaN");
    check_found((struct user){.fails = 2}, TANSY_NOT_FINITE, "switch_tangent gave NaN");
    check_found((struct user){.fails = -1}, TANSY_USER_STOPPED, "switch_tangent asked to stop");
}

TEST(differences_stand_in_for_the_tangents_of_switches)
{
    struct user user = {0};
    double y[2][2], sens[2][2][2];
    for (int given = 0; given < 2; given++) {
        tansy_problem const problem = problem_of(&user, given);
        tansy_options const o = {.rtol = 1e-9, .atol = 1e-11};
        tansy_solver *const s = tansy_create(&problem, &o);
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 3, y[given], *sens[given]), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK(stats.switches >= 1);
        tansy_free(s);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) /* relative 1e-10 of differences, in jumps of size 1 */
            CHECK_CLOSE(sens[0][k][i], sens[1][k][i], 1e-8);
}

TEST(tangents_of_switches_that_fail_at_a_switch_are_named)
{
    for (int fails = 1; fails <= 2; fails++) {
        struct user user = {0};
        tansy_problem const problem = problem_of(&user, true);
        tansy_solver *const s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_step(s, 3, NULL, NULL), TANSY_OK);
        user.fails = fails;
        CHECK_EQUAL(tansy_solve(s, 3, NULL, NULL), TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(tansy_message(s), "starting anew: switch_tangent");
        tansy_free(s);
    }
}
