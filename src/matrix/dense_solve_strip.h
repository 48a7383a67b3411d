/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with dense factors for a strip of a panel, as sums x_i - sum_j a_ij x_j, tile by tile; a template, see
   strip_types.h.  `rows` is a constant wherever it is the first parameter.  Row i of the system is row at[i] of the panel, or row
   i when `at` is NULL, a constant too. */
#include <stddef.h>
#include <stdint.h>

#include "matrix/lu_kernels.h"
#include "matrix/lu_tiny.h"
#include "matrix/strip_types.h"

struct STRIP_NAME(target) {
    const uint32_t *at;
    size_t lanes;
    double *X;
};

ALWAYS_INLINE double *STRIP_NAME(row_of)(struct STRIP_NAME(target) t, size_t i)
{
    return t.X + (t.at ? t.at[i] : i) * t.lanes;
}

ALWAYS_INLINE void STRIP_NAME(load_tile)(size_t rows, struct STRIP_NAME(target) t, size_t i,
                                         PIECE x[TILE_ROWS][PIECES])
{
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[r][c] = PIECE_OF(STRIP_NAME(row_of)(t, i + r), c);
    }
}

/* x_r -= sum_j a_rj X_j over the columns j from `from` to end - 1 */
ALWAYS_INLINE void STRIP_NAME(subtract)(size_t rows, size_t ld, const double *a, size_t from,
                                        size_t end, struct STRIP_NAME(target) t,
                                        PIECE x[TILE_ROWS][PIECES])
{
    for (size_t j = from; j < end; j++) {
        const double *const row = STRIP_NAME(row_of)(t, j);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE const v = PIECE_OF(row, c);
            UNROLL
            for (size_t r = 0; r < rows; r++) x[r][c] -= a[r * ld + j] * v;
        }
    }
}

/* Rows i to i + rows - 1 of X <- L^-1 X. */
ALWAYS_INLINE void STRIP_NAME(lower_tile)(size_t rows, const struct dense_factors *F, size_t i,
                                          struct STRIP_NAME(target) t)
{
    const double *const a = F->value + i * F->ld;
    PIECE x[TILE_ROWS][PIECES];
    STRIP_NAME(load_tile)(rows, t, i, x);
    STRIP_NAME(subtract)(rows, F->ld, a, 0, i, t, x);
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            UNROLL
            for (size_t s = 0; s < rows; s++)
                if (s < r) x[r][c] -= a[r * F->ld + i + s] * x[s][c];
            x[r][c] *= a[r * F->ld + i + r];
            PIECE_AT(STRIP_NAME(row_of)(t, i + r), c) = x[r][c];
        }
    }
}

/* Rows i to i + rows - 1 of X <- U^-1 X. */
ALWAYS_INLINE void STRIP_NAME(upper_tile)(size_t rows, const struct dense_factors *F, size_t i,
                                          struct STRIP_NAME(target) t)
{
    const double *const a = F->value + i * F->ld;
    PIECE x[TILE_ROWS][PIECES];
    STRIP_NAME(load_tile)(rows, t, i, x);
    STRIP_NAME(subtract)(rows, F->ld, a, i + rows, F->n, t, x);
    UNROLL
    for (size_t k = 0; k < rows; k++) {
        size_t const r = rows - 1 - k;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            UNROLL
            for (size_t s = 0; s < rows; s++)
                if (s > r) x[r][c] -= a[r * F->ld + i + s] * x[s][c];
            PIECE_AT(STRIP_NAME(row_of)(t, i + r), c) = x[r][c];
        }
    }
}

/* The last n mod 4 rows, from i on: down and up again. */
ALWAYS_INLINE void STRIP_NAME(last_tile)(size_t rows, const struct dense_factors *F,
                                         struct STRIP_NAME(target) t)
{
    STRIP_NAME(lower_tile)(rows, F, F->n - rows, t);
    STRIP_NAME(upper_tile)(rows, F, F->n - rows, t);
}

/* X <- S_0 ... S_{n-1} X */
ALWAYS_INLINE void STRIP_NAME(exchange_rows)(const struct dense_factors *F,
                                             struct STRIP_NAME(target) t)
{
    for (size_t i = F->n; i-- > 0;) {
        double *const a = STRIP_NAME(row_of)(t, i), *const b = STRIP_NAME(row_of)(t, F->pivot[i]);
        if (a == b) continue;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            PIECE const x = PIECE_OF(a, c), y = PIECE_OF(b, c);
            PIECE_AT(a, c) = y;
            PIECE_AT(b, c) = x;
        }
    }
}

ALWAYS_INLINE void STRIP_NAME(solve_rows)(const struct dense_factors *F,
                                          struct STRIP_NAME(target) t)
{
    size_t const n = F->n, four = n / 4 * 4, whole = n / TILE_ROWS * TILE_ROWS;
    for (size_t i = 0; i < whole; i += TILE_ROWS) STRIP_NAME(lower_tile)(TILE_ROWS, F, i, t);
    if (whole < four) STRIP_NAME(lower_tile)(4, F, whole, t);
    switch (n - four) {
    case 3:
        STRIP_NAME(last_tile)(3, F, t);
        break;
    case 2:
        STRIP_NAME(last_tile)(2, F, t);
        break;
    case 1:
        STRIP_NAME(last_tile)(1, F, t);
        break;
    default:
        break;
    }
    if (whole < four) STRIP_NAME(upper_tile)(4, F, whole, t);
    for (size_t i = whole; i > 0; i -= TILE_ROWS)
        STRIP_NAME(upper_tile)(TILE_ROWS, F, i - TILE_ROWS, t);
    STRIP_NAME(exchange_rows)(F, t);
}

#if STRIP <= VECTOR
/* All of it for n rows of ld columns, both constants, with known order: nothing leaves the registers. */
ALWAYS_INLINE void STRIP_NAME(solve_tiny)(size_t n, size_t ld, const struct dense_factors *F,
                                          size_t lanes, double *X)
{
    const double *const a = F->value;
    PIECE t[TINY];
    UNROLL
    for (size_t i = 0; i < n; i++) {
        t[i] = PIECE_OF(X + i * lanes, 0);
        UNROLL
        for (size_t j = 0; j < TINY; j++)
            if (j < i) t[i] -= a[i * ld + j] * t[j];
        t[i] *= a[i * ld + i];
    }
    UNROLL
    for (size_t k = 1; k < n; k++) {
        size_t const i = n - 1 - k;
        UNROLL
        for (size_t j = TINY; j-- > 0;)
            if (j > i && j < n) t[i] -= a[i * ld + j] * t[j];
    }
    UNROLL
    for (size_t j = 0; j < n; j++) PIECE_AT(X + F->order[j] * lanes, 0) = t[j];
}

static bool STRIP_NAME(solved_tiny)(const struct dense_factors *F, size_t lanes, double *X)
{
    if (F->n > TINY || !F->order) return false;
#define TINY_CASE(rows)                                                                            \
    case rows:                                                                                     \
        STRIP_NAME(solve_tiny)(rows, TINY_COLUMNS(rows), F, lanes, X);                             \
        return true;
    switch (F->n) {
        EACH_TINY(TINY_CASE)
    default:
        return false;
    }
#undef TINY_CASE
}
#endif

static void STRIP_NAME(solve_dense)(const struct dense_factors *F, size_t lanes, double *X)
{
#if STRIP <= VECTOR
    if (STRIP_NAME(solved_tiny)(F, lanes, X)) return;
#endif
    STRIP_NAME(solve_rows)(F, (struct STRIP_NAME(target)){NULL, lanes, X});
}

/* The dense tail of sparse factors. */
static void STRIP_NAME(solve_tail)(const struct dense_factors *F, const uint32_t *at, size_t lanes,
                                   double *X)
{
    if (at) STRIP_NAME(solve_rows)(F, (struct STRIP_NAME(target)){at, lanes, X});
}
