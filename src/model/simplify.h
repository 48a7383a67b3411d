/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the graph: its memory, and the rules by which expressions are simplified as they are built.  The rules stand in
   layers, each of which calls only those before it: node_make, sums, powers, products, quotients, functions. */
#ifndef MODEL_SIMPLIFY_H
#define MODEL_SIMPLIFY_H

#include "base/grow.h"
#include "model/expression.h"

/* What graph_binary() has answered lately: grids ask the same again and again.  The graph never changes what it has, so that
   an answer stays right. */
enum { RECENT = 256 };
struct answer {
    uint32_t operation, a, b, result;
};

struct graph {
    LIST(struct node) node;
    struct answer recent
        [RECENT];     /* by a hash of the question; operation 0, which is no binary one: none yet */
    uint32_t *leaves; /* leaves[node.capacity]: bits 1 << OP_STATE etc. */
    uint32_t *table;  /* open addressing: node number + 1, or 0 */
    size_t places;    /* of the table, a power of two */
    bool failed;
    bool keeps_poles; /* see graph_keep_poles() */
};

enum { ZERO = 0, ONE = 1 }; /* the first two nodes */

/* Leaves whose values change while a solver runs: what has none of them is computed once for a p. */
enum {
    MOVING_LEAVES = 1u << OP_TIME | 1u << OP_STATE | 1u << OP_RATE | 1u << OP_VECTOR |
                    1u << OP_INPUT | 1u << OP_INPUT_SLOPE
};

static inline const struct node *node_at(const struct graph *g, uint32_t a)
{
    return &g->node.item[a];
}

static inline bool node_is(const struct graph *g, uint32_t a, enum operation operation)
{
    return g->node.item[a].operation == operation;
}

static inline bool node_is_constant(const struct graph *g, uint32_t a)
{
    return node_is(g, a, OP_CONSTANT);
}

static inline bool node_is_root(const struct graph *g, uint32_t a)
{
    return node_is(g, a, OP_SQRT) || node_is(g, a, OP_POWER);
}

/* Depends on p, switches and piece at most. */
static inline bool node_is_fixed(const struct graph *g, uint32_t a)
{
    return !(g->leaves[a] & MOVING_LEAVES);
}

/* How many arguments an operation has. */
static inline unsigned operation_arguments(uint32_t operation)
{
    return operation < OP_NEGATE ? 0 : operation < OP_ADD ? 1 : operation < OP_SELECT ? 2 : 3;
}

/* The node as it stands, found or added; no rule but the order of the arguments of sums and products: a constant last, else
   rising. */
uint32_t node_make(struct graph *g, enum operation operation, uint32_t a, uint32_t b, uint32_t c);

/* One operation on numbers, by libm. */
double operation_value(enum operation operation, double a, double b);

/* a = coefficient * (the node returned), which has no constant factor; 1 when a is a constant. */
uint32_t split_coefficient(const struct graph *g, uint32_t a, double *coefficient);

/* May x be cancelled?  Poles are not kept, or it is above 0 wherever it has a value. */
bool simplify_may_cancel(const struct graph *g, uint32_t x);

/* Sums: c a, a + b, a - b. */
uint32_t simplify_scale(struct graph *g, double c, uint32_t a);
uint32_t simplify_add(struct graph *g, uint32_t a, uint32_t b);
uint32_t simplify_subtract(struct graph *g, uint32_t a, uint32_t b);

/* Powers: x^exponent of a constant, by products where it is a small integer. */
uint32_t simplify_constant_power(struct graph *g, uint32_t x, double exponent);

/* a = (the node returned)^exponent, of powers that simplify_constant_power() makes; else exponent is 1. */
uint32_t split_power(const struct graph *g, uint32_t a, double *exponent);

/* Products of expressions that have no constant factor. */
uint32_t simplify_factors(struct graph *g, uint32_t a, uint32_t b);
uint32_t simplify_quotient(struct graph *g, uint32_t a, uint32_t b);

/* Products and quotients in the form c * (P * R): c a number, P of p alone, R the rest. */
uint32_t simplify_multiply(struct graph *g, uint32_t a, uint32_t b);
uint32_t simplify_divide(struct graph *g, uint32_t a, uint32_t b);

uint32_t simplify_power(struct graph *g, uint32_t a, uint32_t b);
uint32_t simplify_function(struct graph *g, enum operation operation, uint32_t a);

#endif
