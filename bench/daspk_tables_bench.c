/* SPDX-License-Identifier: Apache-2.0 */
/* Tables 1 and 2 of Schlegel et al. 2002, columns DSIC, DSTC, DSTD (DDASPK with the simultaneous corrector, the staggered
   corrector and staggered direct): gas oil to t = 4, errors of S tested, and the batch reactor to 10 h, only the state
   tested, with ATOL = tol and ATOL_S = tol/10^floor(log10 p).  Beside them what DASPK 3.1 does here, where it was
   run (gfortran -O2, an idle machine of the same kind): its staggered codes, err_S the largest absolute error at the end, for the
   reactor of the first six components and of S times p.  Then ours at no more than DASPK's errors. */
#include "support/claims.h"
#include "support/experiment.h"
#include "support/reference_end.h"
#include "support/task.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdio.h>

enum { WAYS = 3, TOLERANCES = 3, MOST = 10 + 8 * 10 };
static const tansy_sensitivities ways[WAYS] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED, TANSY_DIRECT};
static const char *const short_name[WAYS] = {"DSIC", "DSTC", "DSTD"};

/* Counts of a run; 0: not known. */
struct counts {
    int steps, f, sens, jacobians, lu, bs;
    double microseconds, error_y, error_s;
};

struct table {
    const char *title, *problem;
    double end;
    size_t measured; /* components whose errors count */
    tansy_error_control control;
    struct counts paper[TOLERANCES][WAYS], daspk[TOLERANCES][WAYS];
};

/* clang-format off */
static const struct table tables[2] = {
    {.title = "Table 1: gas oil to t = 4", .problem = "gas_oil", .end = 4, .measured = 2, .control = TANSY_EACH_COLUMN,
     .paper = {{{0, 93, 93, 14, 14, 372, 0, 0, 0}, {0, 143, 64, 14, 14, 271, 0, 0, 0}, {0, 141, 64, 64, 64, 269, 0, 0, 0}},
               {{0, 139, 139, 16, 16, 556, 0, 0, 0}, {0, 220, 100, 17, 17, 420, 0, 0, 0}, {0, 191, 87, 87, 87, 365, 0, 0, 0}},
               {{0, 149, 149, 26, 26, 596, 0, 0, 0}, {0, 295, 136, 29, 29, 567, 0, 0, 0}, {0, 271, 122, 124, 124, 515, 0, 0, 0}}},
     .daspk = {{{0}, {64, 78, 64, 14, 14, 270, 37, 1.2e-5, 6.6e-6}, {64, 76, 64, 64, 64, 268, 38, 9.6e-6, 4.9e-6}},
               {{0}, {91, 107, 97, 18, 18, 398, 53, 7.4e-7, 4.6e-7}, {88, 107, 88, 89, 89, 371, 52, 1.1e-6, 5.8e-7}},
               {{0}, {132, 159, 136, 28, 28, 567, 76, 1.7e-7, 9.5e-8}, {122, 148, 122, 124, 124, 514, 73, 1.6e-7, 7.3e-8}}}},
    {.title = "Table 2: batch reactor to 10 h", .problem = "batch_reactor", .end = 10, .measured = 6, .control = TANSY_STATE_ONLY,
     .paper = {{{0, 264, 264, 43, 43, 2376, 0, 0, 0}, {0, 425, 196, 34, 34, 1797, 0, 0, 0}, {0, 238, 104, 104, 104, 966, 0, 0, 0}},
               {{0, 390, 390, 47, 47, 3510, 0, 0, 0}, {0, 684, 323, 37, 37, 2945, 0, 0, 0}, {0, 343, 152, 153, 153, 1407, 0, 0, 0}},
               {{0, 502, 502, 52, 52, 4518, 0, 0, 0}, {0, 963, 465, 48, 48, 4218, 0, 0, 0}, {0, 491, 217, 221, 221, 2010, 0, 0, 0}}},
     .daspk = {{{0}, {168, 277, 252, 54, 54, 2293, 870, 6.2e-6, 6.5e-5}, {104, 134, 104, 104, 104, 966, 430, 5.0e-6, 7.4e-6}},
               {{0}, {223, 351, 318, 46, 46, 2895, 1100, 1.4e-6, 1.4e-6}, {152, 190, 152, 153, 153, 1406, 630, 7.1e-7, 1.0e-6}},
               {{0}, {379, 589, 564, 62, 62, 5101, 1900, 2.7e-7, 1.1e-6}, {217, 274, 217, 221, 221, 2010, 910, 1.8e-7, 1.9e-7}}}},
};
/* clang-format on */

struct outcome {
    double tolerance;
    struct measurement m;
    double error_y, error_s;
};

/* The largest absolute errors at the end of the run. */
static void find_errors(const struct table *table, const struct task *task, const double *y,
                        const double *sens, struct outcome *o)
{
    struct end_errors const error = reference_end_errors(
        &task->exact, table->measured, y, sens, table->measured == 6 ? task->norm.scale : NULL);
    o->error_y = o->m.failed ? HUGE_VAL : error.y;
    o->error_s = o->m.failed ? HUGE_VAL : error.sens;
}

static struct outcome run(const struct table *table, const struct task *task,
                          tansy_sensitivities way, double tolerance, double patience)
{
    struct outcome o = {.tolerance = tolerance};
    double y[MOST], sens[MOST], atol[MOST], atol_sens[MOST];
    size_t const n = task->exact.n, ns = task->exact.ns;
    for (size_t i = 0; i < n; i++) atol[i] = tolerance;
    for (size_t x = 0; x < ns * n; x++)
        atol_sens[x] = table->measured == 6
                           ? tolerance / pow(10, floor(log10(task->norm.scale[x / n])))
                           : tolerance;
    struct experiment const e = {.problem = task->problem->problem,
                                 .options = {.method = TANSY_DASSL,
                                             .sensitivities = way,
                                             .error_control = table->control,
                                             .rtol = tolerance,
                                             .atol_state = atol,
                                             .atol_sens = atol_sens},
                                 .times = 1,
                                 .t = &table->end,
                                 .y = y,
                                 .sens = sens};
    o.m = experiment_run(&e, patience);
    find_errors(table, task, y, sens, &o);
    return o;
}

static void print_counts(const char *who, const struct counts *c)
{
    printf("  %-26s %6d %6d %6d %6d %6d %6d %8.0f %9.1e %9.1e\n", who, c->steps, c->f, c->sens,
           c->jacobians, c->lu, c->bs, c->microseconds, c->error_y, c->error_s);
}

static void print_outcome(const char *who, const struct outcome *o, FILE *file, const char *row)
{
    const tansy_stats *s = &o->m.stats;
    struct counts const c = {(int)s->steps,
                             (int)s->rhs_evals,
                             (int)(s->tangent_evals / s->ns),
                             (int)s->jacobian_evals,
                             (int)s->factorizations,
                             (int)s->solves,
                             1e6 * o->m.seconds,
                             o->error_y,
                             o->error_s};
    print_counts(who, &c);
    fprintf(file, "%s,%s,%.2e,%d,%d,%d,%d,%d,%d,%.1f,%.2e,%.2e\n", row, who, o->tolerance, c.steps,
            c.f, c.sens, c.jacobians, c.lu, c.bs, c.microseconds, c.error_y, c.error_s);
}

/* Ours with the fewest steps whose errors are no larger than DASPK's. */
static struct outcome find_equal(const struct table *table, const struct task *task,
                                 const struct counts *daspk)
{
    struct outcome best = {.error_y = HUGE_VAL};
    size_t fewest = (size_t)-1;
    for (double digits = 3; digits < 9.01; digits += 0.1) {
        struct outcome const o = run(table, task, TANSY_DIRECT, pow(10, -digits), 0);
        if (!(o.error_y <= daspk->error_y && o.error_s <= daspk->error_s)) continue;
        if (o.m.stats.steps >= fewest) continue;
        fewest = o.m.stats.steps;
        best = o;
    }
    return isfinite(best.error_y) ? run(table, task, TANSY_DIRECT, best.tolerance, 0.2) : best;
}

static void judge(struct claims *claims, const struct table *table, const struct counts *daspk,
                  const struct outcome *o)
{
    char brief[80];
    const tansy_stats *s = &o->m.stats;
    int const steps = (double)s->steps <= 1.1 * daspk->steps;
    int const lu = (double)s->factorizations <= 1.1 * daspk->lu;
    int const bs = (double)s->solves <= 1.1 * daspk->bs;
    int const time = 1e6 * o->m.seconds <= daspk->microseconds;
    snprintf(brief, sizeof brief, "%s: more work than DASPK", table->problem);
    claim(claims, isfinite(o->error_y) && steps && lu && bs, brief,
          "%s, errors of DASPK's staggered direct %.1e, %.1e: steps %zu (%d), LU %zu (%d), BS %zu "
          "(%d): no more than 1.1 times",
          table->problem, daspk->error_y, daspk->error_s, s->steps, daspk->steps, s->factorizations,
          daspk->lu, s->solves, daspk->bs);
    snprintf(brief, sizeof brief, "%s: slower than DASPK", table->problem);
    claim(claims, time, brief, "%s: %.0f us, DASPK %.0f us", table->problem, 1e6 * o->m.seconds,
          daspk->microseconds);
}

static void run_table(const struct table *table, struct claims *claims, FILE *file)
{
    struct task task;
    task_open(table->problem, &task);
    printf("\n%s\n  %-26s %6s %6s %6s %6s %6s %6s %8s %9s %9s\n", table->title, "", "steps", "f",
           "sens", "Jac", "LU", "BS", "us", "error y", "error S");
    for (int t = 0; t < TOLERANCES; t++) {
        double const tolerance = pow(10, -5 - t);
        printf("tolerance %.0e (f of the paper: residuals of the state and of S)\n", tolerance);
        for (int w = 0; w < WAYS; w++) {
            char who[40];
            snprintf(who, sizeof who, "%s of the paper", short_name[w]);
            print_counts(who, &table->paper[t][w]);
            snprintf(who, sizeof who, "%s of DASPK 3.1", short_name[w]);
            if (table->daspk[t][w].steps > 0) print_counts(who, &table->daspk[t][w]);
            snprintf(who, sizeof who, "%s of Tansy", short_name[w]);
            struct outcome const o = run(table, &task, ways[w], tolerance, 0.1);
            print_outcome(who, &o, file, table->problem);
        }
        struct outcome const equal = find_equal(table, &task, &table->daspk[t][2]);
        print_outcome("Tansy at DASPK's errors", &equal, file, table->problem);
        judge(claims, table, &table->daspk[t][2], &equal);
    }
    task_close(&task);
}

int main(void)
{
    struct claims claims = {.name = "daspk_tables"};
    FILE *file = results_open("daspk_tables");
    fprintf(file, "problem,code,tolerance,steps,f,sens,jacobians,lu,bs,us,error_y,error_s\n");
    for (int k = 0; k < 2; k++) run_table(&tables[k], &claims, file);
    fclose(file);
    claims_finish(&claims);
    return 0;
}
