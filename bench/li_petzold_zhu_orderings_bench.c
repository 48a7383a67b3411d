/* SPDX-License-Identifier: Apache-2.0 */
/* Tables 3 to 6 of Li, Petzold and Zhu 2000: which corrector, and which way to the residuals of S, is the fastest as the number of
   parameters grows.  Their mechanisms are not public: we run generated networks of the same size, 46 species with 54
   parameters and 117 species with 447, and compare the orderings they claim, not the digits.  And the failure of form (9)
   on an ill-conditioned problem: there the batch reactor. */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/form_nine.h"
#include "support/made_network.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

enum { SDS, SDM, STCS, STCM, SICS, METHODS };
static const char *const names[METHODS] = {"SDS", "SDM", "STCS", "STCM", "SICS"};
static const tansy_sensitivities way[METHODS] = {TANSY_DIRECT, TANSY_DIRECT, TANSY_STAGGERED,
                                                 TANSY_STAGGERED, TANSY_SIMULTANEOUS};
static const tansy_residual residual[METHODS] = {TANSY_SEED, TANSY_MATRIX, TANSY_SEED, TANSY_MATRIX,
                                                 TANSY_SEED};

struct table {
    int number;
    size_t n, reactions, parameters, columns;
    double seconds[METHODS]; /* of the paper */
    int steps[METHODS];
};

static const struct table tables[4] = {
    {3, 46, 79, 54, 1, {10.26, 9.5, 4.4, 15.6, 4.51}, {583, 648, 982, 1006, 916}},
    {4, 46, 79, 54, 54, {46.04, 29.59, 66.91, 52.67, 74.33}, {984, 1020, 1641, 1665, 1713}},
    {5, 117, 447, 447, 1, {176.94, 184.81, 59.09, 333.65, 42.46}, {840, 879, 1306, 1611, 1079}},
    {6,
     117,
     447,
     447,
     447,
     {3494.69, 782.47, 7506.32, 1502.56, 7282.2},
     {998, 997, 1692, 1594, 1581}},
};

static struct measurement run(const struct mass_action *network, const struct table *table,
                              int method)
{
    static double y[128], sens[447 * 128], atol[128];
    static const int first[1] = {0};
    static const double end[1] = {1};
    struct experiment e = {.problem = mass_action_problem((struct mass_action *)network),
                           .options = {.method = TANSY_DASSL,
                                       .sensitivities = way[method],
                                       .residual = residual[method],
                                       .linear_solver = TANSY_DENSE_LU,
                                       .rtol = 1e-6,
                                       .atol_state = atol},
                           .times = 1,
                           .t = end,
                           .y = y,
                           .sens = sens};
    for (size_t i = 0; i < table->n; i++) atol[i] = 1e-9;
    if (table->columns == 1) {
        e.problem.ns = 1;
        e.problem.columns = first;
    }
    return experiment_run(&e, 0.5);
}

static void show(const struct table *table, const struct measurement *m, FILE *file)
{
    printf("\nTable %d: %zu equations, %zu parameters\n%6s %8s %8s %8s %8s %8s %10s %8s %10s\n",
           table->number, table->n, table->columns, "", "steps", "(paper)", "Jac", "LU", "failures",
           "it. S/ns", "ms", "(paper s)");
    for (int k = 0; k < METHODS; k++) {
        const tansy_stats *s = &m[k].stats;
        printf("%6s %8zu %8d %8zu %8zu %8zu %10.0f %8.2f %10.2f\n", names[k], s->steps,
               table->steps[k], s->jacobian_evals, s->factorizations,
               s->rejected_error + s->rejected_newton, (double)s->newton_sens / (double)s->ns,
               1e3 * m[k].seconds, table->seconds[k]);
        fprintf(file, "%d,%s,%zu,%zu,%zu,%.4e\n", table->number, names[k], s->steps,
                s->jacobian_evals, s->factorizations, m[k].seconds);
    }
}

/* One parameter: old factors pay, and with them the seed matrix. */
static void judge_one(struct claims *claims, const struct table *table, const struct measurement *m)
{
    double const direct = fmin(m[SDS].seconds, m[SDM].seconds);
    claim(
        claims, m[STCS].seconds < direct, "one parameter: staggered not faster than direct",
        "Table %d: with one parameter the staggered corrector is faster than direct: %.2f, %.2f ms",
        table->number, 1e3 * m[STCS].seconds, 1e3 * direct);
    claim(claims, m[SICS].seconds < direct, "one parameter: simultaneous not faster than direct",
          "Table %d: so is the simultaneous corrector: %.2f ms", table->number,
          1e3 * m[SICS].seconds);
    claim(claims, m[STCS].seconds < m[STCM].seconds, "one parameter: matrix not slower than seed",
          "Table %d: with one parameter the seed matrix is faster than the matrix: %.2f, %.2f ms",
          table->number, 1e3 * m[STCS].seconds, 1e3 * m[STCM].seconds);
    claim(claims, m[STCS].stats.factorizations * 4 < m[SDS].stats.factorizations,
          "old factors are not kept",
          "Table %d: old factors serve: %zu decompositions instead of %zu", table->number,
          m[STCS].stats.factorizations, m[SDS].stats.factorizations);
}

/* Many parameters: fewer iterations of S pay. */
static void judge_many(struct claims *claims, const struct table *table,
                       const struct measurement *m)
{
    double const direct = fmin(m[SDS].seconds, m[SDM].seconds);
    double const other = fmin(fmin(m[STCS].seconds, m[STCM].seconds), m[SICS].seconds);
    claim(claims, direct < 1.1 * other, "many parameters: direct is not the fastest",
          "Table %d: with %zu parameters direct is no slower than 1.1 times the others: %.2f, %.2f "
          "ms",
          table->number, table->columns, 1e3 * direct, 1e3 * other);
    claim(
        claims, m[SDM].seconds < m[SDS].seconds, "many parameters: matrix not faster than seed",
        "Table %d: with %zu parameters on %zu equations the matrix is faster than the seed matrix: "
        "%.2f, %.2f ms",
        table->number, table->columns, table->n, 1e3 * m[SDM].seconds, 1e3 * m[SDS].seconds);
}

static void run_form_nine(struct claims *claims, FILE *file)
{
    static const double rtol = 1e-10; /* steps are below 1e-2 there */
    struct task task;
    double worst[2] = {0, 0};
    task_open("batch_reactor", &task);
    printf("\nRoundoff of s after a step h of the batch reactor, in units of the tolerance at %g\n"
           "%10s %12s %12s\n",
           rtol, "h", "form (9)", "form (10)");
    for (int d = 2; d <= 10; d++) {
        double const h = pow(10, -d);
        double const nine = form_noise(&task, 9, h, rtol), ten = form_noise(&task, 10, h, rtol);
        printf("%10.0e %12.2e %12.2e\n", h, nine, ten);
        fprintf(file, "form,%g,%.3e,%.3e,,\n", h, nine, ten);
        worst[0] = fmax(worst[0], nine);
        worst[1] = fmax(worst[1], ten);
    }
    claim(claims, worst[0] > 1, "form (9) does not fail",
          "form (9) fails where W is ill-conditioned: its roundoff alone reaches %.2g tolerances",
          worst[0]);
    claim(claims, worst[1] < 0.1, "form (10) fails", "form (10) does not: %.2g", worst[1]);
    task_close(&task);
}

int main(void)
{
    struct claims claims = {.name = "li_petzold_zhu_orderings"};
    FILE *file = results_open("li_petzold_zhu_orderings");
    fprintf(file, "table,method,steps,jacobians,lu,seconds\n");
    for (int k = 0; k < 4; k++) {
        static struct mass_action network;
        struct measurement m[METHODS];
        network = (struct mass_action){.n = 0};
        network_make(&network, tables[k].n, tables[k].reactions, tables[k].parameters, -3, 4);
        for (int method = 0; method < METHODS; method++)
            m[method] = run(&network, &tables[k], method);
        show(&tables[k], m, file);
        if (tables[k].columns == 1)
            judge_one(&claims, &tables[k], m);
        else
            judge_many(&claims, &tables[k], m);
    }
    run_form_nine(&claims, file);
    fclose(file);
    claims_finish(&claims);
    return 0;
}
