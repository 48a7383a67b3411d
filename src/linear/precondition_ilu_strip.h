/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with incomplete factors for a strip of a panel, one row at a time; a template, see matrix/strip_types.h. */
#include <stddef.h>

#include "linear/gmres_kernels.h"
#include "matrix/strip_types.h"

/* x -= sum_m value[m] X_column[m], from `first` to end - 1. */
ALWAYS_INLINE void STRIP_NAME(subtract_entries)(const struct ilu_factors *F, size_t first,
                                                size_t end, size_t lanes, const double *X,
                                                PIECE x[PIECES])
{
    for (size_t m = first; m < end; m++) {
        UNROLL
        for (size_t c = 0; c < PIECES; c++)
            x[c] -= F->value[m] * PIECE_OF(X + F->column[m] * lanes, c);
    }
}

static void STRIP_NAME(solve_ilu)(const struct ilu_factors *F, size_t lanes, double *X)
{
    PIECE x[PIECES];
    for (size_t i = 0; i < F->n; i++) {
        double *const row = X + i * lanes;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[c] = PIECE_OF(row, c);
        STRIP_NAME(subtract_entries)(F, F->start[i], F->diagonal[i], lanes, X, x);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(row, c) = x[c];
    }
    for (size_t i = F->n; i-- > 0;) {
        double *const row = X + i * lanes;
        double const pivot = F->value[F->diagonal[i]];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[c] = PIECE_OF(row, c);
        STRIP_NAME(subtract_entries)(F, F->diagonal[i] + 1, F->start[i + 1], lanes, X, x);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(row, c) = pivot * x[c];
    }
}
