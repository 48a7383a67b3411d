/* SPDX-License-Identifier: Apache-2.0 */
/* How good the choice of the corrector is, with bdf for y' = f and dassl for the others: every problem at three tolerances by the three correctors, by `auto` (the cost model
   of Li, Petzold and Zhu on counts) and by `measured` (the same with clocks).  How often the choice is the fastest (or
   within 10 %, which is what clocks repeat to here) and what it loses when it is not. */
#include "support/claims.h"
#include "support/stopwatch.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <tansy/solver.h>

enum { WAYS = 5, ROUNDS = 40 };
static const tansy_sensitivities ways[WAYS] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED, TANSY_DIRECT,
                                               TANSY_SENSITIVITIES_AUTO, TANSY_MEASURED};
static const char *const problems[] = {"gas_oil",
                                       "robertson",
                                       "hires",
                                       "pollution",
                                       "ethane",
                                       "co_oxidation",
                                       "van_der_pol",
                                       "e3",
                                       "c5",
                                       "pendulum",
                                       "network_100x400",
                                       "network_100x400_sparse",
                                       "batch_reactor",
                                       "akzo_nobel",
                                       "transistor",
                                       "heat_10",
                                       "heat_40_sparse",
                                       "dae_network_600x400"};
static const double patience = 0.5; /* seconds for the rounds of a problem and tolerance */

/* What a choice cost against the fastest corrector, over all runs. */
struct score {
    int runs, fastest;
    double sum, worst;
    char where[60];
};

static bool is_implicit(const tansy_problem *q)
{
    return q->residual || q->mass || q->mass_constant || q->kind;
}

/* One run; HUGE_VAL if it failed. */
static double solve(const struct test_problem *problem, tansy_sensitivities way, double rtol,
                    double *work)
{
    size_t const n = problem->problem.n;
    double *atol = work, *y = work + n, *sens = y + n;
    struct stopwatch watch;
    for (size_t i = 0; i < n; i++) atol[i] = rtol * problem->atol[i];
    tansy_options const options = {.method =
                                       is_implicit(&problem->problem) ? TANSY_DASSL : TANSY_BDF,
                                   .sensitivities = way,
                                   .rtol = rtol,
                                   .atol_state = atol};
    stopwatch_start(&watch);
    tansy_solver *solver = tansy_create(&problem->problem, &options);
    int const failed = tansy_solve(solver, problem->t_end, y, sens) != TANSY_OK;
    double const seconds = stopwatch_stop(&watch);
    tansy_free(solver);
    return failed ? HUGE_VAL : seconds;
}

static void add(struct score *score, double loss, const char *name, double rtol)
{
    score->runs++;
    score->fastest += loss <= 1.1;
    score->sum += log(fmax(loss, 1));
    if (loss <= score->worst) return;
    score->worst = loss;
    snprintf(score->where, sizeof score->where, "%s at %.0e", name, rtol);
}

static void measure(const char *name, double rtol, struct score *score, FILE *file)
{
    const struct test_problem *problem = problem_find(name);
    size_t const n = problem->problem.n;
    double least[WAYS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double *work = bench_take(n * (2 + problem_columns(problem)), sizeof *work);
    double const begin = stopwatch_seconds();
    for (int r = 0; r < ROUNDS && (r < 1 || stopwatch_seconds() - begin < patience); r++)
        for (int w = 0; w < WAYS; w++)
            least[w] = fmin(least[w], solve(problem, ways[w], rtol, work));
    double const best = fmin(fmin(least[0], least[1]), least[2]);
    printf("%-24s %6.0e", name, rtol);
    fprintf(file, "%s,%.0e", name, rtol);
    for (int w = 0; w < WAYS; w++) {
        printf("  ");
        print_seconds(least[w]);
        fprintf(file, ",%.4e", least[w]);
    }
    printf("   %5.2f %5.2f\n", least[3] / best, least[4] / best);
    fprintf(file, "\n");
    fflush(stdout);
    if (isfinite(best)) {
        add(&score[0], least[3] / best, name, rtol);
        add(&score[1], least[4] / best, name, rtol);
    }
    free(work);
}

int main(void)
{
    struct claims claims = {.name = "auto_choice"};
    struct score score[2] = {{.runs = 0}, {.runs = 0}};
    FILE *file = results_open("auto_choice");
    fprintf(file, "problem,rtol,simultaneous,staggered,direct,auto,measured\n");
    printf("%-24s %6s  %8s  %8s  %8s  %8s  %8s   auto measured (over the best)\n", "problem",
           "rtol", "simult.", "stagg.", "direct", "auto", "measured");
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        for (int d = 4; d <= 8; d += 2) measure(problems[k], pow(10, -d), score, file);
    fclose(file);
    for (int s = 0; s < 2; s++) {
        const char *name = s == 0 ? "auto" : "measured";
        char brief[80];
        double const mean = exp(score[s].sum / score[s].runs);
        snprintf(brief, sizeof brief, "%s chooses badly", name);
        claim(&claims, 10 * score[s].fastest >= 8 * score[s].runs && mean <= 1.1, brief,
              "%s is the fastest, or within 10 %%, in %d of %d runs; it loses %.1f %% on average, "
              "%.0f %% at most (%s)",
              name, score[s].fastest, score[s].runs, 100 * (mean - 1), 100 * (score[s].worst - 1),
              score[s].where);
    }
    claims_finish(&claims);
    return 0;
}
