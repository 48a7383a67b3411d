/* SPDX-License-Identifier: Apache-2.0 */
/* The batch reactor, an index-1 DAE of 10 equations with 8 parameters over 28 orders of magnitude, through
   t = 0.1, 0.5 and 1 h, F = 0 with all derivatives given to both, IDAS in its best variant. */
#include "support/task.h"
#include "support/work_precision.h"

int main(void)
{
    static struct comparison c;
    struct task task;
    task_open("batch_reactor", &task);
    task.exact.times = 3; /* to 1 h; the file goes on to 10 */
    work_precision(&task, &(struct ladder){.seconds = 0.6}, &c);
    print_speedup("batch_reactor", "IDAS", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
    return 0;
}
