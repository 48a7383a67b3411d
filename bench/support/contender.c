/* SPDX-License-Identifier: Apache-2.0 */
/* Variants of Tansy and of its peer, see contender.h. */
#include "contender.h"

#include "support/accuracy.h"

#include <stdio.h>
#include <stdlib.h>
#include <tansy/solver.h>

static int is_implicit(const struct task *task)
{
    return task->problem->problem.residual != NULL;
}

const char *code_name(enum code code, const struct task *task)
{
    static const char *const names[] = {"tansy", "cvodes", "tansy-default"};
    return code == BEST_PEER && is_implicit(task) ? "idas" : names[code];
}

void opponent_open(struct opponent *opponent, const struct task *task)
{
    opponent->implicit = is_implicit(task);
    if (opponent->implicit) {
        peer_idas_open(&opponent->idas, task);
    } else {
        peer_open(&opponent->cvodes, task);
        peer_tune(&opponent->cvodes);
    }
}

void opponent_close(struct opponent *opponent)
{
    if (opponent->implicit)
        peer_idas_close(&opponent->idas);
    else
        peer_close(&opponent->cvodes);
}

enum { LONG = 40 }; /* directions of long Krylov spaces */

static void add_tansy(struct contender *list, size_t *count, enum code code,
                      const tansy_options *options)
{
    struct contender *c = &list[(*count)++];
    *c = (struct contender){.code = code, .options = *options};
    static const char *const linear[] = {"",        "",      " band", " fixed point",
                                         " sparse", " gmres"}; /* by tansy_linear_solver */
    snprintf(c->name, sizeof c->name, "%s %s%s%s%s", method_name(options->method),
             sensitivities_name(options->sensitivities), linear[options->linear_solver],
             options->suppress_algebraic      ? " suppress"
             : options->krylov_orthogonal > 0 ? " long"
                                              : "",
             options->residual == TANSY_SEED ? " seed" : "");
}

static void add_cvodes(struct contender *list, size_t *count, struct peer_variant variant)
{
    struct contender *c = &list[(*count)++];
    *c = (struct contender){.code = BEST_PEER, .variant = variant};
    peer_name(&variant, sizeof c->name, c->name);
}

/* The linear solver for the structure of the problem's matrices. */
static tansy_linear_solver suitable(const struct task *task)
{
    tansy_structure const structure = task->problem->problem.structure;
    if (task->krylov) return TANSY_GMRES;
    return structure == TANSY_SPARSE   ? TANSY_SPARSE_LU
           : structure == TANSY_BANDED ? TANSY_BAND_LU
                                       : TANSY_DENSE_LU;
}

/* Where it is worth trying without the algebraic components in the error test. */
static int is_small(const struct task *task)
{
    return task->exact.n < 50;
}

static void list_implicit(const struct task *task, struct contender *list, size_t *count)
{
    static const tansy_sensitivities ways[] = {TANSY_DIRECT, TANSY_STAGGERED, TANSY_SIMULTANEOUS};
    tansy_options o = {.method = TANSY_DASSL, .linear_solver = suitable(task)};
    if (task->krylov) {
        o.preconditioner = TANSY_BAND_PRECONDITIONER;
        o.preconditioner_lower = o.preconditioner_upper = 1;
    }
    for (size_t k = 0; k < 3; k++) {
        if (task->krylov && ways[k] == TANSY_DIRECT) continue; /* gmres is no direct solver */
        o.sensitivities = ways[k];
        add_tansy(list, count, BEST_TANSY, &o);
        if (task->krylov) { /* W is symmetric: directions are orthogonal to all others if they are to the last two */
            o.krylov_dimension = LONG;
            o.krylov_orthogonal = 2;
            o.precondition_side = TANSY_RIGHT; /* the equations are those of u' */
            add_tansy(list, count, BEST_TANSY, &o);
            o.krylov_dimension = o.krylov_orthogonal = 0;
            o.precondition_side = TANSY_SIDE_AUTO;
        }
        o.suppress_algebraic = 1;
        if (is_small(task)) add_tansy(list, count, BEST_TANSY, &o);
        o.residual = TANSY_SEED;
        if (is_small(task) && ways[k] == TANSY_DIRECT) add_tansy(list, count, BEST_TANSY, &o);
        o.residual = TANSY_RESIDUAL_AUTO;
        o.suppress_algebraic = 0;
    }
    o.sensitivities = TANSY_SENSITIVITIES_AUTO;
    o.method = TANSY_METHOD_AUTO;
    if (!task->krylov) o.linear_solver = TANSY_LINEAR_AUTO;
    add_tansy(list, count, DEFAULT_TANSY, &o);
}

static void add_idas(struct contender *list, size_t *count, struct idas_variant variant)
{
    struct contender *c = &list[(*count)++];
    *c = (struct contender){.code = BEST_PEER, .idas = variant};
    peer_idas_name(&variant, sizeof c->name, c->name);
}

static void list_idas(const struct task *task, struct contender *list, size_t *count)
{
    static const int ways[] = {IDA_SIMULTANEOUS, IDA_STAGGERED};
    tansy_structure const structure = task->problem->problem.structure;
    for (size_t k = 0; k < 2; k++) {
        if (task->krylov) {
            for (int given = 0; given < 2; given++)
                for (int directions = 0; directions <= LONG; directions += LONG)
                    add_idas(list, count,
                             (struct idas_variant){.corrector = ways[k],
                                                   .linear = IDAS_GMRES,
                                                   .given_product = given,
                                                   .directions = directions});
            continue;
        }
        enum idas_linear const linear = structure == TANSY_SPARSE   ? IDAS_KLU
                                        : structure == TANSY_BANDED ? IDAS_BAND
                                                                    : IDAS_DENSE;
        add_idas(list, count, (struct idas_variant){.corrector = ways[k], .linear = linear});
        if (is_small(task))
            add_idas(list, count,
                     (struct idas_variant){.corrector = ways[k], .linear = linear, .suppress = 1});
        if (structure == TANSY_DENSE) {
            add_idas(list, count, (struct idas_variant){.corrector = ways[k], .linear = IDAS_KLU});
            add_idas(
                list, count,
                (struct idas_variant){.corrector = ways[k], .linear = IDAS_KLU, .suppress = 1});
        }
    }
}

static void list_tansy(const struct task *task, struct contender *list, size_t *count)
{
    int const stiff = task->problem->stiff;
    static const tansy_sensitivities ways[] = {TANSY_DIRECT, TANSY_STAGGERED, TANSY_SIMULTANEOUS};
    for (size_t k = 0; k < 3; k++) {
        tansy_options o = {
            .method = TANSY_BDF, .sensitivities = ways[k], .linear_solver = suitable(task)};
        add_tansy(list, count, BEST_TANSY, &o);
        if (stiff) continue;
        o.method = TANSY_ADAMS;
        add_tansy(list, count, BEST_TANSY, &o);
        o.linear_solver = TANSY_DIAGONAL;
        if (ways[k] != TANSY_DIRECT) add_tansy(list, count, BEST_TANSY, &o);
    }
    add_tansy(list, count, DEFAULT_TANSY,
              &(tansy_options){.method = stiff ? TANSY_METHOD_AUTO : TANSY_ADAMS});
}

static const int peer_ways[] = {CV_SIMULTANEOUS, CV_STAGGERED, CV_STAGGERED1};

static void list_cvodes_bdf(size_t n, struct contender *list, size_t *count)
{
    for (size_t k = 0; k < 3; k++) {
        add_cvodes(list, count, (struct peer_variant){CV_BDF, peer_ways[k], PEER_DENSE});
        if (n >= 20 && n < 50)
            add_cvodes(list, count, (struct peer_variant){CV_BDF, peer_ways[k], PEER_LAPACK});
        if (n >= 50 && peer_ways[k] == CV_STAGGERED)
            add_cvodes(list, count, (struct peer_variant){CV_BDF, peer_ways[k], PEER_KLU});
    }
}

static void list_cvodes_adams(struct contender *list, size_t *count)
{
    for (size_t k = 0; k < 3; k++) {
        add_cvodes(list, count, (struct peer_variant){CV_ADAMS, peer_ways[k], PEER_DENSE});
        add_cvodes(list, count, (struct peer_variant){CV_ADAMS, peer_ways[k], PEER_FIXED_POINT});
    }
}

size_t contenders_list(const struct task *task, struct contender *list)
{
    size_t count = 0;
    if (is_implicit(task)) {
        list_implicit(task, list, &count);
        list_idas(task, list, &count);
        return count;
    }
    list_tansy(task, list, &count);
    list_cvodes_bdf(task->exact.n, list, &count);
    if (!task->problem->stiff) list_cvodes_adams(list, &count);
    return count;
}

static void set_option(tansy_options *options, const char *name, const char *value)
{
    char message[300];
    if (!value || tansy_option_set(options, name, value, message, sizeof message) == TANSY_OK)
        return;
    fprintf(stderr, "%s\n", message);
    exit(EXIT_FAILURE);
}

static void add_entrant(struct contender *list, size_t *count, const struct entrant *entrant)
{
    struct contender *c = &list[(*count)++];
    *c = (struct contender){.code = BEST_TANSY};
    set_option(&c->options, "method", entrant->method);
    set_option(&c->options, "sensitivities", entrant->sensitivities);
    set_option(&c->options, "residual", entrant->residual);
    set_option(&c->options, "formula", entrant->formula);
    const char *const said[] = {entrant->sensitivities, entrant->residual, entrant->formula};
    int at = snprintf(c->name, sizeof c->name, "%s", entrant->method);
    c->code = DEFAULT_TANSY;
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        if (!said[k]) continue;
        c->code = BEST_TANSY;
        at += snprintf(c->name + at, sizeof c->name - (size_t)at, " %s", said[k]);
    }
}

size_t contenders_chosen(const struct task *task, const struct entrants *entrants,
                         struct contender *list)
{
    size_t count = 0;
    for (size_t k = 0; k < entrants->count; k++) add_entrant(list, &count, &entrants->ours[k]);
    if (entrants->bdf) list_cvodes_bdf(task->exact.n, list, &count);
    if (entrants->adams) list_cvodes_adams(list, &count);
    return count;
}

static void solve_by_tansy(const struct contender *who, const struct task *task, struct run *run)
{
    const struct test_problem *problem = task->problem;
    size_t const n = problem->problem.n;
    double *atol = malloc(n * sizeof *atol);
    if (!atol) abort();
    for (size_t i = 0; i < n; i++) atol[i] = run->rtol * problem->atol[i];
    tansy_options options = who->options;
    options.rtol = run->rtol;
    options.atol_state = atol;
    tansy_solver *solver = tansy_create(&problem->problem, &options);
    run->failed = tansy_solve_grid(solver, task->exact.times, task->exact.t, run->y, run->sens,
                                   NULL) != TANSY_OK;
    tansy_stats stats = {.steps = 0};
    if (solver) tansy_get_stats(solver, &stats);
    run->steps = stats.steps;
    tansy_free(solver);
    free(atol);
}

void contender_solve(const struct contender *who, const struct task *task,
                     struct opponent *opponent, struct run *run)
{
    if (who->code == BEST_TANSY || who->code == DEFAULT_TANSY)
        solve_by_tansy(who, task, run);
    else if (opponent->implicit)
        peer_idas_solve(&opponent->idas, &who->idas, run);
    else
        peer_solve(&opponent->cvodes, &who->variant, run);
}
