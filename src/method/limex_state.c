/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: the rows of the state. */
#include "method/limex_ahead.h"

#include <math.h>
#include <string.h>

static const double enough = 0.25, /* of the tolerance, for a step with fewer rows than planned */
    hopeless = 10,                 /* the error to which a step is going that is given up */
    falls_inside =
        0.5; /* the error of dense output, at least, from row to row: it falls unevenly */

/* The value at the beginning of the step: that at the end of the step before, where it is known. */
static int begin_value(struct stepper *s, const struct point *at, double *value)
{
    struct derive *const d = s->equations->derive;
    struct end_of_step *const end = &s->stages.at_end;
    size_t const bytes = d->n * sizeof *value;
    bool const same = end->is_known && end->t == at->t && memcmp(end->y, at->y, bytes) == 0;
    end->is_known = false;
    if (!same) return derive_value(d, 0, at, value);
    memcpy(value, end->f, bytes);
    return 0;
}

/* A and B where B varies: at y' of the step before, and what differences start from there. */
static int evaluate_varying(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    struct stages *const stages = &s->stages;
    memcpy(stages->rate, one_step_row(&s->state, ROW_SLOPE), d->n * sizeof(double));
    struct point at = stages_point(stages, 0);
    at.f = stages->rest;
    int code = begin_value(s, &at, stages->rest);
    if (code == 0) code = d->jacobian(d, &at);
    matrix_make_ready(d->M);
    return code;
}

/* f, A and B at the beginning of the step. */
static int evaluate_begin(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    struct stages *const stages = &s->stages;
    stages->t[0] = s->t;
    stages->at[0] = one_step_row(&s->state, ROW_BEGIN);
    stages->f[0] = stages->time_slope; /* f(y_0), which is kept there */
    if (s->stages.mass_varies) return evaluate_varying(s);
    struct point const at = stages_point(stages, 0);
    if (stages->rate) memset(stages->rate, 0, stages->stride * sizeof *stages->rate);
    int const code = begin_value(s, &at, stages->time_slope);
    return code == 0 ? d->jacobian(d, &at) : code;
}

int limex_prepare(struct stepper *s)
{
    struct stages *const stages = &s->stages;
    if (stages->has_value) return 0;
    int const code = evaluate_begin(s);
    if (code != 0) return code;
    equations_set_units(s->equations, stages->at[0]);
    stages->has_value = true;
    if (stages->thin.sigma > 0) limex_thin(s);
    return 0;
}

/* The factors of row j. */
static int factor_row(struct stepper *s, int j)
{
    struct equations *const q = s->equations;
    if (s->stages.thin.sigma > 0) q->linear->A = &s->stages.thin.A;
    int const code = equations_factor_slot(q, limex_slot(s, j), j / s->h);
    q->linear->A = q->derive->J;
    return code;
}

/* The residual at point p with y' = D_k/h known, where differences start from it. */
static int base_value(struct stepper *s, size_t worker, int p, double c)
{
    struct stages *const stages = &s->stages;
    if (!stages->rate) return 0;
    double *const rate = stages->rate + (size_t)p * stages->stride;
    s->equations->kernels->combine(stages->stride, c, limex_delta(s, p), 0, limex_delta(s, p),
                                   rate);
    return s->panels > 0 ? stages_value(stages, s->equations->derive, worker, p) : 0;
}

/* D_k of row j of the state where B is constant. */
static int solve_step(struct stepper *s, size_t worker, int j, int k)
{
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    int const p = limex_point(s, j, k);
    size_t const bytes = part->shape.count * sizeof(double);
    double *const f = stages->slope + (size_t)p * stages->stride, *const delta =
                                                                      limex_inside(part, j, k);
    int code = 0;
    bool const known = k == 0 && q->derive->problem->autonomous; /* f(y_0) serves all rows */
    if (known)
        memcpy(f, stages->time_slope, bytes);
    else {
        if (stages->rate) memset(stages->rate + (size_t)p * stages->stride, 0, bytes);
        struct point const at = stages_point(stages, p);
        code = derive_value(q->derive, worker, &at, f);
    }
    if (code != 0) return code;
    memcpy(delta, f, bytes);
    struct solve_task const task = {.worker = worker, .c = j / s->h, .slot = limex_slot(s, j)};
    return equations_solve(q, part, &task, delta);
}

/* Step k of row j of the state, from stages->at[p]; the next value goes into `next`. */
static int state_step(struct stepper *s, size_t worker, int j, int k, double *next)
{
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    int const p = limex_point(s, j, k);
    double const c = j / s->h;
    stages->t[p] = k + 1 == j ? s->end : s->t + ((k + 1) / c + s->t_low);
    stages->f[p] = stages->slope + (size_t)p * stages->stride;
    int const code = stages->mass_varies ? limex_solve_varying(s, part, worker, j, k, NULL)
                                         : solve_step(s, worker, j, k);
    if (code != 0) return code;
    const double *const delta = limex_inside(part, j, k);
    memcpy(limex_delta(s, p), delta, part->shape.count * sizeof *delta);
    s->equations->kernels->combine(part->shape.count, 1, stages->at[p], 1, delta, next);
    return base_value(s, worker, p, c);
}

/* The value at the end of row j stands where that at its beginning would, which is a row of history. */
static double *end_of_row(const struct stepper *s, int j)
{
    return s->stages.y + (size_t)limex_point(s, j, 0) * s->stages.stride;
}

int limex_row_steps(struct stepper *s, size_t worker, int j)
{
    struct stages *const stages = &s->stages;
    int code = 0;
    stages->at[limex_point(s, j, 0)] = one_step_row(&s->state, ROW_BEGIN);
    for (int k = 0; k < j && code == 0; k++) {
        int const p = limex_point(s, j, k);
        double *const next =
            k + 1 < j ? stages->y + (size_t)(p + 1) * stages->stride : end_of_row(s, j);
        code = state_step(s, worker, j, k, next);
        if (k + 1 < j) stages->at[p + 1] = next;
    }
    return code;
}

int limex_state_row(struct stepper *s, int j)
{
    struct part *const part = &s->state;
    bool const made = s->stages.ahead && j <= s->stages.ahead->made;
    int code = made ? limex_take_row(s, j) : limex_prepare(s);
    if (!made && code == 0) code = factor_row(s, j);
    if (!made && code == 0) code = limex_row_steps(s, 0, j);
    if (code != 0) return code;
    if (!s->stages.mass_varies) part->counts.solves += (size_t)j; /* else they are counted */
    memcpy(one_step_row(part, ROW_SPARE), end_of_row(s, j), part->shape.count * sizeof(double));
    limex_extrapolate(part, ROW_T, j);
    return 0;
}

/* Of dense output that is tested: the rows that are left do not promise to bring it below its tolerance. */
static bool is_hopeless_inside(const struct stepper *s, const struct part *part, int j)
{
    double const shrinks = fmin(limex_shrinks_inside(part, j), falls_inside);
    return !(part->row_inside[j] * pow(shrinks, s->max_order + 1 - j) <= 1);
}

bool limex_ends(const struct stepper *s, const struct part *part, int j, int planned, bool alone)
{
    double const error = part->row_error[j], inside = limex_is_pressed(s) ? part->row_inside[j] : 0,
                 shrinks = limex_shrinks(part, j);
    if (!isfinite(error)) return true;
    if (error <= 1 && inside > 1) return j > s->max_order || is_hopeless_inside(s, part, j);
    if (j > planned) return true;
    if (j == planned) return error <= 1 || error * shrinks > 1;
    if (alone && !limex_are_few(s, j) && error <= enough && inside <= enough) return true;
    return j > 2 && error * pow(shrinks, planned + 1 - j) > hopeless;
}

/* The rows of the state: as many as were planned; fewer where that will do, more where they promise to. */
int limex_advance_state(struct stepper *s)
{
    struct part *const part = &s->state;
    int const planned = limex_plan(s);
    bool const alone = s->panels == 0 || s->control == TANSY_STATE_ONLY;
    one_step_begin(s);
    s->stages.has_first = false;
    int code = limex_make_rows(s, planned);
    for (int j = 1; j <= s->max_order + 1; j++) {
        if (code == 0) code = limex_state_row(s, j);
        if (code != 0) return code;
        part->order = j - 1;
        limex_measure(s, part, &s->state_work, j);
        if (j == 1) continue;
        s->order = j - 1;
        bool ends = limex_ends(s, part, j, planned, alone);
        code = limex_confirm(s, j, planned, &ends);
        if (code != 0) return code;
        if (ends) break;
    }
    memcpy(s->state_work.y, one_step_row(part, ROW_END), part->shape.count * sizeof(double));
    return 0;
}
