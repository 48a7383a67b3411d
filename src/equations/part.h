/* SPDX-License-Identifier: Apache-2.0 */
/* A part is what a step advances as one: the state (one lane) or a panel of columns of S.  Later kinds:
   second-order panels. */
#ifndef EQUATIONS_PART_H
#define EQUATIONS_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "derive/derive.h"
#include "matrix/panels.h"

enum part_kind { PART_STATE, PART_TANGENT };

enum { MOST_ROWS = 12 }; /* of an extrapolation tableau */

/* What advancing a part cost; added to the totals only if the part counts (see drive/attempt.c). */
struct part_counts {
    struct derive_counts derive;
    size_t solves, iterations, linear; /* in columns; linear: iterations of an iterative solver */
};

struct part {
    enum part_kind kind;
    struct panel shape; /* the state: one lane, one column */

    /* Error weights 1/(rtol_i rho_k |v| + atol_i a_k), or literal matrices in the panel's layout. */
    const double *rtol, *atol;               /* rtol[n], atol[n] */
    const double *rho, *a;                   /* of the lanes */
    const double *rtol_matrix, *atol_matrix; /* NULL: products */

    /* The method's: a history of rows of shape.count doubles, corrections of this step and the last. */
    double *history;
    double *e[2];
    int now;          /* e[now] belongs to the step at work, e[!now] to the step before */
    int order;        /* the history is scaled to this order and step */
    int skips, drops; /* extrapolation: what dense output goes without, see limex_dense.c */
    double h;
    bool pending;              /* e[!now] is not yet added to the history */
    double squares[MAX_LANES]; /* of the norms of e[now] of every column, */
    bool squares_known;        /* if the corrector found them on its way */
    double rate;               /* square of the corrector's convergence rate, carried on */
    double dense_last; /* of rk8, when knows_dense: its last coefficient in units of the test, */
    double dense_size; /* and that of columns at the border of stability, where it is an error */
    /* One-step methods: slopes at the beginning of the step at work, at the end of the last one, all that dense output needs. */
    bool knows_slope, knows_end, knows_dense;
    bool slope_is_new; /* it was found in the attempt at work */
    bool has_left;     /* extrapolation: the columns met their tolerance before the last row; */
    bool is_twisted;   /* row 3 was far worse than its estimate */
    bool is_pressed;   /* dense output has the largest error of an attempt at the step at work */
    bool
        knows_gap; /* gap[k] is the square of the distance of the last stage from the end of the step, */
    double gap[MAX_LANES]; /* kept to look for stiffness */
    bool
        knows_inside; /* Rosenbrock formulas: inside[k] is the square of the error of dense output */
    double inside[MAX_LANES];
    /* Extrapolation: the error estimate of row j, of the worst column, and the sum of the squares of all, in units of the tolerance;
       row 1: the change in the step. */
    double row_error[1 + MOST_ROWS], row_sum[1 + MOST_ROWS];
    double row_inside[1 +
                      MOST_ROWS]; /* that of dense output after row j, where it is tested; else 0 */

    struct part_counts counts; /* of the attempt at work */
    struct failure failure;    /* of the user function that ended it */

    /* The state of direct: the square of the size of the first correction of its last iteration, and how many there were.  The state:
       the largest such square that was believed to need no second iteration with the factors at hand, and for how many steps none is. */
    double first, single;
    int made, wary;
};

/* Vectors for one part at work; every thread has one for panels, and the state has its own. */
struct work {
    double *y0, *d0; /* predicted value and h times derivative */
    double *y;       /* the value at work */
    double *r;       /* residual */
    double *winv;    /* reciprocal error weights */
    double *yp;      /* derivative at work, of an implicit problem; else NULL */
    double *
        masked; /* winv without the components that take no part in error tests, if there are any */
};

/* Moves the counts of a worker to the part it worked on. */
void part_collect(struct part *part, struct derive_worker *worker);

/* `implicit`: with yp and masked. */
void work_layout(struct work *w, struct arena *arena, size_t count, bool implicit);

#endif
