/* SPDX-License-Identifier: Apache-2.0 */
/* W = re M - A for the factorisation of a dense matrix; the columns of small ones in the order of the last pivots (lu_small.h). */
#ifndef MATRIX_LU_ASSEMBLE_H
#define MATRIX_LU_ASSEMBLE_H

#include <stddef.h>
#include <string.h>

#include "matrix/lu_kernels.h"
#include "matrix/vector_types.h"

/* In the order of W. */
static void assemble_plain(const double *A, const double *M, double re, struct dense_factors *F)
{
    size_t const n = F->n;
    for (size_t i = 0; i < n; i++) {
        double *restrict const row = F->value + i * F->ld;
        const double *restrict const a = A + i * n;
        for (size_t j = n; j < F->ld; j++) row[j] = 0;
        if (M) {
            const double *restrict const m = M + i * n;
            for (size_t j = 0; j < n; j++) row[j] = re * m[j] - a[j];
            continue;
        }
        for (size_t j = 0; j < n; j++) row[j] = -a[j];
        row[i] += re;
    }
}

static void assemble_singly(const double *A, const double *M, double re, struct dense_factors *F)
{
    size_t const n = F->n;
    const size_t *const order = F->order;
    for (size_t i = 0; i < n; i++) {
        double *const row = F->value + i * F->ld;
        const double *const a = A + i * n, *const m = M ? M + i * n : NULL;
        for (size_t j = n; j < F->ld; j++) row[j] = 0;
        if (m)
            for (size_t j = 0; j < n; j++) row[j] = re * m[order[j]] - a[order[j]];
        else
            for (size_t j = 0; j < n; j++) row[j] = (order[j] == i ? re : 0) - a[order[j]];
    }
}

#if defined(__AVX512F__)
enum { MOST_CHOSEN = 2 }; /* vectors that an instruction chooses from */

/* Elements from[k] of `pieces` vectors, a constant. */
ALWAYS_INLINE vector choose_elements(size_t pieces, const vector *v, vector_bits from)
{
    return pieces == 1
               ? (vector)_mm512_permutexvar_pd((__m512i)from, (__m512d)v[0])
               : (vector)_mm512_permutex2var_pd((__m512d)v[0], (__m512i)from, (__m512d)v[1]);
}

/* A row of n elements; those behind them are whatever follows, but nothing that lies beyond `end`. */
ALWAYS_INLINE void load_row(size_t pieces, size_t n, const double *row, const double *end,
                            vector *v)
{
    double copy[MOST_CHOSEN * VECTOR] = {0};
    if (row + pieces * VECTOR > end) row = memcpy(copy, row, n * sizeof(double));
    UNROLL
    for (size_t c = 0; c < pieces; c++) v[c] = VECTOR_OF(row + c * VECTOR);
}

ALWAYS_INLINE void assemble_pieces(size_t pieces, const double *A, const double *M, double re,
                                   struct dense_factors *F)
{
    size_t const n = F->n, ld = pieces * VECTOR;
    vector_bits from[MOST_CHOSEN], valid[MOST_CHOSEN];
    UNROLL
    for (size_t c = 0; c < pieces; c++) {
        memcpy(&from[c], F->order + c * VECTOR, sizeof from[c]);
        valid[c] = from[c] < (long long)n;
    }
    for (size_t i = 0; i < n; i++) {
        vector w[MOST_CHOSEN], m[MOST_CHOSEN];
        load_row(pieces, n, A + i * n, A + n * n, w);
        if (M) load_row(pieces, n, M + i * n, M + n * n, m);
        UNROLL
        for (size_t c = 0; c < pieces; c++) w[c] = M ? re * m[c] - w[c] : -w[c];
        UNROLL
        for (size_t c = 0; c < pieces; c++) {
            vector row = choose_elements(pieces, w, from[c]);
            if (!M) row += (vector)((from[c] == (long long)i) & (vector_bits)((vector){0} + re));
            VECTOR_AT(F->value + i * ld + c * VECTOR) = (vector)(valid[c] & (vector_bits)row);
        }
    }
}
#endif

static void assemble_dense(const double *A, const double *M, double re, struct dense_factors *F)
{
    if (!F->order) {
        assemble_plain(A, M, re, F);
        return;
    }
#if defined(__AVX512F__)
    size_t const pieces = F->ld / VECTOR;
    if (pieces == 1 && M)
        assemble_pieces(1, A, M, re, F);
    else if (pieces == 1)
        assemble_pieces(1, A, NULL, re, F);
    else if (pieces == 2 && M)
        assemble_pieces(2, A, M, re, F);
    else if (pieces == 2)
        assemble_pieces(2, A, NULL, re, F);
    else
        assemble_singly(A, M, re, F);
#else
    assemble_singly(A, M, re, F);
#endif
}

#endif
