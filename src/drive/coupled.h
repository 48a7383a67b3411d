/* SPDX-License-Identifier: Apache-2.0 */
/* The system of consistent initial values where M is singular without zero columns (capacitors between nodes).  With the pivoted
   factors M P = Q [R11 R12; 0 0] the columns of V = P [-R11^-1 R12; I] span the null space of M: y' is sought in the pivot
   components, y along V, so that M y stays.  K = [M P1, -J V], dense. */
#ifndef DRIVE_COUPLED_H
#define DRIVE_COUPLED_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/matrix.h"

struct coupled {
    size_t n, rank;
    size_t *component; /* component[n]: pivots first, rank of them */
    double *V;         /* V[k*n + i], k < n - rank */
    double *K;         /* its factors, column by column */
    int *pivot;
    size_t weak; /* COUPLED_SINGULAR: the component that K leaves undetermined */
};

enum coupled_outcome { COUPLED_OK, COUPLED_REGULAR, COUPLED_SINGULAR, COUPLED_NO_MEMORY };

/* True when M is not a permuted diagonal matrix, so that its rank has to be found.  After matrix_compress. */
bool coupled_is_possible(const struct matrix *M);

/* Finds rank and null space of M and factors K.  COUPLED_REGULAR: the columns of M that are not zero are independent, the
   components do as they are; COUPLED_SINGULAR: the index is higher.  After matrix_compress of both. */
enum coupled_outcome coupled_make(struct coupled *c, const struct matrix *M,
                                  const struct matrix *J);
void coupled_free(struct coupled *c);

/* Solves K x = r for x[0 .. rank - 1] (rates of the pivot components) and x[rank ..] (along V), in place. */
void coupled_solve(const struct coupled *c, double *r);

#endif
