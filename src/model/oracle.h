/* SPDX-License-Identifier: Apache-2.0 */
/* A plain evaluator of the graph with libm, one node after the other: what the engine is tested against. */
#ifndef MODEL_ORACLE_H
#define MODEL_ORACLE_H

#include <complex.h>

#include "model/program.h"

/* value[count of nodes]: the value of every node up to and with the highest root. at->hoisted is not used. */
void oracle_run(const struct graph *g, const struct leaves *at, double *value);

/* The same in complex arithmetic, for derivatives by complex step; y, p, t are given whole. */
struct complex_leaves {
    double complex t;
    const double complex *y, *rate, *vector, *p;
    const struct table *table;
    size_t np, switches;
};
void oracle_run_complex(const struct graph *g, const struct complex_leaves *at,
                        double complex *value);

#endif
