/* SPDX-License-Identifier: Apache-2.0 */
/* Column k of the factors is x with L x = W e_Q(k), L having the columns before k.  Its entries are the rows that can be reached in
   the graph of L from those of W e_Q(k): a depth-first search finds them in an order in which they can be eliminated (Gilbert and
   Peierls 1988).  Of the rows that have no pivot yet one becomes the pivot, the others are column k of L. */
#include "linear/sparse_pivots.h"

#include <limits.h>
#include <math.h>

#include "linear/linear.h"

void sparse_pivots_layout(struct sparse_pivots *p, const struct sparse_klu *k, struct arena *arena)
{
    struct sparse_order *const o = &p->order;
    ARENA_TAKE(arena, o->P, k->n);
    ARENA_TAKE(arena, o->lower_start, k->n + 1);
    ARENA_TAKE(arena, o->upper_start, k->n + 1);
    ARENA_TAKE(arena, o->later_start, k->n + 1);
    ARENA_TAKE(arena, o->later_row, k->entries);
    ARENA_TAKE(arena, p->number, k->n);
    ARENA_TAKE(arena, p->home, k->n);
    ARENA_TAKE(arena, p->met, k->n);
    ARENA_TAKE(arena, p->x, k->n);
    ARENA_TAKE(arena, p->scale, k->n);
    ARENA_TAKE(arena, p->end, k->n);
    ARENA_TAKE(arena, p->path, k->n);
    ARENA_TAKE(arena, p->next, k->n);
    ARENA_TAKE(arena, p->found, k->n);
}

/* What one choice of pivots works on. */
struct choice {
    struct sparse_pivots *p;
    struct sparse_order *o;
    const struct sparse_klu *k;
    double *lower_value; /* as lower_row; NULL: the pattern alone matters */
    double tolerance;
    int lower, upper, later; /* entries so far */
};

/* Room for a column of `rows` entries at most; the first time for what the analysis expects. */
static bool make_room(struct choice *c, int rows, bool with_values)
{
    struct sparse_pivots *const p = c->p;
    const struct sparse_analysis *const a = c->k->now;
    if (rows > INT_MAX - c->lower || rows > INT_MAX - c->upper) return false;
    size_t const lower = (size_t)c->lower, upper = (size_t)c->upper;
    size_t const more_lower = (size_t)fmax(fmin(a->lower, INT_MAX), (double)lower + rows);
    size_t const more_upper = (size_t)fmax(fmin(a->upper, INT_MAX), (double)upper + rows);
    c->o->lower_row = heap_extend(&p->lower_row, lower * sizeof(int), more_lower * sizeof(int));
    c->o->upper_row = heap_extend(&p->upper_row, upper * sizeof(int), more_upper * sizeof(int));
    if (with_values)
        c->lower_value =
            heap_extend(&p->lower_value, lower * sizeof(double), more_lower * sizeof(double));
    return c->o->lower_row && c->o->upper_row && (c->lower_value || !with_values);
}

/* Row i is in the column: to L if it has no pivot.  Whether it has one, and what follows from it is still to be found. */
static bool meet(struct choice *c, int i, int column)
{
    if (c->p->met[i] == column) return false;
    c->p->met[i] = column;
    if (c->p->number[i] >= 0) return true;
    c->o->lower_row[c->lower++] = i;
    return false;
}

/* All that can be reached from row i, which has a pivot; behind it in `found`, which begins at `top`.  The new top. */
static int search(struct choice *c, int i, int column, int top)
{
    struct sparse_pivots *const p = c->p;
    const int *const start = c->o->lower_start;
    int depth = 0;
    p->path[0] = i;
    p->next[0] = start[p->number[i]] + 1;
    while (depth >= 0) {
        int const row = p->path[depth], end = p->end[p->number[row]];
        int m = p->next[depth];
        while (m < end && !meet(c, c->o->lower_row[m], column)) m++;
        if (m == end) {
            p->found[--top] = row;
            depth--;
            continue;
        }
        int const deeper = c->o->lower_row[m];
        p->next[depth++] = m + 1;
        p->path[depth] = deeper;
        p->next[depth] = start[p->number[deeper]] + 1;
    }
    return top;
}

/* The rows of column k, in a block that begins at pivot `first`: in blocks before, in L, and in `found`.  The top of that. */
static int find_rows(struct choice *c, int k, int first)
{
    int const column = c->o->Q[k];
    int top = c->o->n;
    for (int m = c->k->start[column]; m < c->k->start[column + 1]; m++) {
        int const i = c->k->row[m];
        bool const before = c->p->number[i] >= 0 && c->p->number[i] < first;
        if (before) c->o->later_row[c->later++] = c->p->number[i];
        if (!before && meet(c, i, k)) top = search(c, i, k, top);
    }
    return top;
}

/* x = L^-1 W e_Q(k), in the rows of the block. */
static void eliminate(const struct choice *c, int k, int first, int top)
{
    const struct sparse_pivots *const p = c->p;
    const struct sparse_order *const o = c->o;
    int const column = o->Q[k];
    for (int m = c->k->start[column]; m < c->k->start[column + 1]; m++) {
        int const i = c->k->row[m];
        if (p->number[i] < 0 || p->number[i] >= first) p->x[i] = c->k->value[m] / p->scale[i];
    }
    for (int f = top; f < o->n; f++) {
        int const row = p->found[f], pivot = p->number[row];
        double const u = p->x[row];
        p->x[row] = 0;
        for (int m = o->lower_start[pivot] + 1; m < o->lower_start[pivot + 1]; m++)
            p->x[o->lower_row[m]] -= c->lower_value[m] * u;
    }
}

/* Which of the entries `from` to `lower` is the pivot of column k; -1: none. */
static int choose(const struct choice *c, int k, int from)
{
    const int *const row = c->o->lower_row;
    int diagonal = -1, largest = -1;
    double most = 0;
    for (int m = from; m < c->lower; m++) {
        double const size = c->lower_value ? fabs(c->p->x[row[m]]) : 0;
        if (row[m] == c->o->P[k]) diagonal = m;
        if (size > most) {
            most = size;
            largest = m;
        }
    }
    if (!c->lower_value) return diagonal;
    if (largest < 0 || !isfinite(most)) return -1;
    bool const keeps = diagonal >= 0 && fabs(c->p->x[row[diagonal]]) >= c->tolerance * most;
    return keeps ? diagonal : largest;
}

/* Row i is the pivot of column k.  The row that was its diagonal becomes that of the column i would have been, if it is still free. */
static void take(struct choice *c, int k, int i)
{
    struct sparse_pivots *const p = c->p;
    int const displaced = c->o->P[k];
    if (displaced != i && p->number[displaced] < 0) {
        c->o->P[p->home[i]] = displaced;
        p->home[displaced] = p->home[i];
    }
    c->o->P[k] = i;
    p->number[i] = k;
}

/* Column k of L, its pivot first, x divided by it and cleared. */
static void divide(const struct choice *c, int from, int pivot)
{
    int *const row = c->o->lower_row;
    int const chosen = row[pivot];
    row[pivot] = row[from];
    row[from] = chosen;
    if (!c->lower_value) return;
    double const divisor = c->p->x[chosen];
    for (int m = from; m < c->lower; m++) {
        c->lower_value[m] = c->p->x[row[m]] / divisor;
        c->p->x[row[m]] = 0;
    }
}

/* Rows that have a pivot go to the front of column s of L, from behind its own; where they end. */
static int part(const struct choice *c, int s)
{
    int *const row = c->o->lower_row;
    int front = c->o->lower_start[s] + 1, back = c->o->lower_start[s + 1];
    while (front < back) {
        int const i = row[front];
        if (c->p->number[i] >= 0) {
            front++;
            continue;
        }
        row[front] = row[--back];
        row[back] = i;
        if (!c->lower_value) continue;
        double const value = c->lower_value[front];
        c->lower_value[front] = c->lower_value[back];
        c->lower_value[back] = value;
    }
    return front;
}

/* Where s is in column k of U and row k in column s of L, all that can be reached from the rest of column s can be reached through k:
   later searches need not go there (Eisenstat and Liu 1992). */
static void prune(const struct choice *c, int k, int top)
{
    const struct sparse_order *const o = c->o;
    for (int f = top; f < o->n; f++) {
        int const s = c->p->number[c->p->found[f]], end = o->lower_start[s + 1];
        if (c->p->end[s] < end) continue;
        int m = o->lower_start[s] + 1;
        while (m < end && o->lower_row[m] != o->P[k]) m++;
        if (m < end) c->p->end[s] = part(c, s);
    }
}

static void clear(const struct choice *c, int from)
{
    for (int m = from; m < c->lower; m++) c->p->x[c->o->lower_row[m]] = 0;
}

static ptrdiff_t take_column(struct choice *c, int k, int first)
{
    struct sparse_order *const o = c->o;
    int const from = c->lower;
    o->lower_start[k] = from;
    o->upper_start[k] = c->upper;
    o->later_start[k] = c->later;
    int const top = find_rows(c, k, first);
    if (c->lower_value) eliminate(c, k, first, top);
    for (int f = top; f < o->n; f++) o->upper_row[c->upper++] = c->p->number[c->p->found[f]];
    o->upper_row[c->upper++] = k;
    int const pivot = choose(c, k, from);
    if (pivot < 0) {
        clear(c, from);
        return (ptrdiff_t)o->Q[k] + 1;
    }
    take(c, k, o->lower_row[pivot]);
    divide(c, from, pivot);
    o->lower_start[k + 1] = c->p->end[k] = c->lower;
    o->upper_start[k + 1] = c->upper;
    o->later_start[k + 1] = c->later;
    prune(c, k, top);
    return 0;
}

/* Rows of L are rows of W until all of the block have their numbers. */
static ptrdiff_t take_block(struct choice *c, int first, int end, bool with_values)
{
    int const before = c->lower;
    for (int k = first; k < end; k++) {
        if (!make_room(c, end - first, with_values)) return LINEAR_NO_MEMORY;
        ptrdiff_t const failed = take_column(c, k, first);
        if (failed) return failed;
    }
    for (int m = before; m < c->lower; m++) c->o->lower_row[m] = c->p->number[c->o->lower_row[m]];
    return 0;
}

static ptrdiff_t choose_all(struct sparse_pivots *p, const struct sparse_klu *k, double tolerance,
                            bool with_values)
{
    const struct sparse_analysis *const a = k->now;
    struct sparse_order *const o = &p->order;
    struct choice c = {.p = p, .o = o, .k = k, .tolerance = tolerance};
    o->n = (int)k->n;
    o->blocks = a->blocks;
    o->Q = a->Q;
    o->R = a->R;
    for (int j = 0; j < o->n; j++) {
        o->P[j] = a->P[j];
        p->home[a->P[j]] = j;
        p->number[j] = p->met[j] = -1;
    }
    for (int b = 0; b < o->blocks; b++) {
        ptrdiff_t const failed = take_block(&c, o->R[b], o->R[b + 1], with_values);
        if (failed) return failed;
    }
    return 0;
}

ptrdiff_t sparse_pivots_of_analysis(struct sparse_pivots *p, const struct sparse_klu *k)
{
    return choose_all(p, k, 0, false);
}

ptrdiff_t sparse_pivots_choose(struct sparse_pivots *p, const struct sparse_klu *k,
                               double tolerance)
{
    for (size_t i = 0; i < k->n; i++) p->scale[i] = 0;
    for (size_t j = 0; j < k->n; j++)
        for (int m = k->start[j]; m < k->start[j + 1]; m++)
            p->scale[k->row[m]] = fmax(p->scale[k->row[m]], fabs(k->value[m]) * k->unit[j]);
    return choose_all(p, k, tolerance, true);
}

void sparse_pivots_release(struct sparse_pivots *p)
{
    heap_drop(&p->lower_row);
    heap_drop(&p->lower_value);
    heap_drop(&p->upper_row);
}
