/* SPDX-License-Identifier: Apache-2.0 */
/* A mass-action network of 100 species and 400 rate constants to t = 10; Tansy with dense factors, CVODES
   with dense and with sparse ones.  There is no reference file: Tansy at rtol = 1e-11 makes one, and CVODES has to
   agree. */
#include "support/contender.h"
#include "support/task.h"
#include "support/work_precision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both at their tight tolerances; the peer's own error is some 30 rtol here. */
static const double tight = 1e-11, tight_peer = 1e-10, allowed = 1e-8;

static void make_reference(struct task *task)
{
    static const struct contender maker = {
        .code = BEST_TANSY, .options = {.method = TANSY_BDF, .sensitivities = TANSY_DIRECT}};
    static const struct contender judge = {
        .code = BEST_CVODES,
        .variant = {.lmm = CV_BDF, .corrector = CV_STAGGERED, .linear = PEER_KLU}};
    struct run run;
    struct peer peer;
    run_open(task, &run);
    run.rtol = tight;
    contender_solve(&maker, task, NULL, &run);
    memcpy(task->exact.y, run.y, task->exact.n * sizeof(double));
    memcpy(task->exact.sens, run.sens, task->exact.n * task->exact.ns * sizeof(double));
    task_finish(task);
    int const failed = run.failed;
    peer_open(&peer, task);
    run.rtol = tight_peer;
    contender_solve(&judge, task, &peer, &run);
    double const distance = task_error(task, &run);
    printf("reference: Tansy at rtol = %g; CVODES at %g is %.1e away\n", tight, tight_peer,
           distance);
    peer_close(&peer);
    run_close(&run);
    if (!failed && distance <= allowed) return;
    fprintf(stderr, "the reference is not to be trusted: at most %g is allowed\n", allowed);
    exit(EXIT_FAILURE);
}

int main(void)
{
    static struct comparison c;
    static const double end[] = {10};
    struct task task;
    task_open_bare("network_100x400", 1, end, &task);
    make_reference(&task);
    work_precision(
        &task, &(struct ladder){.first = 3, .last = 10, .step = 1, .seconds = 1, .least_rounds = 1},
        &c);
    print_speedup("network_100x400", speedup(&c, BEST_CVODES, BEST_TANSY));
    task_close(&task);
    return 0;
}
