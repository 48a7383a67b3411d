/* SPDX-License-Identifier: Apache-2.0 */
/* The band .lower, .upper of W, by LU with exchanges (matrix/lu_kernels.h). */
#include "linear/precondition.h"
#include "matrix/lu_kernels.h"

/* Blocks of one row are a band without neighbours. */
static size_t shorter(const struct linear *l, size_t width)
{
    if (l->krylov->preconditioner == &precondition_block) return 0;
    return width < l->A->n ? width : l->A->n - 1;
}

void precondition_band_layout(struct linear *l, struct arena *arena)
{
    struct band_factors *slot;
    l->krylov->factors = ARENA_TAKE(arena, slot, l->slots);
    for (size_t k = 0; k < l->slots; k++) {
        struct band_factors F = {.n = l->A->n};
        F.lower = shorter(l, l->krylov->lower);
        F.upper = shorter(l, l->krylov->upper);
        F.width = F.lower + 2 * F.upper + 1;
        F.value = arena_matrix(arena, F.n, F.width);
        ARENA_TAKE(arena, F.pivot, F.n);
        if (slot) slot[k] = F;
    }
}

ptrdiff_t precondition_band_prepare(struct linear *l, size_t slot, double re)
{
    struct band_factors *const F = (struct band_factors *)l->krylov->factors + slot;
    for (size_t i = 0; i < F->n; i++) {
        size_t const first = i > F->lower ? i - F->lower : 0;
        size_t const end = F->n - i > F->upper ? i + F->upper + 1 : F->n;
        double *const row = F->value + i * F->width;
        for (size_t j = 0; j < F->upper; j++) row[j] = 0; /* where exchanges fill in */
        if (!precondition_gather(l, re, i, first, end, row + F->lower + F->upper + first - i))
            return (ptrdiff_t)i + 1;
    }
    return l->kernels->lu->factor_band(F);
}

int precondition_band_solve(const struct linear *l, size_t slot, const struct linear_task *task,
                            double *X)
{
    const struct band_factors *const F = (const struct band_factors *)l->krylov->factors + slot;
    l->kernels->lu->solve_band(F, task->lanes, X);
    return 0;
}

static double prepare_cost(const struct linear *l)
{
    double const lower = (double)shorter(l, l->krylov->lower);
    return (double)l->A->n * lower * (2 * (double)shorter(l, l->krylov->upper) + 1);
}

static double solve_cost(const struct linear *l)
{
    double const neighbours =
        (double)shorter(l, l->krylov->lower) + (double)shorter(l, l->krylov->upper);
    return (double)l->A->n * (2 * neighbours + 1);
}

const struct preconditioner precondition_band = {
    .name = "band",
    .entries = true,
    .layout = precondition_band_layout,
    .prepare = precondition_band_prepare,
    .solve = precondition_band_solve,
    .prepare_cost = prepare_cost,
    .solve_cost = solve_cost,
};
