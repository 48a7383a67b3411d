/* SPDX-License-Identifier: Apache-2.0 */
/* r_t of the constraints of index 2 by differences, where d/dt of them is not given.  Nothing tells how fast they move: two spans must agree, and where the
   usual ones do not, all are tried from the run's own length down.  Of a row that moves over a time T with terms of size A
     D(h) = (r(t + h) - r(t - h))/2h
   is right to (h/T)^2, E(h) = D(h) + (D(h) - D(4h))/15 to (h/T)^4, and to eps A/h for rounding; beyond T they fall as A/h, so that neighbours are far
   apart, and far below T they are rounding alone, or 0.  E(h) with the least |E(h) - E(4h)| + eps A/h, relative to E, is taken, of every row its own. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/names.h"
#include "drive/consistent.h"
#include "drive/solver.h"

enum { RUNGS = 36, SHRINK = 4 };

static const double agree = 1e-9;           /* of two differences in time */
static const double back = 0.01;            /* of the run: so far one may look at times before it */
static const double between_steps = 10;     /* times the tolerance: the errors of dense output */
static const double shorter = 32;           /* times: a second span beside the usual one */
static const double fourth_to_second = 0.1; /* times the span that is best for E: that for D */
static const double confirmed = 1e-3;       /* of two that agree */
static const double roughly = 0.03;         /* a run may begin with that, as its steps correct it */

double consistent_unit(const struct tansy_solver *s, double t)
{
    double const length = consistent_length(s);
    return fmax(s->consistent.unit, length > 0 ? length : fmax(fabs(t), 1));
}

double consistent_length(const struct tansy_solver *s)
{
    const tansy_options *const o = &s->options;
    double length = fabs(s->consistent.run);
    if (!(length > 0) && o->use_stop_time) length = fabs(o->stop_time - s->t0);
    if (o->max_step > 0 && !(length <= o->max_step && length > 0)) length = o->max_step;
    return length;
}

double consistent_time_scale(const struct tansy_solver *s, double t)
{
    double const length = consistent_length(s), pace = s->consistent.pace;
    return length > 0 ? length : pace > 0 ? pace : fmax(fabs(t), 1);
}

/* r at t + by into r; 1 when that must not be looked at. */
static int look(struct tansy_solver *s, double t, double by, double *r)
{
    double const run = s->consistent.run;
    if (!consistent_may_look(s, t, by)) return 1;
    if (run != 0 && run * by < 0 && fabs(by) > back * fabs(run)) return 1;
    struct point const at = {.t = t + by, .y = s->y0, .yp = s->consistent.yp};
    return derive_value(&s->derive, 0, &at, r);
}

/* r_t by central differences, or one-sided ones of the same order where a side cannot be had. */
static int difference_in_time(struct tansy_solver *s, double t, double span, double *out)
{
    struct consistent *const c = &s->consistent;
    const double *const here = s->equations.f;
    volatile double const moved = t + span;
    double const h = moved - t;
    int const up = look(s, t, h, out);
    if (up < 0) return up;
    int const down = look(s, t, -h, c->other);
    if (down < 0 || (up > 0 && down > 0)) return down;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    if (up == 0 && down == 0) {
        for (size_t i = 0; i < s->n; i++) out[i] = (out[i] - c->other[i]) / (2 * h);
        return 0;
    }
    double const side = up == 0 ? h : -h;
    if (up > 0) memcpy(out, c->other, s->n * sizeof *out);
    int const code = look(s, t, 2 * side, c->other);
    for (size_t i = 0; i < s->n; i++)
        out[i] = (4 * out[i] - c->other[i] - 3 * here[i]) / (2 * side);
    return code;
}

/* sum_j |J_ij y_j|, the size of the terms in a constraint, into terms. */
static void size_terms(const struct tansy_solver *s, double *terms)
{
    const struct sparse_rows *const J = &s->J.rows;
    for (size_t i = 0; i < s->n; i++) {
        terms[i] = fabs(s->equations.f[i]);
        for (size_t e = J->start[i]; e < J->start[i + 1]; e++)
            terms[i] += fabs(J->value[e] * s->y0[J->column[e]]);
    }
}

/* Two estimates of the constraints' rates, with a span and a shorter one, are the same, and not by what rounding makes of them. */
static bool is_same(const struct tansy_solver *s, const double *a, const double *b, double h)
{
    static const double lost = 1e-7; /* in rounding */
    const struct consistent *const c = &s->consistent;
    size_terms(s, c->moved);
    for (size_t i = 0; i < s->n; i++) {
        double const size = fabs(a[i]) + fabs(b[i]);
        if (!c->constraint[i] || size == 0) continue;
        if (!(fabs(a[i] - b[i]) <= agree * size)) return false;
        if (!(DBL_EPSILON * c->moved[i] / h <= lost * size)) return false;
    }
    return true;
}

static bool is_zero(const struct tansy_solver *s, const double *a)
{
    size_t i = 0;
    while (i < s->n && (!s->consistent.constraint[i] || a[i] == 0)) i++;
    return i == s->n;
}

/* The longest span to be tried; half of the run, as one-sided differences take two of it. */
static double longest(const struct tansy_solver *s, double t)
{
    static const double steps = 50;
    if (s->started) return steps * fabs(s->stats.h_last);
    return consistent_length(s) > 0 ? 0.5 * consistent_length(s) : fmax(fabs(t), 1);
}

/* The usual span agrees with a shorter one.  Where both find nothing that moves, a slow motion may be below rounding: so must the longest. */
static int try_usual(struct tansy_solver *s, double t, bool *found)
{
    struct consistent *const c = &s->consistent;
    int code = difference_in_time(s, t, c->rate_span, c->slope);
    if (code == 0) code = difference_in_time(s, t, c->rate_span / shorter, c->dyp);
    *found = code == 0 && is_same(s, c->slope, c->dyp, c->rate_span / shorter);
    if (!*found || !is_zero(s, c->slope)) return code;
    code = difference_in_time(s, t, longest(s, t), c->dyp);
    *found = code > 0 || is_zero(s, c->dyp); /* it cannot be had: nothing says that it moves */
    if (code <= 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    return 0;
}

/* What a rung tells of a row: E(h) = D(h) + (D(h) - D(4h))/15, E(4h) and E(16h), as far as there are so many. */
struct rung {
    double h, now, before, first;
    int rungs;
};

/* Where none have agreed: E is but rounding, or falls by equal factors, as that of t^(3/2) does, so that its limit is 0; on all rungs further down.  How far
   the factors differ says how well that is known. */
static void judge_vanishing(struct consistent *c, const struct rung *r, size_t i, double noise,
                            double *error)
{
    static const double roundings = 16, falling = 0.75, rest = 4; /* 1/(1 - falling) */
    double const size = fabs(r->now), factor = r->now / r->before, last = r->before / r->first;
    bool const is_noise = size <= roundings * noise;
    bool const falls = r->rungs > 3 && fabs(factor) <= falling && fabs(last) <= falling;
    double const left = falls ? rest * (rest * fabs(factor - last) * size + noise) : size + noise;
    if (is_noise && error[i] < HUGE_VAL) return;
    if (falls && left > error[i]) return;
    error[i] = is_noise || falls ? left : HUGE_VAL;
    c->slope[i] = falls ? 0 : r->now;
}

/* Two that agree better than those before are taken.  The terms are those of the rung: over longer ones a row such as exp(-k t) may have been enormous. */
static void judge_rung(struct consistent *c, const struct rung *r, size_t i, double *error,
                       double *best)
{
    double *const apart = c->panel;
    double const noise = DBL_EPSILON * fmax(c->moved[i] / r->h, fabs(r->now));
    double const left = fabs(r->now - r->before) + noise;
    double const relative = left / fmax(fabs(r->now), fabs(r->before));
    if (r->rungs > 2 && relative < apart[i]) {
        apart[i] = relative;
        error[i] = left;
        best[i] = r->h;
        c->slope[i] = r->now;
    } else if (apart[i] == confirmed) /* none have been taken */
        judge_vanishing(c, r, i, noise, error);
}

/* The next rung of all rows: D into now, which becomes E; above and E before it are kept. */
static int go_down(struct tansy_solver *s, double t, struct rung *r, double *error)
{
    struct consistent *const c = &s->consistent;
    double *const D = c->delta, *const above = c->dyp, *const E = c->panel + lane_round(s->n),
                  *const E_first = E + lane_round(s->n);
    int const code = difference_in_time(s, t, r->h, D);
    if (code != 0) r->rungs = 0;
    if (code != 0) return code < 0 ? code : 0;
    r->rungs++;
    for (size_t i = 0; i < s->n; i++) {
        r->first = E_first[i];
        r->before = E_first[i] = E[i];
        r->now = r->rungs > 1 ? D[i] + (D[i] - above[i]) / (SHRINK * SHRINK - 1) : D[i];
        judge_rung(c, r, i, error, c->ypp);
        E[i] = r->now;
        above[i] = D[i];
    }
    return 0;
}

/* Goes down all spans, for the rows that panel[i] > 0 says are to be judged, of two that are no farther apart than that. */
static int go_down_all(struct tansy_solver *s, double t, double *error)
{
    double const least = 1e4 * DBL_EPSILON * fabs(t);
    struct rung rung = {.h = longest(s, t)};
    int code = 0;
    for (int k = 0; k < RUNGS && rung.h > least && code == 0; k++) {
        code = go_down(s, t, &rung, error);
        rung.h /= SHRINK;
    }
    return code;
}

/* error[n] is what is left of the slopes; where nothing agrees, those that are least apart are taken, and it is infinite where there are none.  A negative
   code of a function. */
static int descend(struct tansy_solver *s, double t, double *error)
{
    struct consistent *const c = &s->consistent;
    double shortest = HUGE_VAL;
    bool all = true;
    size_terms(s, c->moved);
    for (size_t i = 0; i < s->n; i++) {
        error[i] = c->ypp[i] = HUGE_VAL;
        c->panel[i] = c->constraint[i] ? confirmed : 0;
    }
    int code = go_down_all(s, t, error);
    for (size_t i = 0; i < s->n; i++) {
        bool const judged = !c->constraint[i] || error[i] < HUGE_VAL;
        c->panel[i] = judged ? 0 : HUGE_VAL;
        all = all && judged;
    }
    if (code == 0 && !all) code = go_down_all(s, t, error);
    if (code < 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    for (size_t i = 0; i < s->n; i++)
        if (c->constraint[i]) shortest = fmin(shortest, c->ypp[i]);
    double const most = longest(s, t) / 16; /* differences of differences take so many of them */
    bool const by_rounding = 4 * shortest >= most; /* then shorter is worse for D too */
    if (shortest < HUGE_VAL)
        c->rate_span = by_rounding ? fmin(shortest, most) : fourth_to_second * shortest;
    c->unit = fmax(c->unit, c->rate_span / consistent_share);
    return 0;
}

static tansy_status fail_slope(struct tansy_solver *s, double t, size_t i)
{
    struct name name;
    s->consistent.is_refused = true;
    return s->error = message_set(
               &s->message, TANSY_INCONSISTENT,
               "no consistent initial values found at t = %.10g: how fast the constraint %s moves "
               "with t is not known well enough, as differences over times of %g and less do not "
               "agree; give d/dt of the constraints (.constraint_rate), or, where the times of the "
               "run are far from 1, its end (.stop_time)",
               t, name_equation(&s->problem, i, &name), longest(s, t));
}

/* Slopes that are not known to the tolerance.  A run that has begun goes on with the best there are; one that begins does where they are roughly known; what is
   to be given out at t0 must be right. */
static tansy_status judge_doubt(struct tansy_solver *s, double t, size_t worst, bool is_rough)
{
    struct consistent *const c = &s->consistent;
    if (s->started) return TANSY_OK;
    c->is_doubtful = true;
    return is_rough && !c->is_strict ? TANSY_OK : fail_slope(s, t, worst);
}

/* What is left of the slopes against the weights of the multipliers: K x = error, K z = slope for how large they are. */
static tansy_status judge_slopes(struct tansy_solver *s, double t, double *error)
{
    struct consistent *const c = &s->consistent;
    double *const by = c->ypp, *const size = c->moved;
    size_t const bytes = s->n * sizeof *by;
    double const slack = s->started ? between_steps : 1;
    size_t worst = 0;
    double least = -1;
    for (size_t i = 0; i < s->n; i++) {
        c->delta[i] = c->constraint[i] ? c->slope[i] : 0;
        if (!c->constraint[i]) error[i] = 0;
        double const relative = error[i] / fmax(fabs(c->slope[i]), DBL_MIN);
        if (c->constraint[i] && relative > least) worst = i;
        if (c->constraint[i]) least = fmax(least, relative);
    }
    if (!(error[worst] < HUGE_VAL)) return judge_doubt(s, t, worst, false);
    memset(by, 0, bytes);
    memset(size, 0, bytes);
    int code = consistent_solve(s, NULL, c->delta, size, NULL);
    if (code == 0) code = consistent_solve(s, NULL, error, by, NULL);
    bool is_fine = true, is_rough = true;
    for (size_t i = 0; i < s->n && code == 0; i++) {
        double const value = fmax(fabs(s->y0[i]), fabs(size[i]));
        double const allowed = fmax(consistent_weight_at(s, i, value), agree * value);
        is_fine = is_fine && fabs(by[i]) <= slack * allowed;
        is_rough = is_rough && fabs(by[i]) <= fmax(slack * allowed, roughly * value);
    }
    if (code < 0) return solver_fail_here(s, code);
    return is_fine ? TANSY_OK : judge_doubt(s, t, worst, is_rough);
}

tansy_status consistent_time_slope(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    bool found = false;
    if (c->constraints == 0 || s->problem.constraint_rate) return TANSY_OK;
    int code = try_usual(s, t, &found);
    if (code < 0) return solver_fail_here(s, code);
    if (found) return TANSY_OK;
    code = descend(s, t, c->dy);
    return code != 0 ? solver_fail_here(s, code) : judge_slopes(s, t, c->dy);
}
