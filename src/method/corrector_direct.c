/* SPDX-License-Identifier: Apache-2.0 */
/* Staggered direct method: one linear solve with W factored at the corrected state,
     W (s - s0) = J s0 - M s0' + r_p u,
   ODESSA's (4.11) in the well-conditioned form of Li, Petzold and Zhu (10) with its sign put right. */
#include "method/corrector.h"

/* Fresh factors are cheaper than a second solve for all columns; or that may not come to its end: directional differences of algebraic equations
   have another noise in every iteration, which goes into s undivided by c. */
static bool refactoring_pays(const struct stepper *s)
{
    const struct derive *const d = s->equations->derive;
    if (derive_is_implicit(d) && d->tangent_source == SOURCE_DIFFERENCES) return true;
    const struct linear *const l = s->equations->linear;
    const struct panel *const last = &s->panel[s->panels - 1].shape;
    double const columns = (double)(last->first + last->columns);
    return l->table->factor_cost(l) <= columns * l->table->solve_cost(l);
}

static enum verdict prepare(struct stepper *s)
{
    struct equations *const q = s->equations;
    corrector_slope(s, &s->state, &s->state_work, false);
    struct point const at = corrector_point(s, false);
    q->singular = 0;
    if (q->fresh && !refactoring_pays(s))
        return corrector_verdict(s, &s->state, 0, equations_linearise(q, &at, false));
    int code = equations_factor(q, &at, s->c);
    q->fresh = false; /* not at the predictor: panel() needs no second iteration */
    if (code == 0) code = equations_linearise(q, &at, true);
    return corrector_verdict(s, &s->state, 0, code);
}

static enum verdict panel_directly(struct stepper *s, struct part *panel, struct work *w,
                                   size_t worker)
{
    struct equations *const q = s->equations;
    if (q->fresh) return corrector_iterate(s, panel, w, worker); /* W is from the predictor */
    enum verdict const verdict = corrector_solve(s, panel, w, worker, true, panel->e[panel->now]);
    if (verdict != VERDICT_OK) return verdict;
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
