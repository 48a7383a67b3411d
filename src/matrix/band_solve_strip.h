/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with band factors for a strip of a panel, one row at a time; a template, see strip_types.h. */
#include <stddef.h>

#include "matrix/lu_kernels.h"
#include "matrix/strip_types.h"

/* x -= sum_{j < n} a_j X_j, in two sums, as the additions of a single one would wait for each other. */
ALWAYS_INLINE void STRIP_NAME(subtract_rows)(size_t n, const double *restrict a, size_t lanes,
                                             const double *restrict X, PIECE x[PIECES])
{
    PIECE other[PIECES];
    size_t j = n % 2;
    UNROLL
    for (size_t c = 0; c < PIECES; c++) other[c] = (PIECE){0};
    if (j > 0) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) other[c] -= a[0] * PIECE_OF(X, c);
    }
    for (; j < n; j += 2) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            x[c] -= a[j] * PIECE_OF(X + j * lanes, c);
            other[c] -= a[j + 1] * PIECE_OF(X + (j + 1) * lanes, c);
        }
    }
    UNROLL
    for (size_t c = 0; c < PIECES; c++) x[c] += other[c];
}

static void STRIP_NAME(solve_band)(const struct band_factors *F, size_t lanes, double *X)
{
    size_t const n = F->n, lower = F->lower + F->reach, diagonal = F->lower + F->upper;
    PIECE x[PIECES];
    for (size_t i = 0; i < n; i++) {
        size_t const left = i < lower ? i : lower;
        const double *const a = F->value + i * F->width + diagonal;
        double *const row = X + i * lanes;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[c] = PIECE_OF(row, c);
        STRIP_NAME(subtract_rows)(left, a - left, lanes, row - left * lanes, x);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(row, c) = a[0] * x[c];
    }
    for (size_t i = n; i-- > 0;) {
        size_t const right = n - 1 - i < F->upper ? n - 1 - i : F->upper;
        double *const row = X + i * lanes, *const other = X + F->pivot[i] * lanes;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[c] = PIECE_OF(row, c);
        STRIP_NAME(subtract_rows)
        (right, F->value + i * F->width + diagonal + 1, lanes, row + lanes, x);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE const exchanged = PIECE_OF(other, c); /* its own old value if other == row */
            PIECE_AT(row, c) = exchanged;
            PIECE_AT(other, c) = x[c];
        }
    }
}
