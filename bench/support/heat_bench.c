/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation with GMRES and a tridiagonal preconditioner in both codes, see heat_bench.h. */
#include "heat_bench.h"

#include "support/heat.h"
#include "task.h"
#include "work_precision.h"

#include <stdio.h>

void heat_compare(const char *name, size_t M)
{
    enum { TIMES = 11 };
    static struct comparison c;
    static const double levels[LEVELS] = {1e-3, 1e-4, 1e-5};
    double t[TIMES];
    char problem[40];
    struct task task;
    for (size_t m = 0; m < TIMES; m++) t[m] = 0.01 * (double)(1u << m);
    snprintf(problem, sizeof problem, "heat_%zu_sparse", M);
    task_open_bare(problem, TIMES, t, &task);
    size_t const n = task.exact.n;
    for (size_t m = 0; m < TIMES; m++)
        heat_exact(M, HEAT_SPARSE, t[m], task.exact.y + m * n, task.exact.sens + 2 * m * n);
    task_finish(&task);
    task.krylov = 1;
    task.name = name;
    struct ladder const ladder = {
        .first = 3, .last = 7, .step = 1, .seconds = 0.5, .least_rounds = 1, .level = levels};
    work_precision(&task, &ladder, &c);
    print_speedup(name, "IDAS", speedup(&c, BEST_PEER, BEST_TANSY));
    task_close(&task);
}
