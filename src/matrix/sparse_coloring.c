/* SPDX-License-Identifier: Apache-2.0 */
/* Greedy colouring of the graph in which two columns that share a row are neighbours, without building it. */
#include "matrix/sparse_coloring.h"

#include <stdint.h>
#include <string.h>

#include "base/heap.h"

/* The rows of every column, and the columns from the largest to the smallest number of entries in their rows. */
struct columns {
    size_t *start, *row, *order, *taken; /* n + 1, entries, n, n + 1 */
};

static void transpose(size_t n, const size_t *start, const size_t *column, struct columns *c)
{
    for (size_t m = 0; m < start[n]; m++) c->start[column[m] + 1]++;
    for (size_t j = 0; j < n; j++) c->start[j + 1] += c->start[j];
    for (size_t i = 0; i < n; i++)
        for (size_t m = start[i]; m < start[i + 1]; m++) c->row[c->start[column[m]]++] = i;
    memmove(c->start + 1, c->start, n * sizeof *c->start);
    c->start[0] = 0;
}

/* A bound of the neighbours of column j: the entries of its rows, at most n. */
static size_t neighbours(size_t n, const size_t *start, const struct columns *c, size_t j)
{
    size_t sum = 0;
    for (size_t m = c->start[j]; m < c->start[j + 1]; m++)
        sum += start[c->row[m] + 1] - start[c->row[m]];
    return sum < n ? sum : n;
}

/* Sorts by counting, stably; taken[] counts and is left zero. */
static void sort(size_t n, const size_t *start, struct columns *c)
{
    for (size_t j = 0; j < n; j++) c->taken[n - neighbours(n, start, c, j)]++;
    size_t first = 0;
    for (size_t k = 0; k <= n; k++) {
        size_t const count = c->taken[k];
        c->taken[k] = first;
        first += count;
    }
    for (size_t j = 0; j < n; j++) c->order[c->taken[n - neighbours(n, start, c, j)]++] = j;
    memset(c->taken, 0, (n + 1) * sizeof *c->taken);
}

/* The least colour no neighbour of column j has; taken[color] == j + 1 marks theirs.  color[] == n: none yet. */
static size_t least_free(const size_t *start, const size_t *column, const struct columns *c,
                         size_t j, const size_t *color)
{
    size_t free = 0;
    for (size_t m = c->start[j]; m < c->start[j + 1]; m++) {
        size_t const i = c->row[m];
        for (size_t e = start[i]; e < start[i + 1]; e++) c->taken[color[column[e]]] = j + 1;
    }
    while (c->taken[free] == j + 1) free++;
    return free;
}

size_t sparse_coloring(size_t n, const size_t *start, const size_t *column, size_t *color)
{
    size_t colors = 0;
    if (n == 0 || n > SIZE_MAX / 64 || start[n] > SIZE_MAX / 64) return 0;
    size_t *const memory = heap_take((3 * n + 2 + start[n]) * sizeof *memory);
    if (!memory) return 0;
    struct columns c = {.start = memory, .order = memory + n + 1, .taken = memory + 2 * n + 1};
    c.row = memory + 3 * n + 2;
    transpose(n, start, column, &c);
    sort(n, start, &c);
    for (size_t j = 0; j < n; j++) color[j] = n;
    for (size_t k = 0; k < n; k++) {
        size_t const j = c.order[k];
        color[j] = least_free(start, column, &c, j, color);
        if (color[j] >= colors) colors = color[j] + 1;
    }
    heap_return(memory);
    return colors;
}
