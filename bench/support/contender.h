/* SPDX-License-Identifier: Apache-2.0 */
/* Those who run a task: a variant of Tansy or of its peer, CVODES or IDAS. */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "peer_cvodes.h"
#include "peer_idas.h"
#include "task.h"

#include <tansy/options.h>

/* The speedup compares the best variants; Tansy's default options are one of them and shown beside. */
enum code {
    BEST_TANSY,    /* every method, corrector and iteration that suits the problem */
    BEST_PEER,     /* the same of CVODES, or for an implicit problem of IDAS */
    DEFAULT_TANSY, /* nothing said but the tolerances and, where the problem is not stiff, adams */
    CODES
};

struct contender {
    enum code code;
    char name[40];               /* "bdf staggered" */
    tansy_options options;       /* of Tansy */
    struct peer_variant variant; /* of CVODES */
    struct idas_variant idas;    /* of IDAS */
};

/* The peer that suits a task. */
struct opponent {
    int implicit; /* not 0: IDAS */
    struct peer cvodes;
    struct peer_idas idas;
};

void opponent_open(struct opponent *opponent, const struct task *task);
void opponent_close(struct opponent *opponent);

enum { MAX_CONTENDERS = 32 };

/* All variants that make sense: BDF with every corrector; for problems that are not stiff Adams too, with
   Newton's and with functional iteration; from 20 equations on CVODES with LAPACK's dense solver too, from 50 on the
   staggered corrector with KLU's sparse one instead.  For implicit problems DASSL's method and IDAS, with the linear
   solver that the problem's structure asks for, or GMRES where the task says so.  Returns their number. */
size_t contenders_list(const struct task *task, struct contender *list);

/* A way of ours, by the names of its options; sensitivities NULL: the default. */
struct entrant {
    const char *method, *sensitivities;
    const char *residual, *formula; /* NULL: auto */
};

/* Who takes part where the question is about some methods only. */
struct entrants {
    size_t count;
    const struct entrant *ours; /* ours[count]; with default options but for what they say */
    int adams, bdf;             /* not 0: CVODES with all variants of this one */
};

/* The same of those; ends the program when the library does not know a name. */
size_t contenders_chosen(const struct task *task, const struct entrants *entrants,
                         struct contender *list);

/* One run, creation of the solver included.  The opponent is needed for the peer only. */
void contender_solve(const struct contender *who, const struct task *task,
                     struct opponent *opponent, struct run *run);

/* "tansy", "cvodes" or "idas", "tansy-default" */
const char *code_name(enum code code, const struct task *task);

#endif
