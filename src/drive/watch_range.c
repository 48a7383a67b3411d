/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of g over a stretch [a, b] of the last step.  Dense output is a polynomial of degree q; its Bernstein coefficients on
   [a, b] enclose it, and q/(b - a) times their differences its derivative.  The coefficients come from values at q + 1
   Chebyshev points by the inverse of B_mk = binomial(q, k) x_m^k (1 - x_m)^(q-k). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/providers.h"
#include "drive/solver.h"

void events_layout_range(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    size_t const width = lane_round(s->n);
    if (!s->problem.switch_range || e->switches == 0) return;
    e->nodes = arena_matrix(arena, (size_t)s->stepper.max_order + 3, width);
    e->box_y = arena_matrix(arena, 4, width);
    e->bounds = arena_matrix(arena, 4, e->switches);
    ARENA_TAKE(arena, e->loose, e->switches);
}

/* B by its formula, next to the unit matrix. */
static void set_up(int q, double (*A)[2 * BERNSTEIN])
{
    for (int m = 0; m <= q; m++) {
        double const x = events_node(q, m);
        double binomial = 1;
        for (int k = 0; k <= q; k++) {
            A[m][k] = binomial * pow(x, k) * pow(1 - x, q - k);
            binomial = binomial * (q - k) / (k + 1);
        }
        for (int k = 0; k <= q; k++) A[m][q + 1 + k] = k == m;
    }
}

/* The row with the largest entry in column k comes to row k. */
static void pivot(int q, int k, double (*A)[2 * BERNSTEIN])
{
    int best = k;
    for (int m = k + 1; m <= q; m++)
        if (fabs(A[m][k]) > fabs(A[best][k])) best = m;
    for (int x = 0; x < 2 * (q + 1); x++) {
        double const swap = A[k][x];
        A[k][x] = A[best][x];
        A[best][x] = swap;
    }
}

/* The inverse by Gauss and Jordan, and its norm: errors of the values are multiplied by that at most. */
static void invert(struct events *e, int q)
{
    double A[BERNSTEIN][2 * BERNSTEIN];
    set_up(q, A);
    for (int k = 0; k <= q; k++) {
        pivot(q, k, A);
        for (int m = 0; m <= q; m++) {
            double const factor = m == k ? 1 - 1 / A[k][k] : A[m][k] / A[k][k];
            for (int x = 0; x < 2 * (q + 1); x++) A[m][x] -= factor * A[k][x];
        }
    }
    e->amplify = 0;
    for (int m = 0; m <= q; m++) {
        double sum = 0;
        for (int k = 0; k <= q; k++) sum += fabs(e->inverse[m][k] = A[m][q + 1 + k]);
        e->amplify = fmax(e->amplify, sum);
    }
    e->degree = q;
}

double events_node(int q, int m)
{
    double const x = sin(0.5 * 3.14159265358979323846 * m / q);
    return x * x;
}

/* coefficient[i] = sum_m inverse_km y_i(x_m). */
static void combine(const struct events *e, size_t n, size_t width, int k, double *coefficient)
{
    memset(coefficient, 0, n * sizeof *coefficient);
    for (int m = 0; m <= e->degree; m++) {
        double const factor = e->inverse[k][m], *const y = e->nodes + (size_t)m * width;
        for (size_t i = 0; i < n; i++) coefficient[i] += factor * y[i];
    }
}

/* Widened by the rounding errors of the values, of the coefficients and of their differences. */
static void widen(const struct events *e, size_t n, size_t width, double per_time, tansy_box *box)
{
    double *const low = e->box_y, *const high = low + width;
    double *const slope_low = high + width, *const slope_high = slope_low + width;
    double const error = 4 * (e->degree + 4) * DBL_EPSILON * e->amplify;
    double *const largest = e->nodes + (size_t)(e->degree + 1) * width; /* no more needed */
    memset(largest, 0, n * sizeof *largest);
    for (int m = 0; m <= e->degree; m++) {
        const double *const y = e->nodes + (size_t)m * width;
        for (size_t i = 0; i < n; i++)
            largest[i] = fabs(y[i]) > largest[i] ? fabs(y[i]) : largest[i];
    }
    for (size_t i = 0; i < n; i++) {
        double const size = largest[i];
        low[i] -= error * size;
        high[i] += error * size;
        slope_low[i] = slope_low[i] * per_time - 2 * error * size * per_time;
        slope_high[i] = slope_high[i] * per_time + 2 * error * size * per_time;
    }
    box->y_low = low;
    box->y_high = high;
    box->slope_low = slope_low;
    box->slope_high = slope_high;
}

/* The box of y and y' over the stretch. */
static void enclose(struct tansy_solver *s, tansy_box *box)
{
    struct events *const e = &s->events;
    struct stepper *const st = &s->stepper;
    size_t const n = s->n, width = lane_round(n);
    int const q = st->state.order;
    double const length = box->t_high - box->t_low;
    double *const low = e->box_y, *const high = low + width;
    double *const slope_low = high + width, *const slope_high = slope_low + width;
    double *now = e->nodes + (size_t)(q + 1) * width, *before = now + width;
    if (e->degree != q) invert(e, q);
    for (int m = 0; m <= q; m++)
        st->method->interpolate(st, &st->state, box->t_low + length * events_node(q, m), 0,
                                e->nodes + (size_t)m * width);
    combine(e, n, width, 0, before);
    memcpy(low, before, n * sizeof *low);
    memcpy(high, before, n * sizeof *high);
    for (size_t i = 0; i < n; i++) slope_low[i] = HUGE_VAL, slope_high[i] = -HUGE_VAL;
    for (int k = 1; k <= q; k++) {
        combine(e, n, width, k, now);
        for (size_t i = 0; i < n; i++) {
            double const step = now[i] - before[i];
            low[i] = now[i] < low[i] ? now[i] : low[i];
            high[i] = now[i] > high[i] ? now[i] : high[i];
            slope_low[i] = step < slope_low[i] ? step : slope_low[i];
            slope_high[i] = step > slope_high[i] ? step : slope_high[i];
        }
        double *const swap = now;
        now = before;
        before = swap;
    }
    widen(e, n, width, q / length, box);
}

/* Nothing is known. */
static void open_bounds(const tansy_bounds *g, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        g->low[j] = g->rate_low[j] = -HUGE_VAL;
        g->high[j] = g->rate_high[j] = HUGE_VAL;
    }
}

/* The bounds over the box; where the problem has none they are infinite. */
static int find_bounds(struct tansy_solver *s, const tansy_box *box, const tansy_bounds *g)
{
    int const code = derive_switch_range(&s->derive, box, g);
    if (code < 0) return judge(&s->derive.worker[0], "switch_range", box->t_low, code, 0, NULL);
    if (code > 0) open_bounds(g, s->events.switches);
    return 0;
}

int events_enclosed(struct tansy_solver *s, double a, double b, bool *certain)
{
    struct events *const e = &s->events;
    size_t const count = e->switches;
    tansy_box box = {.t_low = fmin(a, b), .t_high = fmax(a, b)};
    tansy_bounds const g = {e->bounds, e->bounds + count, e->bounds + 2 * count,
                            e->bounds + 3 * count};
    *certain = false;
    if (!e->bounds || !(box.t_low < box.t_high)) return 0;
    enclose(s, &box);
    e->blurred = false;
    int const code = find_bounds(s, &box, &g);
    if (code != 0) return code;
    *certain = true;
    for (size_t j = 0; j < count; j++) {
        e->loose[j] = false;
        if (e->vague[j] > 0) continue;
        double const least = e->mode[j] != 0 ? g.low[j] : -g.high[j];
        bool const steady = g.rate_low[j] >= 0 || g.rate_high[j] <= 0; /* one root at most */
        if (least >= -e->band[j] || steady) continue;
        bool const blurred = g.high[j] - g.low[j] <= e->noise[j];
        e->loose[j] = !blurred;
        e->blurred = e->blurred || blurred;
        *certain = *certain && blurred;
    }
    return 0;
}
