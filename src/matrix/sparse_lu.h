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

/* Row i of W, times re where that is asked for, into w; its largest entry times the unit of its variable, or NaN if there is one that is not finite. */
static double spread_row(const struct sparse_rows *A, const double *restrict M, double re, size_t i,
                         const struct sparse_factors *F)
{
    const bool *const scaled = F->scaled;
    const double *restrict const unit = F->unit;
    double *restrict const w = F->w;
    size_t const first = A->start[i], end = A->start[i + 1];
    const size_t *restrict const column = A->column;
    double top = 0, waste = 0;
    for (size_t m = first; m < end; m++) w[column[m]] = M ? re * M[m] - A->value[m] : -A->value[m];
    if (!M) w[i] += re;
    for (size_t m = first; m < end && scaled && scaled[i]; m++) w[column[m]] *= re;
    for (size_t m = first; m < end; m++) {
        double const size = fabs(w[column[m]]) * unit[column[m]];
        top = size > top ? size : top;
        waste += 0 * size;
    }
    return top + waste;
}

/* Eliminates `count` entries of L from m on, a run of pivots of one group: what is behind the last of them, all of them have,
   and it takes one pass over w.  sum_j |l_ij| max_k |u_jk|.  count is a constant. */
ALWAYS_INLINE double eliminate_run(size_t count, const struct sparse_factors *F, size_t m,
                                   double *restrict w)
{
    const uint32_t *restrict const column = F->column;
    const double *restrict u[GROUP_ROWS];
    double l[GROUP_ROWS], sum = 0;
    UNROLL
    for (size_t a = 0; a < count; a++) {
        const struct sparse_pivot *const pivot = &F->pivot[column[m + a]];
        double x = w[column[m + a]];
        w[column[m + a]] = 0;
        UNROLL
        for (size_t b = 0; b < a; b++) x -= l[b] * u[b][a - b - 1];
        l[a] = x * pivot->inverse;
        u[a] = F->value + pivot->first;
        sum += fabs(l[a]) * pivot->largest;
    }
    const struct sparse_pivot *const last = &F->pivot[column[m + count - 1]];
    const uint32_t *restrict const where = column + last->first;
    size_t const length = last->end - last->first;
    for (size_t q = 0; q < length; q++) {
        double x = w[where[q]];
        UNROLL
        for (size_t a = 0; a < count; a++) x -= l[a] * u[a][count - 1 - a + q];
        w[where[q]] = x;
    }
    UNROLL
    for (size_t a = 0; a < count; a++) F->value[m + a] = l[a];
    return sum;
}

/* Moves the entries of later blocks to their places and eliminates those of L; sum_j |l_ij| max_k |u_jk|. */
static double eliminate_sparse(const struct sparse_factors *F, const struct sparse_row *row,
                               double *restrict w)
{
    double sum = 0;
    for (size_t m = row->first; m < row->lower; m++) {
        F->value[m] = w[F->column[m]];
        w[F->column[m]] = 0;
    }
    for (size_t m = row->lower; m < row->end; m += F->run[m]) {
        switch (F->run[m]) {
        case 4:
            sum += eliminate_run(4, F, m, w);
            break;
        case 3:
            sum += eliminate_run(3, F, m, w);
            break;
        case 2:
            sum += eliminate_run(2, F, m, w);
            break;
        default:
            sum += eliminate_run(1, F, m, w);
            break;
        }
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
    double top = fabs(diagonal) * F->unit[row->variable];
    w[row->variable] = 0;
    for (size_t q = pivot->first; q < pivot->end; q++) {
        double const u = w[column[q]];
        F->value[q] = u;
        double const size = fabs(u) * F->unit[column[q]];
        top = size > top ? size : top;
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
        double const size = spread_row(A, M, re, row->equation, F);
        double const growth = eliminate_sparse(F, row, F->w) / size;
        if (!(growth <= F->growth)) F->growth = isnan(growth) ? (double)INFINITY : growth;
        if (k >= tail)
            take_tail_row(stage, k - tail, F->w);
        else if (!take_pivot(F, row, F->w))
            return (ptrdiff_t)row->equation + 1;
        if (!isfinite(size)) return (ptrdiff_t)row->equation + 1;
    }
    if (stage->tail.n == 0) return 0;
    for (size_t j = 0; j < stage->tail.ld; j++)
        stage->tail.size[j] = j < stage->tail.n ? F->unit[stage->variable[j]] : 0;
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
