/* SPDX-License-Identifier: Apache-2.0 */
/* Problems with references, and errors against them, see task.h. */
#include "task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *bench_take(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (!block) abort();
    return block;
}

static const struct test_problem *find(const char *name)
{
    const struct test_problem *problem = problem_find(name);
    if (problem) return problem;
    fprintf(stderr, "there is no problem %s\n", name);
    exit(EXIT_FAILURE);
}

void task_open(const char *name, struct task *task)
{
    *task = (struct task){.problem = find(name), .name = name};
    reference_read(task->problem, &task->exact);
    task_finish(task);
}

void task_open_bare(const char *name, size_t times, const double *t, struct task *task)
{
    *task = (struct task){.problem = find(name), .name = name};
    size_t const n = task->problem->problem.n, ns = problem_columns(task->problem);
    task->exact = (struct reference){.times = times, .n = n, .ns = ns};
    task->exact.t =
        bench_take(times * (1 + n + ns * n), sizeof(double)); /* as reference_free() wants it */
    task->exact.y = task->exact.t + times;
    task->exact.sens = task->exact.y + times * n;
    memcpy(task->exact.t, t, times * sizeof(double));
}

void task_finish(struct task *task)
{
    error_norm_make(task->problem, &task->exact, &task->norm);
}

void task_close(struct task *task)
{
    error_norm_free(&task->norm);
    reference_free(&task->exact);
}

void run_open(const struct task *task, struct run *run)
{
    const struct reference *r = &task->exact;
    *run = (struct run){.rtol = 0};
    run->y = bench_take(r->times * r->n, sizeof(double));
    run->sens = bench_take(r->times * r->ns * r->n, sizeof(double));
}

void run_close(struct run *run)
{
    free(run->y);
    free(run->sens);
}

double task_error(const struct task *task, const struct run *run)
{
    const struct reference *r = &task->exact;
    size_t const block = r->ns * r->n;
    double worst = run->failed ? HUGE_VAL : 0;
    for (size_t m = 0; m < r->times && !run->failed; m++)
        worst = fmax(worst, error_norm_columns(&task->norm, r->sens + m * block,
                                               run->sens + m * block, NULL));
    return worst;
}

double task_state_error(const struct task *task, const struct run *run)
{
    const struct reference *r = &task->exact;
    double worst = run->failed ? HUGE_VAL : 0;
    for (size_t m = 0; m < r->times && !run->failed; m++)
        worst = fmax(worst, error_norm_state(&task->norm, r->y + m * r->n, run->y + m * r->n));
    return worst;
}

double task_absolute_error(const struct task *task, const struct run *run)
{
    const struct reference *r = &task->exact;
    size_t const block = r->ns * r->n, last = (r->times - 1) * block;
    double worst = run->failed ? HUGE_VAL : 0;
    for (size_t x = last; x < last + block && !run->failed; x++)
        worst = fmax(worst, fabs(run->sens[x] - r->sens[x]));
    return worst;
}
