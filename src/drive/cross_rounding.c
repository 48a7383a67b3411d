/* SPDX-License-Identifier: Apache-2.0 */
/* How well the jump of S is known.  The rate r = g_t + g_y f of a condition on a stiff component, m' = (T - m)/tau, has the rounding of y times its large derivative in it, eps (|T| + |m|)/tau,
   and so have dT/dp = -(g_y s + g_p)/r and the jump (f- - f+) dT/dp.  Where s before it is many times what is left behind it, as where a valve is stopped half way soon after it began to
   move, that of r is as many times larger in s+:
     |ds+| = |(f- - f+) dT/dp| |dr/r|.
   No tolerance helps, so it is told. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum { PROBES_OF_F = 2 };

static const double roundings = 256; /* by which y is moved, to see what one does */
static const double of_two = 2;      /* a difference has two of them */
static const double no_longer_small = 0.2;
static const double promised = 100; /* rtol: what S may be wrong by */

/* A number in -1 .. 1 for component i, of no special position. */
static double sign_of(size_t i, int probe)
{
    static const double golden[PROBES_OF_F] = {0.61803398874989485, 0.41421356237309505};
    double const x = golden[probe] * (double)(i + 1);
    return 2 * (x - floor(x)) - 1;
}

/* The error of f-, if it has the cause of that of the rate. */
static double *shift_of(const struct tansy_solver *s)
{
    return jump_leak_vector(s, LEAK_END);
}

/* How far the rate of g_j moves where y_i does by no more than e->probe[i], and f with it: into shift_of(), both times share. */
static double change_of_rate(struct tansy_solver *s, double t, size_t j, double share)
{
    struct events *const e = &s->events;
    double *const shift = shift_of(s);
    double most = 0;
    memcpy(e->y_near, s->y0, s->n * sizeof *s->y0);
    for (int probe = 0; probe < PROBES_OF_F; probe++) {
        for (size_t i = 0; i < s->n; i++) s->y0[i] += e->probe[i] * sign_of(i, probe);
        bool known = events_is_known(e, events_slope(s, t, e->f_near));
        memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
        known = known && events_is_known(e, events_rates(s, t, e->f_near, e->value, e->rate_after));
        double const off = e->rate_after[j] - e->rate[j];
        if (!known || !(fabs(off) > fabs(most))) continue;
        most = off;
        for (size_t i = 0; i < s->n; i++) shift[i] = share * (e->f_near[i] - e->f[i]);
    }
    return share * most;
}

/* What the rounding of y is worth in the rate of g_j. */
static double rounding_of_rate(struct tansy_solver *s, double t, size_t j)
{
    double *const moved = s->events.probe;
    for (size_t i = 0; i < s->n; i++) moved[i] = s->y0[i] * roundings * (DBL_EPSILON / 2);
    return change_of_rate(s, t, j, of_two / roundings);
}

/* What errors of y as large as the tolerance are.  Adams has them in stiff components, where stability rules its steps: h |J| is no longer small. */
static double tolerance_of_rate(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double const h = fabs(s->stats.h_last);
    double stiff = 0;
    for (size_t i = 0; i < s->n; i++)
        e->probe[i] = s->jump.theta * tolerances_allow(&s->tolerances, i, s->y0[i]);
    double const off = change_of_rate(s, t, j, 1);
    for (size_t i = 0; i < s->n; i++)
        stiff = fmax(stiff, h * fabs(e->f_near[i] - e->f[i]) / e->probe[i]);
    return stiff > no_longer_small ? off : 0;
}

/* What errors of slopes are worth in it, where those of dense output count (cross_stiff.c, cross_slope.c). */
double events_error_of_rate(struct tansy_solver *s, double t, size_t j, const double *f)
{
    struct events *const e = &s->events;
    double most = 0;
    for (int probe = 0; probe <= PROBES_OF_F; probe++) {
        for (size_t i = 0; i < s->n; i++)
            e->probe[i] = f[i] + e->slope_error[i] * (probe == 0 ? 1 : sign_of(i, probe - 1));
        if (events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_after)))
            most = fmax(most, fabs(e->rate_after[j] - e->rate[j]));
    }
    return most;
}

/* The relative error of the rate of g_j by roundings, and by those of slopes. */
static double doubt(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    bool const adams = s->stepper.method == &method_adams;
    bool const dense = !adams && !s->stepper.method->tableau;
    double const slopes = dense ? events_error_of_rate(s, t, j, e->f) : 0;
    double off = adams ? tolerance_of_rate(s, t, j) : 0;
    if (off == 0) off = rounding_of_rate(s, t, j);
    if (fabs(slopes) > fabs(off)) { /* neither is certain alone */
        off = slopes;
        memset(shift_of(s), 0, s->n * sizeof(double));
    }
    double const share = off / e->rate[j];
    if (!isfinite(off)) return 0; /* it is at rest */
    return fabs(share) < 1 ? share : copysign(1, share);
}

void events_doubt_rate(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    e->rate_error = e->vagueness = 0;
    if (s->ns == 0) return;
    e->vagueness = events_vagueness(s, t, j);
    if (s->derive.form == FORM_ODE) e->rate_error = doubt(s, t, j);
    s->derive.worker[0].failure = failure;
}

/* The relative error of the jump of row i.  f- has an error of its own, which f+ may have, too: a tank that runs empty has s+ = 0, however well its rate is known. */
static double error_of_jump(const struct tansy_solver *s, size_t i)
{
    const struct events *const e = &s->events;
    if (e->rate_error == 0) return 0;
    double const own = shift_of(s)[i] / (e->f[i] - e->f_after[i]);
    return fmin(fabs(e->rate_error), isfinite(own) ? fabs(e->rate_error - own) : HUGE_VAL);
}

/* What is left of s_ik, or usual of it: s+ and y/p. */
static double left_of(const struct tansy_solver *s, size_t i, size_t k, double jump)
{
    const struct tolerances *const w = &s->tolerances;
    double const zero = w->rtol[i] > 0 ? w->zero[i] / w->rtol[i] : HUGE_VAL;
    return fabs(s->sens0[k * s->n + i] + jump) * w->scale[k] + fmax(fabs(s->y0[i]), zero);
}

/* Than what is to be told so far.  Errors by rounding come first: a smaller atol does not help them. */
static bool is_worse(const struct events *e, double wrong, bool by_atol)
{
    bool const other = e->rounded.wrong > 0 && e->rounded.by_atol != by_atol;
    return other ? !by_atol : wrong > e->rounded.wrong;
}

void events_judge_jump(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double const allowed = promised * s->tolerances.tightest;
    bool const any = e->rate_error != 0 || e->vagueness > 0;
    for (size_t k = 0; k < s->ns && any; k++)
        for (size_t i = 0; i < s->n; i++) {
            if (solver_is_algebraic(s, i)) continue; /* its S follows from that of others */
            double const jump = (e->f[i] - e->f_after[i]) * e->delay[k];
            double const size = fabs(jump) * s->tolerances.scale[k] / left_of(s, i, k, jump);
            double const rounded = size * error_of_jump(s, i), vague = size * e->vagueness;
            bool const by_atol = !(rounded > allowed);
            double const wrong = by_atol ? vague : rounded;
            if (!(wrong > allowed) || !is_worse(e, wrong, by_atol)) continue;
            e->rounded.t = t;
            e->rounded.wrong = wrong;
            e->rounded.size = size;
            e->rounded.number = j;
            e->rounded.row = i;
            e->rounded.column = k;
            e->rounded.by_atol = by_atol;
        }
}
