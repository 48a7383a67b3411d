/* SPDX-License-Identifier: Apache-2.0 */
/* Interval arithmetic holds every value and slope that arguments out of the intervals give, is narrow where these are, and is the
   whole line at poles and outside of domains. */
#include "model/interval.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "model/simplify.h"
#include "support/random.h"
#include "test.h"

enum { TRIALS = 400, POINTS = 24 };

/* The argument a0 + a1 tau, tau in [0, 1]. */
struct line {
    double at, slope;
};

static struct enclosed enclose(struct line a)
{
    return (struct enclosed){{fmin(a.at, a.at + a.slope), fmax(a.at, a.at + a.slope)},
                             {a.slope, a.slope}};
}

static double value(uint32_t operation, struct line a, struct line b, double tau)
{
    return operation_value((enum operation)operation, a.at + a.slope * tau, b.at + b.slope * tau);
}

/* Values, and slopes by differences of fourth order over 1e-3, whose error is below 1e-9 of the largest slope nearby and is
   not looked at where the function is wild. */
static void check_holds(uint32_t operation, struct line a, struct line b)
{
    struct enclosed const ea = enclose(a), eb = enclose(b);
    struct enclosed const r = enclosed_operation(operation, &ea, &eb);
    double const h = 1e-3;
    CHECK(r.value.low <= r.value.high && r.slope.low <= r.slope.high);
    for (int i = 0; i < POINTS; i++) {
        double const tau = h * 2 + (1 - 4 * h) * i / (POINTS - 1);
        double const v = value(operation, a, b, tau);
        if (isnan(v)) {
            CHECK(isinf(r.value.low) && isinf(r.value.high));
            continue;
        }
        CHECK(r.value.low <= v && v <= r.value.high);
        if (operation == OP_AT_LEAST) continue;
        double const one = value(operation, a, b, tau + h) - value(operation, a, b, tau - h);
        double const two =
            value(operation, a, b, tau + 2 * h) - value(operation, a, b, tau - 2 * h);
        double const d = (8 * one - two) / (12 * h), slack = 1e-6 * (1 + fabs(d));
        if (!(fabs(one - two / 2) <= 1e-3 * fabs(one))) continue;
        CHECK(r.slope.low - slack <= d && d <= r.slope.high + slack);
    }
}

TEST(intervals_hold_all_values_and_slopes)
{
    struct random_source r = {.state = 5};
    for (uint32_t operation = OP_NEGATE; operation <= OP_AT_LEAST; operation++)
        for (int k = 0; k < TRIALS; k++) {
            double const size = k % 4 == 0 ? 20 : 2, width = k % 3 == 0 ? 0.05 : 2;
            struct line const a = {size * random_next(&r), width * random_next(&r)};
            struct line b = {size * random_next(&r), width * random_next(&r)};
            if (operation == OP_POWER && k % 2) b = (struct line){round(3 * b.at / size), 0};
            check_holds(operation, a, b);
            check_holds(operation, a, (struct line){b.at, 0});
            check_holds(operation, (struct line){fabs(a.at) / size, 0.1 * a.slope}, b);
        }
}

TEST(intervals_of_points_are_narrow)
{
    struct random_source r = {.state = 6};
    for (uint32_t operation = OP_NEGATE; operation <= OP_POWER; operation++)
        for (int k = 0; k < TRIALS; k++) {
            struct line const a = {0.55 + 0.4 * random_next(&r), 0}, b = {1.5 + random_next(&r), 0};
            struct enclosed const ea = enclose(a), eb = enclose(b);
            struct enclosed const e = enclosed_operation(operation, &ea, &eb);
            double const v = value(operation, a, b, 0);
            /* 16 eps outward a stage, three stages at most; sin by cos of a shifted argument */
            CHECK_AT_MOST(e.value.high - e.value.low, 200 * DBL_EPSILON * (1 + fabs(v)));
            CHECK(e.slope.low == 0 && e.slope.high == 0);
        }
}

static bool is_whole(struct interval a)
{
    return isinf(a.low) && isinf(a.high) && a.low < 0 && a.high > 0;
}

static struct enclosed of(uint32_t operation, double low, double high, double other)
{
    struct enclosed const a = {{low, high}, {1, 1}}, b = {{other, other}, {0, 0}};
    return enclosed_operation(operation, &a, &b);
}

TEST(poles_and_domains_give_the_whole_line)
{
    CHECK(is_whole(of(OP_LOG, -1, 1, 0).value));
    CHECK(is_whole(of(OP_SQRT, -1, 1, 0).value));
    CHECK(is_whole(of(OP_SQRT, 0, 1, 0).slope));
    CHECK(is_whole(of(OP_TAN, 1, 2, 0).value));
    CHECK(is_whole(of(OP_TAN, 1e13, 1e13 + 1, 0).value));
    CHECK(is_whole(of(OP_ASIN, 0, 2, 0).value));
    CHECK(is_whole(of(OP_ACOS, -2, 0, 0).value));
    CHECK(is_whole(of(OP_ACOS, 0, 1, 0).slope));
    CHECK(is_whole(of(OP_POWER, -1, 1, -2).value));
    CHECK(is_whole(of(OP_POWER, -1, 1, 0.5).value));
    struct enclosed const one = {{1, 1}, {0, 0}}, around = {{-1, 1}, {1, 1}};
    CHECK(is_whole(enclosed_operation(OP_DIVIDE, &one, &around).value));
    CHECK(is_whole(enclosed_operation(OP_POWER, &around, &around).slope));
    CHECK(is_whole(interval_of((double)NAN)));
    CHECK(of(OP_SIN, 1e13, 1e13 + 1, 0).value.high == 1);
    CHECK(of(OP_EXP, 800, 900, 0).value.low >= DBL_MAX / 2); /* overflows */
    struct enclosed const far = {{HUGE_VAL, HUGE_VAL}, {0, 0}}, back = {{-HUGE_VAL, 0}, {0, 0}};
    CHECK(is_whole(enclosed_operation(OP_ADD, &far, &back).value) ||
          enclosed_operation(OP_ADD, &far, &back).value.high >= DBL_MAX);
}

/* 1 and 0 are true and false: `and` is a product, `or` is a + b - a b. */
TEST(what_is_certain_stays_so_in_and_and_or)
{
    for (int x = 0; x < 2; x++)
        for (int y = 0; y < 2; y++) {
            struct enclosed const a = {{x, x}, {0, 0}}, b = {{y, y}, {0, 0}};
            struct enclosed const both = enclosed_operation(OP_MULTIPLY, &a, &b),
                                  sum = enclosed_operation(OP_ADD, &a, &b),
                                  any = enclosed_operation(OP_SUBTRACT, &sum, &both);
            CHECK(both.value.low == (x && y) && both.value.high == (x && y));
            CHECK(any.value.low == (x || y) && any.value.high == (x || y));
            CHECK(enclosed_operation(OP_MULTIPLY, &a, &a).value.high == x);
        }
}

TEST(choices_that_are_not_certain_hold_both)
{
    struct enclosed const none = {{0, 0}, {0, 0}}, one = {{1, 1}, {0, 0}}, both = {{0, 1}, {0, 0}};
    struct enclosed const low = {{2, 3}, {1, 1}}, high = {{5, 7}, {2, 2}};
    struct enclosed const wide = {{2, 6}, {1, 1}};
    CHECK(enclosed_select(&one, &low, &high).value.high == 3);
    CHECK(enclosed_select(&none, &low, &high).value.low == 5);
    struct enclosed const r = enclosed_select(&both, &low, &high);
    CHECK(r.value.low == 2 && r.value.high == 7 && is_whole(r.slope));
    CHECK(enclosed_operation(OP_AT_LEAST, &high, &low).value.low == 1);
    CHECK(enclosed_operation(OP_AT_LEAST, &low, &high).value.high == 0);
    CHECK(is_whole(enclosed_operation(OP_AT_LEAST, &wide, &high).slope));
    /* x x is not a product of strangers */
    struct enclosed const around = {{-1, 1}, {1, 1}};
    CHECK(enclosed_operation(OP_MULTIPLY, &around, &around).value.low >= -DBL_MIN);
}
