/* SPDX-License-Identifier: Apache-2.0 */
/* Adams and BDF on Nordsieck arrays (ODESSA) with coefficients of variable step (Byrne and Hindmarsh):
   prediction by Pascal's triangle (4.2), correction z <- P z + l e (4.3), a change of h by powers of the ratio,
   of the order so that the polynomial keeps its values (BDF) or derivatives (Adams) at the past points. */
#include "method/nordsieck.h"

#include <assert.h>
#include <math.h>

#include "method/corrector.h"

/* What a row of history adds to the cost of a step; also leans towards the lower, more stable of two orders. */
static const double row_cost = 0.03;

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

/* Adds the last correction; keeps order and h. */
static void correct(struct stepper *s, struct part *part)
{
    struct history_task const task = {.z = part->history,
                                      .stride = part->shape.count,
                                      .count = part->shape.count,
                                      .order = part->order,
                                      .new_order = part->order,
                                      .l = s->last.l,
                                      .e = part->e[!part->now]};
    kernels_of(s)->step->history(&task);
    part->pending = false;
}

static void lower(struct stepper *s, struct part *part)
{
    const struct kernels *const k = kernels_of(s);
    size_t const count = part->shape.count;
    int const q = part->order;
    if (part->pending) correct(s, part);
    if (s->order == q - 1)
        for (int j = 1; j < q; j++)
            k->combine(count, 1, row(part, j), -s->lower[j], row(part, q), row(part, j));
    part->order = s->order;
}

/* Applies what is pending, moves to order and h of the step at work, predicts into w unless that is NULL. */
static void bring(struct stepper *s, struct part *part, const struct work *w)
{
    double scale[HISTORY_ROWS];
    if (s->order < part->order) lower(s, part);
    bool const raising = s->order > part->order;
    assert(!raising || part->pending); /* only an accepted step raises the order */
    struct history_task task = {.z = part->history,
                                .stride = part->shape.count,
                                .count = part->shape.count,
                                .order = part->order,
                                .new_order = s->order,
                                .l = raising ? s->raise : s->last.l,
                                .e = part->pending ? part->e[!part->now] : NULL,
                                .y0 = w ? w->y0 : NULL,
                                .d0 = w ? w->d0 : NULL};
    if (raising) task.grow = s->raise[s->order];
    if (s->h != part->h) {
        powers(s->h / part->h, s->order, scale);
        task.scale = scale;
    }
    if (task.e || task.scale || w) kernels_of(s)->step->history(&task);
    part->order = s->order;
    part->h = s->h;
    part->pending = false;
}

/* xi[i] for `first` <= i <= last: past points in units of h, when xi[first - 1] is known. */
static void find_points(const struct stepper *s, double reciprocal, int first, int last, double *xi)
{
    double sum = xi[first - 1];
    for (int i = first; i <= last; i++) {
        sum += s->past[i - first + 1] * reciprocal;
        xi[i] = sum;
    }
}

/* What parts need to change their order: past points seen from the end of the last step in units of the h
   that the state, and so every part, is scaled to. */
static void prepare_change(struct stepper *s)
{
    int const q = s->state.order;
    double xi[PAST_POINTS];
    if (s->order == q || s->order < q - 1) return;
    xi[0] = 0;
    find_points(s, 1 / s->state.h, 1, q + 1, xi);
    if (s->order > q)
        s->method->family->raise(q, xi, s->last.l0, s->raise);
    else
        s->method->family->lower(q, xi, s->lower);
}

/* The formula of the step at work: that of the last step when all the steps it sees are equal. */
static void find_formula(struct stepper *s)
{
    int const sees = s->order + 2;
    s->reciprocal = 1 / s->h;
    s->end = s->t + (s->h + s->t_low);
    if (s->equal >= sees && s->order == s->last_order && s->h == s->last_h)
        s->formula = s->last;
    else {
        if (!s->begun)
            for (int i = 1; i < PAST_POINTS; i++) s->past[i] = s->h;
        s->xi[1] = 1;
        find_points(s, s->reciprocal, 2, sees, s->xi);
        s->method->family->fill(s->order, s->xi, &s->formula);
    }
    s->gamma = s->h * s->formula.l0;
    s->c = 1 / s->gamma;
}

void nordsieck_predict(struct stepper *s, struct part *part, struct work *w)
{
    bring(s, part, w);
    norms_weigh(s->equations->norms, part, part->history, w->winv);
}

/* The state comes first and finds the formula for all. */
static void predict_state(struct stepper *s)
{
    prepare_change(s);
    find_formula(s);
    nordsieck_predict(s, &s->state, &s->state_work);
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
    part->made = part->wary = 0;
    part->single = 0;
    if (part->kind != PART_STATE) return;
    s->begun = false;
    s->equal = 0; /* steps before this start */
    s->failures = s->distrust = 0;
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
static void offer(const struct stepper *s, const struct part *part, const double *square,
                  double constant, int slot, struct estimates *out)
{
    double const careful =
        s->equations->exact_c ? 2 : 1; /* of index 2: errors of constraints stay */
    double const share = s->equations->norms->share;
    size_t const worst = norms_worst(square, part->shape.columns);
    if (slot == SAME) out->column = worst;
    if (s->control == TANSY_ALL_AS_ONE) {
        double sum = 0;
        for (size_t k = 0; k < part->shape.columns; k++) sum += square[k];
        out->square_sum[slot] = sum * share * constant * constant;
    }
    out->candidate[slot] = (struct candidate){.order = s->order + slot - SAME,
                                              .error = sqrt(square[worst] * share) * constant,
                                              .cost = 1 + row_cost * (s->order + slot - SAME),
                                              .bias = careful * s->method->bias[slot]};
}

/* The orders below and above.  A failed step looks at the history as it was. */
static void estimate_others(struct stepper *s, struct part *part, const double *winv, double *room,
                            bool failed, struct estimates *out)
{
    double lower[MAX_LANES], higher[MAX_LANES];
    bool const up = !failed && s->order < s->max_order && s->last_order == s->order && s->begun;
    struct order_task const task = {
        .count = part->shape.count,
        .lanes = part->shape.lanes,
        .x = row(part, s->order),
        .y = part->e[part->now],
        .z = part->e[!part->now],
        .winv = winv,
        .a = failed ? 0 : s->formula.l[s->order],
        .b = up ? -formula_before(&s->formula, &s->last, s->order, s->h / s->last_h) : 0};
    norms_orders(s->equations->norms, part, &task, room, lower, higher);
    if (s->order > 1) {
        bool const alone = failed && part->kind == PART_TANGENT; /* the state did not look */
        double const down =
            alone || part->kind == PART_STATE ? s->method->family->down(s->order, s->xi) : s->down;
        if (part->kind == PART_STATE) s->down = down;
        offer(s, part, lower, down, LOWER, out);
    }
    if (up) offer(s, part, higher, s->formula.up, HIGHER, out);
}

static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    struct work *const w = part->kind == PART_STATE ? &s->state_work : &s->panel_work[worker];
    const struct norms *const norms = s->equations->norms;
    if (s->corrector->together && part->kind == PART_TANGENT) /* w served other panels since */
        norms_weigh(norms, part, part->history, w->winv);
    const double *const winv = norms_weigh_tests(norms, part, w);
    out->candidate[LOWER].order = out->candidate[HIGHER].order = 0;
    if (!part->squares_known || winv != w->winv)
        norms_squares(norms, part, part->e[part->now], winv, part->squares);
    offer(s, part, part->squares, s->formula.same, SAME, out);
    bool const tested = s->control == TANSY_EACH_COLUMN ||
                        (s->control == TANSY_STATE_ONLY && part->kind == PART_STATE);
    bool const failed = tested && !(out->candidate[SAME].error <= 1);
    if (s->other_orders || failed) estimate_others(s, part, winv, w->r, failed, out);
}

static void accept(struct stepper *s)
{
    s->equal = s->begun && s->h == s->past[1] ? s->equal + 1 : 1;
    s->last = s->formula;
    s->last_order = s->order;
    s->last_h = s->h;
    for (int i = PAST_POINTS - 1; i > 1; i--) s->past[i] = s->past[i - 1];
    s->past[1] = s->h;
    s->begun = true;
    s->state.now = !s->state.now;
    s->state.pending = true;
    for (size_t m = 0; m < s->panels; m++) {
        s->panel[m].now = !s->panel[m].now;
        s->panel[m].pending = true;
    }
}

static void settle(struct stepper *s)
{
    prepare_change(s);
    bring(s, &s->state, NULL);
    for (size_t m = 0; m < s->panels; m++) bring(s, &s->panel[m], NULL);
}

/* L(x) = sum_j l_j x^j or its derivative. */
static double evaluate_l(const double *l, int order, double x, int derivative)
{
    double sum = derivative ? order * l[order] : l[order];
    for (int j = order - 1; j >= derivative; j--) sum = sum * x + (derivative ? j * l[j] : l[j]);
    return sum;
}

/* sum_j z_j x^j, x = (t - t_n)/h, by Horner's rule; the derivative is sum_j j z_j x^(j-1)/h.  While the last
   correction is pending z belongs to t_(n-1) and the polynomial is sum_j z_j (1 + x)^j + L(x) e: the history is not
   touched, so that output changes nothing in the run. */
static void interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out)
{
    const struct kernels *const k = kernels_of(s);
    size_t const count = part->shape.count;
    double const x = ((t - s->t) - s->t_low) / part->h, unit = derivative ? 1 / part->h : 1;
    double const at = part->pending ? 1 + x : x;
    int const q = part->order;
    k->combine(count, derivative ? q * unit : 1, row(part, q), 0, row(part, q), out);
    for (int j = q - 1; j >= derivative; j--)
        k->combine(count, at, out, derivative ? j * unit : 1, row(part, j), out);
    if (part->pending)
        k->combine(count, 1, out, unit * evaluate_l(s->last.l, q, x, derivative),
                   part->e[!part->now], out);
}

/* Adams formulas are stable for any sequence of steps.  BDF is while ratios stay below 2.41, 1.53, 1.28, 1.12 for the
   orders 2 to 5 (Grigorieff 1983; Calvo, Montijano and Randez 1993): on Robertson's problem to t = 4e10 steps that
   grew by more at every step made y1 negative and let it run away. */
static const double bdf_growth[BDF_ORDERS + 1] = {1, 1e4, 2, 1.2, 1, 1};

/* A changed h costs dassl less: its c changes with h alone, and direct makes new factors at every step.  So it goes near those
   limits; at equal error that saves 3 to 10 % of the steps of most problems. */
static const double fixed_growth[BDF_ORDERS + 1] = {1, 1e4, 2, 1.5, 1.25, 1.1};

#define NORDSIECK                                                                                  \
    .lowest_order = 1, .extra_rows = 1, .dead_band = 1.1, .patience = 2, .start = start,           \
    .advance = advance, .advance_together = advance_together, .estimate = estimate,                \
    .accept = accept, .settle = settle, .interpolate = interpolate

const struct method method_adams = {.name = "adams",
                                    .title = "implicit Adams formulas",
                                    .option = TANSY_ADAMS,
                                    .family = &family_adams,
                                    .max_order = ADAMS_ORDERS,
                                    .bias = {20, 20, 25},
                                    .first_step = 0.25,
                                    .raises_at_once = true,
                                    NORDSIECK};

const struct method method_bdf = {.name = "bdf",
                                  .title = "backward differentiation formulas",
                                  .option = TANSY_BDF,
                                  .family = &family_bdf,
                                  .max_order = BDF_ORDERS,
                                  .steady_growth = bdf_growth,
                                  .bias = {15, 15, 20},
                                  .first_step = 1,
                                  .starts_warm = true,
                                  .trusts_old_rate = true,
                                  NORDSIECK};

const struct method method_dassl = {
    .name = "dassl",
    .title = "backward differentiation formulas with fixed leading coefficient",
    .option = TANSY_DASSL,
    .family = &family_fixed,
    .max_order = BDF_ORDERS,
    .steady_growth = fixed_growth,
    .bias = {15, 15, 20},
    .first_step = 1,
    .starts_warm = true,
    .trusts_old_rate = false,
    .iterates_longer = true,
    NORDSIECK};

const struct method *const method_tables[] = {&method_adams, &method_bdf, &method_dassl, NULL};
