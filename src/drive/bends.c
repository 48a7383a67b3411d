/* SPDX-License-Identifier: Apache-2.0 */
/* Error tests without algebraic rows where these bend, see bends.h. */
#include "drive/solver.h"

#include <math.h>
#include <string.h>

enum { MOST_IN_VAIN = 8 }; /* then it is no bend: something is wrong with z itself */

static const double far_shorter = 1e-6; /* than the longest step: tests leave them out, */
static const double grown = 1e-4;       /* of it: and count them again */
static const double no_way = 1e-2;      /* longest steps: nothing was gained in between */

void bends_layout(struct tansy_solver *s, struct arena *arena)
{
    bool const has_conditions = s->ns > 0 && s->problem.switches > 0;
    if (has_conditions && derive_is_implicit(&s->derive)) ARENA_TAKE(arena, s->bends.column, s->ns);
}

static void count_all(struct tansy_solver *s)
{
    if (s->norms.bends) memset(s->bends.column, 0, s->ns * sizeof *s->bends.column);
    s->norms.bends = NULL;
}

void bends_forget(struct tansy_solver *s)
{
    count_all(s);
    s->bends = (struct bends){.column = s->bends.column, .from = s->t0};
}

/* Those of one time count as one. */
static bool is_in_vain(struct bends *b, double t)
{
    if (t == b->from) return b->vain >= MOST_IN_VAIN;
    b->vain = fabs(t - b->from) < no_way * b->pace ? b->vain + 1 : 0;
    b->from = t;
    return b->vain >= MOST_IN_VAIN;
}

bool bends_failed(struct tansy_solver *s)
{
    struct bends *const b = &s->bends;
    const struct consistent *const c = &s->consistent;
    if (!b->column || s->culprit < 0 || b->column[s->culprit] || c->algebraic == 0) return false;
    if (!(fabs(s->stepper.h) < far_shorter * b->pace)) return false;
    if (c->kind[solver_worst_component(s)] == TANSY_DIFFERENTIAL) return false;
    if (is_in_vain(b, s->stepper.t)) return false;
    b->column[s->culprit] = true;
    s->norms.bends = b->column;
    s->norms.component = c->kind;
    return true;
}

void bends_accepted(struct tansy_solver *s)
{
    struct bends *const b = &s->bends;
    double const h = fabs(solver_now(s) - s->before);
    if (h > b->pace) b->pace = h;
    if (s->norms.bends && h > grown * b->pace) count_all(s);
}
