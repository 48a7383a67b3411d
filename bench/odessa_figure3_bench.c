/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 3 of Leis and Kramer 1988: the cost of S against the number of parameters, in simulation time
   equivalents (one STE solves the kinetics alone), for the oxidation of CO with 11 species and 52 rate constants.
   Their rate table is not public: we run a documented substitute of the same size (tests/reference/co_mechanism.txt)
   and compare claims.  As in the paper the tolerance gives a mean error of 2 percent in dln(y)/dln(p) above 1e-3,
   and df/dy is always given. */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/stopwatch.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 11, RATES = 52, ROUNDS = 12 };
static const size_t counts[] = {0, 1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 52};
enum { COUNTS = sizeof counts / sizeof *counts };
enum { GIVEN_DFDP, NO_DFDP, UNTESTED, KINDS };
static const char *const kind_name[KINDS] = {"df/dp given", "df/dp by differences", "S not tested"};

struct line {
    double intercept, slope, linearity; /* the square of the correlation */
};

static struct measurement run(const struct task *task, double rtol, size_t ns, int kind,
                              struct run *result)
{
    int columns[RATES];
    double atol[N];
    for (int k = 0; k < RATES; k++) columns[k] = k;
    for (size_t i = 0; i < N; i++) atol[i] = rtol * task->problem->atol[i];
    struct experiment e = {.problem = task->problem->problem,
                           .options = {.method = TANSY_BDF,
                                       .sensitivities = ns > 0 ? TANSY_DIRECT : TANSY_NONE,
                                       .rtol = rtol,
                                       .atol_state = atol},
                           .times = task->exact.times,
                           .t = task->exact.t,
                           .y = result->y};
    if (ns > 0) {
        e.problem.ns = ns;
        e.problem.columns = columns;
        e.sens = result->sens;
    }
    if (kind == UNTESTED) e.options.error_control = TANSY_STATE_ONLY;
    if (kind == NO_DFDP) {
        e.problem.parameter_jacobian = NULL;
        e.problem.parameter_pattern = (tansy_pattern){.entries = 0};
        e.problem.tangent = NULL;
    }
    return experiment_run(&e, 2e-3);
}

/* The mean error in percent of dln(y)/dln(p) where its value is above 1e-3. */
static double mean_error(const struct task *task, const struct run *r)
{
    const struct reference *exact = &task->exact;
    double sum = 0;
    size_t counted = 0;
    for (size_t x = 0; x < exact->times * RATES * N; x++) {
        size_t const i = x % N, k = x / N % RATES, m = x / N / RATES;
        double const p = task->problem->problem.p[k];
        double const right = exact->sens[x] * p / exact->y[m * N + i];
        if (!(fabs(right) > 1e-3)) continue;
        sum += fabs(r->sens[x] * p / r->y[m * N + i] - right) / fabs(right);
        counted++;
    }
    return 100 * sum / (double)counted;
}

static double find_tolerance(const struct task *task, struct run *result)
{
    for (double rtol = 1e-2;; rtol /= pow(10, 0.25)) {
        run(task, rtol, RATES, GIVEN_DFDP, result);
        double const error = mean_error(task, result);
        if (error > 2 && rtol > 1e-10) continue;
        printf("rtol = %.1e: mean error %.2g %% of dln(y)/dln(p)\n", rtol, error);
        return rtol;
    }
}

/* Least squares over the points with at least one parameter. */
static struct line fit(const double *ste)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t c = 1; c < COUNTS; c++) {
        double const u = (double)counts[c], v = ste[c];
        n++, x += u, y += v, xx += u * u, xy += u * v, yy += v * v;
    }
    double const a = xx - x * x / n, b = xy - x * y / n, c = yy - y * y / n;
    return (struct line){y / n - b / a * x / n, b / a, b * b / (a * c)};
}

static void measure(const struct task *task, double rtol, struct run *result,
                    double seconds[KINDS][COUNTS], size_t steps[KINDS])
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t c = 0; c < COUNTS; c++) seconds[kind][c] = HUGE_VAL;
    for (int r = 0; r < ROUNDS; r++)
        for (size_t c = 0; c < COUNTS; c++)
            for (int kind = 0; kind < KINDS; kind++) {
                struct measurement const m = run(task, rtol, counts[c], kind, result);
                seconds[kind][c] = fmin(seconds[kind][c], m.seconds);
                steps[kind] = m.stats.steps;
            }
}

static void judge(const struct line line[KINDS], double ste[KINDS][COUNTS], const size_t *steps)
{
    struct claims claims = {.name = "odessa_figure3"};
    double const full = ste[GIVEN_DFDP][COUNTS - 1], untested = ste[UNTESTED][COUNTS - 1];
    claim(&claims, line[0].linearity > 0.95, "the cost is not linear",
          "the cost is linear in the number of parameters: squared correlation %.3f",
          line[0].linearity);
    claim(&claims, line[0].intercept < 3, "there is a fixed cost",
          "no fixed cost but for fresh factors at every step, about as much as y itself: the line "
          "begins at "
          "%.2f STE",
          line[0].intercept);
    claim(&claims, line[0].slope < 0.65, "a parameter costs more than in ODESSA",
          "a parameter costs %.3f STE; ODESSA itself takes 0.65 on the smaller ethane problem, "
          "differences 1",
          line[0].slope);
    claim(&claims, full < ste[NO_DFDP][COUNTS - 1], "given df/dp saves nothing",
          "given df/dp saves time: %.2f STE at 52 parameters (paper: one STE)",
          ste[NO_DFDP][COUNTS - 1] - full);
    double const percent = 100 * (full / untested - 1);
    char brief[80];
    snprintf(brief, sizeof brief, "error control of S costs %.0f percent, not about 10", percent);
    claim(&claims, percent < 15, brief,
          "error control of S costs little: %.0f %% more time at 52 parameters (paper: about 10), "
          "%zu steps "
          "against %zu",
          percent, steps[GIVEN_DFDP], steps[UNTESTED]);
    claims_finish(&claims);
}

int main(void)
{
    struct task task;
    struct run result;
    double seconds[KINDS][COUNTS], ste[KINDS][COUNTS];
    size_t steps[KINDS];
    struct line line[KINDS];
    task_open("co_oxidation", &task);
    run_open(&task, &result);
    double const rtol = find_tolerance(&task, &result);
    measure(&task, rtol, &result, seconds, steps);
    printf("one STE is %.0f us\n%10s", 1e6 * seconds[0][0], "parameters");
    for (int kind = 0; kind < KINDS; kind++) printf(" %22s", kind_name[kind]);
    FILE *file = results_open("odessa_figure3");
    fprintf(file, "parameters,given,differences,untested\n");
    for (size_t c = 0; c < COUNTS; c++) {
        printf("\n%10zu", counts[c]);
        fprintf(file, "%zu", counts[c]);
        for (int kind = 0; kind < KINDS; kind++) {
            ste[kind][c] = seconds[kind][c] / seconds[0][0];
            printf(" %18.2f STE", ste[kind][c]);
            fprintf(file, ",%.4f", ste[kind][c]);
        }
        fprintf(file, "\n");
    }
    fclose(file);
    printf("\n%10s", "fit");
    for (int kind = 0; kind < KINDS; kind++) {
        line[kind] = fit(ste[kind]);
        printf("  %8.2f + %7.4f np", line[kind].intercept, line[kind].slope);
    }
    printf("\n\n");
    judge(line, ste, steps);
    run_close(&result);
    task_close(&task);
    return 0;
}
