/* SPDX-License-Identifier: Apache-2.0 */
/* Linear solvers for W = (re + i im) M - A, where A is the stored Jacobian and M = I, or the matrix of y' in an implicit
   problem (then A = -dF/dy, M = dF/dy').  A solver may keep several
   factorisations side by side, in slots (Radau, the rows of LIMEX); im = 0 today.  All solves work in
   place.  solve_panel may be called by several threads at once on different panels. */
#ifndef LINEAR_LINEAR_H
#define LINEAR_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "matrix/kernels.h"
#include "matrix/matrix.h"

enum { LINEAR_NOT_SUPPORTED = -1, LINEAR_STOPPED = -2, LINEAR_NO_MEMORY = -3 };

struct linear; /* the data of a solver */
struct krylov; /* what an iterative solver needs besides, linear/krylov.h */

/* What an iterative solver needs to know of the equations it serves. */
struct linear_task {
    size_t worker, lanes, columns; /* X[i*lanes + k], i < n, k < columns; other lanes are zero */
    bool is_state;                 /* not columns of S, which are solved for after it */
    const double *winv;            /* reciprocal error weights, as X */
    double
        tolerance; /* of the residual in the norm of the weights, for each column; see krylov.h */
    /* Y = W X for all lanes at the point of linearisation; counts as a linear iteration.  Codes as in derive.h. */
    int (*apply)(void *context, size_t worker, size_t lanes, size_t columns, const double *X,
                 double *Y);
    void *context;
    size_t *iterations; /* added to: lanes that were at work, summed over the iterations */
};

struct linear_table {
    const char *name;
    enum matrix_kind
        matrix; /* the kind of A it takes; MATRIX_NONE: W = re I, or any if it iterates */

    /* Places what the factors need (l is placed already; A, slots and kernels are set). */
    void (*layout)(struct linear *l, struct arena *arena);

    /* Factors W, or a preconditioner for it, into slot.  0; i + 1 when pivot i is zero or not finite (sparse: when equation i, or
       variable i, leaves none); LINEAR_NOT_SUPPORTED if im != 0; LINEAR_STOPPED when a user function wants to stop;
       LINEAR_NO_MEMORY (sparse only; the slot then has no factors). */
    ptrdiff_t (*factor)(struct linear *l, size_t slot, double re, double im);
    bool factors_apart; /* several threads may factor into different slots at once */

    /* x <- W^-1 x;  X <- W^-1 X for a panel;  x <- W^-T x; W with its rows of constraints multiplied by re. */
    void (*solve)(const struct linear *l, size_t slot, double *x);
    void (*solve_panel)(const struct linear *l, size_t slot, size_t lanes, double *X);
    void (*solve_transposed)(const struct linear *l, size_t slot, double *x);

    /* Iterative solvers: X <- W^-1 X for the lanes of X, to the accuracy the task asks for; then the solves above are
       NULL.  0; 1 when it did not converge (or the preconditioner failed); -1 when a user function wants to stop; X is
       lost in both cases.  NULL: a direct solver. */
    int (*iterate)(const struct linear *l, size_t slot, const struct linear_task *task, double *X);

    /* Before A is changed for a factorisation or two: what the next analysis may leave out is what is zero in A and M now.  NULL:
       nothing ever is. */
    void (*settle)(struct linear *l);

    /* Floating-point operations of a factorisation and of a solve, for the cost model; a sparse pattern must be set. */
    double (*factor_cost)(const struct linear *l);
    double (*solve_cost)(const struct linear *l);

    /* Returns the memory taken since the layout; nothing is solved afterwards, until all is factored again, from a new analysis.
       NULL: none is ever taken. */
    void (*release)(struct linear *l);

    /* Forgets what factorisations so far have left behind, such as pivots: the next are as those of a new solver, to the bit.  NULL:
       none depends on those before. */
    void (*forget)(struct linear *l);
};

struct linear {
    const struct linear_table *table;
    const struct kernels *kernels;
    const struct matrix *A;
    const struct matrix *M; /* of the same kind and shape as A; NULL: the identity */
    /* constraint[n]: rows of W that are multiplied by re, as right-hand sides have to be (linear_balance); NULL: none.  Those of
       constraints of index 2: W = [re M - J, -B; -G, 0] is ill-conditioned like re^2, with re G like re, and in units of z/re for
       the multipliers not at all. */
    const bool *constraint;
    /* unit[n]: powers of two, of the size that entries of a solution have beside each other.  Pivots
       are chosen by them, so that neither they nor the digits of factors depend on units. */
    double *unit;
    size_t slots;
    bool
        thin; /* sparse: entries that are zero in A and M are left out of the pattern (dynamic sparsing) */
    void *factors;         /* the solver's own, placed by layout */
    struct krylov *krylov; /* filled before layout; NULL: a direct solver */
};

extern const struct linear_table linear_dense_lu, linear_band_lu, linear_diagonal, linear_gmres;

/* Places the units of a direct solver, all 1. */
void linear_layout_units(struct linear *l, struct arena *arena);

/* unit_j <- a power of two beside this size; 1 for one that is not positive and finite. */
void linear_set_unit(struct linear *l, size_t j, double size);

/* X[i*width + k] <- re X[i*width + k], k < width, in the rows of constraints. */
void linear_scale_constraints(const struct linear *l, double re, size_t width, double *X);
static inline void linear_balance(const struct linear *l, double re, size_t width, double *X)
{
    if (l->constraint) linear_scale_constraints(l, re, width, X);
}

/* The sparse direct solver; NULL in a library built without KLU. */
extern const struct linear_table *const linear_sparse;

/* All direct solvers, NULL at the end: what the contract tests run over.  gmres, which has no solves but with a task, has tests of
   its own (tests/unit/krylov_*.c). */
extern const struct linear_table *const linear_tables[];

#endif
