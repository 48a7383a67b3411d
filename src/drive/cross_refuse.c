/* SPDX-License-Identifier: Apache-2.0 */
/* What a person reads where a switching surface cannot be crossed. */
#include <math.h>

#include "derive/names.h"
#include "drive/cross.h"
#include "drive/solver.h"

tansy_status events_refuse_grazing(struct tansy_solver *s, double t, size_t j)
{
    struct name name;
    return s->error =
               message_set(&s->message, TANSY_GRAZING,
                           "%s is only touched at t = %.10g (at a rate of %.3g), where the "
                           "right-hand side jumps: the sensitivities do not exist; solve without "
                           "them (sensitivities none), or for slightly other parameters",
                           name_switch(&s->problem, j, &name), t, fabs(s->events.rate[j]));
}

/* In a DAE one of the branches may be g = 0 itself. */
tansy_status events_refuse_noise(struct tansy_solver *s, double t, size_t j)
{
    struct name name;
    const char *const of = name_switch(&s->problem, j, &name);
    if (s->consistent.algebraic > 0)
        return s->error = message_set(
                   &s->message, TANSY_GRAZING,
                   "%s turns at t = %.10g where g has no slope of its own (%.3g is left of it) and "
                   "the right-hand side jumps: the sensitivities are not known; an algebraic "
                   "equation of one branch may hold g at 0, as 0 = if v < V then I - i else V - v "
                   "does: write it without a condition, 0 = min(I - i, V - v)",
                   of, t, s->events.value[j]);
    return s->error = message_set(
               &s->message, TANSY_GRAZING,
               "%s turns at t = %.10g where g is but rounding errors (%.3g), or jumps itself, and "
               "the right-hand side jumps: the sensitivities are not known; does g have a slope "
               "there, or is a root of it too steep, such as sqrt(abs(x)), where "
               "x/sqrt(abs(x) + 1e-6) is not?",
               of, t, s->events.value[j]);
}

/* Slopes of the same sign do not meet at the surface: then it is the jump of an algebraic variable that takes g back over it, or, of
   y' = f, nothing has crossed but errors of y (limiters on a profile that is flat as yet). */
tansy_status events_refuse_sliding(struct tansy_solver *s, double t, size_t j)
{
    const struct events *const e = &s->events;
    struct name name;
    const char *const of = name_switch(&s->problem, j, &name);
    bool const same = e->rate[j] * e->rate_after[j] > 0;
    if (same && s->derive.form == FORM_ODE)
        return s->error = message_set(
                   &s->message, TANSY_SLIDING,
                   "%s: at t = %.10g g is beyond its threshold by no more than errors of y (%.3g), "
                   "and both branches lead back (dg/dt = %.3g before, %.3g after): which of them "
                   "holds is not known there; begin with values that are not on the threshold, or "
                   "use the method bdf or adams, and look at the warnings",
                   of, t, e->value[j], e->rate[j], e->rate_after[j]);
    if (same)
        return s->error = message_set(
                   &s->message, TANSY_SLIDING,
                   "%s: at t = %.10g each of its branches puts g on the side of the other: an "
                   "algebraic variable jumps as it turns, and takes g back over the threshold "
                   "(dg/dt = %.3g before, %.3g after), so that there is no solution beyond; make "
                   "the equations continuous there, or give the condition a hysteresis",
                   of, t, e->rate[j], e->rate_after[j]);
    return s->error = message_set(
               &s->message, TANSY_SLIDING,
               "%s: at t = %.10g both sides of its surface drive the solution back "
               "to it (at a rate of %.3g before it, %.3g behind it), there is no solution beyond; "
               "make "
               "the right-hand side continuous there, or give the condition a hysteresis",
               of, t, fabs(e->rate[j]), fabs(e->rate_after[j]));
}
