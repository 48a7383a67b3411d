/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves replaced by expressions: what the roots need is built anew in rising order, so that all rules apply again; or, where
   the expressions contain such leaves themselves, depth first. */
#include <string.h>

#include "base/heap.h"
#include "model/simplify.h"

#define NOT_NEEDED UINT32_MAX
#define BUSY       (UINT32_MAX - 1) /* in graph_resolve(): waits for what it needs */

/* Marks all that the roots need in image[] with 0, the rest with NOT_NEEDED. */
static void mark(const struct graph *g, const uint32_t *root, size_t roots, size_t count,
                 uint32_t *image)
{
    memset(image, 0xff, count * sizeof *image);
    for (size_t i = 0; i < roots; i++) image[root[i]] = 0;
    for (size_t i = count; i-- > 0;) {
        const struct node *const n = node_at(g, (uint32_t)i);
        unsigned const arguments = operation_arguments(n->operation);
        if (image[i] == NOT_NEEDED) continue;
        for (unsigned k = 0; k < arguments; k++) image[n->argument[k]] = 0;
    }
}

/* A node that depends on the leaf, or a leaf of the kind, replaced. */
static uint32_t rebuild(struct graph *g, const struct substitution *by, uint32_t at,
                        const uint32_t *image)
{
    struct node const n = *node_at(g, at);
    if (n.operation == by->leaf) {
        bool const replaced = n.index < by->count && by->replacement[n.index] != UINT32_MAX;
        return replaced ? by->replacement[n.index] : at;
    }
    switch (operation_arguments(n.operation)) {
    case 1:
        return graph_unary(g, n.operation, image[n.argument[0]]);
    case 2:
        return graph_binary(g, n.operation, image[n.argument[0]], image[n.argument[1]]);
    default:
        return graph_select(g, image[n.argument[0]], image[n.argument[1]], image[n.argument[2]]);
    }
}

void graph_substitute(struct graph *g, const struct substitution *by, const uint32_t *root,
                      size_t roots, uint32_t *result)
{
    size_t const count = g->node.count;
    uint32_t const leaf = 1u << by->leaf;
    uint32_t *const image = heap_take(count * sizeof *image);
    if (!image) g->failed = true;
    if (g->failed) {
        memset(result, 0, roots * sizeof *result);
        heap_return(image);
        return;
    }
    mark(g, root, roots, count, image);
    for (uint32_t i = 0; i < count; i++) {
        if (image[i] == NOT_NEEDED) continue;
        image[i] = g->leaves[i] & leaf ? rebuild(g, by, i, image) : i;
    }
    for (size_t i = 0; i < roots; i++) result[i] = image[root[i]];
    heap_return(image);
}

/* What graph_resolve() has done: image[count], NOT_NEEDED where it has not been. */
struct resolution {
    struct graph *g;
    const struct substitution *by;
    uint32_t *image;
    LIST(uint32_t) stack;
    bool has_cycle;
};

/* A node that has to be there first. */
static void need(struct resolution *r, uint32_t node)
{
    r->has_cycle = r->has_cycle || r->image[node] == BUSY;
    if (r->image[node] == NOT_NEEDED && !LIST_ADD(&r->stack, node)) r->g->failed = true;
}

/* The replacement of a leaf; NOT_NEEDED: it is no leaf of the kind. */
static uint32_t replacement_of(struct resolution *r, const struct node *n)
{
    if (n->operation != r->by->leaf) return NOT_NEEDED;
    bool const has_one = n->index < r->by->count;
    r->has_cycle = r->has_cycle || !has_one;
    return has_one ? r->by->replacement[n->index] : ZERO;
}

/* The node on the stack: what it needs is put there the first time, and is done the second. */
static void resolve(struct resolution *r)
{
    uint32_t const at = r->stack.item[r->stack.count - 1];
    struct node const n = *node_at(r->g, at);
    uint32_t const replacement = replacement_of(r, &n);
    if (r->image[at] == NOT_NEEDED && r->g->leaves[at] & 1u << r->by->leaf) {
        r->image[at] = BUSY;
        if (replacement != NOT_NEEDED) need(r, replacement);
        for (unsigned k = 0; k < operation_arguments(n.operation); k++) need(r, n.argument[k]);
        return;
    }
    if (r->image[at] == NOT_NEEDED) r->image[at] = at;
    if (r->image[at] == BUSY)
        r->image[at] =
            replacement != NOT_NEEDED ? r->image[replacement] : rebuild(r->g, r->by, at, r->image);
    r->stack.count--;
}

bool graph_resolve(struct graph *g, const struct substitution *by, uint32_t *result)
{
    struct resolution r = {.g = g, .by = by, .image = heap_take(g->node.count * sizeof *r.image)};
    if (!r.image) g->failed = true;
    if (r.image) memset(r.image, 0xff, g->node.count * sizeof *r.image);
    for (size_t i = 0; i < by->count && !g->failed && !r.has_cycle; i++) {
        need(&r, by->replacement[i]);
        while (r.stack.count > 0 && !g->failed && !r.has_cycle) resolve(&r);
    }
    bool const good = !g->failed && !r.has_cycle;
    for (size_t i = 0; i < by->count && good; i++) result[i] = r.image[by->replacement[i]];
    heap_return(r.image);
    LIST_FREE(&r.stack);
    return good;
}
