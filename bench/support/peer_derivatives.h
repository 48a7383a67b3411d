/* SPDX-License-Identifier: Apache-2.0 */
/* The derivatives of a test problem in the form that suits CVODES best: df/dy by its exact pattern, and J s + f_p
   either column by column with sparse products or by the problem's tangents of all columns at once. */
#ifndef BENCH_PEER_DERIVATIVES_H
#define BENCH_PEER_DERIVATIVES_H

#include "support/problems.h"

#include <cvodes/cvodes.h>
#include <stddef.h>

struct peer_derivatives {
    const tansy_problem *problem;
    size_t n, ns;
    int by_tangents; /* not 0: J s + f_p by the problem's .tangent */
    double *p;       /* p[np], then the number of the piece between break times */

    /* df/dy: the entries first[i] .. first[i+1] - 1 of row i stand at column[e]; value[e] is the last evaluation. */
    size_t entries;
    size_t *first, *column;
    double *value;
    double *rows;   /* rows[n*n], zero but for the pattern */
    double *packed; /* the entries of a sparse problem */

    /* df/dp by the columns of S: first_of[k] .. first_of[k+1] - 1 are the entries order[e] of F in row_of[e]. */
    size_t *first_of, *order, *row_of;
    double *F;

    double *V, *U, *R; /* the lanes of .tangent: one a column of S */
    double *u;         /* u[np] of one column */
    double t, *y;      /* where `value` and F were evaluated for J s + f_p; t = NaN: nowhere yet */
};

/* The pattern of df/dy is found at a point in general position: it is known to a user beforehand. */
void peer_derivatives_open(struct peer_derivatives *d, const tansy_problem *problem, size_t ns);
void peer_derivatives_close(struct peer_derivatives *d);

/* From now on on this piece, with the first ns columns. */
void peer_derivatives_move(struct peer_derivatives *d, size_t piece, size_t ns);

/* What CVODES calls; the user data is the struct.  The Jacobian may be a dense or a CSC matrix. */
int peer_rhs(realtype t, N_Vector y, N_Vector f, void *data);
int peer_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector w1,
                  N_Vector w2, N_Vector w3);
int peer_sens_rhs(int ns, realtype t, N_Vector y, N_Vector f, N_Vector *s, N_Vector *sp, void *data,
                  N_Vector w1, N_Vector w2);
int peer_sens_rhs_of_one(int ns, realtype t, N_Vector y, N_Vector f, int k, N_Vector s, N_Vector sp,
                         void *data, N_Vector w1, N_Vector w2);

#endif
