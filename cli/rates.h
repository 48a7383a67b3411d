/* SPDX-License-Identifier: Apache-2.0 */
/* y' and S' from the equations at points of a run.  The slopes of its polynomials, which no error test has seen, may be less exact than y; but
   the equations multiply errors of y by their derivatives, so that of stiff components the slopes are better. */
#ifndef CLI_RATES_H
#define CLI_RATES_H

#include "study.h"

struct rates {
    const struct study *study;
    bool is_final;        /* of the end of a run alone, without columns */
    tansy_solver *beside; /* that of tansy_rates_at() */
    double *moved, *other, *atol;
};

/* Of a run of this problem: at its end without columns, or all along with them. */
void rates_open(struct rates *r, const struct study *s, const tansy_problem *problem,
                bool is_final);
void rates_close(struct rates *r);

/* y'[n] and S'[ns*n] at t in the last step of `solver`, where it has y[n] and sens[ns*n]; the last of both are NULL without columns.  False: errors that y
   may have count in them, or they cannot be had; then they are undefined. */
bool rates_find(struct rates *r, tansy_solver *solver, const tansy_stored *at, double *yp,
                double *sensp);

#endif
