/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that wait until their parameters act, and their order. */
#include "drive/activation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "drive/solver.h"

struct entry {
    double from, tolerance;
    size_t number;
};

/* From when on column k can differ from zero: the first of its parameters, or at once where it moves y(t0). */
static double column_from(const tansy_problem *q, size_t k)
{
    if (!q->directions) {
        int const column = q->columns ? q->columns[k] : (int)k;
        return column >= 0 ? q->active_from[column] : -HUGE_VAL;
    }
    const double *const r = q->directions + k * (q->n + q->np);
    double from = HUGE_VAL;
    for (size_t i = 0; i < q->n; i++)
        if (r[i] != 0) from = -HUGE_VAL;
    for (size_t j = 0; j < q->np; j++)
        if (r[q->n + j] != 0) from = fmin(from, q->active_from[j]);
    return from;
}

static int compare(const void *a, const void *b)
{
    const struct entry *const x = a, *const y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->tolerance != y->tolerance) return x->tolerance < y->tolerance ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* Row order[k] of an array becomes row k of a copy, to which *array then points. */
static void sort_rows(struct arena *arena, const size_t *order, size_t count, size_t size,
                      void *array)
{
    const char *from = NULL;
    memcpy(&from, array, sizeof from);
    if (!from) return;
    char *const copy = arena_take(arena, count, size);
    if (!copy || !order) return;
    for (size_t k = 0; k < count; k++) memcpy(copy + k * size, from + order[k] * size, size);
    memcpy(array, &copy, sizeof copy);
}

/* The break time before `from`: what acts on a piece is divided into panels when it begins, and no sooner sorted. */
static double piece_begin(const tansy_problem *q, double from)
{
    double begin = -HUGE_VAL;
    for (size_t m = 0; m < q->breaks && q->break_times[m] <= from; m++) begin = q->break_times[m];
    return begin;
}

/* By what a column is sorted: where it begins to act, and its tolerance if that divides panels. */
static struct entry entry_of(const struct tansy_solver *s, size_t k, bool waits)
{
    const double *const tolerance = solver_grouping(s);
    double const from = waits ? column_from(&s->problem, k) : -HUGE_VAL;
    return (struct entry){.from = tolerance ? piece_begin(&s->problem, from) : from,
                          .tolerance = tolerance ? tolerance[k] : 0,
                          .number = k};
}

/* Order and times; runs twice, as all layouts. */
static const size_t *place_order(struct tansy_solver *s, struct arena *arena, bool waits)
{
    size_t *order = NULL;
    double *from = NULL;
    struct entry *entry = NULL;
    ARENA_TAKE(arena, order, s->ns);
    ARENA_TAKE(arena, from, s->ns);
    ARENA_TAKE(arena, entry, s->ns);
    if (!entry) return NULL;
    for (size_t k = 0; k < s->ns; k++) entry[k] = entry_of(s, k, waits);
    qsort(entry, s->ns, sizeof *entry, compare);
    bool sorted = true;
    for (size_t k = 0; k < s->ns; k++) {
        order[k] = entry[k].number;
        from[k] = entry[k].from;
        sorted = sorted && order[k] == k;
    }
    s->activation.from = waits ? from : NULL;
    s->activation.order = sorted ? NULL : order;
    return order;
}

/* Columns as a list, sorted, into all[ns]. */
static void list_columns(struct tansy_solver *s, const size_t *order, int *all)
{
    const int *const columns = s->problem.columns;
    for (size_t k = 0; k < s->ns; k++) all[k] = columns ? columns[order[k]] : (int)order[k];
    s->problem.columns = all;
    s->problem.ns = s->ns;
}

static void place(struct tansy_solver *s, struct arena *arena, bool waits)
{
    tansy_problem *const q = &s->problem;
    tansy_options *const o = &s->options;
    size_t const ns = s->ns, n = s->n;
    const size_t *const order = place_order(s, arena, waits);
    int *all = NULL;
    ARENA_TAKE(arena, all, ns);
    if (order && !s->activation.order) return; /* they are sorted */
    if (order && !q->directions) list_columns(s, order, all);
    sort_rows(arena, order, ns, (n + q->np) * sizeof *q->directions, &q->directions);
    sort_rows(arena, order, ns, sizeof *o->rtol_column, &o->rtol_column);
    sort_rows(arena, order, ns, n * sizeof *o->rtol_sens, &o->rtol_sens);
    sort_rows(arena, order, ns, n * sizeof *o->atol_sens, &o->atol_sens);
}

/* Some column is zero on the first piece at least. */
static bool some_wait(const struct tansy_solver *s)
{
    const tansy_problem *const q = &s->problem;
    bool wait = false;
    if (!q->active_from || q->breaks == 0) return false;
    for (size_t k = 0; k < s->ns && !wait; k++) wait = column_from(q, k) >= q->break_times[0];
    return wait;
}

tansy_status activation_sort(struct tansy_solver *draft, void **block)
{
    *block = NULL;
    draft->activation.active = draft->ns;
    bool const waits = some_wait(draft);
    if (!waits && (!solver_grouping(draft) || draft->ns < 2)) return TANSY_OK;
    struct arena arena = {.block = NULL};
    place(draft, &arena, waits);
    *block = arena.overflow ? NULL : heap_take(arena.used);
    if (!*block)
        return message_set(&draft->message, TANSY_OUT_OF_MEMORY, "no memory for %zu columns",
                           draft->ns);
    arena = (struct arena){.block = *block};
    place(draft, &arena, waits);
    return TANSY_OK;
}

/* The panels of the first `active` columns, with their tolerances and directions. */
static void divide(struct tansy_solver *s, size_t active)
{
    struct stepper *const st = &s->stepper;
    struct activation *const a = &s->activation;
    if (active == a->active) return;
    derive_forget_panels(&s->derive);
    a->active = active;
    st->panels = panels_number(s->n, active, a->rows, solver_grouping(s));
    panels_divide(s->n, active, a->rows, solver_grouping(s), s->shape);
    derive_divide(&s->derive, s->shape, st->panels);
    tolerances_panels(&s->tolerances, &s->options, s->shape, st->panels);
    solver_connect_panels(s);
    for (size_t m = 0; m < st->panels; m++)
        for (int x = 0; x < 2; x++)
            memset(st->panel[m].e[x], 0, st->panel[m].shape.count * sizeof(double));
    for (size_t k = active; k < s->ns; k++)
        s->events.delay[k] = s->events.delay_first[k] = s->events.delay_last[k] = 0;
}

/* Columns that can differ from zero before t. */
static size_t count_before(const struct tansy_solver *s, double t)
{
    size_t count = 0;
    while (count < s->ns && s->activation.from[count] < t) count++;
    return count;
}

/* Those that act before the piece at work ends, for a run forward. */
static size_t count_on_piece(const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    return e->piece == e->breaks ? s->ns : count_before(s, e->break_times[e->piece]);
}

void activation_begin(struct tansy_solver *s, double direction)
{
    if (!s->activation.from) return;
    size_t const count = direction < 0 ? count_before(s, s->t0) : count_on_piece(s);
    bool zero = true;
    for (size_t x = count * s->n; x < s->ns * s->n && zero; x++) zero = s->sens0[x] == 0;
    divide(s, zero ? count : s->ns);
}

/* Backwards parameters only cease to act, and their columns stay. */
void activation_grow(struct tansy_solver *s)
{
    if (!s->activation.from || s->direction < 0) return;
    size_t const count = count_on_piece(s);
    if (count > s->activation.active) divide(s, count);
}

size_t activation_number(const struct tansy_solver *s, size_t k)
{
    return s->activation.order ? s->activation.order[k] : k;
}

ptrdiff_t activation_name(const struct tansy_solver *s, ptrdiff_t k)
{
    return k >= 0 && s->problem.directions ? (ptrdiff_t)activation_number(s, (size_t)k) : k;
}

void activation_take(const struct tansy_solver *s, const double *users, double *own)
{
    for (size_t k = 0; k < s->ns; k++)
        memcpy(own + k * s->n, users + activation_number(s, k) * s->n, s->n * sizeof *own);
}

void activation_give(const struct tansy_solver *s, const double *own, double *users)
{
    for (size_t k = 0; k < s->ns; k++)
        memcpy(users + activation_number(s, k) * s->n, own + k * s->n, s->n * sizeof *own);
}
