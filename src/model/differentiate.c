/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of many expressions at once, rows in rising order of the nodes; and along one vector. */
#include "model/differentiate.h"

#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/differentiate_rows.h"

/* d select(c, a, b) = select(c, da, db), entry by entry, so that what is not finite in one branch stays there. */
static void select_row(struct walk *w, struct node n)
{
    size_t at[2] = {0, 0}, end[2] = {0, 0};
    for (unsigned k = 0; k < 2; k++) {
        uint32_t const branch = n.argument[k + 1];
        if (!(w->g->leaves[branch] & w->mask)) continue;
        at[k] = w->start.item[w->row[branch]];
        end[k] = w->start.item[w->row[branch] + 1];
    }
    while ((at[0] < end[0] || at[1] < end[1]) && !w->g->failed) {
        uint32_t source = UINT32_MAX, entry[2] = {ZERO, ZERO};
        for (unsigned k = 0; k < 2; k++)
            if (at[k] < end[k] && w->term.item[at[k]].source < source)
                source = w->term.item[at[k]].source;
        for (unsigned k = 0; k < 2; k++)
            if (at[k] < end[k] && w->term.item[at[k]].source == source)
                entry[k] = w->term.item[at[k]++].node;
        uint32_t const node = graph_select(w->g, n.argument[0], entry[0], entry[1]);
        WALK_ADD(w, found, (struct term_of_row){source, node, 0});
    }
}

/* The row of a leaf has one entry, of a node what the walk finds. */
static void make_row(struct walk *w, uint32_t at)
{
    struct node const n = *node_at(w->g, at);
    uint32_t const column = walk_column(w, &n);
    w->row[at] = (uint32_t)(w->start.count - 1);
    if (n.operation == OP_SELECT) {
        select_row(w, n);
    } else if (column != UINT32_MAX) {
        uint32_t one = ONE;
        if (n.operation == OP_INPUT) one = graph_leaf(w->g, OP_INPUT_SLOPE, n.index);
        WALK_ADD(w, found, (struct term_of_row){column, one, 0});
    } else {
        walk_gather(w, at);
    }
    walk_end_row(w);
}

void derivative_free(struct derivative *d)
{
    heap_return(d->start);
    heap_return(d->column);
    heap_return(d->node);
    memset(d, 0, sizeof *d);
}

static size_t row_length(const struct walk *w, uint32_t root)
{
    if (!(w->g->leaves[root] & w->mask)) return 0;
    return w->start.item[w->row[root] + 1] - w->start.item[w->row[root]];
}

static bool copy_rows(const struct walk *w, const uint32_t *root, size_t roots,
                      struct derivative *d)
{
    d->rows = roots;
    for (size_t i = 0; i < roots; i++) d->entries += row_length(w, root[i]);
    d->start = heap_take((roots + 1) * sizeof *d->start);
    d->column = heap_take((d->entries + 1) * sizeof *d->column);
    d->node = heap_take((d->entries + 1) * sizeof *d->node);
    if (!d->start || !d->column || !d->node) return false;
    size_t at = 0;
    for (size_t i = 0; i < roots; i++) {
        size_t const length = row_length(w, root[i]);
        size_t const first = length ? w->start.item[w->row[root[i]]] : 0;
        for (size_t e = first; e < first + length; e++, at++) {
            d->column[at] = w->term.item[e].source;
            d->node[at] = w->term.item[e].node;
        }
        d->start[i + 1] = at;
    }
    return true;
}

tansy_status differentiate_by(struct graph *g, const uint32_t *root, size_t roots,
                              struct leaf_columns by, struct derivative *result)
{
    memset(result, 0, sizeof *result);
    if (g->failed) return TANSY_OUT_OF_MEMORY;
    struct walk w = {.g = g,
                     .mask = by.mask,
                     .first_rate = by.first_rate,
                     .first_parameter = by.first_parameter};
    bool good = walk_begin(&w, root, roots);
    for (uint32_t i = 0; good && i < w.count && !g->failed; i++)
        if (w.use[i] == USE_ROW) make_row(&w, i);
    good = good && !g->failed && copy_rows(&w, root, roots, result);
    walk_free(&w);
    if (good) return TANSY_OK;
    derivative_free(result);
    return TANSY_OUT_OF_MEMORY;
}

static uint32_t mask_of(enum operation leaf)
{
    return leaf == OP_TIME ? 1u << OP_TIME | 1u << OP_INPUT : 1u << leaf;
}

tansy_status differentiate(struct graph *g, const uint32_t *root, size_t roots, enum operation leaf,
                           size_t columns, struct derivative *result)
{
    TRY(differentiate_by(g, root, roots, (struct leaf_columns){.mask = mask_of(leaf)}, result));
    result->columns = columns;
    return TANSY_OK;
}

/* The derivative of one node along v from those of its children, dot[]. */
static uint32_t along(struct graph *g, uint32_t mask, uint32_t at, const uint32_t *dot)
{
    uint32_t child[MAX_CHILDREN], sum = ZERO;
    struct node const n = *node_at(g, at);
    if (n.operation == OP_SELECT)
        return graph_select(g, n.argument[0], dot[n.argument[1]], dot[n.argument[2]]);
    if (n.operation == OP_INPUT)
        return graph_binary(g, OP_MULTIPLY, graph_leaf(g, OP_INPUT_SLOPE, n.index),
                            graph_leaf(g, OP_VECTOR, 0));
    if (n.operation < OP_NEGATE)
        return graph_leaf(g, OP_VECTOR, n.operation == OP_TIME ? 0 : n.index);
    size_t const count = derivative_children(g, at, mask, child);
    bool const is_steep = derivative_is_steep(g, at);
    for (size_t k = 0; k < count; k++) {
        uint32_t const partial = derivative_partial(g, at, child[k]), inner = dot[child[k]];
        uint32_t const product =
            is_steep ? multiply_chosen(g, partial, inner) : multiply_quickly(g, partial, inner);
        sum = graph_binary(g, OP_ADD, sum, product);
    }
    return sum;
}

tansy_status differentiate_along(struct graph *g, const uint32_t *root, size_t roots,
                                 enum operation leaf, size_t columns, uint32_t *directional)
{
    (void)columns; /* all leaves of the kind have an entry of v */
    struct walk w = {.g = g, .mask = mask_of(leaf)};
    uint32_t *const dot = heap_take((g->node.count + 1) * sizeof *dot);
    bool good = dot && !g->failed && walk_begin(&w, root, roots);
    for (uint32_t i = 0; good && i < w.count; i++)
        if (w.use[i] != USE_NONE) dot[i] = along(g, w.mask, i, dot);
    for (size_t i = 0; good && i < roots; i++) directional[i] = dot[root[i]];
    good = good && !g->failed;
    walk_free(&w);
    heap_return(dot);
    return good ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}
