/* SPDX-License-Identifier: Apache-2.0 */
/* The option time_probes: f(t, y), or F(t, y, y'), at fixed y and y' in equidistant times.  Where two neighbours differ by more than a little of a component's
   range, more points are put between them. */
#include <math.h>

#include "drive/solver.h"

void probes_layout(struct tansy_solver *s, struct arena *arena)
{
    struct probes *const x = &s->stretches.probes;
    x->count = s->options.time_probes;
    if (x->count == 0) return;
    ARENA_TAKE(arena, x->range, s->n);
    x->f = arena_doubles(arena, s->n);
    x->next = arena_doubles(arena, s->n);
}

/* f at u; components without a value are NaN. */
static int look(struct tansy_solver *s, double u, double *f)
{
    struct failure const failure = s->derive.worker[0].failure;
    struct derive *const d = &s->derive;
    struct point const at = {.t = s->direction * u, .y = s->y0, .yp = s->consistent.yp};
    int const code =
        d->form == FORM_RESIDUAL ? derive_value(d, 0, &at, f) : derive_rhs(d, 0, at.t, at.y, f);
    if (code < 0) return code;
    s->derive.worker[0].failure = failure;
    for (size_t i = 0; i < s->n && code > 0; i++) f[i] = nan("");
    return 0;
}

int probes_widen(struct tansy_solver *s, double from, double to)
{
    struct probes *const x = &s->stretches.probes;
    x->longest = (to - from) / (double)x->count;
    x->u = nan("");
    for (size_t k = 0; k <= x->count; k++) {
        int const code = look(s, k == x->count ? to : from + (double)k * x->longest, x->f);
        if (code != 0) return code;
        for (size_t i = 0; i < s->n; i++) range_include(&x->range[i], x->f[i]);
    }
    return 0;
}

/* f at both ends; that at the end of one stretch is that at the beginning of the next. */
static int look_at_ends(struct tansy_solver *s, double from, double to)
{
    struct probes *const x = &s->stretches.probes;
    int const code = x->u == from ? 0 : look(s, from, x->f);
    x->u = from;
    return code == 0 ? look(s, to, x->next) : code;
}

static void go_on(struct probes *x, double u)
{
    double *const swap = x->f;
    x->f = x->next;
    x->next = swap;
    x->u = u;
}

int probes_move(struct tansy_solver *s, double from, double to, struct movement *m)
{
    struct probes *const x = &s->stretches.probes;
    *m = (struct movement){HUGE_VAL, HUGE_VAL};
    if (to - from > x->longest) return 0;
    int const code = look_at_ends(s, from, to);
    if (code != 0) return code;
    m->share = 0;
    for (size_t i = 0; i < s->n; i++)
        m->share = fmax(m->share, range_share(&x->range[i], fabs(x->next[i] - x->f[i])));
    if (m->share <= STRETCH_LITTLE) go_on(x, to);
    return 0;
}
