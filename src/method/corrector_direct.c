/* SPDX-License-Identifier: Apache-2.0 */
/* Staggered direct method: one linear solve with W factored at the corrected state,
     W (s - s0) = J s0 + f_p u - s0',
   ODESSA's (4.11) in the well-conditioned form of Li, Petzold and Zhu (10) with its sign put right. */
#include "method/corrector.h"

/* Fresh factors are cheaper than a second solve for all columns. */
static bool refactoring_pays(const struct stepper *s)
{
    const struct linear *const l = s->equations->linear;
    const struct panel *const last = &s->panel[s->panels - 1].shape;
    double const columns = (double)(last->first + last->columns);
    return l->table->factor_cost(l) <= columns * l->table->solve_cost(l);
}

static enum verdict prepare(struct stepper *s)
{
    struct equations *const q = s->equations;
    double const t = s->end;
    const double *const y = s->state_work.y;
    q->singular = 0;
    if (q->fresh && !refactoring_pays(s))
        return corrector_verdict(s, &s->state, 0, equations_linearise(q, t, y, false));
    int code = equations_factor(q, t, y, s->c);
    q->fresh = false; /* not at the predictor: panel() needs no second iteration */
    if (code == 0) code = equations_linearise(q, t, y, true);
    return corrector_verdict(s, &s->state, 0, code);
}

static enum verdict panel_directly(struct stepper *s, struct part *panel, struct work *w,
                                   size_t worker)
{
    struct equations *const q = s->equations;
    if (q->fresh) return corrector_iterate(s, panel, w, worker); /* W is from the predictor */
    double *const e = panel->e[panel->now];
    int const code = equations_evaluate(q, worker, panel, s->end, w->y0, e);
    if (code != 0) return corrector_verdict(s, panel, worker, code);
    q->kernels->step->residual(panel->shape.count, -s->reciprocal, w->d0, 0, NULL, e);
    equations_solve(q, panel, e);
    panel->squares_known = false;
    panel->counts.solves += panel->shape.columns;
    panel->counts.iterations += panel->shape.columns;
    return VERDICT_OK;
}

const struct corrector corrector_direct = {
    .name = "direct",
    .option = TANSY_DIRECT,
    .title = "staggered direct",
    .prepare = prepare,
    .panel = panel_directly,
};
