/* SPDX-License-Identifier: Apache-2.0 */
/* The peer of implicit problems: IDAS of SUNDIALS with forward sensitivities, given the same derivatives, with error
   control of S on, pbar = scale, the same absolute tolerances and consistent initial values by IDACalcIC().  A run
   creates and frees the solver and its vectors; the SUNContext and what a user would have ready beforehand are made once. */
#ifndef BENCH_PEER_IDAS_H
#define BENCH_PEER_IDAS_H

#include "idas_derivatives.h"
#include "task.h"

enum idas_linear { IDAS_DENSE, IDAS_BAND, IDAS_KLU, IDAS_GMRES };

struct idas_variant {
    int corrector; /* IDA_SIMULTANEOUS, IDA_STAGGERED */
    enum idas_linear linear;
    int given_product; /* with IDAS_GMRES, not 0: W v from the problem's tangent instead of differences */
    int directions; /* of a Krylov space, with IDAS_GMRES; 0: IDAS' own choice, 5 */
    int suppress;   /* not 0: algebraic components take no part in the error test */
};

struct peer_idas {
    const struct task *task;
    SUNContext context;
    struct idas_derivatives derivatives;
    int by_tangents, fused; /* by what was faster when tried */
};

void peer_idas_open(struct peer_idas *peer, const struct task *task);
void peer_idas_close(struct peer_idas *peer);

void peer_idas_solve(struct peer_idas *peer, const struct idas_variant *variant, struct run *run);

/* "staggered gmres" */
void peer_idas_name(const struct idas_variant *variant, size_t size, char *name);

#endif
