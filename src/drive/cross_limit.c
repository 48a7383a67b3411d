/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of f at a surface.  A branch that is 0/0 there, (1 - exp(-x))/x where x > 0 guards it, is but rounding beside it: wrong by
   eps/x in f and by eps/x^2 in df/dy.  A step that ends at the surface would take f-, f+ and S' from there.  A smooth f differs
   from the parabola through its values at three greater distances by ever less as they shrink, f''' d^3, and so does sqrt(d); rounding
   differs by ever more.  Where that is seen the limit is the value of the parabola from where they agree best, and the run goes
   on from there.  What the rounding of y makes of f of stiff components, (T - m)/tau, is as large at all distances, and no such sign. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum { DISTANCES = 14, FITS = DISTANCES - 2 };

static const double farthest = 1, wider = 4; /* distances: of a step; one over the one before */
static const double close_by = 1e-8, afar = 1e-3; /* of a step: the first look */
static const double slant =
    1.0368; /* of a line in (t, y): x/eps is no whole number on it by chance */
static const double suspicious = 1e-10; /* of f, off the line: a look at all distances */
static const double no_matter = 1e-6;   /* of the error weights, over a step */
static const double visible = 1e-12;    /* of f, off the line */
static const double rounding = 1e-14;   /* of f: no line is better known, */
static const double of_y = 4;           /* roundings of y, nor is it than these let it */
static const double bends = 64;         /* f''' d^3, from one distance to the next: 64 */
static const double fades = 30;         /* by which rounding falls, at least */
static const double as_good =
    5; /* times the best: the farthest of these, as that may be by chance */
static const double of_the_run = 1e-3; /* a step, where there was none */
static const double beyond = 0.3;      /* of a step, by which its polynomial may be prolonged */
static const double no_jump = 10;      /* times the doubt */
static const double short_step = 0.1;  /* of one of late */
static const double first_slope = 0.1; /* what S' where a step begins is worth in it */
static const double lost = 10;         /* error weights: S is not known */

void events_layout_limit(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    if (s->derive.form != FORM_ODE) return;
    e->beside = arena_matrix(arena, DISTANCES, s->n);
    e->doubt = arena_doubles(arena, s->n);
    e->leap_y = arena_doubles(arena, s->n);
    e->leap_f = arena_doubles(arena, s->n);
    e->leap_middle = arena_doubles(arena, s->n);
    ARENA_TAKE(arena, e->calm, e->switches);
}

/* One side of the surface at (t, y0): the dense output before it, a straight line along `along` after it. */
struct side {
    double t, sign, unit; /* unit: a length of time, a step */
    const double *along;
    bool
        stands; /* time does: f is not asked for beyond a break or a stop time that is close ahead */
};

/* The direction of component i, which takes it no farther in a unit than to so many times its size: a rate of 1e7, of a pulse that lasts
   1e-5, leads to where f is another one. */
static double direction_of(const struct tansy_solver *s, const struct side *x, size_t i)
{
    static const double times = 10, as_nothing = 1000; /* atol/rtol */
    const struct tolerances *const w = &s->tolerances;
    double const zero = w->rtol[i] > 0 ? w->zero[i] / w->rtol[i] : HUGE_VAL;
    double const most = fmax(times * fabs(s->y0[i]), as_nothing * zero);
    double const way = fabs(x->along[i]) * x->unit;
    return way > most ? x->along[i] * (most / way) : x->along[i];
}

/* f at this distance; a code. */
static int look(struct tansy_solver *s, const struct side *x, double distance, double *f)
{
    struct events *const e = &s->events;
    double const t = x->t + x->sign * distance;
    if (x->along)
        for (size_t i = 0; i < s->n; i++)
            e->y_near[i] = s->y0[i] + (t - x->t) * slant * direction_of(s, x, i);
    else
        solver_output(s, t, 0, e->y_near, NULL);
    return derive_rhs(&s->derive, 0, x->stands ? x->t : t, e->y_near, f);
}

/* The line through f_a at a and f_b at b, at x. */
static double line(double x, double a, double f_a, double b, double f_b)
{
    return f_a + (f_b - f_a) * ((x - a) / (b - a));
}

/* f at the surface, in a component, is off the line through two values beside it by more than can be. */
static bool is_suspicious(const struct tansy_solver *s, size_t i, double f, double unit)
{
    const double *const near = s->events.beside + i, *const far = near + s->n;
    double const off = fabs(f - line(0, close_by, *near, afar, *far));
    if (off <= suspicious * (fabs(f) + fabs(*near))) return false;
    return !(off * unit <= no_matter * tolerances_allow(&s->tolerances, i, s->y0[i]));
}

/* Two values beside the surface; false: nothing is to be seen, or not known.  A code below 0. */
static int look_twice(struct tansy_solver *s, const struct side *x, const double *f, bool *suspect)
{
    double *const near = s->events.beside, *const far = near + s->n;
    *suspect = false;
    int code = look(s, x, close_by * x->unit, near);
    if (code == 0) code = look(s, x, afar * x->unit, far);
    for (size_t i = 0; i < s->n && code == 0 && !*suspect; i++)
        *suspect = is_suspicious(s, i, f[i] - (s->events.drifts ? s->events.drift[i] : 0), x->unit);
    return code < 0 ? code : 0;
}

static double distance_of(const struct side *x, int k)
{
    return farthest * x->unit * pow(wider, k - (DISTANCES - 1));
}

/* What the rounding of y makes of f at the greatest distance, where it is e->y_near, into e->f_near. */
static int look_at_rounding(struct tansy_solver *s, const struct side *x)
{
    static const double golden = 0.61803398874989485;
    struct events *const e = &s->events;
    double *const moved = e->f_near;
    const double *const f = e->beside + (size_t)(DISTANCES - 1) * s->n;
    double const t = x->t + x->sign * farthest * x->unit;
    for (size_t i = 0; i < s->n; i++) {
        double const share = golden * (double)(i + 1);
        e->y_near[i] += 2 * (share - floor(share) - 0.5) * of_y * DBL_EPSILON * e->y_near[i];
    }
    int const code = derive_rhs(&s->derive, 0, x->stands ? x->t : t, e->y_near, moved);
    for (size_t i = 0; i < s->n; i++) moved[i] = code == 0 ? fabs(moved[i] - f[i]) : 0;
    return code;
}

/* f at all distances; NaN where it has no value. */
static int look_at_all(struct tansy_solver *s, const struct side *x)
{
    for (int k = 0; k < DISTANCES; k++) {
        double *const f = s->events.beside + (size_t)k * s->n;
        int const code = look(s, x, distance_of(x, k), f);
        if (code < 0) return code;
        for (size_t i = 0; i < s->n && code > 0; i++) f[i] = nan("");
    }
    int const code = look_at_rounding(s, x);
    return code < 0 ? code : 0;
}

/* The parabola through component i at distance k and the two next, at x. */
static double parabola(const struct tansy_solver *s, const struct side *x, size_t i, int k,
                       double at)
{
    const double *const f = s->events.beside + (size_t)k * s->n + i;
    double const a = distance_of(x, k), b = distance_of(x, k + 1), c = distance_of(x, k + 2);
    double const first = line(at, a, f[0], b, f[s->n]),
                 second = line(at, b, f[s->n], c, f[2 * s->n]);
    return line(at, a, first, c, second);
}

/* Component i, f at the surface: how far it is off the parabola through the first three distances, off[0], and those from the next ones. */
static void find_fits(const struct tansy_solver *s, const struct side *x, size_t i, double f,
                      double *off)
{
    for (int k = 0; k < FITS; k++) {
        double const here = k > 0 ? s->events.beside[(size_t)(k - 1) * s->n + i] : f;
        double const at = k > 0 ? distance_of(x, k - 1) : 0;
        off[k] = fabs(here - parabola(s, x, i, k, at));
        if (isnan(off[k])) off[k] = HUGE_VAL;
    }
}

/* How far f is off the parabola of fit k, as far as its neighbours tell; `noise`: no less than that. */
static double miss_of(const double *off, double noise, int k)
{
    double const next = k + 1 < FITS ? off[k + 1] / bends : 0;
    return fmax(fmax(off[k], off[k - 1] / wider), fmax(next, noise));
}

/* The same at best, from distance *best - 1 on: from afar, where f is smooth, to where it rises again.  (Closer by 1 - cos(x) is 0, which is
   smooth, too.) */
static double find_best(const double *off, double noise, int *best)
{
    double least = HUGE_VAL;
    *best = 0;
    for (int k = FITS - 1; k > 0; k--) {
        double const miss = miss_of(off, noise, k);
        if (miss > fades * least) break;
        if (miss < HUGE_VAL && !(miss * as_good > least)) *best = k;
        least = fmin(least, miss);
    }
    return *best > 0 ? miss_of(off, noise, *best) : HUGE_VAL;
}

/* Component i of f at the surface is but rounding: its limit in *f, how far that may be off in e->doubt; from *distance on it is known. */
static void judge(struct tansy_solver *s, const struct side *x, size_t i, double *f,
                  double *distance)
{
    struct events *const e = &s->events;
    double off[FITS];
    int best = 0;
    find_fits(s, x, i, *f, off);
    const double *const far = e->beside + (DISTANCES - 1) * s->n + i;
    double const least = find_best(off, fmax(rounding * fabs(*far), e->f_near[i]), &best);
    bool fading = false;
    for (int k = 0; k < best; k++)
        fading = fading ||
                 (off[k] > fades * least && off[k] > visible * fabs(*far) &&
                  off[k] * x->unit > no_matter * tolerances_allow(&s->tolerances, i, s->y0[i]));
    if (!fading || !isfinite(least)) return;
    *f = parabola(s, x, i, best - 1, 0);
    e->doubt[i] = fmax(e->doubt[i], least);
    *distance = fmax(*distance, distance_of(x, best - 1));
}

/* The surface of j was found smooth time after time: it is looked at now and then only. */
static bool is_calm(const struct events *e, size_t j)
{
    enum { OFTEN = 3, RARELY = 16 };
    return j < e->switches && e->calm[j] >= OFTEN && e->calm[j] % RARELY != 0;
}

/* f at the surface of j, on this side; f becomes its limit, and *distance is where it is known, 0: at the surface. */
static int find_limit(struct tansy_solver *s, const struct side *x, size_t j, double *f,
                      double *distance)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    bool suspect = false;
    *distance = 0;
    if (!e->beside || !(x->unit > 0) || e->apex != 0) return 0; /* cross_apex.c has found it */
    if (!e->suspect && is_calm(e, j)) return 0;
    int code = look_twice(s, x, f, &suspect);
    e->suspect = e->suspect || suspect || code != 0;
    if (code == 0 && suspect) code = look_at_all(s, x);
    if (code == 0) s->derive.worker[0].failure = failure;
    for (size_t i = 0; i < s->n && code == 0 && suspect; i++) {
        double const drift = e->drifts ? e->drift[i] : 0;
        f[i] -= drift;
        judge(s, x, i, f + i, distance);
        f[i] += drift;
    }
    return code;
}

void events_begin_limits(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    e->span = fmax(fmax(e->stride, e->span), of_the_run * fabs(e->at - s->t0));
    e->leap = 0;
    e->leap_switch = e->leader;
    e->suspect = false;
    if (e->doubt) memset(e->doubt, 0, s->n * sizeof *e->doubt);
}

void events_note_loss(struct events *e, double t, size_t j)
{
    if (e->losses++ > 0) return;
    e->lost_at = t;
    e->lost_switch = j;
}

/* The side before t: by dense output, or where the last step was short straight on along f, as any direction will do; *back: how far
   that goes. */
static struct side side_before(const struct tansy_solver *s, double t, const double *f,
                               double *back)
{
    double const span = s->events.span;
    *back = fabs(t - s->before) + beyond * fabs(s->stepper.t - s->before);
    bool const along = *back < short_step * span;
    return (struct side){.t = t,
                         .sign = -s->direction,
                         .unit = along ? span : fmin(span, *back),
                         .along = along ? f : NULL};
}

int events_limit_before(struct tansy_solver *s, double t, double *f)
{
    struct events *const e = &s->events;
    double back = 0, distance = 0;
    struct side const x = side_before(s, t, f, &back);
    int const code = find_limit(s, &x, e->leader, f, &distance);
    if (code == 0 && distance > back && s->ns > 0)
        events_note_loss(e, t, e->leader); /* steps were within */
    return code;
}

double events_rough_before(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double back = 0, distance = 0;
    if (!e->beside) return 0;
    events_begin_limits(s);
    int code = derive_rhs(&s->derive, 0, t, s->y0, e->f_other);
    struct side const x = side_before(s, t, e->f_other, &back);
    if (code == 0) code = find_limit(s, &x, e->leader, e->f_other, &distance);
    s->derive.worker[0].failure = failure;
    return code == 0 ? distance : 0; /* a function that fails will do so again */
}

/* No more than up to the next break or stop time. */
static double reach_from(const struct tansy_solver *s, double t)
{
    double reach = s->events.span, limit = 0;
    if (events_next_break(s, &limit)) reach = fmin(reach, fabs(limit - t));
    if (s->options.use_stop_time) reach = fmin(reach, fabs(s->options.stop_time - t));
    return reach;
}

/* Tells if S is not known behind the surface of j: by its jump, or by S' where the next step begins. */
static void tell_lost(struct tansy_solver *s, double t, size_t j, double unit)
{
    struct events *const e = &s->events;
    double size = 0;
    double const slope = e->leap > 0 ? 1 + first_slope * unit / e->leap : 1;
    for (size_t k = 0; k < s->ns; k++)
        size = fmax(size, fabs(e->delay[k]) * s->tolerances.scale[k]);
    size_t i = 0;
    while (i < s->n &&
           e->doubt[i] * slope * size <= lost * tolerances_allow(&s->tolerances, i, s->y0[i]))
        i++;
    if (i < s->n) events_note_loss(e, t, j);
}

/* A break or a stop time is where f is but rounding: the run goes on through it, and S is not known. */
static void leave_leap(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    e->leap = 0;
    if (s->ns > 0 && e->leap_switch < e->switches) events_note_loss(e, t, e->leap_switch);
}

int events_limit_after(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double const reach = reach_from(s, t);
    bool const stands = reach < short_step * e->span; /* a break is too close to look up to it */
    struct side const x = {.t = t,
                           .sign = s->direction,
                           .unit = stands ? e->span : reach,
                           .along = e->f,
                           .stands = stands};
    int const code = find_limit(s, &x, j, e->f_after, &e->leap);
    if (j != SIZE_MAX) e->leap_switch = j;
    e->leap_unit = reach;
    if (stands && e->leap > reach) leave_leap(s, t);
    if (e->calm && j < e->switches) e->calm[j] = e->suspect ? 0 : e->calm[j] + 1;
    if (code != 0 || !e->doubt) return code;
    for (size_t i = 0; i < s->n; i++) /* what may be no jump is none */
        if (fabs(e->f_after[i] - e->f[i]) <= no_jump * e->doubt[i]) e->f_after[i] = e->f[i];
    if (s->ns > 0 && j != SIZE_MAX) tell_lost(s, t, j, x.unit);
    return 0;
}
