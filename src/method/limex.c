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
    if (s->stages.thin.sigma > 0) limex_thin_layout(s, arena, derive);
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
    s->stages.thin.entries = 0; /* others may have factored the whole matrix since */
    s->stages.has_first = s->stages.has_value = false;
}

/* The slope at the end of the last step is the last entry of its tableau. */
void limex_take_over(struct stepper *s, struct part *part)
{
    size_t const bytes = part->shape.count * sizeof(double);
    if (!part->pending) return;
    memcpy(one_step_row(part, ROW_SLOPE), one_step_row(part, ROW_D + part->order), bytes);
    memcpy(one_step_row(part, ROW_BEGIN), one_step_row(part, ROW_END), bytes);
    part->pending = false;
    if (part->kind == PART_STATE) s->stages.has_first = s->stages.has_value = false;
}

/* The state, where there is nothing else. */
static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    limex_take_over(s, part);
    part->now = 0;
    return corrector_verdict(s, part, worker, limex_advance_state(s));
}

/* Work of a step of j rows: J, j factorisations, evaluations and solves of all short steps. */
static double cost_of(int j)
{
    return 3 + 3 * j + j * (j + 1);
}

static void offer(const struct stepper *s, int slot, int order, double error, double sum,
                  struct estimates *out)
{
    out->candidate[slot] = (struct candidate){
        .order = order, .error = error, .cost = cost_of(order + 1), .bias = s->method->bias[slot]};
    out->square_sum[slot] = sum;
}

/* Rows j - 1, j and j + 1 (the prediction without which low orders stay). */
static void estimate(struct stepper *s, struct part *part, size_t worker, struct estimates *out)
{
    int const j = s->order + 1;
    const double *const error = part->row_error, *const sum = part->row_sum;
    (void)worker;
    one_step_offer(s, part, part->squares, out);
    offer(s, SAME, j - 1, error[j], sum[j], out);
    if (j > 2) offer(s, LOWER, j - 2, error[j - 1], sum[j - 1], out);
    double const shrinks = limex_shrinks(part, j);
    if (j <= s->max_order) offer(s, HIGHER, j, error[j] * shrinks, sum[j] * shrinks * shrinks, out);
}

static void accept(struct stepper *s)
{
    one_step_accept(s);
    s->last_order = s->order;
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
                                    .advance_together = limex_advance_together,
                                    .estimate = estimate,
                                    .accept = accept,
                                    .settle = one_step_settle,
                                    .interpolate = limex_interpolate};
