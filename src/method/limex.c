/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolated linearly implicit Euler: the method table. */
#include "method/limex_columns.h"

#include <math.h>
#include <string.h>

static void layout(struct stepper *s, struct arena *arena, struct derive *derive)
{
    size_t const points = (size_t)limex_points(s);
    stages_layout(&s->stages, arena, derive, points, true);
    double *const delta = arena_matrix(arena, points, lane_round(derive->n));
    if (arena->block) s->stages.delta = delta;
    limex_end_layout(s, arena, derive);
    if (s->stages.thin.sigma > 0) limex_thin_layout(s, arena, derive);
    if (s->stages.makes_ahead) limex_ahead_layout(s, arena);
}

static void start(struct stepper *s, struct part *part, const double *y, const double *yp)
{
    size_t const bytes = part->shape.count * sizeof *y;
    memcpy(one_step_row(part, ROW_BEGIN), y, bytes);
    memcpy(one_step_row(part, ROW_SLOPE), yp, bytes);
    part->pending = part->knows_end = part->knows_dense = false;
    part->order = s->order;
    part->is_twisted = false;
    if (part->kind != PART_STATE) return;
    s->begun = false;
    s->stages.thin.entries = 0; /* others may have factored the whole matrix since */
    s->stages.has_first = s->stages.has_value = s->stages.at_end.is_known = false;
}

void limex_take_over(struct stepper *s, struct part *part)
{
    size_t const bytes = part->shape.count * sizeof(double);
    if (part->pending) {
        limex_interpolate(s, part, s->t, 1, one_step_row(part, ROW_SLOPE));
        memcpy(one_step_row(part, ROW_BEGIN), one_step_row(part, ROW_END), bytes);
        if (part->kind == PART_STATE) s->stages.has_first = s->stages.has_value = false;
    }
    part->pending = part->knows_end = part->knows_dense = false;
}

/* The state, where there is nothing else. */
static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    limex_take_over(s, part);
    part->now = 0;
    return corrector_verdict(s, part, worker, limex_advance_state(s));
}

/* Work of a step of j rows: J, j factorisations, evaluations and solves of all short steps.  With more for J and the factors, which
   then are used in longer steps of more rows, gas oil takes more evaluations than the original code does. */
static double cost_of(int j)
{
    return 2 + j + j * (j + 1);
}

static void offer(const struct stepper *s, int slot, int order, double error, double sum,
                  struct estimates *out)
{
    out->candidate[slot] = (struct candidate){.order = order,
                                              .limit = s->stages.has_algebraic ? DAE_ORDER : 0,
                                              .error = error,
                                              .cost = cost_of(order + 1),
                                              .bias = s->method->bias[slot]};
    out->square_sum[slot] = sum;
}

static const double enough_inside = 0.25; /* of the tolerance: an error that does not press */

/* A polynomial that is too bad for output makes the step fail.  A row more makes it as much better as the end of the step. */
static void look_inside(struct stepper *s, struct part *part, struct work *w, struct estimates *out)
{
    double const share = s->equations->norms->share;
    double square[MAX_LANES], sum = 0;
    limex_measure_inside(s, part, w, square);
    for (size_t k = 0; k < part->shape.columns; k++) sum += square[k];
    double const error = sqrt(square[norms_worst(square, part->shape.columns)] * share);
    if (error > out->candidate[SAME].error) out->column = norms_worst(square, part->shape.columns);
    bool const leads = error > fmax(enough_inside, out->candidate[SAME].error);
    part->is_pressed = part->is_pressed || leads;
    double const shrinks = limex_is_pressed(s) ? limex_shrinks_inside(part, part->order + 1)
                                               : limex_shrinks(part, part->order + 1);
    double const factor[CANDIDATES] = {1 / shrinks, 1, shrinks};
    for (int slot = LOWER; slot <= HIGHER; slot++) {
        double const f = factor[slot];
        out->candidate[slot].error = fmax(out->candidate[slot].error, f * error);
        out->square_sum[slot] = fmax(out->square_sum[slot], f * f * sum * share);
    }
}

/* Rows j - 1, j and j + 1 (the prediction without which low orders stay). */
static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    int const j = s->order + 1;
    const double *const error = part->row_error, *const sum = part->row_sum;
    one_step_offer(s, part, part->squares, out);
    offer(s, SAME, j - 1, error[j], sum[j], out);
    if (j > 2 && j > s->stages.at_end.least) offer(s, LOWER, j - 2, error[j - 1], sum[j - 1], out);
    double const shrinks = limex_shrinks(part, j);
    if (j <= s->max_order) offer(s, HIGHER, j, error[j] * shrinks, sum[j] * shrinks * shrinks, out);
    if (s->wants_inside) look_inside(s, part, one_step_work(s, part, worker), out);
}

static void note_pressed(struct stepper *s)
{
    bool any = s->state.is_pressed;
    s->state.is_pressed = false;
    for (size_t m = 0; m < s->panels; m++) {
        any = any || s->panel[m].is_pressed;
        s->panel[m].is_pressed = false;
    }
    s->stages.pressed += any;
}

static void accept(struct stepper *s)
{
    struct derive *const d = s->equations->derive;
    one_step_accept(s);
    note_pressed(s);
    limex_note_accepted(s);
    s->last_order = s->order;
    for (size_t m = 0; d->is_internal && m < s->panels; m++) {
        d->internal.multiple = limex_multiple(s->panel[m].order + 1);
        derive_noise_step(d, &s->panel[m].shape, s->end);
    }
}

const struct method method_limex = {.name = "limex",
                                    .title = "extrapolated linearly implicit Euler (LIMEX)",
                                    .option = TANSY_LIMEX,
                                    .rows = true,
                                    .max_order = LIMEX_ROWS - 1,
                                    .lowest_order = 1,
                                    .gain = 1,
                                    .extra_rows = HISTORY - LIMEX_ROWS + 1,
                                    .bias = {4, 4, 4},
                                    .first_power = 0.5,
                                    .layout = layout,
                                    .start = start,
                                    .advance = advance,
                                    .advance_together = limex_advance_together,
                                    .estimate = estimate,
                                    .accept = accept,
                                    .settle = one_step_settle,
                                    .interpolate = limex_interpolate};
