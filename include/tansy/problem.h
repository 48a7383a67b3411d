/* SPDX-License-Identifier: Apache-2.0 */
/* The problem: y' = f(t, y, p), y(t0) = y0(p), and the columns of S = dy/dp that are wanted.
   f alone is enough; every derivative that is given makes S more accurate and faster, what is missing is
   filled by differences.  All user functions return 0 (done), a positive value (not here: try a smaller
   step) or a negative value (stop).  They must not change y or p. */
#ifndef TANSY_PROBLEM_H
#define TANSY_PROBLEM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* f[n] = f(t, y, p). */
typedef int tansy_rhs(double t, const double *y, const double *p, double *f, void *context);

/* The Jacobian df/dy.  J comes zeroed; set the entries that are not zero.
   Dense:  J[i*n + j] = df_i/dy_j.
   Banded: J[i*(lower + upper + 1) + j - i + lower] = df_i/dy_j for i - lower <= j <= i + upper. */
typedef int tansy_jacobian(double t, const double *y, const double *p, double *J, void *context);

/* df/dp.  Without a pattern: F[i*np + k] = df_i/dp_k, n x np, zeroed on entry.
   With a pattern of nz entries: F[e] = df_i/dp_k for i = row[e], k = column[e]. */
typedef int tansy_parameter_jacobian(double t, const double *y, const double *p, double *F,
                                     void *context);

/* Tangents of many columns at once (the "seed matrix"):  R = (df/dy) V + (df/dp) U.
   V[i*ld + k], i < n; U[j*ld + k], j < np; R[i*ld + k], i < n; for the columns k < columns.
   Write R for k < columns only. */
typedef int tansy_tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                          const double *V, const double *U, double *R, void *context);

/* y0[n] = y(t0) as a function of p. */
typedef int tansy_initial(double t0, const double *p, double *y0, void *context);

/* D[i*np + k] = d y0_i/d p_k, n x np, zeroed on entry. */
typedef int tansy_initial_jacobian(double t0, const double *p, double *D, void *context);

/* Where the entries of a sparse matrix stand; copied by tansy_create(). */
typedef struct tansy_pattern {
    size_t entries;    /* nz; 0 with row == NULL: the matrix is dense */
    const size_t *row; /* row[nz] */
    const size_t *column;
} tansy_pattern;

typedef enum tansy_structure {
    TANSY_DENSE = 0,
    TANSY_BANDED /* with .lower and .upper */
} tansy_structure;

/* Names a column of S in .columns: k means dy/dp_k, TANSY_INITIAL(i) means dy/dy_i(t0). */
#define TANSY_INITIAL(i) (-1 - (int)(i))

/* All arrays are copied by tansy_create(); context is kept and passed on. Zero in a field: not given. */
typedef struct tansy_problem {
    size_t n;         /* equations, at least 1 */
    size_t np;        /* parameters, may be 0 */
    double t0;        /* initial time */
    const double *y0; /* y0[n], initial values; may be NULL when .initial is given */
    const double *p;  /* p[np] */
    void *context;    /* passed to all functions below */

    tansy_rhs *rhs;                               /* needed */
    tansy_jacobian *jacobian;                     /* df/dy, laid out as .structure says */
    tansy_parameter_jacobian *parameter_jacobian; /* df/dp */
    tansy_pattern parameter_pattern;              /* of df/dp */
    tansy_tangent *tangent;                   /* used for S when given, see the option `residual` */
    tansy_initial *initial;                   /* y(t0) from p, instead of .y0 */
    tansy_initial_jacobian *initial_jacobian; /* its derivative */

    tansy_structure structure; /* of df/dy */
    size_t lower, upper;       /* bandwidths below and above the diagonal */

    size_t ns;          /* columns of S; needed with .columns or .directions, else ns = np */
    const int *columns; /* columns[ns]: parameters and TANSY_INITIAL(i); NULL: all parameters */
    const double
        *directions;     /* directions[k*(n + np) + j]: column k is S times this direction, first n
                                 entries along y(t0), then np along p; instead of .columns */
    const double *scale; /* scale[np], typical size of p_k; 0: abs(p_k), or 1 when p_k = 0 */
    int concurrent;      /* not 0: the functions may be called by several threads at once */
} tansy_problem;

#ifdef __cplusplus
}
#endif
#endif
