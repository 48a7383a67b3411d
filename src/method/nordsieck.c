/* SPDX-License-Identifier: Apache-2.0 */
/* Adams and BDF on Nordsieck arrays with fixed coefficients (LSODE, ODESSA): prediction by Pascal's triangle
   (4.2), correction z <- P z + l e (4.3), a change of h by powers of the ratio, of the order by a row. */
#include "method/nordsieck.h"

#include <math.h>

#include "method/corrector.h"

static double *row(const struct part *part, int j)
{
    return part->history + (size_t)j * part->shape.count;
}

static const struct kernels *kernels_of(const struct stepper *s)
{
    return s->equations->kernels;
}

/* scale[j] = ratio^j. */
static void powers(double ratio, int order, double *scale)
{
    scale[0] = 1;
    for (int j = 1; j <= order; j++) scale[j] = scale[j - 1] * ratio;
}

/* Applies what is pending, moves to order and h of the step at work, predicts if y0 is not NULL. */
static void bring(struct stepper *s, struct part *part, double *y0, double *d0)
{
    const struct formula *const old = &s->method->formula[part->order];
    double *const last = part->e[!part->now];
    double scale[HISTORY_ROWS];
    struct history_task task = {.z = part->history,
                                .stride = part->shape.count,
                                .count = part->shape.count,
                                .order = part->order,
                                .new_order = s->order,
                                .l = old->l,
                                .e = part->pending ? last : NULL,
                                .y0 = y0,
                                .d0 = d0};
    if (s->order > part->order) {
        double const grow = old->l[part->order] / s->order;
        if (part->pending)
            task.grow = grow;
        else {
            kernels_of(s)->combine(part->shape.count, grow, last, 0, last, row(part, s->order));
            task.order = s->order;
        }
    }
    if (s->h != part->h) {
        powers(s->h / part->h, s->order, scale);
        task.scale = scale;
    }
    kernels_of(s)->history(&task);
    part->order = s->order;
    part->h = s->h;
    part->pending = false;
}

void nordsieck_predict(struct stepper *s, struct part *part, struct work *w)
{
    bring(s, part, w->y0, w->d0);
    norms_weigh(s->equations->norms, part, part->history, w->winv);
}

static size_t rows(int max_order)
{
    return (size_t)max_order + 1;
}

static void start(struct stepper *s, struct part *part, const double *y, const double *yp)
{
    const struct kernels *const k = kernels_of(s);
    size_t const count = part->shape.count;
    k->combine(count, 1, y, 0, y, row(part, 0));
    k->combine(count, s->h, yp, 0, yp, row(part, 1));
    part->order = 1;
    part->h = s->h;
    part->pending = false;
    part->rate = 1;
}

/* The state comes first and sets the leading coefficient for all. */
static void predict_state(struct stepper *s)
{
    s->c = 1 / (s->h * s->method->formula[s->order].l0);
    nordsieck_predict(s, &s->state, &s->state_work);
}

static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    if (part->kind == PART_STATE) {
        predict_state(s);
        return corrector_state(s);
    }
    struct work *const w = &s->panel_work[worker];
    nordsieck_predict(s, part, w);
    return s->corrector->panel(s, part, w, worker);
}

static enum verdict advance_together(struct stepper *s)
{
    predict_state(s);
    return corrector_together(s);
}

/* One candidate from the squares of the columns' norms and the error constant. */
static void offer(const struct stepper *s, const struct part *part, const double *square, int slot,
                  struct estimates *out)
{
    static const double bias[CANDIDATES] = {15, 15, 20};
    const struct formula *const formula = &s->method->formula[s->order];
    double const constant = slot == LOWER ? formula->down : slot == SAME ? formula->same : formula->up;
    double const share = s->equations->norms->share;
    size_t worst = 0;
    double sum = square[0];
    for (size_t k = 1; k < part->shape.columns; k++) {
        if (!(square[k] <= square[worst])) worst = k;
        sum += square[k];
    }
    if (slot == SAME) out->column = worst;
    out->square_sum[slot] = sum * share * constant * constant;
    out->candidate[slot] = (struct candidate){.order = s->order + slot - SAME,
                                              .error = sqrt(square[worst] * share) * constant,
                                              .cost = 1,
                                              .bias = bias[slot]};
}

static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    const struct kernels *const k = kernels_of(s);
    struct work *const w =
        part->kind == PART_STATE ? &s->state_work : &s->panel_work[worker];
    const double *const e = part->e[part->now];
    size_t const count = part->shape.count;
    const struct norms *const norms = s->equations->norms;
    double square[MAX_LANES];
    if (s->corrector->together && part->kind == PART_TANGENT) /* w served other panels since */
        norms_weigh(norms, part, part->history, w->winv);
    out->candidate[LOWER].order = out->candidate[HIGHER].order = 0;
    if (!part->squares_known) norms_squares(norms, part, e, w->winv, part->squares);
    offer(s, part, part->squares, SAME, out);
    bool const failed = !(out->candidate[SAME].error <= 1);
    if (s->order > 1 && (s->other_orders || failed)) {
        double const l = failed ? 0 : s->method->formula[s->order].l[s->order];
        k->combine(count, 1, row(part, s->order), l, e, w->r);
        norms_squares(norms, part, w->r, w->winv, square);
        offer(s, part, square, LOWER, out);
    }
    if (s->order < s->max_order && s->other_orders) {
        k->combine(count, 1, e, -1, part->e[!part->now], w->r);
        norms_squares(norms, part, w->r, w->winv, square);
        offer(s, part, square, HIGHER, out);
    }
}

static void accept(struct part *part)
{
    part->now = !part->now;
    part->pending = true;
}

static void settle(struct stepper *s, struct part *part)
{
    if (part->pending || part->order != s->order || part->h != s->h) bring(s, part, NULL, NULL);
}

/* Adds the last correction but keeps order and h: the polynomial of the last step. */
static void correct(struct stepper *s, struct part *part)
{
    if (!part->pending) return;
    struct history_task const task = {.z = part->history,
                                      .stride = part->shape.count,
                                      .count = part->shape.count,
                                      .order = part->order,
                                      .new_order = part->order,
                                      .l = s->method->formula[part->order].l,
                                      .e = part->e[!part->now]};
    kernels_of(s)->history(&task);
    part->pending = false;
}

/* sum_j z_j x^j, x = (t - t_n)/h, by Horner's rule; the derivative is sum_j j z_j x^(j-1)/h. */
static void interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out)
{
    const struct kernels *const k = kernels_of(s);
    size_t const count = part->shape.count;
    correct(s, part);
    double const x = (t - s->t) / part->h;
    int const q = part->order;
    double const top = derivative ? q / part->h : 1;
    k->combine(count, top, row(part, q), 0, row(part, q), out);
    for (int j = q - 1; j >= derivative; j--)
        k->combine(count, x, out, derivative ? j / part->h : 1, row(part, j), out);
}

#define NORDSIECK                                                                                  \
    .dead_band = 1.1, .patience = 1, .rows = rows, .start = start, .advance = advance,             \
    .advance_together = advance_together, .estimate = estimate, .accept = accept,                  \
    .settle = settle, .interpolate = interpolate

const struct method method_adams = {.name = "adams",
                                    .title = "implicit Adams formulas",
                                    .formula = formula_adams,
                                    .max_order = ADAMS_ORDERS,
                                    NORDSIECK};

const struct method method_bdf = {.name = "bdf",
                                  .title = "backward differentiation formulas",
                                  .formula = formula_bdf,
                                  .max_order = BDF_ORDERS,
                                  NORDSIECK};

const struct method *const method_tables[] = {&method_adams, &method_bdf, NULL};
