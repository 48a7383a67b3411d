/* SPDX-License-Identifier: Apache-2.0 */
/* Terms of time: the range of each, and by what share of it one moves over a stretch, from bounds of its value and of its derivative.
   The range is that of samples, which are taken where bounds leave it by more than a step may, 1 - STRETCH_MOST of it, the half with more room first: a pulse is found
   after log2(window/width) halvings, and the rest is left out then. */
#include <float.h>
#include <math.h>

#include "drive/solver.h"

static tansy_time_bounds bounds_over(struct tansy_solver *s, size_t term, double from, double to)
{
    tansy_time_bounds b;
    if (s->direction > 0)
        derive_time_range(&s->derive, term, from, to, &b);
    else
        derive_time_range(&s->derive, term, -to, -from, &b);
    return b;
}

void ranges_forget(struct time_range *range, size_t count)
{
    for (size_t k = 0; k < count; k++) range[k] = (struct time_range){HUGE_VAL, -HUGE_VAL, 0};
}

void range_include(struct time_range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* Of a sum that is but rounding of what it is made of, bounds at a point say how much that is; else it is that of f over thousands of operations; and what
   has underflown. */
static double rounding_of(const struct time_range *range)
{
    static const double rounding = 1e-12;
    double const size = fmax(fabs(range->low), fabs(range->high));
    return fmax(fmax(rounding * size, range->width), DBL_MIN);
}

double range_share(const struct time_range *range, double movement)
{
    double const size = range->high - range->low, least = rounding_of(range);
    return size > least && movement > least ? movement / size : 0;
}

/* Takes the value at u into the range; false: there is none, or it overflows. */
static bool has_value(struct tansy_solver *s, size_t term, double u)
{
    tansy_time_bounds const b = bounds_over(s, term, u, u);
    bool const known = isfinite(b.low) && isfinite(b.high);
    struct time_range *const range = &s->stretches.range[term];
    if (!known) return false;
    range_include(range, b.low + (b.high - b.low) / 2);
    range->width = fmax(range->width, b.high - b.low);
    return true;
}

/* By how much the bounds leave the range, with the value in the middle: 0 where there is none. */
static double excess(struct tansy_solver *s, size_t term, double from, double to)
{
    const struct time_range *const range = &s->stretches.range[term];
    tansy_time_bounds const b = bounds_over(s, term, from, to);
    bool const known = has_value(s, term, from + (to - from) / 2);
    return known ? fmax(b.high - range->high, range->low - b.low) : 0;
}

static int look_for_more(struct tansy_solver *s, struct cell *cell, bool is_least)
{
    size_t const term = s->stretches.active[0];
    const struct time_range *const range = &s->stretches.range[term];
    double const middle = cell->from + (cell->to - cell->from) / 2;
    double const one = excess(s, term, cell->from, middle);
    double const other = excess(s, term, middle, cell->to);
    double const size = range->high - range->low;
    double const allowed = fmax((1 - STRETCH_MOST) * size, rounding_of(range));
    if (is_least || !(fmax(one, other) > allowed)) cell->active = 0;
    cell->is_backward = other > one;
    return 0;
}

int ranges_widen(struct tansy_solver *s, double from, double to)
{
    for (size_t k = 0; k < s->problem.time_terms; k++) {
        (void)has_value(s, k, from);
        (void)has_value(s, k, to);
        s->stretches.active[0] = k;
        (void)stretches_halve(s, (struct cell){.from = from, .to = to, .active = 1}, look_for_more);
    }
    return s->stretches.probes.count > 0 ? probes_widen(s, from, to) : 0;
}

int ranges_move(struct tansy_solver *s, size_t term, double from, double to, struct movement *m)
{
    if (term == s->problem.time_terms) return probes_move(s, from, to, m);
    const struct time_range *const range = &s->stretches.range[term];
    tansy_time_bounds const b = bounds_over(s, term, from, to);
    double const rate = fmax(fabs(b.rate_low), fabs(b.rate_high));
    double const movement = fmin(rate * (to - from), b.high - b.low);
    double const share = range_share(range, movement);
    *m = (struct movement){0};
    if (share > 0 && (isfinite(movement) || has_value(s, term, from + (to - from) / 2)))
        *m = (struct movement){share, rate / (range->high - range->low)};
    return 0;
}
