/* SPDX-License-Identifier: Apache-2.0 */
/* The tangent map of many expressions as a sequence of sparse rows: one row for every expression that several others use,
   then elimination of those that do not pay, then the rows packed. */
#include <string.h>

#include "base/heap.h"
#include "model/tangent_eliminate.h"

/* The conditions' rows, and those of what is steep above them, down to y and p: a kept row, or its coefficient, may not be finite
   in the branch that is not taken, and 0 times that is no number; so every coefficient is chosen by itself. */
struct branches {
    LIST(uint32_t) node;
    struct derivative row;
};

static bool has_branch_row(const struct graph *g, uint32_t at)
{
    return node_is(g, at, OP_SELECT) || derivative_is_steep(g, at);
}

static tansy_status find_branches(struct walk *w, struct branches *b)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->use[i] != USE_NONE && has_branch_row(w->g, i) && !LIST_ADD(&b->node, i))
            return TANSY_OUT_OF_MEMORY;
    return differentiate_by(w->g, b->node.item, b->node.count,
                            (struct leaf_columns){w->mask, w->first_rate, w->first_parameter},
                            &b->row);
}

static void end_branch_row(struct walk *w, const struct derivative *d, size_t number)
{
    for (size_t e = d->start[number]; e < d->start[number + 1]; e++)
        WALK_ADD(w, found, (struct term_of_row){d->column[e], d->node[e], 0});
    walk_end_row(w);
}

/* The rows of all that several others use. */
static void make_intermediate_rows(struct walk *w, const struct branches *b)
{
    size_t next = 0;
    for (uint32_t i = 0; i < w->count && !w->g->failed; i++) {
        if (w->use[i] != USE_ROW || node_at(w->g, i)->operation < OP_NEGATE) continue;
        w->row[i] = (uint32_t)(w->start.count - 1);
        if (has_branch_row(w->g, i)) {
            end_branch_row(w, &b->row, next++);
        } else {
            walk_gather(w, i);
            walk_end_row(w);
        }
    }
}

static void make_root_row(struct walk *w, uint32_t root)
{
    struct node const n = *node_at(w->g, root);
    uint32_t const column = walk_column(w, &n);
    if (column != UINT32_MAX)
        WALK_ADD(w, found, (struct term_of_row){column, ONE, 0});
    else if (w->use[root] == USE_ROW)
        WALK_ADD(w, found, (struct term_of_row){w->first_row + w->row[root], ONE, 0});
    else if (w->use[root] == USE_ONCE)
        walk_gather(w, root);
    walk_end_row(w);
}

/* Copies the rows that are left; number[] of a row is its place among them. */
static bool pack(const struct elimination *e, struct tangent *t)
{
    const struct walk *const w = e->w;
    uint32_t *const number = heap_take((e->rows + 1) * sizeof *number);
    for (size_t i = 0; number && i < e->rows; i++) {
        if (e->gone[i]) continue;
        number[i] = (uint32_t)t->rows++;
        t->terms += e->row[i].count;
    }
    t->start = heap_take((t->rows + 1) * sizeof *t->start);
    t->source = heap_take((t->terms + 1) * sizeof *t->source);
    t->coefficient = heap_take((t->terms + 1) * sizeof *t->coefficient);
    bool const good = number && t->start && t->source && t->coefficient;
    size_t at = 0, row = 0;
    for (size_t i = 0; good && i < e->rows; i++) {
        if (e->gone[i]) continue;
        for (size_t k = 0; k < e->row[i].count; k++, at++) {
            struct term_of_row const s = w->term.item[e->row[i].first + k];
            bool const is_row = s.source >= w->first_row;
            t->source[at] = is_row ? w->first_row + number[s.source - w->first_row] : s.source;
            t->coefficient[at] = s.node;
        }
        t->start[++row] = at;
    }
    heap_return(number);
    return good;
}

/* result->n, np, roots and rates say what is wanted. */
static tansy_status find_tangent(struct graph *g, const uint32_t *root, struct tangent *result)
{
    size_t const roots = result->roots;
    if (g->failed) return TANSY_OUT_OF_MEMORY;
    struct walk w = {.g = g, .mask = 1u << OP_STATE | 1u << OP_PARAMETER, .is_tangent = true};
    if (result->rates) w.mask |= 1u << OP_RATE;
    w.first_rate = (uint32_t)result->n;
    w.first_parameter = (uint32_t)(result->n + result->rates);
    w.first_row = (uint32_t)(result->n + result->rates + result->np);
    struct branches b = {.node = {0}};
    struct elimination e = {.w = &w};
    bool good = walk_begin(&w, root, roots) && find_branches(&w, &b) == TANSY_OK;
    if (good) make_intermediate_rows(&w, &b);
    for (size_t i = 0; good && i < roots && !g->failed; i++) make_root_row(&w, root[i]);
    good = good && !g->failed && eliminate_rows(&e, &w, roots) && pack(&e, result);
    elimination_free(&e);
    LIST_FREE(&b.node);
    derivative_free(&b.row);
    walk_free(&w);
    if (good) return TANSY_OK;
    tangent_free(result);
    return TANSY_OUT_OF_MEMORY;
}

tansy_status differentiate_tangent(struct graph *g, const uint32_t *root, size_t roots, size_t n,
                                   size_t np, struct tangent *result)
{
    *result = (struct tangent){.n = n, .np = np, .roots = roots};
    return find_tangent(g, root, result);
}

tansy_status differentiate_tangent_rates(struct graph *g, const uint32_t *root, size_t roots,
                                         size_t n, size_t np, struct tangent *result)
{
    *result = (struct tangent){.n = n, .np = np, .roots = roots, .rates = n};
    return find_tangent(g, root, result);
}

void tangent_free(struct tangent *t)
{
    heap_return(t->start);
    heap_return(t->source);
    heap_return(t->coefficient);
    memset(t, 0, sizeof *t);
}
