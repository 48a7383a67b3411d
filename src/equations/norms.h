/* SPDX-License-Identifier: Apache-2.0 */
/* Error weights and the one norm of everything: root mean square, or maximum, of v_i/w_i for each column,
   w_i = rtol_i |y_i| + atol_i (ODESSA 4.8, 4.13). */
#ifndef EQUATIONS_NORMS_H
#define EQUATIONS_NORMS_H

#include <tansy/options.h>
#include <tansy/problem.h>

#include "equations/levers.h"
#include "equations/own_weights.h"
#include "equations/part.h"
#include "matrix/reduce.h"

struct norms {
    const struct kernels *kernels;
    struct reduce reduce;
    tansy_norm kind;
    size_t n;
    double share; /* of one component in a square: 1/n, n over all processes; 1 for the maximum */
    double
        stricter; /* all error weights are divided by this; 0: not, but in transients of S (drive/jump_transient.h) */
    const double *
        iterated; /* iterated[n]: 0 for multipliers of index 2, whose own weights the corrector's norm leaves out, else 1; NULL: none */
    struct lever *lever;  /* lever[n]: what those count instead; NULL: nothing */
    const double *tested; /* the same for error tests, which leave those out too */
    const bool
        *held;  /* held[k]: error tests of column k leave out its algebraic rows; NULL: of none */
    bool bends; /* those of all columns do, for a while (drive/bends.h) */
    const tansy_kind *component;   /* component[n], where there are such columns */
    const struct own_weights *own; /* NULL: weights follow from tolerances */
};

/* winv of a part at the value v, for the corrector; and from it the weights of error tests, which are the result. */
void norms_weigh(const struct norms *s, const struct part *part, const double *v, double *winv);
const double *norms_mask(const struct norms *s, const struct part *part, struct work *w);
static inline const double *norms_weigh_tests(const struct norms *s, const struct part *part,
                                              struct work *w)
{
    bool const some = s->tested || ((s->held || s->bends) && part->kind == PART_TANGENT);
    return some ? norms_mask(s, part, w) : w->winv;
}

/* The squares of the norms of every column, not yet times share: square[k], k < columns. */
void norms_squares(const struct norms *s, const struct part *part, const double *v,
                   const double *winv, double *square);

/* The column with the largest square, or the first that is NaN. */
size_t norms_worst(const double *square, size_t columns);

/* The largest norm of any column; NaN if any is NaN. */
double norms_largest(const struct norms *s, const struct part *part, const double *v,
                     const double *winv);

/* Runs a corrector's iteration (kernels.h) on the part and returns the square of the largest norm of r; those of the
   norms of e are left in the part. */
double norms_correct(const struct norms *s, struct part *part, struct correction_task *task);

/* Squares of the norms behind the candidates of other orders (kernels.h); r is room for a vector. */
void norms_orders(const struct norms *s, const struct part *part, const struct order_task *task,
                  double *r, double *lower, double *higher);

#endif
