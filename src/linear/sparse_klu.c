/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of KLU, and which of its analyses are kept. */
#include "linear/sparse_klu.h"

#include <klu.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "linear/linear.h"

void sparse_klu_layout(struct sparse_klu *k, struct arena *arena)
{
    ARENA_TAKE(arena, k->start, k->n + 1);
    ARENA_TAKE(arena, k->row, k->entries);
    ARENA_TAKE(arena, k->place, k->entries);
    ARENA_TAKE(arena, k->value, k->entries);
    ARENA_TAKE(arena, k->common, 1);
    size_t const most = k->thin ? k->entries : k->n;
    ARENA_TAKE(arena, k->omitted, most);
    for (int a = 0; a < KEPT_ANALYSES; a++) ARENA_TAKE(arena, k->kept[a].omitted, most);
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

static bool is_of(const struct sparse_analysis *a, const struct sparse_klu *k)
{
    return a->symbolic && a->omissions == k->omissions &&
           memcmp(a->omitted, k->omitted, k->omissions * sizeof *k->omitted) == 0;
}

static void drop(struct sparse_klu *k, struct sparse_analysis *a)
{
    klu_symbolic *symbolic = a->symbolic;
    if (symbolic) klu_free_symbolic(&symbolic, k->common);
    a->symbolic = NULL;
}

/* KLU's analysis of the pattern by columns takes the place of another. */
static ptrdiff_t fill(struct sparse_klu *k, struct sparse_analysis *a)
{
    drop(k, a);
    klu_defaults(k->common);
    klu_symbolic *const symbolic = klu_analyze((int)k->n, k->start, k->row, k->common);
    if (!symbolic) return LINEAR_NO_MEMORY;
    a->symbolic = symbolic;
    a->P = symbolic->P;
    a->Q = symbolic->Q;
    a->R = symbolic->R;
    a->blocks = symbolic->nblocks;
    a->lower = symbolic->lnz;
    a->upper = symbolic->unz;
    a->number = ++k->analyses;
    a->omissions = k->omissions;
    memcpy(a->omitted, k->omitted, k->omissions * sizeof *k->omitted);
    if (k->omissions == 0) k->whole = estimate(symbolic);
    return 0;
}

/* The one that is kept, or else the place of the one that has not been used for the longest time. */
static struct sparse_analysis *find(struct sparse_klu *k)
{
    struct sparse_analysis *oldest = k->kept;
    for (int a = 0; a < KEPT_ANALYSES; a++) {
        if (is_of(&k->kept[a], k)) return &k->kept[a];
        if (k->kept[a].used < oldest->used) oldest = &k->kept[a];
    }
    return oldest;
}

static ptrdiff_t analyse(struct sparse_klu *k, const struct sparse_rows *A)
{
    if (k->now && is_of(k->now, k)) return 0;
    if (k->entries > INT_MAX) return LINEAR_NO_MEMORY;
    struct sparse_analysis *const a = find(k);
    k->now = NULL;
    transpose(k, A);
    ptrdiff_t const failed = is_of(a, k) ? 0 : fill(k, a);
    if (failed) return failed;
    a->used = ++k->changes;
    k->now = a;
    return 0;
}

/* All zeros on the diagonals of both, or anywhere. */
static void find_zeros(struct sparse_klu *k, const struct sparse_rows *A, const double *M)
{
    k->omissions = 0;
    for (size_t i = 0; i < k->n; i++)
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            bool const diagonal = A->column[m] == i, candidate = diagonal ? M != NULL : k->thin;
            if (candidate && A->value[m] == 0 && (!M || M[m] == 0)) k->omitted[k->omissions++] = m;
        }
}

/* Of those that are left out, the ones that are still zero. */
static void keep_zeros(struct sparse_klu *k, const struct sparse_rows *A, const double *M)
{
    size_t const before = k->omissions;
    size_t zeros = 0;
    for (size_t d = 0; d < before; d++) {
        size_t const m = k->omitted[d];
        if (A->value[m] == 0 && (!M || M[m] == 0)) k->omitted[zeros++] = m;
    }
    k->omissions = zeros;
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
    if (keeps)
        keep_zeros(k, A, M);
    else
        find_zeros(k, A, M);
    k->settled = true;
    return analyse(k, A);
}

ptrdiff_t sparse_klu_assemble(struct sparse_klu *k, const struct linear *l, double re)
{
    const struct sparse_rows *const A = &l->A->rows;
    const double *const M = l->M ? l->M->value : NULL;
    k->unit = l->unit;
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

ptrdiff_t sparse_klu_costs(struct sparse_klu *k, const struct sparse_rows *A,
                           struct sparse_costs *costs)
{
    ptrdiff_t failed = 0;
    if (k->whole.factor == 0) {
        k->omissions = 0;
        failed = analyse(k, A);
    }
    *costs = k->whole;
    return failed;
}

void sparse_klu_release(struct sparse_klu *k)
{
    for (int a = 0; a < KEPT_ANALYSES; a++) drop(k, &k->kept[a]);
    k->now = NULL;
}
