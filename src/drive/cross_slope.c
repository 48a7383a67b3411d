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
static const double doubt = 5;        /* times that, where it is to be told */

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

/* Rows that are better known so than by f get it. */
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
        double const wrong = fabs(error[i]) + of_bend * s->jump.theta * w / (L * h * h) +
                             roundings * DBL_EPSILON * fabs(s->y0[i]) / (short_way * h);
        bool const near = fabs(x[i]) <= fmax(far_off * w / h, apart * fabs(e->f_probe[i]));
        if (!(near && fabs(drift) <= most * L * w && wrong < fabs(drift))) continue;
        e->drift[i] = drift;
        e->slope_error[i] = doubt * wrong;
        any = true;
    }
    return any;
}

int events_refine_drift(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double const h = fabs(s->stats.h_last);
    size_t i = 0;
    for (size_t k = 0; k < s->n; k++) {
        double const w = s->jump.theta * tolerances_allow(&s->tolerances, k, s->y0[k]);
        if (!e->drifts) e->drift[k] = 0;
        e->slope_error[k] = fmin(fabs(e->drift[k]), w / h);
    }
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
    if (code == 0 && take(s, r, error)) e->drifts = true;
    return code < 0 ? code : 0;
}
