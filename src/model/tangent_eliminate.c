/* SPDX-License-Identifier: Apache-2.0 */
/* Vertex elimination on the linearised graph (Griewank and Walther 2008, ch. 9): a row with a terms used by b others costs
   a + b terms when it is kept and up to a b when it is multiplied out; the terms that users share already count once.  A long
   row (the sum over a grid) takes what is multiplied out into it at the end, all at once: one by one would cost the square of
   its length. */
#include "model/tangent_eliminate.h"

#include "base/heap.h"

enum {
    MAX_COUNTED = 1 << 16, /* a*b beyond which a row is kept without counting */
    LONG = 256             /* terms of a row that nobody looks through */
};

#define NONE UINT32_MAX

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
    e->later_first = heap_take((e->rows + 1) * sizeof *e->later_first);
    e->later_rows = heap_take((e->rows + 1) * sizeof *e->later_rows);
    if (!e->row || !e->gone || !e->users || !e->seen || !e->later_first || !e->later_rows)
        return false;
    for (size_t i = 0; i < e->rows; i++) e->later_first[i] = NONE;
    for (size_t i = 0; i < e->intermediates; i++) e->users[i] = NONE;
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
    heap_return(e->later_first);
    heap_return(e->later_rows);
    LIST_FREE(&e->link);
    LIST_FREE(&e->later);
}

/* Takes terms at the end only. */
static bool is_long(const struct elimination *e, uint32_t row)
{
    return e->row[row].count >= LONG || e->later_first[row] != NONE;
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
    for (uint32_t k = e->users[row]; k != NONE; k = e->link.item[k].next) uses++;
    if (uses <= 1 || e->row[row].count <= 1) return true;
    if (uses * e->row[row].count > MAX_COUNTED) return false;
    for (uint32_t k = e->users[row]; k != NONE; k = e->link.item[k].next) {
        uint32_t const user = e->link.item[k].user;
        added += is_long(e, user) ? e->row[row].count : count_new(e, e->row[row], e->row[user]);
    }
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

/* The term of `user` that names the row, by bisection: sources rise; NULL: there is none. */
static struct term_of_row *find_term(const struct elimination *e, uint32_t row, uint32_t user)
{
    struct span const span = e->row[user];
    struct term_of_row *const term = &e->w->term.item[span.first];
    uint32_t const source = e->w->first_row + row;
    size_t low = 0, high = span.count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (term[middle].source < source)
            low = middle + 1;
        else
            high = middle;
    }
    return low < span.count && term[low].source == source ? &term[low] : NULL;
}

/* The first term from k on, among those that come later, that names the row; of `left` that name any. */
static uint32_t find_later(const struct elimination *e, uint32_t row, uint32_t k, uint32_t left)
{
    for (; k != NONE && left > 0; k = e->later.item[k].next) {
        struct term_of_row const t = e->later.item[k].term;
        if (t.source == e->w->first_row + row && t.node != ZERO) return k;
        left -= t.source >= e->w->first_row && t.node != ZERO;
    }
    return NONE;
}

static bool names(const struct elimination *e, uint32_t row, uint32_t user)
{
    return find_term(e, row, user) ||
           find_later(e, row, e->later_first[user], e->later_rows[user]) != NONE;
}

/* coefficient times the terms of `row`, for `user`. */
static void add_later(struct elimination *e, uint32_t row, uint32_t user, uint32_t coefficient)
{
    struct walk *const w = e->w;
    for (size_t k = 0; k < e->row[row].count; k++) {
        struct term_of_row t = w->term.item[e->row[row].first + k];
        t.node = multiply_quickly(w->g, coefficient, t.node);
        if (t.node == ZERO) continue;
        if (!LIST_ADD(&e->later, (struct later){t, e->later_first[user]})) w->g->failed = true;
        if (w->g->failed) return;
        e->later_first[user] = (uint32_t)(e->later.count - 1);
        if (t.source < w->first_row) continue;
        e->later_rows[user]++;
        add_user(e, t.source - w->first_row, user);
    }
}

/* The same as multiply_out() for a long row; terms that are replaced stay as 0. */
static void multiply_later(struct elimination *e, uint32_t row, uint32_t user)
{
    struct term_of_row *const term = find_term(e, row, user);
    uint32_t k = find_later(e, row, e->later_first[user], e->later_rows[user]);
    if (term) {
        uint32_t const coefficient = term->node;
        term->node = ZERO;
        add_later(e, row, user, coefficient);
    }
    while (k != NONE && !e->w->g->failed) {
        uint32_t const coefficient = e->later.item[k].term.node, next = e->later.item[k].next;
        e->later.item[k].term.node = ZERO;
        e->later_rows[user]--;
        add_later(e, row, user, coefficient);
        k = find_later(e, row, next, e->later_rows[user]);
    }
}

/* All that a long row was to get later. */
static void finish_row(struct elimination *e, uint32_t row)
{
    struct walk *const w = e->w;
    struct span const old = e->row[row];
    size_t const first = w->term.count;
    for (size_t k = 0; k < old.count; k++) {
        struct term_of_row t = w->term.item[old.first + k];
        t.sequence = (uint32_t)w->found.count;
        if (t.node != ZERO) WALK_ADD(w, found, t);
    }
    for (uint32_t k = e->later_first[row]; k != NONE; k = e->later.item[k].next) {
        struct term_of_row t = e->later.item[k].term;
        t.sequence = (uint32_t)w->found.count;
        if (t.node != ZERO) WALK_ADD(w, found, t);
    }
    walk_end_row(w);
    e->row[row] = (struct span){first, w->term.count - first};
}

/* Drops users that are gone, stand twice in the chain or name the row no more, their terms having cancelled. */
static void clean_users(struct elimination *e, uint32_t row)
{
    uint32_t *last = &e->users[row];
    for (uint32_t k = *last; k != NONE; k = e->link.item[k].next) {
        uint32_t const user = e->link.item[k].user;
        if (e->gone[user] || e->seen[user] == row + 1 || !names(e, row, user)) {
            *last = e->link.item[k].next;
        } else {
            e->seen[user] = row + 1;
            last = &e->link.item[k].next;
        }
    }
}

/* `row` leaves all its users. */
static void eliminate(struct elimination *e, uint32_t row)
{
    for (uint32_t k = e->users[row]; k != NONE && !e->w->g->failed; k = e->link.item[k].next) {
        uint32_t const user = e->link.item[k].user;
        if (is_long(e, user))
            multiply_later(e, row, user);
        else
            multiply_out(e, row, user);
    }
    e->gone[row] = true;
}

bool eliminate_rows(struct elimination *e, struct walk *w, size_t roots)
{
    if (!begin(e, w, roots)) return false;
    for (uint32_t row = (uint32_t)e->intermediates; row-- > 0 && !w->g->failed;) {
        clean_users(e, row);
        if (is_worth(e, row)) eliminate(e, row);
    }
    for (uint32_t row = 0; row < e->rows && !w->g->failed; row++)
        if (!e->gone[row] && e->later_first[row] != NONE) finish_row(e, row);
    return !w->g->failed;
}
