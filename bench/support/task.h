/* SPDX-License-Identifier: Apache-2.0 */
/* What the contenders have to do: a problem of tests/support, solved through its reference times with all its
   columns, and the place where a run leaves what it found. */
#ifndef BENCH_TASK_H
#define BENCH_TASK_H

#include "support/error_norm.h"
#include "support/problems.h"
#include "support/reference.h"

#include <stddef.h>

struct task {
    const struct test_problem *problem;
    const char *name;       /* of the results: that of the problem if nobody says otherwise */
    struct reference exact; /* .times and .t say where the solution is wanted */
    struct error_norm norm;
    int krylov; /* not 0: by GMRES with a tridiagonal preconditioner */
};

/* One run.  The caller gives rtol (atol_i = rtol * problem->atol[i]) and the arrays; the rest is filled. */
struct run {
    double rtol;
    int failed;
    size_t steps;
    size_t evaluations, tangents, jacobians, factorisations; /* of CVODES; tangents: columns */
    double *y;                                               /* y[times*n] */
    double *sens; /* sens[times*ns*n], as in struct reference */
};

/* Reads the reference of a problem that has one.  Ends the program with a message when there is none. */
void task_open(const char *name, struct task *task);

/* A problem without a file: the caller fills task->exact.y and .sens, then calls task_finish(). */
void task_open_bare(const char *name, size_t times, const double *t, struct task *task);
void task_finish(struct task *task);

void task_close(struct task *task);

/* Arrays for a run of this task. */
void run_open(const struct task *task, struct run *run);
void run_close(struct run *run);

/* The error of S, docs/design.md section 12: the largest e_k over columns and reference times; infinite for a run
   that failed. */
double task_error(const struct task *task, const struct run *run);

/* The same of the state. */
double task_state_error(const struct task *task, const struct run *run);

/* The largest absolute error of an entry of S at the last reference time. */
double task_absolute_error(const struct task *task, const struct run *run);

/* calloc that ends the program when there is no memory. */
void *bench_take(size_t count, size_t size);

#endif
