/* SPDX-License-Identifier: Apache-2.0 */
/* Pivots for a sparse matrix from KLU (Davis and Palamadai Natarajan 2010): block triangular form, minimum degree
   ordering of the blocks, threshold pivoting that prefers the diagonal.  KLU takes its memory through SuiteSparse_config,
   whose functions are those of the whole process: malloc and free unless the program changed them, which we do not. */
#ifndef LINEAR_SPARSE_KLU_H
#define LINEAR_SPARSE_KLU_H

#include <klu.h>
#include <stddef.h>

#include "base/arena.h"
#include "linear/sparse_order.h"
#include "matrix/kernels.h"

/* W by columns, and the analysis of its pattern. */
struct sparse_klu {
    size_t n, entries;
    int *start, *row; /* start[n + 1], row[entries] */
    size_t *place;    /* entry m of the rows of A is value[place[m]] */
    double *value;
    klu_common common;
    klu_symbolic *symbolic; /* NULL: not analysed yet */
};

void sparse_klu_layout(struct sparse_klu *k, struct arena *arena);

/* Analyses the pattern, once.  0 or LINEAR_NO_MEMORY. */
ptrdiff_t sparse_klu_analyse(struct sparse_klu *k, const struct sparse_rows *A);

/* W = re M - A (M == NULL: the identity), after the analysis.  0; i + 1 for the first row that has an entry that is not finite, or
   only zeros. */
ptrdiff_t sparse_klu_assemble(struct sparse_klu *k, const struct sparse_rows *A, const double *M,
                              double re);

/* Chooses pivots: on the diagonal where that is `tolerance` times the largest possible one at least.  0, and
   a block of memory with the order, to be returned to the heap; j + 1 when no pivot is left for variable j; or LINEAR_NO_MEMORY. */
ptrdiff_t sparse_klu_order(struct sparse_klu *k, double tolerance, struct sparse_order *order,
                           void **memory);

/* Returns KLU's memory; nothing to do before the analysis. */
void sparse_klu_release(struct sparse_klu *k);

#endif
