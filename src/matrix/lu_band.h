/* SPDX-License-Identifier: Apache-2.0 */
/* Band LU row by row with exchanges of columns: the transposed of LAPACK's dgbtf2. */
#ifndef MATRIX_LU_BAND_H
#define MATRIX_LU_BAND_H

#include <math.h>
#include <stddef.h>

#include "matrix/lu_kernels.h"

/* y -= a x; x and y are parts of two rows. */
static inline void subtract_row(size_t count, double a, const double *restrict x,
                                double *restrict y)
{
    for (size_t j = 0; j < count; j++) y[j] -= a * x[j];
}

/* The largest of row[0 .. right] times size. */
static size_t find_band_pivot(const double *row, const double *unit, size_t right)
{
    double top = 0;
    size_t pivot = 0;
    for (size_t j = 0; j <= right; j++) {
        double const size = fabs(row[j]) * unit[j];
        if (size > top) {
            top = size;
            pivot = j;
        }
    }
    return pivot;
}

static ptrdiff_t factor_band(struct band_factors *F)
{
    size_t const n = F->n, step = F->width - 1; /* from one row to the next, in one column */
    size_t end = 0;                             /* rows from here on are zero in column k */
    F->reach = 0;
    for (size_t k = 0; k < n; k++) {
        size_t const right = n - 1 - k < F->upper ? n - 1 - k : F->upper;
        double *const row = F->value + k * F->width + F->lower + F->upper; /* at the diagonal */
        size_t const shift = find_band_pivot(row, F->size + k, right);
        F->pivot[k] = k + shift;
        double const unit = F->size[k];
        F->size[k] = F->size[k + shift];
        F->size[k + shift] = unit;
        if (shift > F->reach) F->reach = shift;
        if (end < k + shift + F->lower + 1) end = k + shift + F->lower + 1;
        if (end > n) end = n;
        double const pivot = row[shift];
        double const inverse = 1 / pivot;
        if (!(isfinite(inverse) && isfinite(pivot))) return (ptrdiff_t)k + 1;
        row[shift] = row[0];
        row[0] = inverse;
        for (size_t j = 1; j <= right; j++) row[j] *= inverse;
        for (size_t i = k + 1; i < end; i++) {
            double *const other = row + (i - k) * step; /* column k of row i */
            double const a = other[shift];
            other[shift] = other[0];
            other[0] = a;
            subtract_row(right, a, row + 1, other + 1);
        }
    }
    return 0;
}

#endif
