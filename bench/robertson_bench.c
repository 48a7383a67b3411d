/* SPDX-License-Identifier: Apache-2.0 */
/* Robertson's stiff kinetics, 3 states and 3 parameters, through t = 0.4, 40, 4e4. */
#include "support/task.h"
#include "support/work_precision.h"

int main(void)
{
    static struct comparison c;
    struct task task;
    task_open("robertson", &task);
    work_precision(&task, &(struct ladder){.seconds = 0.5}, &c);
    print_speedup("robertson", "CVODES", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
    return 0;
}
