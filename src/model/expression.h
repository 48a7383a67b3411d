/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of expressions: immutable, hash-consed (equal expressions are one node) and simplified as it is built.
   A node is a number; arguments have smaller numbers than the node that uses them, so that all algorithms are
   loops over rising or falling numbers and nothing recurses.  Node 0 is the constant 0, node 1 the constant 1. */
#ifndef MODEL_EXPRESSION_H
#define MODEL_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum operation {
    /* leaves */
    OP_CONSTANT,  /* value */
    OP_TIME,      /* t */
    OP_STATE,     /* y_i, i = index */
    OP_RATE,      /* y'_i, in implicit equations only */
    OP_VECTOR,    /* v_i, a given vector: directional derivatives J v */
    OP_PARAMETER, /* p_k */
    OP_SWITCH, /* p[np + j]: 1 where condition j holds, else 0; constant between switching points */
    OP_PIECE,  /* p[np + switches]: how many of the break times are passed */
    OP_INPUT,  /* table j at (t, piece) */
    OP_INPUT_SLOPE, /* its derivative in t */
    /* one argument */
    OP_NEGATE,
    OP_EXP,
    OP_LOG,
    OP_SQRT,
    OP_SIN,
    OP_COS,
    OP_TAN,
    OP_ASIN,
    OP_ACOS,
    OP_ATAN,
    OP_SINH,
    OP_COSH,
    OP_TANH,
    /* two arguments */
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,    /* a^b; b a constant or not; integer and half-integer constants have fast code */
    OP_AT_LEAST, /* a >= b ? 1 : 0; of OP_PIECE and constants, constant between break times; in guards, see bind_guard.h */
    /* three arguments */
    OP_SELECT, /* a != 0 ? b : c; a is made of switches, so it is constant between switching points */
    OPERATIONS
};

struct node {
    uint32_t operation; /* enum operation */
    union {
        uint32_t argument[3]; /* of a constant: the bits of its value in the last two */
        uint32_t index;       /* of a leaf */
    };
};

/* The value of a constant; 0 of anything else. */
static inline double node_value(const struct node *n)
{
    double value = 0;
    if (n->operation == OP_CONSTANT) memcpy(&value, &n->argument[1], sizeof value);
    return value;
}

struct graph; /* grows; out of memory is remembered, see graph_failed */

struct graph *graph_create(void); /* NULL: no memory */
void graph_free(struct graph *g); /* NULL is allowed */

/* The same nodes under the same numbers in a graph of its own, to go on from without touching a shared one; NULL: no memory. */
struct graph *graph_copy(const struct graph *g);

/* After an allocation has failed every function below returns node 0. */
bool graph_failed(const struct graph *g);

size_t graph_count(const struct graph *g);
const struct node *graph_nodes(const struct graph *g); /* moves when the graph grows */

/* The node of an expression, simplified: constants folded (unless the result is not finite: 1/0 stays, so that the
   binder can point at it), x + 0, 1*x, x - x, x^1, -(-x), exp(log x), select of a constant, like factors and powers, ... */
uint32_t graph_constant(struct graph *g, double value);
uint32_t graph_leaf(struct graph *g, enum operation operation, uint32_t index);
uint32_t graph_unary(struct graph *g, enum operation operation, uint32_t a);
uint32_t graph_binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b);
uint32_t graph_select(struct graph *g, uint32_t condition, uint32_t then, uint32_t otherwise);

/* Kept: x/x, x^2/x and (1/x) x stay as they are where x may be 0, so that they have no value there; for what the model says.  Derivatives
   are built without: x is cancelled, which gives their limits at 0. */
void graph_keep_poles(struct graph *g, bool kept);

/* Which leaves an expression contains: bits 1 << OP_STATE etc., only of leaves; and 1 << OP_AT_LEAST where it compares what moves. */
uint32_t graph_leaves(const struct graph *g, uint32_t node);

/* Is it the constant `value`? */
bool graph_is(const struct graph *g, uint32_t node, double value);

/* The same expressions with every OP_STATE i replaced by replacement[i] (NO replacement: UINT32_MAX); for initial
   values and for solving an equation for a rate. */
struct substitution {
    enum operation leaf;
    const uint32_t *replacement; /* by index */
    size_t count;
};
void graph_substitute(struct graph *g, const struct substitution *by, const uint32_t *root,
                      size_t roots, uint32_t *result);

/* Replacements that contain leaves of the kind themselves, x1' = x2' + 1, replaced in each other until none is left: every
   node is built once, however long the chains are.  False, and nothing has changed: a replacement needs itself, or a leaf has none.
   result may be by->replacement. */
bool graph_resolve(struct graph *g, const struct substitution *by, uint32_t *result);

/* The same expressions with exp(a) exp(b) as exp(a + b) where nothing in the roots needs the two by themselves.  For all roots
   of a model at once, before they are differentiated; result may be root. */
void graph_merge_exponentials(struct graph *g, const uint32_t *root, size_t roots,
                              uint32_t *result);

#endif
