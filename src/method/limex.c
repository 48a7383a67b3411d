/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolated linearly implicit Euler: the method table. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

static const double first_shrinking =
    0.1; /* of the error by the third row, before anything is known */

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

static enum verdict advance(struct stepper *s, struct part *part, size_t worker)
{
    take_over(s, part);
    part->now = 0;
    int const code =
        part->kind == PART_STATE ? limex_advance_state(s) : limex_advance_panel(s, part, worker);
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
    double const before = q > 1 ? limex_error(s, part, part->gap) : 0;
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
                                    .interpolate = limex_interpolate};
