/* SPDX-License-Identifier: Apache-2.0 */
/* The corrector's kernels: residual, and one iteration (residual, scaling, update, both norms) in one pass. */
#ifndef MATRIX_KERNELS_CORRECT_H
#define MATRIX_KERNELS_CORRECT_H

#include "matrix/kernels.h"
#include "matrix/kernels_norms.h"
#include "matrix/vector_types.h"

static void residual(size_t count, double a, const double *d0, double b, const double *e, double *r)
{
    if (e)
        for (size_t x = 0; x < count; x += VECTOR)
            VECTOR_AT(r + x) = VECTOR_OF(r + x) + a * VECTOR_OF(d0 + x) + b * VECTOR_OF(e + x);
    else
        for (size_t x = 0; x < count; x += VECTOR)
            VECTOR_AT(r + x) = VECTOR_OF(r + x) + a * VECTOR_OF(d0 + x);
}

/* `number` vectors from element x on; their squares are added to r_part and e_part. */
ALWAYS_INLINE void correct_vectors(const struct correction_task *t, size_t number, size_t x,
                                   vector *r_part, vector *e_part)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        size_t const at = x + c * VECTOR;
        vector r = VECTOR_OF(t->r + at), e = {0};
        if (!t->first) e = VECTOR_OF(t->e + at);
        if (t->d0) r += t->a * VECTOR_OF(t->d0 + at) + t->b * e;
        r *= t->scale;
        e += r;
        VECTOR_AT(t->r + at) = r;
        VECTOR_AT(t->e + at) = e;
        VECTOR_AT(t->y + at) = VECTOR_OF(t->y0 + at) + e;
        vector const winv = VECTOR_OF(t->winv + at);
        r_part[c] += r * winv * r * winv;
        e_part[c] += e * winv * e * winv;
    }
}

/* A panel of one group: two or three registers. */
ALWAYS_INLINE void correct_group(const struct correction_task *t)
{
    vector r_part[GROUP] = {{0}}, e_part[GROUP] = {{0}};
    correct_vectors(t, GROUP, 0, r_part, e_part);
    store_parts(true, true, t->lanes, r_part, t->r_squares);
    store_parts(true, true, t->lanes, e_part, t->e_squares);
}

static void correct_part(const struct correction_task *task)
{
    if (task->count == LANE_GROUP) {
        correct_group(task);
        return;
    }
    struct correction_task const t = *task; /* a copy that no store can change */
    vector r_part[CHUNK] = {{0}}, e_part[CHUNK] = {{0}};
    size_t x = 0;
    for (; x + MAX_LANES <= t.count; x += MAX_LANES)
        correct_vectors(&t, CHUNK, x, r_part, e_part);
    for (size_t g = 0; x < t.count; x += LANE_GROUP, g += GROUP)
        correct_vectors(&t, GROUP, x, r_part + g, e_part + g);
    store_parts(true, false, t.lanes, r_part, t.r_squares);
    store_parts(true, false, t.lanes, e_part, t.e_squares);
}

#endif
