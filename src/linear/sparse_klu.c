/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of KLU: analysis, a factorisation with pivoting, and the pattern of its factors. */
#include "linear/sparse_klu.h"

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
}

/* The pattern by columns. */
static void transpose(struct sparse_klu *k, const struct sparse_rows *A)
{
    memset(k->start, 0, (k->n + 1) * sizeof *k->start);
    for (size_t m = 0; m < k->entries; m++) k->start[A->column[m] + 1]++;
    for (size_t j = 0; j < k->n; j++) k->start[j + 1] += k->start[j];
    for (size_t i = 0; i < k->n; i++)
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            size_t const place = (size_t)k->start[A->column[m]]++;
            k->row[place] = (int)i;
            k->place[m] = place;
        }
    memmove(k->start + 1, k->start, k->n * sizeof *k->start);
    k->start[0] = 0;
}

ptrdiff_t sparse_klu_analyse(struct sparse_klu *k, const struct sparse_rows *A)
{
    if (k->symbolic) return 0;
    if (k->entries > INT_MAX) return LINEAR_NO_MEMORY;
    transpose(k, A);
    klu_defaults(&k->common);
    k->symbolic = klu_analyze((int)k->n, k->start, k->row, &k->common);
    return k->symbolic ? 0 : LINEAR_NO_MEMORY;
}

ptrdiff_t sparse_klu_assemble(struct sparse_klu *k, const struct sparse_rows *A, const double *M,
                              double re)
{
    for (size_t i = 0; i < k->n; i++) {
        double top = 0, waste = 0;
        for (size_t m = A->start[i]; m < A->start[i + 1]; m++) {
            double const mass = M ? M[m] : A->column[m] == i;
            double const w = re * mass - A->value[m];
            k->value[k->place[m]] = w;
            top = fmax(top, fabs(w));
            waste += 0 * w;
        }
        if (waste != 0 || !isfinite(1 / top)) return (ptrdiff_t)i + 1;
    }
    return 0;
}

/* The arrays klu_extract fills, with the values, which are not needed. */
struct extract {
    double *Lx, *Ux, *Fx, *Rs;
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
    ARENA_TAKE(arena, o->Lp, n + 1);
    ARENA_TAKE(arena, o->Up, n + 1);
    ARENA_TAKE(arena, o->Fp, n + 1);
    ARENA_TAKE(arena, o->Li, lower);
    ARENA_TAKE(arena, o->Ui, upper);
    ARENA_TAKE(arena, o->Fi, later + 1);
    ARENA_TAKE(arena, x->Lx, lower);
    ARENA_TAKE(arena, x->Ux, upper);
    ARENA_TAKE(arena, x->Fx, later + 1);
    ARENA_TAKE(arena, x->Rs, n);
}

static void *extract(struct sparse_klu *k, klu_numeric *numeric, struct sparse_order *o)
{
    struct extract x;
    struct arena arena = {0};
    extract_layout(o, &x, numeric, &arena);
    arena = (struct arena){.block = heap_take(arena.used)};
    if (!arena.block) return NULL;
    extract_layout(o, &x, numeric, &arena);
    klu_extract(numeric, k->symbolic, o->Lp, o->Li, x.Lx, o->Up, o->Ui, x.Ux, o->Fp, o->Fi, x.Fx,
                o->P, o->Q, x.Rs, o->R, &k->common);
    return arena.block;
}

ptrdiff_t sparse_klu_order(struct sparse_klu *k, double tolerance, struct sparse_order *order,
                           void **memory)
{
    k->common.tol = tolerance;
    klu_numeric *numeric = klu_factor(k->start, k->row, k->value, k->symbolic, &k->common);
    if (!numeric)
        return k->common.status == KLU_SINGULAR ? (ptrdiff_t)k->common.singular_col + 1
                                                : LINEAR_NO_MEMORY;
    *memory = extract(k, numeric, order);
    klu_free_numeric(&numeric, &k->common);
    return *memory ? 0 : LINEAR_NO_MEMORY;
}

void sparse_klu_release(struct sparse_klu *k)
{
    if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
}
