/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with dense factors for a strip of a panel, as sums x_i - sum_j a_ij x_j, tile by tile; a template, see
   strip_types.h.  `rows` is a constant wherever it is the first parameter. */
#include <stddef.h>

#include "matrix/lu_kernels.h"
#include "matrix/strip_types.h"

ALWAYS_INLINE void STRIP_NAME(load_tile)(size_t rows, size_t lanes, const double *X,
                                         PIECE x[TILE_ROWS][PIECES])
{
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[r][c] = PIECE_OF(X + r * lanes, c);
    }
}

/* x_r -= sum_{j < n} a_rj X_j */
ALWAYS_INLINE void STRIP_NAME(subtract)(size_t rows, size_t n, size_t ld, const double *restrict a,
                                        size_t lanes, const double *restrict X,
                                        PIECE x[TILE_ROWS][PIECES])
{
    for (size_t j = 0; j < n; j++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE const v = PIECE_OF(X + j * lanes, c);
            UNROLL
            for (size_t r = 0; r < rows; r++) x[r][c] -= a[r * ld + j] * v;
        }
    }
}

/* Rows i to i + rows - 1 of X <- L^-1 X. */
ALWAYS_INLINE void STRIP_NAME(lower_tile)(size_t rows, const struct dense_factors *F, size_t i,
                                          size_t lanes, double *X)
{
    const double *const a = F->value + i * F->ld;
    PIECE x[TILE_ROWS][PIECES];
    STRIP_NAME(load_tile)(rows, lanes, X + i * lanes, x);
    STRIP_NAME(subtract)(rows, i, F->ld, a, lanes, X, x);
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            UNROLL
            for (size_t s = 0; s < rows; s++)
                if (s < r) x[r][c] -= a[r * F->ld + i + s] * x[s][c];
            x[r][c] *= a[r * F->ld + i + r];
            PIECE_AT(X + (i + r) * lanes, c) = x[r][c];
        }
    }
}

/* Rows i to i + rows - 1 of X <- U^-1 X. */
ALWAYS_INLINE void STRIP_NAME(upper_tile)(size_t rows, const struct dense_factors *F, size_t i,
                                          size_t lanes, double *X)
{
    const double *const a = F->value + i * F->ld;
    size_t const below = i + rows;
    PIECE x[TILE_ROWS][PIECES];
    STRIP_NAME(load_tile)(rows, lanes, X + i * lanes, x);
    STRIP_NAME(subtract)(rows, F->n - below, F->ld, a + below, lanes, X + below * lanes, x);
    UNROLL
    for (size_t k = 0; k < rows; k++) {
        size_t const r = rows - 1 - k;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            UNROLL
            for (size_t s = 0; s < rows; s++)
                if (s > r) x[r][c] -= a[r * F->ld + i + s] * x[s][c];
            PIECE_AT(X + (i + r) * lanes, c) = x[r][c];
        }
    }
}

/* The last n mod 4 rows, from i on: down and up again. */
ALWAYS_INLINE void STRIP_NAME(last_tile)(size_t rows, const struct dense_factors *F, size_t lanes,
                                         double *X)
{
    STRIP_NAME(lower_tile)(rows, F, F->n - rows, lanes, X);
    STRIP_NAME(upper_tile)(rows, F, F->n - rows, lanes, X);
}

/* X <- S_0 ... S_{n-1} X */
static void STRIP_NAME(exchange_rows)(const struct dense_factors *F, size_t lanes, double *X)
{
    for (size_t i = F->n; i-- > 0;) {
        double *const a = X + i * lanes, *const b = X + F->pivot[i] * lanes;
        if (a == b) continue;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE const x = PIECE_OF(a, c), y = PIECE_OF(b, c);
            PIECE_AT(a, c) = y;
            PIECE_AT(b, c) = x;
        }
    }
}

static void STRIP_NAME(solve_dense)(const struct dense_factors *F, size_t lanes, double *X)
{
    size_t const n = F->n, four = n / 4 * 4, whole = n / TILE_ROWS * TILE_ROWS;
    for (size_t i = 0; i < whole; i += TILE_ROWS) STRIP_NAME(lower_tile)(TILE_ROWS, F, i, lanes, X);
    if (whole < four) STRIP_NAME(lower_tile)(4, F, whole, lanes, X);
    switch (n - four) {
    case 3:
        STRIP_NAME(last_tile)(3, F, lanes, X);
        break;
    case 2:
        STRIP_NAME(last_tile)(2, F, lanes, X);
        break;
    case 1:
        STRIP_NAME(last_tile)(1, F, lanes, X);
        break;
    default:
        break;
    }
    if (whole < four) STRIP_NAME(upper_tile)(4, F, whole, lanes, X);
    for (size_t i = whole; i > 0; i -= TILE_ROWS)
        STRIP_NAME(upper_tile)(TILE_ROWS, F, i - TILE_ROWS, lanes, X);
    STRIP_NAME(exchange_rows)(F, lanes, X);
}
