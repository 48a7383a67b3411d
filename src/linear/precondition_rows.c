/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the rows a preconditioner is made from.  ILU(0), bands and blocks hold what stands near the diagonal of W, and the
   equations of an implicit problem may stand in any order: where a pivot vanishes, or is tiny against the row and the column it
   stands in, the rows are matched to the columns so that the diagonal has entries that are large in theirs (Duff and Koster 2001, by
   thresholds instead of a largest product): augmenting paths, breadth first, through entries above a threshold that is lowered until
   every row has its column. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "linear/precondition.h"

static const size_t none = SIZE_MAX;

struct row_order {
    size_t *row;                /* row[slots*n]: row i of P is that row of W, */
    bool *is_own;               /* is_own[slots]: where it is not row i */
    size_t *before;             /* before[n]: the order that another one is tried against */
    size_t *column_of, *from;   /* column_of[n] of the rows; from[n]: which row led to the column */
    size_t *queue, *reached;    /* queue[n] of rows; reached[n], of columns */
    double *of_row, *of_column; /* of_row[n], of_column[n]: reciprocals of the largest entries */
};

void precondition_order_layout(struct linear *l, struct arena *arena)
{
    struct krylov *const k = l->krylov;
    size_t const n = l->A->n;
    struct row_order own, *placed;
    k->order = NULL;
    k->shift = 0;
    if (!k->preconditioner->entries || l->A->kind == MATRIX_NONE) return;
    ARENA_TAKE(arena, placed, 1);
    ARENA_TAKE(arena, own.row, l->slots * n);
    ARENA_TAKE(arena, own.is_own, l->slots);
    ARENA_TAKE(arena, own.before, n);
    ARENA_TAKE(arena, own.column_of, n);
    ARENA_TAKE(arena, own.from, n);
    ARENA_TAKE(arena, own.queue, n);
    ARENA_TAKE(arena, own.reached, n);
    own.of_row = arena_doubles(arena, n);
    own.of_column = arena_doubles(arena, n);
    if (!placed) return;
    *placed = own;
    k->order = placed;
    precondition_order_forget(l);
}

void precondition_order_forget(struct linear *l)
{
    struct row_order *const o = l->krylov->order;
    for (size_t k = 0; o && k < l->slots; k++) o->is_own[k] = false;
}

const size_t *precondition_order(const struct linear *l, size_t slot)
{
    const struct row_order *const o = l->krylov->order;
    return o && o->is_own[slot] ? o->row + slot * l->A->n : NULL;
}

/* Row i of W = re M - A, from entry to entry of that of A. */
struct reader {
    const struct linear *l;
    struct matrix_row a, m;
    size_t i, e, at;
    double re;
};

static struct reader read_row(const struct linear *l, double re, size_t i)
{
    struct reader r = {.l = l, .re = re, .i = i, .a = matrix_row(l->A, i)};
    if (l->M) r.m = matrix_row(l->M, i);
    return r;
}

static bool read_entry(struct reader *r, size_t *j, double *w)
{
    if (r->e == r->a.count) return false;
    *j = matrix_row_column(&r->a, r->e);
    *w = -r->a.value[r->e++];
    if (!r->l->M) {
        *w += *j == r->i ? r->re : 0;
        return true;
    }
    while (r->at < r->m.count && matrix_row_column(&r->m, r->at) < *j) r->at++;
    if (r->at < r->m.count && matrix_row_column(&r->m, r->at) == *j)
        *w += r->re * r->m.value[r->at];
    return true;
}

/* Reciprocals of the largest entries of the rows, then of the columns of what these make of W.  False if one is not finite. */
static bool find_scales(const struct linear *l, double re, struct row_order *o)
{
    size_t const n = l->A->n;
    size_t j;
    double w, waste = 0;
    for (size_t i = 0; i < n; i++) o->of_column[i] = 0;
    for (size_t i = 0; i < n; i++) {
        double largest = 0;
        for (struct reader r = read_row(l, re, i); read_entry(&r, &j, &w);) {
            largest = fmax(largest, fabs(w));
            waste += 0 * w;
        }
        o->of_row[i] = 1 / largest;
        for (struct reader r = read_row(l, re, i); read_entry(&r, &j, &w);)
            o->of_column[j] = fmax(o->of_column[j], fabs(w) * o->of_row[i]);
        waste += 0 * o->of_row[i];
    }
    for (size_t i = 0; i < n; i++) {
        o->of_column[i] = 1 / o->of_column[i];
        waste += 0 * o->of_column[i];
    }
    return waste == 0;
}

static double size_of(const struct row_order *o, size_t i, size_t j, double w)
{
    return fabs(w) * o->of_row[i] * o->of_column[j];
}

/* Turns the matching over along the path that ends in column j. */
static void turn_over(struct row_order *o, size_t *row, size_t j)
{
    while (j != none) {
        size_t const i = o->from[j], before = o->column_of[i];
        o->column_of[i] = j;
        row[j] = i;
        j = before;
    }
}

/* Finds a column for row i, through entries above the threshold.  What is reached in vain leads nowhere later either, at this
   threshold, and stays marked. */
static bool augment(const struct linear *l, double re, double least, struct row_order *o,
                    size_t *row, size_t i)
{
    size_t queued = 1, count = 0, j, found = none;
    double w;
    o->queue[0] = i;
    for (size_t k = 0; k < queued && found == none; k++)
        for (struct reader r = read_row(l, re, o->queue[k]); read_entry(&r, &j, &w);) {
            if (o->from[j] != none || w == 0 || size_of(o, o->queue[k], j, w) < least) continue;
            o->from[j] = o->queue[k];
            o->reached[count++] = j;
            if (row[j] == none) {
                found = j;
                break;
            }
            o->queue[queued++] = row[j];
        }
    if (found == none) return false;
    turn_over(o, row, found);
    for (size_t k = 0; k < count; k++) o->from[o->reached[k]] = none;
    return true;
}

/* Rows stay where they are if they can. */
static void keep_diagonal(const struct linear *l, double re, double least, struct row_order *o,
                          size_t *row)
{
    size_t j;
    double w;
    for (size_t i = 0; i < l->A->n; i++) {
        o->column_of[i] = row[i] = none;
        for (struct reader r = read_row(l, re, i); read_entry(&r, &j, &w);)
            if (j == i && size_of(o, i, i, w) >= least) o->column_of[i] = row[i] = i;
    }
}

/* In W with scales found.  False if no order of rows has a diagonal without zeros. */
static bool match(const struct linear *l, size_t slot, double re)
{
    static const double threshold[] = {0.1, 1e-3, 1e-6, 0};
    struct row_order *const o = l->krylov->order;
    size_t const n = l->A->n;
    size_t *const row = o->row + slot * n;
    bool all = false;
    keep_diagonal(l, re, threshold[0], o, row);
    for (size_t t = 0; t < sizeof threshold / sizeof *threshold && !all; t++) {
        all = true;
        for (size_t j = 0; j < n; j++) o->from[j] = none;
        for (size_t i = 0; i < n; i++)
            if (o->column_of[i] == none && !augment(l, re, threshold[t], o, row, i)) all = false;
    }
    return all;
}

/* With entries of the diagonal enlarged by shares of the largest in their rows elimination cannot fail in the end (Manteuffel
   1980): P is then a bad likeness of W, but one that iteration can do with. */
static ptrdiff_t prepare_shifted(struct linear *l, size_t slot, double re, ptrdiff_t code)
{
    static const double shift[] = {0.01, 0.1, 1};
    struct krylov *const k = l->krylov;
    for (size_t m = 0; m < sizeof shift / sizeof *shift && code > 0; m++) {
        k->shift = shift[m];
        code = k->preconditioner->prepare(l, slot, re);
    }
    k->shift = 0;
    return code;
}

/* The smallest of the pivots, over the largest entries of their rows and columns. */
static double smallest_pivot(const struct linear *l, size_t slot)
{
    const struct row_order *const o = l->krylov->order;
    const size_t *const row = precondition_order(l, slot);
    double smallest = 1;
    for (size_t i = 0; i < l->A->n; i++) {
        double const inverse = l->krylov->preconditioner->inverse(l, slot, i);
        double const scale = o->of_row[row ? row[i] : i] * o->of_column[i];
        smallest = fmin(smallest, scale / fabs(inverse));
    }
    return smallest;
}

/* Other rows for the columns, if that makes the smallest pivot much larger.  An algebraic equation may stand opposite a variable it does
   not have, and its pivot be what elimination left there: of size 1/re (distillation columns, whose L and T stand in each other's
   places); P^-1 W is then as far from 1 as re is large, and smaller steps make that worse. */
static ptrdiff_t improve(struct linear *l, size_t slot, double re)
{
    static const double tiny = 1e-3, much = 10;
    struct krylov *const k = l->krylov;
    struct row_order *const o = k->order;
    size_t const n = l->A->n;
    size_t *const row = o->row + slot * n;
    bool const was_own = o->is_own[slot];
    if (!find_scales(l, re, o)) return 0;
    double const smallest = smallest_pivot(l, slot);
    if (smallest >= tiny) return 0;
    for (size_t i = 0; i < n; i++) o->before[i] = was_own ? row[i] : i;
    bool const other = match(l, slot, re) && memcmp(row, o->before, n * sizeof *row) != 0;
    if (other) {
        o->is_own[slot] = true;
        ptrdiff_t const code = k->preconditioner->prepare(l, slot, re);
        if (code < 0 || (code == 0 && smallest_pivot(l, slot) > much * smallest)) return code;
    }
    memcpy(row, o->before, n * sizeof *row);
    o->is_own[slot] = was_own;
    return other ? k->preconditioner->prepare(l, slot, re) : 0;
}

/* Where y' = f every equation stands opposite its variable, and only pivots that vanish are looked at. */
ptrdiff_t precondition_prepare(struct linear *l, size_t slot, double re)
{
    struct krylov *const k = l->krylov;
    ptrdiff_t const failed = k->preconditioner->prepare(l, slot, re);
    if (failed < 0 || k->is_strict || !k->order || !isfinite(re)) return failed;
    if (failed == 0) return l->M && k->preconditioner->inverse ? improve(l, slot, re) : 0;
    k->order->is_own[slot] = find_scales(l, re, k->order) && match(l, slot, re);
    if (!k->order->is_own[slot]) return failed;
    ptrdiff_t const code = k->preconditioner->prepare(l, slot, re);
    return code > 0 ? prepare_shifted(l, slot, re, code) : code;
}

double precondition_shift(const struct linear *l, size_t count, const double *w, double diagonal)
{
    double largest = 0;
    if (l->krylov->shift == 0) return diagonal;
    for (size_t m = 0; m < count; m++) largest = fmax(largest, fabs(w[m]));
    return diagonal + copysign(l->krylov->shift * largest, diagonal);
}

void precondition_exchange(const struct linear *l, size_t slot, size_t lanes, double *room,
                           double *X)
{
    const size_t *const row = precondition_order(l, slot);
    size_t const n = l->A->n;
    if (!row) return;
    memcpy(room, X, n * lanes * sizeof *X);
    for (size_t i = 0; i < n; i++) memcpy(X + i * lanes, room + row[i] * lanes, lanes * sizeof *X);
}
