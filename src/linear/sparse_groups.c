/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy groups of rows of U: a row joins the one before it when that takes few zeros. */
#include "linear/sparse_groups.h"

#include <string.h>

#include "base/arena.h"

/* Zeros in a group's rows, at most: its eliminations get up to GROUP_ROWS times fewer passes over w, while every solve
   runs through the zeros too (bench/sparse_bench.c). */
static const double most_zeros = 0.1;

/* U by rows, and the union of the rows of a group. */
struct grouping {
    const struct sparse_order *order;
    struct sparse_groups *groups;
    uint32_t *start, *column; /* start[n + 1], column[entries] */
    uint32_t *both;           /* [n] */
};

static void layout(struct grouping *g, struct arena *arena, size_t n, size_t entries)
{
    ARENA_TAKE(arena, g->groups->end, n);
    ARENA_TAKE(arena, g->groups->shared, n);
    ARENA_TAKE(arena, g->groups->shared_end, n);
    ARENA_TAKE(arena, g->groups->column, entries + entries / 8 + n); /* 1/(1 - most_zeros) < 9/8 */
    ARENA_TAKE(arena, g->start, n + 1);
    ARENA_TAKE(arena, g->column, entries);
    ARENA_TAKE(arena, g->both, n);
}

/* U by rows, without its diagonal. */
static void transpose(struct grouping *g)
{
    const struct sparse_order *const o = g->order;
    for (int j = 0; j < o->n; j++)
        for (int m = o->upper_start[j]; m + 1 < o->upper_start[j + 1]; m++)
            g->start[o->upper_row[m] + 1]++;
    for (int k = 0; k < o->n; k++) g->start[k + 1] += g->start[k];
    for (int j = 0; j < o->n; j++)
        for (int m = o->upper_start[j]; m + 1 < o->upper_start[j + 1]; m++)
            g->column[g->start[o->upper_row[m]]++] = (uint32_t)j;
    memmove(g->start + 1, g->start, (size_t)o->n * sizeof *g->start);
    g->start[0] = 0;
}

/* both = the columns a[count], less k, and those of row k; their number. */
static size_t unite(struct grouping *g, const uint32_t *a, size_t count, uint32_t k)
{
    const uint32_t *b = g->column + g->start[k], *const b_end = g->column + g->start[k + 1];
    const uint32_t *const a_end = a + count;
    size_t number = 0;
    while (a < a_end || b < b_end) {
        uint32_t const from_a = a < a_end ? *a : UINT32_MAX, from_b = b < b_end ? *b : UINT32_MAX;
        uint32_t const next = from_a < from_b ? from_a : from_b;
        a += from_a == next;
        b += from_b == next;
        if (next != k) g->both[number++] = next;
    }
    return number;
}

/* The group that begins at row k and ends before `end`; its columns go to groups->column from `at` on.  The row behind it. */
static uint32_t group_from(struct grouping *g, uint32_t k, uint32_t end, uint32_t at)
{
    struct sparse_groups *const groups = g->groups;
    uint32_t *const shared = groups->column + at;
    uint32_t const first = k;
    size_t count = g->start[k + 1] - g->start[k];
    double entries = (double)count;
    memcpy(shared, g->column + g->start[k], count * sizeof *shared);
    for (k++; k < end && k < first + GROUP_ROWS; k++) {
        size_t const number = unite(g, shared, count, k);
        double const rows = (double)(k - first + 1);
        double const sum = entries + (double)(g->start[k + 1] - g->start[k]);
        double const all = rows * (double)number + rows * (rows - 1) / 2;
        if (all - sum > most_zeros * all) break;
        memcpy(shared, g->both, number * sizeof *shared);
        count = number;
        entries = sum;
    }
    for (uint32_t r = first; r < k; r++) {
        groups->end[r] = k;
        groups->shared[r] = at;
        groups->shared_end[r] = at + (uint32_t)count;
    }
    return k;
}

bool sparse_groups_create(struct sparse_groups *groups, const struct sparse_order *order,
                          const uint32_t *tail, struct kept *memory)
{
    struct grouping g = {.order = order, .groups = groups};
    size_t const n = (size_t)order->n, entries = (size_t)order->upper_start[n];
    struct arena arena = {0};
    layout(&g, &arena, n, entries);
    arena = (struct arena){.block = heap_reuse(memory, arena.used)};
    if (!arena.block) return false;
    layout(&g, &arena, n, entries);
    transpose(&g);
    uint32_t at = 0;
    for (int b = 0; b < order->blocks; b++) {
        uint32_t const end = tail[order->R[b]];
        for (uint32_t k = (uint32_t)order->R[b]; k < end; at = groups->shared_end[k - 1])
            k = group_from(&g, k, end, at);
    }
    return true;
}
