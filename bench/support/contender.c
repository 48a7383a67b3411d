/* SPDX-License-Identifier: Apache-2.0 */
/* Variants of Tansy and of its peer, see contender.h. */
#include "contender.h"

#include "support/accuracy.h"

#include <stdio.h>
#include <stdlib.h>
#include <tansy/solver.h>

const char *code_name(enum code code)
{
    static const char *const names[] = {"tansy", "cvodes", "tansy-default"};
    return names[code];
}

static void add_tansy(struct contender *list, size_t *count, enum code code,
                      const tansy_options *options)
{
    struct contender *c = &list[(*count)++];
    *c = (struct contender){.code = code, .options = *options};
    snprintf(c->name, sizeof c->name, "%s %s%s", method_name(options->method),
             sensitivities_name(options->sensitivities),
             options->linear_solver == TANSY_DIAGONAL ? " fixed point" : "");
}

static void add_cvodes(struct contender *list, size_t *count, struct peer_variant variant)
{
    struct contender *c = &list[(*count)++];
    *c = (struct contender){.code = BEST_CVODES, .variant = variant};
    peer_name(&variant, sizeof c->name, c->name);
}

static void list_tansy(int stiff, struct contender *list, size_t *count)
{
    static const tansy_sensitivities ways[] = {TANSY_DIRECT, TANSY_STAGGERED, TANSY_SIMULTANEOUS};
    for (size_t k = 0; k < 3; k++) {
        tansy_options o = {
            .method = TANSY_BDF, .sensitivities = ways[k], .linear_solver = TANSY_DENSE_LU};
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

static void list_cvodes(int stiff, size_t n, struct contender *list, size_t *count)
{
    static const int ways[] = {CV_SIMULTANEOUS, CV_STAGGERED, CV_STAGGERED1};
    for (size_t k = 0; k < 3; k++) {
        add_cvodes(list, count, (struct peer_variant){CV_BDF, ways[k], PEER_DENSE});
        if (n >= 20 && n < 50)
            add_cvodes(list, count, (struct peer_variant){CV_BDF, ways[k], PEER_LAPACK});
        if (n >= 50 && ways[k] == CV_STAGGERED)
            add_cvodes(list, count, (struct peer_variant){CV_BDF, ways[k], PEER_KLU});
        if (stiff) continue;
        add_cvodes(list, count, (struct peer_variant){CV_ADAMS, ways[k], PEER_DENSE});
        add_cvodes(list, count, (struct peer_variant){CV_ADAMS, ways[k], PEER_FIXED_POINT});
    }
}

size_t contenders_list(const struct task *task, struct contender *list)
{
    size_t count = 0;
    list_tansy(task->problem->stiff, list, &count);
    list_cvodes(task->problem->stiff, task->exact.n, list, &count);
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

void contender_solve(const struct contender *who, const struct task *task, struct peer *peer,
                     struct run *run)
{
    if (who->code == BEST_TANSY || who->code == DEFAULT_TANSY)
        solve_by_tansy(who, task, run);
    else
        peer_solve(peer, &who->variant, run);
}
