/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves replaced by expressions: what the roots need is built anew in rising order, so that all rules apply again. */
#include <string.h>

#include "base/heap.h"
#include "model/simplify.h"

#define NOT_NEEDED UINT32_MAX

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
