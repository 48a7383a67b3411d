/* SPDX-License-Identifier: Apache-2.0 */
/* What every method promises (method/method.h), with every corrector that goes with it: histories change only by
   accepted steps, changes of h and order keep the polynomial, attempts can be repeated, the block can be put back. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/order_measure.h"
#include "test.h"

enum { PAIRS = 2, COLUMNS = 40 }; /* two panels, the second one narrower */
static const double TOLERANCE = 1e-8, H = 0.1;

/* The histories of all parts and what they are scaled to. */
struct histories {
    double *row[3], *e[3];
    struct part part[3];
};

static size_t rows_of(const struct part *part)
{
    return (size_t)(part->order + 1) * part->shape.count;
}

static double *copy_of(const double *v, size_t count)
{
    double *const copy = malloc(count * sizeof *copy);
    memcpy(copy, v, count * sizeof *copy);
    return copy;
}

static struct histories take_histories(tansy_solver *s)
{
    struct histories all = {.row = {NULL}};
    for (size_t m = 0; m <= s->stepper.panels; m++) {
        const struct part *const part = order_part(s, m);
        all.part[m] = *part;
        all.row[m] = copy_of(part->history, rows_of(part));
        all.e[m] = copy_of(part->e[!part->now], part->shape.count);
    }
    return all;
}

static void drop_histories(struct histories *all)
{
    for (size_t m = 0; m < 3; m++) {
        free(all->row[m]);
        free(all->e[m]);
    }
}

/* True when rows, last corrections and scaling are the same bits; drops the histories. */
static bool are_histories(tansy_solver *s, struct histories all)
{
    bool same = true;
    for (size_t m = 0; m <= s->stepper.panels; m++) {
        const struct part *const now = order_part(s, m), *const then = &all.part[m];
        same = same && now->order == then->order && now->h == then->h &&
               now->pending == then->pending &&
               memcmp(now->history, all.row[m], rows_of(now) * sizeof(double)) == 0 &&
               memcmp(now->e[!now->now], all.e[m], now->shape.count * sizeof(double)) == 0;
    }
    drop_histories(&all);
    return same;
}

/* A solver after a few steps of order q. */
static tansy_solver *on_the_way(const struct order_setting *setting, const struct order_problem *it,
                                int q)
{
    tansy_solver *const s = order_solver(it, setting);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    order_place(s, it, 0, H, q);
    CHECK_EQUAL(order_march(s, 3), VERDICT_OK);
    return s;
}

typedef void property(tansy_solver *s, const struct order_problem *it, int q);
static property *the_property; /* of the test at work */

static void at_all_orders(const struct order_setting *setting, const struct order_problem *it)
{
    for (int q = 1; q <= setting->method->max_order; q++) {
        tansy_solver *const s = on_the_way(setting, it, q);
        the_property(s, it, q);
        tansy_free(s);
    }
}

static void for_all(property *holds)
{
    the_property = holds;
    order_for_all(TOLERANCE, PAIRS, COLUMNS, at_all_orders);
}

static void estimate_all(tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct estimates out;
    st->other_orders = true;
    for (size_t m = 0; m <= st->panels; m++) st->method->estimate(st, order_part(s, m), 0, &out);
}

static void check_untouched(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it, (void)q;
    s->stepper.method->settle(&s->stepper);
    struct histories const before = take_histories(s);
    CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
    estimate_all(s);
    CHECK(are_histories(s, before));
}

TEST(an_attempt_leaves_the_histories_alone)
{
    for_all(check_untouched);
}

/* A settled history is the one that an attempt would have made of a pending one. */
static void check_lazily(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it, (void)q;
    void *const block = malloc(s->bytes);
    memcpy(block, s, s->bytes);
    s->stepper.h *= 1.25;
    s->stepper.method->settle(&s->stepper);
    struct histories const settled = take_histories(s);
    memcpy(s, block, s->bytes);
    s->stepper.h *= 1.25;
    CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
    CHECK(are_histories(s, settled));
    free(block);
}

TEST(settling_does_to_histories_what_an_attempt_does)
{
    for_all(check_lazily);
}

/* Corrections of the step at work of all parts, one after the other. */
static double *corrections(tansy_solver *s, size_t *count)
{
    *count = 0;
    for (size_t m = 0; m <= s->stepper.panels; m++) *count += order_part(s, m)->shape.count;
    double *const all = malloc(*count * sizeof *all), *at = all;
    for (size_t m = 0; m <= s->stepper.panels; m++) {
        const struct part *const part = order_part(s, m);
        memcpy(at, part->e[part->now], part->shape.count * sizeof *at);
        at += part->shape.count;
    }
    return all;
}

/* Again at the same h, and again after an attempt with h/2, whose powers are exact. */
static void check_repeated(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it, (void)q;
    size_t count = 0;
    CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
    double *const first = corrections(s, &count);
    for (int halved = 0; halved < 2; halved++) {
        s->stepper.method->settle(&s->stepper);
        if (halved) {
            s->stepper.h /= 2;
            (void)order_attempt(s, true);
            s->stepper.method->settle(&s->stepper);
            s->stepper.h *= 2;
        }
        CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
        double *const again = corrections(s, &count);
        CHECK(memcmp(first, again, count * sizeof *first) == 0);
        free(again);
    }
    free(first);
}

TEST(an_abandoned_attempt_repeats_bit_for_bit)
{
    for_all(check_repeated);
}

/* All that a method remembers is in the block. */
static void check_block(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it, (void)q;
    size_t const count = PAIRS * 2 * (1 + COLUMNS);
    double *const once = calloc(2 * count, sizeof *once), *const twice = once + count;
    void *const block = malloc(s->bytes);
    memcpy(block, s, s->bytes);
    for (double *out = once; out <= twice; out += count) {
        memcpy(s, block, s->bytes);
        CHECK_EQUAL(order_march(s, 5), VERDICT_OK);
        solver_output(s, tansy_time(s) - H / 3, 0, out, out + s->n);
    }
    CHECK(memcmp(once, twice, count * sizeof *once) == 0);
    free(block);
    free(once);
}

TEST(a_block_put_back_goes_on_bit_for_bit)
{
    for_all(check_block);
}

static void check_settled(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it;
    int const most = s->stepper.method->max_order;
    s->stepper.h *= 0.7;
    for (int order = q > 1 ? q - 1 : q; order <= q + 1 && order <= most; order++) {
        void *const block = malloc(s->bytes);
        memcpy(block, s, s->bytes);
        s->stepper.order = order;
        s->stepper.method->settle(&s->stepper);
        struct histories const first = take_histories(s);
        s->stepper.method->settle(&s->stepper);
        CHECK(are_histories(s, first));
        memcpy(s, block, s->bytes);
        free(block);
    }
}

TEST(settling_twice_is_settling_once)
{
    for_all(check_settled);
}

/* h yp is stored, and divided by h again. */
static void check_start(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it, (void)q;
    struct stepper *const st = &s->stepper;
    for (size_t m = 0; m <= st->panels; m++) {
        struct part *const part = order_part(s, m);
        struct work *const w = m == 0 ? &st->state_work : &st->panel_work[0];
        for (size_t x = 0; x < part->shape.count; x++) {
            w->y[x] = cos((double)x);
            w->r[x] = sin((double)x);
        }
        st->method->start(st, part, w->y, w->r);
        st->method->interpolate(st, part, st->t, 0, w->y0);
        st->method->interpolate(st, part, st->t, 1, w->d0);
        for (size_t x = 0; x < part->shape.count; x++) {
            CHECK(w->y0[x] == w->y[x]);
            CHECK_CLOSE(w->d0[x], w->r[x], 2 * DBL_EPSILON);
        }
    }
}

TEST(a_start_gives_back_the_initial_value_and_slope)
{
    for_all(check_start);
}

/* The sum of the sizes of a polynomial's terms, |x| <= 1, with weights for their rounding. */
static double rounding(const struct part *part, size_t x, double each)
{
    double sum = 0;
    for (int j = 0; j <= part->order; j++)
        sum += (each * j + 2) * fabs(part->history[(size_t)j * part->shape.count + x]);
    return sum * DBL_EPSILON;
}

/* A row j is multiplied by r^j and r^-j: 2 j roundings of each power, those of r and 1/r j times, two products. */
static void check_ratio(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it, (void)q;
    struct stepper *const st = &s->stepper;
    for (size_t m = 0; m <= st->panels; m++) {
        struct part *const part = order_part(s, m);
        double *const before = calloc(2 * part->shape.count, sizeof *before);
        double *const after = before + part->shape.count;
        st->h = H;
        st->method->settle(st);
        st->method->interpolate(st, part, st->t - H / 3, 0, before);
        st->h = 0.37 * H;
        st->method->settle(st);
        st->h = H;
        st->method->settle(st);
        st->method->interpolate(st, part, st->t - H / 3, 0, after);
        for (size_t x = 0; x < part->shape.count; x++)
            CHECK_CLOSE(after[x], before[x], rounding(part, x, 6));
        free(before);
    }
}

TEST(changing_h_and_back_keeps_the_polynomial)
{
    for_all(check_ratio);
}

/* The prediction is the sum of the rows that are left, whatever the order falls to; the value stays. */
static void check_fall(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it;
    struct stepper *const st = &s->stepper;
    st->method->settle(st);
    for (int order = q; order >= 1; order--) {
        void *const block = malloc(s->bytes);
        memcpy(block, s, s->bytes);
        struct histories const full = take_histories(s);
        st->order = order;
        st->h = 0.1 * H;
        CHECK_EQUAL(st->method->advance(st, &st->state, 0), VERDICT_OK);
        CHECK_EQUAL(st->state.order, order);
        for (size_t i = 0; i < s->n; i++) {
            double sum = 0;
            for (int j = order; j >= 0; j--)
                sum += st->state.history[j * st->state.shape.count + i];
            CHECK_CLOSE(st->state_work.y0[i], sum, rounding(&st->state, i, 1));
            CHECK(st->state.history[i] == full.row[0][i]);
        }
        memcpy(s, block, s->bytes);
        CHECK(are_histories(s, full));
        free(block);
    }
}

TEST(a_fall_of_the_order_by_any_number_predicts_by_the_rows_left)
{
    for_all(check_fall);
}

static double jerky(double h, long k)
{
    return k < 5 ? h * (1 + 0.1 * (double)((k & 7) % 3)) : h;
}

/* Whatever is reused from step to step: the coefficients are those of the points at which the steps ended. */
static void check_formula(tansy_solver *s, const struct order_problem *it, int q)
{
    struct stepper *const st = &s->stepper;
    order_place_uneven(s, it, 0, H, q, jerky);
    for (long k = 0; k < 30; k++) {
        struct formula own;
        double xi[PAST_POINTS] = {0, 1};
        st->h = jerky(H, k);
        for (int i = 2; i < PAST_POINTS; i++) xi[i] = xi[i - 1] + jerky(H, k - i + 1) / st->h;
        st->method->family->fill(q, xi, &own);
        CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
        double const relative =
            64 * (q + 2) * DBL_EPSILON; /* sums of q + 2 steps, cancelled by Adams */
        CHECK_CLOSE(st->formula.l0, own.l0, relative * own.l0);
        CHECK_CLOSE(st->formula.same, own.same, relative * own.same);
        CHECK_CLOSE(st->formula.up, own.up, relative * own.up);
        for (int j = 0; j <= q; j++) CHECK_CLOSE(st->formula.l[j], own.l[j], relative * own.l[j]);
        order_accept(s, st->t + st->h);
    }
}

TEST(the_formula_of_a_step_is_that_of_its_past_points)
{
    for_all(check_formula);
}

/* Raised while the correction is pending, or after output has added it: the same history but for rounding. */
static void check_rise(tansy_solver *s, const struct order_problem *it, int q)
{
    (void)it;
    struct stepper *const st = &s->stepper;
    if (q == st->method->max_order) return;
    void *const block = malloc(s->bytes);
    memcpy(block, s, s->bytes);
    st->order = q + 1;
    st->method->settle(st);
    struct histories pending = take_histories(s);
    memcpy(s, block, s->bytes);
    for (size_t m = 0; m <= st->panels; m++)
        st->method->interpolate(st, order_part(s, m), st->t, 0, st->panel_work[0].r);
    st->order = q + 1;
    st->method->settle(st);
    for (size_t m = 0; m <= st->panels; m++) {
        const struct part *const part = order_part(s, m);
        for (size_t x = 0; x < rows_of(part); x++) {
            double const e = part->e[!part->now][x % part->shape.count];
            size_t const j = x / part->shape.count;
            double const size = fabs(part->history[x]) + 4 * fabs(st->raise[j] * e);
            CHECK_CLOSE(part->history[x], pending.row[m][x], 4 * DBL_EPSILON * size);
        }
    }
    drop_histories(&pending);
    free(block);
}

TEST(raising_the_order_early_or_late_gives_the_same_history)
{
    for_all(check_rise);
}
