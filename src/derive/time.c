/* SPDX-License-Identifier: Apache-2.0 */
/* df/dt at fixed y and p; -dF/dt at y' = 0 where the problem is F = 0 with constant dF/dy'. */
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"

static int value(struct derive *d, size_t worker, const struct point *at, double *f)
{
    return derive_at_rest(d, worker, at->t, at->y, f);
}

/* By the formula of one side, so that f is not asked for before t0 or behind the end: of the fourth order its error is
   24 Delta^4 + 11u/Delta = 9e-12 of F/span in the model of line.c. */
static int difference(struct derive *d, size_t worker, const struct point *at, double span,
                      double *ft)
{
    struct derive_worker *const w = &d->worker[worker];
    double const Delta = formula_of(TANSY_FOURTH_ORDER)->increment;
    double const h = increment_of_time(at->t, span, Delta);
    if (h == 0) { /* a change over so short a time is none */
        memset(ft, 0, d->n * sizeof *ft);
        return 0;
    }
    if (!at->f) { /* into the increments of y, which stays */
        int const code = derive_at_rest(d, worker, at->t, at->y, w->step);
        if (code != 0) return code;
    }
    struct line const line = {.difference = TANSY_FOURTH_ORDER,
                              .evaluate = value,
                              .first = 1,
                              .Delta = Delta,
                              .count = d->n,
                              .t = at->t,
                              .t_step = h,
                              .y = at->y,
                              .f = at->f ? at->f : w->step};
    int const code = line_difference(d, worker, &line, ft);
    for (size_t i = 0; i < d->n && code == 0; i++) ft[i] /= h;
    return code;
}

int derive_time(struct derive *d, size_t worker, const struct point *at, double span, double *ft)
{
    struct derive_worker *const w = &d->worker[worker];
    const tansy_problem *const q = d->problem;
    if (q->autonomous) {
        memset(ft, 0, d->n * sizeof *ft);
        return 0;
    }
    if (!q->time_derivative) return difference(d, worker, at, span, ft);
    int const code = q->time_derivative(at->t, at->y, w->p, ft, w->context);
    for (size_t i = 0; i < d->n && d->form == FORM_RESIDUAL; i++) ft[i] = -ft[i];
    return judge(w, "time_derivative", at->t, code, d->n, ft);
}

void derive_time_range(struct derive *d, size_t term, double t_low, double t_high,
                       tansy_time_bounds *bounds)
{
    struct derive_worker *const w = &d->worker[0];
    int const code = d->problem->time_range(term, t_low, t_high, w->p, bounds, w->context);
    if (code == 0) return;
    *bounds = (tansy_time_bounds){-HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL};
}
