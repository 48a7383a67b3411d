/* SPDX-License-Identifier: Apache-2.0 */
/* A branch that has no values beyond its condition, sqrt(h) while h > 0: frozen, it gives NaN to every step that passes the
   root, and steps shrink until they end just before it.  There the switch is turned, as if the root had been located. */
#include <math.h>
#include <stdint.h>

#include "drive/solver.h"

static const double near = 100; /* times that: what shrinking steps leave of the way to the root */

double events_shrunk(const struct tansy_solver *s)
{
    double const h = fabs(s->stepper.h);
    bool const stopped = h <= s->options.min_step * (1 + 1e-9);
    return events_roundoff(solver_now(s), 0) + (stopped ? 0 : h);
}

bool events_at_edge(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const t = solver_now(s), soon = near * events_shrunk(s);
    if (e->switches == 0) return false;
    solver_output(s, t, 0, s->y0, NULL);
    int code = solver_slope(s, t, e->f);
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->value);
    if (code == 0) code = events_rates(s, t, e->f, e->value, e->rate);
    if (code != 0) return false;
    for (size_t j = 0; j < e->switches; j++) {
        double const v = events_side(e, j, e->value[j]);
        double const moves = events_side(e, j, s->direction * e->rate[j]);
        if (!(moves < 0) || !(v <= -moves * soon)) continue;
        e->due = true;
        e->at = e->near = t;
        e->leader = j;
        e->resolved = true;
        e->idle++;
        return true;
    }
    return false;
}
