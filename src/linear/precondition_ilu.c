/* SPDX-License-Identifier: Apache-2.0 */
/* ILU(0): L D U on the pattern of W, where fill is dropped (Meijerink and van der Vorst 1977; Saad 2003, algorithm 10.4).
   The pattern is that of a sparse A; of a dense or band A, the entries of W that are not zero. */
#include "linear/precondition.h"

#include <math.h>
#include <string.h>

#include "linear/precondition_kernels.h"

struct ilu {
    const struct precondition_kernels *kernels;
    size_t *place; /* place[n]: 1 + where the column stands in the row at work, else 0 */
    double *row;   /* row[n]: of W, for a dense or band A */
    struct ilu_slot {
        struct ilu_factors F;
        size_t *start, *column; /* own pattern, if it is not that of A */
    } * slot;
};

static void layout(struct linear *l, struct arena *arena)
{
    const struct matrix *const A = l->A;
    bool const sparse = A->kind == MATRIX_SPARSE;
    size_t const width = A->kind == MATRIX_NONE ? 1 : A->width;
    struct ilu *p, own = {.kernels = precondition_kernels_for(l->kernels)};
    l->krylov->factors = ARENA_TAKE(arena, p, 1);
    ARENA_TAKE(arena, own.place, A->n);
    ARENA_TAKE(arena, own.slot, l->slots);
    if (!sparse) own.row = arena_doubles(arena, A->n);
    for (size_t k = 0; k < l->slots; k++) {
        struct ilu_slot s = {.F = {.n = A->n}};
        ARENA_TAKE(arena, s.F.diagonal, A->n);
        s.F.value = sparse ? arena_doubles(arena, A->entries) : arena_matrix(arena, A->n, width);
        ARENA_TAKE(arena, s.start, A->n + 1);
        ARENA_TAKE(arena, s.column, sparse ? A->entries : A->n * width);
        if (own.slot) own.slot[k] = s;
    }
    if (p) *p = own;
}

/* Row r of W = re M - A, as row i of P, on the pattern of the sparse A; what M has beside it is dropped.  False if not finite. */
static bool fill_sparse(const struct linear *l, double re, size_t i, size_t r, struct ilu *p,
                        struct ilu_factors *F)
{
    size_t const first = F->start[i], count = F->start[i + 1] - first;
    struct matrix_row const own = matrix_row(l->A, r);
    double waste = 0;
    for (size_t m = first; m < first + count; m++) {
        p->place[F->column[m]] = m + 1;
        F->value[m] = -own.value[m - first];
        if (F->column[m] == i) F->diagonal[i] = m;
    }
    if (!l->M) F->value[p->place[r] - 1] += re;
    struct matrix_row const row = l->M ? matrix_row(l->M, r) : (struct matrix_row){.count = 0};
    for (size_t m = 0; m < row.count; m++) {
        size_t const at = p->place[row.column[m]];
        if (at) F->value[at - 1] += re * row.value[m];
    }
    double *const diagonal = &F->value[F->diagonal[i]];
    *diagonal = precondition_shift(l, count, F->value + first, *diagonal);
    for (size_t m = first; m < first + count; m++) waste += 0 * F->value[m];
    return waste == 0;
}

/* The pattern of a sparse A with its rows in the order of P. */
static void order_pattern(const struct matrix *A, const size_t *order, struct ilu_slot *s)
{
    s->start[0] = 0;
    for (size_t i = 0; i < A->n; i++) {
        struct matrix_row const row = matrix_row(A, order[i]);
        memcpy(s->column + s->start[i], row.column, row.count * sizeof *s->column);
        s->start[i + 1] = s->start[i] + row.count;
    }
}

/* The same for a dense or band A, with the pattern made on the way. */
static bool fill_row(const struct linear *l, size_t slot, double re, size_t i, size_t r,
                     struct ilu *p)
{
    struct ilu_slot *const s = &p->slot[slot];
    struct matrix_row const row = matrix_row(l->A, r);
    size_t const first = row.count ? row.first : i, count = row.count ? row.count : 1;
    size_t m = s->start[i];
    bool const finite = precondition_gather(l, slot, re, i, first, first + count, p->row);
    for (size_t j = 0; j < count; j++) {
        if (p->row[j] == 0 && first + j != i) continue;
        if (first + j == i) s->F.diagonal[i] = m;
        s->column[m] = first + j;
        s->F.value[m++] = p->row[j];
        p->place[first + j] = m;
    }
    s->start[i + 1] = m;
    return finite;
}

/* Row i of L, D and U from the rows above, kept where the pattern has a place.  True if the pivot is usable. */
static bool eliminate(size_t i, const size_t *place, struct ilu_factors *F)
{
    double *const value = F->value;
    for (size_t m = F->start[i]; m < F->diagonal[i]; m++) {
        size_t const k = F->column[m];
        double const a = value[m];
        for (size_t e = F->diagonal[k] + 1; e < F->start[k + 1]; e++) {
            size_t const at = place[F->column[e]];
            if (at) value[at - 1] -= a * value[e];
        }
        value[m] = a * value[F->diagonal[k]];
    }
    double *const pivot = &value[F->diagonal[i]];
    double const inverse = 1 / *pivot;
    bool const usable = isfinite(*pivot) && isfinite(inverse);
    *pivot = inverse;
    for (size_t m = F->diagonal[i] + 1; m < F->start[i + 1]; m++) value[m] *= inverse;
    return usable;
}

static ptrdiff_t prepare(struct linear *l, size_t slot, double re)
{
    struct ilu *const p = l->krylov->factors;
    struct ilu_slot *const s = &p->slot[slot];
    struct ilu_factors *const F = &s->F;
    const size_t *const order = precondition_order(l, slot);
    bool const sparse = l->A->kind == MATRIX_SPARSE, own = order || !sparse;
    F->start = own ? s->start : l->A->rows.start;
    F->column = own ? s->column : l->A->rows.column;
    s->start[0] = 0;
    if (sparse && order) order_pattern(l->A, order, s);
    for (size_t i = 0; i < F->n; i++) {
        size_t const r = order ? order[i] : i;
        bool const finite =
            sparse ? fill_sparse(l, re, i, r, p, F) : fill_row(l, slot, re, i, r, p);
        bool const usable = finite && eliminate(i, p->place, F);
        for (size_t m = F->start[i]; m < F->start[i + 1]; m++) p->place[F->column[m]] = 0;
        if (!usable) return (ptrdiff_t)i + 1;
    }
    return 0;
}

static int solve(const struct linear *l, size_t slot, const struct linear_task *task, double *X)
{
    const struct ilu *const p = l->krylov->factors;
    p->kernels->solve_ilu(&p->slot[slot].F, task->lanes, X);
    return 0;
}

static double inverse(const struct linear *l, size_t slot, size_t i)
{
    const struct ilu_factors *const F = &((const struct ilu *)l->krylov->factors)->slot[slot].F;
    return F->value[F->diagonal[i]];
}

static double entries(const struct linear *l)
{
    const struct matrix *const A = l->A;
    return (double)(A->kind == MATRIX_SPARSE ? A->entries : A->n * (A->width ? A->width : 1));
}

/* Every entry of L meets a row of U of mean length. */
static double prepare_cost(const struct linear *l)
{
    return entries(l) * entries(l) / (double)l->A->n;
}

static double solve_cost(const struct linear *l)
{
    return 2 * entries(l);
}

const struct preconditioner precondition_ilu = {
    .name = "ilu",
    .entries = true,
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .inverse = inverse,
    .prepare_cost = prepare_cost,
    .solve_cost = solve_cost,
};
