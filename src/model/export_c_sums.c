/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that are long chains, ((a + b) - c) + .., become trees: in a chain each addition waits for the one before, which takes
   longer than all else when thousands of terms are added. */
#include "base/heap.h"
#include "model/export_c_function.h"

enum { SHORTEST = 9 }; /* terms; a processor has other work meanwhile where chains are short */

/* A term of a sum. */
struct signed_node {
    uint32_t node;
    bool is_minus;
};

struct balancing {
    struct graph *g;
    uint8_t *uses; /* uses[count]: 0, 1, 2 = more */
    size_t count;
    LIST(struct signed_node) pending;
    LIST(struct signed_node) term;
};

static void count_uses(struct balancing *b, const uint32_t *root, size_t roots)
{
    for (size_t i = 0; i < roots; i++)
        if (b->uses[root[i]] < 2) b->uses[root[i]]++;
    for (size_t i = b->count; i-- > 0;) {
        const struct node *const n = node_at(b->g, (uint32_t)i);
        if (!b->uses[i]) continue;
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            if (b->uses[n->argument[k]] < 2) b->uses[n->argument[k]]++;
    }
}

/* The terms of a sum, as far as nothing else uses its parts; false: no memory. */
static bool find_terms(struct balancing *b, uint32_t root)
{
    b->term.count = 0;
    bool good = LIST_ADD(&b->pending, (struct signed_node){root, false});
    while (good && b->pending.count) {
        struct signed_node const at = b->pending.item[--b->pending.count];
        struct node const n = *node_at(b->g, at.node);
        bool const is_sum = n.operation == OP_ADD || n.operation == OP_SUBTRACT;
        if (!is_sum || b->uses[at.node] > 1) {
            good = LIST_ADD(&b->term, at);
            continue;
        }
        bool const flips = n.operation == OP_SUBTRACT;
        good = LIST_ADD(&b->pending, (struct signed_node){n.argument[1], at.is_minus != flips}) &&
               LIST_ADD(&b->pending, (struct signed_node){n.argument[0], at.is_minus});
    }
    return good;
}

static struct signed_node add(struct graph *g, struct signed_node x, struct signed_node y)
{
    if (x.is_minus == y.is_minus)
        return (struct signed_node){graph_binary(g, OP_ADD, x.node, y.node), x.is_minus};
    uint32_t const plus = x.is_minus ? y.node : x.node, minus = x.is_minus ? x.node : y.node;
    return (struct signed_node){graph_binary(g, OP_SUBTRACT, plus, minus), false};
}

/* The terms in pairs, the pairs in pairs, .. */
static uint32_t add_up(struct balancing *b)
{
    struct signed_node *const term = b->term.item;
    for (size_t count = b->term.count; count > 1; count = (count + 1) / 2) {
        for (size_t k = 0; k < count / 2; k++) term[k] = add(b->g, term[2 * k], term[2 * k + 1]);
        if (count % 2) term[count / 2] = term[count - 1];
    }
    return term[0].is_minus ? graph_unary(b->g, OP_NEGATE, term[0].node) : term[0].node;
}

bool balance_sums(struct graph *g, uint32_t *root, size_t roots)
{
    struct balancing b = {.g = g, .count = graph_count(g)};
    b.uses = heap_take(b.count);
    bool good = b.uses != NULL;
    if (good) count_uses(&b, root, roots);
    for (size_t i = 0; i < roots && good; i++) {
        good = find_terms(&b, root[i]);
        if (good && b.term.count >= SHORTEST) root[i] = add_up(&b);
    }
    heap_return(b.uses);
    LIST_FREE(&b.pending);
    LIST_FREE(&b.term);
    return good && !graph_failed(g);
}
