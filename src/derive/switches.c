/* SPDX-License-Identifier: Apache-2.0 */
/* The switch functions g(t, y, p) and their derivatives along the solution, dg/dt + (dg/dy) f, and along the columns
   of S, (dg/dy) s + (dg/dp) u: as given, or by fourth-order differences. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

void switches_layout(struct derive *d, struct arena *arena)
{
    d->no_direction = arena_doubles(arena, d->np);
    d->gt = arena_doubles(arena, d->switches);
    d->along = arena_doubles(arena, d->switches);
    ARENA_TAKE(arena, d->blind, d->switches);
    ARENA_TAKE(arena, d->missing, d->switches);
    ARENA_TAKE(arena, d->doubted, d->switches);
    ARENA_TAKE(arena, d->unknown, d->switches);
}

/* Row j of v has no value, and need not: it is `instead`. */
static bool replace(size_t width, double *row, double instead)
{
    bool found = false;
    for (size_t k = 0; k < width; k++) {
        if (isfinite(row[k])) continue;
        row[k] = instead;
        found = true;
    }
    return found;
}

int derive_switch(struct derive *d, size_t worker, double t, const double *y, double *g)
{
    struct derive_worker *const w = &d->worker[worker];
    int const code = d->problem->switch_function(t, y, w->p, g, w->context);
    for (size_t j = 0; j < d->switches; j++) {
        d->missing[j] = code == 0 && (d->lenient || d->blind[j]) && replace(1, g + j, NO_SWITCH);
        d->doubted[j] = d->doubted[j] || (d->missing[j] && !d->blind[j]);
    }
    return judge(w, "switch_function", t, code, d->switches, g);
}

/* For differences: only what has no value in their midst may have none beside it. */
static int value(struct derive *d, size_t worker, const struct point *at, double *g)
{
    struct derive_worker *const w = &d->worker[worker];
    int const code = d->problem->switch_function(at->t, at->y, w->p, g, w->context);
    for (size_t j = 0; j < d->switches; j++)
        if (d->unknown[j]) (void)replace(1, g + j, NO_SWITCH);
    return judge(w, "switch_function", at->t, code, d->switches, g);
}

int derive_switch_range(struct derive *d, const tansy_box *box, const tansy_bounds *bounds)
{
    struct derive_worker *const w = &d->worker[0];
    return d->problem->switch_range(box, w->p, bounds, w->context);
}

/* Those that, by their g, may have no value. */
static void find_unknown(struct derive *d, const double *g)
{
    for (size_t j = 0; j < d->switches; j++)
        d->unknown[j] = g[j] == NO_SWITCH && (d->lenient || d->blind[j]);
}

static struct line line_at(const struct derive *d, const struct point *at, const double *g)
{
    return (struct line){.difference = TANSY_FOURTH_ORDER,
                         .Delta = formula_of(TANSY_FOURTH_ORDER)->increment,
                         .count = d->switches,
                         .evaluate = value,
                         .t = at->t,
                         .y = at->y,
                         .f = g};
}

/* The problem's tangents of `columns` columns; both results are looked at. */
static int given(struct derive *d, const struct point *at, const struct panel *panel,
                 const double *V, const double *U, double *G)
{
    struct derive_worker *const w = &d->worker[0];
    size_t const used = d->switches * panel->lanes;
    memset(G, 0, used * sizeof *G);
    int code = d->problem->switch_tangent(at->t, at->y, w->p, panel->columns, panel->lanes, V, U,
                                          d->gt, G, w->context);
    for (size_t j = 0; j < d->switches && code == 0; j++) {
        if (!d->unknown[j]) continue;
        (void)replace(1, d->gt + j, 0);
        (void)replace(panel->lanes, G + j * panel->lanes, 0);
    }
    code = judge(w, "switch_tangent (dg/dt)", at->t, code, d->switches, d->gt);
    if (code != 0) return code;
    code = judge_matrix(w, "switch_tangent", at->t, 0, d->switches, panel->lanes, G);
    return judge_columns(d, 0, panel, code);
}

int derive_switch_rates(struct derive *d, const struct point *at, double span, const double *g,
                        double *rate)
{
    struct panel const one = {.columns = 1, .lanes = 1};
    int code = 0;
    find_unknown(d, g);
    if (d->switch_source == SOURCE_GIVEN) {
        code = given(d, at, &one, at->f, d->no_direction, d->along);
    } else {
        struct line line = line_at(d, at, g);
        struct column const column = {.lanes = 1, .s = at->f, .r = d->along};
        memset(d->along, 0, d->switches * sizeof *d->along);
        code = differences_along(d, 0, &line, &column);
        line.t_step = increment_exact(at->t, line.Delta * span);
        if (code == 0) code = line_difference(d, 0, &line, d->gt);
        for (size_t j = 0; j < d->switches && code == 0; j++) d->gt[j] /= line.t_step;
    }
    for (size_t j = 0; j < d->switches && code == 0; j++) rate[j] = d->gt[j] + d->along[j];
    return code;
}

int derive_switch_columns(struct derive *d, const struct point *at, const struct panel *panel,
                          const double *V, const double *g, double *G)
{
    struct derive_worker *const w = &d->worker[0];
    find_unknown(d, g);
    if (d->switch_source == SOURCE_GIVEN) {
        given_place(d, w, panel);
        return given(d, at, panel, V, w->U, G);
    }
    struct line const line = line_at(d, at, g);
    memset(G, 0, d->switches * panel->lanes * sizeof *G);
    for (size_t k = 0; k < panel->columns; k++) {
        struct column const column = {
            .number = panel->first + k, .lanes = panel->lanes, .s = V + k, .r = G + k};
        int const code = differences_column(d, 0, &line, &column);
        if (code != 0) return code;
    }
    return 0;
}
