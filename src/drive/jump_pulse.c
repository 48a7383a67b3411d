/* SPDX-License-Identifier: Apache-2.0 */
/* Short pulses, see jump_transient.h: whether time alone has made S large, and when a condition will end that. */
#include "drive/solver.h"

#include <float.h>
#include <math.h>

static const double slopes =
    100; /* roundings of t: algebraic components, whose slopes are not known, change in a pulse */
static const double too_short =
    5e-11; /* roundings of t in a pulse: no step of dassl is short enough */

/* times rtol: what extrapolation leaves in the time of a condition on y, in roundings of t; it is the same at both ends where one step goes over the pulse */
static const double extrapolated = 1e4;

bool jump_pulse_is_by_time(const struct tansy_solver *s)
{
    const struct remains *const r = &s->events.remains;
    size_t i = 0;
    if (!r->is_known) return false;
    while (i < s->n && r->slope[i] == 0) i++;
    return i == s->n;
}

/* The conditions so far ahead, y going on along f. */
static int look_ahead(struct tansy_solver *s, double t, double distance)
{
    double *const y = jump_leak_vector(s, LEAK_END);
    for (size_t i = 0; i < s->n; i++) y[i] = s->y0[i] + s->direction * distance * s->events.f[i];
    return derive_switch(&s->derive, 0, t + s->direction * distance, y, s->jump.g);
}

/* dassl begins with slopes of algebraic components that are not known. */
static bool is_sluggish(const struct tansy_solver *s)
{
    return s->derive.form != FORM_ODE && !method_is_one_step(s->stepper.method);
}

double jump_pulse_finest(const struct tansy_solver *s, double usual)
{
    if (!is_sluggish(s)) return usual;
    return fmax(usual, slopes * DBL_EPSILON * fabs(s->jump.from) / s->jump.ends);
}

int jump_pulse_find_end(struct tansy_solver *s, double t)
{
    enum { LOOKS_AHEAD = 14 };
    static const double nearer = 4;
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double distance = s->jump.pace * pow(nearer, 1 - LOOKS_AHEAD);
    int code = 0;
    s->jump.ends = HUGE_VAL;
    for (int k = 0; k < LOOKS_AHEAD && s->jump.ends == HUGE_VAL && code == 0; k++) {
        code = look_ahead(s, t, distance);
        for (size_t j = 0; j < e->switches && code == 0; j++)
            if (events_side(e, j, s->jump.g[j]) < -e->band[j]) s->jump.ends = distance;
        distance *= nearer;
    }
    double const rounding = DBL_EPSILON * fabs(t) / s->jump.ends;
    bool const extrapolates = s->stepper.method->rows && !jump_pulse_is_by_time(s);
    if (is_sluggish(s) && rounding > too_short) s->jump.ends = HUGE_VAL;
    if (extrapolates && extrapolated * rounding > s->tolerances.tightest) s->jump.ends = HUGE_VAL;
    if (code >= 0) s->derive.worker[0].failure = failure;
    return code;
}
