/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of lanes in an order that finds their sources in the first cache.  Greedily: the next row is the one with the
   largest share of sources among the last ones used.  Half the misses of a random network are saved so. */
#include "model/lane_program_order.h"

#include <string.h>

#include "base/heap.h"

enum {
    WINDOW = 100,        /* sources that the first cache holds, a strip of each: 25 KB */
    MOST_ROWS = 1 << 12, /* the search for the next row is a loop over all */
    MIXED = 256,         /* scores are compared as fractions of this */
    LEAST_SHARED = 2     /* sources that two rows must share to run together */
};

/* Rows first .. first + count of order[], none of which is a source of another. */
struct search {
    const struct tangent *t;
    struct keyed *order;
    size_t count;
    uint32_t *start, *user; /* user[start[j]] ..: which of the rows have source j */
    uint32_t *in_window;    /* by source: how often */
    uint32_t *score;        /* by row: its sources in the window */
    uint32_t recent[WINDOW];
    size_t used; /* terms so far */
};

static size_t terms_of(const struct tangent *t, uint32_t row)
{
    return t->start[row + 1] - t->start[row];
}

/* The rows of every source, by counting. */
static void list_users(struct search *s, size_t sources)
{
    const struct tangent *const t = s->t;
    for (size_t k = 0; k < s->count; k++)
        for (size_t e = t->start[s->order[k].value]; e < t->start[s->order[k].value + 1]; e++)
            s->start[t->source[e] + 1]++;
    for (size_t j = 0; j < sources; j++) s->start[j + 1] += s->start[j];
    for (size_t k = s->count; k-- > 0;)
        for (size_t e = t->start[s->order[k].value]; e < t->start[s->order[k].value + 1]; e++)
            s->user[s->start[t->source[e]] + s->in_window[t->source[e]]++] = s->order[k].value;
    for (size_t j = 0; j < sources; j++) s->in_window[j] = 0;
}

static void change_scores(struct search *s, uint32_t source, uint32_t by)
{
    for (size_t k = s->start[source]; k < s->start[source + 1]; k++) s->score[s->user[k]] += by;
}

/* The sources of a row that is taken enter the window, the oldest leave it. */
static void move_window(struct search *s, uint32_t row)
{
    for (size_t e = s->t->start[row]; e < s->t->start[row + 1]; e++, s->used++) {
        uint32_t const source = s->t->source[e];
        uint32_t *const place = &s->recent[s->used % WINDOW];
        if (s->used >= WINDOW && --s->in_window[*place] == 0)
            change_scores(s, *place, UINT32_MAX); /* -1 */
        *place = source;
        if (s->in_window[source]++ == 0) change_scores(s, source, 1);
    }
}

/* The place of the best row from order[k] on; of equal ones the first. */
static size_t find_best(const struct search *s, size_t k)
{
    size_t best = k;
    uint64_t top = 0;
    for (size_t m = k; m < s->count; m++) {
        uint32_t const row = s->order[m].value;
        uint64_t const score = (uint64_t)s->score[row] * MIXED / (terms_of(s->t, row) + 1);
        if (score <= top) continue;
        top = score;
        best = m;
    }
    return best;
}

bool lane_order_for_cache(const struct tangent *t, struct keyed *order, size_t count)
{
    size_t const sources = t->n + t->rates + t->np + t->rows;
    size_t terms = 0;
    for (size_t k = 0; k < count; k++) terms += terms_of(t, order[k].value);
    if (terms <= WINDOW || count > MOST_ROWS) return true;
    struct search s = {.t = t, .order = order, .count = count};
    s.start = heap_take((sources + 1) * sizeof *s.start);
    s.user = heap_take((terms + 1) * sizeof *s.user);
    s.in_window = heap_take((sources + 1) * sizeof *s.in_window);
    s.score = heap_take((t->rows + 1) * sizeof *s.score);
    bool const done = s.start && s.user && s.in_window && s.score;
    if (done) list_users(&s, sources);
    for (size_t k = 0; k < count && done; k++) {
        size_t const best = find_best(&s, k);
        struct keyed const row = order[best];
        order[best] = order[k];
        order[k] = row;
        move_window(&s, row.value);
    }
    heap_return(s.start);
    heap_return(s.user);
    heap_return(s.in_window);
    heap_return(s.score);
    return done;
}

/* Sources rise. */
bool lane_has_source(const struct tangent *t, size_t r, uint32_t source)
{
    size_t low = t->start[r], high = t->start[r + 1];
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (t->source[middle] < source)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->start[r + 1] && t->source[low] == source;
}

/* How many sources of y two rows share. */
static uint32_t count_shared(const struct tangent *t, size_t a, size_t b)
{
    uint32_t shared = 0;
    for (size_t i = t->start[a], j = t->start[b]; i < t->start[a + 1] && j < t->start[b + 1];) {
        uint32_t const x = t->source[i], y = t->source[j];
        shared += x == y && x < t->n;
        i += x <= y;
        j += y <= x;
    }
    return shared;
}

void lane_order_pairs(const struct tangent *t, struct keyed *order, size_t count, size_t window,
                      uint32_t *shared)
{
    for (size_t k = 0; k + 1 < count; k++) {
        size_t best = k;
        uint32_t top = LEAST_SHARED - 1;
        for (size_t m = k + 1; m < count && m - k <= window; m++) {
            uint32_t const here = count_shared(t, order[k].value, order[m].value);
            if (here <= top) continue;
            top = here;
            best = m;
        }
        if (best == k) continue;
        struct keyed const partner = order[best];
        memmove(order + k + 2, order + k + 1, (best - k - 1) * sizeof *order);
        shared[order[k].value] = top;
        order[++k] = partner;
    }
}
