/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which columns of a sparse matrix are eliminated, from KLU's analysis (Davis and Palamadai Natarajan 2010): block
   triangular form, minimum degree ordering of the blocks.  KLU takes its memory through SuiteSparse_config, whose functions are those
   of the whole process: malloc and free unless the program changed them, which we do not. */
#ifndef LINEAR_SPARSE_KLU_H
#define LINEAR_SPARSE_KLU_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "linear/sparse_order.h"
#include "matrix/kernels.h"

struct klu_common_struct; /* klu.h, which only sparse_klu.c sees */

/* Of the pattern without `omitted`: pivot k is to stand in row P[k] and column Q[k]; block b has pivots R[b] to R[b+1] - 1. */
struct sparse_analysis {
    void *symbolic; /* KLU's, which has P, Q, R; NULL: none */
    const int *P, *Q, *R;
    int blocks;
    double lower, upper; /* entries of L and U with these pivots, at most */
    size_t omissions, *omitted;
    size_t number; /* of all that were made; 0: none */
    size_t used;   /* when it was used last */
};

/* A run may begin with zeros it does not have later, and the next begins with them again. */
enum { KEPT_ANALYSES = 4 };

/* W by columns, and analyses of its pattern. */
struct sparse_klu {
    size_t n, entries;
    int *start, *row; /* start[n + 1], row[entries] */
    size_t *place;    /* entry m of the rows of A is value[place[m]] */
    double *value;
    const double *unit; /* unit[n] of the linear solver */
    struct klu_common_struct *common;
    struct sparse_analysis kept[KEPT_ANALYSES];
    struct sparse_analysis *now; /* NULL: not analysed yet */
    size_t analyses;             /* how often the pattern was analysed */
    size_t changes;              /* how often `now` became another one */
    struct sparse_costs whole;   /* estimates for the whole pattern; 0: not yet known */

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

/* Sets the analysis before pivots are chosen, when the matrices have their values: of the pattern without zeros on the diagonal; of
   another one if fewer of them are zero than the last time, or if `settled` was taken back and others are (`changes` tells).
   M == NULL: the identity. */
ptrdiff_t sparse_klu_settle(struct sparse_klu *k, const struct sparse_rows *A, const double *M);

/* Whether all entries that are left out are zero. */
bool sparse_klu_fits(const struct sparse_klu *k, const struct sparse_rows *A, const double *M);

/* W of the solver, its rows of constraints times re, after the analysis.  0; i + 1 for the first row that has an entry that is not
   finite, or only zeros. */
struct linear;
ptrdiff_t sparse_klu_assemble(struct sparse_klu *k, const struct linear *l, double re);

/* Returns KLU's memory; nothing to do before the analysis. */
void sparse_klu_release(struct sparse_klu *k);

#endif
