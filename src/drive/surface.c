/* SPDX-License-Identifier: Apache-2.0 */
/* Switches that turn at one time (docs/switches.md).  Those that stand at one surface of (t, y) are turned together, f
   not being looked at in between; one whose g depends on a mode just turned is decided anew, from the g it has then.
   Nothing here looks at the columns of S: y is the same with and without them. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "drive/solver.h"

static const double grazing = 1e-6;      /* a rate, against the largest |g| of the step over h */
static const double same_surface = 1e-6; /* relative difference of the slopes of two g */
static const double rounding = 1e-15;    /* of g, against its largest value in the step */

void events_layout_surface(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    e->probe = arena_doubles(arena, s->n);
    e->slope = arena_matrix(arena, SLOPES, e->switches);
    e->slope_after = arena_matrix(arena, SLOPES, e->switches);
    e->mode_before = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->crossing, e->switches);
    ARENA_TAKE(arena, e->turned, e->switches);
    ARENA_TAKE(arena, e->bent, e->switches);
    ARENA_TAKE(arena, e->was_bent, e->switches);
    ARENA_TAKE(arena, e->sent_back, e->switches);
    ARENA_TAKE(arena, e->driven_by, e->switches);
    ARENA_TAKE(arena, e->early, e->switches);
    ARENA_TAKE(arena, e->member, e->switches);
    ARENA_TAKE(arena, e->wanted, e->switches);
    ARENA_TAKE(arena, e->blocked, e->switches);
    ARENA_TAKE(arena, e->changed, e->switches);
}

int events_rates(struct tansy_solver *s, double t, const double *v, const double *g, double *rate)
{
    struct point const at = {.t = t, .y = s->y0, .f = v};
    double span = fmax(0.1 * fabs(s->stats.h_last), 1e-3 * fabs(t));
    if (!s->started) span = fmax(1e-3 * fabs(t), s->options.first_step);
    return derive_switch_rates(&s->derive, &at, span > 0 ? span : 1e-3, g, rate);
}

double events_size(const struct events *e, size_t j)
{
    double largest = 0;
    for (size_t i = 0; i < e->rows; i++) {
        double const g = e->sample[i * e->switches + j];
        if (g != NO_SWITCH) largest = fmax(largest, fabs(g)); /* that is no value */
    }
    return largest;
}

bool events_is_grazing(const struct tansy_solver *s, size_t j, double rate)
{
    const struct events *const e = &s->events;
    return e->rows > 0 && fabs(rate * s->stats.h_last) <= grazing * events_size(e, j);
}

/* Direction k in the space of y, fixed and of no special position: shares of 1/2 to 3/2 of |y'| and |y|. */
static void aim(struct tansy_solver *s, size_t k)
{
    static const double turn[] = {0.61803398874989485, 0.41421356237309505};
    struct events *const e = &s->events;
    double const length = e->stride > 0 ? e->stride : 1;
    for (size_t i = 0; i < s->n; i++) {
        double const x = (double)(i + 1) * turn[k];
        double const floor_of_y = s->tolerances.atol[i] / fmax(s->tolerances.rtol[i], 1e-6);
        e->probe[i] =
            (0.5 + x - floor(x)) * (fabs(e->f[i]) + (fabs(s->y0[i]) + floor_of_y) / length);
    }
}

/* g_t + g_y v for two directions v and for f-, with the modes as they are and after events_values with them; zero where g has
   no value nearby. */
static tansy_status measure(struct tansy_solver *s, double t, const double *g, double *slope)
{
    struct events *const e = &s->events;
    for (size_t k = 0; k < SLOPES && e->switches > 1; k++) {
        double *const row = slope + k * e->switches;
        if (k < SLOPES - 1)
            aim(s, k);
        else
            memcpy(e->probe, e->f, s->n * sizeof *e->f);
        int code = events_tangent(s, t, e->probe);
        if (code == 0) code = events_rates(s, t, e->probe, g, row);
        if (code < 0) return solver_fail_here(s, code);
        if (code > 0) memset(row, 0, e->switches * sizeof *row);
    }
    return TANSY_OK;
}

static struct slopes slopes_of(const struct tansy_solver *s, size_t j)
{
    const struct events *const e = &s->events;
    struct slopes a = {.known = true};
    for (size_t k = 0; k < SLOPES; k++) a.v[k] = e->slope[k * e->switches + j];
    a.grazing = events_is_grazing(s, j, a.v[SLOPES - 1]);
    return a;
}

/* a/b = c/d but for rounding. */
static bool same_ratio(double a, double b, double c, double d)
{
    return fabs(a * d - b * c) <= same_surface * (fabs(a * d) + fabs(b * c));
}

/* The gradients have one direction, or opposite ones.  Where f- runs along the surface it says nothing. */
static bool same(const struct slopes *a, const struct slopes *b)
{
    if (!a->known || !b->known || a->grazing != b->grazing) return false;
    if (a->grazing) return same_ratio(a->v[0], a->v[1], b->v[0], b->v[1]);
    return same_ratio(a->v[0], a->v[2], b->v[0], b->v[2]) &&
           same_ratio(a->v[1], a->v[2], b->v[1], b->v[2]);
}

static bool is_flat(const struct slopes *a)
{
    return a->v[0] == 0 && a->v[1] == 0 && a->v[2] == 0;
}

/* Turns i; those whose g or slopes are other ones then depend on it (to the bit: the same code on the same numbers). */
static tansy_status turn(struct tansy_solver *s, double t, size_t i)
{
    struct events *const e = &s->events;
    e->mode[i] = 1 - e->mode[i];
    e->turned[i] = true;
    e->crossing[i] = e->changed[i] = false;
    e->was_bent[i] = e->bent[i];
    e->bent[i] = false;
    derive_set_modes(&s->derive);
    int const code = events_values(s, t, e->trial);
    if (code != 0) return solver_fail_here(s, code);
    TRY(measure(s, t, e->trial, e->slope_after));
    for (size_t j = 0; j < e->switches; j++) {
        double const *const old = e->slope + (SLOPES - 1) * e->switches, *const new =
                                                                             e->slope_after +
                                                                             (SLOPES - 1) *
                                                                                 e->switches;
        bool other = e->trial[j] != e->value[j];
        if (j != i && old[j] * new[j] < 0) e->bent[j] = true;
        for (size_t k = 0; k < SLOPES; k++)
            other = other || events_differ(s, e->slope[k * e->switches + j],
                                           e->slope_after[k * e->switches + j]);
        if (other && j != i) e->changed[j] = e->blocked[j] = true;
    }
    memcpy(e->value, e->trial, e->switches * sizeof *e->value);
    memcpy(e->slope, e->slope_after, SLOPES * e->switches * sizeof *e->slope);
    return TANSY_OK;
}

/* Turns j and the wanted ones at its surface, as far as they do not depend on one that has just been turned. */
static tansy_status turn_group(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    struct slopes const lead = slopes_of(s, j);
    memset(e->member, 0, e->switches * sizeof *e->member);
    memset(e->blocked, 0, e->switches * sizeof *e->blocked);
    for (size_t i = j; i < e->switches; i++) {
        struct slopes const own = slopes_of(s, i);
        if (i != j && (!e->wanted[i] || e->blocked[i] || !same(&own, &lead))) continue;
        e->member[i] = true;
        TRY(turn(s, t, i));
    }
    return TANSY_OK;
}

/* g_j is zero as far as can be known: it will be within `soon`, or is no more than it was when it crossed. */
static bool is_zero(const struct events *e, size_t j)
{
    double const size = fabs(e->value[j]);
    return size <= fabs(e->rate_after[j]) * e->soon ||
           (e->crossing[j] && size <= 4 * fabs(e->low[j])) || size <= rounding * events_size(e, j);
}

/* The side g_j is on is not that of its mode.  Where it vanishes with all its slopes it will stay zero: g >= 0 holds. */
static bool is_wrong(const struct events *e, size_t j, bool flat)
{
    return flat ? e->mode[j] == 0 : events_side(e, j, e->value[j]) < -e->band[j];
}

/* Decides those that depend on what was turned, with f as it is now; *first is the lowest to be turned too. */
static tansy_status decide(struct tansy_solver *s, double t, const struct slopes *surface,
                           size_t *first)
{
    struct events *const e = &s->events;
    bool any = false;
    *first = SIZE_MAX;
    for (size_t j = 0; j < e->switches; j++) any = any || e->changed[j];
    if (!any) return TANSY_OK;
    int code = events_slope(s, t, e->f_after);
    const double *const f = code > 0 ? e->f : e->f_after; /* modes on the way may have no f */
    if (code >= 0) code = events_rates(s, t, f, e->value, e->rate_after);
    if (code != 0) return solver_fail_here(s, code);
    for (size_t j = e->switches; j-- > 0;) {
        e->wanted[j] = false;
        if (!e->changed[j]) continue;
        struct slopes const own = slopes_of(s, j);
        bool const flat = e->value[j] == 0 && is_flat(&own);
        bool const zero = !flat && is_zero(e, j);
        bool const leaves = events_side(e, j, e->ahead * e->rate_after[j]) < 0;
        bool const alone = zero && !same(&own, surface); /* crosses by itself, if it does */
        e->crossing[j] = alone && leaves;
        if (alone || !(zero ? leaves : is_wrong(e, j, flat))) continue;
        e->wanted[j] = zero;
        *first = j;
    }
    return TANSY_OK;
}

/* Where no y is consistent with the modes, others that have one; what has another value then is decided anew (*next is no switch). */
static tansy_status find_values(struct tansy_solver *s, double t, size_t *next)
{
    struct events *const e = &s->events;
    int code = events_search(s, t);
    if (code == 0 && e->y_from) code = derive_switch(&s->derive, 0, t, s->y0, e->trial);
    if (code != 0) return solver_fail_here(s, code);
    for (size_t j = 0; j < e->switches && e->y_from; j++) {
        if (e->trial[j] == e->value[j]) continue;
        e->changed[j] = true;
        *next = e->switches;
    }
    if (*next == SIZE_MAX) return TANSY_OK;
    memcpy(e->value, e->trial, e->switches * sizeof *e->value);
    return measure(s, t, e->value, e->slope);
}

/* What follows from what was turned at this surface, and from that in turn. */
static tansy_status follow(struct tansy_solver *s, double t, const struct slopes *surface)
{
    struct events *const e = &s->events;
    size_t j = 0;
    for (size_t pass = 0; pass <= 2 * e->switches + 1; pass++) {
        size_t next = SIZE_MAX;
        TRY(decide(s, t, surface, &next));
        if (next == SIZE_MAX) TRY(find_values(s, t, &next));
        if (next == SIZE_MAX) return TANSY_OK;
        if (next == e->switches) continue;
        j = next;
        TRY(turn_group(s, t, j));
    }
    return events_contradict(s, j, t);
}

/* Consistent values may not have come to the surface that dense output has crossed.  The one that leads is turned, and so are others that f drives over the very same surface, F < c beside F > c. */
static void want_twins(struct tansy_solver *s, size_t j, const struct slopes *surface)
{
    struct events *const e = &s->events;
    double const rate = surface->v[SLOPES - 1];
    for (size_t i = 0; i < e->switches && e->y_from; i++) {
        struct slopes const own = slopes_of(s, i);
        double const own_rate = own.v[SLOPES - 1];
        bool const driven = events_side(e, i, e->ahead * own_rate) < 0;
        if (!driven || !same(&own, surface)) continue;
        if (fabs(e->value[i] / own_rate - e->value[j] / rate) <= e->soon) e->wanted[i] = true;
    }
}

tansy_status events_turn_surface(struct tansy_solver *s, double t, size_t j, bool *together)
{
    struct events *const e = &s->events;
    memcpy(e->low, e->value, e->switches * sizeof *e->low);
    memcpy(e->wanted, e->crossing, e->switches * sizeof *e->wanted);
    memset(e->changed, 0, e->switches * sizeof *e->changed);
    if (e->y_from && e->switches > 1) {
        int const code = events_values(s, t, e->trial);
        if (code != 0) return solver_fail_here(s, code);
    }
    TRY(measure(s, t, e->value, e->slope));
    struct slopes const surface = slopes_of(s, j);
    want_twins(s, j, &surface);
    TRY(turn_group(s, t, j));
    memcpy(together, e->member, e->switches * sizeof *together);
    return follow(s, t, &surface);
}

tansy_status events_follow(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct slopes const none = {.known = false};
    int code = events_values(s, t, e->trial);
    if (code >= 0) code = events_slope(s, t, e->f_after);
    if (code < 0) return solver_fail_here(s, code);
    if (code == 0) memcpy(e->f, e->f_after, s->n * sizeof *e->f); /* old modes may have no f here */
    for (size_t j = 0; j < e->switches; j++) {
        e->changed[j] = e->trial[j] != e->value[j];
        e->crossing[j] = false;
    }
    memcpy(e->value, e->trial, e->switches * sizeof *e->value);
    TRY(measure(s, t, e->value, e->slope));
    return follow(s, t, &none);
}
