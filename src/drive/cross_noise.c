/* SPDX-License-Identifier: Apache-2.0 */
/* A g that is zero but for rounding changes sign with every rounding, and a g that jumps has no slope where it does: neither
   says when its condition turns.  A smooth g is all but zero at both ends of the bracket that its root is located in, a few
   rounding errors of t wide; noise and jumps are not.  Such a switch is turned without a jump of S, or refused where f jumps;
   one that turns so again and again is held until it is well beyond its noise. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"

enum { PATIENCE = 3 }; /* turns of noise before a switch is held */
static const double rough =
    0.01; /* of its size in the step; of a smooth g 1e-13 is left, a root at h = 1e-12 t 1e-3 */
static const double steep =
    16; /* roundings of t in which a g with a slope is as large, at a step that is no longer */
static const double margin = 8;                  /* times the largest value of the noise */
static const double evaluated = 2, solved = 100; /* roundings of f, and of y' with its equations */
static const double small =
    0.1; /* of what atol is worth in g: where y' is solved for, jumps are looked for that near */

bool events_is_noise(const struct tansy_solver *s, size_t j)
{
    const struct events *const e = &s->events;
    if (e->rests[j]) return false; /* it leaves its band with a rate */
    if (e->band[j] > 0 && events_size(e, j) <= margin * e->band[j])
        return true; /* its noise has grown */
    bool const stands = fabs(e->at - s->before) <= steep * events_roundoff(e->at, 0);
    if (j != e->leader || e->resolved || (e->idle > 0 && stands))
        return false; /* where time stands still: see events_contradict */
    if (e->left <= steep * fabs(e->rate[j]) * events_roundoff(e->at, 0)) return false;
    return e->left >= rough * events_size(e, j);
}

void events_lead_smoothly(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    size_t const leader = e->leader;
    double const left = e->left;
    bool smooth = !events_is_noise(s, leader);
    for (size_t j = 0; j < e->switches && !smooth; j++) {
        if (!e->crossing[j] || e->band[j] > 0) continue;
        e->leader = j;
        e->left = fmax(fabs(e->low[j]), fabs(e->value[j]));
        smooth = !events_is_noise(s, j) && !events_is_grazing(s, j, e->rate[j]);
    }
    if (smooth) return;
    e->leader = leader;
    e->left = left;
}

void events_hold_still(struct tansy_solver *s, double t, size_t j, double size)
{
    struct events *const e = &s->events;
    if (e->held++ == 0) {
        e->held_from = t;
        e->held_switch = j;
    }
    e->band[j] = fmax(e->band[j], margin * size);
}

void events_hold(struct tansy_solver *s, double t, size_t j, bool noise)
{
    struct events *const e = &s->events;
    double const size = events_size(e, j);
    if (noise) {
        e->shaky[j] = fmax(e->shaky[j], size);
        e->noisy[j]++;
    } else if (size > margin * e->shaky[j]) { /* else a slope between two jumps: x - (x - y) - y */
        e->shaky[j] = 0;
        e->noisy[j] = 0;
    }
    if (!noise || e->noisy[j] <= PATIENCE) return;
    bool const is_small = size <= events_atol_of(s, t, j); /* not by rounding alone */
    if (!(is_small && events_hide(s, t, j, false))) events_hold_still(s, t, j, size);
}

bool events_has_algebraic(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    if (!derive_is_implicit(&s->derive)) return false;
    memset(e->probe, 0, s->n * sizeof *e->probe);
    if (!events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_after))) return true;
    double const alone = e->rate_after[j];
    for (size_t i = 0; i < s->n; i++) {
        double const x = 0.61803398874989485 * (double)(i + 1);
        if (solver_is_algebraic(s, i)) e->probe[i] = 1 + x - floor(x);
    }
    bool const known = events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_after));
    return !known || e->rate_after[j] != alone;
}

/* A way across the surface of g_j into e->probe, and g_y of it: f-, or where g has no rate along that, or takes more than a step to come to v, all components by shares of no special position. */
static double find_way(struct tansy_solver *s, double t, size_t j, double v)
{
    struct events *const e = &s->events;
    bool const soon = !e->y_from || fabs(v - e->value[j]) <= fabs(e->rate[j]) * e->stride;
    memcpy(e->probe, e->f, s->n * sizeof *e->probe);
    if (e->rate[j] != 0 && soon) return e->rate[j];
    memset(e->f_near, 0, s->n * sizeof *e->f_near);
    if (!events_is_known(e, events_rates(s, t, e->f_near, e->value, e->rate_after))) return 0;
    double const alone = e->rate_after[j];
    for (size_t i = 0; i < s->n; i++) {
        double const x = 0.61803398874989485 * (double)(i + 1);
        e->probe[i] = (s->y0[i] + s->tolerances.atol[i]) * (x - floor(x)); /* y_i may be 0 */
    }
    bool const known = events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_after));
    return known ? e->rate_after[j] - alone : 0;
}

/* y' with these modes where y is moved along the way for so long; algebraic variables follow. */
static bool look_along(struct tansy_solver *s, double t, double time, const double *mode, double *f)
{
    struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) s->y0[i] = e->y_near[i] + time * e->probe[i];
    if (!e->y_from) return events_slope_with(s, t, mode, e->piece, f);
    memcpy(e->y_set_out, e->y_from, s->n * sizeof *e->y_from);
    events_set_out(s);
    bool const known = events_solution_with(s, t, mode, f);
    memcpy(e->y_from, e->y_set_out, s->n * sizeof *e->y_from);
    return known;
}

/* The largest part of f - f with these other modes, but for rounding, in units of the tolerance, so far on the way from y0; below 0: it is not known. */
static double jump_at(struct tansy_solver *s, double t, const double *other, double time)
{
    struct events *const e = &s->events;
    double size = 0;
    double const roundings = (e->y_from ? solved : evaluated) * DBL_EPSILON;
    memcpy(e->y_near, s->y0, s->n * sizeof *s->y0);
    bool const known = isfinite(time) && look_along(s, t, time, other, e->f_near) &&
                       look_along(s, t, time, e->mode, e->f_other);
    for (size_t i = 0; i < s->n; i++) {
        double const rounding = roundings * (fabs(e->f_near[i]) + fabs(e->f_other[i]));
        double const jump = fabs(e->f_near[i] - e->f_other[i]) - rounding;
        if (events_counts(s, i))
            size = fmax(size, jump / tolerances_allow(&s->tolerances, i, s->y0[i]));
    }
    memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
    return known ? size : -1;
}

bool events_jump_vanishes(struct tansy_solver *s, double t, size_t j, const double *other)
{
    static const double sure = 256; /* roundings of g */
    static const double less = 0.7; /* sqrt(d) is half as large at d/4 */
    struct events *const e = &s->events;
    double const rounding =
        e->y_from ? small * events_atol_of(s, t, j) : sure * events_rounding_of(s, t, j);
    double const far = fmax(fabs(e->value[j]), rounding);
    double const v = copysign(far, e->mode[j] - 0.5), rate = find_way(s, t, j, v);
    if (rate == 0 && !e->y_from) return false;
    /* x*y has no rate at x = y = 0: all the way, of the size of atol */
    double const far_off = rate == 0 ? 1 : (v - e->value[j]) / rate;
    double const near_by = rate == 0 ? 0.25 : (v / 4 - e->value[j]) / rate;
    double const here = jump_at(s, t, other, far_off), nearer = jump_at(s, t, other, near_by);
    return here >= 0 && nearer >= 0 && nearer <= less * here;
}
