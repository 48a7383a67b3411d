/* SPDX-License-Identifier: Apache-2.0 */
/* What --verify concludes from differences, on values that are given: x(t) of runs with the parameter moved, and a column. */
#include "../../cli/verify_look.h"
#include "../test.h"

#include <math.h>
#include <stdlib.h>

enum { TIMES = 5 };

/* One state, one column; the runs are at rtol 1e-10 for a column at rtol 1e-6. */
struct stage {
    struct series column, moved[MOVED];
    double t[TIMES], data[2 * TIMES], x[MOVED][TIMES];
    struct decided decided[TIMES];
    struct look look;
    struct verification v;
    double floor, by_difference, doubt, part, turned;
    enum control control;
    size_t open, open_first, one_sided, one_sided_first;
    bool differs;
};

typedef double curve(double p, double t);

/* The curve at p = 1 + m d, with noise that changes sign from run to run; s is what the run says of dx/dp. */
static void set_look(struct stage *g, curve *x, double d, double noise)
{
    for (size_t m = 0; m < MOVED; m++) {
        g->moved[m] = (struct series){.nx = 1, .count = TIMES, .t = g->t, .data = g->x[m]};
        for (size_t j = 0; j < TIMES; j++)
            g->x[m][j] = x(1 + ((double)m - 2) * d, g->t[j]) + (m % 2 ? noise : -noise);
        g->look.moved[m] = &g->moved[m];
    }
    g->look.d = d;
}

static void set_stage(struct stage *g, curve *x, curve *s, double d, double noise)
{
    *g = (struct stage){
        .look = {.rtol = 1e-10, .scale = 1, .count = TIMES, .all = TIMES, .before_end = TIMES}};
    double largest = 0;
    for (size_t j = 0; j < TIMES; j++) {
        g->t[j] = 0.5 * (double)j;
        g->data[2 * j] = x(1, g->t[j]);
        g->data[2 * j + 1] = s(1, g->t[j]);
        largest = fmax(largest, fabs(g->data[2 * j]));
    }
    g->column = (struct series){.nx = 1, .ns = 1, .count = TIMES, .t = g->t, .data = g->data};
    g->floor = fmax(1e-3, 1e-3 * largest); /* atol/rtol */
    g->v = (struct verification){.nx = 1, .n = 1, .ns = 1, .promise = 1e-4, .span = 2};
    g->v.floor = &g->floor;
    g->v.control = &g->control;
    g->v.by_difference = &g->by_difference;
    g->v.doubt = &g->doubt;
    g->v.decided = &g->part;
    g->v.differs = &g->differs;
    g->v.open = &g->open;
    g->v.open_first = &g->open_first;
    g->v.one_sided = &g->one_sided;
    g->v.one_sided_first = &g->one_sided_first;
    set_look(g, x, d, noise);
}

static void decide(struct stage *g)
{
    look_decide(&g->look, &g->column, 0, &g->v, g->decided);
    look_sum_up(TIMES, 0, &g->v, g->decided);
}

static const double D = 3.2e-3; /* 1e-10^(1/4), the first increment */

static double hundred(double p, double t)
{
    (void)p;
    return 100 + t;
}
static double nothing(double p, double t)
{
    (void)p;
    return 0 * t;
}
static double falling(double p, double t)
{
    (void)p;
    return -80 - t;
}

TEST(a_column_that_is_zero_agrees)
{
    struct stage g;
    set_stage(&g, hundred, nothing, D, 1e-9);
    decide(&g);
    CHECK(!g.differs);
    CHECK_CLOSE(g.part, 1, 0);
    CHECK_AT_MOST(g.by_difference, 1e-4);
    CHECK_AT_MOST(g.doubt, 1e-4);
}

/* The doubt is near the promise there: 1e-10/D of x, over 1e-3 of x. */
TEST(a_column_of_size_80_that_is_zero_differs)
{
    static const double noise[] = {0, 1e-9, 1e-7};
    for (size_t a = 0; a < 3; a++) {
        struct stage g;
        set_stage(&g, hundred, falling, D, noise[a]);
        decide(&g);
        CHECK(g.differs);
        CHECK(g.by_difference > 1);
        CHECK(look_is_wanted(TIMES, &g.v, g.decided, false));
        set_look(&g, hundred, D / 100, noise[a]);
        decide(&g);
        CHECK(g.differs);
    }
}

/* Errors of the runs of 1e-6 of x: their differences tell nothing, and that is what is said. */
TEST(what_is_too_noisy_is_not_decided)
{
    struct stage g;
    set_stage(&g, hundred, nothing, D, 1e-4);
    decide(&g);
    CHECK(!g.differs);
    CHECK(isnan(g.by_difference));
    CHECK_EQUAL(g.open, 1);
    CHECK_CLOSE(g.part, 0, 0);
    CHECK(look_is_wanted(TIMES, &g.v, g.decided, true));
}

static double bend; /* where the curve has its corner, in p */
static double bent(double p, double t)
{
    return 3 + p * p * t + (p > 1 + bend ? (p - 1 - bend) * 2 * t : 0);
}
static double below(double p, double t)
{
    return 2 * p * t;
}
static double above(double p, double t)
{
    return 2 * p * t + 2 * t;
}

/* Outputs at a switching point: s is one of two limits, and which one depends on the last bit of the switching time. */
TEST(both_limits_at_a_switching_point_agree)
{
    curve *const limit[] = {below, above};
    for (int side = 0; side < 2; side++) {
        struct stage g;
        bend = 0;
        set_stage(&g, bent, limit[side], D, 0);
        g.v.turned = (struct numbers){.at = g.t, .count = TIMES};
        decide(&g);
        CHECK(!g.differs);
        CHECK_CLOSE(g.part, 0.8, 1e-15); /* but t = 0, where s = 0 and the noise counts */
        CHECK_AT_MOST(g.by_difference, 1e-4);
    }
}

/* In two runs the condition turns before the time, in the others behind it: so near a switching point s jumps too. */
TEST(both_limits_between_the_switching_points_of_the_runs_agree)
{
    struct stage g;
    struct numbers turned[MOVED];
    double at[MOVED];
    bend = 0;
    set_stage(&g, bent, above, D, 0);
    for (size_t m = 0; m < MOVED; m++) {
        at[m] = 1.5 + (2.1 - (double)m) * D;
        turned[m] = (struct numbers){.at = &at[m], .count = 1};
        g.look.turned[m] = &turned[m];
    }
    decide(&g);
    CHECK_CLOSE(g.part, 0.2, 1e-15);
    CHECK_EQUAL(g.one_sided, 3);
    turned[4].count = 0; /* which one of them is missing is not known */
    set_stage(&g, bent, above, D, 0);
    for (size_t m = 0; m < MOVED; m++) g.look.turned[m] = &turned[m];
    decide(&g);
    CHECK_CLOSE(g.part, 0, 0);
}

/* A tie: x has two derivatives, from either side, at all times.  No increment makes one of them right. */
TEST(one_of_two_limits_away_from_switching_points_is_not_decided)
{
    struct stage g;
    bend = 0;
    set_stage(&g, bent, below, D, 0);
    for (double d = D; d > D / 1000; d /= 10) {
        set_look(&g, bent, d, 0);
        decide(&g);
        CHECK(!g.differs);
        CHECK_EQUAL(g.one_sided, TIMES - 1);
        CHECK_EQUAL(g.one_sided_first, 1);
        CHECK(isnan(g.by_difference));
        CHECK(look_is_wanted(TIMES, &g.v, g.decided, false));
    }
}

/* A bend D/20 away, of which the runs told nothing: smaller increments do not reach it. */
TEST(one_of_two_limits_near_a_bend_is_right_with_smaller_increments)
{
    struct stage g;
    bend = D / 20;
    set_stage(&g, bent, below, D, 0);
    decide(&g);
    set_look(&g, bent, D / 100, 0);
    decide(&g);
    CHECK_EQUAL(g.one_sided, 0);
    CHECK_AT_MOST(0.8, g.part);
}

/* Where the end moves some runs have no values at the times before the last. */
TEST(times_behind_the_end_of_a_run_are_not_looked_at)
{
    struct stage g;
    set_stage(&g, hundred, nothing, D, 0);
    g.look.before_end = 2;
    for (size_t j = 2; j < TIMES - 1; j++) g.x[0][j] = (double)NAN;
    decide(&g);
    CHECK(!g.differs);
    CHECK_CLOSE(g.part, 0.6, 1e-15);
    set_stage(&g, hundred, falling, D, 0);
    g.look.before_end = 0;
    decide(&g);
    CHECK(g.differs);
    CHECK_CLOSE(g.part, 0.2, 1e-15);
}

/* One run stopped before the last time, another has its end before that: the last row of the first is none of the second. */
TEST(a_run_that_stops_has_no_last_time)
{
    struct stage g;
    set_stage(&g, hundred, nothing, D, 0);
    g.look.before_end = 2;
    g.look.count = TIMES - 1;
    for (size_t j = 2; j < TIMES - 1; j++) g.x[0][j] = (double)NAN;
    decide(&g);
    CHECK(!g.differs);
    CHECK_CLOSE(g.part, 0.4, 1e-15);
}

static double between(double p, double t)
{
    return 2 * p * t + t;
}

/* What is neither limit is not taken for one, though the differences of both orders agree with it. */
TEST(the_mean_of_two_limits_is_not_decided)
{
    struct stage g;
    bend = 0;
    set_stage(&g, bent, between, D, 0);
    decide(&g);
    CHECK(isnan(g.by_difference) || g.part < 0.5);
}

TEST(a_corner_within_the_increments_makes_no_column_wrong)
{
    for (int theta = -24; theta <= 24; theta++) {
        struct stage g;
        bend = theta * D / 10;
        set_stage(&g, bent, theta < 0 ? above : below, D, 0);
        decide(&g);
        CHECK(!g.differs);
    }
}

/* At p = 1 the slope is 500 t, but D away from it, on both sides, it is t. */
static double pulse(double p, double t)
{
    double const wide = D / 50, x = p - 1;
    return 3 + t * x + (fabs(x) < wide ? 500 * x : copysign(500 * wide, x)) * t;
}
static double steep(double p, double t)
{
    (void)p;
    return 501 * t;
}

TEST(what_seems_wrong_by_a_bend_is_right_with_smaller_increments)
{
    struct stage g;
    set_stage(&g, pulse, steep, D, 0);
    decide(&g);
    set_look(&g, pulse, D / 10, 0);
    decide(&g);
    set_look(&g, pulse, D / 1000, 0);
    decide(&g);
    CHECK(!g.differs);
    CHECK_AT_MOST(0.8, g.part); /* but t = 0, as above */
}

/* Nothing happens within D/4 of p = 1, and 100 steps further away: a column that is zero is right. */
static double far_away(double p, double t)
{
    return 100 + t + (p > 1 + D / 4 ? 100 * t : 0);
}

TEST(a_step_within_the_increments_makes_no_zero_wrong)
{
    struct stage g;
    set_stage(&g, far_away, nothing, D, 0);
    g.look.rtol = 1e-9; /* so noisy that the smaller increment decides nothing */
    decide(&g);
    set_look(&g, far_away, D / 10, 0);
    decide(&g);
    CHECK(!g.differs);
}

TEST(what_differs_at_a_switching_time_alone_is_left_out)
{
    struct stage g;
    set_stage(&g, hundred, nothing, D, 0);
    g.data[2 * 3 + 1] = 5e7;
    g.turned = g.t[3];
    decide(&g);
    CHECK(g.differs);
    set_stage(&g, hundred, nothing, D, 0);
    g.data[2 * 3 + 1] = 5e7;
    g.turned = g.t[3];
    g.v.turned = (struct numbers){.at = &g.turned, .count = 1};
    decide(&g);
    CHECK(!g.differs);
    CHECK_CLOSE(g.part, 0.8, 1e-15);
}

/* A run that gave no number where the others do is wrong; where none is a number nothing is decided. */
TEST(what_is_no_number_is_wrong_or_not_decided)
{
    struct stage g;
    set_stage(&g, hundred, nothing, D, 0);
    g.data[1] = (double)NAN;
    decide(&g);
    CHECK(g.differs);
    set_stage(&g, hundred, nothing, D, 0);
    for (size_t j = 0; j < TIMES; j++) g.x[4][j] = g.data[2 * j + 1] = (double)NAN;
    decide(&g);
    CHECK(!g.differs);
    CHECK(isnan(g.by_difference));
    CHECK(look_is_wanted(TIMES, &g.v, g.decided, false));
}

TEST(what_is_not_tested_is_not_looked_at)
{
    struct stage g;
    set_stage(&g, hundred, falling, D, 0);
    g.control = MULTIPLIER;
    decide(&g);
    CHECK(!g.differs);
    CHECK(!look_is_wanted(TIMES, &g.v, g.decided, true));
    CHECK_CLOSE(g.part, 0, 0);
}
