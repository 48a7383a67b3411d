/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on stiff components of y' = f.  At a switching point f(t, y) has the error of y times its large derivative in it, and the solution that
   starts there goes back at once to where it ought to be.  So dT/dp, and what is turned, follow from the slope P' of the dense output; f- and f+
   at the same y have the same error, and f+ - f- has none of it. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"
#include "method/limex.h"

/* The root mean square of v in units of the error weights. */
static double size_of(const struct tansy_solver *s, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const share = v[i] / tolerances_allow(&s->tolerances, i, s->y0[i]);
        sum += share * share;
    }
    return sqrt(sum / (double)s->n);
}

/* The error of y that makes the drift, x = W^-1 (P' - f), is within the tolerance, and f(y - x) is P' but for a little: else it is the polynomial that is
   wrong, as beside a root.  A negative code of f. */
static int explain(struct tansy_solver *s, double t, bool *explained)
{
    static const double little = 0.2;
    struct stepper *const st = &s->stepper;
    struct events *const e = &s->events;
    double *const x = st->state_work.r, *const y = st->state_work.y0;
    struct solve_task const task = {.c = s->equations.c,
                                    .slot = st->method == &method_limex ? limex_slot(st, 1) : 0};
    *explained = false;
    memset(x, 0, st->state.shape.count * sizeof *x);
    memcpy(x, e->drift, s->n * sizeof *x);
    int code = equations_solve(&s->equations, &st->state, &task, x);
    if (code != 0 || !(size_of(s, x) <= 1)) return code < 0 ? code : 0;
    for (size_t i = 0; i < s->n; i++) y[i] = s->y0[i] - x[i];
    code = derive_rhs(&s->derive, 0, t, y, x);
    for (size_t i = 0; i < s->n; i++) x[i] = e->f_after[i] + e->drift[i] - x[i];
    *explained = code == 0 && size_of(s, x) <= little * size_of(s, e->drift);
    return code < 0 ? code : 0;
}

/* Where the drift is small it still counts in stiff rows: an error d of y_i is |J_ii| d in f_i, and d/h in P'.  Others have f, and so have rows in which J_ii d does not
   explain it, as beside a root, whose slope is another one everywhere.  A negative code of f. */
static int keep_stiff_rows(struct tansy_solver *s, double t)
{
    static const double stiff = 10, little = 0.2;
    struct events *const e = &s->events;
    double *const y = s->stepper.state_work.y0, *const f = s->stepper.state_work.r;
    double const h = fabs(s->stats.h_last);
    for (size_t i = 0; i < s->n; i++) {
        double const rate = fabs(*matrix_entry(&s->J, i, i));
        double const within = rate * tolerances_allow(&s->tolerances, i, s->y0[i]);
        if (!(rate * h > stiff && fabs(e->drift[i]) <= within)) e->drift[i] = 0;
        y[i] = s->y0[i] + (e->drift[i] != 0 ? e->drift[i] / *matrix_entry(&s->J, i, i) : 0);
        e->drifts = e->drifts || e->drift[i] != 0;
    }
    int const code = e->drifts ? derive_rhs(&s->derive, 0, t, y, f) : 0;
    e->drifts = false;
    for (size_t i = 0; i < s->n && code == 0; i++) {
        double const explained = f[i] - e->f_after[i];
        if (!(fabs(explained - e->drift[i]) <= little * fabs(e->drift[i]))) e->drift[i] = 0;
        e->drifts = e->drifts || e->drift[i] != 0;
    }
    return code < 0 ? code : 0;
}

static int find_drift(struct tansy_solver *s, double t)
{
    static const double much = 3;
    struct events *const e = &s->events;
    int code = derive_rhs(&s->derive, 0, t, s->y0, e->f_after);
    bool const at_root = !e->rests[e->leader] && e->bridge == SIZE_MAX; /* and not on its way */
    if (code == 0 && at_root) code = events_limit_before(s, t, e->f_after);
    if (code != 0) return code;
    solver_output(s, t, 1, e->drift, NULL);
    for (size_t i = 0; i < s->n; i++) e->drift[i] -= e->f_after[i];
    double const size = fabs(s->stats.h_last) * size_of(s, e->drift);
    if (size > much && isfinite(size)) return explain(s, t, &e->drifts);
    bool const rough =
        s->stepper.method == &method_limex; /* others leave less of it at their ends */
    return rough && s->ns > 0 && size <= much ? keep_stiff_rows(s, t) : 0;
}

int events_find_drift(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    const struct equations *const q = &s->equations;
    bool const stiff = !s->stepper.method->tableau && !equations_functional(q) &&
                       !equations_iterative(q) && s->stepper.method != &method_adams;
    e->drifts = false;
    if (!stiff || !e->drift) return 0;
    int const code = find_drift(s, t);
    return code == 0 ? events_refine_drift(s, t) : code;
}

void events_wait_for_transient(struct tansy_solver *s, double t, size_t j)
{
    static const double slow = 0.5, longest = 0.01; /* of a step */
    struct events *const e = &s->events;
    double const band = events_tolerance_of(s, t, j);
    for (size_t i = 0; i < s->n; i++) e->probe[i] = e->f[i] - e->drift[i];
    if (!events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_after))) return;
    double const fast = e->rate_after[j];
    if (!events_is_known(e, events_rates(s, t, e->f, e->value, e->rate_after))) return;
    if (fabs(fast - e->rate_after[j]) < slow * fabs(e->rate_after[j])) return;
    double const wait = fmin(band / fabs(e->rate_after[j]), longest * e->stride);
    double const until = t + s->direction * wait;
    if (s->direction * (until - e->settled) > 0) e->settled = until;
}
