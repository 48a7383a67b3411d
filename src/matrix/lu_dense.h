/* SPDX-License-Identifier: Apache-2.0 */
/* Dense LU by blocks of rows.  A row is eliminated by the rows of a block above it all at once; those of the block
   itself one by one, each then seeking its pivot along the row, the others a tile of rows at a time (the transposed
   of LAPACK's right-looking dgetrf). */
#ifndef MATRIX_LU_DENSE_H
#define MATRIX_LU_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "matrix/kernels.h"
#include "matrix/lu_kernels.h"
#include "matrix/lu_small.h"
#include "matrix/vector_types.h"

enum {
    BLOCK = LANE_GROUP,                /* rows start at a cache line, so do the blocks */
    BLOCK_PIECES = BLOCK / VECTOR,     /* vectors in a row of a block */
    UPDATE_ROWS = VECTOR == 8 ? 8 : 4, /* eight sums in a tile */
    UPDATE_COLUMNS = VECTOR == 8          ? 16
                     : TILE_STRIP < BLOCK ? TILE_STRIP
                                          : BLOCK,
    UPDATE_PIECES = UPDATE_COLUMNS / VECTOR,
    TAGS = 4096, /* columns up to which the pivot's number hides in the last bits of its size */
};

/* clang-format off */
/* All bits of the columns from r on, none of those before: behind[r][column]. */
static const long long behind[BLOCK + 1][BLOCK] = {
    {-1, -1, -1, -1, -1, -1, -1, -1},
    { 0, -1, -1, -1, -1, -1, -1, -1},
    { 0,  0, -1, -1, -1, -1, -1, -1},
    { 0,  0,  0, -1, -1, -1, -1, -1},
    { 0,  0,  0,  0, -1, -1, -1, -1},
    { 0,  0,  0,  0,  0, -1, -1, -1},
    { 0,  0,  0,  0,  0,  0, -1, -1},
    { 0,  0,  0,  0,  0,  0,  0, -1},
    { 0,  0,  0,  0,  0,  0,  0,  0},
};
/* clang-format on */

ALWAYS_INLINE vector_bits mask_behind(size_t r, size_t piece)
{
    vector_bits mask;
    memcpy(&mask, &behind[r][piece * VECTOR], sizeof mask);
    return mask;
}

/* Exchanges columns `from` to end - 1 of a row with their pivots. */
ALWAYS_INLINE void exchange_columns(double *row, const size_t *pivot, size_t from, size_t end)
{
    for (size_t k = from; k < end; k++) {
        double const x = row[k];
        row[k] = row[pivot[k]];
        row[pivot[k]] = x;
    }
}

/* Rows i to i + rows - 1: exchanges columns `from` to end - 1 with their pivots, where one of them is elsewhere. */
ALWAYS_INLINE void exchange(const struct dense_factors *F, size_t i, size_t rows, size_t from,
                            size_t end)
{
    bool moved = false;
    for (size_t k = from; k < end; k++) moved |= F->pivot[k] != k;
    for (size_t r = 0; moved && r < rows; r++)
        exchange_columns(F->value + (i + r) * F->ld, F->pivot, from, end);
}

/* The columns of the block in rows at w, by the block's first `depth` rows at U: w <- w U^-1 left of column depth, and
   w less its product with U from there on.  rows and depth are constants. */
ALWAYS_INLINE void eliminate_block(size_t rows, size_t depth, size_t ld, const double *U, double *w)
{
    vector x[UPDATE_ROWS][BLOCK_PIECES];
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < BLOCK_PIECES; c++) x[r][c] = VECTOR_OF(w + r * ld + c * VECTOR);
    }
    UNROLL
    for (size_t s = 0; s < depth; s++) {
        UNROLL
        for (size_t r = 0; r < rows; r++) {
            double const a = x[r][s / VECTOR][s % VECTOR];
            UNROLL
            for (size_t c = 0; c < BLOCK_PIECES; c++) {
                vector_bits const u = (vector_bits)VECTOR_OF(U + s * ld + c * VECTOR);
                x[r][c] -= a * (vector)(u & mask_behind(s + 1, c));
            }
        }
    }
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < BLOCK_PIECES; c++) VECTOR_AT(w + r * ld + c * VECTOR) = x[r][c];
    }
}

/* `pieces` vectors of columns from j on of the same rows: less the product of w's first `depth` columns with U. */
ALWAYS_INLINE void eliminate_tile(size_t rows, size_t depth, size_t pieces, size_t ld, size_t j,
                                  const double *U, double *w)
{
    vector x[UPDATE_ROWS][UPDATE_PIECES];
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < pieces; c++) x[r][c] = VECTOR_OF(w + r * ld + j + c * VECTOR);
    }
    UNROLL
    for (size_t s = 0; s < depth; s++) {
        UNROLL
        for (size_t c = 0; c < pieces; c++) {
            vector const u = VECTOR_OF(U + s * ld + j + c * VECTOR);
            UNROLL
            for (size_t r = 0; r < rows; r++) x[r][c] -= w[r * ld + s] * u;
        }
    }
    UNROLL
    for (size_t r = 0; r < rows; r++) {
        UNROLL
        for (size_t c = 0; c < pieces; c++) VECTOR_AT(w + r * ld + j + c * VECTOR) = x[r][c];
    }
}

/* Rows i to i + rows - 1 by the first `depth` rows of the block that starts at (k, k). */
ALWAYS_INLINE void eliminate(size_t rows, size_t depth, const struct dense_factors *F, size_t k,
                             size_t i)
{
    const double *const U = F->value + k * F->ld + k;
    double *const w = F->value + i * F->ld + k;
    exchange(F, i, rows, k, k + depth);
    eliminate_block(rows, depth, F->ld, U, w);
    size_t j = BLOCK;
    for (; j + UPDATE_COLUMNS <= F->ld - k; j += UPDATE_COLUMNS)
        eliminate_tile(rows, depth, UPDATE_PIECES, F->ld, j, U, w);
    for (; j < F->ld - k; j += VECTOR) eliminate_tile(rows, depth, 1, F->ld, j, U, w);
}

/* A row of the block, k + depth. */
static void eliminate_row(const struct dense_factors *F, size_t k, size_t depth)
{
    /* clang-format off */
    switch (depth) {
    case 1: eliminate(1, 1, F, k, k + 1); break;
    case 2: eliminate(1, 2, F, k, k + 2); break;
    case 3: eliminate(1, 3, F, k, k + 3); break;
    case 4: eliminate(1, 4, F, k, k + 4); break;
    case 5: eliminate(1, 5, F, k, k + 5); break;
    case 6: eliminate(1, 6, F, k, k + 6); break;
    case 7: eliminate(1, 7, F, k, k + 7); break;
    default: break;
    }
    /* clang-format on */
}

/* The column of the largest entry of a row, from column k on, one after the other; what is not finite wins. */
static size_t find_pivot_far(const double *row, const double *size, size_t k, size_t ld)
{
    size_t best = k;
    for (size_t j = k; j < ld && !isnan(row[best]); j++)
        if (!(fabs(row[j]) * size[j] <= fabs(row[best]) * size[best])) best = j;
    return best;
}

/* The same from column k + r on, of rows of TAGS columns at most: the sizes, their last bits replaced by numbers of
   columns counted backward, are compared all together as whole numbers, which rise as sizes do, so that ties go to the
   first column.  Rounding the sizes to 40 bits does not hurt; the zeros behind column n lose to any other entry; what is
   not finite wins. */
static size_t find_pivot(const double *row, const double *size, size_t k, size_t r, size_t ld)
{
    long long all[VECTOR], best = 0;
    vector_bits top = {0}, tag = {0};
    for (size_t c = 0; c < VECTOR; c++) tag[c] = (long long)(TAGS - 1 - k - c);
    for (size_t j = k; j < ld; j += VECTOR) {
        vector const x = VECTOR_OF(row + j) * VECTOR_OF(size + j);
        vector_bits key = ((vector_bits)x & (0x7fffffffffffffffLL & ~(long long)(TAGS - 1))) | tag;
        if (j < k + BLOCK) key &= mask_behind(r, (j - k) / VECTOR);
        vector_bits const more = key > top;
        top = (more & key) | (~more & top);
        tag -= VECTOR;
    }
    memcpy(all, &top, sizeof all);
    for (size_t c = 0; c < VECTOR; c++) best = all[c] > best ? all[c] : best;
    return (size_t)(TAGS - 1 - (best & (TAGS - 1)));
}

/* Divides row k + r, to the right of its diagonal, by the pivot there.  False if that is impossible. */
static bool scale(const struct dense_factors *F, size_t k, size_t r)
{
    double *const row = F->value + (k + r) * F->ld + k;
    double const pivot = row[r], inverse = 1 / pivot;
    if (!(isfinite(pivot) && isfinite(inverse))) return false;
    for (size_t c = 0; c < BLOCK_PIECES; c++) {
        vector const old = VECTOR_OF(row + c * VECTOR);
        VECTOR_AT(row + c * VECTOR) = vector_choose(mask_behind(r + 1, c), old * inverse, old);
    }
    for (size_t j = BLOCK; j < F->ld - k; j += VECTOR)
        VECTOR_AT(row + j) = VECTOR_OF(row + j) * inverse;
    row[r] = inverse;
    return true;
}

/* Small matrices: one row after the other by plain loops. */
static ptrdiff_t factor_small(struct dense_factors *F)
{
    size_t const n = F->n, ld = F->ld;
    double *restrict const a = F->value;
    for (size_t k = 0; k < n; k++) {
        double *const row = a + k * ld;
        size_t pivot = k;
        for (size_t j = k + 1; j < n; j++)
            if (fabs(row[j]) * F->size[j] > fabs(row[pivot]) * F->size[pivot]) pivot = j;
        F->pivot[k] = pivot;
        exchange_columns(F->size, F->pivot, k, k + 1);
        for (size_t i = 0; i < n; i++) {
            double const x = a[i * ld + k];
            a[i * ld + k] = a[i * ld + pivot];
            a[i * ld + pivot] = x;
        }
        double const inverse = 1 / row[k];
        if (!(isfinite(row[k]) && isfinite(inverse))) return (ptrdiff_t)k + 1;
        row[k] = inverse;
        for (size_t j = k + 1; j < n; j++) row[j] *= inverse;
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; j < n; j++) a[i * ld + j] -= a[i * ld + k] * row[j];
    }
    return 0;
}

static ptrdiff_t factor_dense(struct dense_factors *F)
{
    size_t const n = F->n;
    if (n <= SMALL) return F->order ? factor_ordered(F) : factor_small(F);
    for (size_t k = 0; k < n; k += BLOCK) {
        size_t const end = k + BLOCK < n ? k + BLOCK : n;
        for (size_t i = k; i < end; i++) {
            eliminate_row(F, k, i - k);
            const double *const row = F->value + i * F->ld;
            F->pivot[i] = F->ld <= TAGS ? find_pivot(row, F->size, k, i - k, F->ld)
                                        : find_pivot_far(row, F->size, i, F->ld);
            exchange(F, 0, i + 1, i, i + 1);
            exchange_columns(F->size, F->pivot, i, i + 1);
            if (!scale(F, k, i - k)) return (ptrdiff_t)i + 1;
        }
        size_t i = end;
        for (; i + UPDATE_ROWS <= n; i += UPDATE_ROWS) eliminate(UPDATE_ROWS, BLOCK, F, k, i);
        for (; i + 4 <= n; i += 4) eliminate(4, BLOCK, F, k, i);
        for (; i < n; i++) eliminate(1, BLOCK, F, k, i);
    }
    return 0;
}

#endif
