/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a solve with sparse factors for a strip of a panel; a template, see strip_types.h. */
#include <stddef.h>

#include "matrix/sparse_factors.h"
#include "matrix/strip_types.h"

/* x -= a v */
ALWAYS_INLINE void STRIP_NAME(take_off)(double a, const double *v, PIECE x[PIECES])
{
    UNROLL
    for (size_t c = 0; c < PIECES; c++) x[c] -= a * PIECE_OF(v, c);
}

/* Steps `from` to end - 1, two sums each: the additions of a single one would wait for each other. */
static void STRIP_NAME(solve_steps)(const struct sparse_factors *F, size_t from, size_t end,
                                    size_t lanes, double *X)
{
    const double *restrict const value = F->value;
    const uint32_t *restrict const column = F->column;
    size_t m = from ? F->step[from - 1].end : 0;
    for (size_t s = from; s < end; s++) {
        const struct sparse_step *const step = &F->step[s];
        double *const row = X + step->at * lanes;
        PIECE x[PIECES], other[PIECES];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            x[c] = PIECE_OF(row, c);
            other[c] = (PIECE){0};
        }
        for (; m + 2 <= step->end; m += 2) {
            STRIP_NAME(take_off)(value[m], X + column[m] * lanes, x);
            STRIP_NAME(take_off)(value[m + 1], X + column[m + 1] * lanes, other);
        }
        if (m < step->end) {
            STRIP_NAME(take_off)(value[m], X + column[m] * lanes, x);
            m++;
        }
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(row, c) = (x[c] + other[c]) * step->scale;
    }
}

/* Moves the rows of X to where their pivots are. */
static void STRIP_NAME(move_rows)(const struct sparse_factors *F, size_t lanes, double *X)
{
    size_t e = 0;
    for (size_t k = 0; k < F->cycles; k++) {
        PIECE first[PIECES];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) first[c] = PIECE_OF(X + F->cycle[e] * lanes, c);
        for (; e + 1 < F->cycle_end[k]; e++) {
            UNROLL
            for (size_t c = 0; c < PIECES; c++)
                PIECE_AT(X + F->cycle[e] * lanes, c) = PIECE_OF(X + F->cycle[e + 1] * lanes, c);
        }
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(X + F->cycle[e] * lanes, c) = first[c];
        e++;
    }
}
