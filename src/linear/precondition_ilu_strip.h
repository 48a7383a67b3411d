/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with incomplete factors for a strip of a panel, one row at a time; a template, see matrix/strip_types.h. */
#include <stddef.h>

#include "linear/precondition_kernels.h"
#include "matrix/strip_types.h"

/* x -= a X_column */
ALWAYS_INLINE void STRIP_NAME(subtract_entry)(const struct ilu_factors *F, size_t m, size_t lanes,
                                              const double *X, PIECE x[PIECES])
{
    UNROLL
    for (size_t c = 0; c < PIECES; c++) x[c] -= F->value[m] * PIECE_OF(X + F->column[m] * lanes, c);
}

/* Near columns, which have only just been found, come last. */
static void STRIP_NAME(solve_ilu)(const struct ilu_factors *F, size_t lanes, double *X)
{
    PIECE x[PIECES];
    for (size_t i = 0; i < F->n; i++) {
        double *const row = X + i * lanes;
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[c] = PIECE_OF(row, c);
        for (size_t m = F->start[i]; m < F->diagonal[i]; m++)
            STRIP_NAME(subtract_entry)(F, m, lanes, X, x);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(row, c) = x[c];
    }
    for (size_t i = F->n; i-- > 0;) {
        double *const row = X + i * lanes;
        double const pivot = F->value[F->diagonal[i]];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) x[c] = pivot * PIECE_OF(row, c);
        for (size_t m = F->start[i + 1] - 1; m > F->diagonal[i]; m--)
            STRIP_NAME(subtract_entry)(F, m, lanes, X, x);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(row, c) = x[c];
    }
}
