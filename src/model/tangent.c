/* SPDX-License-Identifier: Apache-2.0 */
/* The tangent map of many expressions as a sequence of sparse rows: one row for every expression that several others use,
   then elimination of those that do not pay, then the rows packed. */
#include <assert.h>
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
    if (b->node.count == 0) return TANSY_OK;
    return differentiate_by(w->g, b->node.item, b->node.count,
                            (struct leaf_columns){w->mask, w->first_rate, w->first_parameter},
                            &b->row);
}

static void end_branch_row(struct walk *w, const struct derivative *d, size_t number)
{
    assert(d->start && number < d->rows);
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

/* The entries of row i of a matrix, as terms whose sources begin with `first`. */
static size_t add_entries(struct tangent *t, size_t next, const struct derivative *d, size_t i,
                          size_t first)
{
    for (size_t e = d->start[i]; e < d->start[i + 1]; e++, next++) {
        t->source[next] = (uint32_t)(first + d->column[e]);
        t->coefficient[next] = d->node[e];
    }
    return next;
}

bool tangent_of_matrices(const struct derivative *J, const struct derivative *P, struct tangent *t)
{
    size_t const terms = J->entries + (P ? P->entries : 0);
    *t = (struct tangent){.n = J->columns,
                          .np = P ? P->columns : 0,
                          .rows = J->rows,
                          .roots = J->rows,
                          .terms = terms,
                          .start = heap_take((J->rows + 1) * sizeof *t->start),
                          .source = heap_take((terms + 1) * sizeof *t->source),
                          .coefficient = heap_take((terms + 1) * sizeof *t->coefficient)};
    if (!t->start || !t->source || !t->coefficient) return false;
    for (size_t i = 0; i < J->rows; i++) {
        t->start[i + 1] = add_entries(t, t->start[i], J, i, 0);
        if (P) t->start[i + 1] = add_entries(t, t->start[i + 1], P, i, J->columns);
    }
    return true;
}

/* No condition, and every intermediate row has one term: then it is multiplied out, here as in J and P, and the rows of the
   roots are theirs. */
static bool is_plain(const struct walk *w, const struct branches *b)
{
    for (size_t r = 1; r < w->start.count; r++)
        if (w->start.item[r] - w->start.item[r - 1] > 1) return false;
    return b->node.count == 0;
}

/* The rows of the roots by walking down from them; then elimination of intermediate rows that do not pay. */
static bool find_roots(struct walk *w, const uint32_t *root, struct tangent *result)
{
    struct elimination e = {.w = w};
    for (size_t i = 0; i < result->roots && !w->g->failed; i++) make_root_row(w, root[i]);
    bool const good = !w->g->failed && eliminate_rows(&e, w, result->roots) && pack(&e, result);
    elimination_free(&e);
    return good;
}

/* result->n, np, roots and rates say what is wanted; J and P may be NULL. */
static tansy_status find_tangent(struct graph *g, const uint32_t *root, const struct derivative *J,
                                 const struct derivative *P, struct tangent *result)
{
    if (g->failed) return TANSY_OUT_OF_MEMORY;
    struct walk w = {.g = g, .mask = 1u << OP_STATE | 1u << OP_PARAMETER, .is_tangent = true};
    if (result->rates) w.mask |= 1u << OP_RATE;
    w.first_rate = (uint32_t)result->n;
    w.first_parameter = (uint32_t)(result->n + result->rates);
    w.first_row = (uint32_t)(result->n + result->rates + result->np);
    struct branches b = {.node = {0}};
    bool good = walk_begin(&w, root, result->roots) && find_branches(&w, &b) == TANSY_OK;
    if (good) make_intermediate_rows(&w, &b);
    if (good && !g->failed)
        good = J && is_plain(&w, &b) ? tangent_of_matrices(J, P, result)
                                     : find_roots(&w, root, result);
    LIST_FREE(&b.node);
    derivative_free(&b.row);
    walk_free(&w);
    if (good && !g->failed) return TANSY_OK;
    tangent_free(result);
    return TANSY_OUT_OF_MEMORY;
}

tansy_status differentiate_tangent(struct graph *g, const uint32_t *root, size_t roots, size_t n,
                                   size_t np, struct tangent *result)
{
    *result = (struct tangent){.n = n, .np = np, .roots = roots};
    return find_tangent(g, root, NULL, NULL, result);
}

tansy_status differentiate_tangent_with(struct graph *g, const uint32_t *root,
                                        const struct derivative *J, const struct derivative *P,
                                        struct tangent *result)
{
    *result = (struct tangent){.n = J->columns, .np = P->columns, .roots = J->rows};
    return find_tangent(g, root, J, P, result);
}

tansy_status differentiate_tangent_rates(struct graph *g, const uint32_t *root, size_t roots,
                                         size_t n, size_t np, struct tangent *result)
{
    *result = (struct tangent){.n = n, .np = np, .roots = roots, .rates = n};
    return find_tangent(g, root, NULL, NULL, result);
}

void tangent_free(struct tangent *t)
{
    heap_return(t->start);
    heap_return(t->source);
    heap_return(t->coefficient);
    memset(t, 0, sizeof *t);
}
