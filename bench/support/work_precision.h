/* SPDX-License-Identifier: Apache-2.0 */
/* Work and precision: every contender solves a task at a ladder of tolerances; the error of S that it achieves and its
   time make a curve, and codes are compared at equal error. */
#ifndef BENCH_WORK_PRECISION_H
#define BENCH_WORK_PRECISION_H

#include "contender.h"
#include "task.h"

#include <stddef.h>

enum { MAX_TOLERANCES = 20, LEVELS = 3, MAX_LEVELS = 6 };

/* The tolerances rtol = 10^-first, 10^-(first + step), ... 10^-last and the patience at each. */
struct ladder {
    double first, last, step; /* 0: 2, 11, 0.5 */
    double seconds;           /* for the repeats at one tolerance; 0: 0.4 */
    int least_rounds;         /* repeats whatever they take; 0: 3 */
    int brief;                /* not 0: no tables of single runs */
    int levels;               /* 0: LEVELS */
    const double
        *level; /* level[levels]: the errors at which codes are compared; NULL: 1e-4, 1e-6, 1e-8 */
    const struct entrants *entrants; /* who takes part; NULL: all that make sense */
};

struct point {
    double rtol;
    size_t steps;
    double error;    /* of S, docs/design.md section 12; infinite when the run failed */
    double absolute; /* the largest absolute error of S at the end */
    double seconds;
    const struct contender *who;
};

/* A code at a given error: its time, infinite when it does not reach the error, and its best variant there. */
struct verdict {
    double seconds;
    const struct contender *who;
};

struct comparison {
    const struct task *task;
    size_t contenders, tolerances;
    struct contender contender[MAX_CONTENDERS];
    struct point point[MAX_CONTENDERS][MAX_TOLERANCES];
    int levels;
    double level[MAX_LEVELS];
    struct verdict verdict[CODES][MAX_LEVELS];
};

/* Measures, compares, prints the tables and writes bench/results/NAME.csv, NAME being that of the task. */
void work_precision(const struct task *task, const struct ladder *ladder, struct comparison *c);

/* Which variant of a code achieves the error e of S (absolute: in that measure) in the least time.  On a
   variant's curve, its points that no other beats in both error and time, log time is interpolated over log error.
   An error above all of them costs as much as the cheapest point; one below them cannot be had. */
struct verdict best_at(const struct comparison *c, enum code code, int absolute, double e);

/* The same of one contender: its time for the error e, infinite when it cannot be had. */
double seconds_at(const struct comparison *c, size_t k, int absolute, double e);

/* The geometric mean of the ratios of times at the levels that both codes reach; NaN if there is none. */
double speedup(const struct comparison *c, enum code slow, enum code fast);

/* The last line of a bench. */
void print_speedup(const char *name, const char *peer, double factor);

#endif
