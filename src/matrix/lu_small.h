/* SPDX-License-Identifier: Apache-2.0 */
/* Dense LU of small matrices whose columns already stand in the order of the last pivots.  As long as that order is right, which
   is almost always, nothing waits for the search: the processor goes on with the expected pivot while it is being
   compared with the rest of its row.  The pivot is the largest entry of the row, the first of them in W; so the factors
   do not depend on the order that was expected. */
#ifndef MATRIX_LU_SMALL_H
#define MATRIX_LU_SMALL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "matrix/kernels.h"
#include "matrix/lu_kernels.h"
#include "matrix/vector_types.h"

/* Vectors in the shortest row. */
#define LEAST_PIECES ((size_t)LANE_GROUP / VECTOR)

/* All bits in columns j > k of piece c of a row, none in the others. */
ALWAYS_INLINE vector_bits columns_behind(size_t k, size_t c)
{
    vector number;
    UNROLL
    for (size_t j = 0; j < VECTOR; j++) number[j] = (double)(c * VECTOR + j);
    return number > (double)k;
}

/* The column of the largest entry of a row from k on; of several the one that comes first in W. */
static size_t first_largest(const struct dense_factors *F, size_t k)
{
    const double *const row = F->value + k * F->ld;
    size_t best = k;
    for (size_t j = k + 1; j < F->n; j++) {
        double const size = fabs(row[j]) * F->size[j], least = fabs(row[best]) * F->size[best];
        if (size > least || (size == least && F->order[j] < F->order[best])) best = j;
    }
    return best;
}

/* Columns k and j of everything. */
static __attribute__((noinline)) void exchange_everywhere(struct dense_factors *F, size_t k,
                                                          size_t j)
{
    size_t const column = F->order[k];
    F->order[k] = F->order[j];
    F->order[j] = column;
    double const size = F->size[k];
    F->size[k] = F->size[j];
    F->size[j] = size;
    for (size_t i = 0; i < F->n; i++) {
        double *const row = F->value + i * F->ld;
        double const x = row[k];
        row[k] = row[j];
        row[j] = x;
    }
}

/* The order as exchanges: S_k brings the column of W that stands at k there. */
static void find_exchanges(struct dense_factors *F)
{
    size_t at[SMALL];
    for (size_t j = 0; j < F->n; j++) at[j] = j;
    for (size_t k = 0; k < F->n; k++) {
        size_t j = k;
        while (at[j] != F->order[k]) j++;
        at[j] = at[k];
        F->pivot[k] = j;
    }
}

/* Row k of `pieces` vectors, a constant: the pivot is made the largest from column k on, what is behind it divided by it and
   left in u, with zeros up to column k.  False if that is impossible. */
ALWAYS_INLINE bool scale_small(size_t pieces, struct dense_factors *F, size_t k, vector *u,
                               bool *exchanged)
{
    double *const row = F->value + k * F->ld;
    vector_bits larger = {0};
    double pivot = row[k];
    double const least = fabs(pivot) * F->size[k];
    UNROLL
    for (size_t c = 0; c < pieces; c++) {
        vector const size =
            vector_size_of(VECTOR_OF(row + c * VECTOR)) * VECTOR_OF(F->size + c * VECTOR);
        larger |= columns_behind(k, c) & (size >= least);
    }
    if (vector_any(larger)) {
        size_t const best = first_largest(F, k);
        if (best != k) {
            exchange_everywhere(F, k, best);
            *exchanged = true;
            pivot = row[k];
        }
    }
    double const inverse = 1 / pivot;
    if (!(isfinite(pivot) && isfinite(inverse))) return false;
    UNROLL
    for (size_t c = 0; c < pieces; c++) {
        vector_bits const mask = columns_behind(k, c);
        vector const old = VECTOR_OF(row + c * VECTOR);
        u[c] = (vector)(mask & (vector_bits)(old * inverse));
        VECTOR_AT(row + c * VECTOR) = vector_choose(mask, u[c], old);
    }
    row[k] = inverse;
    return true;
}

ALWAYS_INLINE ptrdiff_t factor_pieces(size_t pieces, struct dense_factors *F)
{
    size_t const n = F->n, ld = pieces * VECTOR;
    ptrdiff_t failed = 0;
    bool exchanged = false;
    for (size_t k = 0; k < n && failed == 0; k++) {
        vector u[SMALL / VECTOR + LEAST_PIECES];
        if (!scale_small(pieces, F, k, u, &exchanged)) {
            failed = (ptrdiff_t)k + 1;
            break;
        }
        for (size_t i = k + 1; i < n; i++) {
            double *const row = F->value + i * ld;
            double const a = row[k];
            UNROLL
            for (size_t c = 0; c < pieces; c++)
                VECTOR_AT(row + c * VECTOR) = VECTOR_OF(row + c * VECTOR) - a * u[c];
        }
    }
    if (exchanged) find_exchanges(F);
    return failed;
}

static ptrdiff_t factor_ordered(struct dense_factors *F)
{
    switch (F->ld / LANE_GROUP) {
    case 1:
        return factor_pieces(LEAST_PIECES, F);
    case 2:
        return factor_pieces(2 * LEAST_PIECES, F);
    default:
        return factor_pieces(3 * LEAST_PIECES, F);
    }
}

#endif
