/* SPDX-License-Identifier: Apache-2.0 */
/* Terms of time: the range of each, and by what share of it one moves over a stretch, from bounds of its value and of its derivative.
   The range is that of samples, which are taken where bounds leave room for more, by halving, the half with more room first: a pulse is found
   after log2(window/width) halvings, and the rest is left out then. */
#include <float.h>
#include <math.h>

#include "drive/solver.h"

enum { MOST_LOOKS = 2000 }; /* at one window: sums of a hundred pulses take as many */

static const double room = 0.25;      /* of the range, that bounds may leave around it */
static const double rounding = 1e-12; /* of the size of a term: as if it did not move */
static const double nothing = 1e-290; /* the same, of what has underflown */

static tansy_time_bounds bounds_over(struct tansy_solver *s, size_t term, double from, double to)
{
    tansy_time_bounds b;
    if (s->direction > 0)
        derive_time_range(&s->derive, term, from, to, &b);
    else
        derive_time_range(&s->derive, term, -to, -from, &b);
    return b;
}

static void include(struct time_range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* Takes the value at u into the range; false: there is none, or it overflows. */
static bool has_value(struct tansy_solver *s, size_t term, double u)
{
    tansy_time_bounds const b = bounds_over(s, term, u, u);
    bool const known = isfinite(b.low) && isfinite(b.high);
    if (known) include(&s->stretches.range[term], b.low + (b.high - b.low) / 2);
    return known;
}

/* Less is no movement. */
static double least_of(const struct time_range *range)
{
    return rounding * fmax(fabs(range->low), fabs(range->high)) + nothing;
}

struct piece {
    double from, to, excess; /* by how much the bounds leave the range */
};

/* What the bounds say of a part that was sampled in its middle. */
static struct piece look(struct tansy_solver *s, size_t term, double from, double to)
{
    struct piece part = {.from = from, .to = to};
    tansy_time_bounds const b = bounds_over(s, term, from, to);
    if (!has_value(s, term, from + (to - from) / 2)) return part;
    const struct time_range *const range = &s->stretches.range[term];
    part.excess = fmax(b.high - range->high, range->low - b.low);
    return part;
}

static void widen(struct tansy_solver *s, size_t term, double from, double to)
{
    const struct time_range *const range = &s->stretches.range[term];
    struct piece stack[STRETCH_HALVINGS + 2];
    size_t parts = 1;
    (void)has_value(s, term, from);
    (void)has_value(s, term, to);
    stack[0] = look(s, term, from, to);
    for (int looks = 1; parts > 0 && looks < MOST_LOOKS; looks += 2) {
        struct piece const part = stack[--parts];
        double const allowed = fmax(room * (range->high - range->low), least_of(range));
        if (!(part.excess > allowed) ||
            part.to - part.from <= stretches_least(part.from, part.to, to - from))
            continue;
        double const middle = part.from + (part.to - part.from) / 2;
        struct piece const one = look(s, term, part.from, middle);
        struct piece const other = look(s, term, middle, part.to);
        bool const first = one.excess > other.excess;
        stack[parts++] = first ? other : one;
        stack[parts++] = first ? one : other;
    }
}

int ranges_widen(struct tansy_solver *s, double from, double to)
{
    for (size_t k = 0; k < s->problem.time_terms; k++) widen(s, k, from, to);
    return s->stretches.probes.count > 0 ? probes_widen(s, from, to) : 0;
}

int ranges_move(struct tansy_solver *s, size_t term, double from, double to, struct movement *m)
{
    if (term == s->problem.time_terms) return probes_move(s, from, to, m);
    const struct time_range *const range = &s->stretches.range[term];
    tansy_time_bounds const b = bounds_over(s, term, from, to);
    double const rate = fmax(fabs(b.rate_low), fabs(b.rate_high));
    double const least = least_of(range), size = range->high - range->low;
    double const movement = fmin(rate * (to - from), b.high - b.low);
    *m = (struct movement){0};
    if (!(size > least) || movement <= least) return 0;
    double const middle = from + (to - from) / 2;
    if (isfinite(movement) || has_value(s, term, middle))
        *m = (struct movement){movement / size, rate / size};
    return 0;
}
