/* SPDX-License-Identifier: Apache-2.0 */
/* The band .lower, .upper of W, by LU with exchanges (matrix/lu_kernels.h); without them, from both ends, if it is
   tridiagonal and no diagonal entry is smaller than its neighbours in the row together (Higham 2002, theorem 9.12:
   then elimination is stable as it is). */
#include <math.h>
#include <string.h>

#include "linear/precondition.h"
#include "linear/precondition_kernels.h"
#include "matrix/lu_kernels.h"

struct band_slot {
    struct band_factors F;
    struct tridiagonal_factors T;
    bool tridiagonal; /* T holds the factors, not F */
};

/* Blocks of one row are a band without neighbours. */
static size_t shorter(const struct linear *l, size_t width)
{
    if (l->krylov->preconditioner == &precondition_block) return 0;
    return width < l->A->n ? width : l->A->n - 1;
}

void precondition_band_layout(struct linear *l, struct arena *arena)
{
    struct band_slot *slot;
    l->krylov->factors = ARENA_TAKE(arena, slot, l->slots);
    for (size_t k = 0; k < l->slots; k++) {
        struct band_slot s = {.F = {.n = l->A->n}, .T = {.n = l->A->n}};
        s.F.lower = shorter(l, l->krylov->lower);
        s.F.upper = shorter(l, l->krylov->upper);
        s.F.width = s.F.lower + 2 * s.F.upper + 1;
        s.F.value = arena_matrix(arena, s.F.n, s.F.width);
        ARENA_TAKE(arena, s.F.pivot, s.F.n);
        s.F.size = arena_doubles(arena, s.F.n);
        if (s.F.lower <= 1 && s.F.upper <= 1) {
            s.T.inward = arena_doubles(arena, s.T.n);
            s.T.outward = arena_doubles(arena, s.T.n);
            s.T.inverse = arena_doubles(arena, s.T.n);
        }
        if (slot) slot[k] = s;
    }
}

/* W_ij, j <= i + 1 and i <= j + 1, zero outside of the band. */
static double entry(const struct band_factors *F, size_t i, size_t j)
{
    if (j >= F->n || j > i + F->upper || i > j + F->lower) return 0; /* j = -1 is large */
    return F->value[i * F->width + F->lower + F->upper + j - i];
}

/* The same in units of the unknown. */
static double size_of(const struct band_factors *F, size_t i, size_t j)
{
    double const w = entry(F, i, j);
    return w == 0 ? 0 : fabs(w) * F->size[j];
}

static bool is_dominant(const struct band_factors *F)
{
    for (size_t i = 0; i < F->n; i++)
        if (!(size_of(F, i, i) >= size_of(F, i, i - 1) + size_of(F, i, i + 1))) return false;
    return true;
}

/* Row i, with the row `from`, i - 1 or i + 1, eliminated before; `to` is its neighbour on the other side. */
static bool eliminate(const struct band_factors *F, size_t from, size_t i, size_t to,
                      struct tridiagonal_factors *T)
{
    bool const any = from < F->n;
    T->inward[i] = any ? entry(F, i, from) * T->inverse[from] : 0;
    double const pivot = entry(F, i, i) - (any ? T->inward[i] * entry(F, from, i) : 0);
    T->inverse[i] = 1 / pivot;
    T->outward[i] = entry(F, i, to) * T->inverse[i];
    return isfinite(pivot) && isfinite(T->inverse[i]);
}

static ptrdiff_t factor_tridiagonal(const struct band_factors *F, struct tridiagonal_factors *T)
{
    size_t const middle = F->n / 2;
    for (size_t i = 0; i < middle; i++)
        if (!eliminate(F, i - 1, i, i + 1, T)) return (ptrdiff_t)i + 1;
    for (size_t i = F->n - 1; i > middle; i--)
        if (!eliminate(F, i + 1, i, i - 1, T)) return (ptrdiff_t)i + 1;
    size_t const below = middle + 1;
    double pivot = entry(F, middle, middle);
    T->inward[middle] = T->last = 0;
    if (middle > 0) {
        T->inward[middle] = entry(F, middle, middle - 1) * T->inverse[middle - 1];
        pivot -= T->inward[middle] * entry(F, middle - 1, middle);
    }
    if (below < F->n) {
        T->last = entry(F, middle, below) * T->inverse[below];
        pivot -= T->last * entry(F, below, middle);
    }
    T->inverse[middle] = 1 / pivot;
    T->outward[middle] = 0;
    return isfinite(pivot) && isfinite(T->inverse[middle]) ? 0 : (ptrdiff_t)below;
}

ptrdiff_t precondition_band_prepare(struct linear *l, size_t slot, double re)
{
    struct band_slot *const s = (struct band_slot *)l->krylov->factors + slot;
    struct band_factors *const F = &s->F;
    for (size_t i = 0; i < F->n; i++) {
        size_t const first = i > F->lower ? i - F->lower : 0;
        size_t const end = F->n - i > F->upper ? i + F->upper + 1 : F->n;
        double *const row = F->value + i * F->width;
        for (size_t j = 0; j < F->upper; j++) row[j] = 0; /* where exchanges fill in */
        if (!precondition_gather(l, slot, re, i, first, end, row + F->lower + F->upper + first - i))
            return (ptrdiff_t)i + 1;
    }
    memcpy(F->size, l->unit, F->n * sizeof *F->size);
    s->tridiagonal = s->T.inverse && is_dominant(F);
    return s->tridiagonal ? factor_tridiagonal(F, &s->T) : l->kernels->lu->factor_band(F);
}

int precondition_band_solve(const struct linear *l, size_t slot, const struct linear_task *task,
                            double *X)
{
    const struct band_slot *const s = (const struct band_slot *)l->krylov->factors + slot;
    if (s->tridiagonal)
        precondition_kernels_for(l->kernels)->solve_tridiagonal(&s->T, task->lanes, X);
    else
        l->kernels->lu->solve_band(&s->F, task->lanes, X);
    return 0;
}

double precondition_band_inverse(const struct linear *l, size_t slot, size_t i)
{
    const struct band_slot *const s = (const struct band_slot *)l->krylov->factors + slot;
    return s->tridiagonal ? s->T.inverse[i] : 0;
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
    .inverse = precondition_band_inverse,
    .prepare_cost = prepare_cost,
    .solve_cost = solve_cost,
};
