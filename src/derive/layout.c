/* SPDX-License-Identifier: Apache-2.0 */
/* Places the arrays of the layer; runs twice, to count and to place. */
#include "derive/check.h"
#include "derive/providers.h"

static size_t most_lanes(const struct panel *panel, size_t panels)
{
    size_t lanes = 0;
    for (size_t m = 0; m < panels; m++) lanes = panel[m].lanes > lanes ? panel[m].lanes : lanes;
    return lanes;
}

size_t given_count(const tansy_problem *q)
{
    if (q->structure == TANSY_SPARSE) return q->jacobian_pattern.entries;
    return q->n * (q->structure == TANSY_BANDED ? q->lower + q->upper + 1 : q->n);
}

static struct derive_worker worker_layout(const struct derive *d, struct arena *arena, size_t lanes)
{
    struct derive_worker w = {.kernels = d->kernels};
    size_t const values = d->switches > d->n ? d->switches : d->n;
    w.p = arena_doubles(arena, d->length);
    w.y = arena_doubles(arena, d->n);
    w.f = arena_doubles(arena, values);
    w.g = arena_doubles(arena, values);
    w.step = arena_doubles(arena, d->n);
    if (derive_is_implicit(d)) {
        w.yp = arena_doubles(arena, d->n);
        w.rate_step = arena_doubles(arena, d->n);
    }
    if (d->is_internal) w.some = arena_matrix(arena, d->n, (size_t)2 * INTERNAL_COLUMNS);
    if (d->form == FORM_MASS) w.B = arena_doubles(arena, given_count(d->problem));
    if (d->has_apply) w.V_rate = arena_matrix(arena, d->n, lanes > 1 ? lanes : 1);
    if (d->form == FORM_MASS) w.T = arena_matrix(arena, d->n, lanes > 1 ? lanes : 1);
    w.local.context = w.context = d->problem->context;
    w.local.version = 1;
    if (d->problem->scratch > 0) w.local.scratch = arena_take(arena, 1, d->problem->scratch);
    if (d->problem->tangent || d->problem->residual_tangent || d->problem->switch_tangent ||
        d->problem->constraint_rate_tangent || d->has_second) {
        w.U = arena_matrix(arena, d->np, lanes);
        ARENA_TAKE(arena, w.moving_row, DERIVE_MOVING);
        w.local.moving_row = w.moving_row;
    }
    if (d->has_second) second_layout(d, &w.second, arena, lanes);
    return w;
}

void derive_layout(struct derive *d, struct arena *arena, const struct panel *panel, size_t panels)
{
    const tansy_problem *const problem = d->problem;
    size_t const lanes = most_lanes(panel, panels);
    d->length = derive_length(problem);
    d->form = derive_form(problem);
    d->switches = problem->switches;
    ARENA_TAKE(arena, d->worker, d->workers);
    for (size_t w = 0; w < d->workers; w++) {
        struct derive_worker const placed = worker_layout(d, arena, lanes);
        if (!d->worker) continue;
        d->worker[w] = placed;
        if (problem->scratch > 0) d->worker[w].context = &d->worker[w].local;
    }
    if (derive_is_implicit(d)) rates_layout(d, arena);
    bool const sparse = problem->structure == TANSY_SPARSE;
    bool const expanded = problem->structure == TANSY_BANDED && d->J->kind == MATRIX_DENSE;
    bool const has_matrices = problem->jacobian || problem->residual_jacobian || problem->mass;
    d->given = has_matrices && d->J->kind != MATRIX_NONE && (sparse || expanded)
                   ? arena_doubles(arena, given_count(d->problem))
                   : NULL;
    if (sparse) {
        ARENA_TAKE(arena, d->place, problem->jacobian_pattern.entries);
        ARENA_TAKE(arena, d->color, d->n);
    }
    if (problem->mass_constant || problem->rate_linear)
        d->no_rate = arena_matrix(arena, d->n, lanes > 1 ? lanes : 1);
    if (d->has_apply) d->no_panel = arena_matrix(arena, d->np, lanes > 1 ? lanes : 1);
    if (!mass_moves(problem)) d->fp_pattern = problem->parameter_pattern; /* else r_p has more */
    d->fp = d->fp_pattern.row ? arena_doubles(arena, d->fp_pattern.entries)
                              : arena_matrix(arena, d->n, d->np);
    if (problem->initial_jacobian)
        d->initial_jacobian = d->fp_pattern.row ? arena_matrix(arena, d->n, d->np) : d->fp;
    directions_layout(d, arena, panels);
    if (d->is_internal) internal_layout(d, arena);
    if (d->switches > 0) switches_layout(d, arena);
    check_layout(d, arena, lanes);
}
