/* SPDX-License-Identifier: Apache-2.0 */
/* Pivots of a sparse matrix and the pattern of its factors, by elimination column after column (Gilbert and Peierls 1988) in
   the order of an analysis.  Memory is kept for the next time: it grows to what the fullest factors so far have needed. */
#ifndef LINEAR_SPARSE_PIVOTS_H
#define LINEAR_SPARSE_PIVOTS_H

#include <stddef.h>

#include "base/arena.h"
#include "base/heap.h"
#include "linear/sparse_klu.h"
#include "linear/sparse_order.h"

struct sparse_pivots {
    struct sparse_order order; /* what was chosen last */

    int *number;       /* by row of W: its pivot's, -1 while it has none */
    int *home;         /* by row: the column whose diagonal it is */
    int *met;          /* by row: the last column in which it was found */
    double *x, *scale; /* by row: the column at work, zero in between; the row's largest entry */

    int *end; /* by pivot: where the search in its column of L ends */
    int *path,
        *next;  /* the search: rows of pivots on the way, and how far each has been followed */
    int *found; /* rows of pivots in the column, from its end, in an order of elimination */
    struct kept lower_row, lower_value, upper_row;
};

void sparse_pivots_layout(struct sparse_pivots *p, const struct sparse_klu *k, struct arena *arena);

/* The pivots of the analysis: they depend on the pattern alone. */
ptrdiff_t sparse_pivots_of_analysis(struct sparse_pivots *p, const struct sparse_klu *k);

/* Pivots for the values k has: the diagonal of the analysis where it is `tolerance` times the largest possible one at least, all
   rows divided by their largest entry.  Both: 0; j + 1 when no pivot is left for variable j; LINEAR_NO_MEMORY. */
ptrdiff_t sparse_pivots_choose(struct sparse_pivots *p, const struct sparse_klu *k,
                               double tolerance);

void sparse_pivots_release(struct sparse_pivots *p);

#endif
