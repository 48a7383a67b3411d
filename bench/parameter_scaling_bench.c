/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a column of S as their number grows from 10 to 2,500, on a generated network of 100 species and 2,500
   reactions, by the direct and the staggered corrector: time a step and column, that of a run with one column taken off, and memory in
   units of n doubles a column, which is to be at most the order 5 of the formulas plus 5 (from 400 columns on: below, the work
   memory, which does not grow with their number, counts too). */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/made_network.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

enum { N = 100, REACTIONS = 2500, SIZES = 6, ORDER = 5 };
static const size_t sizes[SIZES] = {10, 50, 100, 400, 1000, 2500};

static struct measurement run(struct mass_action *network, tansy_sensitivities way, size_t ns)
{
    static double y[N], atol[N], *sens;
    static int columns[REACTIONS];
    static const double end[1] = {1};
    if (!sens) sens = bench_take((size_t)REACTIONS * N, sizeof *sens);
    for (size_t i = 0; i < N; i++) atol[i] = 1e-9;
    for (size_t k = 0; k < REACTIONS; k++) columns[k] = (int)k;
    struct experiment e = {
        .problem = mass_action_problem(network),
        .options = {.method = TANSY_DASSL,
                    .sensitivities = ns > 0 ? way : TANSY_NONE,
                    .error_control = TANSY_STATE_ONLY, /* the same steps for all */
                    .residual = TANSY_MATRIX,
                    .rtol = 1e-6,
                    .atol_state = atol},
        .times = 1,
        .t = end,
        .y = y,
        .sens = ns > 0 ? sens : NULL};
    if (ns > 0) {
        e.problem.ns = ns;
        e.problem.columns = columns;
    }
    return experiment_run(&e, 1);
}

static void scale(struct mass_action *network, tansy_sensitivities way, struct claims *claims,
                  FILE *file)
{
    const char *name = way == TANSY_DIRECT ? "direct" : "staggered";
    struct measurement const none = run(network, way, 0);
    double cost[SIZES], bytes[SIZES];
    printf("\n%s: the state alone %zu steps, %.2f ms, %zu bytes\n%8s %8s %10s %16s %14s\n", name,
           none.stats.steps, 1e3 * none.seconds, none.stats.bytes, "columns", "steps", "ms",
           "ns/step/column", "bytes/(8 n ns)");
    struct measurement const first = run(network, way, 1); /* factors as columns need them */
    for (int k = 0; k < SIZES; k++) {
        struct measurement const m = run(network, way, sizes[k]);
        double const step = m.seconds / (double)m.stats.steps;
        double const other = first.seconds / (double)first.stats.steps;
        cost[k] = 1e9 * (step - other) / (double)(sizes[k] - 1);
        bytes[k] = (double)m.stats.bytes;
        printf("%8zu %8zu %10.2f %16.1f %14.2f\n", sizes[k], m.stats.steps, 1e3 * m.seconds,
               cost[k], (bytes[k] - (double)none.stats.bytes) / (8.0 * N * (double)sizes[k]));
        fprintf(file, "%s,%zu,%zu,%.4e,%.2f,%zu\n", name, sizes[k], m.stats.steps, m.seconds,
                cost[k], m.stats.bytes);
    }
    claim(claims, cost[SIZES - 1] <= 1.25 * cost[0], "the cost of a column grows",
          "%s: a column costs %.0f ns a step among 10, %.0f among 400, %.0f among 2,500: flat",
          name, cost[0], cost[3], cost[SIZES - 1]);
    double const units =
        (bytes[SIZES - 1] - bytes[3]) / (8.0 * N * (double)(sizes[SIZES - 1] - sizes[3]));
    claim(claims, units <= ORDER + 5, "more memory than n ns (order + 5)",
          "%s: a column takes %.2f n doubles, at most order + 5 = 10", name, units);
}

int main(void)
{
    struct claims claims = {.name = "parameter_scaling"};
    static struct mass_action network;
    FILE *file = results_open("parameter_scaling");
    fprintf(file, "corrector,columns,steps,seconds,ns_a_step_and_column,bytes\n");
    network_make(&network, N, REACTIONS, 0, -3, 2);
    scale(&network, TANSY_DIRECT, &claims, file);
    scale(&network, TANSY_STAGGERED, &claims, file);
    fclose(file);
    claims_finish(&claims);
    return 0;
}
