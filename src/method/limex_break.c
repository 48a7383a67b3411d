/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: algebraic components at a break.  Errors of a step are tested in units of the larger of both ends, and a column of an
   algebraic variable may fall to 0 within the last step of a piece (the share of a grid point of a linear control that ends there).  At the end of
   the piece the equations g = 0 of index 1 give them better,
     g_z d = -g(t, y, p),   g_z d' = -(g_y s + g_p U),
   one step of Newton's method from what the step has: row 1 of a step so short that nothing else moves in it,
     (c B - A) d = r(t, y, y', p),   c large,   r = f - B y',   A = dr/dy.
   g = l^T f with l^T B = 0.  Where l depends on y or p, as rows of B that depend on each other do, (dl)^T f is a part of dg; as f = B y' and
   (dl)^T B = -l^T dB, it is in l^T dr with that y'.  So y' is that of the equations, by the same step: c B d = r + A d makes
   B (y' + c d) = f at y + d. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

/* Of the step before: the share of the change of other components that is in d. */
static const double short_step = 1e-10;

/* In units of the error test; what is more is no error of the step: g_z is nearly singular, or z has just jumped. */
static const double most = 100;

/* Adds d to the algebraic components of the columns in which it is an error of the step. */
static void add_to_algebraic(struct stepper *s, struct part *part, const double *d)
{
    const struct equations *const q = s->equations;
    struct work *const w = one_step_work(s, part, 0);
    double *const end = one_step_row(part, ROW_END), square[MAX_LANES];
    size_t const lanes = part->shape.lanes;
    one_step_weigh(s, part, w);
    norms_squares(q->norms, part, d, w->winv, square);
    for (size_t i = 0; i < q->derive->n; i++)
        for (size_t k = 0; k < part->shape.columns && s->stages.kind[i] == TANSY_ALGEBRAIC; k++)
            if (square[k] * q->norms->share <= most * most) end[i * lanes + k] += d[i * lanes + k];
}

/* y' by the equations, from that of dense output: of algebraic components it is nowhere. */
static void move_rate(struct stepper *s, const struct solve_task *task, const double *d)
{
    double *const rate = s->stages.rate;
    for (size_t i = 0; i < s->equations->derive->n; i++)
        if (s->stages.kind[i] != TANSY_ALGEBRAIC) rate[i] += task->c * d[i];
}

/* A and f - B y' at the end of the step. */
static int move_state(struct stepper *s, const struct solve_task *task)
{
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    double *const d = one_step_row(part, ROW_SPARE);
    stages->t[0] = s->end;
    stages->at[0] = one_step_row(part, ROW_END);
    stages->f[0] = stages->slope;
    limex_interpolate(s, part, s->t, 1, stages->rate);
    struct point const at = stages_point(stages, 0);
    int code = derive_value(q->derive, 0, &at, stages->slope);
    if (code == 0) code = q->derive->jacobian(q->derive, &at);
    if (code != 0) return code;
    equations_set_units(q, at.y);
    if (stages->mass_varies) matrix_make_ready(q->derive->M);
    code = equations_factor_slot(q, task->slot, task->c);
    if (code != 0) return code;
    memcpy(d, stages->slope, part->shape.count * sizeof *d);
    part->counts.solves++;
    code = equations_solve(q, part, task, d);
    if (code != 0) return code;
    add_to_algebraic(s, part, d);
    move_rate(s, task, d);
    return 0;
}

static int move_panel(struct stepper *s, struct part *part, const struct solve_task *task)
{
    struct derive *const d = s->equations->derive;
    struct work *const w = &s->panel_work[0];
    double *const R = one_step_row(part, ROW_SPARE);
    struct point const at = stages_point(&s->stages, 0);
    limex_interpolate(s, part, s->t, 1, w->yp);
    int code = d->tangent(d, 0, &at, &part->shape, one_step_row(part, ROW_END), w->yp, R);
    if (code != 0) return code;
    part->counts.solves += part->shape.columns;
    code = equations_solve(s->equations, part, task, R);
    if (code == 0) add_to_algebraic(s, part, R);
    return code;
}

int limex_end_piece(struct stepper *s)
{
    struct stages *const stages = &s->stages;
    struct solve_task const task = {.c = 1 / (short_step * s->last_h), .slot = limex_slot(s, 1)};
    bool any = false;
    for (size_t i = 0; stages->kind && i < s->equations->derive->n; i++)
        any = any || stages->kind[i] == TANSY_ALGEBRAIC;
    if (!any) return 0;
    int code = move_state(s, &task);
    if (code == 0 && s->panels > 0) code = stages_value(stages, s->equations->derive, 0, 0);
    if (code == 0 && s->panels > 0) code = stages_linearise(stages, s->equations->derive, 0, 1);
    for (size_t m = 0; m < s->panels && code == 0; m++) code = move_panel(s, &s->panel[m], &task);
    stages->has_value = stages->has_first = false;
    return code;
}
