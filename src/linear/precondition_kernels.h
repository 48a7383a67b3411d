/* SPDX-License-Identifier: Apache-2.0 */
/* Solves of preconditioners for panels, one table for each instruction set (precondition_body.c). */
#ifndef LINEAR_PRECONDITION_KERNELS_H
#define LINEAR_PRECONDITION_KERNELS_H

#include <stddef.h>

#include "matrix/kernels.h"

/* L D U on a fixed pattern, rows by increasing columns: L and U have ones on the diagonal; diagonal[i] is where D_ii
   stands, as its reciprocal. */
struct ilu_factors {
    size_t n;
    const size_t *start, *column; /* start[n + 1], column[entries] */
    size_t *diagonal;             /* diagonal[n] */
    double *value;                /* value[entries] */
};

/* A tridiagonal matrix (a_i, b_i, c_i) eliminated from both ends towards row n/2, without exchanges: two chains of
   operations that wait for their own results are under way at once.  Above the middle row
     inward_i = a_i inverse_{i-1},  inverse_i = 1/(b_i - inward_i c_{i-1}),  outward_i = c_i inverse_i,
   below it the same with the neighbour below; the middle row has both, `last` being the one below. */
struct tridiagonal_factors {
    size_t n;
    double *inward, *outward, *inverse;
    double last;
};

struct precondition_kernels {
    /* X <- P^-1 X for a panel. */
    void (*solve_ilu)(const struct ilu_factors *F, size_t lanes, double *X);
    void (*solve_tridiagonal)(const struct tridiagonal_factors *F, size_t lanes, double *X);
};

/* The table that belongs to these kernels. */
const struct precondition_kernels *precondition_kernels_for(const struct kernels *kernels);

#endif
