/* SPDX-License-Identifier: Apache-2.0 */
/* The container crane with 32 intervals of both controls: 64 columns, of which two more act at every grid point, where all codes are
   restarted.  The reference is our rosenbrock at a tight tolerance, which CVODES has to confirm. */
#include "support/made_reference.h"
#include "support/work_precision.h"

#include <stdio.h>

static const struct entrant ours[] = {{.method = "auto"},  {.method = "rk8", .residual = "seed"},
                                      {.method = "limex"}, {.method = "rosenbrock"},
                                      {.method = "adams"}, {.method = "bdf"}};

int main(void)
{
    static const double end[] = {9};
    static struct comparison c;
    struct task task;
    double const target = 3;
    struct entrants const who = {
        .count = sizeof ours / sizeof *ours, .ours = ours, .adams = 1, .bdf = 1};
    task_open_bare("crane_32", 1, end, &task);
    task.name = "crane_32";
    reference_make(&task,
                   &(struct judgement){.maker = {.options = {.method = TANSY_ROSENBROCK}},
                                       .judge = {.code = BEST_PEER,
                                                 .variant = {CV_ADAMS, CV_STAGGERED, PEER_DENSE}},
                                       .tight = 1e-12,
                                       .tight_peer = 1e-12,
                                       .allowed = 1e-9});
    work_precision(&task, &(struct ladder){.seconds = 0.1, .entrants = &who}, &c);
    double const factor = speedup(&c, BEST_PEER, BEST_TANSY);
    printf("wanted: at least %.1f, which is %s\n", target,
           factor >= target ? "reached" : "not reached");
    print_speedup("crane_32", "CVODES", factor);
    task_close(&task);
    return 0;
}
