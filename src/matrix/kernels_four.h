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

/* Rows i .. i + 3. */
ALWAYS_INLINE void take_block(const struct four_columns *t, size_t i, four by, const double *y,
                              double *moved)
{
    four v[FOUR];
    UNROLL
    for (size_t j = 0; j < FOUR; j++) v[j] = y[i + j] + by * FOUR_OF(t->V + (i + j) * t->lanes);
    transpose(v);
    UNROLL
    for (size_t c = 0; c < FOUR; c++) FOUR_AT(moved + c * t->n + i) = v[c];
}

/* The last rows lie in a block with some of those before, which get the same values again. */
static void take_four(const struct four_columns *columns, const double *y, const double *eps,
                      double *moved)
{
    struct four_columns const t = *columns; /* a copy that no store can change */
    four const by = FOUR_OF(eps);
    size_t i = 0;
    for (; i + FOUR <= t.n; i += FOUR) take_block(&t, i, by, y, moved);
    if (i < t.n && t.n > FOUR) take_block(&t, t.n - FOUR, by, y, moved);
    for (; i < t.n && t.n < FOUR; i++)
        for (size_t c = 0; c < FOUR; c++) moved[c * t.n + i] = y[i] + by[c] * t.V[i * t.lanes + c];
}

/* Rows i .. i + 3; adds NaN to `check` where a difference is not finite, else 0. */
ALWAYS_INLINE four put_block(const struct four_columns *t, size_t i, four reciprocal,
                             const double *g, const double *f, four check)
{
    four const here = FOUR_OF(f + i);
    four v[FOUR];
    UNROLL
    for (size_t c = 0; c < FOUR; c++) v[c] = FOUR_OF(g + c * t->n + i) - here;
    transpose(v);
    UNROLL
    for (size_t j = 0; j < FOUR; j++) {
        v[j] *= reciprocal;
        check += 0 * v[j];
        FOUR_AT(t->R + (i + j) * t->lanes) = v[j];
    }
    return check;
}

static bool put_four(const struct four_columns *columns, const double *g, const double *f,
                     const double *eps)
{
    struct four_columns const t = *columns;
    four const reciprocal = 1 / FOUR_OF(eps);
    four check = {0};
    size_t i = 0;
    for (; i + FOUR <= t.n; i += FOUR) check = put_block(&t, i, reciprocal, g, f, check);
    if (i < t.n && t.n > FOUR) check = put_block(&t, t.n - FOUR, reciprocal, g, f, check);
    for (; i < t.n && t.n < FOUR; i++)
        for (size_t c = 0; c < FOUR; c++) {
            double const r = (g[c * t.n + i] - f[i]) * reciprocal[c];
            check[0] += 0 * r;
            t.R[i * t.lanes + c] = r;
        }
    return check[0] + check[1] + check[2] + check[3] == 0;
}

#endif
