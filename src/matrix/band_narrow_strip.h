/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with band factors that have as many diagonals above as below, NARROW at most, and no exchanges, for a panel of STRIP
   lanes; a template, see strip_types.h.  A row waits for nothing but its product with the row before, which comes
   last: what the rows next to it hold stays in registers, and the diagonal multiplies the rest of its row meanwhile. */
#include <stdbool.h>
#include <stddef.h>

#include "matrix/lu_kernels.h"
#include "matrix/strip_types.h"

#ifndef NARROW
#define NARROW 4
#endif

#if STRIP <= VECTOR
/* Rows from `from` to end - 1 of X <- L^-1 X; near[j] is row i - j.  b, the number of diagonals, and `inner`, that row i has all
   of them, are constants. */
ALWAYS_INLINE void STRIP_NAME(narrow_down)(size_t b, bool inner, const struct band_factors *F,
                                           size_t from, size_t end, double *X, PIECE *near)
{
    for (size_t i = from; i < end; i++) {
        const double *const a = F->value + i * F->width + 2 * b;
        PIECE x = a[0] * PIECE_OF(X + i * STRIP, 0);
        UNROLL
        for (size_t j = NARROW; j > 0; j--)
            if (j <= b && (inner || j <= i)) x -= (a[0] * *(a - j)) * near[j];
        PIECE_AT(X + i * STRIP, 0) = x;
        UNROLL
        for (size_t j = NARROW; j > 1; j--) near[j] = near[j - 1];
        near[1] = x;
    }
}

/* Rows from end - 1 to `from` of X <- U^-1 X; near[j] is row i + j. */
ALWAYS_INLINE void STRIP_NAME(narrow_up)(size_t b, bool inner, const struct band_factors *F,
                                         size_t from, size_t end, double *X, PIECE *near)
{
    for (size_t i = end; i-- > from;) {
        const double *const a = F->value + i * F->width + 2 * b;
        PIECE x = PIECE_OF(X + i * STRIP, 0);
        UNROLL
        for (size_t j = NARROW; j > 0; j--)
            if (j <= b && (inner || i + j < F->n)) x -= a[j] * near[j];
        PIECE_AT(X + i * STRIP, 0) = x;
        UNROLL
        for (size_t j = NARROW; j > 1; j--) near[j] = near[j - 1];
        near[1] = x;
    }
}

ALWAYS_INLINE void STRIP_NAME(narrow_both)(size_t b, const struct band_factors *F, double *X)
{
    size_t const n = F->n, edge = b < n ? b : n;
    PIECE near[NARROW + 1];
    UNROLL
    for (size_t j = 0; j <= NARROW; j++) near[j] = (PIECE){0};
    STRIP_NAME(narrow_down)(b, false, F, 0, edge, X, near);
    STRIP_NAME(narrow_down)(b, true, F, edge, n, X, near);
    STRIP_NAME(narrow_up)(b, false, F, n - edge, n, X, near);
    STRIP_NAME(narrow_up)(b, true, F, 0, n - edge, X, near);
}

static void STRIP_NAME(solve_narrow)(const struct band_factors *F, double *X)
{
    switch (F->upper) {
    case 1:
        STRIP_NAME(narrow_both)(1, F, X);
        break;
    case 2:
        STRIP_NAME(narrow_both)(2, F, X);
        break;
    case 3:
        STRIP_NAME(narrow_both)(3, F, X);
        break;
    default:
        STRIP_NAME(narrow_both)(4, F, X);
        break;
    }
}
#endif
