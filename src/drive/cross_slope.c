/* SPDX-License-Identifier: Apache-2.0 */
/* Slopes of stiff components of y' = f at a switching point.  f has the rounding and the error of y times its large derivative in it, and the slope P' of dense output the error of that, of the order of
   rtol |y|/h.  But v = y' itself solves a stiff equation, v' = J v + f_t, so that
     v = P' + W^-1 (J u + f_t - P''),   W = I/h - J,   u = P' in stiff rows, f in others, which have it exactly,
   where an error of P'' is divided by |J|, and J u + f_t is a difference of f along u, whose rounding is as well.  Rows count as stiff where |J_ii| h is large. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "drive/solver.h"

static const double stiff = 10;       /* |J_ii| h */
static const double way = 0.05;       /* of a step: over which P' is differentiated, */
static const double short_way = 0.02; /* and f */
static const double roundings = 8;    /* of y, in a difference of four */
static const double far_off = 10;     /* error weights in a step: P' is not that bad, */
static const double apart = 1e-3;     /* or so much of it */
static const double most = 100;       /* error weights: what y is off by, where f is so far off */
static const double of_bend = 2;      /* error weights in a step squared: P'' is not that bad */
static const double of_last = 0.1;    /* what the last value of f adds: the next would add less */
static const double doubt = 3;        /* times that: f is worse for certain, or S not known */

static bool is_stiff(const struct tansy_solver *s, size_t i)
{
    return fabs(*matrix_entry(&s->J, i, i)) * fabs(s->stats.h_last) > stiff;
}

enum { VALUES = 5, VALUES_OF_F = 4 };

/* P'' at t by five values of P', the last in e->f_probe: exact for polynomials of the fifth degree. */
static void find_bend(struct tansy_solver *s, double t, double d, double *bend)
{
    static const double share[VALUES] = {25.0 / 12, -4, 3, -4.0 / 3, 0.25};
    struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) bend[i] = share[0] * e->f_probe[i] / d;
    for (int x = 1; x < VALUES; x++) {
        solver_output(s, t - x * d, 1, e->f_near, NULL);
        for (size_t i = 0; i < s->n; i++) bend[i] += share[x] * e->f_near[i] / d;
    }
}

/* f where time is `back` earlier, along u. */
static int look(struct tansy_solver *s, double t, double back, const double *u, double *f)
{
    struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) e->y_near[i] = s->y0[i] - back * u[i];
    return derive_rhs(&s->derive, 0, t - back, e->y_near, f);
}

/* J u + f_t - P'' of stiff rows into r, with the derivative along u by four values of f, and what the last of them adds into error. */
static int find_defect(struct tansy_solver *s, double t, double *r, double *error)
{
    static const double share[VALUES_OF_F] = {11.0 / 6, -3, 1.5, -1.0 / 3};
    static const double last[VALUES_OF_F] = {1.0 / 3, -1, 1, -1.0 / 3};
    struct events *const e = &s->events;
    double const h = s->direction * fabs(s->stats.h_last), d = short_way * h;
    double *const u = e->f_other;
    int code = 0;
    find_bend(s, t, way * h, r);
    for (size_t i = 0; i < s->n; i++) {
        bool const counts = is_stiff(s, i);
        u[i] = counts ? e->f_probe[i] : e->f_after[i];
        r[i] = counts ? share[0] * e->f_after[i] / d - r[i] : 0;
        error[i] = counts ? last[0] * e->f_after[i] / d : 0;
    }
    for (int x = 1; x < VALUES_OF_F && code == 0; x++) {
        code = look(s, t, x * d, u, e->f_near);
        for (size_t i = 0; i < s->n && code == 0; i++) {
            if (!is_stiff(s, i)) continue;
            r[i] += share[x] * e->f_near[i] / d;
            error[i] += last[x] * e->f_near[i] / d;
        }
    }
    return code;
}

static int solve(struct tansy_solver *s, double *x)
{
    struct solve_task const task = {.c = s->equations.c};
    return equations_solve(&s->equations, &s->stepper.state, &task, x);
}

/* Rows that are better known so than by f get it; of others that is how well f is known. */
static bool take(struct tansy_solver *s, const double *x, const double *error)
{
    struct events *const e = &s->events;
    double const h = fabs(s->stats.h_last);
    bool any = false;
    for (size_t i = 0; i < s->n; i++) {
        if (!is_stiff(s, i)) continue;
        double const w = tolerances_allow(&s->tolerances, i, s->y0[i]);
        double const drift = e->f_probe[i] + x[i] - e->f_after[i];
        double const L = fabs(*matrix_entry(&s->J, i, i));
        double const wrong = of_last * fabs(error[i]) + of_bend * s->jump.theta * w / (L * h * h) +
                             roundings * DBL_EPSILON * fabs(s->y0[i]) / (short_way * h);
        bool const near = fabs(x[i]) <= fmax(far_off * w / h, apart * fabs(e->f_probe[i]));
        bool const better = fabs(drift) <= most * L * w && doubt * wrong < fabs(drift);
        if (near && !better) e->slope_error[i] = fmax(e->slope_error[i], fabs(drift));
        if (!near || !better) continue;
        e->drift[i] = drift;
        e->slope_error[i] = doubt * wrong;
        any = true;
    }
    return any;
}

/* The drift of component i is this, which errors of P' within the tolerance may be wrong by. */
static void put_back(struct tansy_solver *s, size_t i, double drift)
{
    struct events *const e = &s->events;
    double const w = s->jump.theta * tolerances_allow(&s->tolerances, i, s->y0[i]);
    e->drift[i] = drift;
    e->slope_error[i] = fmin(fabs(drift), w / fabs(s->stats.h_last));
}

/* g of the condition that leads, and its rate with the slopes there are, in e->probe. */
static bool find_rate(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) e->probe[i] = e->f_after[i] + e->drift[i];
    return events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->value)) &&
           events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate));
}

/* Rows that this condition does not depend on have what they had: others may be as small as these are off.  Of many that is not asked for. */
static bool keep_those_of_leader(struct tansy_solver *s, double t, const double *before)
{
    enum { MANY = 64 };
    struct events *const e = &s->events;
    size_t changed = 0, left = 0;
    for (size_t i = 0; i < s->n; i++) changed += e->drift[i] != before[i];
    for (size_t i = 0; i < s->n && changed <= MANY; i++) {
        if (e->drift[i] == before[i]) continue;
        double const with = e->probe[i];
        e->probe[i] += fabs(with) + fabs(e->drift[i]);
        if (!events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_after)))
            return false;
        e->probe[i] = with;
        if (e->rate_after[e->leader] == e->rate[e->leader]) put_back(s, i, before[i]);
        left += e->drift[i] != before[i];
    }
    return changed > MANY || left > 0;
}

/* The rate is known so, but for a little.  Of a difference of two stiff components it may be not. */
static bool tells_rate(struct tansy_solver *s, double t, const double *before)
{
    static const double little = 0.1;
    struct events *const e = &s->events;
    if (!find_rate(s, t) || !keep_those_of_leader(s, t, before) || !find_rate(s, t)) return false;
    memcpy(e->f_near, e->probe, s->n * sizeof *e->probe);
    double const wrong = events_error_of_rate(s, t, e->leader, e->f_near);
    return wrong <= little * fabs(e->rate[e->leader]);
}

int events_refine_drift(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double const h = fabs(s->stats.h_last);
    size_t i = 0;
    if (!e->drifts) memset(e->drift, 0, s->n * sizeof *e->drift);
    for (size_t k = 0; k < s->n; k++) put_back(s, k, e->drift[k]);
    bool const asked = s->ns > 0 && e->bridge == SIZE_MAX && !e->rests[e->leader];
    while (i < s->n && asked && !is_stiff(s, i)) i++;
    if (i == s->n || !asked) return 0;
    double *const r = jump_leak_vector(s, LEAK_HALF), *const error = jump_leak_vector(s, LEAK_FULL);
    struct point const at = {.t = t, .y = s->y0};
    solver_output(s, t, 1, e->f_probe, NULL);
    int code = equations_factor(&s->equations, &at, s->direction / h);
    if (code == 0) code = find_defect(s, t, r, error);
    if (code == 0) code = solve(s, r);
    if (code == 0) code = solve(s, error);
    s->equations.c = 0; /* it is another step's W */
    s->stepper.stages.has_value = false;
    s->derive.worker[0].failure = failure;
    double *const before = jump_leak_vector(s, LEAK_LAST);
    memcpy(before, e->drift, s->n * sizeof *before);
    if (code != 0 || !take(s, r, error)) return code < 0 ? code : 0;
    if (tells_rate(s, t, before))
        e->drifts = true;
    else
        for (size_t k = 0; k < s->n; k++) put_back(s, k, before[k]);
    s->derive.worker[0].failure = failure;
    return 0;
}
