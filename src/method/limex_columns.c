/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: the rows of a panel, which leaves the tableau when all its columns have met their tolerance (the closing idea of
   Schlegel et al. 2002). */
#include "method/limex_columns.h"

#include <string.h>

#include "derive/line.h"

static const double enough = 0.25; /* of the tolerance, for columns that leave */

/* d/dy(A D_k) s_0 + d/dp(A D_k) U of f. */
static int second_terms(struct stepper *s, struct part *part, size_t worker, int p, double *R)
{
    struct derive *const d = s->equations->derive;
    struct point first = stages_point(&s->stages, 0);
    first.t = s->t;
    first.f = NULL;
    struct motion const along = {.v = limex_delta(s, p), .span = s->h, .is_fine = true};
    return derive_second(d, worker, &first, &along, &part->shape, one_step_value(part), R);
}

/* The tangent of f - B y' with s_0 and s_0' at the beginning of the step, y moved by eps D_k. */
static int moved_tangent(struct stepper *s, struct part *part, size_t worker, int p, double eps,
                         double *R)
{
    struct derive *const d = s->equations->derive;
    struct work *const w = &s->panel_work[worker];
    double *const y = d->worker[worker].y;
    const double *const y0 = one_step_value(&s->state), *const v = limex_delta(s, p);
    for (size_t i = 0; i < d->n; i++) y[i] = y0[i] + eps * v[i];
    struct point const at = {.t = s->t, .y = y, .yp = one_step_row(&s->state, ROW_SLOPE)};
    memcpy(w->yp, one_step_row(part, ROW_SLOPE), part->shape.count * sizeof *w->yp);
    return derive_given_tangent(d, worker, &at, &part->shape, one_step_value(part), w->yp, R);
}

/* The same of f - B y' by differences of the tangent that is given, as A has d(B y')/dy in it, y' being that of the step before; of f
   alone where it is not given. */
static int varying_terms(struct stepper *s, struct part *part, size_t worker, int p, double *R)
{
    static const double Delta = 6.06e-6; /* eps^(1/3), as in derive/second.c */
    struct derive *const d = s->equations->derive;
    struct work *const w = &s->panel_work[worker];
    size_t const count = part->shape.count;
    if (!derive_gives_tangent(d->problem)) return second_terms(s, part, worker, p, R);
    double const eps = increment_along(d, one_step_value(&s->state), 1, limex_delta(s, p), Delta);
    memset(R, 0, count * sizeof *R);
    int code = eps > 0 ? moved_tangent(s, part, worker, p, eps, R) : 0;
    if (code != 0 || !(eps > 0)) return code;
    code = moved_tangent(s, part, worker, p, -eps, w->r);
    s->equations->kernels->combine(count, 0.5 / eps, R, -0.5 / eps, w->r, R);
    return code;
}

/* D_k' of a panel where B varies: w->r is used by the iteration, so the fixed terms go into the spare row. */
static int varying_step(struct stepper *s, struct part *part, size_t worker, int j, int k)
{
    double *const fixed = s->stages.has_second ? one_step_row(part, ROW_SPARE) : NULL;
    int const code = fixed ? varying_terms(s, part, worker, limex_point(s, j, k), fixed) : 0;
    return code == 0 ? limex_solve_varying(s, part, worker, j, k, fixed) : code;
}

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
    if (s->stages.mass_varies) return varying_step(s, part, worker, j, k);
    if (w->yp) memset(w->yp, 0, count * sizeof(double));
    int code = d->tangent(d, worker, &at, &part->shape, w->y, w->yp, delta);
    if (code == 0 && s->stages.has_second) {
        code = second_terms(s, part, worker, p, w->r);
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
static bool may_leave(const struct stepper *s, const struct part *part, int j)
{
    if (j == 1 || limex_are_few(s, j) || s->stages.takes_all_rows) return false;
    return part->row_error[j] <= enough && part->row_inside[j] <= enough;
}

/* What rounding of f adds to internal differences: W^-1 times the noise of f, W being that of row 1. */
static int measure_noise(struct stepper *s, struct part *part, size_t worker)
{
    struct equations *const q = s->equations;
    struct work *const w = &s->panel_work[worker];
    if (!derive_noise_is_due(q->derive, &part->shape)) return 0;
    struct point const at = stages_point(&s->stages, limex_point(s, 1, 0));
    struct solve_task const task = {.worker = worker, .c = 1 / s->h, .slot = limex_slot(s, 1)};
    q->kernels->combine(part->shape.count, 1, one_step_value(part), s->h,
                        one_step_row(part, ROW_SLOPE), w->y);
    int code = derive_noise(q->derive, worker, &at, &part->shape, w->y, w->r);
    part->counts.solves += part->shape.columns;
    if (code == 0) code = equations_solve(q, part, &task, w->r);
    struct noise_weights const weights = {w->winv, q->norms->stricter};
    if (code == 0) derive_noise_note(q->derive, &part->shape, s->h, w->r, &weights, s->stages.kind);
    one_step_begin_panel(s, part, w);
    return code < 0 ? code : 0; /* not measured where f cannot be evaluated */
}

int limex_panel_rows(struct stepper *s, struct part *part, size_t worker, int from, int to)
{
    struct work *const w = &s->panel_work[worker];
    if (from == 1) {
        part->has_left = false;
        one_step_begin_panel(s, part, w);
        int const code = measure_noise(s, part, worker);
        if (code != 0) return code;
    }
    for (int j = from; j <= to && !part->has_left; j++) {
        int const code = panel_row(s, part, worker, j);
        if (code != 0) return code;
        part->order = j - 1;
        limex_measure(s, part, w, j);
        part->has_left = may_leave(s, part, j);
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
