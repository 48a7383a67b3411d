/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the export: all that it works on, and the function that fills a tansy_problem. */
#ifndef MODEL_EXPORT_C_PROBLEM_H
#define MODEL_EXPORT_C_PROBLEM_H

#include "model/differentiate.h"
#include "model/export_c_text.h"
#include "model/program.h"
#include "model/system.h"

enum { MODEL_NAME_SIZE = 64 };

/* All that an export needs; freed by end(). */
struct export
{
    const struct system *system;
    struct graph *g; /* a copy of the system's, which may grow */
    struct writer w;
    char model[MODEL_NAME_SIZE];
    size_t n, np;
    uint32_t *root;    /* root[n], [outputs] or [conditions] */
    uint32_t *rhs;     /* rhs[n], its long sums as trees */
    uint32_t *initial; /* initial[n], with the conditions in place of their switches */
    struct derivative J, F, D, slope, time; /* time: df/dt */
    struct tangent tangent, switch_tangent;
    struct hoist hoist;
    const struct hoist *plan; /* of what stands in h[], or NULL: nothing does */
    bool is_banded;
    size_t lower, upper;
};

/* void NAME_problem(tansy_problem *problem). */
void write_problem(struct export *x);

#endif
