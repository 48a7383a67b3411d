/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions, values for their leaves, and how far two right evaluations of them may differ. */
#ifndef SUPPORT_ENGINE_CASES_H
#define SUPPORT_ENGINE_CASES_H

#include "model/oracle.h"
#include "model/program.h"
#include "support/random.h"

enum { CASE_STATES = 12, CASE_PARAMETERS = 9, CASE_SWITCHES = 2, CASE_TABLES = 2 };

/* Values of all leaves. */
struct engine_leaves {
    double y[CASE_STATES], rate[CASE_STATES], vector[CASE_STATES];
    double p[CASE_PARAMETERS + CASE_SWITCHES + 1];
    struct table table[CASE_TABLES];
    struct leaves at;
};

void engine_leaves_fill(struct engine_leaves *leaves, struct random_source *source);

/* An integer from 0 to below - 1. */
uint32_t random_below(struct random_source *source, uint32_t below);

/* A random expression with operands among node[count] and all kinds of leaves. */
uint32_t engine_random_node(struct graph *g, struct random_source *source, const uint32_t *node,
                            uint32_t count);

/* bound[nodes]: how far from the oracle's value[] a right evaluation may be that adds terms in another order. */
void engine_bounds(const struct graph *g, const double *value, double *bound);

/* Both are NaN, the same infinity, or within the bound. */
bool engine_agrees(double found, double expected, double bound);

#endif
