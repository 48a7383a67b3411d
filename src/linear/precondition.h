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

    /* Floating-point operations, as in linear.h. */
    double (*prepare_cost)(const struct linear *l);
    double (*solve_cost)(const struct linear *l);
};

extern const struct preconditioner precondition_none, precondition_user, precondition_band,
    precondition_ilu, precondition_block;

/* All of them, NULL at the end. */
extern const struct preconditioner *const preconditioners[];

/* The columns from `first` to end - 1 of row i of W = re M - A are written to w[j - first].  False if one is not finite. */
bool precondition_gather(const struct linear *l, double re, size_t i, size_t first, size_t end,
                         double *w);

/* Factors of a band of W; what `band` and blocks of one row use. */
void precondition_band_layout(struct linear *l, struct arena *arena);
ptrdiff_t precondition_band_prepare(struct linear *l, size_t slot, double re);
int precondition_band_solve(const struct linear *l, size_t slot, const struct linear_task *task,
                            double *X);

#endif
