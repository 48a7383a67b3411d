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

/* How the walk of differentiate_along() goes: dot[] of what is done, and the speed of the leaves. */
struct along {
    struct walk walk;
    bool is_time; /* by time alone, whose speed is 1 */
    uint32_t *dot;
};

static uint32_t along_leaf(const struct along *a, struct node n)
{
    struct graph *const g = a->walk.g;
    bool const is_clock = n.operation == OP_TIME || n.operation == OP_INPUT;
    uint32_t const speed = a->is_time ? ONE : graph_leaf(g, OP_VECTOR, is_clock ? 0 : n.index);
    if (n.operation != OP_INPUT) return speed;
    return multiply_quickly(g, graph_leaf(g, OP_INPUT_SLOPE, n.index), speed);
}

/* The derivative of one node along v from those of its children. */
static uint32_t along_node(const struct along *a, uint32_t at)
{
    struct graph *const g = a->walk.g;
    const uint32_t *const dot = a->dot;
    uint32_t child[MAX_CHILDREN], sum = ZERO;
    struct node const n = *node_at(g, at);
    if (n.operation == OP_SELECT)
        return graph_select(g, n.argument[0], dot[n.argument[1]], dot[n.argument[2]]);
    if (n.operation < OP_NEGATE) return along_leaf(a, n);
    size_t const count = derivative_children(g, at, a->walk.mask, child);
    bool const is_steep = derivative_is_steep(g, at);
    for (size_t k = 0; k < count; k++) {
        uint32_t const partial = derivative_partial(g, at, child[k], true), inner = dot[child[k]];
        uint32_t const product =
            is_steep ? multiply_steep(g, at, partial, inner) : multiply_quickly(g, partial, inner);
        sum = graph_binary(g, OP_ADD, sum, product);
    }
    return sum;
}

static tansy_status follow(struct along *a, const uint32_t *root, size_t roots, uint32_t *result)
{
    struct graph *const g = a->walk.g;
    struct walk *const w = &a->walk;
    a->dot = heap_take((g->node.count + 1) * sizeof *a->dot);
    bool good = a->dot && !g->failed && walk_begin(w, root, roots);
    for (uint32_t i = 0; good && i < w->count; i++)
        if (w->use[i] != USE_NONE) a->dot[i] = along_node(a, i);
    for (size_t i = 0; good && i < roots; i++) result[i] = a->dot[root[i]];
    good = good && !g->failed;
    walk_free(w);
    heap_return(a->dot);
    return good ? TANSY_OK : TANSY_OUT_OF_MEMORY;
}

tansy_status differentiate_along(struct graph *g, const uint32_t *root, size_t roots,
                                 enum operation leaf, size_t columns, uint32_t *directional)
{
    (void)columns; /* all leaves of the kind have an entry of v */
    struct along a = {.walk = {.g = g, .mask = mask_of(leaf)}};
    return follow(&a, root, roots, directional);
}

tansy_status differentiate_in_time(struct graph *g, const uint32_t *root, size_t roots,
                                   uint32_t *slope)
{
    struct along a = {.walk = {.g = g, .mask = mask_of(OP_TIME)}, .is_time = true};
    return follow(&a, root, roots, slope);
}
