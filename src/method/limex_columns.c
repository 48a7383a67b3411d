/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: the rows of a panel, which leaves the tableau when all its columns have met their tolerance (the closing idea of
   Schlegel et al. 2002). */
#include "method/limex_columns.h"

#include <string.h>

static const double enough = 0.25; /* of the tolerance, for columns that leave */

/* D_k' of a panel. */
static int panel_step(struct stepper *s, struct part *part, size_t worker, int j, int k)
{
    struct equations *const q = s->equations;
    struct derive *const d = q->derive;
    struct work *const w = &s->panel_work[worker];
    size_t const count = part->shape.count;
    double *const delta = limex_inside(part, j, k);
    int const p = limex_point(s, j, k);
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
    struct solve_task const task = {.worker = worker, .c = j / s->h, .slot = limex_slot(s, j)};
    part->counts.solves += part->shape.columns;
    return equations_solve(q, part, &task, delta);
}

static int panel_row(struct stepper *s, struct part *part, size_t worker, int j)
{
    const struct kernels *const k = s->equations->kernels;
    struct work *const w = &s->panel_work[worker];
    size_t const count = part->shape.count;
    memcpy(w->y, one_step_value(part), count * sizeof *w->y);
    for (int m = 0; m < j; m++) {
        int const code = panel_step(s, part, worker, j, m);
        if (code != 0) return code;
        k->combine(count, 1, w->y, 1, limex_inside(part, j, m), w->y);
    }
    memcpy(one_step_row(part, ROW_SPARE), w->y, count * sizeof *w->y);
    limex_extrapolate(part, ROW_T, j);
    return 0;
}

/* The columns need no more rows: for their values at the end and, where these are wanted, inside the step. */
static bool may_leave(struct stepper *s, struct part *part, struct work *w, int j)
{
    if (j == 1 || s->stages.takes_all_rows || !(part->row_error[j] <= enough)) return false;
    if (!s->wants_inside) return true;
    double square[MAX_LANES];
    limex_measure_inside(s, part, w, square);
    part->knows_end = part->knows_dense = false; /* there may be more rows */
    double const worst = square[norms_worst(square, part->shape.columns)];
    return worst * s->equations->norms->share <= enough * enough;
}

int limex_panel_rows(struct stepper *s, struct part *part, size_t worker, int from, int to)
{
    struct work *const w = &s->panel_work[worker];
    if (from == 1) {
        part->has_left = false;
        one_step_begin_panel(s, part, w);
    }
    for (int j = from; j <= to && !part->has_left; j++) {
        int const code = panel_row(s, part, worker, j);
        if (code != 0) return code;
        (void)limex_measure(s, part, w, j);
        part->order = j - 1;
        part->has_left = may_leave(s, part, w, j);
    }
    return 0;
}

void limex_predict_errors(const struct stepper *s, struct part *part)
{
    for (int j = part->order + 2; j <= s->order + 1; j++) {
        double const shrinks = limex_shrinks(part, j - 1);
        part->row_error[j] = part->row_error[j - 1] * shrinks;
        part->row_sum[j] = part->row_sum[j - 1] * shrinks * shrinks;
    }
}
