/* SPDX-License-Identifier: Apache-2.0 */
/* The diagonal blocks of W of .block rows, the last one shorter, by dense LU (matrix/lu_kernels.h). */
#include "linear/precondition.h"
#include "matrix/lu_kernels.h"

static size_t rows_in_block(const struct linear *l)
{
    if (l->krylov->block == 0) return 1;
    return l->krylov->block < l->A->n ? l->krylov->block : l->A->n;
}

static size_t number_of_blocks(const struct linear *l)
{
    return (l->A->n - 1) / rows_in_block(l) + 1;
}

/* Factors of block b of a slot are in [slot*number + b]. */
static void layout(struct linear *l, struct arena *arena)
{
    if (l->krylov->block <= 1) {
        precondition_band_layout(l, arena);
        return;
    }
    size_t const rows = rows_in_block(l), number = number_of_blocks(l), ld = lane_round(rows);
    struct dense_factors *block;
    l->krylov->factors = ARENA_TAKE(arena, block, l->slots * number);
    double *const value = arena_matrix(arena, l->slots * l->A->n, ld);
    double *const size = arena_matrix(arena, l->slots * number, ld);
    size_t *pivot;
    ARENA_TAKE(arena, pivot, l->slots * l->A->n);
    if (!block) return;
    for (size_t b = 0; b < l->slots * number; b++) {
        size_t const first = b % number * rows, rest = l->A->n - first;
        size_t const row = b / number * l->A->n + first;
        block[b] = (struct dense_factors){.n = rest < rows ? rest : rows, .ld = ld};
        block[b].value = value + row * ld;
        block[b].pivot = pivot + row;
        block[b].size = size + b * ld;
    }
}

static ptrdiff_t prepare(struct linear *l, size_t slot, double re)
{
    if (l->krylov->block <= 1) return precondition_band_prepare(l, slot, re);
    size_t const number = number_of_blocks(l), rows = rows_in_block(l);
    struct dense_factors *const block = (struct dense_factors *)l->krylov->factors + slot * number;
    for (size_t b = 0; b < number; b++) {
        struct dense_factors *const F = &block[b];
        for (size_t i = 0; i < F->n; i++) {
            double *const row = F->value + i * F->ld;
            for (size_t j = F->n; j < F->ld; j++) row[j] = 0;
            if (!precondition_gather(l, slot, re, b * rows + i, b * rows, b * rows + F->n, row))
                return (ptrdiff_t)(b * rows + i) + 1;
        }
        for (size_t j = 0; j < F->ld; j++) F->size[j] = j < F->n ? l->unit[b * rows + j] : 0;
        ptrdiff_t const failed = l->kernels->lu->factor_dense(F);
        if (failed) return (ptrdiff_t)(b * rows) + failed;
    }
    return 0;
}

static int solve(const struct linear *l, size_t slot, const struct linear_task *task, double *X)
{
    if (l->krylov->block <= 1) return precondition_band_solve(l, slot, task, X);
    size_t const number = number_of_blocks(l), rows = rows_in_block(l);
    const struct dense_factors *const block =
        (const struct dense_factors *)l->krylov->factors + slot * number;
    for (size_t b = 0; b < number; b++)
        l->kernels->lu->solve_dense(&block[b], task->lanes, X + b * rows * task->lanes);
    return 0;
}

static double inverse(const struct linear *l, size_t slot, size_t i)
{
    return l->krylov->block <= 1 ? precondition_band_inverse(l, slot, i) : 0;
}

static double prepare_cost(const struct linear *l)
{
    double const rows = (double)rows_in_block(l);
    return 2.0 / 3.0 * (double)l->A->n * rows * rows;
}

static double solve_cost(const struct linear *l)
{
    return 2 * (double)l->A->n * (double)rows_in_block(l);
}

const struct preconditioner precondition_block = {
    .name = "block",
    .entries = true,
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .inverse = inverse,
    .prepare_cost = prepare_cost,
    .solve_cost = solve_cost,
};
