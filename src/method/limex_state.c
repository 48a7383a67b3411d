/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: the rows of the state. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

static const double enough = 0.25; /* of the tolerance, for a step with a row less than planned */

/* J at the beginning of the step; its factors for row j. */
static int prepare_row(struct stepper *s, int j)
{
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    if (!stages->has_value) {
        stages->t[0] = s->t;
        stages->at[0] = one_step_row(&s->state, ROW_BEGIN);
        stages->f[0] = stages->slope;
        struct point const at = stages_point(stages, 0);
        if (stages->rate) memset(stages->rate, 0, stages->stride * sizeof *stages->rate);
        int code = derive_value(q->derive, 0, &at, stages->slope);
        if (code == 0) code = q->derive->jacobian(q->derive, &at);
        if (code != 0) return code;
        stages->has_value = true;
    }
    return equations_factor_slot(q, (size_t)(j - 1), j / s->h);
}

/* The value of the residual at point p with y' = D_k/h known, where differences start from it. */
static int base_value(struct stepper *s, int p, double c)
{
    struct derive *const d = s->equations->derive;
    struct stages *const stages = &s->stages;
    if (!stages->rate) return 0;
    double *const rate = stages->rate + (size_t)p * stages->stride;
    s->equations->kernels->combine(stages->stride, c, limex_delta(s, p), 0, limex_delta(s, p),
                                   rate);
    struct point const at = stages_point(stages, p);
    bool const differences =
        d->parameter_source == SOURCE_DIFFERENCES || d->tangent_source == SOURCE_DIFFERENCES;
    return s->panels > 0 && differences
               ? derive_value(d, 0, &at, stages->slope + (size_t)p * stages->stride)
               : 0;
}

/* Step k of row j of the state, from stages->at[p]; the next value goes into `next`. */
static int state_step(struct stepper *s, int j, int k, double *next)
{
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    int const p = limex_point(j, k);
    size_t const bytes = part->shape.count * sizeof(double);
    double *const f = stages->slope + (size_t)p * stages->stride, *const delta = limex_delta(s, p);
    double const c = j / s->h;
    int code = 0;
    stages->t[p] = k + 1 == j ? s->end : s->t + ((k + 1) / c + s->t_low);
    stages->f[p] = f;
    bool const known = k == 0 && q->derive->problem->autonomous; /* f(y_0) serves all rows */
    if (known && p > 0)
        memcpy(f, stages->slope, bytes);
    else if (!known) {
        if (stages->rate) memset(stages->rate + (size_t)p * stages->stride, 0, bytes);
        struct point const at = stages_point(stages, p);
        code = derive_value(q->derive, 0, &at, f);
    }
    if (code != 0) return code;
    memcpy(delta, f, bytes);
    struct solve_task const task = {.c = c, .slot = (size_t)(j - 1)};
    part->counts.solves++;
    code = equations_solve(q, part, &task, delta);
    if (code != 0) return code;
    q->kernels->combine(part->shape.count, 1, stages->at[p], 1, delta, next);
    return base_value(s, p, c);
}

static int state_row(struct stepper *s, int j)
{
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    int code = prepare_row(s, j);
    stages->at[limex_point(j, 0)] = one_step_row(part, ROW_BEGIN);
    for (int k = 0; k < j && code == 0; k++) {
        int const p = limex_point(j, k);
        double *const next = k + 1 < j ? stages->y + (size_t)(p + 1) * stages->stride
                                       : one_step_row(part, ROW_SPARE);
        code = state_step(s, j, k, next);
        if (k + 1 < j) stages->at[p + 1] = next;
    }
    if (code != 0) return code;
    limex_extrapolate(part, ROW_T, j);
    double *const spare = one_step_row(part, ROW_SPARE);
    double const *const last = limex_delta(s, limex_point(j, j - 1));
    s->equations->kernels->combine(part->shape.count, j / s->h, last, 0, last, spare);
    limex_extrapolate(part, ROW_D, j);
    return 0;
}

/* The rows of the state: as many as were planned; one less where that will do, one more where it promises to. */
int limex_advance_state(struct stepper *s)
{
    struct part *const part = &s->state;
    int const planned = s->order + 1;
    bool const alone = s->panels == 0 || s->control == TANSY_STATE_ONLY;
    double before = HUGE_VAL;
    one_step_begin(s);
    s->stages.has_first = false;
    for (int j = 1; j <= s->max_order + 1; j++) {
        int const code = state_row(s, j);
        if (code != 0) return code;
        if (j == 1) continue;
        memcpy(part->gap, part->squares, sizeof part->gap);
        limex_measure(s, part, &s->state_work, j, part->squares);
        double const error = limex_error(s, part, part->squares);
        s->order = j - 1;
        bool const hopeless = !(error < before) || error * (error / before) > 1;
        if (j >= planned && (error <= 1 || hopeless || j > planned)) break;
        if (alone && j + 1 == planned && error <= enough) break;
        before = error;
    }
    memcpy(s->state_work.y, one_step_row(part, ROW_END), part->shape.count * sizeof(double));
    return 0;
}
