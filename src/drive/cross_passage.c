/* SPDX-License-Identifier: Apache-2.0 */
/* Output between the end of a step and the beginning of the next one, where a switching point has led y and S on: over a bridge
   (cross_bridge.c), or a little beyond a surface.  y is the cubic through y and f at both ends.  S is that of the end b less what it gains on the way there,
     S(t) = S_b + (f_b - f(t)) dT/dp,
   as on a bridge and by its jump at the root; f(t) with the modes of its side.  What it gains besides, h S', is below the tolerance, as the passage is short. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

void events_layout_passage(struct tansy_solver *s, struct arena *arena)
{
    struct passage *const x = &s->events.passage;
    x->y = arena_doubles(arena, s->n);
    x->f = arena_doubles(arena, s->n);
    x->delay = arena_doubles(arena, s->ns);
    x->mode = arena_doubles(arena, s->events.switches);
}

void events_begin_passage(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    struct passage *const x = &e->passage;
    x->from = x->to = e->at;
    x->piece = e->piece;
    memcpy(x->y, s->y0, s->n * sizeof *x->y);
    memset(x->delay, 0, s->ns * sizeof *x->delay);
    memcpy(x->mode, e->mode, e->switches * sizeof *x->mode);
}

void events_note_delays(struct events *e, size_t ns)
{
    memcpy(e->passage.delay, e->delay, ns * sizeof *e->delay);
}

void events_end_passage(struct tansy_solver *s, double t)
{
    struct passage *const x = &s->events.passage;
    bool const any = s->direction * (t - x->from) > 0;
    x->root = s->events.at;
    x->to = t;
    if (any) solver_output(s, x->from, 1, x->f, NULL); /* of the step before */
    if (!any) x->from = x->to = nan("");
}

bool events_is_in_passage(const struct tansy_solver *s, double t)
{
    const struct passage *const x = &s->events.passage;
    return s->before == x->to && s->direction * (t - x->from) >= 0 &&
           s->direction * (t - x->to) < 0;
}

/* The cubic at x = 0 .. 1 over h, or its derivative. */
static double cubic(double x, double h, double y, double f, double y_end, double f_end,
                    int derivative)
{
    double const slope = (y_end - y) / h, a = f - slope, b = slope - f_end;
    if (derivative == 0) return y + x * (y_end - y) + h * x * (1 - x) * (a * (1 - x) + b * x);
    return slope + (1 - 2 * x) * (a * (1 - x) + b * x) + x * (1 - x) * (b - a);
}

/* y or y' at t; at the end of the passage y and f are those of the step that begins there. */
static void output_state(struct tansy_solver *s, double t, int derivative, double *y)
{
    struct events *const e = &s->events;
    const struct passage *const x = &e->passage;
    double const h = x->to - x->from, at = (t - x->from) / h;
    solver_output(s, x->to, 0, e->y_start, NULL);
    solver_output(s, x->to, 1, e->f_after, NULL);
    for (size_t i = 0; i < s->n; i++)
        y[i] = cubic(at, h, x->y[i], x->f[i], e->y_start[i], e->f_after[i], derivative);
}

/* S at t, or S', which is that of the end. */
static void output_columns(struct tansy_solver *s, double t, int derivative, double *sens)
{
    struct events *const e = &s->events;
    struct stepper *const st = &s->stepper;
    const struct passage *const x = &e->passage;
    bool const before = s->direction * (t - x->root) < 0;
    double *const f = e->f, *const v = st->panel_work[0].r;
    output_state(s, t, 0, s->y0);
    if (!events_slope_with(s, t, before ? x->mode : e->mode, before ? x->piece : e->piece, f))
        output_state(s, t, 1, f);
    solver_output(s, x->to, 1, e->f_after, NULL);
    memset(sens, 0, s->ns * s->n * sizeof *sens);
    for (size_t m = 0; m < st->panels; m++) {
        const struct panel *const q = &s->shape[m];
        st->method->interpolate(st, &st->panel[m], x->to, derivative, v);
        for (size_t k = 0; k < q->columns; k++) {
            double *const column = sens + activation_number(s, q->first + k) * s->n;
            double const delay = derivative == 0 ? x->delay[q->first + k] : 0;
            for (size_t i = 0; i < s->n; i++)
                column[i] = v[i * q->lanes + k] + (e->f_after[i] - f[i]) * delay;
        }
    }
}

void events_output_passage(struct tansy_solver *s, double t, int derivative, double *y,
                           double *sens)
{
    struct failure const failure = s->derive.worker[0].failure;
    if (sens) output_columns(s, t, derivative, sens);
    if (y) output_state(s, t, derivative, y);
    s->derive.worker[0].failure = failure;
}
