/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output at both ends of a step as a program computes them: tansy_time() - h_last is rounded, to either side of where the step began.  By all
   methods, far from t = 0, where a rounding of t is the larger part of a step. */
#include "test.h"

#include <float.h>
#include <math.h>
#include <tansy/tansy.h>

static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                       TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};

/* y1' = p y2, y2' = -p y1: |y'| = p. */
static int turn(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[1];
    f[1] = -p[0] * y[0];
    return 0;
}

/* Steps from t0 on; the ends of each are asked for, and what lies beyond is refused. */
static void ask(tansy_method method, double t0, double direction)
{
    enum { STEPS = 60 };
    static const double y0[] = {1, 0}, p[] = {40};
    tansy_problem const problem = {
        .n = 2, .np = 1, .t0 = t0, .y0 = y0, .p = p, .rhs = turn, .autonomous = 1};
    tansy_options const options = {.method = method, .rtol = 1e-6, .atol = 1e-9};
    tansy_solver *const s = tansy_create(&problem, &options);
    double before[2] = {1, 0}, now[2], S[2], at[2], rounded = 0;
    for (int k = 0; k < STEPS; k++) {
        double const began = tansy_time(s);
        tansy_stats stats;
        CHECK_EQUAL(tansy_step(s, t0 + 10 * direction, now, S), TANSY_OK);
        tansy_get_stats(s, &stats);
        double const h = stats.h_last, begin = tansy_time(s) - h;
        double const spacing = DBL_EPSILON * fmax(fabs(began), fabs(h));
        CHECK(fabs(begin - began) <=
              2 * spacing); /* one rounding of t + h, one of the difference */
        rounded += direction * (began - begin) > 0;
        CHECK_EQUAL(tansy_at(s, begin, at, NULL, NULL, NULL), TANSY_OK);
        for (int i = 0; i < 2; i++) /* 4 roundings of t, and of the terms of the polynomial */
            CHECK_CLOSE(at[i], before[i], 40 * 4 * spacing + 100 * DBL_EPSILON);
        CHECK_EQUAL(tansy_at(s, began + h * (1 + 2 * DBL_EPSILON), at, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_at(s, began - 1e-3 * h - 16 * direction * spacing, at, NULL, NULL, NULL),
                    TANSY_BAD_CALL);
        CHECK_EQUAL(
            tansy_at(s, tansy_time(s) + 1e-3 * h + 16 * direction * spacing, at, NULL, NULL, NULL),
            TANSY_BAD_CALL);
        before[0] = now[0];
        before[1] = now[1];
    }
    CHECK(rounded > 0); /* or nothing was tried */
    tansy_free(s);
}

TEST(both_ends_of_a_step_are_in_it_whatever_is_rounded)
{
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ask(methods[k], 1000, 1);
        ask(methods[k], -3e5, 1);
        ask(methods[k], 0.1, 1);
        ask(methods[k], 700, -1);
    }
}
