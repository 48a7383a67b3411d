/* SPDX-License-Identifier: Apache-2.0 */
/* The derivatives of an implicit test problem in the form that suits IDAS best: W = dF/dy + c dF/dy' by its exact
   pattern, its tridiagonal part factored, and the residuals of S either column by column with sparse products or by the
   problem's tangents of all columns at once. */
#ifndef BENCH_IDAS_DERIVATIVES_H
#define BENCH_IDAS_DERIVATIVES_H

#include "support/problems.h"

#include <idas/idas.h>
#include <stddef.h>

struct idas_derivatives {
    const tansy_problem *problem;
    size_t n, ns;
    int by_tangents; /* not 0: residuals of S by the problem's .residual_tangent */

    /* The entries first[i] .. first[i+1] - 1 of row i stand at column[e], and at source[e] in A and B. */
    size_t entries;
    size_t *first, *column, *source;
    size_t storage;
    double *A, *B; /* dF/dy, dF/dy' as the problem lays them out */
    /* The same by columns: csc_first[n + 1], csc_row[entries], csc_source[entries]. */
    sunindextype *csc_first, *csc_row;
    size_t *csc_source;

    /* dF/dp by the columns of S: the entries order[e] of F in row_of[e], first_of[k] <= e < first_of[k+1]. */
    size_t *first_of, *order, *row_of;
    double *F;

    double *V, *V_rate, *R, *U;     /* the lanes of .residual_tangent: one a column of S */
    double *none;                   /* none[np] = 0 */
    double t, *y, *yp;              /* where A, B and F were evaluated; t = NaN: nowhere yet */
    double *below, *middle, *above; /* factors of the tridiagonal part of W */
};

void idas_derivatives_open(struct idas_derivatives *d, const tansy_problem *problem, size_t ns);
void idas_derivatives_close(struct idas_derivatives *d);

/* y'[n] and S'[ns*n] at the start from y[n], S[ns*n], where dF/dy' has a diagonal; 0 elsewhere. */
void idas_start(struct idas_derivatives *d, const double *y, const double *s, double *yp,
                double *sp);

/* What IDAS calls; the user data is the struct.  The matrix may be dense, banded or CSC. */
int idas_residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void *data);
int idas_jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix W,
                  void *data, N_Vector w1, N_Vector w2, N_Vector w3);
int idas_sens_residual(int ns, realtype t, N_Vector y, N_Vector yp, N_Vector F, N_Vector *s,
                       N_Vector *sp, N_Vector *r, void *data, N_Vector w1, N_Vector w2,
                       N_Vector w3);
int idas_product(realtype t, N_Vector y, N_Vector yp, N_Vector F, N_Vector v, N_Vector Wv,
                 realtype c, void *data, N_Vector w1, N_Vector w2);
int idas_precondition_prepare(realtype t, N_Vector y, N_Vector yp, N_Vector F, realtype c,
                              void *data);
int idas_precondition_solve(realtype t, N_Vector y, N_Vector yp, N_Vector F, N_Vector r, N_Vector z,
                            realtype c, realtype delta, void *data);

#endif
