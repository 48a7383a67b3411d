/* SPDX-License-Identifier: Apache-2.0 */
/* The controller's contract (drive/control.h): what it makes of candidates, how far h may move, how long it waits. */
#include "drive/control.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "test.h"

static const struct method *const methods[] = {&method_adams, &method_bdf};
enum { METHODS = sizeof methods / sizeof *methods };

/* 10000 at the first change, 10 later, 2 after a failure. */
static const double FIRST_GROWTH = 10000, GROWTH = 10, GROWTH_AFTER_FAILURE = 2;

/* The formula's guard against an error of 0 adds at most this to (bias error)^(1/(order+1)), as LSODE does. */
static const double GUARD = 1.3e-6;

struct setting {
    struct control control;
    const struct method *method;
    struct candidate candidate[CANDIDATES];
};

/* A controller past its start that looks at all orders after the next step, with a candidate of the same order only. */
static struct setting looking(const struct method *method, int order, double error)
{
    struct setting s = {.method = method};
    control_start(&s.control, method, method->max_order);
    s.control.max_step = HUGE_VAL;
    s.control.starting = false;
    s.control.wait = 1;
    s.control.equal = MOST_ORDERS; /* h has been the same for long */
    s.candidate[SAME] = (struct candidate){.order = order, .error = error, .cost = 1, .bias = 6};
    return s;
}

static void offer(struct setting *s, int slot, double error)
{
    s->candidate[slot] = s->candidate[SAME];
    s->candidate[slot].order += slot - SAME;
    s->candidate[slot].error = error;
}

static struct decision accept(struct setting *s, double h)
{
    return control_accept(&s->control, s->method, h, s->candidate[SAME].order, s->candidate);
}

static struct decision reject(struct setting *s, double h)
{
    return control_reject(&s->control, s->method, h, s->candidate[SAME].order, s->candidate);
}

static struct decision retreat(struct setting *s, double h)
{
    return control_retreat(&s->control, s->method, h, s->candidate[SAME].order);
}

/* The ratio without the guard, which makes it smaller by a relative GUARD times ratio at most. */
static double ideal(const struct candidate *c)
{
    return pow(c->bias * c->error, -1.0 / (c->order + 1));
}

static void check_ratio(double ratio, double wanted)
{
    CHECK_AT_MOST(ratio, wanted * (1 + 4 * DBL_EPSILON));
    CHECK_AT_MOST(wanted * (1 - GUARD * wanted), ratio);
}

TEST(the_step_grows_by_the_root_of_the_error)
{
    static const double errors[] = {1e-3, 1e-6, 1e-12};
    for (size_t m = 0; m < METHODS; m++)
        for (int order = 1; order <= methods[m]->max_order; order++)
            for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
                struct setting s = looking(methods[m], order, errors[k]);
                double const wanted = ideal(&s.candidate[SAME]);
                struct decision const d = accept(&s, 1e-3);
                CHECK_EQUAL(d.order, order);
                if (wanted < FIRST_GROWTH && wanted > 1.01 * methods[m]->dead_band)
                    check_ratio(d.ratio, wanted);
            }
}

TEST(a_failed_test_shrinks_the_step_by_the_root_of_the_error)
{
    for (size_t m = 0; m < METHODS; m++)
        for (int order = 1; order <= methods[m]->max_order; order++) {
            struct setting s = looking(methods[m], order, 3);
            check_ratio(reject(&s, 0.1).ratio, ideal(&s.candidate[SAME]));
        }
}

TEST(growth_inside_the_dead_band_changes_nothing)
{
    for (size_t m = 0; m < METHODS; m++)
        for (int wait = 1; wait < 4; wait++) {
            struct setting s = looking(methods[m], 3, 1);
            double const ratio = 0.99 * methods[m]->dead_band;
            s.control.wait = wait;
            s.candidate[SAME].error = pow(ratio, -4) / s.candidate[SAME].bias;
            struct decision const d = accept(&s, 0.1);
            CHECK_EQUAL(d.order, 3);
            CHECK(d.ratio == 1);
        }
}

TEST(a_passed_step_never_shrinks_h)
{
    for (int wait = 1; wait < 4; wait++) {
        struct setting s = looking(&method_bdf, 3, 1);
        offer(&s, LOWER, 0.9);
        offer(&s, HIGHER, 0.9);
        s.control.wait = wait;
        struct decision const d = accept(&s, 0.1);
        CHECK_EQUAL(d.order, 3);
        CHECK(d.ratio == 1);
    }
}

TEST(growth_is_limited_most_of_all_after_a_failure)
{
    struct setting s = looking(&method_adams, 2, 0);
    CHECK(accept(&s, 1e-6).ratio == FIRST_GROWTH);
    s.control.wait = 1;
    CHECK(accept(&s, 1e-6).ratio == GROWTH);
    (void)reject(&s, 1e-6);
    s.control.wait = 1;
    CHECK(accept(&s, 1e-6).ratio == GROWTH_AFTER_FAILURE);
    s.control.wait = 1;
    CHECK(accept(&s, 1e-6).ratio == GROWTH);
    (void)retreat(&s, 1e-6);
    s.control.wait = 1;
    CHECK(accept(&s, 1e-6).ratio == GROWTH_AFTER_FAILURE);
}

TEST(the_order_with_the_largest_ratio_wins)
{
    for (int best = LOWER; best <= HIGHER; best++) {
        struct setting s = looking(&method_bdf, 3, 1e-2);
        for (int slot = LOWER; slot <= HIGHER; slot++)
            offer(&s, slot, pow(slot == best ? 8 : 4, -(3 + slot - SAME + 1)));
        struct decision const d = accept(&s, 0.1);
        CHECK_EQUAL(d.order, 3 + best - SAME);
        check_ratio(d.ratio, ideal(&s.candidate[best]));
    }
}

TEST(cost_counts_against_a_candidate)
{
    struct setting s = looking(&method_bdf, 3, 1e-4);
    offer(&s, HIGHER, 1e-6);
    CHECK(ideal(&s.candidate[HIGHER]) > ideal(&s.candidate[SAME]));
    s.candidate[HIGHER].cost = 3;
    CHECK_EQUAL(accept(&s, 0.1).order, 3);
}

TEST(candidates_that_are_not_offered_are_never_chosen)
{
    struct setting s = looking(&method_bdf, 3, 1e-2);
    offer(&s, LOWER, 0);
    offer(&s, HIGHER, 0);
    s.candidate[LOWER].order = s.candidate[HIGHER].order = 0;
    CHECK_EQUAL(accept(&s, 0.1).order, 3);
}

/* A start from one point raises the order with every step that could grow a lot, up to the largest order. */
TEST(a_start_climbs_through_the_orders)
{
    for (size_t m = 0; m < METHODS; m++) {
        struct setting s = looking(methods[m], 1, 1e-9);
        int const most = methods[m]->max_order - 1;
        control_start(&s.control, s.method, most);
        s.control.max_step = HUGE_VAL;
        for (int order = 1; order < most; order++) {
            s.candidate[SAME].order = order;
            s.candidate[SAME].error = pow(3, -(order + 1)) / s.candidate[SAME].bias;
            struct decision const d = accept(&s, 1e-6);
            CHECK_EQUAL(d.order, order + 1);
            check_ratio(d.ratio, 3);
        }
        s.candidate[SAME].order = most;
        CHECK_EQUAL(accept(&s, 1e-6).order, most);
    }
}

/* Growth that is not worth it, and any failure, end the start. */
TEST(a_start_ends_with_the_first_step_that_does_not_grow)
{
    for (int way = 0; way < 3; way++) {
        struct setting s = looking(&method_bdf, 2, 1);
        control_start(&s.control, s.method, 5);
        s.control.max_step = HUGE_VAL;
        if (way == 0) CHECK_EQUAL(accept(&s, 0.1).order, 2);
        if (way == 1) (void)reject(&s, 0.1);
        if (way == 2) (void)retreat(&s, 0.1);
        s.candidate[SAME].error = 1e-9;
        CHECK_EQUAL(accept(&s, 0.1).order, 2);
    }
}

/* Other orders are considered not before `patience` steps after a change of order, a failure or a cut; then they are. */
static void check_wait(struct setting *s)
{
    int const order = s->candidate[SAME].order;
    offer(s, HIGHER, 0);
    offer(s, LOWER, 0);
    s->candidate[SAME].error = 0.5; /* no change of h, and any other order would be better */
    for (int steps = 1; steps < s->method->patience; steps++) {
        CHECK(!control_considers(&s->control));
        CHECK_EQUAL(accept(s, 1e-6).order, order);
    }
    CHECK(control_considers(&s->control));
    CHECK(accept(s, 1e-6).order != order);
}

TEST(other_orders_wait_for_the_patience_of_the_method)
{
    for (size_t m = 0; m < METHODS; m++)
        for (int way = 0; way < 4; way++) {
            struct setting s = looking(methods[m], 3, 0);
            if (way == 0) {
                offer(&s, HIGHER, 0);
                s.candidate[HIGHER].cost = 0.5; /* both allow any growth */
                s.candidate[SAME].order = accept(&s, 1e-6).order;
                CHECK_EQUAL(s.candidate[SAME].order, 4);
            }
            if (way == 1) (void)reject(&s, 1e-6);
            if (way == 2) (void)retreat(&s, 1e-6);
            if (way == 3) control_cut(&s.control, s.method);
            check_wait(&s);
        }
}

TEST(a_look_that_changes_nothing_is_repeated)
{
    struct setting s = looking(&method_bdf, 3, 1);
    (void)accept(&s, 0.1);
    int steps = 1;
    for (; !control_considers(&s.control); steps++) (void)accept(&s, 0.1);
    CHECK_AT_MOST(steps, 3 + s.method->patience + 1); /* order + 1 steps show something new */
}

TEST(steps_stay_within_their_limits)
{
    for (double h = -1; h <= 1; h += 2) {
        struct setting s = looking(&method_bdf, 2, 0);
        s.control.max_step = 3;
        s.control.min_step = 0.5;
        CHECK_CLOSE(accept(&s, h).ratio, 3, 4 * DBL_EPSILON);
        CHECK_CLOSE(retreat(&s, h).ratio, 0.5, 4 * DBL_EPSILON);
        offer(&s, SAME, 1e30);
        CHECK_CLOSE(reject(&s, h).ratio, 0.5, 4 * DBL_EPSILON);
    }
}

TEST(at_the_largest_step_nothing_changes)
{
    struct setting s = looking(&method_bdf, 2, 0);
    s.control.max_step = 0.1;
    struct decision const d = accept(&s, 0.1);
    CHECK(d.ratio == 1);
    CHECK_EQUAL(d.order, 2);
}

/* Whatever the errors, rejections in a row move the step to nothing, and never raise the order. */
static void check_rejections(double error, double lower)
{
    struct setting s = looking(&method_bdf, 4, error);
    double h = 1;
    for (int k = 0; k < 30; k++) {
        int const order = s.candidate[SAME].order;
        offer(&s, LOWER, lower);
        if (order == 1) s.candidate[LOWER].order = 0;
        struct decision const d = reject(&s, h);
        CHECK(d.ratio > 0 && d.ratio <= 1);
        CHECK(d.order >= 1 && d.order <= order);
        CHECK(d.ratio < 1 || d.order < order); /* the next attempt differs */
        h *= d.ratio;
        s.candidate[SAME].order = d.order;
    }
    CHECK_AT_MOST(h, 1e-15);
}

TEST(rejections_in_a_row_shrink_the_step_to_nothing)
{
    static const double errors[] = {1 + DBL_EPSILON, 2, 1e10, DBL_MAX, HUGE_VAL, (double)NAN};
    for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
        check_rejections(errors[k], 0);
        check_rejections(errors[k], errors[k]);
        check_rejections(errors[k], (double)NAN);
    }
}

TEST(an_error_that_is_not_a_number_shrinks_the_step_at_once)
{
    struct setting s = looking(&method_adams, 5, (double)NAN);
    struct decision const d = reject(&s, 1);
    CHECK_EQUAL(d.order, 5);
    CHECK(d.ratio > 0 && d.ratio < 1);
}

TEST(a_history_that_failed_often_is_not_believed)
{
    struct setting s = looking(&method_adams, 7, 1.5);
    struct decision d = {0};
    for (int k = 0; k < 3; k++) d = reject(&s, 1);
    CHECK_EQUAL(d.order, 1);
    CHECK_AT_MOST(d.ratio, 0.1);
}

TEST(a_failed_corrector_keeps_the_order_and_shrinks_the_step)
{
    struct setting s = looking(&method_bdf, 4, 0);
    struct decision const d = retreat(&s, 1);
    CHECK_EQUAL(d.order, 4);
    CHECK(d.ratio > 0 && d.ratio < 1);
}

TEST(an_accepted_step_forgets_failures)
{
    struct setting s = looking(&method_bdf, 4, 2);
    (void)reject(&s, 1);
    (void)retreat(&s, 1);
    CHECK_EQUAL(s.control.errors, 1);
    CHECK_EQUAL(s.control.failures, 1);
    (void)accept(&s, 1);
    CHECK_EQUAL(s.control.errors, 0);
    CHECK_EQUAL(s.control.failures, 0);
}

/* Steps that grow by more than BDF's bounds one after the other would not be stable; a pause of order + 1 steps allows any
   growth.  Adams needs none. */
TEST(bdf_grows_a_lot_only_after_equal_steps)
{
    static const double bound[] = {0, HUGE_VAL, 2.41, 1.53, 1.28, 1.12};
    for (int order = 1; order <= BDF_ORDERS; order++) {
        struct setting s = looking(&method_bdf, order, 1e-6);
        CHECK(accept(&s, 1).ratio > 2.41);
        for (int k = 0; k < order; k++) {
            s.control.equal = k;
            s.control.wait = 1;
            CHECK(accept(&s, 1).ratio <= bound[order]);
        }
        struct setting adams = looking(&method_adams, order, 1e-6);
        adams.control.equal = 0;
        CHECK(accept(&adams, 1).ratio > 2.41);
    }
}

/* A piece far shorter than the step is one step by any order: the cheapest will do. */
TEST(a_piece_that_is_hardly_there_is_one_step)
{
    double const pieces[] = {0.5, 1e-3, 1e-7, 1e-12, 1e-300};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        struct setting s = looking(&method_limex, 4, 1e-9);
        offer(&s, LOWER, 1e-6);
        s.candidate[LOWER].cost = 0.5;
        s.control.piece = pieces[k];
        CHECK_EQUAL(accept(&s, 1).order, 3);
    }
}

TEST(a_limited_order_is_that_of_steps_that_shrink)
{
    for (int order = 1; order <= 7; order++) {
        struct setting s = looking(&method_limex, order, 0.9);
        s.candidate[SAME].limit = 4;
        double const excess = s.candidate[SAME].bias * 0.9;
        check_ratio(accept(&s, 1).ratio, pow(excess, -1.0 / (1 + (order < 4 ? order : 4))));
        s.candidate[SAME].error = 0.01;
        check_ratio(accept(&s, 1).ratio, ideal(&s.candidate[SAME]));
        s.candidate[SAME].error = 3;
        check_ratio(reject(&s, 1).ratio,
                    pow(excess / 0.9 * 3, -1.0 / (1 + (order < 4 ? order : 4))));
    }
}
