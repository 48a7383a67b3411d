/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted sums of rows: the stages of one-step methods. */
#ifndef MATRIX_KERNELS_ROWS_H
#define MATRIX_KERNELS_ROWS_H

#include "matrix/kernels.h"
#include "matrix/kernels_correct.h"
#include "matrix/vector_types.h"

/* `number` vectors, a constant, from element x on. */
ALWAYS_INLINE void sum_vectors(const struct row_task *t, size_t number, size_t x, double *out)
{
    vector sum[CHUNK];
    const double *at = t->rows + t->row[0] * t->stride + x;
    UNROLL
    for (size_t c = 0; c < number; c++) sum[c] = t->weight[0] * VECTOR_OF(at + c * VECTOR);
    for (int j = 1; j < t->terms; j++) {
        at = t->rows + t->row[j] * t->stride + x;
        double const weight = t->weight[j];
        UNROLL
        for (size_t c = 0; c < number; c++) sum[c] += weight * VECTOR_OF(at + c * VECTOR);
    }
    UNROLL
    for (size_t c = 0; c < number; c++) VECTOR_AT(out + x + c * VECTOR) = sum[c];
}

/* One group: the last row may still be in the store queue. */
ALWAYS_INLINE void sum_group(const struct row_task *t, double *out)
{
    int const last = t->terms - 1;
    const double *const fresh = t->rows + t->row[last] * t->stride;
    vector sum[GROUP];
    UNROLL
    for (size_t c = 0; c < GROUP; c++) sum[c] = t->weight[last] * load_singly(fresh + c * VECTOR);
    for (int j = 0; j < last; j++) {
        const double *const at = t->rows + t->row[j] * t->stride;
        double const weight = t->weight[j];
        UNROLL
        for (size_t c = 0; c < GROUP; c++) sum[c] += weight * VECTOR_OF(at + c * VECTOR);
    }
    UNROLL
    for (size_t c = 0; c < GROUP; c++) VECTOR_AT(out + c * VECTOR) = sum[c];
}

static void sum_rows(const struct row_task *task, double *out)
{
    struct row_task const t = *task; /* a copy that no store can change */
    if (t.count == LANE_GROUP) {
        sum_group(&t, out);
        return;
    }
    size_t x = 0;
    for (; x + MAX_LANES <= t.count; x += MAX_LANES) sum_vectors(&t, CHUNK, x, out);
    for (; x < t.count; x += LANE_GROUP) sum_vectors(&t, GROUP, x, out);
}

static void larger(size_t count, const double *x, const double *y, double *z)
{
    for (size_t i = 0; i < count; i += VECTOR) {
        vector const a = vector_size_of(VECTOR_OF(x + i)), b = vector_size_of(VECTOR_OF(y + i));
        VECTOR_AT(z + i) = vector_choose(a > b, a, b);
    }
}

#endif
