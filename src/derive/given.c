/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives as the user gives them: with respect to p (dense or by a pattern), and tangents of a panel. */
#include <string.h>

#include "derive/providers.h"

/* dF/dp or df/dp as the user's function gives it, looked at. */
static int fill_parameter(struct derive *d, const struct point *at)
{
    const tansy_problem *const problem = d->problem;
    const tansy_pattern *const pattern = &problem->parameter_pattern;
    struct derive_worker *const w = &d->worker[0];
    bool const residual = d->form == FORM_RESIDUAL;
    const char *const name = residual ? "residual_parameter" : "parameter_jacobian";
    if (!pattern->row) memset(d->fp, 0, d->n * d->np * sizeof(double));
    int const code =
        residual ? problem->residual_parameter(at->t, at->y, at->yp, w->p, d->fp, w->context)
                 : problem->parameter_jacobian(at->t, at->y, w->p, d->fp, w->context);
    return judge_asked(d, 0, name, at->t, code, pattern, d->fp);
}

int given_parameter(struct derive *d, const struct point *at)
{
    size_t const count = d->fp_pattern.row ? d->fp_pattern.entries : d->n * d->np;
    d->worker[0].counts.parameter++;
    int const code = fill_parameter(d, at);
    if (code != 0 || d->form != FORM_RESIDUAL) return code;
    for (size_t x = 0; x < count; x++) d->fp[x] = -d->fp[x];
    return 0;
}

/* Adds a row of U to the list of those with directions, if it is not there; rows rise in most panels. */
static void list_row(struct derive_worker *w, size_t row)
{
    size_t const listed = w->local.moving;
    if (listed > DERIVE_MOVING) return;
    if (listed > 0 && row <= w->moving_row[listed - 1])
        for (size_t k = 0; k < listed; k++)
            if (w->moving_row[k] == row) return;
    if (listed < DERIVE_MOVING) w->moving_row[listed] = row;
    w->local.moving++;
}

/* Writes the directions of the panel's columns into U, or zeros in their places. */
static void place_directions(const struct derive *d, const struct panel *panel,
                             struct derive_worker *w, bool there)
{
    w->local.moving = 0;
    for (size_t k = 0; k < panel->columns; k++) {
        size_t const end = d->direction_start[panel->first + k + 1];
        for (size_t e = d->direction_start[panel->first + k]; e < end; e++) {
            w->U[d->direction_row[e] * panel->lanes + k] = there ? d->direction_value[e] : 0;
            if (there) list_row(w, d->direction_row[e]);
        }
    }
    w->local.U = w->local.moving <= DERIVE_MOVING ? w->U : NULL;
}

void given_move(const struct derive *d, struct derive_worker *w, const struct panel *panel)
{
    if (w->placed) place_directions(d, w->placed, w, false);
    place_directions(d, panel, w, true);
    w->placed = panel;
}

void derive_forget_panels(struct derive *d)
{
    for (size_t x = 0; x < d->workers; x++) {
        struct derive_worker *const w = &d->worker[x];
        if (w->placed) place_directions(d, w->placed, w, false);
        w->placed = NULL;
    }
}

int judge_columns(const struct derive *d, size_t worker, const struct panel *panel, int verdict)
{
    struct failure *const failure = &d->worker[worker].failure;
    if (verdict <= 0 || failure->kind != FAILURE_NOT_FINITE || !panel) return verdict;
    failure->own = panel->first + failure->column;
    failure->column = d->order ? d->order[failure->own] : failure->own;
    return verdict;
}

void given_clear(size_t n, size_t columns, size_t ld, double *R)
{
    for (size_t k = columns; k < ld; k++)
        for (size_t i = 0; i < n; i++) R[i * ld + k] = 0;
}

/* NOLINTBEGIN(readability-non-const-parameter): the type is that of all tangents */
int derive_given_tangent(struct derive *d, size_t worker, const struct point *at,
                         const struct panel *panel, const double *V, double *V_rate, double *R)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct derive_worker *const w = &d->worker[worker];
    w->counts.tangent += panel->columns;
    given_place(d, w, panel);
    int code = 0;
    if (d->form == FORM_ODE) {
        if (panel->columns < panel->lanes) given_clear(d->n, panel->columns, panel->lanes, R);
        code = d->problem->tangent(at->t, at->y, w->p, panel->columns, panel->lanes, V, w->U, R,
                                   w->context);
        code = judge_matrix(w, "tangent", at->t, code, d->n, panel->lanes, R);
        code = judge_columns(d, worker, panel, code);
    } else {
        struct directions const along = {panel->columns, panel->lanes, V, V_rate, w->U, panel};
        code = given_along(d, worker, at, &along, R);
    }
    for (size_t x = d->n * panel->lanes; x < panel->count; x++)
        R[x] = 0; /* tail of the last group */
    return code;
}

/* R = J V - M V_rate + r_p U by the user's tangent. */
int given_along(struct derive *d, size_t worker, const struct point *at,
                const struct directions *along, double *R)
{
    const tansy_problem *const q = d->problem;
    struct derive_worker *const w = &d->worker[worker];
    size_t const columns = along->columns, ld = along->ld;
    if (columns < ld) given_clear(d->n, columns, ld, R);
    if (d->form == FORM_RESIDUAL) {
        int const code = q->residual_tangent(at->t, at->y, at->yp, w->p, columns, ld, along->V,
                                             along->V_rate, along->U, R, w->context);
        for (size_t x = 0; x < d->n * ld; x++) R[x] = -R[x];
        return judge_columns(d, worker, along->panel,
                             judge_matrix(w, "residual_tangent", at->t, code, d->n, ld, R));
    }
    int code = q->tangent(at->t, at->y, w->p, columns, ld, along->V, along->U, R, w->context);
    code = judge_matrix(w, "tangent", at->t, code, d->n, ld, R);
    code = judge_columns(d, worker, along->panel, code);
    return code == 0 && d->form == FORM_MASS ? mass_subtract_tangent(d, worker, at, along, R)
                                             : code;
}
