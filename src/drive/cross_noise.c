/* SPDX-License-Identifier: Apache-2.0 */
/* A g that is zero but for rounding changes sign with every rounding, and a g that jumps has no slope where it does: neither
   says when its condition turns.  A smooth g is all but zero at both ends of the bracket that its root is located in, a few
   rounding errors of t wide; noise and jumps are not.  Such a switch is turned without a jump of S, or refused where f jumps;
   one that turns so again and again is held until it is well beyond its noise. */
#include <math.h>

#include "derive/names.h"
#include "drive/solver.h"

enum { PATIENCE = 3 }; /* turns of noise before a switch is held */
static const double rough =
    0.01; /* of its size in the step; of a smooth g 1e-13 is left, a root at h = 1e-12 t 1e-3 */
static const double steep =
    16; /* roundings of t in which a g with a slope is as large, at a step that is no longer */
static const double margin = 8; /* times the largest value of the noise */

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
    if (noise && e->noisy[j] > PATIENCE) events_hold_still(s, t, j, size);
}
