/* SPDX-License-Identifier: Apache-2.0 */
/* Error tests without algebraic rows where these bend, see bends.h. */
#include "drive/solver.h"

#include <math.h>

enum { MOST_IN_VAIN = 8 }; /* then it is no bend: something is wrong with z itself */

static const double far_shorter = 1e-6; /* than the longest step: tests leave them out, */
static const double grown = 1e-4;       /* of it: and count them again */
static const double no_way = 1e-2;      /* longest steps: nothing was gained in between */
static const double at_first = 1e-2;    /* of the run, or of max_step: a step may be as long */

/* The longest step so far, or what is likely to be one. */
static double usual_step(const struct tansy_solver *s)
{
    return fmax(s->bends.pace, at_first * consistent_length(s));
}

/* One-step methods keep no errors to look at. */
static bool may_bend(struct tansy_solver *s)
{
    return method_is_one_step(s->stepper.method) ||
           s->consistent.kind[solver_worst_component(s)] != TANSY_DIFFERENTIAL;
}

void bends_forget(struct tansy_solver *s)
{
    s->norms.bends = false;
    s->bends = (struct bends){.from = s->t0};
}

bool bends_failed(struct tansy_solver *s)
{
    struct bends *const b = &s->bends;
    const struct consistent *const c = &s->consistent;
    double const t = s->stepper.t, usual = usual_step(s);
    if (s->norms.bends || s->culprit < 0 || s->events.switches == 0) return false;
    if (c->algebraic == 0 || !(fabs(s->stepper.h) < far_shorter * usual)) return false;
    if (!may_bend(s)) return false;
    b->vain = fabs(t - b->from) < no_way * usual ? b->vain + 1 : 0;
    b->from = t;
    s->norms.bends = b->vain < MOST_IN_VAIN;
    s->norms.component = c->kind;
    return s->norms.bends;
}

void bends_accepted(struct tansy_solver *s)
{
    struct bends *const b = &s->bends;
    double const h = fabs(solver_now(s) - s->before);
    if (h > b->pace) b->pace = h;
    if (s->norms.bends && h > grown * usual_step(s)) s->norms.bends = false;
}
