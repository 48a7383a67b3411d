/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of index 2 kind.  At a value of p where a coefficient of z' vanishes, eps z' = g(x, z) at eps = 0, z is algebraic, but the column of eps,
     0 = g_x s_x + g_z s_z - z',
   needs the derivative of an algebraic variable, as multipliers of index 2 do.  Formulas know z' to the error of z over h, so that no step is short enough for an
   error test of s_z: multistep methods, whose s_z is as good as z' of the formula, leave its algebraic rows out of it. */
#include <math.h>
#include <string.h>

#include "drive/consistent.h"
#include "drive/solver.h"

/* Are there derivatives of algebraic components that F may have at other p?  Where kinds are other ones than those of the structure; what is no model is looked at where the
   run begins, too, and where components have become algebraic since. */
static bool may_need_rates(const struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    const tansy_problem *const q = &s->problem;
    size_t j = 0;
    if (c->algebraic == 0 || !(q->residual || q->mass_varies || q->mass_tangent)) return false;
    while (q->kind && j < s->n && q->kind[j] == c->kind[j]) j++;
    bool const other = q->kind && j < s->n;
    return other || (!q->from_model && (!s->started || c->algebraic > c->looked_at));
}

/* R = r_p U at y'. */
static int look(struct tansy_solver *s, const struct panel *panel, const double *yp, double *R)
{
    double *const V = s->consistent.panel, *const V_rate = V + panel->count;
    struct point at = {.t = s->stepper.t, .y = s->y0, .yp = yp};
    memset(V, 0, panel->count * sizeof *V);
    memset(V_rate, 0, panel->count * sizeof *V_rate);
    int const code = equations_linearise(&s->equations, &at, false);
    if (code != 0) return code;
    at.f = s->equations.f;
    return s->derive.tangent(&s->derive, 0, &at, panel, V, V_rate, R);
}

/* Where r_p U is another after y' of the algebraic components has moved.  Differences see F at the same p twice: their noise is that of r_p U. */
static void compare(struct tansy_solver *s, const struct panel *panel, const double *here,
                    const double *there)
{
    static const double noise = 1e-5;
    struct consistent *const c = &s->consistent;
    for (size_t k = 0; k < panel->columns; k++)
        for (size_t i = 0; i < s->n; i++) {
            if (c->coupled.n == 0 && !c->flat[i]) continue; /* s' takes it up */
            double const a = here[i * panel->lanes + k], b = there[i * panel->lanes + k];
            if (!(fabs(a - b) > noise * (fabs(a) + fabs(b))) || c->held[panel->first + k]) continue;
            c->held[panel->first + k] = true;
            c->held_row = c->helds++ == 0 ? i : c->held_row;
        }
}

int consistent_note_held(struct tansy_solver *s, const struct panel *panel)
{
    struct consistent *const c = &s->consistent;
    double *const here = c->panel + 2 * panel->count, *const there = s->stepper.panel_work[0].y0;
    if (!may_need_rates(s)) return 0;
    if (panel->first + panel->columns == s->ns) c->looked_at = c->algebraic;
    for (size_t i = 0; i < s->n; i++)
        c->moved[i] = c->yp[i] + (c->kind[i] == TANSY_DIFFERENTIAL ? 0 : 1 + fabs(c->yp[i]));
    int code = look(s, panel, c->yp, here);
    if (code == 0) code = look(s, panel, c->moved, there);
    if (code < 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    if (code == 0) compare(s, panel, here, there);
    if (c->helds == 0 || method_is_one_step(s->stepper.method)) return 0;
    s->norms.held = c->held;
    s->norms.component = c->kind;
    return 0;
}

void consistent_forget_held(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    s->norms.held = NULL;
    c->helds = 0;
    if (c->held) memset(c->held, 0, s->ns * sizeof *c->held);
}
