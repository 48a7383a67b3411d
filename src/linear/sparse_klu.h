/* SPDX-License-Identifier: Apache-2.0 */
/* Pivots for a sparse matrix from KLU (Davis and Palamadai Natarajan 2010): block triangular form, minimum degree
   ordering of the blocks, threshold pivoting that prefers the diagonal.  KLU takes its memory through SuiteSparse_config,
   whose functions are those of the whole process: malloc and free unless the program changed them, which we do not. */
#ifndef LINEAR_SPARSE_KLU_H
#define LINEAR_SPARSE_KLU_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "linear/sparse_order.h"
#include "matrix/kernels.h"

struct klu_common_struct; /* klu.h, which only sparse_klu.c sees */

/* W by columns, and the analysis of its pattern. */
struct sparse_klu {
    size_t n, entries;
    int *start, *row; /* start[n + 1], row[entries] */
    size_t *place;    /* entry m of the rows of A is value[place[m]] */
    double *value;
    struct klu_common_struct *common;
    void *symbolic;            /* NULL: not analysed yet */
    size_t analyses;           /* how often the pattern was analysed */
    struct sparse_costs whole; /* estimates for the whole pattern; 0: not yet known */

    /* Diagonal entries that have been zero in A and M whenever pivots were chosen: they only stand in the pattern because every
       diagonal entry does, and to take them for pivots would multiply the fill.  They are left out while they are zero.  thin:
       the same of all entries (dynamic sparsing). */
    size_t omissions, *omitted; /* omitted[n], thin: omitted[entries]: numbers of entries of A */
    bool settled;               /* it is known what to leave out */
    bool thin;
};

void sparse_klu_layout(struct sparse_klu *k, struct arena *arena);

/* The costs of a factorisation of the whole pattern with the pivots of its analysis, an upper bound, before values are known.  0 or LINEAR_NO_MEMORY. */
ptrdiff_t sparse_klu_costs(struct sparse_klu *k, const struct sparse_rows *A,
                           struct sparse_costs *costs);

/* Analyses the pattern before pivots are chosen, when the matrices have their values: without zeros on the diagonal, and once again if
   fewer of them are zero than the last time, or if `settled` was taken back and others are (`analyses` tells).  M == NULL: the
   identity. */
ptrdiff_t sparse_klu_settle(struct sparse_klu *k, const struct sparse_rows *A, const double *M);

/* Whether all entries that are left out are zero. */
bool sparse_klu_fits(const struct sparse_klu *k, const struct sparse_rows *A, const double *M);

/* W of the solver, its rows of constraints times re, after the analysis.  0; i + 1 for the first row that has an entry that is not
   finite, or only zeros. */
struct linear;
ptrdiff_t sparse_klu_assemble(struct sparse_klu *k, const struct linear *l, double re);

/* Instead of W: a matrix of this pattern for which KLU chooses the pivots of its analysis, whatever W is. */
void sparse_klu_dominate(struct sparse_klu *k);

/* Chooses pivots: on the diagonal where that is `tolerance` times the largest possible one at least.  0, and
   a block of memory with the order, to be returned to the heap; j + 1 when no pivot is left for variable j; or LINEAR_NO_MEMORY. */
ptrdiff_t sparse_klu_order(struct sparse_klu *k, double tolerance, struct sparse_order *order,
                           void **memory);

/* Returns KLU's memory; nothing to do before the analysis. */
void sparse_klu_release(struct sparse_klu *k);

#endif
