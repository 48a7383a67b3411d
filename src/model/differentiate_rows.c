/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows.  A node that several others use, a root and a branch of a condition get a row; from there the walk goes
   down through all that is used once, carrying one coefficient, so that a long sum costs its length and every partial
   derivative is multiplied once, not once an entry. */
#include "model/differentiate_rows.h"

#include <math.h>

#include "base/heap.h"

static void add_use(uint8_t *use)
{
    *use = *use == USE_NONE ? USE_ONCE : USE_ROW;
}

static void mark(struct walk *w)
{
    const struct graph *const g = w->g;
    for (size_t i = w->count; i-- > 0;) {
        uint32_t child[MAX_CHILDREN];
        if (w->use[i] == USE_NONE) continue;
        const struct node *const n = node_at(g, (uint32_t)i);
        if (w->is_tangent && derivative_is_steep(g, (uint32_t)i)) {
            w->use[i] = USE_ROW;
            continue;
        }
        size_t const count = derivative_children(g, (uint32_t)i, w->mask, child);
        for (size_t k = 0; k < count; k++) add_use(&w->use[child[k]]);
        if (n->operation != OP_SELECT) continue;
        w->use[i] = USE_ROW;
        for (unsigned k = 1; k < 3 && !w->is_tangent; k++)
            if (g->leaves[n->argument[k]] & w->mask) w->use[n->argument[k]] = USE_ROW;
    }
}

bool walk_begin(struct walk *w, const uint32_t *root, size_t roots)
{
    w->count = w->g->node.count;
    w->use = heap_take(w->count);
    w->row = heap_take(w->count * sizeof *w->row);
    if (!w->use || !w->row || !LIST_ADD(&w->start, 0)) return false;
    for (size_t i = 0; i < roots; i++) {
        if (!(w->g->leaves[root[i]] & w->mask)) continue;
        add_use(&w->use[root[i]]);
        if (!w->is_tangent) w->use[root[i]] = USE_ROW;
    }
    mark(w);
    return true;
}

void walk_free(struct walk *w)
{
    heap_return(w->use);
    heap_return(w->row);
    LIST_FREE(&w->pending);
    LIST_FREE(&w->found);
    LIST_FREE(&w->start);
    LIST_FREE(&w->term);
}

uint32_t walk_column(const struct walk *w, const struct node *n)
{
    if (n->operation >= OP_NEGATE || !(1u << n->operation & w->mask)) return UINT32_MAX;
    if (n->operation == OP_TIME || n->operation == OP_INPUT) return 0;
    if (n->operation == OP_RATE) return w->first_rate + n->index;
    return n->operation == OP_PARAMETER ? w->first_parameter + n->index : n->index;
}

static void find(struct walk *w, uint32_t source, uint32_t node)
{
    WALK_ADD(w, found, (struct term_of_row){source, node, (uint32_t)w->found.count});
}

static uint32_t multiply(struct walk *w, bool is_steep, uint32_t a, uint32_t b)
{
    return is_steep ? multiply_chosen(w->g, a, b) : multiply_quickly(w->g, a, b);
}

/* coefficient times a row: multiplied out, or in tangents, where that would be several terms, the row as a source. */
static void reach_row(struct walk *w, uint32_t row, uint32_t coefficient, bool is_steep)
{
    size_t const first = w->start.item[row], end = w->start.item[row + 1];
    if (w->is_tangent && end - first > 1) {
        find(w, w->first_row + row, coefficient);
        return;
    }
    for (size_t e = first; e < end; e++) {
        struct term_of_row const t = w->term.item[e];
        find(w, t.source, multiply(w, is_steep, coefficient, t.node));
    }
}

/* coefficient * d(child): terms, or something to walk through later. */
static void reach(struct walk *w, uint32_t child, uint32_t coefficient, bool is_steep)
{
    struct node const n = *node_at(w->g, child);
    uint32_t const column = walk_column(w, &n);
    if (coefficient == ZERO) return;
    if (column != UINT32_MAX) {
        uint32_t slope = ONE;
        if (n.operation == OP_INPUT) slope = graph_leaf(w->g, OP_INPUT_SLOPE, n.index);
        find(w, column, multiply_quickly(w->g, coefficient, slope));
    } else if (w->use[child] != USE_ROW) {
        WALK_ADD(w, pending, (struct pending){child, coefficient, is_steep});
    } else {
        reach_row(w, w->row[child], coefficient, is_steep);
    }
}

/* One node: its children with their partial derivatives, the last first, for the list is taken from its end. */
static void step_down(struct walk *w, struct pending p)
{
    uint32_t child[MAX_CHILDREN];
    size_t const count = derivative_children(w->g, p.node, w->mask, child);
    bool const is_steep = p.is_steep || derivative_is_steep(w->g, p.node);
    for (size_t k = count; k-- > 0;) {
        uint32_t const partial = derivative_partial(w->g, p.node, child[k], false);
        reach(w, child[k], multiply(w, p.is_steep, p.coefficient, partial), is_steep);
    }
}

void walk_gather(struct walk *w, uint32_t at)
{
    step_down(w, (struct pending){at, ONE, false});
    while (w->pending.count && !w->g->failed) step_down(w, w->pending.item[--w->pending.count]);
}

static bool before(struct term_of_row a, struct term_of_row b)
{
    return a.source < b.source || (a.source == b.source && a.sequence < b.sequence);
}

/* Shell's sort, gaps about 2.25 apart (Tokuda 1992); short rows are the rule and often in order. */
static void sort(struct term_of_row *term, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3) gap = gap * 9 / 4 + 1;
    for (;; gap = gap * 4 / 9) {
        if (gap == 0) gap = 1;
        for (size_t i = gap; i < count; i++) {
            struct term_of_row const t = term[i];
            size_t j = i;
            for (; j >= gap && before(t, term[j - gap]); j -= gap) term[j] = term[j - gap];
            term[j] = t;
        }
        if (gap == 1) return;
    }
}

enum { MAX_SEARCH = 1024 }; /* like terms further apart are not looked for */

/* Joins terms with equal nodes up to a number: term[count] of one source; the number of terms that are left. */
static size_t join_like(struct walk *w, struct term_of_row *term, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        double c = 1, other = 1;
        uint32_t const base = split_coefficient(w->g, term[i].node, &c);
        size_t const far = left > MAX_SEARCH ? left - MAX_SEARCH : 0;
        size_t j = left;
        while (j > far && split_coefficient(w->g, term[j - 1].node, &other) != base) j--;
        if (j > far && isfinite(c + other))
            term[j - 1].node = simplify_scale(w->g, c + other, base);
        else
            term[left++] = term[i];
    }
    return left;
}

void walk_end_row(struct walk *w)
{
    struct term_of_row *const term = w->found.item;
    size_t const count = w->found.count;
    sort(term, count);
    for (size_t first = 0, end = 0; first < count; first = end) {
        end = first + 1;
        while (end < count && term[end].source == term[first].source) end++;
        size_t const left = end - first > 1 ? join_like(w, &term[first], end - first) : 1;
        uint32_t sum = term[first].node;
        for (size_t i = 1; i < left; i++)
            sum = graph_binary(w->g, OP_ADD, sum, term[first + i].node);
        if (sum != ZERO) WALK_ADD(w, term, (struct term_of_row){term[first].source, sum, 0});
    }
    w->found.count = 0;
    WALK_ADD(w, start, w->term.count);
}
