/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the graph: nodes in one growing array, found again through a table with open addressing and linear
   probing, at most half full.  The rules are in simplify*.c. */
#include "model/expression.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "model/simplify.h"

enum { FIRST_PLACES = 1024 };

struct graph *graph_create(void)
{
    struct graph *const g = heap_take(sizeof *g);
    if (!g) return NULL;
    g->places = FIRST_PLACES;
    g->table = heap_take(g->places * sizeof *g->table);
    g->failed = !g->table;
    graph_constant(g, 0);
    graph_constant(g, 1);
    if (g->node.count == 2) return g;
    graph_free(g);
    return NULL;
}

void graph_free(struct graph *g)
{
    if (!g) return;
    LIST_FREE(&g->node);
    heap_return(g->leaves);
    heap_return(g->table);
    heap_return(g);
}

struct graph *graph_copy(const struct graph *g)
{
    struct graph *const copy = heap_take(sizeof *copy);
    if (!copy) return NULL;
    *copy = *g;
    copy->node.item = heap_take(g->node.capacity * sizeof *g->node.item);
    copy->leaves = heap_take(g->node.capacity * sizeof *g->leaves);
    copy->table = heap_take(g->places * sizeof *g->table);
    if (!copy->node.item || !copy->leaves || !copy->table) {
        graph_free(copy);
        return NULL;
    }
    memcpy(copy->node.item, g->node.item, g->node.count * sizeof *g->node.item);
    memcpy(copy->leaves, g->leaves, g->node.count * sizeof *g->leaves);
    memcpy(copy->table, g->table, g->places * sizeof *g->table);
    return copy;
}

bool graph_failed(const struct graph *g)
{
    return g->failed;
}

size_t graph_count(const struct graph *g)
{
    return g->node.count;
}

const struct node *graph_nodes(const struct graph *g)
{
    return g->node.item;
}

uint32_t graph_leaves(const struct graph *g, uint32_t node)
{
    return g->leaves[node];
}

bool graph_is(const struct graph *g, uint32_t node, double value)
{
    return node_is_constant(g, node) && node_value(node_at(g, node)) == value;
}

/* Two rounds of multiply and fold. */
static uint64_t hash_of(const struct node *n)
{
    uint64_t h = (uint64_t)n->operation * 0x9e3779b97f4a7c15u;
    h ^= (uint64_t)n->argument[0] << 32 | n->argument[1];
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 32 ^ n->argument[2]) * 0xd6e8feb86659fd93u;
    return h ^ h >> 32;
}

/* Constants are equal if all bits are. */
static bool same(const struct node *a, const struct node *b)
{
    return a->operation == b->operation && a->argument[0] == b->argument[0] &&
           a->argument[1] == b->argument[1] && a->argument[2] == b->argument[2];
}

/* Where a node is looked for first: near those made at the same time, so that the table's lines are in the cache, around twice
   the number of its youngest argument, leaves in the upper half. */
static size_t first_place(const struct graph *g, const struct node *n, uint64_t hash)
{
    enum { SPREAD = 32 };
    uint32_t youngest = n->argument[0];
    for (unsigned i = 1; i < 3; i++)
        if (n->argument[i] > youngest) youngest = n->argument[i];
    size_t const half = n->operation < OP_NEGATE ? g->places / 2 : 0;
    return half + 2 * (size_t)youngest + (hash >> 40) % SPREAD;
}

/* Where the node stands in the table, or the empty place where it belongs.  After the first places it may be anywhere, so that
   many nodes with one argument do no harm; constants, which have none, are anywhere at once. */
static size_t look_up(const struct graph *g, const struct node *wanted)
{
    enum { NEAR = 8 };
    size_t const mask = g->places - 1;
    uint64_t const hash = hash_of(wanted);
    size_t const near = wanted->operation == OP_CONSTANT ? 0 : NEAR;
    size_t at = first_place(g, wanted, hash);
    for (size_t k = 0; k < near; k++, at++) {
        uint32_t const found = g->table[at & mask];
        if (!found || same(&g->node.item[found - 1], wanted)) return at & mask;
    }
    for (at = hash;; at++) {
        uint32_t const found = g->table[at & mask];
        if (!found || same(&g->node.item[found - 1], wanted)) return at & mask;
    }
}

static bool make_table_room(struct graph *g)
{
    uint32_t *const before = g->table;
    g->table = heap_take(4 * g->places * sizeof *g->table);
    if (!g->table) {
        g->table = before;
        return false;
    }
    heap_return(before);
    g->places *= 4;
    for (size_t i = 0; i < g->node.count; i++)
        g->table[look_up(g, &g->node.item[i])] = (uint32_t)(i + 1);
    return true;
}

static bool make_node_room(struct graph *g)
{
    size_t const before = g->node.capacity, room = before ? 2 * before : FIRST_PLACES / 2;
    if (room >= UINT32_MAX) return false;
    uint32_t *const leaves = heap_take(room * sizeof *leaves);
    if (!leaves || !grow((void **)&g->node.item, &g->node.capacity, room, sizeof(struct node))) {
        heap_return(leaves);
        return false;
    }
    if (before) memcpy(leaves, g->leaves, before * sizeof *leaves);
    heap_return(g->leaves);
    g->leaves = leaves;
    return true;
}

static uint32_t leaves_of(const struct graph *g, const struct node *n)
{
    if (n->operation == OP_CONSTANT) return 0;
    if (n->operation < OP_NEGATE) return 1u << n->operation;
    uint32_t leaves = 0;
    for (unsigned k = 0; k < operation_arguments(n->operation); k++)
        leaves |= g->leaves[n->argument[k]];
    if (n->operation == OP_AT_LEAST && leaves & MOVING_LEAVES) leaves |= 1u << OP_AT_LEAST;
    return leaves;
}

static uint32_t intern(struct graph *g, const struct node *n)
{
    if (g->failed) return ZERO;
    size_t at = look_up(g, n);
    if (g->table[at]) return g->table[at] - 1;
    if (2 * (g->node.count + 1) > g->places) {
        g->failed = !make_table_room(g);
        if (g->failed) return ZERO;
        at = look_up(g, n);
    }
    if (g->node.count == g->node.capacity) {
        g->failed = !make_node_room(g);
        if (g->failed) return ZERO;
    }
    g->leaves[g->node.count] = leaves_of(g, n);
    g->node.item[g->node.count++] = *n;
    g->table[at] = (uint32_t)g->node.count;
    return (uint32_t)(g->node.count - 1);
}

uint32_t node_make(struct graph *g, enum operation operation, uint32_t a, uint32_t b, uint32_t c)
{
    if ((operation == OP_ADD || operation == OP_MULTIPLY) &&
        (node_is_constant(g, a) || (a > b && !node_is_constant(g, b)))) {
        uint32_t const first = a;
        a = b;
        b = first;
    }
    return intern(g, &(struct node){.operation = operation, .argument = {a, b, c}});
}

/* -0 is 0, so that there is one zero. */
uint32_t graph_constant(struct graph *g, double value)
{
    struct node n = {.operation = OP_CONSTANT};
    double const one_zero = value == 0 ? 0 : value;
    memcpy(&n.argument[1], &one_zero, sizeof one_zero);
    return intern(g, &n);
}

uint32_t graph_leaf(struct graph *g, enum operation operation, uint32_t index)
{
    assert(operation > OP_CONSTANT && operation < OP_NEGATE);
    return intern(g, &(struct node){.operation = operation, .argument = {index, 0, 0}});
}

/* The value when all arguments are constants and it is finite. */
static bool fold(struct graph *g, enum operation operation, uint32_t a, uint32_t b,
                 uint32_t *result)
{
    if (!node_is_constant(g, a) || !node_is_constant(g, b)) return false;
    double const value =
        operation_value(operation, node_value(node_at(g, a)), node_value(node_at(g, b)));
    if (!isfinite(value)) return false;
    *result = graph_constant(g, value);
    return true;
}

uint32_t graph_unary(struct graph *g, enum operation operation, uint32_t a)
{
    assert(operation_arguments(operation) == 1);
    uint32_t result = ZERO;
    if (g->failed || fold(g, operation, a, a, &result)) return result;
    if (operation == OP_NEGATE) return simplify_scale(g, -1, a);
    return simplify_function(g, operation, a);
}

/* By the rules of the operation. */
static uint32_t simplify_binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b)
{
    uint32_t result = ZERO;
    if (fold(g, operation, a, b, &result)) return result;
    switch (operation) {
    case OP_ADD:
        return simplify_add(g, a, b);
    case OP_SUBTRACT:
        return simplify_subtract(g, a, b);
    case OP_MULTIPLY:
        return simplify_multiply(g, a, b);
    case OP_DIVIDE:
        return simplify_divide(g, a, b);
    case OP_POWER:
        return simplify_power(g, a, b);
    default:
        assert(operation == OP_AT_LEAST);
        return a == b && node_is_fixed(g, a) ? ONE : node_make(g, operation, a, b, 0);
    }
}

uint32_t graph_binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b)
{
    if (g->failed) return ZERO;
    uint32_t const mixed = (a * 31u + b) * 31u + operation;
    struct answer *const known = &g->recent[(mixed ^ mixed >> 16) % RECENT];
    if (known->operation == operation && known->a == a && known->b == b) return known->result;
    uint32_t const result = simplify_binary(g, operation, a, b);
    if (!g->failed) *known = (struct answer){operation, a, b, result};
    return result;
}

uint32_t graph_select(struct graph *g, uint32_t condition, uint32_t then, uint32_t otherwise)
{
    if (g->failed) return ZERO;
    if (then == otherwise) return then;
    if (node_is_constant(g, condition))
        return node_value(node_at(g, condition)) != 0 ? then : otherwise;
    return node_make(g, OP_SELECT, condition, then, otherwise);
}
