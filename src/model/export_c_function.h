/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the export: one C function that writes the values of given nodes to given places, in chunks. */
#ifndef MODEL_EXPORT_C_FUNCTION_H
#define MODEL_EXPORT_C_FUNCTION_H

#include "model/differentiate.h"
#include "model/export_c_text.h"
#include "model/program.h"

/* What a function computes: target[place[i]] = value of root[i]. */
struct c_function {
    const char *model, *name; /* it is called model_name */
    const char
        *parameters; /* "double t, const double *y, const double *p, double *f, void *context" */
    const char *arguments; /* what the chunks need of them, "double t, const double *y, ..." */
    const char *passed;    /* the same as names, "t, y, p, f" */
    const char *unused;    /* statements that name arguments which may not be used */
    const char *target;    /* "f" */
    const uint32_t *root;
    const size_t *place; /* NULL: place[i] = i */
    size_t roots;
    bool is_inner; /* static */
    const struct hoist *
        plan; /* what stands in h[]; NULL: nothing.  A function without context has the parameter h */
    size_t np, switches;
};

/* A static array of numbers, at least one. */
void write_sizes(struct writer *w, const char *model, const char *name, const size_t *value,
                 size_t count);
void write_doubles(struct writer *w, const char *model, const char *name, const double *value,
                   size_t count);

/* The tangent of roots as rows over their coefficients: int model_name(t, y, p, columns, ld, V, U, [gt,] R, context). */
struct c_tangent {
    const char *model, *name;
    const struct tangent *rows;
    const uint32_t *slope; /* slope[roots]: d root/dt, written to gt[]; or NULL */
    size_t switches;
    const struct hoist *plan;
};
void write_tangent(struct writer *w, const struct graph *g, const struct c_tangent *t);
/* The static function that runs the rows. */
void write_row_loop(struct writer *w, const char *model);

void write_function(struct writer *w, const struct graph *g, const struct c_function *f);

/* The roots with long chains of additions as trees; false: no memory. */
bool balance_sums(struct graph *g, uint32_t *root, size_t roots);

/* model_hoisted(p, context) with the values of f->plan, and struct model_scratch; f has model, np and switches, too. */
void write_hoisted_access(struct writer *w, const char *model); /* the lines that declare h */
void write_hoisted(struct writer *w, const struct graph *g, const struct c_function *f);

#endif
