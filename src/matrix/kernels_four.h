/* SPDX-License-Identifier: Apache-2.0 */
/* Four columns of a panel to and from vectors of their own, in blocks of 4 x 4: y + eps s and (g - f)/eps of internal differences. */
#ifndef MATRIX_KERNELS_FOUR_H
#define MATRIX_KERNELS_FOUR_H

#include "matrix/kernels.h"
#include "matrix/vector_types.h"

typedef double four __attribute__((vector_size(8 * FOUR)));
typedef double loose_four __attribute__((vector_size(8 * FOUR), aligned(8), may_alias));
typedef long long four_bits __attribute__((vector_size(8 * FOUR)));

#define FOUR_AT(p) (*(loose_four *)(p))
#define FOUR_OF(p) (*(const loose_four *)(p))

#if defined(__clang__)
#define MIX(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define MIX(a, b, i, j, k, l) __builtin_shuffle(a, b, (four_bits){i, j, k, l})
#endif

/* In place: row i column j becomes row j column i. */
ALWAYS_INLINE void transpose(four *v)
{
    four const a = MIX(v[0], v[1], 0, 4, 2, 6), b = MIX(v[0], v[1], 1, 5, 3, 7),
               c = MIX(v[2], v[3], 0, 4, 2, 6), d = MIX(v[2], v[3], 1, 5, 3, 7);
    v[0] = MIX(a, c, 0, 1, 4, 5);
    v[1] = MIX(b, d, 0, 1, 4, 5);
    v[2] = MIX(a, c, 2, 3, 6, 7);
    v[3] = MIX(b, d, 2, 3, 6, 7);
}

static void take_four(const struct four_columns *t, const double *y, const double *eps,
                      double *moved)
{
    four const by = FOUR_OF(eps);
    size_t i = 0;
    for (; i + FOUR <= t->n; i += FOUR) {
        four v[FOUR];
        UNROLL
        for (size_t j = 0; j < FOUR; j++) v[j] = y[i + j] + by * FOUR_OF(t->V + (i + j) * t->lanes);
        transpose(v);
        UNROLL
        for (size_t c = 0; c < FOUR; c++) FOUR_AT(moved + c * t->n + i) = v[c];
    }
    for (; i < t->n; i++)
        for (size_t c = 0; c < FOUR; c++)
            moved[c * t->n + i] = y[i] + eps[c] * t->V[i * t->lanes + c];
}

static void put_four(const struct four_columns *t, const double *g, const double *f,
                     const double *reciprocal)
{
    size_t i = 0;
    for (; i + FOUR <= t->n; i += FOUR) {
        four v[FOUR];
        UNROLL
        for (size_t c = 0; c < FOUR; c++)
            v[c] = (FOUR_OF(g + c * t->n + i) - FOUR_OF(f + i)) * reciprocal[c];
        transpose(v);
        UNROLL
        for (size_t j = 0; j < FOUR; j++) FOUR_AT(t->R + (i + j) * t->lanes) = v[j];
    }
    for (; i < t->n; i++)
        for (size_t c = 0; c < FOUR; c++)
            t->R[i * t->lanes + c] = (g[c * t->n + i] - f[i]) * reciprocal[c];
}

#endif
