/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrix times a strip of a panel, tile by tile; a template, see strip_types.h. */
#include <stddef.h>

#include "matrix/strip_types.h"

/* R_r += sum_j A_rj V_j for `rows` <= TILE_ROWS rows, a constant. */
ALWAYS_INLINE void STRIP_NAME(multiply_tile)(size_t rows, size_t n, const double *restrict A,
                                             size_t lanes, const double *restrict V,
                                             double *restrict R)
{
    PIECE sum[TILE_ROWS][PIECES] = {{{0}}};
    for (size_t j = 0; j < n; j++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE const v = PIECE_OF(V + j * lanes, c);
            UNROLL
            for (size_t r = 0; r < rows; r++) sum[r][c] += A[r * n + j] * v;
        }
    }
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(R + r * lanes, c) += sum[r][c];
    }
}

static void STRIP_NAME(multiply_dense)(size_t n, const double *A, size_t lanes, const double *V,
                                       double *R)
{
    size_t i = 0;
    for (; i + TILE_ROWS <= n; i += TILE_ROWS)
        STRIP_NAME(multiply_tile)(TILE_ROWS, n, A + i * n, lanes, V, R + i * lanes);
    if (TILE_ROWS > 4 && i + 4 <= n) {
        STRIP_NAME(multiply_tile)(4, n, A + i * n, lanes, V, R + i * lanes);
        i += 4;
    }
    A += i * n;
    R += i * lanes;
    switch (n - i) {
    case 3:
        STRIP_NAME(multiply_tile)(3, n, A, lanes, V, R);
        break;
    case 2:
        STRIP_NAME(multiply_tile)(2, n, A, lanes, V, R);
        break;
    case 1:
        STRIP_NAME(multiply_tile)(1, n, A, lanes, V, R);
        break;
    default:
        break;
    }
}
