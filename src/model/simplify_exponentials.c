/* SPDX-License-Identifier: Apache-2.0 */
/* exp(a) exp(b) = exp(a + b), exp(a)/exp(b) = exp(a - b), where nothing else uses the two: one exponential instead of two.
   Needs to know all uses, so it is a pass over finished expressions and no rule of construction. */
#include "base/heap.h"
#include "model/simplify.h"

/* What has become of a node: image = exp(exponent) * rest, where that exponential is its alone; else exponent is NONE. */
struct merged {
    uint32_t image, exponent, rest;
};

#define NONE UINT32_MAX

struct merging {
    struct graph *g;
    size_t count;
    uint8_t *uses; /* uses[count]: 0, 1, 2 = more */
    struct merged *node;
};

/* How many exponentials the roots need. */
static size_t count_uses(struct merging *m, const uint32_t *root, size_t roots)
{
    size_t exponentials = 0;
    for (size_t i = 0; i < roots; i++)
        if (m->uses[root[i]] < 2) m->uses[root[i]]++;
    for (size_t i = m->count; i-- > 0;) {
        const struct node *const n = node_at(m->g, (uint32_t)i);
        if (!m->uses[i]) continue;
        exponentials += n->operation == OP_EXP;
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            if (m->uses[n->argument[k]] < 2) m->uses[n->argument[k]]++;
    }
    return exponentials;
}

/* a*b or a/b, of which each may own an exponential. */
static struct merged combine(struct graph *g, enum operation operation, struct merged a,
                             struct merged b)
{
    struct merged r = {.exponent = NONE};
    if (a.exponent != NONE && b.exponent != NONE) {
        enum operation const sum = operation == OP_MULTIPLY ? OP_ADD : OP_SUBTRACT;
        r.exponent = graph_binary(g, sum, a.exponent, b.exponent);
        r.rest = graph_binary(g, operation, a.rest, b.rest);
        r.image = graph_binary(g, OP_MULTIPLY, graph_unary(g, OP_EXP, r.exponent), r.rest);
        return r;
    }
    r.image = graph_binary(g, operation, a.image, b.image);
    if (a.exponent != NONE) {
        r.exponent = a.exponent;
        r.rest = graph_binary(g, operation, a.rest, b.image);
    } else if (b.exponent != NONE && operation == OP_MULTIPLY) {
        r.exponent = b.exponent;
        r.rest = graph_binary(g, operation, a.image, b.rest);
    }
    return r;
}

/* The node with its arguments replaced. */
static struct merged rebuild(const struct merging *m, struct node n, uint32_t at)
{
    struct graph *const g = m->g;
    struct merged r = {.image = at, .exponent = NONE};
    struct merged part[3];
    for (unsigned k = 0; k < operation_arguments(n.operation); k++)
        part[k] = m->node[n.argument[k]];
    switch (n.operation) {
    case OP_MULTIPLY:
    case OP_DIVIDE:
        return combine(g, n.operation, part[0], part[1]);
    case OP_SELECT:
        r.image = graph_select(g, part[0].image, part[1].image, part[2].image);
        return r;
    case OP_NEGATE:
        r = part[0];
        r.image = graph_unary(g, OP_NEGATE, r.image);
        r.rest = graph_unary(g, OP_NEGATE, r.rest);
        return r;
    default:
        break;
    }
    if (n.operation >= OP_ADD)
        r.image = graph_binary(g, n.operation, part[0].image, part[1].image);
    else if (n.operation >= OP_NEGATE)
        r.image = graph_unary(g, n.operation, part[0].image);
    if (n.operation == OP_EXP && node_is(g, r.image, OP_EXP) && !node_is_fixed(g, r.image)) {
        r.exponent = node_at(g, r.image)->argument[0];
        r.rest = ONE;
    }
    return r;
}

/* Every node the roots need, after its arguments. */
static void merge(struct merging *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        if (!m->uses[i]) continue;
        m->node[i] = rebuild(m, *node_at(m->g, i), i);
        if (m->uses[i] > 1) m->node[i].exponent = NONE;
    }
}

void graph_merge_exponentials(struct graph *g, const uint32_t *root, size_t roots, uint32_t *result)
{
    struct merging m = {.g = g, .count = g->node.count};
    bool changes = false;
    m.uses = heap_take(m.count);
    if (m.uses && count_uses(&m, root, roots) >= 2) {
        changes = true;
        m.node = heap_take(m.count * sizeof *m.node);
        graph_keep_poles(g, true);
        if (m.node) merge(&m);
        graph_keep_poles(g, false);
    }
    if (!m.uses || (changes && !m.node)) g->failed = true;
    for (size_t i = 0; i < roots; i++)
        result[i] = g->failed ? ZERO : changes ? m.node[root[i]].image : root[i];
    heap_return(m.uses);
    heap_return(m.node);
}
