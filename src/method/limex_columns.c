/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: the rows of a panel. */
#include "method/limex.h"

#include <string.h>

/* D_k' of a panel into row ROW_DELTA. */
static int panel_step(struct stepper *s, struct part *part, size_t worker, int j, int k)
{
    struct equations *const q = s->equations;
    struct derive *const d = q->derive;
    struct work *const w = &s->panel_work[worker];
    size_t const count = part->shape.count;
    double *const delta = one_step_row(part, ROW_DELTA);
    int const p = limex_point(j, k);
    struct point const at = stages_point(&s->stages, p);
    if (w->yp) memset(w->yp, 0, count * sizeof(double));
    int code = d->tangent(d, worker, &at, &part->shape, w->y, w->yp, delta);
    if (code == 0 && s->stages.has_second) {
        struct point first = stages_point(&s->stages, 0);
        first.t = s->t;
        first.f = NULL;
        struct motion const along = {.v = limex_delta(s, p), .span = s->h};
        code = d->second(d, worker, &first, &along, &part->shape, one_step_value(part), w->r);
        q->kernels->combine(count, 1, delta, 1, w->r, delta);
    }
    if (code != 0) return code;
    struct solve_task const task = {.worker = worker, .c = j / s->h, .slot = (size_t)(j - 1)};
    part->counts.solves += part->shape.columns;
    return equations_solve(q, part, &task, delta);
}

static int panel_row(struct stepper *s, struct part *part, size_t worker, int j)
{
    const struct kernels *const k = s->equations->kernels;
    struct work *const w = &s->panel_work[worker];
    size_t const count = part->shape.count;
    double *const delta = one_step_row(part, ROW_DELTA), *const spare =
                                                             one_step_row(part, ROW_SPARE);
    memcpy(w->y, one_step_value(part), count * sizeof *w->y);
    for (int m = 0; m < j; m++) {
        int const code = panel_step(s, part, worker, j, m);
        if (code != 0) return code;
        k->combine(count, 1, w->y, 1, delta, w->y);
    }
    memcpy(spare, w->y, count * sizeof *spare);
    limex_extrapolate(part, ROW_T, j);
    k->combine(count, j / s->h, delta, 0, delta, spare);
    limex_extrapolate(part, ROW_D, j);
    return 0;
}

int limex_advance_panel(struct stepper *s, struct part *part, size_t worker)
{
    struct work *const w = &s->panel_work[worker];
    one_step_begin_panel(s, part, w);
    for (int j = 1; j <= s->order + 1; j++) {
        int const code = panel_row(s, part, worker, j);
        if (code != 0) return code;
        if (j >= 2 && j == s->order) limex_measure(s, part, w, j, part->gap);
    }
    limex_measure(s, part, w, s->order + 1, part->squares);
    return 0;
}
