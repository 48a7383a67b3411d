/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out the block of a solver.  Runs twice: on an empty arena to count, on the block to place; in the second
   run the user's arrays are copied, so that they need not outlive tansy_create(). */
#include "drive/foresee.h"
#include "drive/solver.h"

#include <string.h>

/* Takes room for count entries of an array that *array points to and, when placing, copies them there and lets
   *array point to the copy. */
static void keep(struct arena *arena, void *array, size_t count, size_t size)
{
    const void *from = NULL;
    memcpy(&from, array, sizeof from);
    if (!from) return;
    void *const copy = arena_take(arena, count, size);
    if (!copy) return;
    memcpy(copy, from, count * size);
    memcpy(array, &copy, sizeof copy);
}

/* p with room for modes and piece behind it. */
static void keep_parameters(struct tansy_solver *s, struct arena *arena)
{
    size_t const length = derive_length(&s->problem);
    double *const p = length > 0 ? arena_doubles(arena, length) : NULL;
    if (!p) return;
    if (s->np > 0) memcpy(p, s->problem.p, s->np * sizeof *p);
    s->problem.p = s->p = p;
}

static void keep_users_arrays(struct tansy_solver *s, struct arena *arena)
{
    tansy_problem *const p = &s->problem;
    tansy_options *const o = &s->options;
    size_t const n = s->n, ns = s->ns;
    keep(arena, &p->y0, n, sizeof *p->y0);
    keep(arena, &p->yp0, n, sizeof *p->yp0);
    keep(arena, &p->kind, n, sizeof *p->kind);
    keep(arena, &p->sign, n, sizeof *p->sign);
    keep(arena, &p->vanishing, n, sizeof *p->vanishing);
    keep(arena, &p->jacobian_pattern.row, p->jacobian_pattern.entries,
         sizeof *p->jacobian_pattern.row);
    keep(arena, &p->jacobian_pattern.column, p->jacobian_pattern.entries,
         sizeof *p->jacobian_pattern.column);
    keep_parameters(s, arena);
    keep(arena, &p->scale, s->np, sizeof *p->scale);
    keep(arena, &p->bound, 2 * s->np, sizeof *p->bound);
    keep(arena, &p->break_times, p->breaks, sizeof *p->break_times);
    keep(arena, &p->parameter_pattern.row, p->parameter_pattern.entries,
         sizeof *p->parameter_pattern.row);
    keep(arena, &p->parameter_pattern.column, p->parameter_pattern.entries,
         sizeof *p->parameter_pattern.column);
    keep(arena, &p->active_from, s->np, sizeof *p->active_from);
    keep(arena, &p->control, s->np, sizeof *p->control);
    keep(arena, &s->activation.order, ns, sizeof *s->activation.order);
    keep(arena, &s->activation.from, ns, sizeof *s->activation.from);
    keep(arena, &p->columns, ns, sizeof *p->columns);
    keep(arena, &p->directions, ns * (n + s->np), sizeof *p->directions);
    keep(arena, &o->rtol_state, n, sizeof *o->rtol_state);
    keep(arena, &o->atol_state, n, sizeof *o->atol_state);
    keep(arena, &o->rtol_column, ns, sizeof *o->rtol_column);
    keep(arena, &o->rtol_sens, ns * n, sizeof *o->rtol_sens);
    keep(arena, &o->atol_sens, ns * n, sizeof *o->atol_sens);
    s->y0 = arena_doubles(arena, n);
}

static bool has_events(const struct tansy_solver *s)
{
    return s->problem.switches > 0 || s->problem.breaks > 0;
}

/* S(t0) is not asked for again once the first step is made, unless it begins anew from sens0 within the run, so that the panels'
   corrections e[1], which only steps use, may take its place. */
static bool start_is_left(const struct tansy_solver *s)
{
    return !method_is_one_step(s->stepper.method) && !s->automatic.stiff.method && !has_events(s);
}

/* History and first correction of one part. */
static void part_layout(struct part *part, struct arena *arena, size_t rows, size_t count)
{
    double *const history = arena_matrix(arena, rows, count);
    double *const e0 = arena_doubles(arena, count);
    if (!arena->block) return;
    part->history = history;
    part->e[0] = e0;
}

/* The panels; sens0 lies in their second corrections where it may, and has room of its own else. */
static void panels_layout(struct tansy_solver *s, struct arena *arena, const struct panel *shape)
{
    struct stepper *const st = &s->stepper;
    size_t const rows = solver_rows(s);
    size_t total = 0, start = 0;
    for (size_t m = 0; m < st->panels; m++) total += shape[m].count; /* >= ns n */
    bool const shared = start_is_left(s);
    s->sens0 = shared ? arena_doubles(arena, total) : arena_matrix(arena, s->ns, s->n);
    for (size_t m = 0; m < st->panels; m++) {
        struct part unused = {0}, *const part = st->panel ? &st->panel[m] : &unused;
        part_layout(part, arena, rows, shape[m].count);
        double *const e1 = shared ? s->sens0 : arena_doubles(arena, shape[m].count);
        if (e1) part->e[1] = shared ? e1 + start : e1;
        start += shape[m].count;
    }
}

/* The parts lie one after the other: a panel with its history is contiguous, but for the corrections that sens0 lies in. */
static void stepper_layout(struct tansy_solver *s, struct arena *arena, const struct panel *shape)
{
    struct stepper *const st = &s->stepper;
    size_t widest = 0;
    ARENA_TAKE(arena, st->panel, st->panels);
    ARENA_TAKE(arena, st->panel_work, s->derive.workers);
    ARENA_TAKE(arena, st->verdict, st->panels);
    st->size = arena_doubles(arena, st->panels);
    part_layout(&st->state, arena, solver_rows(s), lane_round(s->n));
    st->state.e[1] = arena_doubles(arena, lane_round(s->n));
    panels_layout(s, arena, shape);
    for (size_t m = 0; m < st->panels; m++)
        if (shape[m].count > widest) widest = shape[m].count;
    bool const implicit = s->derive.form != FORM_ODE;
    if (st->method->layout) st->method->layout(st, arena, &s->derive);
    work_layout(&st->state_work, arena, lane_round(s->n), implicit);
    consistent_layout(s, arena, widest);
    for (size_t w = 0; w < s->derive.workers; w++) {
        struct work placed = {0};
        work_layout(&placed, arena, widest, implicit);
        if (st->panel_work) st->panel_work[w] = placed;
    }
}

/* Sizes that the work space of Krylov iteration depends on. */
static void krylov_fill(struct tansy_solver *s, const struct panel *shape)
{
    struct krylov *const k = &s->krylov;
    s->linear.krylov = k;
    k->workers = s->derive.workers;
    k->most_lanes = 1;
    k->has_columns = s->stepper.panels > 0;
    for (size_t m = 0; m < s->stepper.panels; m++)
        if (shape[m].lanes > k->most_lanes) k->most_lanes = shape[m].lanes;
    k->share = s->options.norm == TANSY_MAX ? 1 : 0;
}

/* What looking puts aside: see struct tansy_solver. */
static void kept_layout(struct tansy_solver *s, struct arena *arena)
{
    bool const implicit = s->derive.form != FORM_ODE;
    size_t const matrices = implicit ? 2 : 1;
    if (implicit || has_events(s)) s->start_kept = arena_matrix(arena, 2, s->n);
    if (s->linear.table->iterate && s->J.kind != MATRIX_NONE)
        s->matrices_kept = arena_matrix(arena, matrices, matrix_size(&s->J));
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
    tolerances_layout(&s->tolerances, arena, &s->options, shape, panels,
                      s->problem.error_weights != NULL);
    s->own_weights.function = s->problem.error_weights;
    own_weights_layout(&s->own_weights, arena, panels);
    matrix_layout(&s->J, arena);
    s->linear.A = s->derive.J = &s->J;
    s->M.like = s->J.kind == MATRIX_SPARSE ? &s->J : NULL;
    if (s->derive.form != FORM_ODE) {
        matrix_layout(&s->M, arena);
        s->linear.M = s->derive.M = &s->M;
    }
    if (arena->block && s->J.kind == MATRIX_SPARSE) matrix_set_pattern(&s->J, &s->pattern);
    if (s->linear.krylov) krylov_fill(s, shape);
    s->linear.table->layout(&s->linear, arena);
    s->derive.problem = &s->problem;
    derive_layout(&s->derive, arena, shape, panels);
    kept_layout(s, arena);
    equations_layout(&s->equations, arena, s->n, s->problem.precondition_solve != NULL);
    size_t lanes = 0;
    for (size_t m = 0; m < panels; m++) lanes = shape[m].lanes > lanes ? shape[m].lanes : lanes;
    events_layout(s, arena, lanes);
    noise_leap_layout(s, arena);
    jump_transient_layout(s, arena);
    spike_layout(s, arena);
    stretches_layout(s, arena);
    stepper_layout(s, arena, shape);
    foresee_layout(s, arena);
}
