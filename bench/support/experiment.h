/* SPDX-License-Identifier: Apache-2.0 */
/* One run of Tansy with options of one's own, for the experiments of papers. */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include <stddef.h>
#include <tansy/options.h>
#include <tansy/problem.h>
#include <tansy/solver.h>

struct experiment {
    tansy_problem problem;
    tansy_options options;
    size_t times;
    const double *t;
    double *y;    /* y[times*n], owned by the caller */
    double *sens; /* sens[times*ns*n], or NULL */
};

enum { MAX_REPEATED = 64 };

struct measurement {
    int failed;
    tansy_stats stats;
    size_t repeated[1 + MAX_REPEATED]; /* steps, by the state, then by each column */
    double seconds;                    /* least of the repeats, creation included */
};

/* Runs at least once; more often as long as `patience` seconds allow. */
struct measurement experiment_run(const struct experiment *e, double patience);

#endif
