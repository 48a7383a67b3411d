/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives as the user gives them: df/dy, df/dp (dense or by a pattern), and tangents of a panel. */
#include <assert.h>
#include <string.h>

#include "derive/providers.h"

/* A banded J into dense storage, for a dense solver on a banded problem. */
static void expand_band(const struct derive *d)
{
    size_t const n = d->n, lower = d->problem->lower, upper = d->problem->upper;
    for (size_t i = 0; i < n; i++) {
        size_t const from = i > lower ? i - lower : 0;
        size_t const end = n - i > upper ? i + upper + 1 : n;
        const double *const row = d->given_band + i * (lower + upper + 1) + lower - i;
        memset(d->J->value + i * n, 0, n * sizeof(double));
        for (size_t j = from; j < end; j++) d->J->value[i * n + j] = row[j];
    }
}

/* Tells the column of an entry of a band from its place in the row. */
static int judge_band(struct derive_worker *w, const tansy_problem *problem, double t, int code,
                      const double *v)
{
    int const verdict =
        judge_matrix(w, "jacobian", t, code, problem->n, problem->lower + problem->upper + 1, v);
    if (verdict != 0 && code == 0) w->failure.column += w->failure.row - problem->lower;
    return verdict;
}

int given_jacobian(struct derive *d, double t, const double *y, const double *f)
{
    (void)f;
    const tansy_problem *const problem = d->problem;
    struct derive_worker *const w = &d->worker[0];
    bool const banded = problem->structure == TANSY_BANDED;
    size_t const width = banded ? problem->lower + problem->upper + 1 : d->n;
    double *const J = d->given_band ? d->given_band : d->J->value;
    assert(d->given_band || d->J->width == width);
    w->counts.jacobian++;
    memset(J, 0, d->n * width * sizeof(double));
    int code = problem->jacobian(t, y, w->p, J, w->context);
    code = banded ? judge_band(w, problem, t, code, J)
                  : judge_matrix(w, "jacobian", t, code, d->n, width, J);
    if (code != 0) return code;
    if (d->given_band) expand_band(d);
    if (d->tangent_needs_matrices) matrix_compress(d->J);
    return 0;
}

int given_parameter(struct derive *d, double t, const double *y, const double *f)
{
    (void)f;
    const tansy_problem *const problem = d->problem;
    const tansy_pattern *const pattern = &d->fp_pattern;
    struct derive_worker *const w = &d->worker[0];
    w->counts.parameter++;
    if (!pattern->row) memset(d->fp, 0, d->n * d->np * sizeof(double));
    int const code = problem->parameter_jacobian(t, y, w->p, d->fp, w->context);
    return judge_asked(d, "parameter_jacobian", t, code, pattern, d->fp);
}

/* Writes the directions of the panel's columns into U, or zeros in their places. */
static void place_directions(const struct derive *d, const struct panel *panel, double *U,
                             double times)
{
    for (size_t k = 0; k < panel->columns; k++) {
        size_t const end = d->direction_start[panel->first + k + 1];
        for (size_t e = d->direction_start[panel->first + k]; e < end; e++)
            U[d->direction_row[e] * panel->lanes + k] = times * d->direction_value[e];
    }
}

void given_place(const struct derive *d, struct derive_worker *w, const struct panel *panel)
{
    if (w->placed == panel) return;
    if (w->placed) place_directions(d, w->placed, w->U, 0);
    place_directions(d, panel, w->U, 1);
    w->placed = panel;
}

/* The lanes without a column and the tail of the last group, which the user does not write. */
static void clear_padding(const struct panel *panel, size_t n, double *R)
{
    if (panel->columns < panel->lanes)
        for (size_t i = 0; i < n; i++)
            for (size_t k = panel->columns; k < panel->lanes; k++) R[i * panel->lanes + k] = 0;
    for (size_t x = n * panel->lanes; x < panel->count; x++) R[x] = 0;
}

int given_tangent(struct derive *d, size_t worker, const struct point *at,
                  const struct panel *panel, const double *V, double *R)
{
    const tansy_problem *const problem = d->problem;
    struct derive_worker *const w = &d->worker[worker];
    w->counts.tangent += panel->columns;
    clear_padding(panel, d->n, R);
    given_place(d, w, panel);
    int code =
        problem->tangent(at->t, at->y, w->p, panel->columns, panel->lanes, V, w->U, R, w->context);
    code = judge_matrix(w, "tangent", at->t, code, d->n, panel->lanes, R);
    if (code > 0 && w->failure.kind == FAILURE_NOT_FINITE) w->failure.column += panel->first;
    return code;
}
