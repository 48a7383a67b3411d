/* SPDX-License-Identifier: Apache-2.0 */
/* What Krylov iteration needs to know and keeps: Brown, Hindmarsh and Petzold 1994 (DASPK), whose names are in brackets.
   Norms are |r| = sqrt(share sum_i (winv_i r_i)^2), winv of the error test, for each column on its own.  A solve ends
   when the residual is at most task.tolerance:
     left preconditioning    |P^-1 (b - W x)|   P^-1 r is an estimate of the error of x, in its units, if P is near W; where
                             P^-1 W is small in a direction, the error there is larger by as much: the smallest diagonal
                             entry of the triangle R of P^-1 W that this solve shows, or
                             those of the state did of late (.weakest), divides it
     right, or none          |s (b - W x)|      s_i = 1/|re|, or 1 in algebraic rows: (re M - A)/re = M - A/re
   The units of x are thus those of the error test in every case.  Components without a weight (winv = 0), which the error
   test leaves out, are solved for all the same. */
#ifndef LINEAR_KRYLOV_H
#define LINEAR_KRYLOV_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/reduce.h"

struct preconditioner; /* linear/precondition.h */
struct gmres_work;     /* linear/gmres_work.h */
struct row_order;      /* linear/precondition_rows.c */

/* A preconditioner from outside.  prepare() makes P near W = re M - A; solve() overwrites X[i*lanes + k], k < columns,
   by P^-1 X and may be called by several workers at once.  Codes as in derive.h: 0, positive: failed, negative: stop. */
struct krylov_user {
    void *context;
    int (*prepare)(void *context, double re);
    int (*solve)(void *context, size_t worker, size_t lanes, size_t columns, double *X);
};

/* Kept apart for each worker; solves, iterations and preconditioned are in columns. */
struct krylov_counts {
    size_t solves, iterations; /* their ratio is the average Krylov dimension */
    size_t preconditioned;     /* solves with the preconditioner */
    size_t restarts, failures; /* of panels */
};

struct krylov {
    /* Filled before layout, which replaces zeros by the defaults. */
    const struct preconditioner *preconditioner;
    bool right;                 /* the preconditioner stands on the right */
    size_t dimension;           /* directions before a restart (MAXL); 0: 5, at most n */
    size_t orthogonal;          /* a new direction is made orthogonal to so many (KMP); 0: to all */
    size_t restarts;            /* (NRMAX), literally */
    size_t workers, most_lanes; /* task.worker < workers, task.lanes <= most_lanes */
    size_t lower, upper;        /* of a band preconditioner */
    size_t block;               /* rows in a block of a block preconditioner */
    bool has_columns;           /* solves for the state are followed by those of columns */
    const bool *algebraic;      /* algebraic[n]: rows where M is zero; NULL: none */
    double
        share; /* 1/n, n over all processes, or 1 if the error test takes the maximum norm; 0: 1/n */
    struct reduce reduce;
    struct krylov_user user;

    /* Placed by layout. */
    double *re;              /* of every slot */
    void *factors;           /* the preconditioner's own */
    struct gmres_work *work; /* of every worker */
    struct row_order *order; /* of the rows of P in every slot; NULL: that of W */
    double
        shift; /* shares of their rows that entries of the diagonal are enlarged by; 0 as a rule */
    bool
        is_strict; /* a zero pivot of P is to be told, not avoided: another solver then looks at W */
    size_t prepared; /* preconditioners prepared so far */
    bool
        is_coupled; /* M has more than one entry in a row: then a preconditioner, or s of the right side, may miss */
    bool
        is_probed; /* what it does to unknowns, .weak, has been looked for since it was prepared, or a step failed */
    bool
        columns_jump; /* a column failed its error test: what solves for the state leave may be why */
    size_t since;     /* solves for the state that began since that look */
    double weak; /* residuals of norm 1 by chance are those of errors of norm 1/weak, weak <= 1 */
    double weakest; /* the smallest |R_jj| <= 1 of solves for the state of late: a larger one
                           moves it by half the way, on a logarithmic scale */
};

/* The sum over the workers. */
struct krylov_counts krylov_total(const struct krylov *k);

#endif
