/* SPDX-License-Identifier: Apache-2.0 */
/* LU factors of a dense, banded or sparse matrix stored row by row, and solves with them for panels; part of
   struct kernels.  Pivots are sought along the row and columns are exchanged, as LAPACK does for the transposed
   matrix: then every loop, of the factorisation and of the solves, runs along rows. */
#ifndef MATRIX_LU_KERNELS_H
#define MATRIX_LU_KERNELS_H

#include <stddef.h>

/* W S_0 ... S_{n-1} = L U, S_k exchanging columns k and pivot[k].  Entry (i, j) of L (j <= i) or of the unit upper
   U (j > i) is value[i*ld + j]; the diagonal of L is stored as its reciprocals.  ld is a multiple of LANE_GROUP
   and columns n to ld - 1 are zero before the factorisation.  With `order`, for n <= SMALL only, column order[j] of W
   stands at j before it, and it leaves the order of its pivots there; order[j] = j from n on.
   Pivots are the largest of |w_ij| size[j] in row i, size[j] being what entry j of a solution may be
   worth: without it they would follow the units of the unknowns.  size moves with the columns. */
enum { SMALL = 20 }; /* up to here plain loops are faster than blocks (bench/kernels_bench.c) */

struct dense_factors {
    size_t n, ld;
    double *value;
    size_t *pivot;
    size_t *order; /* order[ld]; NULL: as in W */
    double *size;  /* size[ld], as the columns stand before the factorisation; 0 from n on */
};

/* W = L U_{n-1} S_{n-1} ... U_0 S_0, where U_k is the identity except for its row k: exchanges must not widen the
   rows of U, which has `upper` diagonals; L gets lower + reach, reach = max_k pivot[k] - k <= upper.
   Entry (i, j) is value[i*width + lower + upper + j - i] with width = lower + 2*upper + 1. */
struct band_factors {
    size_t n, lower, upper, reach;
    size_t width;
    double *value;
    size_t *pivot;
    double *size; /* size[n], as above */
};

struct sparse_factors; /* matrix/sparse_factors.h */
struct sparse_rows;

struct lu_kernels {
    /* value = re M - A with the columns in F's order, zeros behind them, from n rows of n; M == NULL: the identity. */
    void (*assemble_dense)(const double *A, const double *M, double re, struct dense_factors *F);

    /* Factors value in place.  0; i + 1 when pivot i is zero or not finite. */
    ptrdiff_t (*factor_dense)(struct dense_factors *F);
    ptrdiff_t (*factor_band)(struct band_factors *F);

    /* X <- W^-1 X for a panel. */
    void (*solve_dense)(const struct dense_factors *F, size_t lanes, double *X);
    void (*solve_band)(const struct band_factors *F, size_t lanes, double *X);

    /* W = re M - A with the pivots that are laid down in F, M the values of a matrix with A's pattern, or NULL: the identity.
       0; i + 1 when the pivot of equation i is zero or not finite. */
    ptrdiff_t (*factor_sparse)(struct sparse_factors *F, const struct sparse_rows *A,
                               const double *M, double re);
    void (*solve_sparse)(const struct sparse_factors *F, size_t lanes, double *X);
};

#endif
