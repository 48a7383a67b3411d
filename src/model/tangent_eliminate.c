/* SPDX-License-Identifier: Apache-2.0 */
/* Vertex elimination on the linearised graph (Griewank and Walther 2008, ch. 9): a row with a terms used by b others costs
   a + b terms when it is kept and up to a b when it is multiplied out; the terms that users share already count once. */
#include "model/tangent_eliminate.h"

#include "base/heap.h"

enum { MAX_COUNTED = 1 << 16 }; /* a*b beyond which a row is kept without counting */

static void add_user(struct elimination *e, uint32_t row, uint32_t user)
{
    if (!LIST_ADD(&e->link, (struct link){user, e->users[row]})) {
        e->w->g->failed = true;
        return;
    }
    e->users[row] = (uint32_t)(e->link.count - 1);
}

static bool begin(struct elimination *e, struct walk *w, size_t roots)
{
    *e = (struct elimination){.w = w, .rows = w->start.count - 1};
    e->intermediates = e->rows - roots;
    e->row = heap_take((e->rows + 1) * sizeof *e->row);
    e->gone = heap_take(e->rows + 1);
    e->users = heap_take((e->intermediates + 1) * sizeof *e->users);
    e->seen = heap_take((e->rows + 1) * sizeof *e->seen);
    if (!e->row || !e->gone || !e->users || !e->seen) return false;
    for (size_t i = 0; i < e->intermediates; i++) e->users[i] = UINT32_MAX;
    for (size_t i = 0; i < e->rows; i++) {
        e->row[i] = (struct span){w->start.item[i], w->start.item[i + 1] - w->start.item[i]};
        for (size_t k = w->start.item[i]; k < w->start.item[i + 1]; k++)
            if (w->term.item[k].source >= w->first_row)
                add_user(e, w->term.item[k].source - w->first_row, (uint32_t)i);
    }
    return !w->g->failed;
}

void elimination_free(struct elimination *e)
{
    heap_return(e->row);
    heap_return(e->gone);
    heap_return(e->users);
    heap_return(e->seen);
    LIST_FREE(&e->link);
}

/* How many sources of row a the row b has not. */
static size_t count_new(const struct elimination *e, struct span a, struct span b)
{
    const struct term_of_row *const x = &e->w->term.item[a.first], *const y =
                                                                       &e->w->term.item[b.first];
    size_t found = 0;
    for (size_t i = 0, j = 0; i < a.count && j < b.count;) {
        if (x[i].source == y[j].source) {
            found++;
            i++;
            j++;
        } else if (x[i].source < y[j].source) {
            i++;
        } else {
            j++;
        }
    }
    return a.count - found;
}

/* Is the number of terms without the row at most that with it? */
static bool is_worth(const struct elimination *e, uint32_t row)
{
    size_t uses = 0, added = 0;
    for (uint32_t k = e->users[row]; k != UINT32_MAX; k = e->link.item[k].next) uses++;
    if (uses <= 1 || e->row[row].count <= 1) return true;
    if (uses * e->row[row].count > MAX_COUNTED) return false;
    for (uint32_t k = e->users[row]; k != UINT32_MAX; k = e->link.item[k].next)
        added += count_new(e, e->row[row], e->row[e->link.item[k].user]);
    return added <= uses + e->row[row].count;
}

/* The row of `user` with the terms of `row` in place of the one that names it. */
static void multiply_out(struct elimination *e, uint32_t row, uint32_t user)
{
    struct walk *const w = e->w;
    struct span const inner = e->row[row], outer = e->row[user];
    size_t const first = w->term.count;
    for (size_t i = 0; i < outer.count; i++) {
        struct term_of_row t = w->term.item[outer.first + i];
        t.sequence = (uint32_t)w->found.count;
        if (t.source != w->first_row + row) {
            WALK_ADD(w, found, t);
            continue;
        }
        for (size_t k = 0; k < inner.count; k++) {
            struct term_of_row s = w->term.item[inner.first + k];
            s.sequence = (uint32_t)w->found.count;
            s.node = multiply_quickly(w->g, t.node, s.node);
            WALK_ADD(w, found, s);
            if (s.source >= w->first_row) add_user(e, s.source - w->first_row, user);
        }
    }
    walk_end_row(w);
    e->row[user] = (struct span){first, w->term.count - first};
}

static bool names(const struct elimination *e, struct span user, uint32_t row)
{
    for (size_t i = 0; i < user.count; i++)
        if (e->w->term.item[user.first + i].source == e->w->first_row + row) return true;
    return false;
}

/* Drops users that stand twice in the chain or name the row no more, their terms having cancelled. */
static void clean_users(struct elimination *e, uint32_t row)
{
    uint32_t *last = &e->users[row];
    for (uint32_t k = *last; k != UINT32_MAX; k = e->link.item[k].next) {
        uint32_t const user = e->link.item[k].user;
        if (e->seen[user] == row + 1 || !names(e, e->row[user], row)) {
            *last = e->link.item[k].next;
        } else {
            e->seen[user] = row + 1;
            last = &e->link.item[k].next;
        }
    }
}

bool eliminate_rows(struct elimination *e, struct walk *w, size_t roots)
{
    if (!begin(e, w, roots)) return false;
    for (uint32_t row = (uint32_t)e->intermediates; row-- > 0 && !w->g->failed;) {
        clean_users(e, row);
        if (!is_worth(e, row)) continue;
        for (uint32_t k = e->users[row]; k != UINT32_MAX && !w->g->failed; k = e->link.item[k].next)
            multiply_out(e, row, e->link.item[k].user);
        e->gone[row] = true;
    }
    return !w->g->failed;
}
