/* SPDX-License-Identifier: Apache-2.0 */
/* Linear solvers for W = (re + i im) I - A, where A is the stored Jacobian.  A solver may keep several
   factorisations side by side, in slots (Radau, the rows of LIMEX); im = 0 today.  All solves work in
   place.  solve_panel may be called by several threads at once on different panels. */
#ifndef LINEAR_LINEAR_H
#define LINEAR_LINEAR_H

#include <stddef.h>

#include "base/arena.h"
#include "matrix/kernels.h"
#include "matrix/matrix.h"

enum { LINEAR_NOT_SUPPORTED = -1 };

struct linear; /* the data of a solver */

struct linear_table {
    const char *name;
    enum matrix_kind matrix; /* the kind of A it takes; MATRIX_NONE: W = re I */

    /* Places what the factors need (l is placed already; A, slots and kernels are set). */
    void (*layout)(struct linear *l, struct arena *arena);

    /* Factors W into slot.  0; i + 1 when pivot i is zero or not finite; LINEAR_NOT_SUPPORTED if im != 0. */
    ptrdiff_t (*factor)(struct linear *l, size_t slot, double re, double im);

    /* x <- W^-1 x;  X <- W^-1 X for a panel;  x <- W^-T x. */
    void (*solve)(const struct linear *l, size_t slot, double *x);
    void (*solve_panel)(const struct linear *l, size_t slot, size_t lanes, double *X);
    void (*solve_transposed)(const struct linear *l, size_t slot, double *x);

    /* Floating-point operations of a factorisation and of a solve, for the cost model. */
    double (*factor_cost)(const struct linear *l);
    double (*solve_cost)(const struct linear *l);
};

struct linear {
    const struct linear_table *table;
    const struct kernels *kernels;
    const struct matrix *A;
    size_t slots;
    void *factors; /* the solver's own, placed by layout */
};

extern const struct linear_table linear_dense_lu, linear_band_lu, linear_diagonal;

/* All tables, NULL at the end: what the contract tests run over. */
extern const struct linear_table *const linear_tables[];

#endif
