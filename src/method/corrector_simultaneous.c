/* SPDX-License-Identifier: Apache-2.0 */
/* Simultaneous corrector (Maly and Petzold 2.1): state and columns in one Newton iteration whose matrix is
   the block diagonal of the whole one, diag(W, ..., W).  The neglected blocks are nilpotent, so convergence
   is 2-step quadratic (their Theorem 1): the columns lag one iteration behind the state, and the first
   iteration, whose columns were linearised at the predictor, is never accepted. */
#include <math.h>

#include "method/corrector.h"
#include "method/nordsieck.h"

enum { MOST_ITERATIONS = 6 }; /* two more than the state alone: the columns lag behind */

struct iteration {
    struct stepper *s;
    int number;
};

/* One iteration of a panel around the state of the iteration before; the square of its size is left in s->size. */
static void iterate_panel(void *context, size_t item, size_t worker)
{
    const struct iteration *const it = context;
    struct stepper *const s = it->s;
    struct part *const panel = &s->panel[item];
    struct work *const w = &s->panel_work[worker];
    bool const first = it->number == 0;
    nordsieck_predict(s, panel, w);
    if (!first)
        s->equations->kernels->combine(panel->shape.count, 1, w->y0, 1, panel->e[panel->now], w->y);
    s->verdict[item] = corrector_improve(s, panel, w, worker, first, &s->size[item]);
    part_collect(panel, &s->equations->derive->worker[worker]);
}

/* The larger of two sizes; NaN if one of them is. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The columns around the state as it is before its own iteration. */
static enum verdict iterate_panels(struct iteration *it, double *size)
{
    struct stepper *const s = it->s;
    struct equations *const q = s->equations;
    bool const predicted = it->number == 0;
    corrector_slope(s, &s->state, &s->state_work, predicted);
    struct point const at = corrector_point(s, predicted);
    int const code = equations_linearise(q, &at, false);
    if (code != 0) return corrector_verdict(s, &s->state, 0, code);
    pool_run(s->pool, s->panels, iterate_panel, it);
    for (size_t m = 0; m < s->panels; m++) {
        if (s->verdict[m] != VERDICT_OK) {
            s->state.failure = s->panel[m].failure; /* the state speaks for all */
            return s->verdict[m];
        }
        *size = larger(s->size[m], *size);
    }
    return VERDICT_OK;
}

static enum verdict iterate(struct stepper *s)
{
    struct iteration it = {.s = s};
    double *const rate = &s->state.rate;
    double before = 0;
    double const own =
        equations_iterative(s->equations) ? 1 : s->care * s->care; /* care is for the state */
    int const most = s->most_iterations > 0 ? s->most_iterations : MOST_ITERATIONS;
    for (; it.number < most; it.number++) {
        double columns = 0, size = 0; /* squares */
        enum verdict verdict = iterate_panels(&it, &columns);
        if (verdict == VERDICT_OK)
            verdict = corrector_improve(s, &s->state, &s->state_work, 0, it.number == 0, &size);
        if (verdict != VERDICT_OK) return verdict;
        size = larger(size, columns * own);
        if (!isfinite(size)) break;
        if (it.number > 0) *rate = corrector_rate(*rate, size / before);
        if (it.number > 0 && corrector_left(size, *rate) <= corrector_room(s, &s->state))
            return VERDICT_OK;
        if (it.number > 1 && !(size <= 4 * before)) break;
        before = size;
    }
    return VERDICT_NOT_CONVERGED;
}

enum verdict corrector_together(struct stepper *s)
{
    struct equations *const q = s->equations;
    enum verdict verdict = VERDICT_OK;
    if (equations_stale(q, s->c, false)) verdict = corrector_renew(s);
    if (verdict != VERDICT_OK) return verdict;
    verdict = iterate(s);
    if (verdict != VERDICT_NOT_CONVERGED || q->fresh || equations_functional(q)) return verdict;
    verdict = corrector_renew(s);
    return verdict == VERDICT_OK ? iterate(s) : verdict;
}

const struct corrector corrector_simultaneous = {
    .name = "simultaneous",
    .option = TANSY_SIMULTANEOUS,
    .title = "simultaneous corrector",
    .together = true,
};
