/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse W = re M - A.  KLU analyses the pattern once; pivots are chosen when there are none or the old ones have become bad;
   else W is factored with the pivots it has, by a list of steps that is made with them (matrix/sparse_factors.h).  All memory is kept
   for the next choice, and for the next run. */
#include "linear/sparse_lu.h"

#include <math.h>

#include "base/heap.h"
#include "matrix/lu_kernels.h"

/* Pivots are bad when the factors' error in a row may be this many times the rounding errors of its largest entry (with the
   usual preference for the diagonal a single elimination may come to 1000), and this many times more than when they were new: where
   columns differ much in size new ones would not help. */
static const double most_growth = 1e3, much_worse = 10;

static void layout(struct linear *l, struct arena *arena)
{
    struct sparse_lu *s;
    struct sparse_slot *slot;
    struct sparse_klu klu = {.n = l->A->n, .entries = l->A->entries, .thin = l->thin};
    struct sparse_pivots pivots = {0};
    linear_layout_units(l, arena);
    l->factors = ARENA_TAKE(arena, s, 1);
    ARENA_TAKE(arena, slot, l->slots);
    sparse_klu_layout(&klu, arena);
    sparse_pivots_layout(&pivots, &klu, arena);
    if (!s) return;
    *s = (struct sparse_lu){.klu = klu, .pivots = pivots, .slot = slot};
    for (size_t k = 0; k < l->slots; k++) slot[k] = (struct sparse_slot){.is_fresh = true};
}

static const double *values(const struct matrix *M)
{
    return M ? M->value : NULL;
}

/* The slot gets the pivots that were chosen. */
static ptrdiff_t take_pivots(const struct linear *l, struct sparse_slot *slot)
{
    struct sparse_lu *const s = l->factors;
    slot->has_pivots =
        sparse_factors_write(&slot->F, &s->pivots.order, &s->scratch, &slot->memory, &slot->costs);
    if (!slot->has_pivots) return LINEAR_NO_MEMORY;
    slot->changes = s->klu.changes;
    s->pivotings++;
    return 0;
}

/* Factors with new pivots. */
static ptrdiff_t try_pivots(const struct linear *l, struct sparse_slot *slot, double re)
{
    slot->F.scaled = l->constraint;
    slot->F.unit = l->unit;
    ptrdiff_t const bad = l->kernels->lu->factor_sparse(&slot->F, &l->A->rows, values(l->M), re);
    slot->limit = fmax(most_growth, much_worse * slot->F.growth);
    return bad;
}

static bool are_good(const struct sparse_slot *slot, ptrdiff_t failed)
{
    return failed == 0 && slot->F.growth <= most_growth;
}

static const double usual = 1e-3, strict = 1;

/* The pivots of the analysis, which do not depend on the values of W: a solver that is restarted may still have them, and uses what a
   new one would. */
static ptrdiff_t factor_first(const struct linear *l, struct sparse_slot *slot, double re)
{
    struct sparse_lu *const s = l->factors;
    size_t const analysis = s->klu.now->number;
    slot->is_fresh = false;
    if (!(slot->has_pivots && slot->first == analysis)) {
        slot->first = 0;
        ptrdiff_t failed = sparse_pivots_of_analysis(&s->pivots, &s->klu);
        if (!failed) failed = take_pivots(l, slot);
        if (failed) return failed;
        slot->first = analysis;
    }
    slot->changes = s->klu.changes;
    return try_pivots(l, slot, re);
}

/* Those for the values of W. */
static ptrdiff_t choose_pivots(const struct linear *l, struct sparse_slot *slot, double tolerance,
                               double re)
{
    struct sparse_lu *const s = l->factors;
    slot->first = 0;
    ptrdiff_t failed = sparse_pivots_choose(&s->pivots, &s->klu, tolerance);
    if (!failed) failed = take_pivots(l, slot);
    return failed ? failed : try_pivots(l, slot, re);
}

/* The diagonal is preferred at first, which keeps the factors sparse; if that is not good enough, it is not. */
static ptrdiff_t factor_anew(const struct linear *l, struct sparse_slot *slot, double re)
{
    struct sparse_lu *const s = l->factors;
    ptrdiff_t failed = sparse_klu_settle(&s->klu, &l->A->rows, values(l->M));
    if (!failed) failed = sparse_klu_assemble(&s->klu, l, re);
    if (failed) return failed;
    if (slot->is_fresh || slot->changes != s->klu.changes) {
        failed = factor_first(l, slot, re);
        if (failed < 0 || are_good(slot, failed)) return failed;
    }
    failed = choose_pivots(l, slot, usual, re);
    return failed < 0 || are_good(slot, failed) ? failed : choose_pivots(l, slot, strict, re);
}

static ptrdiff_t factor(struct linear *l, size_t slot, double re, double im)
{
    struct sparse_lu *const s = l->factors;
    struct sparse_slot *const own = &s->slot[slot];
    const struct sparse_rows *const A = &l->A->rows;
    const double *const M = values(l->M);
    if (im != 0) return LINEAR_NOT_SUPPORTED;
    if (!own->is_fresh && own->has_pivots && own->changes == s->klu.changes &&
        sparse_klu_fits(&s->klu, A, M)) {
        own->F.scaled = l->constraint;
        own->F.unit = l->unit;
        ptrdiff_t const bad = l->kernels->lu->factor_sparse(&own->F, A, M, re);
        if (bad == 0 && own->F.growth <= own->limit) return 0;
    }
    return factor_anew(l, own, re);
}

static const struct sparse_factors *factors(const struct linear *l, size_t slot)
{
    return &((const struct sparse_lu *)l->factors)->slot[slot].F;
}

static void solve_panel(const struct linear *l, size_t slot, size_t lanes, double *X)
{
    l->kernels->lu->solve_sparse(factors(l, slot), lanes, X);
}

static void solve(const struct linear *l, size_t slot, double *x)
{
    solve_panel(l, slot, 1, x);
}

/* x <- L^-T U^-T S^T x for the rows of a dense tail (linear/dense_lu.c). */
static void solve_tail_transposed(const struct sparse_stage *stage, double *x)
{
    const struct dense_factors *const F = &stage->tail;
    const uint32_t *const at = stage->variable;
    for (size_t k = 0; k < F->n; k++) {
        double const exchanged = x[at[k]];
        x[at[k]] = x[at[F->pivot[k]]];
        x[at[F->pivot[k]]] = exchanged;
    }
    for (size_t i = 0; i < F->n; i++) {
        const double *const row = F->value + i * F->ld;
        for (size_t j = i + 1; j < F->n; j++) x[at[j]] -= row[j] * x[at[i]];
    }
    for (size_t i = F->n; i-- > 0;) {
        const double *const row = F->value + i * F->ld;
        x[at[i]] *= row[i];
        for (size_t j = 0; j < i; j++) x[at[j]] -= row[j] * x[at[i]];
    }
}

/* x_Q(k) goes to x_P(k). */
static void move_back(const struct sparse_factors *F, double *x)
{
    for (size_t c = 0, first = 0; c < F->cycles; first = F->cycle_end[c++]) {
        size_t e = F->cycle_end[c] - 1;
        double const last = x[F->cycle[e]];
        for (; e > first; e--) x[F->cycle[e]] = x[F->cycle[e - 1]];
        x[F->cycle[e]] = last;
    }
}

/* The transposed of every step of a solve, from the last to the first. */
static void solve_transposed(const struct linear *l, size_t slot, double *x)
{
    const struct sparse_factors *const F = factors(l, slot);
    size_t step = F->steps, stage = F->stages;
    while (stage-- > 0) {
        size_t const from = stage ? F->stage[stage - 1].steps_end : 0;
        solve_tail_transposed(&F->stage[stage], x);
        while (step > from) {
            const struct sparse_step *const s = &F->step[--step];
            double const v = x[s->at] *= s->scale;
            for (size_t m = step ? s[-1].end : 0; m < s->end; m++)
                x[F->column[m]] -= F->value[m] * v;
        }
    }
    move_back(F, x);
}

/* Those of the factors in slot 0; before there are any, KLU's estimates; if it cannot make them, those of a
   factorisation without fill. */
static struct sparse_costs costs(const struct linear *l)
{
    struct sparse_lu *const s = l->factors;
    double const n = (double)l->A->n, entries = (double)l->A->entries;
    struct sparse_costs whole;
    if (!s->slot[0].is_fresh && s->slot[0].has_pivots) return s->slot[0].costs;
    if (sparse_klu_costs(&s->klu, &l->A->rows, &whole))
        return (struct sparse_costs){entries * entries / n, 2 * entries - n};
    return whole;
}

static double factor_cost(const struct linear *l)
{
    return costs(l).factor;
}

static double solve_cost(const struct linear *l)
{
    return costs(l).solve;
}

/* Without memory, the factorisation that follows says so. */
static void settle(struct linear *l)
{
    struct sparse_lu *const s = l->factors;
    (void)sparse_klu_settle(&s->klu, &l->A->rows, values(l->M));
}

static void release(struct linear *l)
{
    struct sparse_lu *const s = l->factors;
    for (size_t k = 0; k < l->slots; k++) {
        heap_drop(&s->slot[k].memory);
        s->slot[k] = (struct sparse_slot){.is_fresh = true};
    }
    s->klu.settled = false;
    sparse_klu_release(&s->klu);
    sparse_pivots_release(&s->pivots);
    sparse_scratch_release(&s->scratch);
}

/* Pivots, and what is left out, are found anew, from the values W then has; memory stays. */
static void forget(struct linear *l)
{
    struct sparse_lu *const s = l->factors;
    for (size_t k = 0; k < l->slots; k++) s->slot[k].is_fresh = true;
    s->klu.settled = false;
}

const struct linear_table linear_sparse_lu = {
    .name = "sparse_lu",
    .matrix = MATRIX_SPARSE,
    .layout = layout,
    .settle = settle,
    .factor = factor,
    .solve = solve,
    .solve_panel = solve_panel,
    .solve_transposed = solve_transposed,
    .factor_cost = factor_cost,
    .solve_cost = solve_cost,
    .release = release,
    .forget = forget,
};
