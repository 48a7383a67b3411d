/* SPDX-License-Identifier: Apache-2.0 */
/* Random expressions over all operations, as a tape that is not simplified and as nodes of a graph that are; and a point at
   which all of them are well defined and well conditioned. */
#ifndef SUPPORT_RANDOM_EXPRESSION_H
#define SUPPORT_RANDOM_EXPRESSION_H

#include <complex.h>

#include "model/oracle.h"
#include "support/random.h"

enum { TAPE_LEAVES = 4, TAPE_LENGTH = 60, TAPE_SWITCHES = 2, TAPE_PIECE = 2 };

/* One operation; arguments are earlier places of the tape. */
struct tape_step {
    enum operation operation;
    size_t argument[3]; /* of a leaf its index */
    double value;       /* of a constant */
    uint32_t node;
};

/* Values of the leaves, with the tables. */
struct tape_point {
    double complex t, y[TAPE_LEAVES], rate[TAPE_LEAVES], vector[TAPE_LEAVES];
    double complex p[TAPE_LEAVES + TAPE_SWITCHES + 1];
    const struct table *table;
};

struct tape {
    struct tape_step step[TAPE_LENGTH];
    size_t count;
    struct tape_point at;
};

/* Writes a tape and its nodes. */
void tape_make(struct tape *tape, struct graph *g, struct random_source *random);

/* The tape at a point: value[count]. */
void tape_run(const struct tape *tape, const struct tape_point *at, double complex *value);

/* All nodes of a graph there. */
void tape_run_graph(const struct graph *g, const struct tape_point *at, double complex *value);

/* The place of a leaf in the point, for complex steps; NULL when the kind has none. */
double complex *tape_leaf(struct tape_point *at, enum operation kind, size_t index);

#endif
