/* SPDX-License-Identifier: Apache-2.0 */
/* Inside differentiation: the partial derivatives of one node, and the sparse row of a node gathered by walking down from it
   through all nodes that nothing else uses. */
#ifndef MODEL_DIFFERENTIATE_ROWS_H
#define MODEL_DIFFERENTIATE_ROWS_H

#include "model/differentiate.h"
#include "model/simplify.h"

enum { MAX_CHILDREN = 13 }; /* of quotients by sums; else 3 at most, or 7 */

/* Leaves that conditions and controls are decided by. */
enum { CHOOSING = 1u << OP_SWITCH | 1u << OP_PIECE | 1u << OP_AT_LEAST };

/* The nodes that `at` is a function of, for differentiation: its arguments that depend on one of the leaves in mask; the
   exponential in a product is looked through, since d(exp(u) b) = (exp(u) b) du.  Not for OP_SELECT. */
size_t derivative_children(const struct graph *g, uint32_t at, uint32_t mask,
                           uint32_t child[MAX_CHILDREN]);

/* d at / d child.  again: an expression that is right in a neighbourhood, to be differentiated once more; else one that is
   right by its value alone, which costs less where an exponent is a parameter. */
uint32_t derivative_partial(struct graph *g, uint32_t at, uint32_t child, bool again);

/* b a^(b-1), where b = 0 gives 0 * a^0.  For what is differentiated again a^0 stands for a^-1 at a = 0 alone: the next derivative
   in b is a^(b-1) + .., of which b = 0 takes nothing away. */
uint32_t slope_of_power(struct graph *g, uint32_t a, uint32_t b, bool again);

/* The children and partial derivatives of quotients whose denominators may be out of range, of roots of products that may be
   0, and of products with roots; false: `at` is none, and the usual ones hold. */
bool quotient_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN],
                       size_t *count);
bool quotient_partial(struct graph *g, uint32_t at, uint32_t child, uint32_t *partial);
bool root_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN], size_t *count);
bool root_partial(struct graph *g, uint32_t at, uint32_t child, uint32_t *partial);
bool product_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN],
                      size_t *count);
bool product_partial(struct graph *g, uint32_t at, uint32_t child, bool again, uint32_t *partial);

/* Has `at` a slope that is infinite somewhere, as sqrt(max(x, 0)) has while its condition does not hold?  What a condition makes 0
   below it stays 0, see multiply_chosen, and tangents keep no rows there. */
bool derivative_is_steep(const struct graph *g, uint32_t at);

/* a*b, and 0 where conditions make b zero, whatever a is: right by its value, but the next derivative is lost where b is 0 by
   chance and a is finite. */
uint32_t multiply_chosen(struct graph *g, uint32_t a, uint32_t b);

/* The same to be differentiated again, a being the slope of the steep node `at`: only where that slope is infinite is 0 taken. */
uint32_t multiply_steep(struct graph *g, uint32_t at, uint32_t a, uint32_t b);

/* A term of a row: node * source. */
struct term_of_row {
    uint32_t source, node;
    uint32_t sequence; /* the order in which terms were found */
};

/* What is left to walk through: coefficient * d node. */
struct pending {
    uint32_t node, coefficient;
    bool is_steep; /* below a node that is */
};

enum use { USE_NONE, USE_ONCE, USE_ROW }; /* USE_ROW: the node gets a row of its own */

struct walk {
    struct graph *g;
    uint32_t mask;   /* of the leaves */
    size_t count;    /* nodes when the walk began */
    uint8_t *use;    /* use[count]: enum use */
    uint32_t *row;   /* row[count]: number of its row, where it has one */
    bool is_tangent; /* rows stand as sources (first_row + number), they are not multiplied out */
    uint32_t first_rate, first_parameter, first_row;
    LIST(struct pending) pending;
    LIST(struct term_of_row) found;
    LIST(size_t) start; /* start of each row in `term`, and the end of the last */
    LIST(struct term_of_row) term;
};

/* Marks what the roots use and which nodes get rows.  False: no memory.  walk_free in any case. */
bool walk_begin(struct walk *w, const uint32_t *root, size_t roots);
void walk_free(struct walk *w);

/* The number of a leaf's column, or UINT32_MAX when it is no leaf of the mask. */
uint32_t walk_column(const struct walk *w, const struct node *n);

/* Gathers the terms of d at in w->found, from all that has rows already. */
void walk_gather(struct walk *w, uint32_t at);

/* Appends the terms found to the list of one row: sources rising, like ones added up, none 0; ends the row. */
void walk_end_row(struct walk *w);

/* The leaves to differentiate by, and where the columns of y' and p begin. */
struct leaf_columns {
    uint32_t mask, first_rate, first_parameter;
};

/* differentiate() for all the leaves in mask. */
tansy_status differentiate_by(struct graph *g, const uint32_t *root, size_t roots,
                              struct leaf_columns by, struct derivative *result);

/* a*b where one of them is often 1. */
static inline uint32_t multiply_quickly(struct graph *g, uint32_t a, uint32_t b)
{
    return a == ONE ? b : b == ONE ? a : graph_binary(g, OP_MULTIPLY, a, b);
}

/* Adds to a list of the walk; no memory is remembered in the graph. */
#define WALK_ADD(w, list, ...)                                                                     \
    do {                                                                                           \
        if (!LIST_ADD(&(w)->list, __VA_ARGS__)) (w)->g->failed = true;                             \
    } while (0)

#endif
