/* SPDX-License-Identifier: Apache-2.0 */
/* y and S that satisfy the constraints of index 2, g(t, y, p) = 0, to the tolerances only, as what is interpolated inside a step does, are moved onto
   them before a run goes on from there: M d = f_z m, g_y d = -g, which is where its first step would go, however short, with an error that
   no shorter step makes smaller.  K with zeros beside the constraints is that system. */
#include <math.h>
#include <string.h>

#include "drive/consistent.h"
#include "drive/solver.h"

static const double share = 0.01; /* of the error weights: less is no error that counts */

/* Rows that are no constraints to zero. */
static void keep_constraints(const struct tansy_solver *s, size_t lanes, double *R)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->consistent.constraint[i]) memset(R + i * lanes, 0, lanes * sizeof *R);
}

/* d of K d = r, r in the constraints, into dyp; *counts where it moves a component by what counts of its weight. */
static int find_move(struct tansy_solver *s, double *r, bool *counts)
{
    struct consistent *const c = &s->consistent;
    memset(c->dyp, 0, s->n * sizeof *c->dyp);
    keep_constraints(s, 1, r);
    int const code = consistent_solve(s, NULL, r, NULL, c->dyp);
    *counts = false;
    for (size_t i = 0; i < s->n && code == 0; i++)
        *counts = *counts || fabs(c->dyp[i]) > share * consistent_weight(s, i);
    return code;
}

int consistent_project(struct tansy_solver *s, double t)
{
    enum { ROUNDS = 3 };
    struct consistent *const c = &s->consistent;
    struct point const at = {.t = t, .y = s->y0, .yp = c->yp};
    double *const r = s->equations.f;
    bool counts = true;
    int code = 0;
    if (c->constraints == 0 || (s->options.keep_initial && !s->started)) return 0;
    for (int round = 0; round < ROUNDS && code == 0 && counts; round++) {
        code = find_move(s, r, &counts);
        for (size_t i = 0; i < s->n && counts; i++) s->y0[i] += c->dyp[i];
        if (code == 0) code = derive_value(&s->derive, 0, &at, r);
    }
    if (code <= 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE; /* F fails there: y is not moved */
    memcpy(s->y0, c->given, s->n * sizeof *s->y0);
    return derive_value(&s->derive, 0, &at, r);
}

/* Some entry of D counts beside the column's own weights. */
static bool panel_counts(const struct tansy_solver *s, const struct panel *panel, const double *V,
                         const double *D)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < panel->columns; k++) {
            double const unit = s->tolerances.scale[panel->first + k];
            double const size = fabs(V[i * panel->lanes + k]) * unit;
            double const by = fabs(D[i * panel->lanes + k]) * unit;
            if (by > share * tolerances_allow(&s->tolerances, i, size)) return true;
        }
    return false;
}

int consistent_project_panel(struct tansy_solver *s, const struct panel *panel, double *V,
                             const double *R, bool *moved)
{
    double *const r = s->consistent.panel, *const D = r + panel->count;
    *moved = false;
    if (!s->started && (!s->columns_given || s->options.keep_initial)) return 0;
    memcpy(r, R, panel->count * sizeof *r);
    memset(D, 0, panel->count * sizeof *D);
    keep_constraints(s, panel->lanes, r);
    int const code = consistent_solve(s, panel, r, NULL, D);
    *moved = code == 0 && panel_counts(s, panel, V, D);
    if (*moved) s->norms.kernels->combine(panel->count, 1, V, 1, D, V);
    return code;
}
