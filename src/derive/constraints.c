/* SPDX-License-Identifier: Apache-2.0 */
/* d/dt of the constraints of index 2 as the problem gives it, G = g_t + g_y y', and its tangent; with the sign of the residual r, whose rows
   g are: r = f - B y', or r = -F. */
#include <string.h>

#include "derive/providers.h"

static void turn_sign(const struct derive *d, size_t count, double *R)
{
    for (size_t x = 0; x < count && d->form == FORM_RESIDUAL; x++) R[x] = -R[x];
}

int derive_constraint_rate(struct derive *d, const struct point *at, double *R)
{
    struct derive_worker *const w = &d->worker[0];
    memset(R, 0, d->n * sizeof *R);
    int const code = d->problem->constraint_rate(at->t, at->y, at->yp, w->p, R, w->context);
    turn_sign(d, d->n, R);
    return judge(w, "constraint_rate", at->t, code, d->n, R);
}

int derive_constraint_tangent(struct derive *d, const struct point *at, const struct panel *panel,
                              const double *V, const double *V_rate, double *R)
{
    struct derive_worker *const w = &d->worker[0];
    given_place(d, w, panel);
    memset(R, 0, panel->count * sizeof *R);
    int code = d->problem->constraint_rate_tangent(at->t, at->y, at->yp, w->p, panel->columns,
                                                   panel->lanes, V, V_rate, w->U, R, w->context);
    turn_sign(d, d->n * panel->lanes, R);
    code = judge_matrix(w, "constraint_rate_tangent", at->t, code, d->n, panel->lanes, R);
    return judge_columns(d, 0, panel, code);
}
