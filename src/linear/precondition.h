/* SPDX-License-Identifier: Apache-2.0 */
/* Preconditioners P near W = re M - A of Krylov iteration: one for the state and all panels. */
#ifndef LINEAR_PRECONDITION_H
#define LINEAR_PRECONDITION_H

#include "linear/krylov.h"
#include "linear/linear.h"

struct preconditioner {
    const char *name;
    bool entries; /* it is made from the entries of A and M; else A may be MATRIX_NONE */

    /* Places what P needs, in every slot, at l->krylov->factors; NULL: nothing. */
    void (*layout)(struct linear *l, struct arena *arena);

    /* Makes P.  As `factor` of linear.h. */
    ptrdiff_t (*prepare)(struct linear *l, size_t slot, double re);

    /* X <- P^-1 X for a panel.  0; 1: failed; -1: a user function wants to stop.  NULL: P is the identity. */
    int (*solve)(const struct linear *l, size_t slot, const struct linear_task *task, double *X);

    /* The reciprocal of the pivot of row and column i; 0 if rows were exchanged.  NULL: not known. */
    double (*inverse)(const struct linear *l, size_t slot, size_t i);

    /* Floating-point operations, as in linear.h. */
    double (*prepare_cost)(const struct linear *l);
    double (*solve_cost)(const struct linear *l);
};

extern const struct preconditioner precondition_none, precondition_user, precondition_band,
    precondition_ilu, precondition_block;

/* All of them, NULL at the end. */
extern const struct preconditioner *const preconditioners[];

/* The columns from `first` to end - 1 of row i of P's W = re M - A are written to w[j - first].  False if one is not finite. */
bool precondition_gather(const struct linear *l, size_t slot, double re, size_t i, size_t first,
                         size_t end, double *w);

/* Makes P.  Where a pivot vanishes or is tiny the rows of W are put into another order, which the slot then keeps. */
ptrdiff_t precondition_prepare(struct linear *l, size_t slot, double re);

/* row[n]: row i of P's W is that row of W; NULL: row i. */
const size_t *precondition_order(const struct linear *l, size_t slot);
void precondition_order_layout(struct linear *l, struct arena *arena);
void precondition_order_forget(struct linear *l);

/* Puts the rows of a panel into that order; room as X. */
void precondition_exchange(const struct linear *l, size_t slot, size_t lanes, double *room,
                           double *X);

/* What the diagonal entry of a row w[count] of P's W is to be. */
double precondition_shift(const struct linear *l, size_t count, const double *w, double diagonal);

/* Factors of a band of W; what `band` and blocks of one row use. */
void precondition_band_layout(struct linear *l, struct arena *arena);
ptrdiff_t precondition_band_prepare(struct linear *l, size_t slot, double re);
int precondition_band_solve(const struct linear *l, size_t slot, const struct linear_task *task,
                            double *X);
double precondition_band_inverse(const struct linear *l, size_t slot, size_t i);

#endif
