/* SPDX-License-Identifier: Apache-2.0 */
/* One attempt of a step (DESIGN 4): the state is advanced and tested, then panel after panel; the first that
   fails ends the attempt (ODESSA's early exit).  Threads take panels; the lowest-numbered failing panel
   decides, all lower ones are finished and higher ones do not count, so that results and counts are the same
   at any number of threads. */
#include "drive/solver.h"

#include <math.h>

static bool test_each(const struct tansy_solver *s)
{
    return s->options.error_control == TANSY_EACH_COLUMN;
}

/* Adds what a part cost to the totals. */
static void count(struct tansy_solver *s, struct part *part)
{
    struct part_counts *const c = &part->counts;
    s->stats.rhs_evals += c->derive.rhs;
    s->stats.tangent_evals += c->derive.tangent;
    s->stats.jacobian_evals += c->derive.jacobian;
    s->stats.parameter_evals += c->derive.parameter;
    s->stats.second_evals += c->derive.second;
    s->stats.solves += c->solves;
    s->stats.linear_iterations += c->linear;
    if (part->kind == PART_STATE)
        s->stats.newton_state += c->iterations;
    else
        s->stats.newton_sens += c->iterations;
    *c = (struct part_counts){0};
}

/* Keeps the largest error of each slot. Field by field: copying a structure that has just been written would
   wait for its parts to reach the cache. */
static void merge(struct tansy_solver *s, const struct estimates *e)
{
    for (int slot = 0; slot < CANDIDATES; slot++) {
        const struct candidate *const from = &e->candidate[slot];
        struct candidate *const to = &s->candidate[slot];
        if (from->order == 0 || (to->order != 0 && from->error <= to->error)) continue;
        to->order = from->order;
        to->limit = from->limit;
        to->error = from->error;
        to->cost = from->cost;
        to->bias = from->bias;
    }
}

static void note_failed(struct tansy_solver *s, size_t m)
{
    size_t lowest = atomic_load_explicit(&s->lowest, memory_order_relaxed);
    while (m < lowest && !atomic_compare_exchange_weak(&s->lowest, &lowest, m)) {
    }
}

static void advance_panel(void *context, size_t m, size_t worker)
{
    struct tansy_solver *const s = context;
    struct stepper *const st = &s->stepper;
    struct part *const part = &st->panel[m];
    struct attempt *const a = &s->attempt[m];
    if (atomic_load_explicit(&s->lowest, memory_order_relaxed) < m) return;
    a->verdict = st->corrector->together ? VERDICT_OK : st->method->advance(st, part, worker);
    if (a->verdict == VERDICT_OK) st->method->estimate(st, part, worker, &a->estimates);
    part_collect(part, &s->derive.worker[worker]);
    double const error = a->estimates.candidate[SAME].error;
    bool const passed = a->verdict == VERDICT_OK && (test_each(s) ? error <= 1 : isfinite(error));
    if (!passed) note_failed(s, m);
}

/* What the panels say together, up to the lowest that failed. */
static enum outcome judge_panels(struct tansy_solver *s)
{
    size_t const failed = atomic_load_explicit(&s->lowest, memory_order_relaxed);
    for (size_t m = 0; m < s->stepper.panels && m <= failed; m++) {
        count(s, &s->stepper.panel[m]);
        if (s->attempt[m].verdict == VERDICT_OK && s->options.error_control != TANSY_STATE_ONLY)
            merge(s, &s->attempt[m].estimates);
    }
    for (size_t m = failed + 1; failed < s->stepper.panels && m < s->stepper.panels; m++) {
        s->stepper.panel[m].counts = (struct part_counts){0};
        s->stepper.panel[m].rate = s->attempt[m].rate; /* it may or may not have been at work */
        s->stepper.panel[m].is_pressed = false;
        if (s->stepper.panel[m].slope_is_new) s->stepper.panel[m].knows_slope = false;
        derive_noise_put_back(&s->derive, &s->shape[m]);
    }
    if (failed >= s->stepper.panels) return OUTCOME_ACCEPTED;
    const struct attempt *const a = &s->attempt[failed];
    s->verdict = a->verdict;
    s->failure = s->stepper.panel[failed].failure;
    if (a->verdict == VERDICT_STOP) return OUTCOME_STOP;
    if (a->verdict != VERDICT_OK) return OUTCOME_FAILED;
    s->culprit = (ptrdiff_t)(s->shape[failed].first + a->estimates.column);
    merge(s, &a->estimates);
    return OUTCOME_ERROR;
}

/* All parts offer the slot: after a failed test only those do that failed on their own. */
static bool offered_by_all(const struct tansy_solver *s, int slot)
{
    bool all = s->state_attempt.estimates.candidate[slot].order != 0;
    for (size_t m = 0; m < s->stepper.panels; m++)
        all = all && s->attempt[m].estimates.candidate[slot].order != 0;
    return all;
}

/* One norm of everything (4.14): the root mean square of all n (1 + ns) entries. */
static void merge_as_one(struct tansy_solver *s)
{
    double worst = s->state_attempt.estimates.square_sum[SAME];
    for (int slot = 0; slot < CANDIDATES; slot++) {
        if (!offered_by_all(s, slot)) s->candidate[slot].order = 0;
        if (s->candidate[slot].order == 0) continue;
        double sum = s->state_attempt.estimates.square_sum[slot];
        for (size_t m = 0; m < s->stepper.panels; m++) {
            const struct estimates *const e = &s->attempt[m].estimates;
            sum += e->square_sum[slot];
            double const error = e->candidate[SAME].error * e->candidate[SAME].error;
            if (slot == SAME && error > worst) {
                worst = error;
                s->culprit = (ptrdiff_t)(s->shape[m].first + e->column);
            }
        }
        s->candidate[slot].error = sqrt(sum / (double)(1 + s->ns));
    }
}

/* What the state cost, prepare() included. */
static void count_state(struct tansy_solver *s)
{
    part_collect(&s->stepper.state, &s->derive.worker[0]);
    count(s, &s->stepper.state);
}

static enum outcome state_failed(struct tansy_solver *s)
{
    s->failure = s->stepper.state.failure;
    return s->verdict == VERDICT_STOP ? OUTCOME_STOP : OUTCOME_FAILED;
}

static enum outcome run_panels(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    if (st->panels > 0 && !st->corrector->together) s->verdict = st->corrector->prepare(st);
    count_state(s);
    if (s->verdict != VERDICT_OK) return state_failed(s);
    if (st->panels == 0) return OUTCOME_ACCEPTED;
    for (size_t m = 0; m < st->panels; m++) {
        s->attempt[m].rate = st->panel[m].rate;
        st->panel[m].slope_is_new = false;
    }
    derive_noise_keep(&s->derive);
    pool_run(st->pool, st->panels, advance_panel, s);
    return judge_panels(s);
}

static enum outcome attempt(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    st->other_orders = control_considers(&s->control);
    s->equations.fresh = false;
    s->culprit = -1;
    for (int slot = 0; slot < CANDIDATES; slot++) s->candidate[slot].order = 0;
    s->verdict = st->panels > 0 && st->corrector->together ? st->method->advance_together(st)
                                                           : st->method->advance(st, &st->state, 0);
    for (size_t m = 0; m < st->panels && st->corrector->together; m++) count(s, &st->panel[m]);
    if (s->problem.sign && s->verdict == VERDICT_OK && !solver_keep_signs(s))
        s->verdict = VERDICT_FAILED;
    if (s->verdict != VERDICT_OK) {
        count_state(s);
        return state_failed(s);
    }
    struct estimates *const estimates = &s->state_attempt.estimates;
    st->method->estimate(st, &st->state, 0, estimates);
    merge(s, estimates);
    bool const together = s->options.error_control == TANSY_ALL_AS_ONE && st->panels > 0;
    double const error = s->candidate[SAME].error;
    if (together ? !isfinite(error) : !(error <= 1)) {
        count_state(s);
        return OUTCOME_ERROR;
    }
    enum outcome const outcome = run_panels(s);
    if (outcome != OUTCOME_ACCEPTED || !together) return outcome;
    merge_as_one(s);
    return s->candidate[SAME].error <= 1 ? OUTCOME_ACCEPTED : OUTCOME_ERROR;
}

void solver_count_parts(struct tansy_solver *s)
{
    count_state(s);
    for (size_t m = 0; m < s->stepper.panels; m++) count(s, &s->stepper.panel[m]);
}

enum outcome solver_attempt(struct tansy_solver *s)
{
    atomic_store_explicit(&s->lowest, s->stepper.panels, memory_order_relaxed);
    if (!s->norms.own) return attempt(s);
    own_weights_clear(s->norms.own);
    return solver_blame_weights(s, attempt(s));
}
