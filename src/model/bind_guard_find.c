/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for what conditions guard: choices below roots, as abs(x) in abs(x)^1.5, and roots of what some condition compares. */
#include <stdlib.h>

#include "base/heap.h"
#include "model/bind_guard.h"
#include "model/simplify.h"

enum { CHOICE = 1u << OP_SWITCH };

/* From the base of a root down to the choices in it. */
static void mark_under(const struct graph *g, const uint8_t *mark, struct guards *s)
{
    for (size_t i = g->node.count; i-- > 0;) {
        const struct node *const n = node_at(g, (uint32_t)i);
        enum under const kind = guard_kind(g, n);
        if (!mark[i] || !(g->leaves[i] & CHOICE)) continue;
        if (kind != UNDER_NOTHING) s->under[n->argument[0]] |= (uint8_t)(1u << kind);
        bool const is_passed = n->operation == OP_MULTIPLY || n->operation == OP_DIVIDE ||
                               n->operation == OP_NEGATE || n->operation == OP_SELECT;
        for (unsigned k = n->operation == OP_SELECT;
             is_passed && k < operation_arguments(n->operation); k++)
            s->under[n->argument[k]] |= s->under[i];
        s->any = s->any || (n->operation == OP_SELECT && s->under[i]);
    }
}

/* A condition by the lowest atom of its g. */
struct keyed {
    uint32_t key, number;
};

static int rising(const void *a, const void *b)
{
    const struct keyed *const x = a, *const y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static size_t sort_conditions(const struct binder *b, struct keyed *keyed)
{
    size_t count = 0;
    for (size_t k = 0; k < b->switching.count; k++) {
        uint32_t const key = guard_key(b->graph, b->switching.item[k].node);
        if (key != UINT32_MAX) keyed[count++] = (struct keyed){key, (uint32_t)k};
    }
    if (count > 1) qsort(keyed, count, sizeof *keyed, rising);
    return count;
}

/* The conditions that decide the sign of a factor. */
static bool find_pairs(const struct binder *b, uint32_t root, uint32_t factor,
                       const struct keyed *keyed, size_t count, struct guards *s)
{
    struct keyed const wanted = {guard_key(b->graph, factor), 0};
    size_t from = 0, to = count;
    while (from < to) {
        size_t const middle = (from + to) / 2;
        if (rising(&keyed[middle], &wanted) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < count && keyed[from].key == wanted.key; from++) {
        uint32_t const number = keyed[from].number;
        if (guard_ratio(b->graph, factor, b->switching.item[number].node) == 0) continue;
        if (!LIST_ADD(&s->pair, (struct guarded){root, number})) return false;
        s->any = true;
    }
    return true;
}

static bool find_roots(const struct binder *b, const uint8_t *mark, const struct keyed *keyed,
                       size_t count, struct guards *s)
{
    const struct graph *const g = b->graph;
    bool good = true;
    for (uint32_t i = 0; count > 0 && i < g->node.count; i++) {
        const struct node *const n = node_at(g, i);
        uint32_t factor[MAX_FACTORS];
        if (!mark[i] || guard_kind(g, n) == UNDER_NOTHING) continue;
        size_t const factors = guard_factors(g, n->argument[0], factor);
        for (size_t k = 0; k < factors && good; k++)
            good = find_pairs(b, i, factor[k], keyed, count, s);
    }
    return good;
}

tansy_status guards_find(const struct binder *b, const uint8_t *mark, struct guards *guards)
{
    struct keyed *const keyed = heap_take((b->switching.count + 1) * sizeof *keyed);
    guards->under = heap_take(graph_count(b->graph));
    guards->first = heap_take((b->switching.count + 1) * sizeof *guards->first);
    bool good = keyed && guards->under && guards->first;
    if (good) {
        mark_under(b->graph, mark, guards);
        good = find_roots(b, mark, keyed, sort_conditions(b, keyed), guards);
    }
    heap_return(keyed);
    return good ? TANSY_OK : BIND_NO_MEMORY(b);
}

void guards_free(struct guards *guards)
{
    heap_return(guards->under);
    heap_return(guards->first);
    LIST_FREE(&guards->pair);
}
