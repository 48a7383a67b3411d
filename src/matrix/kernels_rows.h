/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted sums of rows: the stages of one-step methods. */
#ifndef MATRIX_KERNELS_ROWS_H
#define MATRIX_KERNELS_ROWS_H

#include "matrix/kernels.h"
#include "matrix/kernels_correct.h"
#include "matrix/vector_types.h"

ALWAYS_INLINE const double *row_of(const struct row_task *t, int j)
{
    return t->rows + t->row[j] * t->stride;
}

/* out = base + factor sum, `number` vectors, a constant, from element x on. */
ALWAYS_INLINE void store_sum(const struct row_task *t, size_t number, size_t x, const vector *sum,
                             double *out)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        vector v = t->factor * sum[c];
        if (t->base) v += VECTOR_OF(t->base + x + c * VECTOR);
        VECTOR_AT(out + x + c * VECTOR) = v;
    }
}

/* Vectors that are summed at once: the additions of fewer would wait for each other, more do not fit into the registers. */
enum { SUMS = 8, WIDE = SUMS * VECTOR, HALF_WIDE = WIDE / 2 };

ALWAYS_INLINE void sum_vectors(const struct row_task *t, size_t number, size_t x, double *out)
{
    vector sum[SUMS];
    const double *at = row_of(t, 0) + x;
    UNROLL
    for (size_t c = 0; c < number; c++) sum[c] = t->weight[0] * VECTOR_OF(at + c * VECTOR);
    for (int j = 1; j < t->terms; j++) {
        at = row_of(t, j) + x;
        double const weight = t->weight[j];
        UNROLL
        for (size_t c = 0; c < number; c++) sum[c] += weight * VECTOR_OF(at + c * VECTOR);
    }
    store_sum(t, number, x, sum, out);
}

/* One group, in two sums as the additions of one would wait for each other; the last row, which may still be in the store
   queue, comes last. */
ALWAYS_INLINE void sum_group(const struct row_task *t, double *out)
{
    int const last = t->terms - 1;
    vector sum[GROUP] = {{0}}, other[GROUP] = {{0}};
    int j = 0;
    for (; j + 1 < last; j += 2) {
        const double *const a = row_of(t, j), *const b = row_of(t, j + 1);
        double const weight = t->weight[j], next = t->weight[j + 1];
        UNROLL
        for (size_t c = 0; c < GROUP; c++) {
            sum[c] += weight * VECTOR_OF(a + c * VECTOR);
            other[c] += next * VECTOR_OF(b + c * VECTOR);
        }
    }
    if (j < last) {
        const double *const a = row_of(t, j);
        UNROLL
        for (size_t c = 0; c < GROUP; c++) sum[c] += t->weight[j] * VECTOR_OF(a + c * VECTOR);
    }
    const double *const fresh = row_of(t, last);
    UNROLL
    for (size_t c = 0; c < GROUP; c++)
        sum[c] += other[c] + t->weight[last] * load_singly(fresh + c * VECTOR);
    store_sum(t, GROUP, 0, sum, out);
}

static void sum_rows(const struct row_task *task, double *out)
{
    struct row_task const t = *task; /* a copy that no store can change */
    if (t.count == LANE_GROUP) {
        sum_group(&t, out);
        return;
    }
    size_t x = 0;
    for (; x + WIDE <= t.count; x += WIDE) sum_vectors(&t, SUMS, x, out);
    if (x + HALF_WIDE <= t.count) {
        sum_vectors(&t, SUMS / 2, x, out);
        x += HALF_WIDE;
    }
    for (; x < t.count; x += LANE_GROUP) sum_vectors(&t, GROUP, x, out);
}

/* Lanes that fill a vector, or are too few for that. */
static void row_sizes(size_t n, size_t lanes, const double *factor, const double *V,
                      double *largest, double *squares)
{
    for (size_t k = 0; k + VECTOR <= lanes; k += VECTOR) {
        vector most = VECTOR_OF(largest + k), sum = VECTOR_OF(squares + k);
        for (size_t i = 0; i < n; i++) {
            vector const v = factor[i] * vector_size_of(VECTOR_OF(V + i * lanes + k));
            most = vector_choose(v > most, v, most);
            sum += v * v;
        }
        VECTOR_AT(largest + k) = most;
        VECTOR_AT(squares + k) = sum;
    }
    for (size_t k = 0; k < lanes && lanes < VECTOR; k++)
        for (size_t i = 0; i < n; i++) {
            double const v = factor[i] * fabs(V[i * lanes + k]);
            largest[k] = v > largest[k] ? v : largest[k];
            squares[k] += v * v;
        }
}

static void larger(size_t count, const double *x, const double *y, double *z)
{
    for (size_t i = 0; i < count; i += VECTOR) {
        vector const a = vector_size_of(VECTOR_OF(x + i)), b = vector_size_of(VECTOR_OF(y + i));
        VECTOR_AT(z + i) = vector_choose(a > b, a, b);
    }
}

#endif
