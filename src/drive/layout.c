/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out the block of a solver.  Runs twice: on an empty arena to count, on the block to place; in the second
   run the user's arrays are copied, so that they need not outlive tansy_create(). */
#include "drive/solver.h"

#include <string.h>

/* Takes room for count doubles and, when placing, copies *array there and lets it point to the copy. */
static void keep_doubles(struct arena *arena, const double **array, size_t count)
{
    if (!*array) return;
    double *const copy = arena_doubles(arena, count);
    if (!copy) return;
    memcpy(copy, *array, count * sizeof *copy);
    *array = copy;
}

static void keep_sizes(struct arena *arena, const size_t **array, size_t count)
{
    if (!*array) return;
    size_t *const copy = arena_take(arena, count, sizeof *copy);
    if (!copy) return;
    memcpy(copy, *array, count * sizeof *copy);
    *array = copy;
}

static void keep_columns(struct arena *arena, const int **array, size_t count)
{
    if (!*array) return;
    int *const copy = arena_take(arena, count, sizeof *copy);
    if (!copy) return;
    memcpy(copy, *array, count * sizeof *copy);
    *array = copy;
}

static void keep_users_arrays(struct tansy_solver *s, struct arena *arena)
{
    tansy_problem *const p = &s->problem;
    tansy_options *const o = &s->options;
    size_t const n = s->n, ns = s->ns;
    keep_doubles(arena, &p->y0, n);
    keep_doubles(arena, &p->p, s->np);
    keep_doubles(arena, &p->scale, s->np);
    keep_sizes(arena, &p->parameter_pattern.row, p->parameter_pattern.entries);
    keep_sizes(arena, &p->parameter_pattern.column, p->parameter_pattern.entries);
    keep_columns(arena, &p->columns, ns);
    keep_doubles(arena, &p->directions, ns * (n + s->np));
    keep_doubles(arena, &o->rtol_state, n);
    keep_doubles(arena, &o->atol_state, n);
    keep_doubles(arena, &o->rtol_column, ns);
    keep_doubles(arena, &o->rtol_sens, ns * n);
    keep_doubles(arena, &o->atol_sens, ns * n);
    s->y0 = arena_doubles(arena, n);
    s->sens0 = arena_matrix(arena, ns, n);
    s->p = (double *)p->p; /* the copy just made; NULL when there are no parameters */
}

/* History and corrections of one part. */
static void part_layout(struct part *part, struct arena *arena, size_t rows, size_t count)
{
    double *const history = arena_matrix(arena, rows, count);
    double *const e0 = arena_doubles(arena, count), *const e1 = arena_doubles(arena, count);
    if (!arena->block) return;
    part->history = history;
    part->e[0] = e0;
    part->e[1] = e1;
}

/* The parts lie one after the other: a panel with its history is contiguous. */
static void stepper_layout(struct tansy_solver *s, struct arena *arena, const struct panel *shape)
{
    struct stepper *const st = &s->stepper;
    size_t const rows = stepper_rows(st);
    size_t widest = 0;
    ARENA_TAKE(arena, st->panel, st->panels);
    ARENA_TAKE(arena, st->panel_work, s->derive.workers);
    ARENA_TAKE(arena, st->verdict, st->panels);
    st->size = arena_doubles(arena, st->panels);
    part_layout(&st->state, arena, rows, lane_round(s->n));
    for (size_t m = 0; m < st->panels; m++) {
        struct part unused = {0};
        part_layout(st->panel ? &st->panel[m] : &unused, arena, rows, shape[m].count);
        if (shape[m].count > widest) widest = shape[m].count;
    }
    work_layout(&st->state_work, arena, lane_round(s->n));
    for (size_t w = 0; w < s->derive.workers; w++) {
        struct work placed = {0};
        work_layout(&placed, arena, widest);
        if (st->panel_work) st->panel_work[w] = placed;
    }
}

void solver_layout(struct tansy_solver *s, struct arena *arena, const struct panel *shape)
{
    size_t const panels = s->stepper.panels;
    (void)arena_take(arena, 1, sizeof *s);
    keep_users_arrays(s, arena);
    ARENA_TAKE(arena, s->shape, panels);
    if (s->shape) memcpy(s->shape, shape, panels * sizeof *shape);
    ARENA_TAKE(arena, s->attempt, panels);
    ARENA_TAKE(arena, s->repeated, s->ns + 1);
    tolerances_layout(&s->tolerances, arena, &s->options, shape, panels);
    matrix_layout(&s->J, arena);
    s->linear.A = s->derive.J = &s->J;
    s->linear.table->layout(&s->linear, arena);
    s->derive.problem = &s->problem;
    derive_layout(&s->derive, arena, shape, panels);
    s->equations.f = arena_doubles(arena, lane_round(s->n));
    stepper_layout(s, arena, shape);
}
