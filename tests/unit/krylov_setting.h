/* SPDX-License-Identifier: Apache-2.0 */
/* A linear system W = re M - A and GMRES for it, as the library would place them, for the tests of Krylov iteration. */
#ifndef KRYLOV_SETTING_H
#define KRYLOV_SETTING_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "linear/krylov.h"
#include "linear/linear.h"
#include "linear/precondition.h"
#include "support/random.h"
#include "test.h"

struct setting {
    void *block;
    struct matrix A, M;
    struct linear l;
    struct krylov k;
    double re;
    struct sparse_rows W; /* all of it, for products */

    /* What goes wrong: the call of apply (from 1) that returns fail_code or, if that is 0, fail_value in lane fail_lane. */
    size_t applied, fail_call, fail_lane;
    int fail_code;
    double fail_value;
    size_t iterations;
};

/* Places the entries of a matrix that are not NULL in dense[n*n] in the form kind asks for; a sparse one is made here, as
   the patterns of users are: the diagonal is always in it. */
static inline void setting_matrix(struct matrix *A, struct arena *arena, const double *dense)
{
    size_t entries = 0;
    if (A->kind != MATRIX_SPARSE) {
        matrix_layout(A, arena);
        for (size_t i = 0; arena->block && i < A->n; i++)
            for (size_t j = 0; j < A->n; j++)
                if (A->kind != MATRIX_NONE && j <= i + A->upper && i <= j + A->lower)
                    *matrix_entry(A, i, j) = dense[i * A->n + j];
        return;
    }
    for (size_t x = 0; x < A->n * A->n; x++) entries += dense[x] != 0 || x % (A->n + 1) == 0;
    A->entries = entries;
    A->rows.n = A->n;
    ARENA_TAKE(arena, A->rows.start, A->n + 1);
    ARENA_TAKE(arena, A->rows.column, entries);
    A->value = A->rows.value = arena_doubles(arena, entries);
    for (size_t x = 0, m = 0; arena->block && x < A->n * A->n; x++) {
        if (dense[x] == 0 && x % (A->n + 1) != 0) continue;
        A->rows.column[m] = x % A->n;
        A->rows.value[m++] = dense[x];
        for (size_t i = x / A->n + 1; i <= A->n; i++) A->rows.start[i] = m;
    }
}

static inline int setting_apply(void *context, size_t worker, size_t lanes, size_t columns,
                                const double *X, double *Y)
{
    struct setting *const s = context;
    (void)worker;
    (void)columns;
    memset(Y, 0, s->A.n * lanes * sizeof(double));
    s->l.kernels->multiply_sparse(&s->W, lanes, X, Y);
    if (++s->applied != s->fail_call) return 0;
    Y[s->fail_lane] = s->fail_value;
    return s->fail_code;
}

/* A setting for the matrices A and M (NULL: the identity), n x n, row by row; s has kinds and widths in A and what it
   wants in k.  W is kept whole, also where A is not stored. */
static inline void setting_open(struct setting *s, double re, const double *A, const double *M)
{
    size_t const n = s->A.n;
    struct arena arena = {0};
    s->re = re;
    s->M = s->A;
    if (!s->l.kernels) s->l.kernels = kernels_choose();
    s->l.table = &linear_gmres;
    s->l.A = &s->A;
    s->l.M = M ? &s->M : NULL;
    s->l.slots = 2;
    s->l.krylov = &s->k;
    if (s->k.workers == 0) s->k.workers = 1;
    if (s->k.most_lanes == 0) s->k.most_lanes = MAX_LANES;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) arena = (struct arena){.block = s->block = heap_take(arena.used)};
        setting_matrix(&s->A, &arena, A);
        if (M) setting_matrix(&s->M, &arena, M);
        s->W.n = n;
        ARENA_TAKE(&arena, s->W.start, n + 1);
        ARENA_TAKE(&arena, s->W.column, n * n);
        s->W.value = arena_doubles(&arena, n * n);
        s->l.table->layout(&s->l, &arena);
    }
    for (size_t x = 0; x < n * n; x++) {
        s->W.column[x] = x % n;
        s->W.value[x] = re * (M ? M[x] : x % (n + 1) == 0) - A[x];
    }
    for (size_t i = 0; i <= n; i++) s->W.start[i] = i * n;
}

static inline void setting_close(struct setting *s)
{
    heap_return(s->block);
}

/* n*lanes numbers in a vector of the library's length. */
static inline double *setting_panel(size_t n, size_t lanes)
{
    return heap_take(lane_round(n * lanes) * sizeof(double));
}

static inline int setting_solve(struct setting *s, size_t slot, size_t lanes, size_t columns,
                                const double *winv, double tolerance, double *X)
{
    struct linear_task const task = {.worker = s->k.workers - 1,
                                     .lanes = lanes,
                                     .columns = columns,
                                     .winv = winv,
                                     .tolerance = tolerance,
                                     .apply = setting_apply,
                                     .context = s,
                                     .iterations = &s->iterations};
    return s->l.table->iterate(&s->l, slot, &task, X);
}

/* R = B - W X */
static inline void setting_residual(const struct setting *s, size_t lanes, const double *B,
                                    const double *X, double *R)
{
    size_t const n = s->A.n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++) {
            double r = B[i * lanes + k];
            for (size_t j = 0; j < n; j++) r -= s->W.value[i * n + j] * X[j * lanes + k];
            R[i * lanes + k] = r;
        }
}

#endif
