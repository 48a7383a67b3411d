/* SPDX-License-Identifier: Apache-2.0 */
/* Form (9) of the staggered direct method. */
#include "support/corrector_original.h"

#include <string.h>

#include "drive/solver.h"

static enum verdict prepare(struct stepper *s)
{
    return corrector_direct.prepare(s);
}

/* r = J 0 - M (s0' - c s0) + r_p u, with s0' - c s0 in w->yp of an implicit problem. */
static int evaluate(struct stepper *s, struct part *panel, struct work *w, size_t worker)
{
    struct equations *const q = s->equations;
    size_t const count = panel->shape.count;
    memset(w->y, 0, count * sizeof *w->y);
    if (w->yp) q->kernels->combine(count, s->reciprocal, w->d0, -s->c, w->y0, w->yp);
    int const code = equations_evaluate(q, worker, panel, s->end, w->y, w->yp, w->r);
    if (code == 0 && !w->yp)
        for (size_t x = 0; x < count; x++) w->r[x] += s->c * w->y0[x] - s->reciprocal * w->d0[x];
    return code;
}

static enum verdict solve_whole(struct stepper *s, struct part *panel, struct work *w,
                                size_t worker)
{
    struct equations *const q = s->equations;
    double *const e = panel->e[panel->now];
    int code = evaluate(s, panel, w, worker);
    if (code != 0) return corrector_verdict(s, panel, worker, code);
    code = equations_solve(q, panel, &(struct solve_task){.worker = worker, .c = s->c}, w->r);
    if (code != 0) return VERDICT_NOT_CONVERGED;
    for (size_t x = 0; x < panel->shape.count; x++) e[x] = w->r[x] - w->y0[x];
    panel->squares_known = false;
    panel->counts.solves += panel->shape.columns;
    panel->counts.iterations += panel->shape.columns;
    return VERDICT_OK;
}

static const struct corrector corrector_original = {
    .name = "direct (9)",
    .option = TANSY_DIRECT,
    .title = "staggered direct, original form",
    .prepare = prepare,
    .panel = solve_whole,
};

void corrector_original_use(tansy_solver *solver)
{
    solver->stepper.corrector = &corrector_original;
}
