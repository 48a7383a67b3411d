/* SPDX-License-Identifier: Apache-2.0 */
/* Catalytic cracking of gas oil to t = 4: so small that the solver's own overhead is all there is.  ODESSA's
   times are for one run of its Fortran, gfortran 12 -O2, at tolerance 1e-5 with errors of S measured as here, all
   output at t = 4. */
#include "support/task.h"
#include "support/work_precision.h"
#include "support/work_precision_tables.h"

#include <stdio.h>

static void print_beside_odessa(const struct comparison *c, const char *method, double error,
                                double microseconds)
{
    struct verdict const v = best_at(c, BEST_TANSY, 1, error);
    printf("largest absolute error %.1e of S at t = 4: ODESSA %s %g us, Tansy ", error, method,
           microseconds);
    print_seconds(v.seconds);
    printf(" (%s), ratio %.2f\n", v.who ? v.who->name : "not reached",
           1e-6 * microseconds / v.seconds);
}

int main(void)
{
    static struct comparison c;
    struct task task;
    task_open("gas_oil", &task);
    work_precision(&task, &(struct ladder){.seconds = 0.6}, &c);
    print_beside_odessa(&c, "bdf", 8.5e-6, 22);
    print_beside_odessa(&c, "adams", 2.4e-6, 17);
    print_speedup("gas_oil", "CVODES", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
    return 0;
}
