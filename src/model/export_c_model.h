/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the export: what its files know of the model. */
#ifndef MODEL_EXPORT_C_MODEL_H
#define MODEL_EXPORT_C_MODEL_H

#include "model/differentiate.h"
#include "model/export_c.h"
#include "model/export_c_text.h"
#include "model/program.h"

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
    uint32_t *rhs;     /* rhs[n] or residual[n], its long sums as trees */
    uint32_t *initial; /* initial[n], with the conditions in place of their switches */
    struct derivative J, M, F, D, slope,
        time; /* M: dF/dy' of an implicit model, else empty; time: df/dt of an explicit one */
    struct derivative output_time; /* dQ/dt */
    struct tangent tangent, switch_tangent, constraint_tangent, output_tangent;
    const struct export_structure *structure; /* never NULL */
    struct hoist hoist;
    const struct hoist *plan; /* of what stands in h[], or NULL: nothing does */
    bool is_banded;
    size_t lower, upper;
};

static inline bool export_is_implicit(const struct export *x)
{
    return !x->system->rhs;
}

/* export_c_outputs.c: the outputs at a point, as derived quantities, and their tangents. */
void write_outputs(struct export *x);
bool export_has_output_rates(const struct export *x);

/* export_c_entry.c: the arrays of names; and tansy_exported_model, after all else. */
void write_names(struct export *x);
void write_entry(struct export *x);

/* export_c_problem.c: NAME_kind[] and the function that fills a tansy_problem. */
void write_kinds(struct export *x);
void write_problem(struct export *x);

/* The model's name as a word of C. */
void export_name(struct export *x);

#endif
