/* SPDX-License-Identifier: Apache-2.0 */
/* Banded W = re M - A by LU with exchanges of columns (matrix/lu_kernels.h). */
#include <math.h>
#include <string.h>

#include "linear/linear.h"
#include "matrix/lu_kernels.h"

static void layout(struct linear *l, struct arena *arena)
{
    const struct matrix *const A = l->A;
    struct band_factors *slot;
    linear_layout_units(l, arena);
    l->factors = ARENA_TAKE(arena, slot, l->slots);
    for (size_t k = 0; k < l->slots; k++) {
        struct band_factors F = {.n = A->n, .lower = A->lower, .upper = A->upper};
        F.width = F.lower + 2 * F.upper + 1;
        F.value = arena_matrix(arena, F.n, F.width);
        ARENA_TAKE(arena, F.pivot, F.n);
        F.size = arena_doubles(arena, F.n);
        if (slot) slot[k] = F;
    }
}

/* value = re M - A: a row of A after the `upper` places of its fill.  0, or i + 1 for the first row with an entry that is
   not finite: in a narrow band no pivot need show it. */
static ptrdiff_t assemble(const struct linear *l, double re, struct band_factors *F)
{
    const struct matrix *const A = l->A, *const M = l->M;
    ptrdiff_t found = 0;
    for (size_t i = F->n; i-- > 0;) {
        size_t const first = i < A->lower ? A->lower - i : 0;
        size_t const end = A->n - i > A->upper ? A->width : A->n - i + A->lower;
        const double *const a = A->value + i * A->width;
        const double *const m = M ? M->value + i * A->width : NULL;
        double *const row = F->value + i * F->width + F->upper;
        double waste = 0;
        for (size_t j = 0; j < F->upper; j++) F->value[i * F->width + j] = 0;
        for (size_t j = first; j < end; j++) {
            row[j] = m ? re * m[j] - a[j] : -a[j];
            waste += 0 * row[j];
        }
        if (!m) row[F->lower] += re;
        for (size_t j = first; j < end && l->constraint && l->constraint[i]; j++) row[j] *= re;
        if (waste != 0 || !isfinite(re)) found = (ptrdiff_t)i + 1;
    }
    return found;
}

static ptrdiff_t factor(struct linear *l, size_t slot, double re, double im)
{
    struct band_factors *const F = (struct band_factors *)l->factors + slot;
    if (im != 0) return LINEAR_NOT_SUPPORTED;
    ptrdiff_t const bad = assemble(l, re, F);
    memcpy(F->size, l->unit, F->n * sizeof *F->size);
    return bad ? bad : l->kernels->lu->factor_band(F);
}

static void solve_panel(const struct linear *l, size_t slot, size_t lanes, double *X)
{
    const struct band_factors *const F = (const struct band_factors *)l->factors + slot;
    l->kernels->lu->solve_band(F, lanes, X);
}

static void solve(const struct linear *l, size_t slot, double *x)
{
    solve_panel(l, slot, 1, x);
}

/* W^T = S_0 U_0^T ... S_{n-1} U_{n-1}^T L^T. */
static void solve_transposed(const struct linear *l, size_t slot, double *x)
{
    const struct band_factors *const F = (const struct band_factors *)l->factors + slot;
    size_t const n = F->n, lower = F->lower + F->reach;
    const double *const diagonal = F->value + F->lower + F->upper;
    for (size_t i = 0; i < n; i++) {
        size_t const right = n - 1 - i < F->upper ? n - 1 - i : F->upper;
        const double *const a = diagonal + i * F->width;
        double const exchanged = x[i];
        x[i] = x[F->pivot[i]];
        x[F->pivot[i]] = exchanged;
        for (size_t j = 1; j <= right; j++) x[i + j] -= a[j] * x[i];
    }
    for (size_t i = n; i-- > 0;) {
        size_t const left = i < lower ? i : lower;
        const double *const a = diagonal + i * F->width - left;
        double *const y = x + i - left;
        x[i] *= a[left];
        for (size_t j = 0; j < left; j++) y[j] -= a[j] * x[i];
    }
}

/* Without exchanges; they at most double the cost. */
static double factor_cost(const struct linear *l)
{
    const struct matrix *const A = l->A;
    return (double)A->n * (double)A->lower * (2.0 * (double)A->upper + 1);
}

static double solve_cost(const struct linear *l)
{
    const struct matrix *const A = l->A;
    return (double)A->n * (2.0 * (double)(A->lower + A->upper) + 1);
}

const struct linear_table linear_band_lu = {
    .name = "band_lu",
    .matrix = MATRIX_BAND,
    .layout = layout,
    .factor = factor,
    .factors_apart = true,
    .solve = solve,
    .solve_panel = solve_panel,
    .solve_transposed = solve_transposed,
    .factor_cost = factor_cost,
    .solve_cost = solve_cost,
};
