/* SPDX-License-Identifier: Apache-2.0 */
/* Steps by hand through the tables of method and corrector. */
#include "support/order_march.h"

#include <math.h>

#include "support/order_history.h"

enum { MOST_ENTRIES = 2 * ORDER_PAIRS * (1 + ORDER_MOST_COLUMNS), MOST_POINTS = ADAMS_ORDERS + 1 };
enum { PAST_STEPS = ADAMS_ORDERS + 4 }; /* more than any formula looks back */

tansy_method order_option(const struct method *method)
{
    if (method == &method_adams) return TANSY_ADAMS;
    return method == &method_bdf ? TANSY_BDF : TANSY_DASSL;
}

tansy_solver *order_solver(const struct order_problem *it, const struct order_setting *setting)
{
    return tansy_create(&it->problem, &(tansy_options){.method = order_option(setting->method),
                                                       .sensitivities = setting->corrector->option,
                                                       .linear_solver = setting->linear,
                                                       .rtol = setting->tolerance,
                                                       .atol = setting->tolerance});
}

struct part *order_part(tansy_solver *s, size_t m)
{
    return m == 0 ? &s->stepper.state : &s->stepper.panel[m - 1];
}

static double size_of(order_size *size, double h, long k)
{
    return size ? size(h, k) : h;
}

/* Where entry x of y followed by S lives in the histories. */
static double *place_of(tansy_solver *s, size_t x, size_t *stride)
{
    struct part *part = &s->stepper.state;
    size_t at = x;
    if (x >= s->n) {
        size_t const column = x / s->n - 1;
        part = s->stepper.panel;
        while (part->shape.first + part->shape.columns <= column) part++;
        at = x % s->n * part->shape.lanes + column - part->shape.first;
    }
    *stride = part->shape.count;
    return part->history + at;
}

/* Rows in units of h from exact data at t + h x[i]. */
static void fill_histories(tansy_solver *s, const struct order_problem *it, long double t,
                           long double h, int q, const long double *x)
{
    static long double value[MOST_POINTS][MOST_ENTRIES], slope[MOST_POINTS][MOST_ENTRIES];
    for (int i = 0; i <= q; i++) {
        long double const past = t + h * x[i];
        order_exact(it, past, 0, value[i], value[i] + s->n);
        order_exact(it, past, 1, slope[i], slope[i] + s->n);
    }
    for (size_t e = 0; e < s->n * (1 + s->ns); e++) {
        long double v[MOST_POINTS], d[MOST_POINTS], z[MOST_POINTS];
        size_t stride = 0;
        double *const row = place_of(s, e, &stride);
        for (int i = 0; i <= q; i++) {
            v[i] = value[i][e];
            d[i] = h * slope[i][e];
        }
        order_history(s->stepper.method == &method_adams, q, x, v, d, z);
        for (int j = 0; j <= q; j++) row[(size_t)j * stride] = (double)z[j];
    }
}

static void place_parts(tansy_solver *s, double h, int q)
{
    for (size_t m = 0; m <= s->stepper.panels; m++) {
        struct part *const part = order_part(s, m);
        part->order = q;
        part->h = h;
        part->pending = false;
        part->rate = 1;
        for (size_t x = 0; x < part->shape.count; x++) part->e[0][x] = part->e[1][x] = 0;
    }
}

enum verdict order_attempt(tansy_solver *s, bool new_factors)
{
    struct stepper *const st = &s->stepper;
    s->equations.fresh = false;
    if (new_factors) s->equations.c = 0;
    if (st->panels > 0 && st->corrector->together) return st->method->advance_together(st);
    enum verdict verdict = st->method->advance(st, &st->state, 0);
    if (verdict == VERDICT_OK && st->panels > 0) verdict = st->corrector->prepare(st);
    for (size_t m = 0; m < st->panels && verdict == VERDICT_OK; m++)
        verdict = st->method->advance(st, &st->panel[m], 0);
    return verdict;
}

/* Lets the method take note of the steps before the first; what it computes in them does not matter. */
static void take_past_steps(tansy_solver *s, double h, order_size *size)
{
    for (long k = -PAST_STEPS; k < 0; k++) {
        s->stepper.h = size_of(size, h, k);
        (void)order_attempt(s, true);
        s->stepper.method->accept(&s->stepper);
    }
}

void order_place_uneven(tansy_solver *s, const struct order_problem *it, double t, double h, int q,
                        order_size *size)
{
    struct stepper *const st = &s->stepper;
    double const last = size_of(size, h, -1);
    long double x[MOST_POINTS] = {0};
    for (int i = 1; i <= q; i++)
        x[i] = x[i - 1] - (long double)size_of(size, h, -i) / (long double)last;
    st->t = s->before = t;
    st->order = q;
    st->other_orders = false;
    fill_histories(s, it, (long double)t, (long double)last, q, x);
    place_parts(s, last, q);
    take_past_steps(s, h, size);
    fill_histories(s, it, (long double)t, (long double)last, q, x);
    place_parts(s, last, q);
    st->h = size_of(size, h, 0);
    s->equations.c = 0;
    s->started = true;
    s->direction = copysign(1, h);
}

void order_place(tansy_solver *s, const struct order_problem *it, double t, double h, int q)
{
    order_place_uneven(s, it, t, h, q, NULL);
}

void order_accept(tansy_solver *s, double t)
{
    struct stepper *const st = &s->stepper;
    st->method->accept(st);
    s->before = st->t;
    st->t = t;
    s->equations.age++;
}

enum verdict order_march_uneven(tansy_solver *s, size_t steps, double h, order_size *size)
{
    long double t = (long double)s->stepper.t;
    for (size_t k = 0; k < steps; k++) {
        s->stepper.h = size_of(size, h, (long)k);
        enum verdict const verdict = order_attempt(s, true);
        if (verdict != VERDICT_OK) return verdict;
        t += (long double)s->stepper.h;
        order_accept(s, (double)t);
    }
    return VERDICT_OK;
}

enum verdict order_march(tansy_solver *s, size_t steps)
{
    return order_march_uneven(s, steps, s->stepper.h, NULL);
}

void order_errors(tansy_solver *s, const struct order_problem *it, double t, int derivative,
                  double errors[1 + ORDER_MOST_COLUMNS])
{
    static double found[MOST_ENTRIES];
    static long double exact[MOST_ENTRIES];
    solver_output(s, t, derivative, found, s->ns > 0 ? found + s->n : NULL);
    order_exact(it, (long double)t, derivative, exact, exact + s->n);
    for (size_t k = 0; k <= s->ns; k++) {
        long double sum = 0;
        for (size_t x = k * s->n; x < (k + 1) * s->n; x++) {
            long double const error = (long double)found[x] - exact[x];
            sum += error * error;
        }
        errors[k] = (double)sqrtl(sum);
    }
}
