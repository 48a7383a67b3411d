/* SPDX-License-Identifier: Apache-2.0 */
/* The system of consistent initial values where M is singular without zero columns (capacitors between nodes).  With the pivoted
   factors M P = Q [R11 R12; 0 0] the columns of V = P [-R11^-1 R12; I] span the null space of M: y' is sought in the pivot
   components, y along V, so that M y stays.  K = [M P1, -J V], dense.  Rows and columns of M are scaled to largest entries near 1 before its
   rank is judged, which then depends on no units, by pivots that stand out from the errors of its entries; rows and columns of K before it
   is factored. */
#ifndef DRIVE_COUPLED_H
#define DRIVE_COUPLED_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/matrix.h"

struct coupled {
    size_t n, rank;       /* n = 0: there is none */
    size_t *component;    /* component[n]: pivots first, rank of them */
    double *V;            /* V[k*n + i], k < n - rank */
    double *K;            /* its factors, column by column, of scaled rows and columns */
    double *row, *column; /* row[n], column[n]: the scales of K */
    int *pivot;
    size_t
        weak; /* COUPLED_SINGULAR: the component that K leaves undetermined; COUPLED_DOUBTFUL: that of the doubtful pivot, */
    size_t in;   /* and the equation in which its derivative counts most */
    void *block; /* all these arrays, for the largest n so far, and room for more: */
    size_t most;
    double *error; /* error[j*n + i]: what differences leave in M_ij, see coupled_errors */
    double *work;  /* work[9*n + 64] */
    size_t *place; /* place[n] */
    bool *used;    /* used[n] */
};

enum coupled_outcome {
    COUPLED_OK,
    COUPLED_REGULAR,
    COUPLED_SINGULAR,
    COUPLED_DOUBTFUL,
    COUPLED_NO_MEMORY
};

/* How good the entries of the matrices are, and units. */
struct coupled_accuracy {
    const double *M;    /* M[j*n + i]: what is left in M_ij by differences; NULL: M is exact */
    double J;           /* relative, of the entries of J */
    const double *unit; /* unit[n] of y, in which derivatives that count more are pivots first; */
    double time;        /* y' is y divided by that */
};

/* Room for the errors of n*n entries of M, zeroed; NULL: no memory. */
double *coupled_errors(struct coupled *c, size_t n);

/* True when M is not a permuted diagonal matrix, so that its rank has to be found.  After matrix_compress. */
bool coupled_is_possible(const struct matrix *M);

/* Finds rank and null space of M and factors K.  COUPLED_REGULAR: the columns of M that are not zero are independent, the
   components do as they are; COUPLED_SINGULAR: the index is higher; COUPLED_DOUBTFUL: the errors of M hide its rank.  After
   matrix_compress of both. */
enum coupled_outcome coupled_make(struct coupled *c, const struct matrix *M, const struct matrix *J,
                                  const struct coupled_accuracy *accuracy);

/* There is none any more; its memory is kept for the next, or returned. */
void coupled_forget(struct coupled *c);
void coupled_free(struct coupled *c);

/* Solves K x = r for x[0 .. rank - 1] (rates of the pivot components) and x[rank ..] (along V), in place. */
void coupled_solve(const struct coupled *c, double *r);

#endif
