/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows times a strip of a panel, one row at a time; a template, see strip_types.h. */
#include <stddef.h>

#include "matrix/kernels.h"
#include "matrix/strip_types.h"

/* sum += a v */
ALWAYS_INLINE void STRIP_NAME(add_scaled)(double a, const double *v, PIECE sum[PIECES])
{
    UNROLL
    for (size_t c = 0; c < PIECES; c++) sum[c] += a * PIECE_OF(v, c);
}

/* Two sums a row: the additions of a single one would wait for each other. */
static void STRIP_NAME(multiply_sparse)(const struct sparse_rows *A, size_t lanes,
                                        const double *restrict V, double *restrict R)
{
    const double *restrict const value = A->value;
    const size_t *restrict const column = A->column;
    for (size_t i = 0; i < A->n; i++) {
        size_t const end = A->start[i + 1];
        size_t m = A->start[i];
        PIECE sum[PIECES], other[PIECES];
        UNROLL
        for (size_t c = 0; c < PIECES; c++) {
            sum[c] = PIECE_OF(R + i * lanes, c);
            other[c] = (PIECE){0};
        }
        for (; m + 2 <= end; m += 2) {
            STRIP_NAME(add_scaled)(value[m], V + column[m] * lanes, sum);
            STRIP_NAME(add_scaled)(value[m + 1], V + column[m + 1] * lanes, other);
        }
        if (m < end) STRIP_NAME(add_scaled)(value[m], V + column[m] * lanes, sum);
        UNROLL
        for (size_t c = 0; c < PIECES; c++) PIECE_AT(R + i * lanes, c) = sum[c] + other[c];
    }
}
