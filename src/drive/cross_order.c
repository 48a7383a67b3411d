/* SPDX-License-Identifier: Apache-2.0 */
/* The order of surfaces that lie a little apart, so near to each other that they are passed at one switching point: abs(x) > 1e-12 is turned
   at x = -1e-12, at 0 the slope of abs(x) turns over, and at 1e-12 it is turned back.  Each is turned with the modes that the
   ones before it have left. */
#include "drive/solver.h"

static const double apart = 0.5; /* of a time that is none: what follows later is another surface */
static const double passing = 16; /* roundings of t, for which a condition holds */

/* For how long the solution runs to the surface of j; below 0: it has passed it. */
static double time_to(const struct tansy_solver *s, size_t j)
{
    const struct events *const e = &s->events;
    double const moves = events_side(e, j, s->direction * e->rate[j]);
    return moves < 0 ? -events_side(e, j, e->value[j]) / moves : 0;
}

/* g_j has no rate to speak of: it stands at its surface by rounding. */
static bool is_idle(const struct tansy_solver *s, size_t j)
{
    static const double no_way = 1e-10; /* of its largest value, in a step */
    const struct events *const e = &s->events;
    return fabs(e->rate[j]) * e->stride <= no_way * e->seen[j];
}

/* k comes before j.  What is idle comes last: the f that the others leave decides on which side it is. */
static bool is_before(const struct tansy_solver *s, size_t k, size_t j)
{
    bool const idle = is_idle(s, k);
    if (idle != is_idle(s, j)) return !idle;
    return time_to(s, k) < time_to(s, j) - apart * s->events.soon;
}

/* Where the order is a matter of rounding the lowest number comes first.  What has been turned may have turned f away from others. */
size_t events_next_crossing(struct tansy_solver *s, size_t sure)
{
    struct events *const e = &s->events;
    size_t next = e->switches;
    for (size_t j = 0; j < e->switches; j++) {
        if (!e->crossing[j]) continue;
        bool const driven = events_side(e, j, s->direction * e->rate[j]) < 0;
        if (j != sure && !driven && next == e->switches) e->crossing[j] = false;
        if (j != sure && !driven) continue;
        if (next == e->switches || is_before(s, j, next)) next = j;
    }
    return next;
}

bool events_returns_elsewhere(const struct tansy_solver *s, double t, size_t j)
{
    const struct events *const e = &s->events;
    double const v = events_side(e, j, e->value[j]);
    double const moves = events_side(e, j, s->direction * e->rate_after[j]);
    return e->bent[j] && v > -moves * passing * events_roundoff(t, 0);
}

void events_find_early(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    for (size_t j = 0; j < e->switches; j++) {
        double const v = events_side(e, j, e->value[j]);
        double const moves = events_side(e, j, s->direction * e->rate_after[j]);
        e->early[j] = e->turned[j] && v < 0 && moves > 0 && -v <= moves * 2 * e->soon;
    }
}
