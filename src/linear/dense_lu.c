/* SPDX-License-Identifier: Apache-2.0 */
/* Dense W = re M - A = L U S^-1, columns exchanged (matrix/lu_kernels.h).  LAPACK, which sees the transposed of what
   is stored row by row, makes the same factors: it takes over where its blocking for large matrices pays. */
#include <math.h>

#include "linear/linear.h"
#include "matrix/lu_kernels.h"

enum {
    OWN_SIZE = 1000
}; /* up to here the own factorisation is the faster one (bench/kernels_bench.c) */

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);

struct dense_lu {
    struct dense_factors F;
    int *ipiv; /* LAPACK's pivots: int, counting from 1; NULL if it is not used */
};

static void layout(struct linear *l, struct arena *arena)
{
    struct dense_lu *slot;
    size_t const n = l->A->n, ld = lane_round(n);
    linear_layout_units(l, arena);
    l->factors = ARENA_TAKE(arena, slot, l->slots);
    for (size_t k = 0; k < l->slots; k++) {
        struct dense_lu next = {.F = {.n = n, .ld = ld}};
        next.F.value = arena_matrix(arena, n, ld);
        ARENA_TAKE(arena, next.F.pivot, n);
        next.F.size = arena_doubles(arena, ld);
        if (n > OWN_SIZE) ARENA_TAKE(arena, next.ipiv, n);
        if (n <= SMALL) ARENA_TAKE(arena, next.F.order, ld);
        if (!slot) continue;
        for (size_t j = 0; j < n && next.F.order; j++) next.F.pivot[j] = j;
        for (size_t j = 0; j < ld && next.F.order; j++) next.F.order[j] = j;
        slot[k] = next;
    }
}

/* 0, or i + 1 for the first row that has an entry that is not finite: BLAS may skip NaN times zero. */
static ptrdiff_t find_not_finite(const struct dense_factors *F)
{
    for (size_t i = 0; i < F->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < F->n; j++) sum += 0 * F->value[i * F->ld + j];
        if (sum != 0) return (ptrdiff_t)i + 1;
    }
    return 0;
}

/* LAPACK compares entries as they are: it gets W C, C = diag(size), which is P L' U'.  From it
   W = (L' C_k^-1)(C_k U' C^-1), to the bit as the sizes are powers of two. */
static void multiply_columns(const struct dense_factors *F)
{
    for (size_t i = 0; i < F->n; i++)
        for (size_t j = 0; j < F->n; j++) F->value[i * F->ld + j] *= F->size[j];
}

static void divide_columns(const struct dense_factors *F)
{
    for (size_t k = 0; k < F->n; k++) {
        double const size = F->size[k];
        F->size[k] = F->size[F->pivot[k]];
        F->size[F->pivot[k]] = size;
    }
    for (size_t i = 0; i < F->n; i++) {
        double *const row = F->value + i * F->ld;
        for (size_t j = 0; j < i; j++) row[j] /= F->size[j];
        row[i] *= F->size[i]; /* the reciprocal */
        for (size_t j = i + 1; j < F->n; j++) row[j] *= F->size[i] / F->size[j];
    }
}

static ptrdiff_t factor_by_lapack(struct dense_lu *slot)
{
    struct dense_factors *const F = &slot->F;
    int const n = (int)F->n, ld = (int)F->ld;
    int info;
    ptrdiff_t const row = find_not_finite(F);
    if (row) return row;
    multiply_columns(F);
    dgetrf_(&n, &n, F->value, &ld, slot->ipiv, &info);
    for (size_t i = 0; i < F->n; i++) {
        double *const pivot = &F->value[i * (F->ld + 1)];
        double const inverse = 1 / *pivot;
        if (!(isfinite(*pivot) && isfinite(inverse))) return (ptrdiff_t)i + 1;
        *pivot = inverse;
        F->pivot[i] = (size_t)slot->ipiv[i] - 1;
    }
    divide_columns(F);
    return 0;
}

/* The sizes of the unknowns, in the order of the columns. */
static void place_sizes(const struct linear *l, struct dense_factors *F)
{
    for (size_t j = F->n; j < F->ld; j++) F->size[j] = 0;
    for (size_t j = 0; j < F->n; j++) F->size[j] = l->unit[F->order ? F->order[j] : j];
}

static ptrdiff_t factor(struct linear *l, size_t slot, double re, double im)
{
    struct dense_lu *const own = (struct dense_lu *)l->factors + slot;
    if (im != 0) return LINEAR_NOT_SUPPORTED;
    l->kernels->lu->assemble_dense(l->A->value, l->M ? l->M->value : NULL, re, &own->F);
    linear_balance(l, re, own->F.ld, own->F.value);
    place_sizes(l, &own->F);
    return own->ipiv ? factor_by_lapack(own) : l->kernels->lu->factor_dense(&own->F);
}

static const struct dense_factors *factors(const struct linear *l, size_t slot)
{
    return &((const struct dense_lu *)l->factors)[slot].F;
}

static void solve_panel(const struct linear *l, size_t slot, size_t lanes, double *X)
{
    l->kernels->lu->solve_dense(factors(l, slot), lanes, X);
}

static void solve(const struct linear *l, size_t slot, double *x)
{
    solve_panel(l, slot, 1, x);
}

/* W^T = S U^T L^T with S^-1 = S_{n-1} ... S_0. */
static void solve_transposed(const struct linear *l, size_t slot, double *x)
{
    const struct dense_factors *const F = factors(l, slot);
    size_t const n = F->n;
    for (size_t k = 0; k < n; k++) {
        double const exchanged = x[k];
        x[k] = x[F->pivot[k]];
        x[F->pivot[k]] = exchanged;
    }
    for (size_t i = 0; i < n; i++) {
        const double *const row = F->value + i * F->ld;
        for (size_t j = i + 1; j < n; j++) x[j] -= row[j] * x[i];
    }
    for (size_t i = n; i-- > 0;) {
        const double *const row = F->value + i * F->ld;
        x[i] *= row[i];
        for (size_t j = 0; j < i; j++) x[j] -= row[j] * x[i];
    }
}

static double factor_cost(const struct linear *l)
{
    double const n = (double)l->A->n;
    return 2.0 / 3.0 * n * n * n;
}

static double solve_cost(const struct linear *l)
{
    double const n = (double)l->A->n;
    return 2 * n * n;
}

const struct linear_table linear_dense_lu = {
    .name = "dense_lu",
    .matrix = MATRIX_DENSE,
    .layout = layout,
    .factor = factor,
    .factors_apart = true,
    .solve = solve,
    .solve_panel = solve_panel,
    .solve_transposed = solve_transposed,
    .factor_cost = factor_cost,
    .solve_cost = solve_cost,
};
