/* SPDX-License-Identifier: Apache-2.0 */
/* Where the iteration counts of the cost model come from (src/drive/costs.c): steps for a factorisation, iterations of the state
   and of the columns, geometric means over the test problems at rtol = 1e-4, 1e-6, 1e-8 for every corrector. */
#include "support/claims.h"
#include "support/task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/solver.h>

#include "drive/costs.h"

/* Sums of logarithms. */
struct means {
    int runs;
    double factors, state, columns, steps;
};

static void solve(const struct test_problem *problem, tansy_options options, struct means *sum)
{
    size_t const n = problem->problem.n, ns = problem_columns(problem);
    double *atol = bench_take(n, sizeof *atol);
    for (size_t i = 0; i < n; i++) atol[i] = options.rtol * problem->atol[i];
    options.atol_state = atol;
    tansy_solver *solver = tansy_create(&problem->problem, &options);
    tansy_stats s;
    int const failed = tansy_solve(solver, problem->t_end, NULL, NULL) != TANSY_OK;
    tansy_get_stats(solver, &s);
    tansy_free(solver);
    free(atol);
    if (failed) return;
    double const steps = (double)s.steps;
    sum->runs++;
    sum->factors += log(steps / (double)s.factorizations);
    sum->state += log((double)s.newton_state / steps);
    sum->columns += log((double)s.newton_sens / steps / (double)ns);
    sum->steps += log(steps);
}

static struct means measure(tansy_method method, tansy_sensitivities corrector)
{
    struct means m = {0};
    for (size_t k = 0; problem_number(k); k++) {
        const struct test_problem *problem = problem_number(k);
        if (strcmp(problem->name, "network_100x400") == 0)
            continue; /* takes longer than all others */
        for (int d = 4; d <= 8; d += 2)
            solve(
                problem,
                (tansy_options){.method = method, .sensitivities = corrector, .rtol = pow(10, -d)},
                &m);
    }
    return (struct means){m.runs, exp(m.factors / m.runs), exp(m.state / m.runs),
                          exp(m.columns / m.runs), exp(m.steps / m.runs)};
}

static int near(double found, double assumed)
{
    return fabs(found / assumed - 1) <= 0.1;
}

int main(void)
{
    static const char *const methods[] = {"bdf", "dassl"};
    struct claims claims = {.name = "iteration_counts"};
    printf("%-6s %-13s %8s %10s %9s %9s\n", "method", "corrector", "steps", "steps/fact.", "state",
           "columns");
    for (int k = 0; k < 2; k++) {
        tansy_method const method = k == 0 ? TANSY_BDF : TANSY_DASSL;
        struct iterations const typical = costs_typical(method == TANSY_BDF);
        struct means const sim = measure(method, TANSY_SIMULTANEOUS),
                           sta = measure(method, TANSY_STAGGERED),
                           dir = measure(method, TANSY_DIRECT);
        const struct means *const rows[] = {&sim, &sta, &dir};
        static const char *const names[] = {"simultaneous", "staggered", "direct"};
        for (int c = 0; c < 3; c++)
            printf("%-6s %-13s %8.1f %10.2f %9.2f %9.2f\n", methods[k], names[c], rows[c]->steps,
                   rows[c]->factors, rows[c]->state, rows[c]->columns);
        claim(&claims,
              near(sim.state, typical.together) && near(sta.state, typical.state) &&
                  near(sta.columns, typical.columns) && near(dir.state, typical.direct) &&
                  near(sta.factors, typical.steps),
              "other counts", "the counts that the cost model takes for typical are those of %s",
              methods[k]);
    }
    claims_finish(&claims);
    return 0;
}
