/* SPDX-License-Identifier: Apache-2.0 */
/* Solves a test problem and measures its errors, see accuracy.h. */
#include "accuracy.h"

#include "reference_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/solver.h>

void oracle_open(const char *name, struct oracle *o)
{
    o->problem = problem_find(name);
    if (!o->problem || !o->problem->reference) {
        fprintf(stderr, "there is no problem %s with a reference\n", name);
        exit(EXIT_FAILURE);
    }
    reference_read(o->problem, &o->exact);
    error_norm_make(o->problem, &o->exact, &o->norm);
}

void oracle_close(struct oracle *o)
{
    error_norm_free(&o->norm);
    reference_free(&o->exact);
}

/* Follows the solver through the reference times; work holds n + ns*n numbers. */
static void follow(const struct oracle *o, tansy_solver *solver, double *work, struct accuracy *a)
{
    const struct reference *exact = &o->exact;
    size_t const n = exact->n, ns = exact->ns;
    double *y = work, *sens = work + n;
    for (size_t m = 0; m < exact->times; m++) {
        size_t column = 0;
        a->status = tansy_solve(solver, exact->t[m], y, sens);
        if (a->status != TANSY_OK) {
            snprintf(a->message, sizeof a->message, "%s", tansy_message(solver));
            a->state = a->columns = HUGE_VAL;
            a->time = exact->t[m];
            return;
        }
        a->state = fmax(a->state, error_norm_state(&o->norm, exact->y + m * n, y));
        double const e = error_norm_columns(&o->norm, exact->sens + m * ns * n, sens, &column);
        if (e <= a->columns) continue;
        a->columns = e;
        a->column = column;
        a->time = exact->t[m];
    }
}

tansy_problem problem_with(tansy_problem problem, enum derivatives derivatives)
{
    if (derivatives == GIVEN) return problem;
    problem.jacobian = NULL;
    problem.parameter_jacobian = NULL;
    problem.parameter_pattern = (tansy_pattern){.entries = 0};
    problem.tangent = NULL;
    problem.residual_jacobian = problem.rate_jacobian = NULL;
    problem.residual_parameter = NULL;
    problem.residual_tangent = problem.constraint_rate_tangent = NULL;
    problem.constraint_rate = NULL;
    problem.mass_varies = problem.mass_varies || problem.mass_tangent;
    problem.mass_tangent = NULL;
    if (derivatives == BY_DIFFERENCES_ALONE)
        problem.jacobian_pattern = (tansy_pattern){.entries = 0};
    return problem;
}

struct accuracy oracle_measure_form(const struct oracle *o, const tansy_problem *problem,
                                    const tansy_options *options)
{
    struct accuracy a = {.status = TANSY_OK};
    double *const work = calloc(o->exact.n * (1 + o->exact.ns), sizeof *work);
    if (!work) abort();
    tansy_stats stats = {.steps = 0};
    tansy_solver *const solver = tansy_create(problem, options);
    follow(o, solver, work, &a);
    if (solver) tansy_get_stats(solver, &stats);
    a.steps = stats.steps;
    tansy_free(solver);
    free(work);
    return a;
}

struct accuracy oracle_measure(const struct oracle *o, enum derivatives derivatives,
                               const tansy_options *options)
{
    tansy_problem const problem = problem_with(o->problem->problem, derivatives);
    tansy_options complete = *options;
    size_t const n = o->exact.n;
    double *const atol = calloc(n, sizeof *atol);
    if (!atol) abort();
    for (size_t i = 0; i < n; i++) atol[i] = options->rtol * o->problem->atol[i];
    complete.atol_state = atol;
    struct accuracy const a = oracle_measure_form(o, &problem, &complete);
    free(atol);
    return a;
}

/* What CVODES reaches (cvodes_errors.csv): the largest error of its corrector variants, as any variant of ours must do no worse. (The
   smallest is a matter of luck: most of CVODES' own runs exceed it.) */
static double stored_bound(const char *problem, const char *method, double rtol)
{
    static const char name[] = "cvodes_errors.csv";
    struct line line = {.number = 0};
    FILE *file = reference_open(name, "r");
    double bound = 0;
    while (bound == 0 && line_read(file, ",", &line))
        if (strcmp(line.word[0], problem) == 0 && strcmp(line.word[1], method) == 0 &&
            fabs(line_number(name, &line, 2) / rtol - 1) < 0.1)
            bound = line_number(name, &line, 4);
    fclose(file);
    if (bound == 0) line_fail(name, &line, "no bound for this problem, method and tolerance");
    return bound;
}

double oracle_bound(const struct oracle *o, tansy_method method, double rtol)
{
    if (!o->problem->amplifies) return 100 * rtol;
    bool const one_step = method >= TANSY_RK8;
    tansy_method const peer = method == TANSY_RK8 ? TANSY_ADAMS : TANSY_BDF;
    return stored_bound(o->problem->name, method_name(one_step ? peer : method), rtol);
}

const char *method_name(tansy_method method)
{
    static const char *const names[] = {"auto", "adams",      "bdf",  "dassl",
                                        "rk8",  "rosenbrock", "limex"};
    return names[method];
}

const char *sensitivities_name(tansy_sensitivities sensitivities)
{
    static const char *const names[] = {"auto", "simultaneous", "staggered", "direct",
                                        "none", "measured",     "tangent",   "difference"};
    return names[sensitivities];
}
