/* SPDX-License-Identifier: Apache-2.0 */
/* The tangent T at the points of a motion, weighed and added up: from the user's tangent; from his matrices, of which the differences are
   taken before they are multiplied, so that entries which do not move leave no noise; from f, as the difference along a column of
   the difference along the motion, [f(++) - f(+-) - f(-+) + f(--)]/(4 eps delta). */
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"
#include "derive/second.h"

/* r = f, or r = -F. */
static double sign_of(const struct derive *d)
{
    return d->form == FORM_RESIDUAL ? -1 : 1;
}

/* The user's tangent of f, or of F with y' = 0 fixed. */
static int tangent_at(const struct second_part *part, const struct point *at, double *T)
{
    const struct derive *const d = part->d;
    const tansy_problem *const q = d->problem;
    struct derive_worker *const w = &d->worker[part->worker];
    size_t const columns = part->panel->columns, lanes = part->panel->lanes;
    bool const residual = d->form == FORM_RESIDUAL;
    int code = residual
                   ? q->residual_tangent(at->t, at->y, d->no_rate, w->p, columns, lanes, part->V,
                                         d->no_rate, w->U, T, w->context)
                   : q->tangent(at->t, at->y, w->p, columns, lanes, part->V, w->U, T, w->context);
    code = judge_matrix(w, residual ? "residual_tangent" : "tangent", at->t, code, d->n, lanes, T);
    return judge_columns(d, part->worker, part->panel, code);
}

int second_by_tangent(const struct second_part *part)
{
    const struct panel *const panel = part->panel;
    const struct derive *const d = part->d;
    struct derive_worker *const w = &d->worker[part->worker];
    double *const T = w->second.T;
    size_t const lanes = panel->lanes;
    given_place(d, w, panel);
    given_clear(d->n, panel->columns, lanes, T);
    for (size_t x = 0; x < part->shifts->points; x++) {
        struct point const at = second_move(part, part->at, part->shifts->point[x].m, w->y);
        w->counts.tangent += panel->columns;
        int const code = tangent_at(part, &at, T);
        if (code != 0) return code;
        double const weight = sign_of(d) * part->shifts->point[x].weight;
        for (size_t i = 0; i < d->n * lanes; i++) part->R[i] += weight * T[i];
    }
    return 0;
}

/* sum -= weight*A, which given_subtract() then takes with the right sign. */
static void weigh(size_t count, double weight, const double *A, double *sum)
{
    for (size_t x = 0; x < count; x++) sum[x] -= weight * A[x];
}

/* df/dy or dF/dy into room for it. */
static int jacobian_at(const struct second_part *part, const struct point *at)
{
    const struct derive *const d = part->d;
    const tansy_problem *const q = d->problem;
    struct derive_worker *const w = &d->worker[part->worker];
    double *const J = w->second.J;
    bool const residual = d->form == FORM_RESIDUAL;
    memset(J, 0, given_count(q) * sizeof *J);
    w->counts.jacobian++;
    int const code = residual ? q->residual_jacobian(at->t, at->y, d->no_rate, w->p, J, w->context)
                              : q->jacobian(at->t, at->y, w->p, J, w->context);
    return judge_given(d, part->worker, residual ? "residual_jacobian" : "jacobian", at->t, code,
                       J);
}

static size_t parameter_count(const struct derive *d)
{
    const tansy_pattern *const pattern = &d->problem->parameter_pattern;
    return pattern->row ? pattern->entries : d->n * d->np;
}

/* df/dp, or dF/dp at y' = 0. */
static int parameter_at(const struct second_part *part, const struct point *at)
{
    const struct derive *const d = part->d;
    const tansy_problem *const q = d->problem;
    struct derive_worker *const w = &d->worker[part->worker];
    double *const F = w->second.F;
    bool const residual = d->form == FORM_RESIDUAL;
    memset(F, 0, parameter_count(d) * sizeof *F);
    w->counts.parameter++;
    int const code = residual ? q->residual_parameter(at->t, at->y, d->no_rate, w->p, F, w->context)
                              : q->parameter_jacobian(at->t, at->y, w->p, F, w->context);
    return judge_asked(d, part->worker, residual ? "residual_parameter" : "parameter_jacobian",
                       at->t, code, &q->parameter_pattern, F);
}

/* J_sum = -sum_m weight_m df/dy at point m, and F_sum of df/dp. */
static int difference_matrices(const struct second_part *part)
{
    const struct derive *const d = part->d;
    struct derive_worker *const w = &d->worker[part->worker];
    struct second_room *const room = &w->second;
    size_t const entries = given_count(d->problem), parameters = parameter_count(d);
    memset(room->J_sum, 0, entries * sizeof(double));
    if (room->F) memset(room->F_sum, 0, parameters * sizeof(double));
    for (size_t x = 0; x < part->shifts->points; x++) {
        struct point const at = second_move(part, part->at, part->shifts->point[x].m, w->y);
        double const weight = sign_of(d) * part->shifts->point[x].weight;
        int code = jacobian_at(part, &at);
        if (code != 0) return code;
        weigh(entries, weight, room->J, room->J_sum);
        if (!room->F) continue;
        code = parameter_at(part, &at);
        if (code != 0) return code;
        weigh(parameters, weight, room->F, room->F_sum);
    }
    return 0;
}

/* R -= F U; columns of p that no direction touches may hold anything. */
static void subtract_parameters(const struct second_part *part)
{
    const struct derive *const d = part->d;
    const tansy_pattern *const pattern = &d->problem->parameter_pattern;
    const struct derive_worker *const w = &d->worker[part->worker];
    size_t const lanes = part->panel->lanes;
    size_t const count = parameter_count(d);
    for (size_t e = 0; e < count; e++) {
        size_t const i = pattern->row ? pattern->row[e] : e / d->np;
        size_t const j = pattern->row ? pattern->column[e] : e % d->np;
        double const F = w->second.F_sum[e];
        if (!d->touched[j] || F == 0) continue;
        for (size_t k = 0; k < lanes; k++) part->R[i * lanes + k] -= F * w->U[j * lanes + k];
    }
}

int second_by_matrices(const struct second_part *part)
{
    struct derive *const d = part->d;
    struct derive_worker *const w = &d->worker[part->worker];
    int const code = difference_matrices(part);
    if (code != 0) return code;
    given_subtract(d, w->second.J_sum, part->panel->lanes, part->V, part->R);
    if (!w->second.F) return second_by_values(part, false);
    given_place(d, w, part->panel);
    subtract_parameters(part);
    return 0;
}

/* sum_m weight_m f(t + m eps tau, y + m eps v, p) at a point that moves along a column. */
static int shifted_values(struct derive *d, size_t worker, const struct point *at, double *value)
{
    struct second_room *const room = &d->worker[worker].second;
    const struct second_part *const part = room->part;
    memset(value, 0, d->n * sizeof *value);
    for (size_t x = 0; x < part->shifts->points; x++) {
        struct point const moved = second_move(part, at, part->shifts->point[x].m, room->y);
        double const weight = part->shifts->point[x].weight;
        int const code = derive_at_rest(d, worker, moved.t, moved.y, room->f);
        if (code != 0) return code;
        for (size_t i = 0; i < d->n; i++) value[i] += weight * room->f[i];
    }
    return 0;
}

int second_by_values(const struct second_part *part, bool along_y)
{
    struct derive *const d = part->d;
    const struct panel *const panel = part->panel;
    struct second_room *const room = &d->worker[part->worker].second;
    struct line const line = {.difference = TANSY_CENTRAL,
                              .evaluate = shifted_values,
                              .Delta = part->Delta,
                              .count = d->n,
                              .t = part->at->t,
                              .y = part->at->y,
                              .f = room->base};
    room->part = part;
    int code = shifted_values(d, part->worker, part->at, room->base);
    for (size_t k = 0; k < panel->columns && code == 0; k++) {
        struct column const column = {
            .number = panel->first + k, .lanes = panel->lanes, .s = part->V + k, .r = part->R + k};
        code = along_y ? differences_column(d, part->worker, &line, &column)
                       : differences_parameters(d, part->worker, &line, &column);
    }
    return code;
}
