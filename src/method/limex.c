/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolated linearly implicit Euler (LIMEX; Deuflhard 1983, Schlegel et al. 2002) for B y' = f(t, y, p), B constant.  Row j makes
   the step H in j steps of h = H/j,
     (B/h - A) D_k = f(t + (k + 1) h, y_k),   y_(k+1) = y_k + D_k,   A = df/dy at the beginning,
   and T_jk = T_(j,k-1) + (T_(j,k-1) - T_(j-1,k-1))/(j/(j - k + 1) - 1) has order k (8).  The difference of the last two of a row
   estimates its error.  Columns go through the derivative of the same rows,
     (B/h - A) D_k' = f_y(y_k) s_k + f_p U - (B_p U) D_k/h + d/dy(A D_k) s_0 + d/dp(A D_k) U,
   so that they have the orders of y: k, in algebraic equations 4 at most.  Without the last two terms (the block-diagonal form (16)) they
   have them too for regular B, as the error has an expansion in h whatever A is, but order 2 in algebraic equations.  f is taken at the end of
   the short step, where stiff and algebraic components then belong.  D_(j-1)/h of the rows, extrapolated, is y' at the end. */
#include <math.h>
#include <string.h>

#include "method/one_step.h"

enum {
    LIMEX_ROWS = 8,
    POINTS = LIMEX_ROWS * (LIMEX_ROWS + 1) / 2,
    ROW_SLOPE = ROW_STAGES,     /* y' at the beginning of the step */
    ROW_T,                      /* T_j1 .. T_jj of the last row */
    ROW_D = ROW_T + LIMEX_ROWS, /* the same of the slopes at the end */
    ROW_SPARE = ROW_D + LIMEX_ROWS,
    ROW_DELTA, /* D_k at work */
    HISTORY
};

static const double enough = 0.25; /* of the tolerance, for a step with a row less than planned */
static const double first_shrinking =
    0.1; /* of the error by the third row, before anything is known */

/* The number of the point from which step k < j of row j starts. */
static int point_of(int j, int k)
{
    return j * (j - 1) / 2 + k;
}

static double *delta_of(const struct stepper *s, int p)
{
    return s->stages.delta + (size_t)p * s->stages.stride;
}

static void layout(struct stepper *s, struct arena *arena, struct derive *derive)
{
    stages_layout(&s->stages, arena, derive, POINTS, true);
    double *const delta = arena_matrix(arena, POINTS, lane_round(derive->n));
    if (arena->block) s->stages.delta = delta;
}

static void start(struct stepper *s, struct part *part, const double *y, const double *yp)
{
    size_t const bytes = part->shape.count * sizeof *y;
    memcpy(one_step_row(part, ROW_BEGIN), y, bytes);
    memcpy(one_step_row(part, ROW_SLOPE), yp, bytes);
    part->pending = false;
    part->order = s->order;
    if (part->kind != PART_STATE) return;
    s->begun = false;
    s->stages.has_first = s->stages.has_value = false;
}

/* The slope at the end of the last step is the last entry of its tableau. */
static void take_over(struct stepper *s, struct part *part)
{
    size_t const bytes = part->shape.count * sizeof(double);
    if (!part->pending) return;
    memcpy(one_step_row(part, ROW_SLOPE), one_step_row(part, ROW_D + s->last_order), bytes);
    memcpy(one_step_row(part, ROW_BEGIN), one_step_row(part, ROW_END), bytes);
    part->pending = false;
    if (part->kind == PART_STATE) s->stages.has_first = s->stages.has_value = false;
}

/* One row more of a tableau whose rows of history begin at `first`: in the spare row stands its first entry. */
static void extrapolate(struct part *part, int first, int j)
{
    size_t const count = part->shape.count;
    double *const entry = one_step_row(part, ROW_SPARE);
    for (int m = 1; m <= j; m++) { /* `entry` is T_jm, row first + m - 1 is T_(j-1,m) or nothing */
        double *const old = one_step_row(part, first + m - 1);
        if (m == j) {
            memcpy(old, entry, count * sizeof *entry);
            return;
        }
        double const share = 1 / ((double)j / (double)(j - m) - 1);
        for (size_t x = 0; x < count; x++) {
            double const here = entry[x], before = old[x];
            old[x] = here;
            entry[x] = here + (here - before) * share;
        }
    }
}

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
    s->equations->kernels->combine(stages->stride, c, delta_of(s, p), 0, delta_of(s, p), rate);
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
    int const p = point_of(j, k);
    size_t const bytes = part->shape.count * sizeof(double);
    double *const f = stages->slope + (size_t)p * stages->stride, *const delta = delta_of(s, p);
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
    stages->at[point_of(j, 0)] = one_step_row(part, ROW_BEGIN);
    for (int k = 0; k < j && code == 0; k++) {
        int const p = point_of(j, k);
        double *const next = k + 1 < j ? stages->y + (size_t)(p + 1) * stages->stride
                                       : one_step_row(part, ROW_SPARE);
        code = state_step(s, j, k, next);
        if (k + 1 < j) stages->at[p + 1] = next;
    }
    if (code != 0) return code;
    extrapolate(part, ROW_T, j);
    double *const spare = one_step_row(part, ROW_SPARE);
    double const *const last = delta_of(s, point_of(j, j - 1));
    s->equations->kernels->combine(part->shape.count, j / s->h, last, 0, last, spare);
    extrapolate(part, ROW_D, j);
    return 0;
}

/* D_k' of a panel into row ROW_DELTA. */
static int panel_step(struct stepper *s, struct part *part, size_t worker, int j, int k)
{
    struct equations *const q = s->equations;
    struct derive *const d = q->derive;
    struct work *const w = &s->panel_work[worker];
    size_t const count = part->shape.count;
    double *const delta = one_step_row(part, ROW_DELTA);
    int const p = point_of(j, k);
    struct point const at = stages_point(&s->stages, p);
    if (w->yp) memset(w->yp, 0, count * sizeof(double));
    int code = d->tangent(d, worker, &at, &part->shape, w->y, w->yp, delta);
    if (code == 0 && s->stages.has_second) {
        struct point first = stages_point(&s->stages, 0);
        first.t = s->t;
        first.f = NULL;
        struct motion const along = {.v = delta_of(s, p), .span = s->h};
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
    extrapolate(part, ROW_T, j);
    k->combine(count, j / s->h, delta, 0, delta, spare);
    extrapolate(part, ROW_D, j);
    return 0;
}

/* Squares of the error estimate of row j in units of the tolerance, T_jj - T_(j,j-1), which is left in part->e[0]. */
static void measure(struct stepper *s, struct part *part, struct work *w, int j, double *square)
{
    const struct equations *const q = s->equations;
    size_t const count = part->shape.count;
    const double *const end = one_step_row(part, ROW_T + j - 1);
    memcpy(one_step_row(part, ROW_END), end, count * sizeof *end);
    q->kernels->combine(count, 1, end, -1, one_step_row(part, ROW_T + j - 2), part->e[0]);
    one_step_weigh(s, part, w);
    norms_squares(q->norms, part, part->e[0], norms_weigh_tests(q->norms, part, w), square);
}

/* The error of a row in units of the tolerance, of the worst column. */
static double error_of(const struct stepper *s, const struct part *part, const double *square)
{
    return sqrt(square[norms_worst(square, part->shape.columns)] * s->equations->norms->share);
}

/* The rows of the state: as many as were planned; one less where that will do, one more where it promises to. */
static int advance_state(struct stepper *s)
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
        measure(s, part, &s->state_work, j, part->squares);
        double const error = error_of(s, part, part->squares);
        s->order = j - 1;
        bool const hopeless = !(error < before) || error * (error / before) > 1;
        if (j >= planned && (error <= 1 || hopeless || j > planned)) break;
        if (alone && j + 1 == planned && error <= enough) break;
        before = error;
    }
    memcpy(s->state_work.y, one_step_row(part, ROW_END), part->shape.count * sizeof(double));
    return 0;
}

static int advance_panel(struct stepper *s, struct part *part, size_t worker)
{
    struct work *const w = &s->panel_work[worker];
    one_step_begin_panel(s, part, w);
    for (int j = 1; j <= s->order + 1; j++) {
        int const code = panel_row(s, part, worker, j);
        if (code != 0) return code;
        if (j >= 2 && j == s->order) measure(s, part, w, j, part->gap);
    }
    measure(s, part, w, s->order + 1, part->squares);
    return 0;
}

static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    take_over(s, part);
    part->now = 0;
    int const code = part->kind == PART_STATE ? advance_state(s) : advance_panel(s, part, worker);
    return code == 0 ? VERDICT_OK : corrector_verdict(s, part, worker, code);
}

/* Work of a step of j rows: J, j factorisations, evaluations and solves of all short steps. */
static double cost_of(int j)
{
    return 3 + 3 * j + j * (j + 1);
}

static struct candidate candidate_of(const struct stepper *s, int order, double error)
{
    return (struct candidate){
        .order = order, .error = error, .cost = cost_of(order + 1), .bias = s->method->bias[SAME]};
}

/* The next row would multiply the error by as much as the last one did (the prediction without which low orders stay). */
static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    int const q = s->order;
    one_step_offer(s, part, part->squares, out);
    (void)worker;
    double const error = out->candidate[SAME].error;
    double const before = q > 1 ? error_of(s, part, part->gap) : 0;
    out->candidate[SAME] = candidate_of(s, q, error);
    if (q > 1) out->candidate[LOWER] = candidate_of(s, q - 1, before);
    double const shrinks = q > 1 && before > 0 ? fmin(error / before, 1) : first_shrinking;
    if (q < s->max_order) out->candidate[HIGHER] = candidate_of(s, q + 1, error * shrinks);
    out->square_sum[LOWER] = out->square_sum[HIGHER] = out->square_sum[SAME];
}

static void accept(struct stepper *s)
{
    one_step_accept(s);
    s->last_order = s->order;
}

static void interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out)
{
    size_t const count = part->shape.count;
    double const h = s->last_h, x = t == s->t ? 1 : 1 + ((t - s->t) - s->t_low) / h;
    if (!part->pending) {
        memcpy(out, one_step_row(part, derivative ? ROW_SLOPE : ROW_BEGIN), count * sizeof *out);
        return;
    }
    if (x == 1) {
        memcpy(out, one_step_row(part, derivative ? ROW_D + s->last_order : ROW_END),
               count * sizeof *out);
        return;
    }
    struct cubic const c = one_step_cubic(x, derivative);
    unsigned char const row[] = {ROW_BEGIN, ROW_END, ROW_SLOPE,
                                 (unsigned char)(ROW_D + s->last_order)};
    double const weight[] = {(derivative ? 0 : 1) - c.end, c.end, h * c.first, h * c.last};
    struct row_task const task = {.count = count,
                                  .stride = count,
                                  .rows = part->history,
                                  .factor = derivative ? 1 / h : 1,
                                  .terms = 4,
                                  .row = row,
                                  .weight = weight};
    s->equations->kernels->step->sum_rows(&task, out);
}

const struct method method_limex = {.name = "limex",
                                    .title = "extrapolated linearly implicit Euler (LIMEX)",
                                    .rows = true,
                                    .max_order = LIMEX_ROWS - 1,
                                    .lowest_order = 1,
                                    .gain = 1,
                                    .extra_rows = HISTORY - LIMEX_ROWS + 1,
                                    .bias = {4, 4, 4},
                                    .first_power = 0.5,
                                    .ends_at_output = true,
                                    .layout = layout,
                                    .start = start,
                                    .advance = advance,
                                    .estimate = estimate,
                                    .accept = accept,
                                    .settle = one_step_settle,
                                    .interpolate = interpolate};
