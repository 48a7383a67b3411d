/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse LU row by row with fixed pivots (matrix/sparse_factors.h): row i of W, spread out in w, loses l_ij times row j of U
   for every entry l_ij = w_j / u_jj of its pattern, j ascending. */
#ifndef MATRIX_SPARSE_LU_H
#define MATRIX_SPARSE_LU_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "matrix/kernels.h"
#include "matrix/lu_dense.h"
#include "matrix/sparse_factors.h"

/* Row i of W into w; its largest entry, or NaN if there is one that is not finite. */
static double spread_row(const struct sparse_rows *A, const double *restrict M, double re, size_t i,
                         double *restrict w)
{
    size_t const first = A->start[i], end = A->start[i + 1];
    const size_t *restrict const column = A->column;
    double top = 0, waste = 0;
    for (size_t m = first; m < end; m++) w[column[m]] = M ? re * M[m] - A->value[m] : -A->value[m];
    if (!M) w[i] += re;
    for (size_t m = first; m < end; m++) {
        double const size = fabs(w[column[m]]);
        top = size > top ? size : top;
        waste += 0 * size;
    }
    return top + waste;
}

/* Moves the entries of later blocks to their places and eliminates those of L; sum_j |l_ij| max_k |u_jk|. */
static double eliminate_sparse(const struct sparse_factors *F, const struct sparse_row *row,
                               double *restrict w)
{
    const uint32_t *restrict const column = F->column;
    double *const value = F->value;
    double sum = 0;
    for (size_t m = row->first; m < row->lower; m++) {
        value[m] = w[column[m]];
        w[column[m]] = 0;
    }
    for (size_t m = row->lower; m < row->end; m++) {
        const struct sparse_pivot *const pivot = &F->pivot[column[m]];
        const double *restrict const u = F->value;
        double const l = w[column[m]] * pivot->inverse;
        size_t const end = pivot->end;
        w[column[m]] = 0;
        for (size_t q = pivot->first; q < end; q++) w[column[q]] -= l * u[q];
        value[m] = l;
        sum += fabs(l) * pivot->largest;
    }
    return sum;
}

/* Moves row k of U to its place.  False when the pivot is zero or not finite. */
static bool take_pivot(const struct sparse_factors *F, const struct sparse_row *row,
                       double *restrict w)
{
    const uint32_t *restrict const column = F->column;
    struct sparse_pivot *const pivot = &F->pivot[row->variable];
    double const diagonal = w[row->variable], inverse = 1 / diagonal;
    double top = fabs(diagonal);
    w[row->variable] = 0;
    for (size_t q = pivot->first; q < pivot->end; q++) {
        double const u = w[column[q]];
        F->value[q] = u;
        top = fabs(u) > top ? fabs(u) : top;
        w[column[q]] = 0;
    }
    pivot->inverse = F->step[row->divide].scale = inverse;
    pivot->largest = top;
    return isfinite(diagonal) && isfinite(inverse);
}

static void take_tail_row(const struct sparse_stage *stage, size_t r, double *restrict w)
{
    double *const value = stage->tail.value + r * stage->tail.ld;
    for (size_t j = 0; j < stage->tail.n; j++) {
        value[j] = w[stage->variable[j]];
        w[stage->variable[j]] = 0;
    }
    for (size_t j = stage->tail.n; j < stage->tail.ld; j++) value[j] = 0;
}

/* The rows from k to stage->rows_end; 0, or i + 1 for a pivot of equation i. */
static ptrdiff_t factor_stage(struct sparse_factors *F, struct sparse_stage *stage, size_t k,
                              const struct sparse_rows *A, const double *M, double re)
{
    size_t const tail = stage->rows_end - stage->tail.n;
    for (; k < stage->rows_end; k++) {
        const struct sparse_row *const row = &F->row[k];
        double const size = spread_row(A, M, re, row->equation, F->w);
        double const growth = eliminate_sparse(F, row, F->w) / size;
        if (!(growth <= F->growth)) F->growth = isnan(growth) ? (double)INFINITY : growth;
        if (k >= tail)
            take_tail_row(stage, k - tail, F->w);
        else if (!take_pivot(F, row, F->w))
            return (ptrdiff_t)row->equation + 1;
        if (!isfinite(size)) return (ptrdiff_t)row->equation + 1;
    }
    if (stage->tail.n == 0) return 0;
    ptrdiff_t const bad = factor_dense(&stage->tail);
    return bad ? (ptrdiff_t)F->row[tail + (size_t)bad - 1].equation + 1 : 0;
}

static ptrdiff_t factor_sparse(struct sparse_factors *F, const struct sparse_rows *A,
                               const double *M, double re)
{
    ptrdiff_t bad = 0;
    F->growth = 0;
    for (size_t s = 0, k = 0; s < F->stages && !bad; s++) {
        bad = factor_stage(F, &F->stage[s], k, A, M, re);
        k = F->stage[s].rows_end;
    }
    if (bad) memset(F->w, 0, F->n * sizeof *F->w);
    return bad;
}

#endif
