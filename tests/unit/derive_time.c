/* SPDX-License-Identifier: Apache-2.0 */
/* df/dt given and by differences, which stay between t and t + span; the increment of t. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/line.h"
#include "support/second_case.h"
#include "test.h"

/* f_t of the case at span: differences to 9e-12 of F/span, where terms of degree 2 in t have twice the model's derivatives and
   span is up to the size of t. */
static void check_time(double span, int gives, double bound)
{
    struct second_setup s;
    double ft[SECOND_N], expected[SECOND_N], f[SECOND_N];
    second_prepare(&s, gives);
    second_build(&s);
    second_time(&s, expected);
    CHECK_EQUAL(derive_at_rest(&s.of.d, 0, s.of.t, s.of.y, f), 0);
    for (int known = 0; known < 2; known++) { /* with f, and without */
        s.of.user.calls = 0;
        struct point const at = {.t = s.of.t, .y = s.of.y, .f = known ? f : NULL};
        CHECK_EQUAL(derive_time(&s.of.d, 0, &at, span, ft), 0);
        for (int i = 0; i < SECOND_N; i++)
            CHECK_CLOSE(ft[i], expected[i], bound * (fabs(f[i]) + 4) / fabs(span));
        CHECK_EQUAL(s.of.user.calls, gives & GIVE_TIME ? 1 : known ? 4 : 5);
    }
    derive_discard(&s.of);
}

TEST(the_time_derivative_is_given_or_differenced)
{
    static const double spans[] = {0.5, -0.5, 1e-3, -1e-3, 1e-6};
    for (size_t k = 0; k < sizeof spans / sizeof *spans; k++) {
        check_time(spans[k], 0, 2 * 9e-12);
        check_time(spans[k], GIVE_MASS, 2 * 9e-12);
        check_time(spans[k], GIVE_RESIDUAL, 2 * 9e-12);
        check_time(spans[k], GIVE_TIME, 4 * DBL_EPSILON);
        check_time(spans[k], GIVE_TIME | GIVE_RESIDUAL, 4 * DBL_EPSILON);
    }
}

/* f = sqrt((t - 1)(2 - t)) is a number between 1 and 2 only. */
struct interval {
    double low, high; /* of the times that f was asked for */
    size_t calls;
};

static int inside(double t, const double *y, const double *p, double *f, void *context)
{
    (void)p;
    struct interval *const seen = context;
    seen->calls++;
    seen->low = fmin(seen->low, t);
    seen->high = fmax(seen->high, t);
    for (int i = 0; i < SECOND_N; i++) f[i] = y[i] * sqrt((t - 1) * (2 - t));
    return 0;
}

static int time_derivative_inside(double t, double span, double *ft, struct interval *seen)
{
    struct second_setup s;
    second_prepare(&s, 0);
    *seen = (struct interval){.low = 9, .high = -9};
    s.of.problem.rhs = inside;
    s.of.problem.context = seen;
    second_build(&s);
    int const code = derive_time(&s.of.d, 0, &(struct point){.t = t, .y = s.of.y}, span, ft);
    ft[0] /= s.of.y[0];
    derive_discard(&s.of);
    return code;
}

/* At a distance of span from the edge f is analytic within one span. */
TEST(differences_in_time_stay_between_t_and_the_end_of_the_span)
{
    struct interval seen;
    double ft[SECOND_N];
    CHECK_EQUAL(time_derivative_inside(1.25, 0.25, ft, &seen), 0);
    CHECK(seen.low == 1.25 && seen.high > 1.25 && seen.high <= 1.5);
    double const exact = (1.5 - 1.25) / sqrt(0.25 * 0.75);
    CHECK_CLOSE(ft[0], exact, 2 * 9e-12 * sqrt(0.25 * 0.75) / 0.25);
    CHECK_EQUAL(time_derivative_inside(1.25, -0.25, ft, &seen), 0);
    CHECK(seen.high == 1.25 && seen.low >= 1 && seen.low < 1.25);
    CHECK_CLOSE(ft[0], exact, 2 * 9e-12 * sqrt(0.25 * 0.75) / 0.25);
}

/* Near the end, where the points ahead are none of the domain, those behind are taken; where there are none either it fails. */
TEST(differences_in_time_go_to_the_other_side_if_they_must)
{
    struct interval seen;
    double ft[SECOND_N];
    double const t = 1.9999;
    CHECK_EQUAL(time_derivative_inside(t, 0.25, ft, &seen), 0);
    CHECK(seen.low < t);
    double const exact = (1.5 - t) / sqrt((t - 1) * (2 - t)); /* -50, over 4 delta = 7 (2 - t) */
    CHECK(ft[0] < exact / 4 && ft[0] > exact);
    CHECK(time_derivative_inside(1.9999, 1e5, ft, &seen) > 0);
    CHECK(time_derivative_inside(2.5, 0.1, ft, &seen) > 0);
}

TEST(a_time_derivative_that_fails_is_reported)
{
    for (int given = 0; given < 2; given++) {
        struct second_setup s;
        double ft[SECOND_N];
        second_prepare(&s, given ? GIVE_TIME : 0);
        second_build(&s);
        const struct failure *const failure = &s.of.d.worker[0].failure;
        struct point const at = {.t = s.of.t, .y = s.of.y};
        for (size_t k = 1; k <= (given ? 1 : 5); k++) {
            struct derive_user *const user = &s.of.user;
            user->first = k;
            user->last = SIZE_MAX;
            user->calls = 0;
            user->fault = FAULT_NAN;
            CHECK(derive_time(&s.of.d, 0, &at, 0.5, ft) > 0);
            CHECK_EQUAL(failure->kind, FAILURE_NOT_FINITE);
            CHECK(strcmp(failure->function, given ? "time_derivative" : "rhs") == 0);
            user->calls = 0;
            user->fault = FAULT_NEGATIVE;
            CHECK(derive_time(&s.of.d, 0, &at, 0.5, ft) < 0);
            CHECK_EQUAL(failure->code, -4);
        }
        derive_discard(&s.of);
    }
}

/* t + m h has no rounding error, so that what a difference in t is divided by is what it was taken over; but for the last
   bit where it doubles t. */
TEST(increments_of_time_are_exact_and_point_into_the_span)
{
    static const double times[] = {0, 0.1, -3.7, 1e4 / 3, 1e-300}, spans[] = {1, -1, 1e-7, 1e6};
    for (size_t a = 0; a < sizeof times / sizeof *times; a++)
        for (size_t b = 0; b < sizeof spans / sizeof *spans; b++) {
            double const t = times[a], h = increment_of_time(t, spans[b], 7.4e-4);
            CHECK(h * spans[b] > 0);
            CHECK_CLOSE(h, 7.4e-4 * spans[b],
                        fmax(1e-9 * fabs(h), 1100 * DBL_EPSILON * fabs(t))); /* at least 1024 */
            for (int m = 1; m <= 4; m++) {
                volatile double const there = t + m * h;
                CHECK_CLOSE((there - t) / m, h,
                            fabs(t) > 8 * fabs(h) ? 0 : DBL_EPSILON * (fabs(t) + 4 * fabs(h)));
            }
        }
    CHECK(increment_of_time(2, 0, 0.5) == 1);
    CHECK(increment_of_time(-2, 0, 0.5) == -1);
    CHECK(increment_of_time(0, 0, 0.5) == 0.5);
}
