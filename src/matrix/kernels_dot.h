/* SPDX-License-Identifier: Apache-2.0 */
/* Dot products of matrix rows with a vector, for panels of one lane. */
#ifndef MATRIX_KERNELS_DOT_H
#define MATRIX_KERNELS_DOT_H

#include <stddef.h>

#include "matrix/vector_types.h"

enum { DOT_ROWS = 8 }; /* rows at once: their sums stay in registers */

/* The sum of the elements, by halves. */
ALWAYS_INLINE double vector_total(vector v)
{
    typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
    double part[VECTOR];
    VECTOR_AT(part) = v;
    pair sum = *(const pair *)part;
    UNROLL
    for (size_t k = 2; k < VECTOR; k += 2) sum += *(const pair *)(part + k);
    return sum[0] + sum[1];
}

/* sum[r] += a_r . x for DOT_ROWS rows over n columns, a multiple of VECTOR. */
ALWAYS_INLINE void dot_rows(size_t n, size_t ld, const double *a, const double *x,
                            vector sum[DOT_ROWS])
{
    for (size_t j = 0; j < n; j += VECTOR) {
        vector const v = VECTOR_OF(x + j);
        UNROLL
        for (size_t r = 0; r < DOT_ROWS; r++) sum[r] += VECTOR_OF(a + r * ld + j) * v;
    }
}

/* a . x over n columns: long ones in four sums, as the additions of a single one would wait for each other. */
ALWAYS_INLINE double dot(size_t n, const double *a, const double *x)
{
    enum { SUMS = 4 };
    size_t const whole = n / VECTOR * VECTOR, step = (size_t)SUMS * VECTOR;
    double rest = 0;
    for (size_t j = whole; j < n; j++) rest += a[j] * x[j];
    if (whole == 0) return rest;
    vector sum[SUMS] = {{0}};
    size_t j = 0;
    for (; j + step <= whole; j += step) {
        UNROLL
        for (size_t c = 0; c < SUMS; c++)
            sum[c] += VECTOR_OF(a + j + c * VECTOR) * VECTOR_OF(x + j + c * VECTOR);
    }
    for (; j < whole; j += VECTOR) sum[0] += VECTOR_OF(a + j) * VECTOR_OF(x + j);
    return rest + vector_total((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

#endif
