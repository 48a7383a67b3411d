/* SPDX-License-Identifier: Apache-2.0 */
/* From expressions to instructions: fuse (sums and products of many operands become one row each), order (rows sorted by
   level, kind and shape), emit (instructions). */
#ifndef MODEL_SCHEDULE_H
#define MODEL_SCHEDULE_H

#include "model/program_code.h"

enum { NOTHING = UINT32_MAX };

enum row_kind { ROW_SUM, ROW_PRODUCT, ROW_FUNCTION, ROW_POWER };

/* weight * a, or +-a*b where b is not NOTHING; of a product or function: an operand a. */
struct term {
    uint32_t a, b; /* nodes */
    double weight;
};

struct row {
    uint32_t node;
    uint32_t level; /* one above the highest of its operands */
    uint32_t first; /* of its terms, which follow each other, in the order of enum term_kind */
    uint8_t kind, operation;
    bool is_last;              /* a root that nothing else uses; */
    bool is_direct;            /* goes to out[place] */
    bool is_long;              /* runs by itself, not with others of its shape */
    int32_t shape[TERM_KINDS]; /* terms of each kind; factors; 2 * power */
    uint32_t place, slot;
};

/* The expressions a program needs. */
struct schedule {
    const struct node *node;
    size_t nodes;            /* up to and with the highest root */
    const uint32_t *hoisted; /* hoisted[hoisted_nodes], or NULL */
    size_t hoisted_nodes;
    const uint32_t *root;
    const size_t *place; /* NULL: root i goes to place i */
    uint32_t *kept;      /* NULL, or: roots stay in the work space, root i in slot kept[i] */
    size_t roots;

    uint8_t *uses, *root_uses; /* by node: 0, 1, 2 or more */
    uint32_t *row_of;          /* by node: its row, or NOTHING */
    struct term *
        copy; /* copy[roots]: root i is this one term (-x, c*x, or x itself); a is NOTHING for others */
    LIST(struct row) row; /* rising nodes; after schedule_order() in the order they run */
    LIST(struct term) term;
    size_t slots; /* of the rows */
};

/* A key to sort by, and what it is the key of. */
struct keyed {
    uint64_t key;
    uint32_t value;
};

/* Sorts by rising keys; equal ones stay as they are.  False: no memory. */
bool schedule_sort(struct keyed *item, size_t count);

bool schedule_fuse(struct schedule *s); /* false: no memory */
bool schedule_order(struct schedule *s);
bool schedule_emit(struct schedule *s, struct program *p);
void schedule_free(struct schedule *s);

static inline enum term_kind term_kind(const struct term *t)
{
    if (t->b != NOTHING) return t->weight > 0 ? PAIR : MINUS_PAIR;
    return t->weight == 1 ? PLUS : t->weight == -1 ? MINUS : WEIGHTED;
}

static inline size_t row_terms(const struct row *row)
{
    size_t terms = row->kind == ROW_POWER ? 1 : 0;
    for (int kind = 0; kind < TERM_KINDS && row->kind != ROW_POWER; kind++)
        terms += (size_t)row->shape[kind];
    return terms;
}

/* A leaf of this program: nothing below it is needed. */
static inline bool is_leaf(const struct schedule *s, uint32_t node)
{
    return s->node[node].operation < OP_NEGATE ||
           (node < s->hoisted_nodes && s->hoisted[node] != NOTHING);
}

/* Where a leaf stands that is an entry of an array: its space and index there.  Constants are no entries yet: their index
   is the node.  SPACE_WORK for leaves that are looked up. */
static inline struct stream leaf_place(const struct schedule *s, uint32_t node)
{
    static const uint8_t space[] = {
        [OP_CONSTANT] = SPACE_CONSTANT,   [OP_STATE] = SPACE_STATE,
        [OP_RATE] = SPACE_RATE,           [OP_VECTOR] = SPACE_VECTOR,
        [OP_PARAMETER] = SPACE_PARAMETER, [OP_INPUT_SLOPE] = SPACE_WORK};
    const struct node *const n = &s->node[node];
    if (node < s->hoisted_nodes && s->hoisted[node] != NOTHING)
        return (struct stream){SPACE_HOISTED, 0, s->hoisted[node]};
    uint8_t const where = space[n->operation];
    return (struct stream){where, 0,
                           where == SPACE_WORK || where == SPACE_CONSTANT ? node : n->index};
}

#endif
