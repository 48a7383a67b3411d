/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which rows run: by level, kind and shape, so that one instruction runs many; then by who uses them, then by
   the order in which the expressions were made, so that operands of neighbours are neighbours. */
#include "model/schedule.h"

#include <string.h>

#include "base/heap.h"

enum {
    DIGIT = 11,  /* bits of a digit of the radix sort */
    ALIGNED = 8, /* doubles of a cache line */
    SORTED =
        16 /* terms of a row that are put in order; longer ones are added by their slots anyway */
};

/* Rows that nothing else uses wait until the end: they are fewer, larger groups then. */
static void find_levels(struct schedule *s)
{
    uint32_t top = 0;
    for (size_t r = 0; r < s->row.count; r++) {
        struct row *const row = &s->row.item[r];
        size_t const end = row->first + row_terms(row);
        for (size_t e = row->first; e < end; e++) {
            const uint32_t operand[2] = {s->term.item[e].a, s->term.item[e].b};
            for (int k = 0; k < 2; k++) {
                if (operand[k] == NOTHING || s->row_of[operand[k]] == NOTHING) continue;
                uint32_t const below = s->row.item[s->row_of[operand[k]]].level;
                if (row->level <= below) row->level = below + 1;
            }
        }
        if (row->level > top) top = row->level;
    }
    for (size_t r = 0; r < s->row.count; r++)
        if (s->row.item[r].is_last) s->row.item[r].level = top;
}

/* Leaves by where they stand, then rows as they were made. */
static uint64_t term_key(const struct schedule *s, uint32_t node)
{
    if (s->row_of[node] != NOTHING) return (uint64_t)SPACES << 32 | node;
    struct stream const at = leaf_place(s, node);
    return (uint64_t)at.space << 32 | at.index;
}

static void sort_row(const struct schedule *s, struct term *term, size_t count)
{
    uint64_t key[SORTED];
    for (size_t k = 0; k < count; k++) {
        struct term t = term[k];
        if (t.b != NOTHING && term_key(s, t.a) > term_key(s, t.b))
            t = (struct term){t.b, t.a, t.weight};
        uint64_t const own = term_key(s, t.a);
        size_t at = k;
        for (; at > 0 && key[at - 1] > own; at--) {
            key[at] = key[at - 1];
            term[at] = term[at - 1];
        }
        key[at] = own;
        term[at] = t;
    }
}

/* The terms of a kind in an order that is the same for rows that look alike. */
static void sort_terms(struct schedule *s)
{
    for (size_t r = 0; r < s->row.count; r++) {
        const struct row *const row = &s->row.item[r];
        struct term *term = s->term.item + row->first;
        if (row->kind > ROW_PRODUCT) continue;
        for (int kind = 0; kind < TERM_KINDS; kind++) {
            size_t const count = (size_t)row->shape[kind];
            if (count <= SORTED && (count > 1 || kind >= PAIR)) sort_row(s, term, count);
            term += count;
        }
    }
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Kind and shape in 14 bits; unlike shapes may share one. */
static uint64_t looks(const struct row *row)
{
    const int32_t *const n = row->shape;
    int32_t shape = row->operation;
    if (row->kind == ROW_POWER) shape = n[0] + 64;
    if (row->kind == ROW_PRODUCT) shape = least(n[0], 4095);
    if (row->kind == ROW_SUM)
        shape = least(n[PLUS], 7) << 9 | least(n[MINUS], 7) << 6 | least(n[WEIGHTED], 3) << 4 |
                least(n[PAIR], 3) << 2 | least(n[MINUS_PAIR], 3);
    return (uint64_t)row->kind << 12 | (uint64_t)shape;
}

/* What kinds of operands a short row has, in 10 bits: rows that look alike but take theirs from elsewhere stand apart. */
static uint64_t origins(const struct schedule *s, const struct row *row)
{
    uint64_t mixed = 0;
    unsigned const columns = shape_columns(row->shape);
    const struct term *term = s->term.item + row->first;
    if (row->kind > ROW_PRODUCT || columns > SORTED) return 0;
    for (unsigned c = 0; c < columns; c++, term++) {
        const uint32_t operand[2] = {term->a, term->b};
        for (int k = 0; k < 2 && operand[k] != NOTHING; k++) {
            uint64_t const kind = s->row_of[operand[k]] == NOTHING
                                      ? leaf_place(s, operand[k]).space
                                      : SPACES + s->node[operand[k]].operation;
            mixed = mixed * 67 + kind + 1;
        }
        if (term->b != NOTHING) c++;
    }
    return mixed % 1021;
}

/* Level (24 bits), looks (14), whether it goes to out (1), origins (10), and, as functions want arrays, the looks of one
   that uses it. */
static void make_keys(const struct schedule *s, uint64_t *key)
{
    for (size_t r = 0; r < s->row.count; r++) {
        const struct row *const row = &s->row.item[r];
        uint64_t const group = (uint64_t)row->level << 14 | looks(row);
        uint64_t const apart = (group << 1 | row->is_direct) << 10 | origins(s, row);
        key[r] = apart << 14;
    }
    for (size_t r = 0; r < s->row.count; r++) {
        const struct row *const row = &s->row.item[r];
        if (row->kind < ROW_FUNCTION) continue;
        size_t const arguments = row->kind == ROW_POWER ? 1 : (size_t)row->shape[0];
        for (size_t e = row->first; e < row->first + arguments; e++) {
            uint32_t const operand = s->row_of[s->term.item[e].a];
            if (operand == NOTHING) continue;
            key[operand] = (key[operand] & ~(uint64_t)0x3fff) | looks(row);
        }
    }
}

/* One digit, from a[] to b[]; false when all have the same: nothing is done. */
static bool sort_digit(const struct keyed *a, struct keyed *b, size_t count, unsigned shift)
{
    uint32_t bucket[1 << DIGIT] = {0};
    size_t const mask = (1 << DIGIT) - 1;
    for (size_t i = 0; i < count; i++) bucket[a[i].key >> shift & mask]++;
    if (bucket[a[0].key >> shift & mask] == count) return false;
    uint32_t before = 0;
    for (size_t d = 0; d <= mask; d++) {
        uint32_t const here = bucket[d];
        bucket[d] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++) b[bucket[a[i].key >> shift & mask]++] = a[i];
    return true;
}

bool schedule_sort(struct keyed *item, size_t count)
{
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++) sorted = item[i - 1].key <= item[i].key;
    if (sorted) return true;
    struct keyed *const spare = heap_take(count * sizeof *spare);
    if (!spare) return false;
    struct keyed *from = item, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += DIGIT)
        if (sort_digit(from, to, count, shift)) {
            struct keyed *const other = from;
            from = to;
            to = other;
        }
    if (from != item) memcpy(item, spare, count * sizeof *item);
    heap_return(spare);
    return true;
}

/* Rows in the order of the roots that they are, up to sign and weight; before them those that are none, as they were made. */
static bool sort_by_roots(const struct schedule *s, struct keyed *keyed)
{
    for (size_t r = 0; r < s->row.count; r++) keyed[r] = (struct keyed){0, (uint32_t)r};
    for (size_t i = s->kept ? s->roots : 0; i-- > 0;) {
        uint32_t const r = s->row_of[s->copy[i].a];
        if (r != NOTHING) keyed[r].key = i + 1;
    }
    return schedule_sort(keyed, s->row.count);
}

/* The rows in the order of the keys. */
static void permute(struct schedule *s, const struct keyed *keyed, struct row *sorted)
{
    for (size_t r = 0; r < s->row.count; r++) sorted[r] = s->row.item[keyed[r].value];
    memcpy(s->row.item, sorted, s->row.count * sizeof *sorted);
    for (size_t r = 0; r < s->row.count; r++) s->row_of[sorted[r].node] = (uint32_t)r;
}

/* Slots in the order of the rows; larger groups begin on a cache line. */
static void place_rows(struct schedule *s)
{
    struct row *const row = s->row.item;
    size_t next = 0;
    for (size_t r = 0; r < s->row.count;) {
        size_t end = r + 1;
        while (end < s->row.count && row[end].level == row[r].level &&
               looks(&row[end]) == looks(&row[r]))
            end++;
        if (end - r >= ALIGNED) next = (next + ALIGNED - 1) / ALIGNED * ALIGNED;
        for (; r < end; r++) row[r].slot = (uint32_t)next++;
    }
    s->slots = next;
}

bool schedule_order(struct schedule *s)
{
    size_t const count = s->row.count;
    struct keyed *const keyed = heap_take((count + 1) * sizeof *keyed);
    uint64_t *const key = heap_take((count + 1) * sizeof *key);
    struct row *const sorted = heap_take((count + 1) * sizeof *sorted);
    bool done = keyed && key && sorted && sort_by_roots(s, keyed);
    if (done) {
        find_levels(s);
        sort_terms(s);
        make_keys(s, key);
        for (size_t r = 0; r < count; r++) keyed[r].key = key[keyed[r].value];
        done = schedule_sort(keyed, count);
        if (done) permute(s, keyed, sorted);
        place_rows(s);
    }
    heap_return(keyed);
    heap_return(key);
    heap_return(sorted);
    return done;
}
