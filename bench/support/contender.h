/* SPDX-License-Identifier: Apache-2.0 */
/* Those who run a task: a variant of Tansy or of CVODES. */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "peer_cvodes.h"
#include "task.h"

#include <tansy/options.h>

/* The speedup compares the best variants; Tansy's default options are one of them and shown beside. */
enum code {
    BEST_TANSY,    /* every method, corrector and iteration that suits the problem */
    BEST_CVODES,   /* the same */
    DEFAULT_TANSY, /* nothing said but the tolerances and, where the problem is not stiff, adams */
    CODES
};

struct contender {
    enum code code;
    char name[40];               /* "bdf staggered" */
    tansy_options options;       /* of Tansy */
    struct peer_variant variant; /* of CVODES */
};

enum { MAX_CONTENDERS = 32 };

/* All variants that make sense: BDF with every corrector; for problems that are not stiff Adams too, with
   Newton's and with functional iteration; from 20 equations on CVODES with LAPACK's dense solver too, from 50 on the
   staggered corrector with KLU's sparse one instead.  Returns their number. */
size_t contenders_list(const struct task *task, struct contender *list);

/* One run, creation of the solver included.  The peer is needed for CVODES only. */
void contender_solve(const struct contender *who, const struct task *task, struct peer *peer,
                     struct run *run);

/* "tansy", "cvodes", "tansy-default" */
const char *code_name(enum code code);

#endif
