/* SPDX-License-Identifier: Apache-2.0 */
/* Every formula of Adams and BDF converges with its order, in y and in every column of S, by every corrector and in
   both directions of time, on equal steps, on uneven ones and when the order changes: exact history, no controller
   (support/order_problem.h). */
#include <float.h>
#include <math.h>

#include "support/order_measure.h"
#include "test.h"

/* Why a quarter.  On exp(i b t) the global error of a formula of order q is C (b h)^q (1 - k (b h)^2 + ...), where
   k <= 0.42 for all of these formulas on equal steps: the slope between b h = 0.4 and 0.2 is q - 0.08 at the worst.  The
   column of b adds terms of relative size (q h/2)/ORDER_TIME whose change gives 0.08 more.  Roundoff is below 1 % of the
   error, which gives 0.02.  The nonlinear remainder is of relative size 2 p times the error. */
static const double SLACK = 0.25;

enum { PERIOD = 4 }; /* of uneven steps and of orders; the number of steps is a multiple */

/* How to march. */
struct plan {
    double direction;
    order_size *size;
    bool switches; /* between the orders q and q + 1, every other step */
};

static double uneven(double h, long k)
{
    static const double factor[PERIOD] = {1, 1.4, 0.9, 0.7}; /* 1 in the mean */
    return h * factor[(k % PERIOD + PERIOD) % PERIOD];
}

/* The errors of y and the columns at the end of the march, for all refinements, and whether they are above roundoff. */
struct measured {
    double error[1 + ORDER_COLUMNS][ORDER_REFINEMENTS];
    double h[ORDER_REFINEMENTS];
    bool clear[1 + ORDER_COLUMNS];
};

/* A sum of so many numbers of this size rounds by sqrt(steps) eps size. */
static bool far_above_roundoff(double error, size_t steps, double size)
{
    return error > 100 * sqrt((double)steps) * DBL_EPSILON * size;
}

static double size_of(size_t n, const long double *v)
{
    long double sum = 0;
    for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
    return (double)sqrtl(sum);
}

static void march(tansy_solver *s, const struct plan *plan, int q, double h, size_t steps)
{
    for (size_t k = 0; k < steps; k += PERIOD / 2) {
        if (plan->switches) s->stepper.order = q + (int)(k / 2 % 2);
        for (size_t m = k; m < k + PERIOD / 2; m++) {
            double const t = s->stepper.t;
            s->stepper.h = plan->size ? plan->size(h, (long)m) : h;
            CHECK_EQUAL(order_attempt(s, true), VERDICT_OK);
            order_accept(s, t + s->stepper.h);
        }
    }
}

static void measure(tansy_solver *s, const struct order_problem *it, int q, const struct plan *plan,
                    struct measured *m)
{
    double const from = plan->direction > 0 ? 0 : ORDER_TIME, to = ORDER_TIME - from;
    long double exact[2 * (1 + ORDER_COLUMNS)];
    order_exact(it, (long double)ORDER_TIME, 0, exact,
                exact + 2); /* where the columns are largest */
    for (size_t k = 0; k <= ORDER_COLUMNS; k++) m->clear[k] = true;
    for (int r = 0; r < ORDER_REFINEMENTS; r++) {
        double end[1 + ORDER_MOST_COLUMNS];
        size_t const steps = (order_steps(q, r) + PERIOD - 1) / PERIOD * PERIOD;
        m->h[r] = (to - from) / (double)steps;
        order_place_uneven(s, it, from, m->h[r], q, plan->size);
        march(s, plan, q, m->h[r], steps);
        CHECK_CLOSE(tansy_time(s), to, (double)steps * ORDER_TIME * DBL_EPSILON);
        order_errors(s, it, tansy_time(s), 0, end);
        for (size_t k = 0; k <= ORDER_COLUMNS; k++) {
            m->error[k][r] = end[k];
            m->clear[k] &= far_above_roundoff(end[k], steps, size_of(2, exact + 2 * k));
        }
    }
}

/* The errors of dy/dy(0) are p times those of y: with the weak nonlinearity of functional iteration they drown. */
static bool may_drown(const struct order_setting *setting, int q, size_t k)
{
    return setting->linear == TANSY_DIAGONAL && k > 3 && q >= 7;
}

static void check_plan(const struct order_setting *setting, const struct order_problem *it,
                       const struct plan *plan)
{
    tansy_solver *const s = order_solver(it, setting);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    for (int q = 1; q + plan->switches <= setting->method->max_order; q += TEST_STRIDE) {
        struct measured m;
        measure(s, it, q, plan, &m);
        for (size_t k = 0; k <= ORDER_COLUMNS; k++) {
            double const order = order_slope(m.h, m.error[k]);
            CHECK(m.clear[k] || may_drown(setting, q, k));
            if (m.clear[k]) CHECK_CLOSE(order, q, SLACK);
        }
    }
    tansy_free(s);
}

static void check_equal_steps(const struct order_setting *setting, const struct order_problem *it)
{
    check_plan(setting, it, &(struct plan){.direction = 1});
    check_plan(setting, it, &(struct plan){.direction = -1});
}

/* At this tolerance the iterations go on to roundoff. */
TEST(every_formula_has_its_order_in_y_and_every_column_by_every_corrector)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_equal_steps);
}

static void check_uneven_steps(const struct order_setting *setting, const struct order_problem *it)
{
    check_plan(setting, it, &(struct plan){.direction = 1, .size = uneven});
    check_plan(setting, it, &(struct plan){.direction = -1, .size = uneven});
}

TEST(the_order_is_kept_when_h_changes_at_every_step)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_uneven_steps);
}

/* Half of the steps are of the lower order, whose error dominates; a change of the order that was wrong by more than
   O(h^(q+1)) would show, as there are O(1/h) changes. */
static void check_switches(const struct order_setting *setting, const struct order_problem *it)
{
    check_plan(setting, it, &(struct plan){.direction = 1, .switches = true});
    check_plan(setting, it, &(struct plan){.direction = 1, .switches = true, .size = uneven});
}

TEST(the_lower_order_is_kept_when_the_order_changes_with_every_other_step)
{
    order_for_all(1e-14, 1, ORDER_COLUMNS, check_switches);
}
