/* SPDX-License-Identifier: Apache-2.0 */
/* Tables 1 and 2 of Schlegel et al. 2002, rows LSIM: gas oil to t = 4 with RTOL = ATOL = tol, S tested, and the batch reactor to 10 h,
   only the state tested.  The original LIMEX gives the paper's counts exactly and the errors that stand beside them here: the largest
   absolute ones at the end, of the reactor of the first six components and of S times p.  Ours: all tolerances of a curve, on
   which evaluations of f are compared at the error of S of each row, and at that of y; then the three correctors of dassl; then
   evaluations of f over the time they are made at (Figures 1 to 3). */
#include "support/claims.h"
#include "support/problems.h"
#include "support/reference_end.h"
#include "support/work_precision_tables.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { TOLERANCES = 3, RUNS = 13, WAYS = 3, MOST = 10 + 8 * 10 };
static const double most_evaluations = 1.1; /* of the paper's */
static const tansy_sensitivities ways[WAYS] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED, TANSY_DIRECT};
static const char *const way_names[WAYS] = {"dassl simultaneous", "dassl staggered",
                                            "dassl direct"};

struct counts {
    size_t f, sens, jacobians, lu, bs;
    double error_y, error_s;
};

struct table {
    const char *title, *problem;
    size_t shown; /* components whose errors count */
    tansy_error_control control;
    int loosest; /* the curve begins with tol = 10^(-loosest/2) */
    struct counts paper[TOLERANCES];
};

/* clang-format off */
static const struct table tables[2] = {
    {"Table 1: gas oil to t = 4", "gas_oil", 2, TANSY_EACH_COLUMN, 4,
     {{81, 81, 7, 34, 432, 5.0e-6, 1.3e-5}, {125, 125, 9, 48, 656, 3.2e-7, 9.3e-7}, {183, 183, 11, 65, 948, 6.0e-8, 1.5e-7}}},
    {"Table 2: batch reactor to 10 h", "batch_reactor_mass", 6, TANSY_STATE_ONLY, 8,
     {{234, 234, 20, 113, 2943, 2.7e-6, 1.6e-5}, {360, 360, 28, 166, 4482, 2.9e-7, 2.5e-6}, {591, 591, 38, 246, 7191, 9.6e-8, 4.8e-7}}},
};
/* clang-format on */

/* The times at which f is evaluated. */
struct recorder {
    tansy_rhs *rhs;
    void *context;
    FILE *file;
    const char *name;
    double tol;
    size_t calls;
};

static int record(double t, const double *y, const double *p, double *f, void *context)
{
    struct recorder *const r = context;
    fprintf(r->file, "%s,%.0e,%zu,%.6g\n", r->name, r->tol, ++r->calls, t);
    return r->rhs(t, y, p, f, r->context);
}

/* LSIM is Algorithm 2, every row with all columns, from h = 1e-4. */
static tansy_options options_of(const struct table *table, tansy_method method, double tol)
{
    bool const limex = method == TANSY_LIMEX;
    return (tansy_options){.method = method,
                           .sensitivities = TANSY_SIMULTANEOUS,
                           .full_tableau = limex,
                           .rtol = tol,
                           .atol = tol,
                           .first_step = limex ? 1e-4 : 0,
                           .error_control = table->control};
}

/* The columns' tolerances are the paper's: ATOL_S = tol, for the reactor tol/p. */
static struct counts run(const struct table *table, const struct reference *r,
                         tansy_options options)
{
    const struct test_problem *const it = problem_find(table->problem);
    double y[MOST], sens[MOST], atol[MOST], atol_sens[MOST];
    size_t const n = r->n, ns = r->ns;
    const double *const p = it->problem.p;
    bool const scaled = table->shown == 6;
    for (size_t i = 0; i < n; i++) atol[i] = options.atol;
    for (size_t k = 0; k < ns; k++)
        for (size_t i = 0; i < n; i++)
            atol_sens[k * n + i] = scaled ? options.atol / p[k] : options.atol;
    options.atol_state = atol;
    options.atol_sens = atol_sens;
    struct experiment e = reference_end_experiment(r, &it->problem, &options, y, sens);
    e.problem.autonomous = 1; /* both are */
    struct measurement const m = experiment_run(&e, 0);
    struct end_errors const error =
        reference_end_errors(r, table->shown, y, sens, scaled ? p : NULL);
    return (struct counts){.f = m.stats.rhs_evals,
                           .sens = m.stats.tangent_evals / ns,
                           .jacobians = m.stats.jacobian_evals,
                           .lu = m.stats.factorizations,
                           .bs = m.stats.solves,
                           .error_y = m.failed ? HUGE_VAL : error.y,
                           .error_s = m.failed ? HUGE_VAL : error.sens};
}

static void print(const char *name, double tol, const struct counts *c, FILE *file,
                  const char *problem)
{
    printf("  %-20s %7.0e %6zu %6zu %6zu %6zu %6zu   %8.1e %8.1e\n", name, tol, c->f, c->sens,
           c->jacobians, c->lu, c->bs, c->error_y, c->error_s);
    fprintf(file, "%s,%s,%.3e,%zu,%zu,%zu,%zu,%zu,%.3e,%.3e\n", problem, name, tol, c->f, c->sens,
            c->jacobians, c->lu, c->bs, c->error_y, c->error_s);
}

static double error_of(const struct counts *c, bool columns)
{
    return columns ? c->error_s : c->error_y;
}

/* Evaluations at that error: on the line, in logarithms, between any two runs around it that needs least; a run that is better with
   fewer may stand for it too. */
static double evaluations_at(const struct counts *runs, double error, bool columns)
{
    double least = HUGE_VAL;
    for (int a = 0; a < RUNS; a++)
        if (error_of(&runs[a], columns) <= error) least = fmin(least, (double)runs[a].f);
    for (int a = 0; a + 1 < RUNS; a++) {
        double const first = error_of(&runs[a], columns), second = error_of(&runs[a + 1], columns);
        if (!(first > error && second <= error) || isinf(first)) continue;
        double const x = log(first / error) / log(first / second);
        least = fmin(least, exp((1 - x) * log((double)runs[a].f) + x * log((double)runs[a + 1].f)));
    }
    return least;
}

static void judge(const struct table *table, const struct counts *runs, struct claims *claims)
{
    for (int row = 0; row < TOLERANCES; row++)
        for (int columns = 0; columns < 2; columns++) {
            const struct counts *const paper = &table->paper[row];
            double const error = error_of(paper, columns), f = evaluations_at(runs, error, columns);
            claim(claims, f <= most_evaluations * (double)paper->f, "more evaluations than LSIM",
                  "%s, 1e-%d: %.0f evaluations of f at the error %.1e of %s, LSIM %zu (%.2f)",
                  table->problem, 5 + row, f, error, columns ? "S" : "y", paper->f,
                  f / (double)paper->f);
        }
}

static void show_table(const struct table *table, struct claims *claims, FILE *file)
{
    struct reference r;
    struct counts runs[RUNS];
    reference_read(problem_find(table->problem), &r);
    printf("%s\n  %-20s %7s %6s %6s %6s %6s %6s   %8s %8s\n", table->title, "", "tol", "f", "sens",
           "Jac", "LU", "BS", "error y", "error S");
    for (int row = 0; row < TOLERANCES; row++)
        print("LSIM of the paper", pow(10, -5 - row), &table->paper[row], file, table->problem);
    for (int k = 0; k < RUNS; k++) {
        double const tol = pow(10, -0.5 * (table->loosest + k));
        runs[k] = run(table, &r, options_of(table, TANSY_LIMEX, tol));
        print("limex", tol, &runs[k], file, table->problem);
    }
    for (int way = 0; way < WAYS; way++)
        for (int row = 0; row < TOLERANCES; row++) {
            double const tol = pow(10, -5 - row);
            tansy_options options = options_of(table, TANSY_DASSL, tol);
            options.sensitivities = ways[way];
            struct counts const c = run(table, &r, options);
            print(way_names[way], tol, &c, file, table->problem);
        }
    judge(table, runs, claims);
    reference_free(&r);
}

/* Figures 1 to 3: gas oil, at every evaluation of f its number and its time. */
static void show_calls(void)
{
    FILE *const file = results_open("limex_calls");
    fprintf(file, "code,tol,call,t\n");
    for (int digits = 5; digits <= 7; digits++)
        for (int code = 0; code < 2; code++) {
            tansy_problem problem = problem_find("gas_oil")->problem;
            double const tol = pow(10, -digits);
            struct recorder recorder = {.rhs = problem.rhs,
                                        .context = problem.context,
                                        .file = file,
                                        .name = code ? "dassl" : "limex",
                                        .tol = tol};
            tansy_options options = options_of(&tables[0], code ? TANSY_DASSL : TANSY_LIMEX, tol);
            problem.rhs = record;
            problem.context = &recorder;
            tansy_solver *const s = tansy_create(&problem, &options);
            tansy_solve(s, 4, NULL, NULL);
            tansy_free(s);
        }
    fclose(file);
}

int main(void)
{
    struct claims claims = {.name = "limex_tables"};
    FILE *const file = results_open("limex_tables");
    fprintf(file, "problem,code,tol,f,sens,jacobians,lu,bs,error_y,error_s\n");
    for (int k = 0; k < 2; k++) show_table(&tables[k], &claims, file);
    fclose(file);
    show_calls();
    claims_finish(&claims);
    return 0;
}
