/* SPDX-License-Identifier: Apache-2.0 */
/* Weights and norms of parts. */
#include "equations/norms.h"

#include <math.h>
#include <string.h>

/* Tolerances given for every entry: the panel is one long column of its own. */
static void weigh_literally(const struct norms *s, const struct part *part, const double *v,
                            double *winv)
{
    static const double one = 1;
    struct tolerance const t = {part->rtol_matrix, &one, part->atol_matrix, &one};
    s->kernels->weights(s->n * part->shape.lanes, 1, &t, v, winv);
}

static void weigh_multipliers(const struct norms *s, size_t lanes, double *winv)
{
    for (size_t j = 0; j < s->n && s->lever; j++) {
        const struct lever *const lever = &s->lever[j];
        if (s->iterated[j] != 0 || lever->size == 0) continue;
        for (size_t k = 0; k < lanes; k++)
            winv[j * lanes + k] = lever->size * winv[lever->component * lanes + k];
    }
}

/* Tolerances given for every entry, weights of the user's own, or multipliers. */
static void weigh_specially(const struct norms *s, const struct part *part, const double *v,
                            double *winv)
{
    struct tolerance const t = {part->rtol, part->rho, part->atol, part->a};
    if (part->rtol_matrix)
        weigh_literally(s, part, v, winv);
    else if (s->own)
        own_weights_find(s->own, part, s->n, v, winv);
    else
        s->kernels->weights(s->n, part->shape.lanes, &t, v, winv);
    if (!s->iterated) return;
    s->kernels->scale_rows(s->n, part->shape.lanes, s->iterated, winv, winv);
    weigh_multipliers(s, part->shape.lanes, winv);
}

void norms_weigh(const struct norms *s, const struct part *part, const double *v, double *winv)
{
    struct tolerance const t = {part->rtol, part->rho, part->atol, part->a};
    if (part->rtol_matrix || s->iterated || s->own)
        weigh_specially(s, part, v, winv);
    else
        s->kernels->weights(s->n, part->shape.lanes, &t, v, winv);
    size_t const entries = s->stricter > 0 ? s->n * part->shape.lanes : 0;
    for (size_t x = 0; x < entries; x++) winv[x] *= s->stricter; /* the rest stays 0 */
}

const double *norms_mask(const struct norms *s, const struct part *part, struct work *w)
{
    size_t const lanes = part->shape.lanes;
    if (s->tested)
        s->kernels->scale_rows(s->n, lanes, s->tested, w->winv, w->masked);
    else
        memcpy(w->masked, w->winv, part->shape.count * sizeof *w->masked);
    if (part->kind != PART_TANGENT || (!s->held && !s->bends)) return w->masked;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < part->shape.columns && s->component[i] != TANSY_DIFFERENTIAL; k++)
            if (s->bends || s->held[part->shape.first + k]) w->masked[i * lanes + k] = 0;
    return w->masked;
}

void norms_squares(const struct norms *s, const struct part *part, const double *v,
                   const double *winv, double *square)
{
    size_t const lanes = part->shape.lanes;
    if (s->kind == TANSY_MAX) {
        s->kernels->largest(s->n, lanes, v, winv, square);
        reduce_all(&s->reduce, REDUCE_MAX, square, lanes);
        for (size_t k = 0; k < lanes; k++) square[k] *= square[k];
        return;
    }
    s->kernels->square_sums(s->n, lanes, v, winv, square);
    reduce_all(&s->reduce, REDUCE_SUM, square, lanes);
}

size_t norms_worst(const double *square, size_t columns)
{
    size_t worst = 0;
    for (size_t k = 1; k < columns && square[worst] == square[worst]; k++)
        if (!(square[k] <= square[worst])) worst = k;
    return worst;
}

double norms_largest(const struct norms *s, const struct part *part, const double *v,
                     const double *winv)
{
    double square[MAX_LANES];
    norms_squares(s, part, v, winv, square);
    return sqrt(square[norms_worst(square, part->shape.columns)] * s->share);
}

double norms_correct(const struct norms *s, struct part *part, struct correction_task *task)
{
    double square[MAX_LANES];
    task->r_squares = square;
    task->e_squares = part->squares;
    s->kernels->step->correct(task);
    if (s->kind == TANSY_MAX) {
        norms_squares(s, part, task->r, task->winv, square);
        norms_squares(s, part, task->e, task->winv, part->squares);
    } else {
        reduce_all(&s->reduce, REDUCE_SUM, square, part->shape.lanes);
        reduce_all(&s->reduce, REDUCE_SUM, part->squares, part->shape.lanes);
    }
    part->squares_known = true;
    return square[norms_worst(square, part->shape.columns)] * s->share;
}

void norms_orders(const struct norms *s, const struct part *part, const struct order_task *task,
                  double *r, double *lower, double *higher)
{
    size_t const lanes = part->shape.lanes;
    if (s->kind == TANSY_MAX) {
        s->kernels->combine(task->count, 1, task->x, task->a, task->y, r);
        norms_squares(s, part, r, task->winv, lower);
        s->kernels->combine(task->count, 1, task->y, task->b, task->z, r);
        norms_squares(s, part, r, task->winv, higher);
        return;
    }
    s->kernels->step->order_squares(task, lower, higher);
    reduce_all(&s->reduce, REDUCE_SUM, lower, lanes);
    reduce_all(&s->reduce, REDUCE_SUM, higher, lanes);
}
