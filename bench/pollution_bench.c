/* SPDX-License-Identifier: Apache-2.0 */
/* The pollution problem of the Bari test set, 20 species and 25 rate constants, through t = 1, 10, 60. */
#include "support/task.h"
#include "support/work_precision.h"

int main(void)
{
    static struct comparison c;
    struct task task;
    task_open("pollution", &task);
    work_precision(&task, &(struct ladder){.seconds = 0.8}, &c);
    print_speedup("pollution", "CVODES", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
    return 0;
}
