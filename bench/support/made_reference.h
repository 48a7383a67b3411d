/* SPDX-License-Identifier: Apache-2.0 */
/* A reference for a task that has no file: a run of Tansy at a tight tolerance, which the peer has to confirm. */
#ifndef BENCH_MADE_REFERENCE_H
#define BENCH_MADE_REFERENCE_H

#include "contender.h"
#include "task.h"

struct judgement {
    struct contender maker, judge; /* a variant of Tansy, one of the peer */
    double tight, tight_peer;      /* their tolerances */
    double allowed;                /* the largest error of the judge in the norm of S */
};

/* Fills task->exact, finishes the task and prints how far the judge is away; ends the program when that is too far. */
void reference_make(struct task *task, const struct judgement *how);

#endif
