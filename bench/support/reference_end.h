/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments at the last time of a reference, and their errors as the tables of papers have them. */
#ifndef BENCH_REFERENCE_END_H
#define BENCH_REFERENCE_END_H

#include "experiment.h"
#include "support/reference.h"

/* The problem from its beginning to the last time; y[n] and sens[ns*n] are the caller's. */
struct experiment reference_end_experiment(const struct reference *r, const tansy_problem *problem,
                                           const tansy_options *options, double *y, double *sens);

struct end_errors {
    double y, sens;
};

/* The largest absolute errors of the first `shown` components there; column k of S times scale[k], unless that is NULL. */
struct end_errors reference_end_errors(const struct reference *r, size_t shown, const double *y,
                                       const double *sens, const double *scale);

#endif
