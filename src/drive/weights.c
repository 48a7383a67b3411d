/* SPDX-License-Identifier: Apache-2.0 */
/* Error weights by a function of the user's: where it is asked beside the steps, and what follows if it fails. */
#include "drive/solver.h"

/* The fault is the reason of what comes next; true: there is one, among those of the state and the panels below `panels`. */
static bool find_fault(struct tansy_solver *s, size_t panels)
{
    if (!s->norms.own) return false;
    const struct failure *const fault = own_weights_fault(s->norms.own, panels);
    if (!fault) return false;
    s->failure = *fault;
    s->failure.t = s->stepper.t;
    if (fault->own != SIZE_MAX) s->failure.own = (size_t)activation_name(s, (ptrdiff_t)fault->own);
    return true;
}

tansy_status solver_judge_weights(struct tansy_solver *s)
{
    if (!find_fault(s, s->stepper.panels)) return TANSY_OK;
    s->verdict = VERDICT_FAILED;
    own_weights_clear(s->norms.own);
    return solver_give_up(s, s->failure.kind == FAILURE_POSITIVE ? OUTCOME_FAILED : OUTCOME_STOP);
}

/* What error the components of a state may have, for those who look at tolerances (tolerances_allow()). */
static void ask(struct tansy_solver *s, const double *y)
{
    double *const own = s->tolerances.own, *const winv = s->stepper.state_work.r;
    own_weights_find(s->norms.own, &s->stepper.state, s->n, y, winv);
    if (own_weights_fault(s->norms.own, 0)) return;
    for (size_t i = 0; i < s->n; i++) own[i] = 1 / (winv[i] * s->tightness.rho);
}

tansy_status solver_ask_weights(struct tansy_solver *s)
{
    if (!s->norms.own) return TANSY_OK;
    s->stepper.t = s->t0;
    own_weights_clear(s->norms.own);
    ask(s, s->y0);
    return solver_judge_weights(s);
}

enum outcome solver_blame_weights(struct tansy_solver *s, enum outcome outcome)
{
    size_t const failed = atomic_load_explicit(&s->lowest, memory_order_relaxed);
    if (outcome == OUTCOME_ACCEPTED) {
        ask(s, s->stepper.state_work.y);
        own_weights_clear(s->norms.own); /* the next step may begin at a root before */
        return outcome;
    }
    if (!find_fault(s, failed + 1)) return outcome;
    s->verdict = VERDICT_FAILED;
    return s->failure.kind == FAILURE_POSITIVE ? OUTCOME_FAILED : OUTCOME_STOP;
}
