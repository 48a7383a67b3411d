/* SPDX-License-Identifier: Apache-2.0 */
/* Explicit Runge-Kutta methods of order 8 with exact tangents: a panel goes through the stages
     K_i = J(t_i, Y_i) V_i + f_p(t_i, Y_i) U,   V_i = S + h sum_j a_ij K_j,
   the derivative of the state's stages with the same h, so that S has the order of y (Franz and Kiehl 2.1; with differences
   instead of the tangent this is their internal numerical differentiation). */
#include "method/runge_kutta.h"

#include <math.h>
#include <string.h>

#include "method/one_step.h"

/* Differences of values below this, in units of the error test, are rounding. */
static const double visible_gap = 1e-3;

/* Dense output is bad at the border of stability, where the step damps errors that its polynomial does not: where s^2 (1 - s)^2 times the
   last coefficient exceeds `doubtful`, in units of the error test, and that coefficient `steep` times the distance of the last stage from the end, the step is
   made anew to end at the output.  In 15,000 outputs of DETEST, rtol 3e-3 to 3e-9, all that were wrong by more than 50 rtol have a product of
   82 and more; so have long steps of problems that are not stiff, but their quotient is 2 to 150 as a rule, at the border thousands.  So is the
   product where a smooth component keeps the quotient down; where it exceeds `vast` errors are up to a 20th of it. */
static const double doubtful = 50, steep = 200, vast = 1000;

/* Of the motion (8! tol)^(1/8), nearly, in a step that the solution itself allows. */
static const double little_motion = 0.1;

static const struct runge_kutta *table_of(const struct stepper *s)
{
    return s->method->tableau;
}

static void layout(struct stepper *s, struct arena *arena, struct derive *derive)
{
    stages_layout(&s->stages, arena, derive, (size_t)table_of(s)->points, false);
}

static void start(struct stepper *s, struct part *part, const double *y, const double *yp)
{
    size_t const bytes = part->shape.count * sizeof *y;
    memcpy(one_step_row(part, ROW_BEGIN), y, bytes);
    memcpy(one_step_stage(part, 0), yp, bytes);
    part->pending = part->knows_end = part->knows_dense = part->knows_gap = false;
    part->order = s->order;
    part->knows_slope = true;
    if (part->kind == PART_STATE) {
        s->begun = false;
        s->stages.has_first = false;
    }
}

/* The slope k_i of a part at stage i from its value y there. */
static int slope(struct stepper *s, struct part *part, size_t worker, int i, const double *y,
                 double *k)
{
    struct derive *const d = s->equations->derive;
    if (part->kind == PART_STATE) return derive_rhs(d, worker, s->stages.t[i], y, k);
    struct point const at = stages_point(&s->stages, i);
    return d->tangent(d, worker, &at, &part->shape, y, NULL, k);
}

/* The value of a part at stage i, i > 0, from the slopes before; the state keeps its own. */
static const double *stage_value(struct stepper *s, struct part *part, double h, int i, double *y)
{
    const struct stage_sum *const a = &table_of(s)->a[i];
    if (a->terms == 0) return one_step_row(part, ROW_END);
    double *const out = part->kind == PART_STATE ? s->stages.y + (size_t)i * s->stages.stride : y;
    one_step_sum(s, part, one_step_value(part), h, a, out);
    if (part->kind == PART_STATE) corrector_lift(s, out);
    return out;
}

/* Stages first .. last - 1 of a part. */
static int run_stages(struct stepper *s, struct part *part, size_t worker, double h, int first,
                      int last)
{
    struct work *const w = one_step_work(s, part, worker);
    for (int i = first; i < last; i++) {
        const double *const y = stage_value(s, part, h, i, w->y);
        double *const k = one_step_stage(part, i);
        if (part->kind == PART_STATE) {
            s->stages.at[i] = y;
            s->stages.f[i] = k;
        }
        int const code = slope(s, part, worker, i, y, k);
        if (code != 0) return code;
    }
    return 0;
}

/* Stiffness (Hairer and Wanner, Solving ODEs II, IV.2): the last stage and the end of the step have the same time, so that
   h |k_end - k_last|/|y_end - y_last| is h times the modulus of an eigenvalue that the errors of the step grow with.  In the
   first part of the look the distance of the values is kept, in the second, when k_end is known, that of the slopes is found, both
   with the weights of the larger end: those of one end alone are far too sharp where a component passes through 0. */
static void keep_gap(struct stepper *s, struct part *part, const double *last, struct work *w)
{
    const struct equations *const q = s->equations;
    part->knows_gap = stages_looks(&s->stages);
    if (!part->knows_gap) return;
    q->kernels->combine(part->shape.count, 1, one_step_row(part, ROW_END), -1, last, w->r);
    norms_squares(q->norms, part, w->r, w->winv, part->gap);
}

/* Slopes turn within the last step, visibly: by more than a little of their size, which a solution of which each step of order 8 is
   a good part does, also where it moves little of its size (an oscillation about a large value). */
static bool turns(struct stepper *s, struct part *part, struct work *w, double little,
                  const double *size)
{
    const struct equations *const q = s->equations;
    double square[MAX_LANES];
    bool turning = false;
    q->kernels->combine(part->shape.count, 1, one_step_stage(part, 0), -1, one_step_stage(part, 1),
                        w->r);
    norms_squares(q->norms, part, w->r, w->winv, square);
    for (size_t k = 0; k < part->shape.columns; k++) {
        bool const visible = s->last_h * s->last_h * square[k] * q->norms->share > 100;
        turning = turning || (visible && square[k] > little * little * size[k]);
    }
    return turning;
}

/* Steps that follow a smooth solution of order 8 move it by a good part of its size.  If nothing moves by more than a little, and
   that goes on, components that have long settled hold the step: stiffness too, though far from the border of stability
   (columns of a stiff rate, whose order is reduced). */
static void look_for_motion(struct stepper *s, struct part *part, struct work *w)
{
    const struct norms *const norms = s->equations->norms;
    double const rtol = part->rtol[0], little = little_motion * pow(rtol, s->method->first_power);
    double square[MAX_LANES];
    if (!(rtol > 0)) return;
    norms_squares(norms, part, one_step_stage(part, 0), w->winv, square);
    double const largest = square[norms_worst(square, part->shape.columns)] * norms->share;
    bool const moves = !(s->last_h * s->last_h * rtol * rtol * largest <= little * little);
    if (moves || turns(s, part, w, 10 * little, square))
        atomic_store_explicit(&s->stages.moves, true, memory_order_relaxed);
    if (part->kind == PART_STATE) s->stages.was_looked_at = true;
}

static void look_for_stiffness(struct stepper *s, struct part *part, struct work *w)
{
    const struct equations *const q = s->equations;
    double const limit = table_of(s)->stiff_limit / s->last_h, share = q->norms->share;
    double square[MAX_LANES];
    bool stiff = false;
    if (!part->knows_gap) return;
    part->knows_gap = false;
    one_step_weigh(s, part, w);
    q->kernels->combine(part->shape.count, 1, one_step_stage(part, 0), -1,
                        one_step_stage(part, table_of(s)->stages - 1), w->r);
    norms_squares(q->norms, part, w->r, w->winv, square);
    for (size_t k = 0; k < part->shape.columns; k++) {
        bool const visible = part->gap[k] * share > visible_gap * visible_gap;
        stiff = stiff || (visible && square[k] > limit * limit * part->gap[k]);
        if (part->kind == PART_STATE)
            s->stages.reach = visible ? sqrt(square[k] / part->gap[k]) / limit : 0;
    }
    if (stiff) atomic_store_explicit(&s->stages.looks_stiff, true, memory_order_relaxed);
    look_for_motion(s, part, w);
}

/* The end of the last step is the beginning of the next; a look for stiffness still finds the old one, in ROW_END. */
static void move_on(const struct part *part)
{
    double *const begin = one_step_row(part, ROW_BEGIN), *const end = one_step_row(part, ROW_END);
    for (size_t x = 0; x < part->shape.count; x++) {
        double const old = begin[x];
        begin[x] = end[x];
        end[x] = old;
    }
}

/* The slope at the end of the last step is that at the beginning of the next; not if it is by internal differences, whose increments
   are chosen anew: whether somebody asked for it must not matter. */
static bool knows_next(const struct stepper *s, const struct part *part)
{
    return part->knows_end && !(part->kind == PART_TANGENT && s->equations->derive->is_internal);
}

/* The part stands at the beginning of the step at work, its slope there known. */
static int take_over(struct stepper *s, struct part *part, size_t worker)
{
    size_t const bytes = part->shape.count * sizeof(double);
    double *const begin = one_step_row(part, ROW_BEGIN), *const first = one_step_stage(part, 0);
    bool const is_state = part->kind == PART_STATE, arrives = part->pending;
    if (arrives) {
        move_on(part);
        part->knows_slope = knows_next(s, part);
        if (part->knows_slope) memcpy(first, one_step_stage(part, table_of(s)->stages), bytes);
        part->pending = part->knows_end = part->knows_dense = false;
    }
    int code = 0;
    if (!is_state) one_step_begin_panel(s, part, one_step_work(s, part, worker));
    part->slope_is_new = !part->knows_slope;
    if (!part->knows_slope) code = slope(s, part, worker, 0, begin, first);
    part->knows_slope = code == 0;
    if (arrives && code == 0) look_for_stiffness(s, part, one_step_work(s, part, worker));
    if (is_state && arrives) s->stages.has_first = false;
    return code;
}

static void place_stages(struct stepper *s)
{
    const struct runge_kutta *const table = table_of(s);
    for (int i = 0; i < table->points; i++)
        s->stages.t[i] = table->c[i] == 1 ? s->end : s->t + (table->c[i] * s->h + s->t_low);
}

/* The value at the end of the step and both error estimates. */
static void finish(struct stepper *s, struct part *part, struct work *w)
{
    const struct runge_kutta *const r = table_of(s);
    double *const end = one_step_row(part, ROW_END);
    one_step_sum(s, part, one_step_value(part), s->h, &r->b, end);
    one_step_sum(s, part, NULL, s->h, &r->error, part->e[0]);
    if (r->error_low.terms > 0) one_step_sum(s, part, NULL, s->h, &r->error_low, part->e[1]);
    part->now = 0;
    one_step_weigh(s, part, w);
    bool const is_state = part->kind == PART_STATE;
    keep_gap(s, part, is_state ? s->stages.at[r->stages - 1] : w->y, w);
    if (is_state) memcpy(w->y, end, part->shape.count * sizeof *end);
}

/* The state finds the points of the step for all. */
static int begin_state(struct stepper *s)
{
    if (s->state.pending) stages_note_step(&s->stages);
    one_step_begin(s);
    place_stages(s);
    s->stages.knows_dense_matrices = false;
    int const code = take_over(s, &s->state, 0);
    s->stages.at[0] = one_step_row(&s->state, ROW_BEGIN);
    s->stages.f[0] = one_step_stage(&s->state, 0);
    return code;
}

/* A step of the state alone. */
static int substep(struct stepper *s, bool first)
{
    struct part *const part = &s->state;
    one_step_begin(s);
    place_stages(s);
    int code = first ? 0 : slope(s, part, 0, 0, one_step_value(part), one_step_stage(part, 0));
    if (code == 0) code = run_stages(s, part, 0, s->h, 1, table_of(s)->stages);
    if (code == 0) finish(s, part, &s->state_work);
    return code;
}

static int advance_state(struct stepper *s)
{
    s->equations->derive->internal.h = s->h;
    int code = begin_state(s);
    if (code == 0 && s->stages.substeps > 1) {
        code = one_step_refine(s, substep);
        place_stages(s);
    }
    return code == 0 ? run_stages(s, &s->state, 0, s->h, 1, table_of(s)->stages) : code;
}

/* What rounding of f adds to internal differences: h times the noise of f. */
static int measure_noise(struct stepper *s, struct part *part, size_t worker)
{
    struct derive *const d = s->equations->derive;
    struct work *const w = &s->panel_work[worker];
    if (!derive_noise_is_due(d, &part->shape)) return 0;
    struct point const at = stages_point(&s->stages, 0);
    s->equations->kernels->combine(part->shape.count, 1, one_step_value(part), s->h,
                                   one_step_stage(part, 0), w->y);
    int const code = derive_noise(d, worker, &at, &part->shape, w->y, w->r);
    struct noise_weights const weights = {w->winv, s->equations->norms->stricter};
    if (code == 0) derive_noise_note(d, &part->shape, 1, w->r, &weights, NULL);
    one_step_begin_panel(s, part, w);
    return code < 0 ? code : 0; /* not measured where f cannot be evaluated */
}

static int advance_panel(struct stepper *s, struct part *part, size_t worker)
{
    int code = take_over(s, part, worker);
    if (code == 0) code = measure_noise(s, part, worker);
    return code == 0 ? run_stages(s, part, worker, s->h, 1, table_of(s)->stages) : code;
}

static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    bool const is_state = part->kind == PART_STATE;
    int const code = is_state ? advance_state(s) : advance_panel(s, part, worker);
    if (code != 0) return corrector_verdict(s, part, worker, code);
    finish(s, part, one_step_work(s, part, worker));
    if (is_state) one_step_take_refined(s);
    return VERDICT_OK;
}

/* |e5|^2/sqrt(|e5|^2 + 0.01 |e3|^2) of every column: of order 8, and small where either estimate is by accident. */
static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    const struct norms *const norms = s->equations->norms;
    const double *const winv = norms_weigh_tests(norms, part, one_step_work(s, part, worker));
    double low[MAX_LANES];
    norms_squares(norms, part, part->e[0], winv, part->squares);
    if (table_of(s)->error_low.terms > 0) {
        norms_squares(norms, part, part->e[1], winv, low);
        for (size_t k = 0; k < part->shape.columns; k++) {
            double const five = part->squares[k], both = five + 0.01 * low[k];
            if (both > 0) part->squares[k] = five * (five / both);
        }
    }
    one_step_offer(s, part, part->squares, out);
}

/* True where a stage after the step could be had; a wish to stop is kept for the driver. */
static bool is_found(struct stepper *s, struct part *part, int code)
{
    if (code < 0) {
        (void)corrector_verdict(s, part, 0, code);
        s->stages.stops = part;
    }
    return code == 0;
}

/* What stands at the place s of the last step, in rows and their weights. */
struct mixture {
    int terms;
    unsigned char row[MOST_STAGES + 4];
    double weight[MOST_STAGES + 4];
};

static void add(struct mixture *m, int row, double weight)
{
    m->row[m->terms] = (unsigned char)row;
    m->weight[m->terms++] = weight;
}

static void sum_mixture(const struct stepper *s, const struct part *part, const struct mixture *m,
                        double factor, double *out)
{
    struct row_task const task = {.count = part->shape.count,
                                  .stride = part->shape.count,
                                  .rows = part->history,
                                  .factor = factor,
                                  .terms = m->terms,
                                  .row = m->row,
                                  .weight = m->weight};
    s->equations->kernels->step->sum_rows(&task, out);
}

/* The last coefficient of the dense output in units of the error test, of the worst column; and of the worst at the border of stability, 0: there is none. */
static void size_dense(struct stepper *s, struct part *part)
{
    const struct runge_kutta *const r = table_of(s);
    const struct equations *const q = s->equations;
    struct work *const w = one_step_work(s, part, 0);
    struct mixture m = {.terms = 0};
    double square[MAX_LANES], gap[MAX_LANES], least = 16 * doubtful;
    part->dense_size = part->dense_last = 0;
    if (r->dense_terms == 0) return;
    one_step_weigh(s, part, w);
    for (int j = 0; j < r->dense_terms; j++)
        add(&m, ROW_STAGES + r->dense_stage[j], r->dense[3][j]);
    sum_mixture(s, part, &m, s->last_h, w->r);
    norms_squares(q->norms, part, w->r, w->winv, square);
    part->dense_last = sqrt(square[norms_worst(square, part->shape.columns)] * q->norms->share);
    if (!(part->dense_last > least)) return;
    q->kernels->combine(part->shape.count, 1, one_step_row(part, ROW_END), -1,
                        stage_value(s, part, s->last_h, r->stages - 1, w->y), w->r);
    norms_squares(q->norms, part, w->r, w->winv, gap);
    for (size_t k = 0; k < part->shape.columns; k++)
        if (square[k] > steep * steep * gap[k])
            part->dense_size = fmax(part->dense_size, sqrt(square[k] * q->norms->share));
}

/* Stages after the step, for dense output: first the slope at its end, then, if all are wanted, the others. */
static void find_later_stages(struct stepper *s, struct part *part, bool all)
{
    const struct runge_kutta *const r = table_of(s);
    int const end = r->stages + 1;
    if (!part->knows_end)
        part->knows_end = is_found(s, part, run_stages(s, part, 0, s->last_h, r->stages, end));
    if (!all || !part->knows_end || part->knows_dense) return;
    part->knows_dense = is_found(s, part, run_stages(s, part, 0, s->last_h, end, r->points));
    if (part->knows_dense) size_dense(s, part);
}

/* The same; those of a panel need the state's and their matrices. */
static void find_dense(struct stepper *s, struct part *part, bool all)
{
    const struct runge_kutta *const r = table_of(s);
    const struct part *const state = &s->state;
    find_later_stages(s, &s->state, all || part->kind == PART_TANGENT);
    if (part->kind == PART_STATE || !state->knows_end) return;
    int const points = state->knows_dense ? r->points : r->stages + 1;
    if (!s->stages.knows_dense_matrices)
        s->stages.knows_dense_matrices = is_found(
            s, part, stages_linearise(&s->stages, s->equations->derive, r->stages, points));
    if (s->stages.knows_dense_matrices) find_later_stages(s, part, all && state->knows_dense);
}

/* The slope of a panel at the end of its last step where the state has begun another, which failed: that of the first stage. */
static bool find_end(struct stepper *s, struct part *part)
{
    struct stages *const stages = &s->stages;
    double *const slope_there = one_step_stage(part, table_of(s)->stages);
    int code = stages->has_first ? 0 : stages_linearise(stages, s->equations->derive, 0, 1);
    if (code == 0) code = slope(s, part, 0, 0, one_step_row(part, ROW_END), slope_there);
    return is_found(s, part, code);
}

/* The cubic, or without the slope at the end a parabola. */
static void mix_ends(struct mixture *m, double s, int derivative, double h, int end_stage,
                     bool has_end)
{
    struct cubic c = one_step_cubic(s, derivative);
    if (!has_end)
        c = derivative ? (struct cubic){.end = 2 * s, .first = 1 - 2 * s}
                       : (struct cubic){.end = s * s, .first = s - s * s};
    add(m, ROW_BEGIN, (derivative ? 0 : 1) - c.end);
    add(m, ROW_END, c.end);
    add(m, ROW_STAGES, h * c.first);
    if (has_end) add(m, ROW_STAGES + end_stage, h * c.last);
}

static void mix_dense(struct mixture *m, const struct runge_kutta *r, double s, int derivative,
                      double h)
{
    double const u = 1 - s, bump = s * s * u * u;
    double const v[4] = {1, s, s * u, s * s * u};
    double const v_rate[4] = {0, 1, 1 - 2 * s, s * (2 - 3 * s)};
    double const bump_rate = 2 * s * u * (1 - 2 * s);
    for (int j = 0; j < r->dense_terms; j++) {
        double sum = 0;
        for (int q = 0; q < 4; q++)
            sum +=
                r->dense[q][j] * (derivative ? bump_rate * v[q] + bump * v_rate[q] : bump * v[q]);
        add(m, ROW_STAGES + r->dense_stage[j], h * sum);
    }
}

static void accept(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    one_step_accept(s);
    for (size_t m = 0; d->is_internal && m < s->panels; m++)
        derive_noise_step(d, &s->panel[m].shape, s->end);
}

static void interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out)
{
    const struct runge_kutta *const r = table_of(s);
    size_t const count = part->shape.count;
    double const h = s->last_h;
    double const at = t == s->t ? 1 : 1 + ((t - s->t) - s->t_low) / h;
    if (!part->pending) {
        memcpy(out, derivative ? one_step_stage(part, 0) : one_step_row(part, ROW_BEGIN),
               count * sizeof *out);
        return;
    }
    if (at == 1 && !derivative) {
        memcpy(out, one_step_row(part, ROW_END), count * sizeof *out);
        return;
    }
    if (s->state.pending)
        find_dense(s, part, at != 1);
    else if (!part->knows_end)
        part->knows_end = find_end(s, part);
    struct mixture m = {.terms = 0};
    mix_ends(&m, at, derivative, h, r->stages, part->knows_end);
    if (part->knows_dense && at != 1) mix_dense(&m, r, at, derivative, h);
    if (!part->knows_end || (at != 1 && !part->knows_dense))
        s->stages.is_rough = s->stages.was_rough = true;
    double const bump = at * at * (1 - at) * (1 - at);
    bool const bad = r->dense_terms == 0 /* the cubic is all there is */
                         ? at > 0 && at < 1
                         : bump * part->dense_size > doubtful || bump * part->dense_last > vast;
    if (part->knows_dense && !derivative) {
        s->stages.was_doubtful = s->stages.was_doubtful || bad;
        s->stages.last_term = fmax(s->stages.last_term, bump * part->dense_last);
    }
    sum_mixture(s, part, &m, derivative ? 1 / h : 1, out);
}

#define RUNGE_KUTTA                                                                                \
    .option = TANSY_RK8, .max_order = 7, .lowest_order = 7, .gain = 1,                             \
    .extra_rows = ROW_STAGES + RUNGE_KUTTA_POINTS - 7, .bias = {16, 16, 16}, .first_power = 0.125, \
    .layout = layout, .start = start, .advance = advance, .estimate = estimate, .accept = accept,  \
    .settle = one_step_settle, .interpolate = interpolate

const struct method method_dop853 = {.name = "rk8",
                                     .title = "explicit Runge-Kutta DOP853",
                                     .tableau = &runge_kutta_dop853,
                                     RUNGE_KUTTA};

const struct method method_dopri8 = {.name = "rk8",
                                     .title = "explicit Runge-Kutta 8(7)13 of Prince and Dormand",
                                     .tableau = &runge_kutta_dopri8,
                                     .ends_at_output = true,
                                     RUNGE_KUTTA};
