/* SPDX-License-Identifier: Apache-2.0 */
/* Derived quantities and their sensitivities, Q_p/dp_k = Q_y s_k + Q_y' s_k' + Q_p u_k (Maly and Petzold 1996, SENSD): by the
   problem's tangent, or by central differences along (s_k, s_k', u_k). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "drive/solver.h"
#include "drive/stored_modes.h"

static const double central = 6.06e-6; /* cube root of the roundoff */
static const double share =
    1e-3; /* of the largest component: what counts, where no tolerances tell */

/* One evaluation point and what is known there. */
struct derivation {
    const tansy_problem *q;
    void *context;
    tansy_local local; /* the context, where the functions want scratch memory */
    double t;
    const tansy_stored *at; /* the same as it was stored; NULL: of a run */
    const double *y, *yp, *sens, *sensp;
    double *Q, *Q_p;
    size_t known;  /* entries of q->p: np, in a run also the modes behind them */
    double *p, *u; /* p as the functions see it, and a direction in p */
    double *y_moved, *yp_moved, *above, *below;
    const struct derive *run; /* whose derive_level() of y counts; NULL: no run, and */
    double h;                 /* its last step; NULL and 0: not known */
    const size_t *order; /* order[ns]: where column k stands in sens, sensp and Q_p; NULL: at k */
    struct message *message;
};

/* Where column k stands. */
static size_t place_of(const struct derivation *d, size_t k)
{
    return d->order ? d->order[k] : k;
}

static size_t columns_of(const tansy_problem *q)
{
    return q->columns || q->directions ? q->ns : q->np;
}

/* The p part of direction k; false if it is zero. */
static bool fill_direction(const struct derivation *d, size_t k)
{
    const tansy_problem *const q = d->q;
    memset(d->u, 0, q->np * sizeof *d->u);
    if (q->directions)
        memcpy(d->u, q->directions + k * (q->n + q->np) + q->n, q->np * sizeof *d->u);
    else if (!q->columns)
        d->u[k] = 1;
    else if (q->columns[k] >= 0)
        d->u[q->columns[k]] = 1;
    bool any = false;
    for (size_t j = 0; j < q->np; j++) any = any || d->u[j] != 0;
    return any;
}

static tansy_status fail(const struct derivation *d, const char *function, int code)
{
    if (code != 0)
        return message_set(d->message, code < 0 ? TANSY_USER_STOPPED : TANSY_USER_FAILED,
                           "%s could not be evaluated at t = %.10g (it returned %d)", function,
                           d->t, code);
    return message_set(d->message, TANSY_NOT_FINITE,
                       "%s gave a value that is not finite at t = %.10g", function, d->t);
}

static bool all_finite(const double *v, size_t count)
{
    bool finite = true;
    for (size_t x = 0; x < count; x++) finite = finite && isfinite(v[x]);
    return finite;
}

/* Column k by the problem's tangent, one column at a time: this is no hot loop. */
static tansy_status by_tangent(const struct derivation *d, size_t k)
{
    const tansy_problem *const q = d->q;
    size_t const at = place_of(d, k);
    const double *const sp = d->sensp ? d->sensp + at * q->n : d->yp_moved;
    double *const Q_p = d->Q_p + at * q->nq;
    (void)fill_direction(d, k);
    int const code = q->derived_tangent(d->t, d->y, d->yp, d->p, 1, 1, d->sens + at * q->n, sp,
                                        d->u, Q_p, d->context);
    return code == 0 && all_finite(Q_p, q->nq) ? TANSY_OK : fail(d, "derived_tangent", code);
}

/* Q at m increments along column k. */
static int evaluate(struct derivation *d, size_t k, double m, double *Q)
{
    const tansy_problem *const q = d->q;
    size_t const at = place_of(d, k);
    for (size_t i = 0; i < q->n; i++) {
        d->y_moved[i] = d->y[i] + m * d->sens[at * q->n + i];
        d->yp_moved[i] = d->yp[i] + (d->sensp ? m * d->sensp[at * q->n + i] : 0);
    }
    for (size_t j = 0; j < q->np; j++) d->p[j] = q->p[j] + m * d->u[j];
    d->local.version++;
    int const code = q->derived(d->t, d->y_moved, d->yp_moved, d->p, Q, d->context);
    memcpy(d->p, q->p, q->np * sizeof *d->p);
    d->local.version++;
    return code;
}

static double largest_of(const double *v, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(v[i]));
    return largest;
}

/* How far p_j may go: a scale far below it must not give increments that are lost in it. */
static double reach_of_parameter(const tansy_problem *q, size_t j)
{
    static const double least = 1e-4;
    double const scale = tolerances_parameter_scale(q, j);
    return isfinite(scale) && scale > 0 ? fmax(scale, least * fabs(q->p[j])) : 1;
}

/* How far p may go along the direction, of all components that it moves; where it moves none, y along column s. */
static double reach_of(const struct derivation *d, const double *s)
{
    const tansy_problem *const q = d->q;
    double least = HUGE_VAL, most = 0;
    for (size_t j = 0; j < q->np; j++)
        if (d->u[j] != 0) least = fmin(least, reach_of_parameter(q, j) / fabs(d->u[j]));
    if (least < HUGE_VAL) return least;
    for (size_t i = 0; i < q->n; i++)
        if (s[i] != 0) most = fmax(most, fabs(d->y[i] / s[i]));
    return most;
}

/* No component moves by more than the relative increment of its size.  One that passes zero must not stop all others: its size is
   at least `level`, atol/rtol and what it moves in a step, but no more than what it moves when p does by itself; y' likewise. */
static double increment(const struct derivation *d, size_t k)
{
    const tansy_problem *const q = d->q;
    const double *const s = d->sens + place_of(d, k) * q->n;
    const double *const sp = d->sensp ? d->sensp + place_of(d, k) * q->n : NULL;
    double const reach = reach_of(d, s), usual = share * largest_of(d->y, q->n),
                 usual_rate = share * largest_of(d->yp, q->n);
    double least = reach > 0 ? reach : 1;
    for (size_t i = 0; i < q->n; i++) {
        double const y = fabs(d->y[i]), yp = fabs(d->yp[i]);
        double const level = d->run ? derive_level(d->run, i) + d->h * yp : usual;
        double const rate_level = d->run ? (y + level) / d->h : usual_rate;
        double const size = y + fmin(level, reach * fabs(s[i]));
        double const rate_size = yp + (sp ? fmin(rate_level, reach * fabs(sp[i])) : 0);
        if (fabs(s[i]) * least > size && size > 0) least = size / fabs(s[i]);
        if (sp && fabs(sp[i]) * least > rate_size && rate_size > 0) least = rate_size / fabs(sp[i]);
    }
    return central * least;
}

static tansy_status by_differences(struct derivation *d, size_t k)
{
    const tansy_problem *const q = d->q;
    (void)fill_direction(d, k);
    double const h = increment(d, k);
    double *const Q_p = d->Q_p + place_of(d, k) * q->nq;
    int code = evaluate(d, k, h, d->above);
    if (code == 0) code = evaluate(d, k, -h, d->below);
    for (size_t j = 0; j < q->nq && code == 0; j++) Q_p[j] = (d->above[j] - d->below[j]) / (2 * h);
    return code == 0 && all_finite(Q_p, q->nq) ? TANSY_OK : fail(d, "derived", code);
}

static tansy_status derive_all(struct derivation *d)
{
    const tansy_problem *const q = d->q;
    int const code = q->derived(d->t, d->y, d->yp, d->p, d->Q, d->context);
    if (code != 0 || !all_finite(d->Q, q->nq)) return fail(d, "derived", code);
    for (size_t k = 0; k < columns_of(q) && d->Q_p; k++)
        TRY(q->derived_tangent ? by_tangent(d, k) : by_differences(d, k));
    return TANSY_OK;
}

/* The work space: vectors of n, np and nq, and the thread's block of the functions. */
static tansy_status derive_with_room(struct derivation *d)
{
    const tansy_problem *const q = d->q;
    size_t const length = derive_length(q);
    double *const room = heap_take((2 * q->n + length + q->np + 2 * q->nq + 1) * sizeof *room);
    void *const scratch = heap_take(q->scratch + 1);
    tansy_status status = TANSY_OUT_OF_MEMORY;
    if (room && scratch) {
        d->y_moved = room;
        d->yp_moved = room + q->n;
        d->p = room + 2 * q->n;
        d->u = d->p + length;
        d->above = d->u + q->np;
        d->below = d->above + q->nq;
        d->local = (tansy_local){.context = q->context, .scratch = scratch, .version = 1};
        d->context = q->scratch > 0 ? (void *)&d->local : q->context;
        if (d->known > 0) memcpy(d->p, q->p, d->known * sizeof *d->p);
        status = d->at ? stored_modes(q, d->at, &d->local, d->context, d->p, d->message) : TANSY_OK;
        if (status == TANSY_OK) status = derive_all(d);
    } else
        (void)message_set(d->message, status, "no memory for derived quantities");
    heap_return(room);
    heap_return(scratch);
    return status;
}

/* What is known of a stored solution; Q, Q_p and the message are to be added. */
static struct derivation derivation_of(const tansy_problem *problem, size_t known,
                                       const tansy_stored *at)
{
    return (struct derivation){.q = problem,
                               .t = at->t,
                               .y = at->y,
                               .yp = at->yp,
                               .sens = at->sens,
                               .sensp = at->sensp,
                               .known = known};
}

/* NOLINTBEGIN(readability-non-const-parameter): Q and Q_p are written through d */
tansy_status tansy_derived_from(const tansy_problem *problem, const tansy_stored *at, double *Q,
                                double *Q_p, char *message, size_t size)
/* NOLINTEND(readability-non-const-parameter) */
{
    struct message own = {.status = TANSY_OK};
    tansy_status status = TANSY_OK;
    if (!problem || !problem->derived || problem->nq == 0)
        status = message_set(&own, TANSY_BAD_PROBLEM,
                             "the problem has no derived quantities (.nq, .derived)");
    else if (!at || !at->y || !at->yp || !Q)
        status = message_set(&own, TANSY_BAD_CALL, "y, yp and Q are needed");
    else if (Q_p && !at->sens && columns_of(problem) > 0)
        status =
            message_set(&own, TANSY_BAD_CALL, "Q_p needs S, which is not stored: sens is NULL");
    else {
        struct derivation d = derivation_of(problem, problem->np, at);
        d.at = at;
        d.Q = Q;
        d.Q_p = Q_p;
        d.message = &own;
        status = derive_with_room(&d);
    }
    if (message && size > 0) {
        size_t const length = strlen(own.text);
        size_t const kept = length < size ? length : size - 1;
        memcpy(message, own.text, kept);
        message[kept] = '\0';
    }
    return status;
}

tansy_status tansy_derived_at(tansy_solver *s, double t, double *Q, double *Q_p)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (s->error < 0 && !s->started) return s->error;
    if (s->problem.nq == 0)
        return message_set(&s->message, TANSY_BAD_CALL,
                           "the problem has no derived quantities (.nq, .derived)");
    if (!Q) return message_set(&s->message, TANSY_BAD_CALL, "Q is needed");
    if (Q_p && s->ns == 0 && columns_of(&s->problem) > 0)
        return message_set(&s->message, TANSY_BAD_CALL,
                           "Q_p needs S, which is not computed: sensitivities = none");
    size_t const n = s->n, all = s->ns * n;
    double *const room = heap_take((2 * n + 2 * all + 1) * sizeof *room);
    if (!room)
        return message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory for derived quantities");
    double *const y = room, *const yp = room + n, *const S = room + 2 * n, *const S_rate = S + all;
    bool const columns = Q_p && s->ns > 0;
    tansy_stored const at = {t, y, yp, columns ? S : NULL, columns ? S_rate : NULL};
    tansy_status status = tansy_at(s, t, y, yp, columns ? S : NULL, columns ? S_rate : NULL);
    if (status == TANSY_OK) {
        struct derivation d = derivation_of(&s->problem, s->derive.length, &at);
        d.Q = Q;
        d.Q_p = Q_p;
        d.order = s->activation.order;
        d.run = &s->derive;
        d.h = fabs(s->stats.h_last);
        d.message = &s->message;
        status = derive_with_room(&d);
    }
    heap_return(room);
    return status;
}
