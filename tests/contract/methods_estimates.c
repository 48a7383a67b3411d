/* SPDX-License-Identifier: Apache-2.0 */
/* What every method promises about errors (method/method.h): slots that mean the same order in every part, errors that
   are norms of local errors, the worst column, and nothing that hides a number that is not finite. */
#include <float.h>
#include <math.h>

#include "support/order_history.h"
#include "support/order_measure.h"
#include "test.h"

enum { PAIRS = 2, COLUMNS = 40, QUIET = 6 }; /* two panels; steps before the estimate, all equal */
static const double H = 0.1;

typedef void property(tansy_solver *s, int q);
static property *the_property; /* of the test at work */

/* After an attempt of order q that follows a few equal steps. */
static void at_all_orders(const struct order_setting *setting, const struct order_problem *it)
{
    for (int q = 1; q <= setting->method->max_order; q++) {
        tansy_solver *const s = order_solver(it, setting);
        order_place(s, it, 0, H, q);
        CHECK_EQUAL(order_march(s, QUIET), VERDICT_OK);
        CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
        the_property(s, q);
        tansy_free(s);
    }
}

static void for_all(property *holds)
{
    the_property = holds;
    order_for_all(0.1, PAIRS, COLUMNS, at_all_orders);
}

/* The part's own estimate, right after it was advanced again, as its work space may have served others. */
static struct estimates estimate(tansy_solver *s, size_t m)
{
    struct stepper *const st = &s->stepper;
    struct estimates out = {.column = COLUMNS};
    if (m > 0 && !st->corrector->together)
        CHECK_EQUAL(st->method->advance(st, order_part(s, m), 0), VERDICT_OK);
    st->method->estimate(st, order_part(s, m), 0, &out);
    return out;
}

static void check_slots(tansy_solver *s, int q)
{
    int const most = s->stepper.max_order;
    for (int wanted = 0; wanted < 2; wanted++) {
        s->stepper.other_orders = wanted;
        for (size_t m = 0; m <= s->stepper.panels; m++) {
            struct estimates const e = estimate(s, m);
            CHECK(e.candidate[SAME].error <= 1); /* a loose tolerance: nothing fails here */
            CHECK_EQUAL(e.candidate[LOWER].order, wanted && q > 1 ? q - 1 : 0);
            CHECK_EQUAL(e.candidate[SAME].order, q);
            CHECK_EQUAL(e.candidate[HIGHER].order, wanted && q < most ? q + 1 : 0);
            for (int slot = LOWER; slot <= HIGHER; slot++)
                CHECK(e.candidate[slot].order == 0 ||
                      (e.candidate[slot].cost > 0 && e.candidate[slot].bias > 0));
        }
    }
}

TEST(slots_mean_the_same_order_in_every_part)
{
    for_all(check_slots);
}

/* v of a slot in row i and lane k: e, z_q corrected, or the change of e; with equal steps. */
static double vector_of(const tansy_solver *s, const struct part *part, int slot, size_t x)
{
    const struct formula *const f = &s->stepper.formula;
    double const e = part->e[part->now][x];
    int const q = part->order;
    if (slot == SAME) return e;
    if (slot == HIGHER) return e - part->e[!part->now][x];
    return part->history[(size_t)q * part->shape.count + x] + f->l[q] * e;
}

static double constant_of(const tansy_solver *s, int slot, int q)
{
    double xi[PAST_POINTS];
    for (int i = 0; i < PAST_POINTS; i++) xi[i] = i;
    if (slot == SAME) return s->stepper.formula.same;
    return slot == HIGHER ? s->stepper.formula.up : s->stepper.method->family->down(q, xi);
}

/* The norm of a column's local error by a plain loop: weights at the value where the step began. */
static double norm_of(const tansy_solver *s, const struct part *part, int slot, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t const x = i * part->shape.lanes + k;
        double const scale =
            part->kind == PART_STATE ? 1 : s->tolerances.scale[part->shape.first + k];
        double const w =
            s->tolerances.rtol[i] * fabs(part->history[x]) + s->tolerances.atol[i] / scale;
        double const v = vector_of(s, part, slot, x) / w;
        sum += v * v;
    }
    return constant_of(s, slot, part->order) * sqrt(sum / (double)s->n);
}

/* Sums of n squares round, and so does the sum behind v: terms of z and e, which cancel at worst down to e itself times
   the ratio of rows, here above 1e-9. */
static void check_norms(tansy_solver *s, int q)
{
    (void)q;
    s->stepper.other_orders = true;
    s->stepper.control = TANSY_ALL_AS_ONE; /* with the sums of squares */
    for (size_t m = 0; m <= s->stepper.panels; m++) {
        struct estimates const out = estimate(s, m);
        const struct part *const part = order_part(s, m);
        for (int slot = LOWER; slot <= HIGHER; slot++) {
            if (out.candidate[slot].order == 0) continue;
            double largest = 0, squares = 0;
            for (size_t k = 0; k < part->shape.columns; k++) {
                double const norm = norm_of(s, part, slot, k);
                largest = fmax(largest, norm);
                squares += norm * norm;
            }
            CHECK_CLOSE(out.candidate[slot].error, largest, 1e-6 * largest + 1e-12);
            CHECK_CLOSE(out.square_sum[slot], squares, 1e-6 * squares + 1e-12);
        }
        CHECK(out.column < part->shape.columns);
        double const worst = norm_of(s, part, SAME, out.column);
        CHECK_CLOSE(worst, out.candidate[SAME].error, 1e-6 * worst);
    }
}

TEST(errors_are_norms_of_local_errors)
{
    for_all(check_norms);
}

/* A correction that no test passes. */
static void blow_up(const tansy_solver *s, struct part *part)
{
    for (size_t x = 0; x < s->n * part->shape.lanes; x++) part->e[part->now][x] = 1e6;
    part->squares_known = false;
}

/* A panel that fails offers the order below, with that order's own error, though the state passed and offered none. */
static void check_alone(tansy_solver *s, int q)
{
    struct stepper *const st = &s->stepper;
    struct estimates out;
    if (q == 1) return;
    st->other_orders = false;
    st->method->estimate(st, &st->state, 0, &out);
    CHECK_EQUAL(out.candidate[LOWER].order, 0);
    (void)estimate(s, 1);
    struct part *const panel = order_part(s, 1);
    blow_up(s, panel);
    st->method->estimate(st, panel, 0, &out);
    CHECK(out.candidate[SAME].error > 1);
    CHECK_EQUAL(out.candidate[LOWER].order, q - 1);
    double largest = 0;
    for (size_t x = 0; x < panel->shape.count; x++) panel->e[panel->now][x] = 0; /* z_q as it was */
    for (size_t k = 0; k < panel->shape.columns; k++)
        largest = fmax(largest, norm_of(s, panel, LOWER, k));
    CHECK_CLOSE(out.candidate[LOWER].error, largest, 1e-6 * largest);
}

TEST(a_panel_that_fails_alone_offers_the_order_below_with_its_error)
{
    for_all(check_alone);
}

/* One NaN in one column, whichever: the test of the part must not pass, and the culprit is that column. */
static void check_nan(tansy_solver *s, int q)
{
    struct stepper *const st = &s->stepper;
    struct part *const panel = order_part(s, 1);
    (void)q;
    (void)estimate(s, 1);
    for (size_t k = 0; k < panel->shape.columns; k++) {
        struct estimates out;
        double *const entry = &panel->e[panel->now][panel->shape.lanes + k];
        double const kept = *entry;
        *entry = (double)NAN;
        panel->squares_known = false;
        st->method->estimate(st, panel, 0, &out);
        CHECK(!(out.candidate[SAME].error <= 1));
        CHECK_EQUAL(out.column, k);
        *entry = kept;
    }
}

TEST(a_column_that_is_not_a_number_fails_the_test_of_its_panel)
{
    for_all(check_nan);
}

/* How the error of y grows in one step, against the estimate same |e|, both as 2-norms.  They differ by the second
   terms of both, (b h)^2 (0.42 + (q + 1)/24) < 0.04, and by the growth of the error that is there, |J| times at most
   2 C h^q: less than 4 p |u| = 0.09 of C h^(q+1). */
static void check_growth(const struct order_setting *setting, const struct order_problem *it)
{
    tansy_solver *const s = order_solver(it, setting);
    for (int q = 1; q <= setting->method->max_order; q++) {
        size_t const steps = order_steps(q, ORDER_REFINEMENTS - 1);
        double const h = ORDER_TIME / (double)steps;
        double value[2][2];
        long double exact[2][2 * (1 + ORDER_COLUMNS)];
        order_place(s, it, 0, h, q);
        for (size_t k = 0; k < 2; k++) {
            CHECK_EQUAL(order_march(s, k == 0 ? steps - 1 : 1), VERDICT_OK);
            solver_output(s, tansy_time(s), 0, value[k], NULL);
            order_exact(it, (long double)tansy_time(s), 0, exact[k], exact[k] + 2);
        }
        long double growth[2];
        for (size_t i = 0; i < 2; i++)
            growth[i] =
                (long double)value[1][i] - (long double)value[0][i] - (exact[1][i] - exact[0][i]);
        const double *const e = s->stepper.state.e[!s->stepper.state.now];
        double const estimate = s->stepper.last.same * hypot(e[0], e[1]);
        double const actual = (double)hypotl(growth[0], growth[1]);
        CHECK_CLOSE(estimate / actual, 1, 0.04 + 0.09 + 16 * DBL_EPSILON / actual);
    }
    tansy_free(s);
}

TEST(the_estimate_is_the_growth_of_the_error_in_a_step)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_growth);
}

static double uneven(double h, long k)
{
    static const double factor[4] = {1, 1.4, 0.9, 0.7};
    return h * factor[k & 3];
}

static double even(double h, long k)
{
    (void)k;
    return h;
}

/* By how much the exact solution violates the formula of order k in step number `at`, which ends at t: the slope of the
   polynomial through past values for BDF, the integral of that through past slopes for Adams. */
static double local_error(const struct order_problem *it, bool adams, int k, double t, long at,
                          order_size *size)
{
    long double const h = (long double)size(H, at), end = (long double)t;
    long double x[ADAMS_ORDERS + 2] = {0}, error[2];
    for (int i = 1; i <= k; i++) x[i] = x[i - 1] - (long double)size(H, at - i + 1) / h;
    for (size_t c = 0; c < 2; c++) {
        long double value[ADAMS_ORDERS + 2], slope[ADAMS_ORDERS + 2], z[ADAMS_ORDERS + 2],
            start = 0;
        for (int i = 0; i <= k; i++) {
            long double y[2 * (1 + ORDER_COLUMNS)];
            order_exact(it, end + h * x[i], 0, y, y + 2);
            value[i] = y[c];
            order_exact(it, end + h * x[i], 1, y, y + 2);
            slope[i] = h * y[c];
        }
        long double const increment = value[0] - value[1], at_end = slope[0];
        order_history(adams, k, x, value, slope, z);
        for (int j = k; j >= 0; j--) start = z[j] - start; /* at x = -1 */
        error[c] = adams ? increment - (z[0] - start) : at_end - z[1];
    }
    return (double)hypotl(error[0], error[1]);
}

/* All three estimates of the state against the truth, as 2-norms.  The next terms of both are of relative size
   (b h)^2 (1 + (q + 2)/12) at most, b h <= 0.14, and c e rounds.  Not the corrections of BDF on uneven steps: the global
   error of BDF is not smooth there, and enters e with its own size; z_q is an average over many steps. */
static void check_truth(tansy_solver *s, const struct order_problem *it, int q, order_size *size)
{
    struct stepper *const st = &s->stepper;
    bool const adams = st->method == &method_adams, smooth = adams || size == even;
    for (long steps = 20; steps < 24; steps++) {
        struct estimates out;
        order_place_uneven(s, it, 0, H, q, size);
        CHECK_EQUAL(order_march_uneven(s, (size_t)steps, H, size), VERDICT_OK);
        st->h = size(H, steps);
        CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
        for (size_t x = 0; x < st->state.shape.count; x++) st->state_work.winv[x] = 1;
        st->state.squares_known = false;
        st->other_orders = true;
        st->method->estimate(st, &st->state, 0, &out);
        for (int slot = q > 1 ? LOWER : SAME; slot <= (smooth ? HIGHER : LOWER); slot++) {
            int const k = q + slot - SAME;
            double const truth = local_error(it, adams, k, st->t + st->h, steps, size);
            double const found = out.candidate[slot].error * sqrt(2);
            CHECK_EQUAL(out.candidate[slot].order, k);
            CHECK_CLOSE(found, truth, 0.02 * (1 + (q + 2) / 12.0) * truth + 64 * DBL_EPSILON);
        }
        st->other_orders = false;
    }
}

/* To roundoff, but for order 1, where e is so large that four iterations do not get there. */
static void check_uneven(const struct order_setting *setting, const struct order_problem *it)
{
    for (int q = 1; q <= 8 && q < setting->method->max_order; q++) {
        struct order_setting own = *setting;
        own.tolerance = q == 1 ? 1e-10 : 1e-14;
        tansy_solver *const s = order_solver(it, &own);
        check_truth(s, it, q, even);
        check_truth(s, it, q, uneven);
        tansy_free(s);
    }
}

TEST(estimates_of_all_orders_are_local_errors_on_even_and_uneven_steps)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_uneven);
}
