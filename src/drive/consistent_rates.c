/* SPDX-License-Identifier: Apache-2.0 */
/* What the start needs beside F = 0: d/dt F = 0 along the solution, by differences.  It gives y'' of the differential components and y' of the
   algebraic ones, K (y'', y_a') = d/dt r along (1, y', 0); in the rows of constraints it is the second derivative. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/consistent.h"
#include "drive/solver.h"

const double consistent_share = 6e-6;

static const double wider = 30; /* times the span of a first difference: that of a second one */

/* A length of time in which y, with this speed, moves by its size, no longer than `most`: a component that passes zero has no say,
   whose size is what its absolute tolerance makes of it. */
static double moving_time(const struct tansy_solver *s, const double *v, double most)
{
    double shortest = most;
    for (size_t i = 0; i < s->n; i++) {
        double const floor_of_y = s->tolerances.atol[i] / fmax(s->tolerances.rtol[i], 1e-6);
        double const size = fabs(s->y0[i]) + floor_of_y, speed = fabs(v[i]);
        if (speed * shortest > size) shortest = size / speed;
    }
    return shortest;
}

/* A share of that, or of the last step. */
double consistent_span(const struct tansy_solver *s, double t, const double *v)
{
    double shortest = moving_time(s, v, consistent_unit(s, t));
    if (s->started) shortest = fmax(shortest, fabs(s->stats.h_last));
    return fmax(consistent_share * shortest, 64 * DBL_EPSILON * fabs(t));
}

double consistent_wider(const struct tansy_solver *s)
{
    return wider * s->consistent.rate_span;
}

double consistent_shift(const struct tansy_solver *s, double t, double span)
{
    if (!consistent_may_look(s, t, span)) return -span;
    return consistent_may_look(s, t, -span) ? 0 : span;
}

/* r(t + by, y + by v, y') into r; 1 when that must not be looked at. */
static int look_along(struct tansy_solver *s, double t, double by, const double *v, double *r)
{
    struct consistent *const c = &s->consistent;
    if (!consistent_may_look(s, t, by)) return 1;
    for (size_t i = 0; i < s->n; i++) c->moved[i] = s->y0[i] + by * v[i];
    struct point const at = {.t = t + by, .y = c->moved, .yp = c->yp};
    return derive_value(&s->derive, 0, &at, r);
}

/* d/dt r(t, y, y') along (1, v, 0) into delta, by central differences, or one-sided ones of the same order where a side cannot be had. */
static int difference_along(struct tansy_solver *s, double t, double span, const double *v)
{
    struct consistent *const c = &s->consistent;
    int const up = look_along(s, t, span, v, c->delta);
    if (up < 0) return up;
    int const down = look_along(s, t, -span, v, c->other);
    if (down < 0 || (up > 0 && down > 0)) return down;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    if (up == 0 && down == 0) {
        for (size_t i = 0; i < s->n; i++) c->delta[i] = (c->delta[i] - c->other[i]) / (2 * span);
        return 0;
    }
    double const side = up == 0 ? span : -span;
    if (up > 0) memcpy(c->delta, c->other, s->n * sizeof *c->delta);
    int code = look_along(s, t, 2 * side, v, c->other);
    for (size_t i = 0; i < s->n; i++) c->delta[i] = 4 * c->delta[i] - c->other[i];
    if (code == 0) code = look_along(s, t, 0, v, c->other);
    for (size_t i = 0; i < s->n; i++) c->delta[i] = (c->delta[i] - 3 * c->other[i]) / (2 * side);
    return code;
}

/* The differences with a longer span, in delta, are those with the usual one, in dyp, but for its rounding errors. */
static bool confirms(const struct tansy_solver *s, double usual)
{
    static const double roundings = 64, agree = 1e-6;
    const struct consistent *const c = &s->consistent;
    const struct sparse_rows *const M = &s->M.rows;
    for (size_t i = 0; i < s->n; i++) {
        double terms = c->terms[i];
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++)
            terms += fabs(M->value[e] * c->yp[M->column[e]]);
        double const size = fmax(fabs(c->delta[i]), fabs(c->dyp[i]));
        double const allowed = roundings * DBL_EPSILON * terms / usual + agree * size;
        if (!(fabs(c->delta[i] - c->dyp[i]) <= allowed)) return false;
    }
    return true;
}

/* d/dt r along (1, y') into delta.  Where y moves in times far longer than the unit that spans are taken from, their differences may be lost in
   rounding: those of y's own time are taken if they are no others.  A fast motion of t alone is no rounding error. */
static int difference_slowly(struct tansy_solver *s, double t)
{
    static const double far = 4;
    struct consistent *const c = &s->consistent;
    double const usual = c->rate_span, unit = consistent_unit(s, t);
    double const most = consistent_length(s) > 0 ? consistent_length(s) : HUGE_VAL;
    double const time = moving_time(s, c->yp, most), longer = consistent_share * time;
    int const code = difference_along(s, t, usual, c->yp);
    if (code != 0 || s->started || s->J.kind == MATRIX_NONE) return code;
    if (!(time > far * unit && longer > far * usual && isfinite(longer))) return code;
    memcpy(c->dyp, c->delta, s->n * sizeof *c->dyp);
    int const slow = difference_along(s, t, longer, c->yp);
    if (slow < 0) return slow;
    s->derive.worker[0].failure.kind = FAILURE_NONE;
    if (slow == 0 && confirms(s, usual)) {
        c->rate_span = longer;
        c->unit = time;
    } else
        memcpy(c->delta, c->dyp, s->n * sizeof *c->dyp);
    return 0;
}

/* Rows of constraints in delta: their second derivative along (1, y'), from three points of time.  r itself vanishes to the
   tolerance only, which is far from zero when it is divided by the square of a span. */
static int bend_constraints(struct tansy_solver *s, double t, double span)
{
    struct consistent *const c = &s->consistent;
    double const shift = consistent_shift(s, t, span);
    int code = 0;
    memset(c->slope, 0, s->n * sizeof *c->slope);
    for (int side = -1; side <= 1 && code == 0; side++) {
        double const by = shift + side * span;
        for (size_t i = 0; i < s->n; i++) c->moved[i] = s->y0[i] + by * c->yp[i];
        struct point const at = {.t = t + by, .y = c->moved, .yp = c->yp};
        code = derive_value(&s->derive, 0, &at, c->other);
        for (size_t i = 0; i < s->n; i++) c->slope[i] += (side == 0 ? -2 : 1) * c->other[i];
    }
    for (size_t i = 0; i < s->n && code == 0; i++)
        if (c->constraint[i]) c->delta[i] = c->slope[i] / (span * span);
    return code;
}

/* dF/dy' has an inverse: nothing but y' is to be found. */
static bool is_regular(const struct consistent *c)
{
    return c->algebraic == 0 && c->coupled.n == 0;
}

/* dy and ypp; zeros where they cannot be had. */
static int solve_rates(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    size_t const bytes = s->n * sizeof(double);
    double const span = consistent_wider(s);
    int code = c->constraints > 0 ? difference_along(s, t, span, c->yp) : difference_slowly(s, t);
    if (code == 0 && c->constraints > 0) code = bend_constraints(s, t, span);
    if (code == 0) code = consistent_solve_finely(s, NULL, c->delta, c->dy, c->ypp);
    bool finite = code == 0;
    for (size_t i = 0; i < s->n && finite; i++) finite = isfinite(c->dy[i]) && isfinite(c->ypp[i]);
    if (finite) return 0;
    memset(c->dy, 0, bytes);
    memset(c->ypp, 0, bytes);
    return code < 0 ? code : 1;
}

int consistent_rates(struct tansy_solver *s, double t)
{
    struct consistent *const c = &s->consistent;
    memset(c->dy, 0, s->n * sizeof *c->dy);
    memset(c->ypp, 0, s->n * sizeof *c->ypp);
    c->rate_span = fmin(c->rate_span, consistent_span(s, t, c->yp));
    return is_regular(c) ? 0 : solve_rates(s, t);
}

int consistent_bend(struct tansy_solver *s, double t)
{
    if (!is_regular(&s->consistent)) return 0;
    int const code = solve_rates(s, t);
    return code < 0 ? code : 0;
}

int consistent_tangent(struct tansy_solver *s, double t, double *v)
{
    const struct consistent *const c = &s->consistent;
    if (c->constraints > 0 || is_regular(c)) return 0;
    int const code = difference_along(s, t, consistent_span(s, t, v), v);
    return code != 0 ? code : consistent_solve_finely(s, NULL, c->delta, v, NULL);
}
