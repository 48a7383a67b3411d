/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices of all shapes for the tests of linear solvers. */
#ifndef SUPPORT_LINEAR_CASES_H
#define SUPPORT_LINEAR_CASES_H

#include "linear/linear.h"

enum { SLOTS = 2 };

/* How a sparse pattern looks; STRIPED, two diagonals on each side, is not among the shapes of linear_cases(). */
enum looks { DIAGONAL, LOOSE, TRIANGULAR, ARROW, TANGLED, FULL, STRIPED };

/* M: the identity; any matrix; one whose every third row is zero, as for algebraic equations. */
enum mass { UNIT, ANY, SINGULAR, MASSES };

struct linear_shape {
    size_t n, band[2];
    enum looks looks;
    enum mass mass;
};

/* A solver and its matrices in one block, as the library places them. */
struct linear_case {
    void *block;
    struct matrix A, M;
    struct linear l;
};

/* A solver and its matrices in memory. */
struct linear_case *linear_case_create(const struct linear_table *table,
                                       const struct kernels *kernels,
                                       const struct linear_shape *shape);
void linear_case_destroy(struct linear_case *s);

/* Fills A, and M if there is one, with entries in [-1, 1]: with re of their size no diagonal dominates, so columns are
   exchanged.  What lies outside the matrix is not for the solver to read. */
void linear_case_fill(struct linear_case *s, const struct linear_shape *shape);

/* Whether A keeps (i, j);  entry (i, j) of W = re M - A. */
int linear_case_is_inside(const struct matrix *A, size_t i, size_t j);
double linear_case_entry(const struct linear_case *s, double re, size_t i, size_t j);

typedef void linear_property(const struct linear_table *table, const struct kernels *kernels,
                             const struct linear_shape *shape);

/* Calls it for every solver, all kernels of this machine and all shapes. */
void linear_cases(linear_property *holds);

#endif
