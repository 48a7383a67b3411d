/* SPDX-License-Identifier: Apache-2.0 */
/* The other test problems, stiff and not, one row each: the ratios of times at errors 1e-4, 1e-6, 1e-8 of S, or larger
   ones where the problem amplifies errors so that no code gets there.  The last line is the geometric mean. */
#include "support/task.h"
#include "support/work_precision.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

struct row {
    const char *name;
    double level[LEVELS]; /* of the error; 0: the usual ones */
    size_t n, ns;
    double best, defaults, ratio[LEVELS];
};

static void measure(struct row *row)
{
    static struct comparison c;
    struct task task;
    task_open(row->name, &task);
    struct ladder const ladder = {
        .seconds = 0.3, .brief = 1, .level = row->level[0] > 0 ? row->level : NULL};
    work_precision(&task, &ladder, &c);
    row->n = task.exact.n;
    row->ns = task.exact.ns;
    row->best = speedup(&c, BEST_PEER, BEST_TANSY);
    row->defaults = speedup(&c, BEST_PEER, DEFAULT_TANSY);
    for (int l = 0; l < LEVELS; l++)
        row->ratio[l] = c.verdict[BEST_PEER][l].seconds / c.verdict[BEST_TANSY][l].seconds;
    task_close(&task);
}

int main(void)
{
    struct row rows[] = {{.name = "hires"},
                         {.name = "van_der_pol", .level = {1e-1, 1e-2, 1e-3}}, /* these two */
                         {.name = "ethane"},
                         {.name = "e3"},
                         {.name = "co_oxidation", .level = {1e-2, 1e-4, 1e-6}}, /* amplify errors */
                         {.name = "c1"},
                         {.name = "c5"}};
    size_t const count = sizeof rows / sizeof *rows;
    double sum = 0;
    for (size_t k = 0; k < count; k++) measure(&rows[k]);
    FILE *file = results_open("all_problems");
    fprintf(file, "problem,states,columns,speedup,defaults\n");
    printf("%-14s %6s %8s %8s %8s %8s %8s %9s\n", "problem", "states", "columns", "ratio 1",
           "ratio 2", "ratio 3", "speedup", "defaults");
    for (size_t k = 0; k < count; k++) {
        const struct row *r = &rows[k];
        printf("%-14s %6zu %8zu %8.2f %8.2f %8.2f %8.2f %9.2f\n", r->name, r->n, r->ns, r->ratio[0],
               r->ratio[1], r->ratio[2], r->best, r->defaults);
        fprintf(file, "%s,%zu,%zu,%.2f,%.2f\n", r->name, r->n, r->ns, r->best, r->defaults);
        sum += log(r->best);
    }
    fclose(file);
    print_speedup("all_problems", "CVODES", exp(sum / (double)count));
    return 0;
}
