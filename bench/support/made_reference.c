/* SPDX-License-Identifier: Apache-2.0 */
/* References made on the spot, see made_reference.h. */
#include "made_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reference_make(struct task *task, const struct judgement *how)
{
    const struct reference *exact = &task->exact;
    const char *peer_name = task->problem->problem.residual ? "IDAS" : "CVODES";
    struct run run;
    struct opponent peer;
    run_open(task, &run);
    run.rtol = how->tight;
    contender_solve(&how->maker, task, NULL, &run);
    memcpy(exact->y, run.y, exact->times * exact->n * sizeof(double));
    memcpy(exact->sens, run.sens, exact->times * exact->n * exact->ns * sizeof(double));
    task_finish(task);
    int const failed = run.failed;
    opponent_open(&peer, task);
    run.rtol = how->tight_peer;
    contender_solve(&how->judge, task, &peer, &run);
    double const distance = task_error(task, &run);
    printf("reference: Tansy at rtol = %g; %s at %g is %.1e away\n", how->tight, peer_name,
           how->tight_peer, distance);
    opponent_close(&peer);
    run_close(&run);
    if (!failed && distance <= how->allowed) return;
    fprintf(stderr, "the reference is not to be trusted: at most %g is allowed\n", how->allowed);
    exit(EXIT_FAILURE);
}
