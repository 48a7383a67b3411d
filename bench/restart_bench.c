/* SPDX-License-Identifier: Apache-2.0 */
/* One solver for many short runs: what tansy_restart() costs, alone and with a short solve, beside creating a solver for each. */
#include "support/crane.h"
#include "support/experiment.h"
#include "support/stopwatch.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>
#include <tansy/solver.h>

enum { MOST_STATES = 16, MOST_COLUMNS = 64, ROUNDS = 20000, TRIALS = 7 };

struct subject {
    const char *problem;
    tansy_method method;
    const char *name;
    double t;
};

/* Seconds of one call of what `kind` says: restart; restart and solve; create, solve and free. */
static double measure(const struct subject *it, int kind)
{
    static double y[MOST_STATES], sens[MOST_COLUMNS * MOST_STATES];
    const tansy_problem *const problem = &problem_find(it->problem)->problem;
    tansy_options const options = {.method = it->method, .rtol = 1e-4};
    tansy_solver *const kept = tansy_create(problem, &options);
    double best = HUGE_VAL;
    for (int trial = 0; trial < TRIALS; trial++) {
        double const start = stopwatch_seconds();
        for (int x = 0; x < ROUNDS; x++) {
            tansy_solver *const s = kind == 2 ? tansy_create(problem, &options) : kept;
            if (kind < 2) (void)tansy_restart(s, problem->t0, problem->y0, problem->p, NULL);
            if (kind > 0) (void)tansy_solve(s, it->t, y, sens);
            if (kind == 2) tansy_free(s);
        }
        best = fmin(best, (stopwatch_seconds() - start) / ROUNDS);
    }
    tansy_free(kept);
    return best;
}

int main(void)
{
    static const struct subject subjects[] = {
        {"gas_oil", TANSY_RK8, "rk8", 0.05},
        {"gas_oil", TANSY_BDF, "bdf", 0.05},
        {"gas_oil", TANSY_LIMEX, "limex", 0.05},
        {"robertson", TANSY_BDF, "bdf", 1e-3},
        {"crane_8", TANSY_RK8, "rk8", 0.5},
        {"crane_32", TANSY_RK8, "rk8", 0.25},
        {"robertson_dae", TANSY_DASSL, "dassl", 1e-3},
    };
    double worst = 0;
    FILE *const file = results_open("restart");
    fprintf(file, "problem,method,restart,restart_and_solve,create_solve_free\n");
    printf("%-14s %-6s %12s %18s %20s   microseconds\n", "problem", "method", "restart",
           "restart and solve", "create, solve, free");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        double us[3];
        for (int kind = 0; kind < 3; kind++) us[kind] = 1e6 * measure(&subjects[k], kind);
        printf("%-14s %-6s %12.3f %18.3f %20.3f\n", subjects[k].problem, subjects[k].name, us[0],
               us[1], us[2]);
        fprintf(file, "%s,%s,%.4g,%.4g,%.4g\n", subjects[k].problem, subjects[k].name, us[0], us[1],
                us[2]);
        worst = fmax(worst, us[0]);
    }
    fclose(file);
    printf("restart: %.2f microseconds at most\n", worst);
    return 0;
}
