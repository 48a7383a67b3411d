/* SPDX-License-Identifier: Apache-2.0 */
/* A run that starts at rest at a surface with an infinite slope, d = h1 - h2 = 0 in d' = -2 a sign(d) sqrt(|d|): it is put to rest there as one that
   comes to it is (cross_rest.c), if no column moves d, g_y s + g_p = 0, nor its rate, g_y (J s + f_p) = 0.  One that does would move it as the
   square of p: from its side there is no derivative, and the start is refused. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

static const double at_root = 16;    /* roundings of g */
static const double near_root = 256; /* the same, where steps have led to it */
static const double still = 1e-9;    /* of the largest rate of S */

/* g_y v + g_p of those at rest, in e->G, is zero in all columns of the panel; or g_y v, `less` being g_p. */
static bool is_zero(const struct events *e, const struct panel *q, const double *less, double small)
{
    bool zero = true;
    for (size_t j = 0; j < e->switches; j++)
        for (size_t k = 0; k < q->columns && e->rests[j]; k++) {
            size_t const x = j * q->lanes + k;
            zero = zero && fabs(e->G[x] - (less ? less[x] : 0)) <= small;
        }
    return zero;
}

static double largest(size_t count, const double *v)
{
    double most = 0;
    for (size_t x = 0; x < count; x++) most = fmax(most, fabs(v[x]));
    return most;
}

/* The columns of a panel move neither those at rest nor their rates. */
static bool leaves_alone(struct tansy_solver *s, const struct point *at, const struct panel *q)
{
    struct events *const e = &s->events;
    struct derive *const d = &s->derive;
    struct work *const w = &s->stepper.panel_work[0];
    memset(w->y, 0, q->count * sizeof *w->y);
    memset(w->r, 0, q->count * sizeof *w->r);
    if (derive_switch_columns(d, at, q, w->y, e->value, e->G_alone) != 0) return false;
    panel_from_columns(q, s->n, s->sens0 + q->first * s->n, w->y);
    if (derive_switch_columns(d, at, q, w->y, e->value, e->G) != 0 || !is_zero(e, q, NULL, 0))
        return false;
    if (d->tangent(d, 0, at, q, w->y, NULL, w->r) != 0) return false;
    if (derive_switch_columns(d, at, q, w->r, e->value, e->G) != 0) return false;
    return is_zero(e, q, e->G_alone, still * largest(q->count, w->r));
}

/* All columns do. */
static bool is_left_alone(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    struct point const at = {.t = s->t0, .y = s->y0, .f = e->f};
    bool alone = s->ns == 0 ||
                 (!s->derive.is_internal && equations_linearise(&s->equations, &at, false) == 0);
    s->equations.c = 0;
    for (size_t m = 0; m < s->stepper.panels && alone; m++)
        alone = leaves_alone(s, &at, &s->shape[m]);
    return alone;
}

/* A derivative failed to be finite, and there may be rests. */
static bool is_steep(const struct tansy_solver *s)
{
    const struct failure *const failure = &s->derive.worker[0].failure;
    bool const steep = failure->kind == FAILURE_NOT_FINITE && failure->column != SIZE_MAX;
    return steep && s->events.switches > 0 && s->events.across;
}

/* Where starting anew at (t, y0) has failed so: those within rounding of their roots rest, whatever small flow goes on. */
static bool rest_beside(struct tansy_solver *s, double t)
{
    struct failure const failure = s->derive.worker[0].failure;
    bool rests = false;
    if (!is_steep(s)) return false;
    rests = events_rest_together(s, t, near_root, 1, true, &rests) == 0 && rests;
    s->derive.worker[0].failure = failure;
    if (rests) s->error = message_clear(&s->message);
    return rests;
}

tansy_status events_start_beside(struct tansy_solver *s, double t, double stride)
{
    double const unit = fmax(fabs(t), stride);
    s->events.stride = stride;
    if (!rest_beside(s, t) && !events_step_aside(s, t, s->direction, unit)) return TANSY_NOT_FINITE;
    return solver_start_anew(s, t);
}

bool events_rest_at_start(struct tansy_solver *s, double direction)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    if (!is_steep(s)) return false;
    size_t const held = e->held;
    double const before = s->direction;
    bool rests = false;
    s->direction = direction;
    int const code = events_rest_together(s, s->t0, at_root, 1, false, &rests);
    rests = rests && code == 0;
    bool const good = rests && is_left_alone(s);
    s->direction = before;
    if (rests && !good) {
        memcpy(s->y0, e->leap_y, s->n * sizeof *s->y0);
        memcpy(e->mode, e->mode_before, e->switches * sizeof *e->mode);
        derive_set_modes(&s->derive);
        for (size_t j = 0; j < e->switches; j++) {
            e->band[j] = e->rests[j] ? 0 : e->band[j];
            e->rests[j] = false;
        }
        e->held = held;
    }
    s->derive.worker[0].failure = failure;
    if (good) s->error = message_clear(&s->message);
    return good;
}
