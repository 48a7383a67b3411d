/* SPDX-License-Identifier: Apache-2.0 */
/* The pivots of a sparse matrix and the pattern of its factors, and the way from there to the
   factors the solves use (matrix/sparse_factors.h). */
#ifndef LINEAR_SPARSE_ORDER_H
#define LINEAR_SPARSE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/heap.h"
#include "matrix/sparse_factors.h"

/* Row k of the permuted matrix is row P[k] of W, its column k is column Q[k]; block b has rows and columns R[b] to
   R[b+1] - 1.  L (its unit diagonal first), U (its diagonal last) and F, the entries in later blocks, by
   columns: column j has the rows lower_row[lower_start[j]] to lower_row[lower_start[j+1] - 1] and so on. */
struct sparse_order {
    int n, blocks;
    int *P;
    const int *Q, *R;
    int *lower_start, *lower_row, *upper_start, *upper_row, *later_start, *later_row;
};

/* Floating-point operations of a factorisation and of a solve. */
struct sparse_costs {
    double factor, solve;
};

/* What writing them down needs for itself, kept for the next time. */
struct sparse_scratch {
    struct kept rows, groups;
};

/* Places factors with these pivots in `memory`.  Whether there is enough. */
bool sparse_factors_write(struct sparse_factors *F, const struct sparse_order *order,
                          struct sparse_scratch *scratch, struct kept *memory,
                          struct sparse_costs *costs);

void sparse_scratch_release(struct sparse_scratch *scratch);

#endif
