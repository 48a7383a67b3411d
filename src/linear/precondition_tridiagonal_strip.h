/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with tridiagonal factors for a strip of a panel, from both ends to the middle and back; a template, see
   matrix/strip_types.h.  What a row waits for stays in registers. */
#include <stddef.h>

#include "linear/precondition_kernels.h"
#include "matrix/strip_types.h"

/* y = x - a y;  x = inverse y */
ALWAYS_INLINE void STRIP_NAME(go_in)(double a, double inverse, double *x, PIECE y[PIECES])
{
    UNROLL
    for (size_t c = 0; c < PIECES; c++) {
        y[c] = PIECE_OF(x, c) - a * y[c];
        PIECE_AT(x, c) = inverse * y[c];
    }
}

/* x = y = x - a y */
ALWAYS_INLINE void STRIP_NAME(go_out)(double a, double *x, PIECE y[PIECES])
{
    UNROLL
    for (size_t c = 0; c < PIECES; c++) PIECE_AT(x, c) = y[c] = PIECE_OF(x, c) - a * y[c];
}

static void STRIP_NAME(solve_tridiagonal)(const struct tridiagonal_factors *F, size_t lanes,
                                          double *X)
{
    size_t const middle = F->n / 2, below = F->n - 1 - middle;
    const double *const inward = F->inward, *const outward = F->outward;
    double *const centre = X + middle * lanes;
    PIECE top[PIECES], bottom[PIECES];
    UNROLL
    for (size_t c = 0; c < PIECES; c++) top[c] = bottom[c] = (PIECE){0};
    for (size_t k = 0; k < below; k++) {
        size_t const i = F->n - 1 - k;
        STRIP_NAME(go_in)(inward[k], F->inverse[k], X + k * lanes, top);
        STRIP_NAME(go_in)(inward[i], F->inverse[i], X + i * lanes, bottom);
    }
    if (below < middle) STRIP_NAME(go_in)(inward[below], F->inverse[below], X + below * lanes, top);
    UNROLL
    for (size_t c = 0; c < PIECES; c++) {
        PIECE const x = PIECE_OF(centre, c) - inward[middle] * top[c] - F->last * bottom[c];
        PIECE_AT(centre, c) = top[c] = bottom[c] = F->inverse[middle] * x;
    }
    for (size_t k = 1; k <= below; k++) {
        STRIP_NAME(go_out)(outward[middle - k], centre - k * lanes, top);
        STRIP_NAME(go_out)(outward[middle + k], centre + k * lanes, bottom);
    }
    if (below < middle) STRIP_NAME(go_out)(outward[0], X, top);
}
