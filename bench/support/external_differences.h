/* SPDX-License-Identifier: Apache-2.0 */
/* S without sensitivities, by external differences, Franz and Kiehl (7): one whole run from y0 and one from y0 + d r_j for every column
   j, each with steps of its own, s_j = (y(t; y0 + d r_j) - y(t; y0))/d, r_j being the unit vector of an initial value. */
#ifndef BENCH_EXTERNAL_DIFFERENCES_H
#define BENCH_EXTERNAL_DIFFERENCES_H

#include "experiment.h"

/* How: d; the first step of the first run, 0 for one that the solver chooses, and by what it grows from run to run, so that no two runs
   have the same steps. */
struct external {
    double increment, first_step, growth;
};

/* e->sens is filled at e->times = 1; all columns are initial values.  Runs at least once, more often as long as
   `patience` seconds allow; gives the least time of all ns + 1 runs together and the statistics of the last of them, but
   with the evaluations of f of all. */
struct measurement external_differences_run(const struct experiment *e, const struct external *x,
                                            double patience);

#endif
