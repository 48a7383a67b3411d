/* SPDX-License-Identifier: Apache-2.0 */
/* LU factors of a sparse W whose pivots are fixed: what to do is written down in the order in which solves do it, so that
   they run through the entries from the first to the last and search nothing.

   Pivot k stands in equation P(k) and column (variable) Q(k); the permuted W is block upper triangular, and a block may end in a
   dense tail.  An entry's column is always the number of its variable, which is also the row of the panel where the unknown
   is kept: what is permuted is the order of the steps.  From the last block to the first:
     x_P(k) is moved to x_Q(k)                                                    (once, at the start: cycles)
     x_Q(k) <- x_Q(k) - sum_j w_kj x_j over later blocks - sum_j l_kj x_j         k ascending (the step of row k)
     the tail: x <- S U^-1 L^-1 x, dense                                          (matrix/lu_kernels.h)
     x_Q(k) <- (x_Q(k) - sum_j u_kj x_j) / u_kk                                   k descending */
#ifndef MATRIX_SPARSE_FACTORS_H
#define MATRIX_SPARSE_FACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matrix/lu_kernels.h"

enum {
    TAIL_ROWS = 1000, /* of a dense tail at most: the dense factorisation is not made for more */
    GROUP_ROWS = 4    /* of a group at most */
};

/* x[at] <- (x[at] - sum_m value[m] x[column[m]]) scale over the entries from the end of the step before. */
struct sparse_step {
    double scale;
    uint32_t at, end;
};

/* Row k while it is factored: entries from `first` are in later blocks, from `lower` of L, to `end`; the
   reciprocal of its pivot becomes the scale of step `divide`. */
struct sparse_row {
    uint32_t equation, variable;
    uint32_t first, lower, end;
    uint32_t divide;
};

/* The row of U that belongs to a variable, less its diagonal, when other rows are eliminated.  Rows that follow each other
   and have the same pattern, or nearly so, zeros being added, form a group; a row's entries are in the columns of the
   pivots of its group behind it, first, and then in the columns all of them share. */
struct sparse_pivot {
    double inverse;      /* 1/u_kk */
    double largest;      /* max_j |u_kj| unit_j */
    uint32_t first, end; /* entries */
};

/* Rows are factored and steps are done until the ends given here; then comes a dense tail, of tail.n >= 0 rows, the last
   of those rows. */
struct sparse_stage {
    size_t rows_end, steps_end;
    struct dense_factors tail;
    uint32_t *variable; /* variable[tail.n] */
};

struct sparse_factors {
    size_t n, entries, steps, stages;
    double *value; /* value[entries] */
    uint32_t *column;
    uint8_t *
        run; /* run[entries]: entries of L from here on whose pivots follow each other in one group, counting this one */
    struct sparse_step *step;
    struct sparse_row *row;     /* row[n] */
    struct sparse_pivot *pivot; /* pivot[n], by variable */
    struct sparse_stage *stage;
    double *w;          /* w[n], zero between calls */
    const bool *scaled; /* scaled[n]: equations whose rows are multiplied by re; NULL: none */
    const double *unit; /* unit[n] of the variables (linear/linear.h) */

    /* Cycle c takes x[cycle[e]] <- x[cycle[e + 1]] for e < cycle_end[c] - 1, and the old first to the last. */
    size_t cycles;
    uint32_t *cycle, *cycle_end;

    /* Of the last factorisation, with columns in their units: max_i sum_j |l_ij| max_k |u_jk| / max_k |w_ik|.  The factors are those of a matrix whose
       row i differs from W's by n eps growth max_k |w_ik| at most (Higham 2002, theorem 9.3). */
    double growth;
};

#endif
