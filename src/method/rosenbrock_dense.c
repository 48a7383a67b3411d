/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output of Rosenbrock formulas, P(x) = (1 - x) y0 + x (y1 + (1 - x) (K_1 + x K_2 + x^2 K_3)), x = (t - t_n)/h, and its test.
   The embedded error says nothing about P of components that follow others or t at once (algebraic and very stiff ones): the last stages of a
   stiffly accurate formula set them right at the end of the step, however wrong P is inside, where it has the order 3 for them (rodas5p; 2 for
   rodas4).  The error e = y - P of P fulfils B e' = J e + d with the defect d = f(t, P) - B P'/h, so that
     delta = W^-1 d,   W = B/(h gamma) - J,
   is e itself where J e outweighs B e' (-J e = d), and h gamma e' where f is not stiff, which is less than the embedded error.  It is looked
   at in two places, in each of which P is nearly as wrong as anywhere, so that an error cannot vanish in both by chance. */
#include "method/rosenbrock_dense.h"

#include <math.h>
#include <string.h>

void rosenbrock_sum(const struct stepper *s, const struct part *part, const double *base,
                    double factor, int terms, const double *weight, double *out)
{
    static const unsigned char stage[ROSENBROCK_STAGES] = {0, 1, 2, 3, 4, 5, 6, 7};
    one_step_sum(s, part, base, factor, &(struct stage_sum){terms, stage, weight}, out);
}

int rosenbrock_solve(struct stepper *s, struct part *part, size_t worker, double *r)
{
    struct solve_task const task = {.worker = worker, .c = s->c};
    part->counts.solves += part->shape.columns;
    return equations_solve(s->equations, part, &task, r);
}

/* factor times the value or the derivative by x at the place x; the latter from y1 - y0 = sum m_i u_i, which loses no digits in short
   steps. */
static void at_place(const struct stepper *s, const struct part *part, double x, int derivative,
                     double factor, double *out)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    double weight[ROSENBROCK_STAGES + 2];
    unsigned char row[ROSENBROCK_STAGES + 2] = {ROW_BEGIN, ROW_END};
    double const u = 1 - x;
    weight[0] = derivative ? 0 : u;
    weight[1] = derivative ? 0 : x;
    for (int i = 0; i < r->stages; i++) {
        double sum = 0, slope = 0;
        for (int q = r->dense_rows - 1; q >= 0; q--) {
            slope = slope * x + sum;
            sum = sum * x + r->dense[q][i];
        }
        row[i + 2] = (unsigned char)(ROW_STAGES + i);
        weight[i + 2] = derivative ? r->m[i] + (u - x) * sum + x * u * slope : x * u * sum;
    }
    struct row_task const task = {.count = part->shape.count,
                                  .stride = part->shape.count,
                                  .rows = part->history,
                                  .factor = factor,
                                  .terms = r->stages + 2,
                                  .row = row,
                                  .weight = weight};
    s->equations->kernels->step->sum_rows(&task, out);
}

void rosenbrock_slope_at_end(const struct stepper *s, const struct part *part, double *out)
{
    at_place(s, part, 1, 1, 1 / s->last_h, out);
}

void rosenbrock_interpolate(struct stepper *s, struct part *part, double t, int derivative,
                            double *out)
{
    size_t const bytes = part->shape.count * sizeof *out;
    double const x = t == s->t ? 1 : 1 + ((t - s->t) - s->t_low) / s->last_h;
    if (!part->pending)
        memcpy(out, derivative ? rosenbrock_slope(part) : one_step_row(part, ROW_BEGIN), bytes);
    else if (x == 1 && !derivative)
        memcpy(out, one_step_row(part, ROW_END), bytes);
    else
        at_place(s, part, x, derivative, derivative ? 1 / s->last_h : 1, out);
    bool const within = part->pending && x > 0 && x < 1;
    if (within && !derivative && s->method->ends_at_output) s->stages.was_doubtful = true;
}

/* The defect of the state in place k, into out; the point is kept behind the stages. */
static int state_defect(struct stepper *s, int k, double *out)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    struct equations *const q = s->equations;
    struct stages *const stages = &s->stages;
    const struct part *const part = &s->state;
    int const i = r->stages + k;
    size_t const from = (size_t)i * stages->stride, count = part->shape.count;
    double *const y = stages->y + from, *const f = stages->slope + from;
    double *const rate = stages->rate ? stages->rate + from : s->state_work.d0;
    stages->t[i] = s->t + (r->look[k] * s->h + s->t_low);
    stages->at[i] = y;
    stages->f[i] = f;
    at_place(s, part, r->look[k], 0, 1, y);
    at_place(s, part, r->look[k], 1, s->reciprocal, rate);
    struct point const at = {.t = stages->t[i], .y = y, .yp = rate};
    int const code =
        stages->rate ? derive_value(q->derive, 0, &at, f) : derive_rhs(q->derive, 0, at.t, y, f);
    q->kernels->combine(count, 1, f, stages->rate ? 0 : -1, rate, out);
    return code;
}

/* The same of a panel. */
static int panel_defect(struct stepper *s, struct part *part, size_t worker, int k, double *out)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    struct equations *const q = s->equations;
    struct work *const w = &s->panel_work[worker];
    double *const rate = s->stages.rate ? w->yp : w->d0;
    struct point const at = stages_point(&s->stages, r->stages + k);
    at_place(s, part, r->look[k], 0, 1, w->y);
    at_place(s, part, r->look[k], 1, s->reciprocal, rate);
    int const code = q->derive->tangent(q->derive, worker, &at, &part->shape, w->y, w->yp, out);
    if (!s->stages.rate) q->kernels->combine(part->shape.count, 1, out, -1, rate, out);
    return code;
}

/* Columns that no test is made of are not looked at; nor is a step that the state makes in steps of its own, which end where output is
   wanted. */
static bool looks(const struct stepper *s, const struct part *part)
{
    if (part->kind != PART_STATE) return s->stages.looks > 0 && s->control != TANSY_STATE_ONLY;
    return s->wants_inside && !s->method->ends_at_output && s->stages.substeps <= 1;
}

int rosenbrock_look(struct stepper *s, struct part *part, size_t worker)
{
    const struct norms *const norms = s->equations->norms;
    struct work *const w = one_step_work(s, part, worker);
    bool const is_state = part->kind == PART_STATE;
    part->knows_inside = false;
    if (is_state) s->stages.looks = 0;
    if (!looks(s, part)) return 0;
    const double *const winv = norms_weigh_tests(norms, part, w);
    for (size_t j = 0; j < part->shape.columns; j++) part->inside[j] = 0;
    for (int k = 0; k < ROSENBROCK_LOOKS; k++) {
        double square[MAX_LANES];
        int code = is_state ? state_defect(s, k, w->r) : panel_defect(s, part, worker, k, w->r);
        if (code == 0) code = rosenbrock_solve(s, part, worker, w->r);
        if (code != 0) return code;
        norms_squares(norms, part, w->r, winv, square);
        for (size_t j = 0; j < part->shape.columns; j++)
            if (part->inside[j] <= square[j] || isnan(square[j])) part->inside[j] = square[j];
    }
    if (is_state) s->stages.looks = ROSENBROCK_LOOKS;
    part->knows_inside = true;
    return 0;
}

/* M gap. */
static void multiply_mass(const struct matrix *M, size_t n, size_t lanes, const double *gap,
                          double *out)
{
    for (size_t i = 0; i < n; i++) {
        struct matrix_row const row = matrix_row(M, i);
        for (size_t k = 0; k < lanes; k++) {
            double sum = 0;
            for (size_t e = 0; e < row.count; e++)
                sum += row.value[e] * gap[matrix_row_column(&row, e) * lanes + k];
            out[i * lanes + k] = sum;
        }
    }
}

/* How far the polynomial is from a transient that the step passes over, or from y itself: with gap = y'(0) - P'(0),
     delta = W^-1 M gap,
   h gamma gap where f is not stiff, the size of the transient where it is: the end of such a step is right, and its inside is not.
   Only h gamma |gap|/|delta| times shorter steps see it.  Into w->r, and gap into w->d0. */
static bool measure_gap(struct stepper *s, struct part *part, size_t worker, struct work *w)
{
    const struct rosenbrock *const r = rosenbrock_table(s);
    struct equations *const q = s->equations;
    size_t const count = part->shape.count;
    double weight[ROSENBROCK_STAGES], *const gap = w->d0;
    for (int i = 0; i < r->stages; i++) weight[i] = r->m[i] + r->dense[0][i];
    rosenbrock_sum(s, part, NULL, s->reciprocal, r->stages, weight, gap);
    q->kernels->combine(count, 1, rosenbrock_slope(part), -1, gap, gap);
    memcpy(w->r, gap, count * sizeof *gap);
    if (s->stages.rate) multiply_mass(q->derive->M, q->derive->n, part->shape.lanes, gap, w->r);
    return rosenbrock_solve(s, part, worker, w->r) == 0;
}

/* A transient that the first step of a piece passes over makes it fail; later steps begin without one. */
static void judge_gap(struct stepper *s, struct part *part, size_t worker, const double *winv,
                      struct estimates *out)
{
    static const double allowed = 10; /* times the error of the end */
    const struct norms *const norms = s->equations->norms;
    struct work *const w = one_step_work(s, part, worker);
    double square[MAX_LANES], gap[MAX_LANES];
    if (!measure_gap(s, part, worker, w)) return;
    norms_squares(norms, part, w->r, winv, square);
    norms_squares(norms, part, w->d0, winv, gap);
    size_t const worst = norms_worst(square, part->shape.columns);
    double const error = sqrt(square[worst] * norms->share) / allowed;
    if (!(error > 1)) return;
    double const stiff = fabs(s->h) * rosenbrock_table(s)->gamma * sqrt(gap[worst] / square[worst]);
    struct candidate *const c = &out->candidate[SAME];
    out->column = error > c->error ? worst : out->column;
    c->error = fmax(c->error, error * pow(fmax(stiff, 1), s->order + 1));
    out->square_sum[SAME] = fmax(out->square_sum[SAME], c->error * c->error);
}

/* What the look has found, as an error of the step; it falls by one order less than that of the end. */
static void judge_look(const struct stepper *s, const struct part *part, struct estimates *out)
{
    double const share = s->equations->norms->share;
    size_t const worst = norms_worst(part->inside, part->shape.columns);
    double const error = sqrt(part->inside[worst] * share);
    struct candidate *const c = &out->candidate[SAME];
    double sum = 0;
    for (size_t k = 0; k < part->shape.columns; k++) sum += part->inside[k];
    out->square_sum[SAME] = fmax(out->square_sum[SAME], sum * share);
    if (error <= c->error) return;
    out->column = worst;
    c->error = error;
    c->limit = s->order - 1;
}

void rosenbrock_judge(struct stepper *s, struct part *part, size_t worker, const double *winv,
                      struct estimates *out)
{
    if (part->knows_inside) judge_look(s, part, out);
    if (s->wants_inside && !s->begun && !s->method->ends_at_output)
        judge_gap(s, part, worker, winv, out);
}
