/* SPDX-License-Identifier: Apache-2.0 */
/* One against one, see duel.h. */
#include "duel.h"

#include <stdio.h>

void duel_run(const struct duel *duel)
{
    static struct comparison c;
    struct task task;
    const struct entrants *who = &duel->entrants;
    task_open(duel->problem, &task);
    task.name = duel->name;
    work_precision(&task,
                   &(struct ladder){.seconds = duel->seconds,
                                    .levels = duel->levels,
                                    .level = duel->level,
                                    .entrants = who},
                   &c);
    double const factor = speedup(&c, BEST_PEER, BEST_TANSY);
    printf("wanted: at least %.1f, which is %s\n", duel->target,
           factor >= duel->target ? "reached" : "not reached");
    print_speedup(duel->name,
                  !who->bdf     ? "CVODES Adams"
                  : !who->adams ? "CVODES BDF"
                                : "CVODES",
                  factor);
    task_close(&task);
}
