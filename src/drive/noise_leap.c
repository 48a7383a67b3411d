/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps over noise.  At x = 0 (x - sin(x))/x^3 is 0/0 of the third order: f is wrong by eps/x^3 around it, df/dy by 1/x times that.  The error of
   steps in it falls with h alone, so that h gets 1e6 times shorter; a long step none of whose points lies in it does not see it at all.  So where a step
   fails twice, or out of the blue, second differences of f are looked at in places of a step of usual length and in two widths: a smooth f has
     f(t + d) - 2 f(t) + f(t - d) = f'' d^2,
   less by 64 with d/8, noise has not.  It is no 0/0 if it is the same everywhere, or no more than the rounding of y makes of f, as where terms of stiff
   equations cancel.  Then some long steps are
   tried, which must pass the error test as any; else the short ones go on. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"
#include "method/limex.h"

enum {
    WITHIN = 5,     /* f at a place: in the middle, and at two distances on both sides, */
    FEW = 3,        /* or the nearer one; */
    MOVED = WITHIN, /* and where all of y and t is moved a little */
    SELDOM = 5,     /* steps between two looks, four times as many after each in vain */
    WORTH = 5,      /* a long step: that many short ones */
    TOO_LONG = 1000 /* steps far too short, after which is looked whether it is noise */
};

static const double places[] = {0, 0.03, 0.21, 0.43, 0.61, 0.83, 1.07, 1.9}; /* in steps */
static const double width = 1e-6, closer = 0.125;
static const double first_places[] = {0.5, 1}; /* in steps that failed */
static const double falls =
    0.4; /* at most, of second differences of noise; those of sqrt(t - T) at T: 0.35 */
static const double moved = 1e-7, several = 100;       /* roundings */
static const double visible = 1e-12;                   /* of f */
static const double elsewhere = 0.05;                  /* times the noise, at most, in two places */
static const double suspicious = 1e-8, matters = 3e-7; /* of the error weights, over a step */
static const double lengths[] = {1.4, 1.2, 1.7, 2, 1, 0.85, 0.7, 0.6, 0.5};
static const double same = 0.02;     /* lengths that differ by less */
static const double surprising = 20; /* error, over that of the last step */
static const double forgets = 0.98, is_usual = 0.03, is_short = 0.01; /* of the longest step */

void noise_leap_layout(struct tansy_solver *s, struct arena *arena)
{
    struct noise_leap *const j = &s->noise_leap;
    if (s->derive.form != FORM_ODE) return;
    j->y = arena_doubles(arena, s->n);
    j->slope = arena_doubles(arena, s->n);
    j->at = arena_doubles(arena, s->n);
    j->size = arena_doubles(arena, s->n);
    j->least = arena_doubles(arena, s->n);
    j->second_least = arena_doubles(arena, s->n);
    j->most = arena_doubles(arena, s->n);
    j->f = arena_matrix(arena, WITHIN + 1, s->n);
}

void noise_leap_start(struct tansy_solver *s)
{
    struct noise_leap *const j = &s->noise_leap;
    j->stride = 0;
    j->crawl = j->rest = j->pause = 0;
    j->is_at_work = j->was_made = j->is_rough = false;
    j->error = 1;
    j->low = 0;
}

/* A time after that of y, but not beyond the stop time. */
static double time_after(const struct tansy_solver *s, double after)
{
    double const t = s->stepper.t;
    return consistent_may_look(s, t, after) ? t + after : s->options.stop_time;
}

/* f on the line along y', at a time after that of y. */
static int look(struct tansy_solver *s, double after, double *f)
{
    struct noise_leap *const j = &s->noise_leap;
    for (size_t i = 0; i < s->n; i++) j->at[i] = j->y[i] + after * j->slope[i];
    return derive_rhs(&s->derive, 0, time_after(s, after), j->at, f);
}

/* f at `count` points around a place: in the middle, then at a distance on both sides, then farther off. */
static int look_around(struct tansy_solver *s, double after, int count)
{
    struct noise_leap *const j = &s->noise_leap;
    double const d = width * j->stride, offset[WITHIN] = {0, -closer * d, closer * d, -d, d};
    int code = 0;
    for (int k = 0; k < count && code == 0; k++)
        code = look(s, s->direction * (after + offset[k]), j->f + (size_t)k * s->n);
    return code;
}

/* A second difference, of the first of the points and two others. */
static double second(const struct tansy_solver *s, size_t i, size_t other)
{
    const double *const f = s->noise_leap.f + i;
    return fabs(f[other * s->n] - 2 * f[0] + f[(other + 1) * s->n]);
}

/* f at a place where every y_i, and t, is moved by a share of itself, up or down. */
static int look_moved(struct tansy_solver *s, double after)
{
    struct noise_leap *const j = &s->noise_leap;
    double const t = time_after(s, s->direction * after);
    for (size_t i = 0; i < s->n; i++) {
        double const y = j->y[i] + s->direction * after * j->slope[i];
        uint32_t const mixed = (uint32_t)(i + 1) * UINT32_C(2654435761);
        j->at[i] = y * (1 + moved * (mixed / 2147483648.0 -
                                     1)); /* each by another share: differences move, too */
    }
    return derive_rhs(&s->derive, 0, time_after(s, t * (1 + moved) - s->stepper.t), j->at,
                      j->f + MOVED * s->n);
}

/* What rounding of y and t makes of f_i: terms of stiff equations that cancel, -L (z - u), are that rough everywhere. */
static double usual_noise(const struct tansy_solver *s, size_t i)
{
    const double *const f = s->noise_leap.f + i;
    return several * DBL_EPSILON / moved * fabs(f[MOVED * s->n] - f[0]);
}

/* Second differences at a place: what does not fall with their width, and is more than the rounding of y makes, is noise. */
static int look_at(struct tansy_solver *s, double after)
{
    struct noise_leap *const j = &s->noise_leap;
    int code = look_around(s, after, WITHIN);
    if (code == 0) code = look_moved(s, after);
    for (size_t i = 0; i < s->n && code == 0; i++) {
        double const close = second(s, i, 1), wide = second(s, i, 3);
        bool const is_noise = close > falls * wide && close > usual_noise(s, i);
        j->size[i] = fmax(j->size[i], fabs(j->f[i]));
        double const here = fmax(close, wide);
        j->second_least[i] = fmin(j->second_least[i], fmax(here, j->least[i]));
        j->least[i] = fmin(j->least[i], here);
        j->most[i] = fmax(j->most[i], is_noise ? close : 0);
    }
    return code;
}

/* Noise in f_i, which is of this size, is seen, and is so much of the error weights. */
static bool is_visible(const struct tansy_solver *s, size_t i, double noise, double size,
                       double much)
{
    const struct noise_leap *const j = &s->noise_leap;
    return noise > visible * size &&
           noise * j->stride > much * tolerances_allow(&s->tolerances, i, j->y[i]);
}

/* The same at first: it is not worth more of f where nothing is seen in two places of the step that failed. */
static int suspect(struct tansy_solver *s, double h, bool *found)
{
    struct noise_leap *const j = &s->noise_leap;
    bool seen = false;
    int code = derive_rhs(&s->derive, 0, s->stepper.t, j->y, j->slope);
    for (int k = 0; k < 2 && code == 0 && !seen; k++) {
        code = look_around(s, first_places[k] * fabs(h), FEW);
        for (size_t i = 0; i < s->n && code == 0; i++)
            seen = seen || is_visible(s, i, second(s, i, 1), fabs(j->f[i]), suspicious);
    }
    *found = code == 0 && seen;
    return code;
}

/* Within a step of usual length from y at t a component of f is noise, and in two places it is not. */
static int find_rough(struct tansy_solver *s, bool *found)
{
    struct noise_leap *const j = &s->noise_leap;
    *found = false;
    int code = derive_rhs(&s->derive, 0, s->stepper.t, j->y, j->slope);
    for (size_t i = 0; i < s->n; i++) {
        j->size[i] = j->most[i] = 0;
        j->least[i] = j->second_least[i] = HUGE_VAL;
    }
    for (size_t k = 0; k < sizeof places / sizeof *places && code == 0; k++)
        code = look_at(s, places[k] * j->stride);
    for (size_t i = 0; i < s->n && code == 0; i++) {
        double const most = j->most[i];
        if (*found) break;
        j->rough = i;
        if (j->second_least[i] <= elsewhere * most && is_visible(s, i, most, j->size[i], matters))
            *found = true;
    }
    return code;
}

/* The next jump, or none is left. */
static void try_next(struct tansy_solver *s)
{
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    struct noise_leap *const j = &s->noise_leap;
    struct stepper *const st = &s->stepper;
    double const most = s->options.max_step > 0 ? s->options.max_step : HUGE_VAL;
    s->control = j->control;
    j->is_at_work = false;
    while (j->tried < LENGTHS && !j->is_at_work) {
        double const h = lengths[j->tried++] * j->stride;
        j->is_at_work = h <= most && fabs(h - j->failed) > same * h;
        if (j->is_at_work) st->h = s->direction * h;
    }
    st->order = j->is_at_work ? j->order : j->order_without;
    if (!j->is_at_work) st->h = j->h;
}

/* Twice, or out of the blue. */
static bool has_failed_strangely(const struct tansy_solver *s)
{
    const struct noise_leap *const j = &s->noise_leap;
    int const errors = s->control.errors;
    return errors == 2 || (errors == 1 && s->candidate[SAME].error > surprising * j->error);
}

/* A function asked for the end of the run. */
static tansy_status stop(struct tansy_solver *s)
{
    s->failure = s->derive.worker[0].failure;
    return solver_give_up(s, OUTCOME_STOP);
}

tansy_status noise_leap_consider(struct tansy_solver *s, enum outcome outcome, int order, double h)
{
    struct noise_leap *const j = &s->noise_leap;
    const struct stepper *const st = &s->stepper;
    struct failure const failure = s->derive.worker[0].failure;
    if (j->is_at_work) {
        try_next(s);
        return TANSY_OK;
    }
    if (outcome != OUTCOME_ERROR || s->stats.steps < j->rest || !has_failed_strangely(s))
        return TANSY_OK;
    if (!j->y || s->jump.theta < 1 || !(j->stride > 0) || s->options.max_error_failures > 0)
        return TANSY_OK;
    memcpy(j->y, st->state.history, s->n * sizeof *j->y);
    bool rough = false;
    int code = suspect(s, h, &rough);
    if (code == 0 && rough) code = find_rough(s, &rough);
    if (code < 0) return stop(s);
    rough = rough && code == 0;
    s->derive.worker[0].failure = failure; /* a function that fails will do so again */
    j->pause = rough ? SELDOM : j->pause < SELDOM ? SELDOM : 4 * j->pause;
    j->rest = s->stats.steps + j->pause;
    if (!rough) return TANSY_OK;
    j->control = s->control;
    j->h = st->h;
    j->failed = fabs(h);
    j->order_without = st->order;
    j->order = order;
    j->tried = 0;
    try_next(s);
    return TANSY_OK;
}

size_t noise_leap_describe(const struct tansy_solver *s, char *text, size_t size)
{
    const struct noise_leap *const j = &s->noise_leap;
    struct name name;
    if (!j->is_rough) return 0;
    int const length =
        snprintf(text, size,
                 "; from t = %.10g on the right-hand side of %s is but rounding, as 0/0 is: write "
                 "such a quotient by its series there, such as if abs(x) > 0.01 then (1 - "
                 "cos(x))/x^2 else 1/2 - x^2/24",
                 j->rough_from, name_state(&s->problem, j->rough, &name));
    return length > 0 ? (size_t)length : 0;
}

/* Of order 2 or less limex is made of short steps alone: errors of a slow component that a stiff rate drives, L H^4 (limex_end.c), which each keeps to the
   tolerance, have the same sign and add up. */
static void add_low(struct tansy_solver *s)
{
    enum { LOW = 2 };
    const struct method *const method = s->stepper.method;
    if (method == &method_limex && s->stats.order_last <= LOW + method->gain)
        s->noise_leap.low += s->noise_leap.error;
}

/* Steps have been far too short for long: they are usual from now on.  Whether it was for noise is remembered, should the run not get through. */
static tansy_status judge_crawl(struct tansy_solver *s)
{
    struct noise_leap *const j = &s->noise_leap;
    struct failure const failure = s->derive.worker[0].failure;
    bool rough = false;
    if (j->y && !j->is_rough) {
        solver_output(s, s->stepper.t, 0, j->y, NULL);
        if (find_rough(s, &rough) < 0) return stop(s);
        s->derive.worker[0].failure = failure;
    }
    if (rough) {
        j->is_rough = true;
        j->rough_from = s->stepper.t;
    }
    j->stride = fabs(s->stats.h_last);
    j->crawl = 0;
    return TANSY_OK;
}

tansy_status noise_leap_accept(struct tansy_solver *s)
{
    struct noise_leap *const j = &s->noise_leap;
    double const h = fabs(s->stats.h_last);
    if (s->jump.theta < 1) return TANSY_OK; /* steps are short for another reason */
    if (j->is_at_work) j->rest = 0;
    j->was_made = j->is_at_work;
    j->is_at_work = false;
    j->error = s->candidate[SAME].error;
    add_low(s);
    if (h >= is_usual * j->stride) {
        double const faded = forgets * j->stride;
        j->stride = h > faded ? h : faded;
        j->crawl -= j->crawl < WORTH ? j->crawl : WORTH;
    }
    if (h > is_short * j->stride || ++j->crawl < TOO_LONG) return TANSY_OK;
    return judge_crawl(s);
}
