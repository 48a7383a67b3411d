/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever is wrong with a call, or was with one before it, y and sens are those of the last point reached. */
#include "test.h"

#include <math.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 2 };

/* Swings, and stops from t = 2 on. */
static int swing(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = y[1];
    f[1] = -p[0] * y[0];
    return t < 2 ? 0 : -1;
}

/* y and S of a call, over values that it must write over. */
struct values {
    double y[N], S[N];
};

static struct values unset(void)
{
    struct values v;
    for (int i = 0; i < N; i++) v.y[i] = v.S[i] = nan("");
    return v;
}

/* A call that is refused leaves what is known at tansy_time(). */
static void refused(tansy_solver *s, double t, tansy_status status)
{
    struct values at = unset(), solved = unset(), stepped = unset();
    CHECK_EQUAL(tansy_at(s, tansy_time(s), at.y, NULL, at.S, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, t, solved.y, solved.S), status);
    CHECK_EQUAL(tansy_step(s, t, stepped.y, stepped.S), status);
    CHECK(memcmp(&at, &solved, sizeof at) == 0);
    CHECK(memcmp(&at, &stepped, sizeof at) == 0);
}

TEST(refused_calls_give_the_last_point_reached)
{
    static const double y0[N] = {1, 0.2}, p[] = {2};
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                           TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
    tansy_problem const problem = {.n = N, .np = 1, .y0 = y0, .p = p, .rhs = swing};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        tansy_options const o = {
            .method = methods[m], .rtol = 1e-6, .use_stop_time = 1, .stop_time = 3};
        struct values first = unset();
        tansy_solver *const s = tansy_create(&problem, &o);
        refused(s, nan(""), TANSY_BAD_CALL);
        refused(s, 4, TANSY_BAD_CALL);
        CHECK_EQUAL(tansy_step(s, 0, first.y, first.S), TANSY_BAD_CALL); /* no direction */
        CHECK(memcmp(first.y, y0, sizeof y0) == 0 && first.S[0] == 0 && first.S[1] == 0);
        CHECK_EQUAL(tansy_solve(s, 1.5, first.y, first.S), TANSY_OK);
        refused(s, nan(""), TANSY_BAD_CALL);
        refused(s, 4, TANSY_BAD_CALL);
        refused(s, 0.1, TANSY_BAD_CALL);
        CHECK_EQUAL(tansy_solve(s, 3, first.y, first.S), TANSY_USER_STOPPED);
        refused(s, 3, TANSY_USER_STOPPED);
        refused(s, 2.5, TANSY_USER_STOPPED);
        tansy_free(s);
    }
}
