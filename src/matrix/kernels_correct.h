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

/* A vector whose elements a user function has just stored one by one: one wide load would wait until they all
   are in the cache, single loads take them from the store queue. */
ALWAYS_INLINE vector load_singly(const double *p)
{
    volatile const double *const v = p;
    vector r;
    UNROLL
    for (int k = 0; k < VECTOR; k++) r[k] = v[k];
    return r;
}

/* `number` vectors from element x on; their squares are added to r_part and e_part. */
ALWAYS_INLINE void correct_vectors(const struct correction_task *t, bool few, size_t number,
                                   size_t x, vector *r_part, vector *e_part)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        size_t const at = x + c * VECTOR;
        vector r, e = {0};
        if (few)
            r = load_singly(t->r + at);
        else
            r = VECTOR_OF(t->r + at);
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
    correct_vectors(t, true, GROUP, 0, r_part, e_part);
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
        correct_vectors(&t, false, CHUNK, x, r_part, e_part);
    for (size_t g = 0; x < t.count; x += LANE_GROUP, g += GROUP)
        correct_vectors(&t, false, GROUP, x, r_part + g, e_part + g);
    store_parts(true, false, t.lanes, r_part, t.r_squares);
    store_parts(true, false, t.lanes, e_part, t.e_squares);
}

ALWAYS_INLINE void order_vectors(const struct order_task *t, size_t number, size_t at,
                                 vector *lower, vector *higher)
{
    UNROLL
    for (size_t c = 0; c < number; c++) {
        size_t const x = at + c * VECTOR;
        vector const y = VECTOR_OF(t->y + x), winv = VECTOR_OF(t->winv + x);
        vector const below = (VECTOR_OF(t->x + x) + t->a * y) * winv;
        vector const above = (y + t->b * VECTOR_OF(t->z + x)) * winv;
        lower[c] += below * below;
        higher[c] += above * above;
    }
}

static void order_squares(const struct order_task *t, double *lower, double *higher)
{
    if (t->count == LANE_GROUP) {
        vector below[GROUP] = {{0}}, above[GROUP] = {{0}};
        order_vectors(t, GROUP, 0, below, above);
        store_parts(true, true, t->lanes, below, lower);
        store_parts(true, true, t->lanes, above, higher);
        return;
    }
    vector below[CHUNK] = {{0}}, above[CHUNK] = {{0}};
    size_t x = 0;
    for (; x + MAX_LANES <= t->count; x += MAX_LANES) order_vectors(t, CHUNK, x, below, above);
    for (size_t g = 0; x < t->count; x += LANE_GROUP, g += GROUP)
        order_vectors(t, GROUP, x, below + g, above + g);
    store_parts(true, false, t->lanes, below, lower);
    store_parts(true, false, t->lanes, above, higher);
}

#endif
