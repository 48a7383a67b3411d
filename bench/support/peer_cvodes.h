/* SPDX-License-Identifier: Apache-2.0 */
/* The peer: CVODES of SUNDIALS with forward sensitivities, restarted at break times, given the same derivatives, with error control of S on,
   pbar = scale and the same absolute tolerances.  A run creates and frees the solver and its vectors; the SUNContext
   and what a user would have ready beforehand (patterns, work arrays of the callbacks) are made once. */
#ifndef BENCH_PEER_CVODES_H
#define BENCH_PEER_CVODES_H

#include "peer_derivatives.h"
#include "task.h"

enum peer_linear { PEER_DENSE, PEER_LAPACK, PEER_KLU, PEER_FIXED_POINT };

struct peer_variant {
    int lmm;       /* CV_BDF, CV_ADAMS */
    int corrector; /* CV_SIMULTANEOUS, CV_STAGGERED, CV_STAGGERED1 */
    enum peer_linear linear;
};

struct peer {
    const struct task *task;
    SUNContext context;
    struct peer_derivatives derivatives;
    /* By what peer_tune() found faster: */
    int fused; /* not 0: SUNDIALS' fused vector operations are on */
    int tangents
        [2]; /* not 0: J s + f_p by the problem's tangents; of all columns together, of one at a time */
    int keeps; /* not 0: of a problem with break times, all columns from the beginning, though they are zero, instead of a new
                  set with more of them at every restart */
};

void peer_open(struct peer *peer, const struct task *task);
void peer_tune(struct peer *peer); /* solves several times */
void peer_close(struct peer *peer);

void peer_solve(struct peer *peer, const struct peer_variant *variant, struct run *run);

/* "bdf staggered1 lapack" */
void peer_name(const struct peer_variant *variant, size_t size, char *name);

#endif
