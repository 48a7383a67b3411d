/* SPDX-License-Identifier: Apache-2.0 */
/* Our methods beside each other and CVODES with Adams formulas and BDF: error of S against time on C5, pleiades, Lotka and
   Volterra's problem, HIRES, pollution and Robertson's problem; bench/results/one_step_NAME.csv, each with a plot. */
#include "support/contender.h"
#include "support/task.h"
#include "support/work_precision.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

/* The first ones are not for stiff problems. */
static const struct entrant ours[] = {
    {.method = "adams"}, {.method = "rk8"}, {.method = "bdf"}, {.method = "rosenbrock"}};
enum { METHODS = sizeof ours / sizeof *ours, NONSTIFF_METHODS = 2 };

struct subject {
    const char *problem, *name;
    double level[LEVELS]; /* of the error; 0: the usual ones */
    double first, last;   /* digits of the tolerances; 0: the usual ones */
};
static const struct subject subjects[] = {
    {.problem = "c5", .name = "one_step_c5"},
    {.problem = "pleiades",
     .name = "one_step_pleiades",
     .level = {1e-1, 1e-3, 1e-5},
     .first = 6, /* no digit of S is right above */
     .last = 12.5},
    {.problem = "lotka_volterra", .name = "one_step_lotka_volterra"},
    {.problem = "hires", .name = "one_step_hires"},
    {.problem = "pollution", .name = "one_step_pollution"},
    {.problem = "robertson", .name = "one_step_robertson"},
};

/* The times at equal error, a method a column. */
static void print_methods(const struct comparison *c)
{
    printf("%8s", "error");
    for (size_t k = 0; k < c->contenders; k++)
        if (c->contender[k].code == DEFAULT_TANSY) printf(" | %-12s", c->contender[k].name);
    printf(" | best of CVODES\n");
    for (int l = 0; l < c->levels; l++) {
        printf("%8.0e", c->level[l]);
        for (size_t k = 0; k < c->contenders; k++) {
            if (c->contender[k].code != DEFAULT_TANSY) continue;
            printf(" | ");
            print_seconds(seconds_at(c, k, 0, c->level[l]));
            printf("    ");
        }
        const struct verdict *peer = &c->verdict[BEST_PEER][l];
        printf(" | ");
        print_seconds(peer->seconds);
        printf(" %s\n", peer->who ? peer->who->name : "");
    }
    printf("\n");
}

static double compare(const struct subject *subject)
{
    static struct comparison c;
    struct task task;
    task_open(subject->problem, &task);
    task.name = subject->name;
    int const stiff = task.problem->stiff;
    size_t const first = stiff ? NONSTIFF_METHODS : 0;
    struct entrants const entrants = {
        .count = METHODS - first, .ours = ours + first, .adams = !stiff, .bdf = 1};
    work_precision(&task,
                   &(struct ladder){.first = subject->first,
                                    .last = subject->last,
                                    .seconds = 0.2,
                                    .brief = 1,
                                    .level = subject->level[0] > 0 ? subject->level : NULL,
                                    .entrants = &entrants},
                   &c);
    print_methods(&c);
    task_close(&task);
    return speedup(&c, BEST_PEER, BEST_TANSY);
}

int main(void)
{
    size_t const count = sizeof subjects / sizeof *subjects;
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += log(compare(&subjects[k]));
    print_speedup("one_step_work_precision", "CVODES", exp(sum / (double)count));
    return 0;
}
