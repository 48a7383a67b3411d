/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of KLU: analysis, a factorisation with pivoting, and the pattern of its factors. */
#include "linear/sparse_klu.h"

#include <klu.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "linear/linear.h"

void sparse_klu_layout(struct sparse_klu *k, struct arena *arena)
{
    ARENA_TAKE(arena, k->start, k->n + 1);
    ARENA_TAKE(arena, k->row, k->entries);
    ARENA_TAKE(arena, k->place, k->entries);
    ARENA_TAKE(arena, k->value, k->entries);
    ARENA_TAKE(arena, k->common, 1);
    ARENA_TAKE(arena, k->omitted, k->thin ? k->entries : k->n);
}

/* The pattern by columns, less what is left out, whose place is `entries`. */
static void transpose(struct sparse_klu *k, const struct sparse_rows *A)
{
    memset(k->start, 0, (k->n + 1) * sizeof *k->start);
    memset(k->place, 0, k->entries * sizeof *k->place);
    for (size_t d = 0; d < k->omissions; d++) k->place[k->omitted[d]] = k->entries;
    for (size_t m = 0; m < k->entries; m++) k->start[A->column[m] + 1] += k->place[m] == 0;
    for (size_t j = 0; j < k->n; j++) k->start[j + 1] += k->start[j];
    for (size_t i = 0; i < k->n; i++)
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            if (k->place[m] == k->entries) continue;
            size_t const place = (size_t)k->start[A->column[m]]++;
            k->row[place] = (int)i;
            k->place[m] = place;
        }
    memmove(k->start + 1, k->start, k->n * sizeof *k->start);
    k->start[0] = 0;
}

static struct sparse_costs estimate(const klu_symbolic *a)
{
    double const n = a->n;
    return (struct sparse_costs){n + a->est_flops, 2 * (a->lnz + a->unz + a->nzoff) - 3 * n};
}

static ptrdiff_t analyse(struct sparse_klu *k, const struct sparse_rows *A)
{
    if (k->symbolic) return 0;
    if (k->entries > INT_MAX) return LINEAR_NO_MEMORY;
    transpose(k, A);
    klu_defaults(k->common);
    k->symbolic = klu_analyze((int)k->n, k->start, k->row, k->common);
    if (!k->symbolic) return LINEAR_NO_MEMORY;
    k->analyses++;
    if (k->omissions == 0) k->whole = estimate(k->symbolic);
    return 0;
}

/* All zeros on the diagonals of both, or anywhere.  Whether they are others than before. */
static bool find_zeros(struct sparse_klu *k, const struct sparse_rows *A, const double *M)
{
    size_t zeros = 0;
    bool others = false;
    for (size_t i = 0; i < k->n; i++)
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            bool const diagonal = A->column[m] == i, candidate = diagonal ? M != NULL : k->thin;
            if (!candidate || A->value[m] != 0 || (M && M[m] != 0)) continue;
            others = others || zeros >= k->omissions || k->omitted[zeros] != m;
            k->omitted[zeros++] = m;
        }
    others = others || zeros != k->omissions;
    k->omissions = zeros;
    return others;
}

/* Of those that are left out, the ones that are still zero.  Whether they are fewer than before. */
static bool keep_zeros(struct sparse_klu *k, const struct sparse_rows *A, const double *M)
{
    size_t const before = k->omissions;
    size_t zeros = 0;
    for (size_t d = 0; d < before; d++) {
        size_t const m = k->omitted[d];
        if (A->value[m] == 0 && (!M || M[m] == 0)) k->omitted[zeros++] = m;
    }
    k->omissions = zeros;
    return zeros != before;
}

bool sparse_klu_fits(const struct sparse_klu *k, const struct sparse_rows *A, const double *M)
{
    for (size_t d = 0; d < k->omissions; d++)
        if (A->value[k->omitted[d]] != 0 || (M && M[k->omitted[d]] != 0)) return false;
    return true;
}

ptrdiff_t sparse_klu_settle(struct sparse_klu *k, const struct sparse_rows *A, const double *M)
{
    bool const keeps = k->settled && !(k->thin && !sparse_klu_fits(k, A, M));
    bool const others = keeps ? keep_zeros(k, A, M) : find_zeros(k, A, M);
    if (others) sparse_klu_release(k);
    k->settled = true;
    return analyse(k, A);
}

ptrdiff_t sparse_klu_assemble(struct sparse_klu *k, const struct linear *l, double re)
{
    const struct sparse_rows *const A = &l->A->rows;
    const double *const M = l->M ? l->M->value : NULL;
    for (size_t i = 0; i < k->n; i++) {
        double const scale = l->constraint && l->constraint[i] ? re : 1;
        double top = 0, waste = 0;
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            double const mass = M ? M[m] : A->column[m] == i;
            double const w = scale * (re * mass - A->value[m]);
            if (k->place[m] < k->entries) k->value[k->place[m]] = w;
            top = fmax(top, fabs(w));
            waste += 0 * w;
        }
        if (waste != 0 || !isfinite(1 / top)) return (ptrdiff_t)i + 1;
    }
    return 0;
}

/* The arrays klu_extract fills, with the values, which are not needed. */
struct extract {
    double *lower, *upper, *later, *scale;
};

static void extract_layout(struct sparse_order *o, struct extract *x, const klu_numeric *numeric,
                           struct arena *arena)
{
    size_t const n = (size_t)numeric->n, lower = (size_t)numeric->lnz, upper = (size_t)numeric->unz;
    size_t const later = (size_t)numeric->nzoff;
    o->n = numeric->n;
    o->blocks = numeric->nblocks;
    ARENA_TAKE(arena, o->P, n);
    ARENA_TAKE(arena, o->Q, n);
    ARENA_TAKE(arena, o->R, n + 1);
    ARENA_TAKE(arena, o->lower_start, n + 1);
    ARENA_TAKE(arena, o->upper_start, n + 1);
    ARENA_TAKE(arena, o->later_start, n + 1);
    ARENA_TAKE(arena, o->lower_row, lower);
    ARENA_TAKE(arena, o->upper_row, upper);
    ARENA_TAKE(arena, o->later_row, later + 1);
    ARENA_TAKE(arena, x->lower, lower);
    ARENA_TAKE(arena, x->upper, upper);
    ARENA_TAKE(arena, x->later, later + 1);
    ARENA_TAKE(arena, x->scale, n);
}

static void *extract(struct sparse_klu *k, klu_numeric *numeric, struct sparse_order *o)
{
    struct extract x;
    struct arena arena = {0};
    extract_layout(o, &x, numeric, &arena);
    arena = (struct arena){.block = heap_take(arena.used)};
    if (!arena.block) return NULL;
    extract_layout(o, &x, numeric, &arena);
    klu_extract(numeric, k->symbolic, o->lower_start, o->lower_row, x.lower, o->upper_start,
                o->upper_row, x.upper, o->later_start, o->later_row, x.later, o->P, o->Q, x.scale,
                o->R, k->common);
    return arena.block;
}

ptrdiff_t sparse_klu_order(struct sparse_klu *k, double tolerance, struct sparse_order *order,
                           void **memory)
{
    k->common->tol = tolerance;
    klu_numeric *numeric = klu_factor(k->start, k->row, k->value, k->symbolic, k->common);
    if (!numeric)
        return k->common->status == KLU_SINGULAR ? (ptrdiff_t)k->common->singular_col + 1
                                                 : LINEAR_NO_MEMORY;
    *memory = extract(k, numeric, order);
    klu_free_numeric(&numeric, k->common);
    return *memory ? 0 : LINEAR_NO_MEMORY;
}

/* All entries 1 but the diagonal of the order of the analysis, which is larger than the sum of its row and of its column, and stays so. */
void sparse_klu_dominate(struct sparse_klu *k)
{
    const klu_symbolic *const a = k->symbolic;
    for (size_t j = 0; j < k->n; j++) {
        int const column = a->Q[j], end = k->start[column + 1];
        for (int m = k->start[column]; m < end; m++)
            k->value[m] = k->row[m] == a->P[j] ? 2 * (double)k->n : 1;
    }
}

ptrdiff_t sparse_klu_costs(struct sparse_klu *k, const struct sparse_rows *A,
                           struct sparse_costs *costs)
{
    if (k->whole.factor == 0 && k->omissions > 0) {
        sparse_klu_release(k);
        k->omissions = 0;
    }
    ptrdiff_t const failed = k->whole.factor == 0 ? analyse(k, A) : 0;
    *costs = k->whole;
    return failed;
}

void sparse_klu_release(struct sparse_klu *k)
{
    klu_symbolic *symbolic = k->symbolic;
    if (symbolic) klu_free_symbolic(&symbolic, k->common);
    k->symbolic = NULL;
}
