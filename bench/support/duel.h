/* SPDX-License-Identifier: Apache-2.0 */
/* One method of ours against one formula of CVODES on a problem: times at equal error of S, and the factor aimed at. */
#ifndef BENCH_DUEL_H
#define BENCH_DUEL_H

#include "work_precision.h"

struct duel {
    const char *name;    /* of the bench */
    const char *problem; /* of tests/support */
    struct entrants entrants;
    int levels;
    double level[MAX_LEVELS]; /* errors of S */
    double target;            /* the speedup has to be at least this */
    double seconds;           /* see struct ladder */
};

/* Measures, prints the tables, writes bench/results/NAME.csv and ends with the line of the speedup. */
void duel_run(const struct duel *duel);

#endif
