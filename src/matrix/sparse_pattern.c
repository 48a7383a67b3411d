/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the entries of a sparse matrix by counting: by columns first, then, stably, by rows. */
#include "matrix/sparse_pattern.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"

struct entry_list {
    size_t n, listed;
    const size_t *row, *column;
};

/* Whether all entries lie in the matrix; diagonal[i] tells which diagonal ones are listed. */
static enum sparse_pattern_fault mark_diagonal(const struct entry_list *list, size_t *diagonal,
                                               size_t which[2])
{
    memset(diagonal, 0, list->n * sizeof *diagonal);
    for (size_t e = 0; e < list->listed; e++) {
        if (list->row[e] >= list->n || list->column[e] >= list->n) {
            which[0] = e;
            return PATTERN_OUTSIDE;
        }
        if (list->row[e] == list->column[e]) diagonal[list->row[e]] = 1;
    }
    return PATTERN_FINE;
}

/* Entry e of the list, and behind them the diagonal ones that are not listed, whose rows `missing` holds. */
static size_t row_of(const struct entry_list *list, const size_t *missing, size_t e)
{
    return e < list->listed ? list->row[e] : missing[e - list->listed];
}

static size_t column_of(const struct entry_list *list, const size_t *missing, size_t e)
{
    return e < list->listed ? list->column[e] : missing[e - list->listed];
}

/* start[i] = number of keys below i, for the keys that have been counted in start[i + 1]. */
static void add_up(size_t n, size_t *start)
{
    for (size_t i = 0; i < n; i++) start[i + 1] += start[i];
}

/* start[] as it was before every item was put at start[key]++. */
static void step_back(size_t n, size_t *start)
{
    memmove(start + 1, start, n * sizeof *start);
    start[0] = 0;
}

/* Fills a pattern whose arrays are there; order[entries] and by_row[entries] are scratch. */
static enum sparse_pattern_fault sort(struct sparse_pattern *p, const struct entry_list *list,
                                      const size_t *missing, size_t *order, size_t which[2])
{
    size_t *const by_row = order + p->entries;
    memset(p->start, 0, (p->n + 1) * sizeof *p->start);
    for (size_t e = 0; e < p->entries; e++) p->start[column_of(list, missing, e) + 1]++;
    add_up(p->n, p->start);
    for (size_t e = 0; e < p->entries; e++) order[p->start[column_of(list, missing, e)]++] = e;
    memset(p->start, 0, (p->n + 1) * sizeof *p->start);
    for (size_t e = 0; e < p->entries; e++) p->start[row_of(list, missing, e) + 1]++;
    add_up(p->n, p->start);
    for (size_t m = 0; m < p->entries; m++)
        by_row[p->start[row_of(list, missing, order[m])]++] = order[m];
    step_back(p->n, p->start);
    for (size_t m = 0; m < p->entries; m++) {
        size_t const e = by_row[m];
        p->column[m] = column_of(list, missing, e);
        if (e < list->listed) p->place[e] = m;
        if (m > p->start[row_of(list, missing, e)] && p->column[m] == p->column[m - 1]) {
            which[0] = by_row[m - 1];
            which[1] = e;
            return PATTERN_TWICE;
        }
    }
    return PATTERN_FINE;
}

static void layout(struct sparse_pattern *p, struct arena *arena, size_t listed)
{
    ARENA_TAKE(arena, p->start, p->n + 1);
    ARENA_TAKE(arena, p->column, p->entries);
    ARENA_TAKE(arena, p->place, listed);
}

/* Takes one block for all arrays, which starts with start[]. */
static size_t *place(struct sparse_pattern *p, size_t listed)
{
    struct arena arena = {0};
    layout(p, &arena, listed);
    if (arena.overflow) return NULL;
    arena = (struct arena){.block = heap_take(arena.used)};
    if (arena.block) layout(p, &arena, listed);
    return p->start;
}

enum sparse_pattern_fault sparse_pattern_create(struct sparse_pattern *pattern, size_t n,
                                                size_t listed, const size_t *row,
                                                const size_t *column, size_t which[2])
{
    struct entry_list const list = {n, listed, row, column};
    enum sparse_pattern_fault fault = PATTERN_NO_MEMORY;
    *pattern = (struct sparse_pattern){.n = n, .entries = listed};
    if (n > SIZE_MAX / 32 || listed > SIZE_MAX / 32) return fault;
    size_t *const missing = heap_take((n + 2 * (n + listed)) * sizeof *missing);
    if (missing) fault = mark_diagonal(&list, missing, which);
    if (fault == PATTERN_FINE) {
        size_t more = 0;
        for (size_t i = 0; i < n; i++)
            if (!missing[i]) missing[more++] = i;
        pattern->entries += more;
        fault = PATTERN_NO_MEMORY;
        if (place(pattern, listed)) fault = sort(pattern, &list, missing, missing + n, which);
    }
    heap_return(missing);
    if (fault != PATTERN_FINE) sparse_pattern_free(pattern);
    return fault;
}

void sparse_pattern_free(struct sparse_pattern *pattern)
{
    heap_return(pattern->start);
    pattern->start = pattern->column = pattern->place = NULL;
}
