/* SPDX-License-Identifier: Apache-2.0 */
/* The history kernel: correct, grow, rescale and predict in one pass.  Each order has its own copy of the loop,
   so that the rows z[0] ... z[order] of a vector's worth of components stay in registers. */
#ifndef MATRIX_KERNELS_HISTORY_H
#define MATRIX_KERNELS_HISTORY_H

#include <assert.h>
#include <stddef.h>

#include "matrix/kernels.h"
#include "matrix/vector_types.h"

enum { MAX_ORDER = HISTORY_ROWS - 2 };

/* z <- P z + l e.  The inner loop has constant length, or gcc does not unroll the outer one. */
ALWAYS_INLINE void correct(int order, const double *l, vector e, vector z[HISTORY_ROWS])
{
    UNROLL
    for (int k = 0; k < order; k++) {
        UNROLL
        for (int j = order - 1; j >= 0; j--)
            if (j >= k) z[j] += z[j + 1];
    }
    UNROLL
    for (int j = 0; j <= order; j++) z[j] += l[j] * e;
}

/* z[j] <- scale[j] z[j] for j <= new_order. */
ALWAYS_INLINE void rescale(int order, int new_order, const double *scale, vector z[HISTORY_ROWS])
{
    UNROLL
    for (int j = 0; j < order; j++) z[j] *= scale[j];
    if (new_order >= order) z[order] *= scale[order];
    if (new_order > order) z[order + 1] *= scale[order + 1];
}

/* y0 = sum_j z[j] and d0 = sum_j j z[j], the small terms first. */
ALWAYS_INLINE void predict(int order, const vector z[HISTORY_ROWS], double *y0, double *d0)
{
    vector y = z[order], d = (double)order * z[order];
    UNROLL
    for (int j = order - 1; j > 0; j--) {
        y += z[j];
        d += (double)j * z[j];
    }
    VECTOR_AT(y0) = y + z[0];
    VECTOR_AT(d0) = d;
}

/* The task for components x to x + VECTOR - 1. */
ALWAYS_INLINE void update(const struct history_task *task, int order, size_t x)
{
    size_t const stride = task->stride;
    double *const row = task->z + x;
    vector z[HISTORY_ROWS];
    UNROLL
    for (int j = 0; j <= order; j++) z[j] = VECTOR_OF(row + (size_t)j * stride);
    int const grown = task->new_order > order;
    z[order + 1] = (vector){0};
    if (grown) z[order + 1] = VECTOR_OF(row + (size_t)(order + 1) * stride);
    if (task->e) {
        vector const e = VECTOR_OF(task->e + x);
        correct(order, task->l, e, z);
        if (task->grow != 0) {
            z[order + 1] = task->grow * e;
            if (!grown) VECTOR_AT(row + (size_t)(order + 1) * stride) = z[order + 1];
        }
    }
    if (task->scale) rescale(order, task->new_order, task->scale, z);
    if (task->e || task->scale) {
        UNROLL
        for (int j = 0; j <= order; j++) VECTOR_AT(row + (size_t)j * stride) = z[j];
        if (grown) VECTOR_AT(row + (size_t)(order + 1) * stride) = z[order + 1];
    }
    if (!task->y0) return;
    if (grown)
        predict(order + 1, z, task->y0 + x, task->d0 + x);
    else if (task->new_order == order)
        predict(order, z, task->y0 + x, task->d0 + x);
    else
        predict(order - 1, z, task->y0 + x, task->d0 + x);
}

ALWAYS_INLINE void update_all(const struct history_task *task, int order)
{
    struct history_task const own = *task; /* a copy that no store into the history can change */
    for (size_t x = 0; x < own.count; x += VECTOR) update(&own, order, x);
}

static void history(const struct history_task *task)
{
    /* clang-format off */
    switch (task->order) {
    case 1: update_all(task, 1); break;
    case 2: update_all(task, 2); break;
    case 3: update_all(task, 3); break;
    case 4: update_all(task, 4); break;
    case 5: update_all(task, 5); break;
    case 6: update_all(task, 6); break;
    case 7: update_all(task, 7); break;
    case 8: update_all(task, 8); break;
    case 9: update_all(task, 9); break;
    case 10: update_all(task, 10); break;
    case 11: update_all(task, 11); break;
    default: assert(task->order == MAX_ORDER); update_all(task, MAX_ORDER);
    }
    /* clang-format on */
}

#endif
