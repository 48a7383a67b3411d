/* SPDX-License-Identifier: Apache-2.0 */
/* The leap over times where f is but rounding (cross_limit.c), from f+ at the surface by the midpoint rule: y + h f(t + h/2, y + h/2 f+), and S
   likewise.  Its error is h^3, and it is made only if that is no matter. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

static const double little_left = 0.5;  /* of a step before, for the next */
static const double longest = 1.0 / 64; /* of a step */
/* Times the distance from which f is known: farther on df/dy, worse by 1/distance, is better known; nearer by, where something turns before it, at
   least better than at the surface. */
static const double lengths[] = {16, 4, 1, 1.0 / 16, 1.0 / 256, 1.0 / 4096};
static const double negligible = 0.1; /* of the error weights */

/* One leap of size h from t; unit is a step. */
struct leap {
    double t, h, unit;
    struct point middle;
};

/* Error weights of component i, of size y now, that moves at this rate: by what it is in a step, as one that is 0 at the surface has no size there. */
static double allowed(const struct tansy_solver *s, const struct leap *x, size_t i, double y,
                      double rate)
{
    double const size = fmax(fabs(y), fabs(x->unit * rate));
    return negligible * tolerances_allow(&s->tolerances, i, size);
}

/* *small: the error of the columns of q is no matter.  Their two S' in the middle, w->y0 and w->r, differ by h/2 J S', so that the rule's error,
   h^3 J^2 S'/6, is about h times this difference times what it is of S'. */
static void judge_panel(const struct tansy_solver *s, const struct leap *x, const struct panel *q,
                        const struct work *w, bool *small)
{
    for (size_t k = 0; k < q->columns && *small; k++) {
        double const scale = s->tolerances.scale[q->first + k];
        double change = 0, slope = 0;
        for (size_t i = 0; i < s->n; i++) {
            size_t const at = i * q->lanes + k;
            double const weight = allowed(s, x, i, s->y0[i], s->events.f[i]);
            change = fmax(change, fabs(w->r[at] - w->y0[at]) / weight);
            slope = fmax(slope, fabs(w->y0[at]) / weight);
        }
        double const share = change < slope ? change / slope : 1;
        for (size_t i = 0; i < s->n; i++) {
            size_t const at = i * q->lanes + k;
            double const off = fabs(x->h * (w->r[at] - w->y0[at])) * scale * share;
            double const size = fmax(fabs(s->y0[i]), fabs(w->d0[at]) * scale);
            double const rate = fmax(fabs(s->events.f[i]), fabs(w->r[at]) * scale);
            *small = *small && off <= allowed(s, x, i, size, rate);
        }
    }
}

/* The columns of q over the leap: S + h S'(t + h/2) with S' at S + h/2 S', into w->y. */
static int leap_panel(struct tansy_solver *s, const struct leap *x, const struct panel *q,
                      bool *small)
{
    struct derive *const d = &s->derive;
    struct work *const w = &s->stepper.panel_work[0];
    memset(w->y, 0, q->count * sizeof *w->y);
    panel_from_columns(q, s->n, s->sens0 + q->first * s->n, w->y);
    memcpy(w->d0, w->y, q->count * sizeof *w->y);
    if (d->is_internal) derive_choose_increments(d, q, x->middle.y, w->y, NULL);
    memset(w->r, 0, q->count * sizeof *w->r);
    int code = d->tangent(d, 0, &x->middle, q, w->y, NULL, w->r);
    for (size_t i = 0; i < q->count; i++) {
        w->y[i] = w->d0[i] + x->h / 2 * w->r[i];
        w->y0[i] = w->r[i];
    }
    memset(w->r, 0, q->count * sizeof *w->r);
    if (code == 0) code = d->tangent(d, 0, &x->middle, q, w->y, NULL, w->r);
    if (code == 0) judge_panel(s, x, q, w, small);
    for (size_t i = 0; i < q->count; i++) w->y[i] = w->d0[i] + x->h * w->r[i];
    return code;
}

/* All columns over the leap, once to see whether it can be done. */
static int leap_columns(struct tansy_solver *s, struct leap *x, bool *small)
{
    struct stepper *const st = &s->stepper;
    int code = st->panels > 0 ? equations_linearise(&s->equations, &x->middle, false) : 0;
    x->middle.f = s->equations.f;
    s->equations.c = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t m = 0; m < st->panels && code == 0 && *small; m++) {
            const struct panel *const q = &s->shape[m];
            code = leap_panel(s, x, q, small);
            if (code == 0 && pass == 1)
                panel_to_columns(q, s->n, st->panel_work[0].y, s->sens0 + q->first * s->n);
        }
    return code;
}

/* The rule's error is that of Simpson's rule less it, h (f+ - 2 f(t + h/2) + f(t + h))/6; the last is in `end`. */
static bool is_small(const struct tansy_solver *s, const struct leap *x, const double *end)
{
    const struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) {
        double const off = x->h * (e->f[i] - 2 * e->f_near[i] + end[i]) / 6;
        if (!(fabs(off) <= allowed(s, x, i, s->y0[i], e->f[i]))) return false;
    }
    return true;
}

/* y + h (x f+ + x^2 (f(t + h/2) - f+)), x = 0..1: its slope is f+ at 0 and that of the rule in the middle, and it ends where the rule does. */
static double value_at(double x, double h, double y, double f, double middle)
{
    return y + h * x * (f + x * (middle - f));
}

/* No condition turns over the leap, as far as looks at 1/32, 1/16 .. 1 of it tell; g at its end is in e->trial. */
static int look_at_conditions(struct tansy_solver *s, const struct leap *x, bool *still)
{
    enum { HALVINGS = 5 };
    struct events *const e = &s->events;
    double *const y = e->beside; /* the looks at f are over */
    int code = 0;
    for (int k = HALVINGS; k >= 0 && code == 0 && *still; k--) {
        double const part = ldexp(1, -k);
        for (size_t i = 0; i < s->n; i++)
            y[i] = value_at(part, x->h, s->y0[i], e->f[i], e->f_near[i]);
        code = derive_switch(&s->derive, 0, x->t + part * x->h, y, e->trial);
        *still = code == 0 && events_first_wrong(e, e->trial) == e->switches;
    }
    return code;
}

/* A leap of h; *made: it was.  y at its end is in e->f_other. */
static int try_leap(struct tansy_solver *s, double t, double h, double unit, bool *made)
{
    struct events *const e = &s->events;
    double *const end = e->beside;
    struct leap x = {.t = t, .h = h, .unit = unit, .middle = {.t = t + h / 2, .y = e->y_near}};
    *made = true;
    for (size_t i = 0; i < s->n; i++) e->y_near[i] = s->y0[i] + h / 2 * e->f[i];
    int code = derive_rhs(&s->derive, 0, t + h / 2, e->y_near, e->f_near);
    for (size_t i = 0; i < s->n; i++) e->f_other[i] = s->y0[i] + h * e->f_near[i];
    if (code == 0) code = look_at_conditions(s, &x, made);
    if (code == 0 && *made) code = derive_rhs(&s->derive, 0, t + h, e->f_other, end);
    *made = *made && code == 0 && is_small(s, &x, end);
    if (*made) code = leap_columns(s, &x, made);
    *made = *made && code == 0;
    return code < 0 ? code : 0;
}

/* The longest of the leaps that can be made; 0: none. */
static int find_leap(struct tansy_solver *s, double t, double *part)
{
    const struct events *const e = &s->events;
    int code = 0;
    *part = 0;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths && code == 0 && *part == 0; k++) {
        bool made = false;
        if (lengths[k] > 1 && lengths[k] * e->leap > longest * e->leap_unit) continue;
        code = try_leap(s, t, s->direction * lengths[k] * e->leap, e->leap_unit, &made);
        if (made) *part = lengths[k];
    }
    return code;
}

tansy_status events_leap(struct tansy_solver *s, double *t)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double part = 0;
    e->span *= little_left; /* for the next one */
    if (!(e->leap > 0)) return TANSY_OK;
    int const code = find_leap(s, *t, &part);
    if (code < 0) return solver_fail_here(s, code);
    s->derive.worker[0].failure = failure;
    if (part < 1 && s->ns > 0 && e->leap_switch < e->switches)
        events_note_loss(e, *t, e->leap_switch);
    if (part == 0) return TANSY_OK;
    memcpy(e->leap_y, s->y0, s->n * sizeof *s->y0);
    memcpy(e->leap_f, e->f, s->n * sizeof *e->f);
    memcpy(e->leap_middle, e->f_near, s->n * sizeof *e->f);
    memcpy(s->y0, e->f_other, s->n * sizeof *s->y0);
    memcpy(e->sample, e->trial, e->switches * sizeof *e->sample);
    e->leap_from = *t;
    *t = e->leap_to = *t + s->direction * part * e->leap;
    return TANSY_OK;
}

bool events_is_in_leap(const struct tansy_solver *s, double t)
{
    const struct events *const e = &s->events;
    return s->direction * (t - e->leap_from) >= 0 && s->direction * (t - e->leap_to) < 0 &&
           s->direction * (t - s->before) < 0;
}

void events_output_leap(const struct tansy_solver *s, double t, int derivative, double *y)
{
    const struct events *const e = &s->events;
    double const h = e->leap_to - e->leap_from, x = (t - e->leap_from) / h;
    for (size_t i = 0; i < s->n; i++) {
        double const bend = e->leap_middle[i] - e->leap_f[i];
        y[i] = derivative == 0 ? value_at(x, h, e->leap_y[i], e->leap_f[i], e->leap_middle[i])
                               : e->leap_f[i] + 2 * x * bend;
    }
}
