/* SPDX-License-Identifier: Apache-2.0 */
/* Rosenbrock methods for B y' = f(t, y, p), B constant, with exact tangents: the stage equation (rosenbrock.h) differentiated,
     W u_i' = J(t_i, Y_i) V_i + f_p(t_i, Y_i) U + B sum_j (c_ij/h) u_j'
              + d/dy(J u_i + h d_i f_t) S + d/dp(J u_i + h d_i f_t) U + (B_p U)(sum_j (c_ij/h) u_j - u_i/(h gamma)),
   V_i = S + sum_j a_ij u_j', W = B/(h gamma) - J.  Without the terms of the second line (Franz and Kiehl 2.5) S is that of a method
   with an inexact Jacobian and loses order. */
#include "method/rosenbrock_dense.h"

#include <string.h>

static void layout(struct stepper *s, struct arena *arena, struct derive *derive)
{
    int const points = rosenbrock_table(s)->stages + rosenbrock_looks(s);
    stages_layout(&s->stages, arena, derive, (size_t)points, true);
}

static void start(struct stepper *s, struct part *part, const double *y, const double *yp)
{
    size_t const bytes = part->shape.count * sizeof *y;
    memcpy(one_step_row(part, ROW_BEGIN), y, bytes);
    memcpy(rosenbrock_slope(part), yp, bytes);
    part->pending = false;
    part->order = s->order;
    if (part->kind != PART_STATE) return;
    s->begun = false;
    s->stages.has_first = s->stages.has_value = false;
}

static void take_over(struct stepper *s, struct part *part)
{
    if (!part->pending) return;
    size_t const count = part->shape.count;
    rosenbrock_slope_at_end(s, part, rosenbrock_slope(part));
    memcpy(one_step_row(part, ROW_BEGIN), one_step_row(part, ROW_END), count * sizeof(double));
    part->pending = false;
    if (part->kind == PART_STATE) s->stages.has_first = s->stages.has_value = false;
}

static void place_stages(struct stepper *s)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    for (int i = 0; i < r->stages; i++) {
        s->stages.t[i] = r->alpha[i] == 1 ? s->end : s->t + (r->alpha[i] * s->h + s->t_low);
        s->stages.f[i] = s->stages.slope + (size_t)i * s->stages.stride;
    }
    s->stages.at[0] = one_step_row(&s->state, ROW_BEGIN);
}

/* f, f_t and J at the beginning of the step, and the factors of W. */
static int prepare_matrix(struct stepper *s)
{
    struct equations *const q = s->equations;
    struct derive *const d = q->derive;
    struct stages *const stages = &s->stages;
    struct point const at = stages_point(stages, 0);
    int code = 0;
    if (!stages->has_value) {
        if (stages->rate) memset(stages->rate, 0, stages->stride * sizeof *stages->rate);
        bool const needed = !stages->rate || derive_matrices_need_value(d);
        if (needed) code = derive_value(d, 0, &at, stages->slope);
        struct point known = at;
        if (!needed) known.f = NULL;
        if (code == 0) code = derive_time(d, 0, &known, s->h, stages->time_slope);
        if (code == 0) code = d->jacobian(d, &at);
        if (code != 0) return code;
        equations_set_units(q, at.y);
        stages->has_value = true;
        q->c = 0;
    }
    s->c = 1 / (s->h * rosenbrock_table(s)->gamma);
    return q->c == s->c ? 0 : equations_factor_again(q, s->c);
}

/* out = sum_j (c_ij/h) u_j times factor; nothing for the first stage. */
static void couple(const struct stepper *s, const struct part *part, int i, double factor,
                   double *out)
{
    if (i == 0)
        memset(out, 0, part->shape.count * sizeof *out);
    else
        rosenbrock_sum(s, part, NULL, factor * s->reciprocal, i, rosenbrock_table(s)->c[i], out);
}

/* The right-hand side of stage i without df/dt: f(Y_i) + B sum_j (c_ij/h) u_j, which is the residual at y' = -sum_j (c_ij/h) u_j. */
static int state_value(struct stepper *s, int i, double *r)
{
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    bool const again = i > 0 && i == rosenbrock_table(s)->reuses;
    double *const f = stages->slope + (size_t)i * stages->stride;
    int code = 0;
    if (stages->rate) {
        double *const rate = stages->rate + (size_t)i * stages->stride;
        couple(s, part, i, -1, rate);
        struct point const at = {.t = stages->t[i], .y = stages->at[i], .yp = rate};
        return derive_value(q->derive, 0, &at, r);
    }
    if (again)
        memcpy(f, stages->f[i - 1], part->shape.count * sizeof *f);
    else if (i > 0)
        code = derive_rhs(q->derive, 0, stages->t[i], stages->at[i], f);
    couple(s, part, i, 1, r);
    q->kernels->combine(part->shape.count, 1, f, 1, r, r);
    return code;
}

/* What the algebraic equations have left at the beginning of the step, of the state or of a panel; stage 0 finds it, the others get
   theta_i of it (rosenbrock.h). */
static void add_rest(const struct stepper *s, const struct part *part, int i, double *rest,
                     double *r)
{
    const struct rosenbrock *const table = rosenbrock_table(s);
    size_t const count = part->shape.count, lanes = part->shape.lanes;
    if (!table->theta || !s->stages.rate) return;
    if (i > 0) {
        s->equations->kernels->combine(count, 1, r, table->theta[i], rest, r);
        return;
    }
    memset(rest, 0, count * sizeof *rest);
    for (size_t row = 0; row < s->equations->derive->n; row++)
        for (size_t k = 0; k < lanes && s->stages.flat[row]; k++)
            rest[row * lanes + k] = r[row * lanes + k];
}

static int state_stage(struct stepper *s, int i)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    struct part *const part = &s->state;
    size_t const count = part->shape.count;
    double *const y = stages->y + (size_t)i * stages->stride, *const u = one_step_stage(part, i);
    if (i > 0 && i == r->reuses)
        stages->at[i] = stages->at[i - 1];
    else if (i > 0) {
        rosenbrock_sum(s, part, one_step_value(part), 1, i, r->a[i], y);
        corrector_lift(s, y);
        stages->at[i] = y;
    }
    int code = state_value(s, i, u);
    if (code != 0) return code;
    add_rest(s, part, i, stages->rest, u);
    if (!q->derive->problem->autonomous)
        q->kernels->combine(count, 1, u, s->h * r->d[i], stages->time_slope, u);
    code = rosenbrock_solve(s, part, 0, u);
    if (!stages->rate || code != 0) return code;
    double *const rate = stages->rate + (size_t)i * stages->stride;
    q->kernels->combine(count, 1, rate, s->c, u, rate); /* for B_p in the panels */
    return s->panels > 0 ? stages_value(stages, q->derive, 0, i) : 0;
}

/* The terms with second derivatives, added to r. */
static int add_second(struct stepper *s, struct part *part, size_t worker, int i, double *r)
{
    struct equations *const q = s->equations;
    struct derive *const d = q->derive;
    struct work *const w = &s->panel_work[worker];
    struct point at = stages_point(&s->stages, 0);
    at.f = NULL;
    struct motion const along = {
        .v = one_step_stage(&s->state, i), .tau = s->h * rosenbrock_table(s)->d[i], .span = s->h};
    int const code =
        derive_second(d, worker, &at, &along, &part->shape, one_step_row(part, ROW_BEGIN), w->r);
    if (code != 0) return code;
    q->kernels->combine(part->shape.count, 1, r, 1, w->r, r);
    return 0;
}

/* J(Y_i) V_i + f_p U + B sum_j (c_ij/h) u_j' and, where B depends on p, (B_p U)(...): the tangent of the residual. */
static int panel_value(struct stepper *s, struct part *part, size_t worker, int i, double *r)
{
    struct equations *const q = s->equations;
    struct work *const w = &s->panel_work[worker];
    const struct rosenbrock *const table = rosenbrock_table(s);
    bool const implicit = s->stages.rate != NULL, again = i > 0 && i == table->reuses && !implicit;
    size_t const count = part->shape.count;
    struct point const at = stages_point(&s->stages, i);
    const double *V = one_step_row(part, ROW_BEGIN);
    if (i > 0 && !again) {
        rosenbrock_sum(s, part, one_step_value(part), 1, i, table->a[i], w->y);
        V = w->y;
    }
    if (implicit) couple(s, part, i, -1, w->yp);
    int code = 0;
    if (again)
        memcpy(r, w->d0, count * sizeof *r);
    else
        code = q->derive->tangent(q->derive, worker, &at, &part->shape, V, w->yp, r);
    if (code != 0 || implicit) return code;
    if (i + 1 == table->reuses) memcpy(w->d0, r, count * sizeof *r);
    if (i == 0) return 0;
    couple(s, part, i, 1, w->r);
    q->kernels->combine(count, 1, r, 1, w->r, r);
    return 0;
}

static int panel_stage(struct stepper *s, struct part *part, size_t worker, int i)
{
    double *const u = one_step_stage(part, i);
    int code = panel_value(s, part, worker, i, u);
    if (code == 0) add_rest(s, part, i, s->panel_work[worker].d0, u);
    if (code == 0 && s->stages.has_second) code = add_second(s, part, worker, i, u);
    return code != 0 ? code : rosenbrock_solve(s, part, worker, u);
}

static void finish(struct stepper *s, struct part *part, struct work *w)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    double *const end = one_step_row(part, ROW_END);
    rosenbrock_sum(s, part, one_step_value(part), 1, r->stages, r->m, end);
    rosenbrock_sum(s, part, NULL, 1, r->stages, r->e, part->e[0]);
    if (part->kind == PART_STATE) memcpy(w->y, end, part->shape.count * sizeof *end);
    part->now = 0;
    one_step_weigh(s, part, w);
}

static int run_state(struct stepper *s)
{
    place_stages(s);
    int code = prepare_matrix(s);
    struct derive *const d = s->equations->derive;
    bool const bends = d->is_internal && s->stages.has_second;
    d->internal.bend = 0;
    for (int i = 0; i < rosenbrock_table(s)->stages && code == 0; i++) {
        code = state_stage(s, i);
        if (bends) derive_noise_bend(d, s->stages.at[0], one_step_stage(&s->state, i));
    }
    return code;
}

/* A step of the state alone. */
static int substep(struct stepper *s, bool first)
{
    (void)first;
    one_step_begin(s);
    s->stages.has_value = false;
    int const code = run_state(s);
    if (code == 0) finish(s, &s->state, &s->state_work);
    return code;
}

static int advance_state(struct stepper *s)
{
    one_step_begin(s);
    if (s->stages.rate) s->stages.has_first = false; /* its df/dp has B_p u/h in it */
    s->equations->derive->internal.h = s->h;
    s->equations->derive->internal.kind = s->stages.has_algebraic ? s->stages.kind : NULL;
    if (s->stages.substeps > 1) {
        int const code = one_step_refine(s, substep);
        s->stages.has_value = false;
        if (code != 0) return code;
    }
    return run_state(s);
}

/* What rounding of f adds to internal differences: W^-1 times the noise of f. */
static int measure_noise(struct stepper *s, struct part *part, size_t worker)
{
    struct derive *const d = s->equations->derive;
    struct work *const w = &s->panel_work[worker];
    if (!derive_noise_is_due(d, &part->shape)) return 0;
    struct point const at = stages_point(&s->stages, 0);
    s->equations->kernels->combine(part->shape.count, 1, one_step_value(part), s->h,
                                   rosenbrock_slope(part), w->y);
    int code = derive_noise(d, worker, &at, &part->shape, w->y, w->r);
    if (code == 0) code = rosenbrock_solve(s, part, worker, w->r);
    struct noise_weights const weights = {w->winv, s->equations->norms->stricter};
    if (code == 0) derive_noise_note(d, &part->shape, s->h, w->r, &weights, s->stages.kind);
    one_step_begin_panel(s, part, w);
    return code < 0 ? code : 0; /* not measured where f cannot be evaluated */
}

static int advance_panel(struct stepper *s, struct part *part, size_t worker)
{
    one_step_begin_panel(s, part, one_step_work(s, part, worker));
    int code = measure_noise(s, part, worker);
    for (int i = 0; i < rosenbrock_table(s)->stages && code == 0; i++)
        code = panel_stage(s, part, worker, i);
    return code;
}

static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    bool const is_state = part->kind == PART_STATE;
    take_over(s, part);
    int const code = is_state ? advance_state(s) : advance_panel(s, part, worker);
    if (code != 0) return corrector_verdict(s, part, worker, code);
    finish(s, part, one_step_work(s, part, worker));
    if (is_state) one_step_take_refined(s);
    return corrector_verdict(s, part, worker, rosenbrock_look(s, part, worker));
}

static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    const struct norms *const norms = s->equations->norms;
    const double *const winv = norms_weigh_tests(norms, part, one_step_work(s, part, worker));
    norms_squares(norms, part, part->e[0], winv, part->squares);
    one_step_offer(s, part, part->squares, out);
    rosenbrock_judge(s, part, worker, winv, out);
}

static void accept(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    one_step_accept(s);
    for (size_t m = 0; d->is_internal && m < s->panels; m++)
        derive_noise_step(d, &s->panel[m].shape, s->end);
}

#define ROSENBROCK                                                                                 \
    .name = "rosenbrock", .option = TANSY_ROSENBROCK, .gain = 1, .layout = layout, .start = start, \
    .advance = advance, .estimate = estimate, .accept = accept, .settle = one_step_settle,         \
    .interpolate = rosenbrock_interpolate, .bias = {2, 2, 2}
#define ORDER(q, power)                                                                            \
    .max_order = q, .lowest_order = q, .first_power = power,                                       \
    .extra_rows = ROW_STAGES + ROSENBROCK_STAGES + 1 - (q)

const struct method method_rodas5p = {.title = "Rosenbrock RODAS5P, order 5",
                                      .matrices = &rosenbrock_rodas5p,
                                      ORDER(4, 0.2),
                                      ROSENBROCK};
const struct method method_rodas4 = {.title = "Rosenbrock RODAS4, order 4",
                                     .matrices = &rosenbrock_rodas4,
                                     ORDER(3, 0.25),
                                     ROSENBROCK};
const struct method method_grk4a = {.title = "Rosenbrock GRK4A of Kaps and Rentrop, order 4",
                                    .matrices = &rosenbrock_grk4a,
                                    .ends_at_output = true,
                                    ORDER(3, 0.25),
                                    ROSENBROCK};
const struct method method_grk4t = {.title = "Rosenbrock GRK4T of Kaps and Rentrop, order 4",
                                    .matrices = &rosenbrock_grk4t,
                                    .ends_at_output = true,
                                    ORDER(3, 0.25),
                                    ROSENBROCK};
