/* SPDX-License-Identifier: Apache-2.0 */
/* Is an equation but rounding where a run stops?  (x - sin(x))/x^3 is 0/0 of the third order at x = 0, and wrong by eps/x^2 beside it: the
   error test of z = (x - sin(x))/x^3 fails with steps ever shorter, and nobody thinks of rounding.  So F(t, y, y') is looked at on a line on which
   every y_i, and t, moves by a share of itself, t by no more than that of a step,
     |F(d) - 2 F(0) + F(-d)|,   and the same with d/8,
   at several points in two places: what is smooth falls by 64, what has a kink by 8, and a jump is not in both places; noise stays as it is.
   It counts if it is far more than the rounding of y makes of F, as where terms of stiff equations cancel, and not nothing beside what
   the error weights make of it. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "derive/names.h"
#include "drive/solver.h"

/* Relative to y and t, and points at each place: what is rounded is a whole number of roundings, and changes in no less than one of them. */
static const double widths[] = {1e-7, 1e-5, 1e-3};
enum { POINTS = 8 };
static const double closer = 0.125;
static const double apart = 10;     /* widths from here to each place */
static const double falls = 0.25;   /* at most, of second differences of noise */
static const double several = 100;  /* roundings of y */
static const double matters = 3e-7; /* of what the error weights make of F */

/* y and y' where the run is, a point beside it, F at three points in a row, the sums of second differences, and how large the terms of F are: room for
   n each. */
struct look {
    const double *y;
    double *yp, *at, *f[3], *close, *wide, *terms, *noise;
};

static struct look take_room(struct tansy_solver *s)
{
    size_t const n = s->n;
    const struct noise_leap *const j = &s->noise_leap;
    bool const implicit = derive_is_implicit(&s->derive);
    double *const room = implicit ? s->consistent.room : j->f;
    double *const more = implicit ? room + 6 * n : j->size;
    return (struct look){.y = s->stepper.state.history,
                         .yp = room,
                         .at = room + n,
                         .f = {room + 2 * n, room + 3 * n, room + 4 * n},
                         .close = room + 5 * n,
                         .wide = more,
                         .terms = implicit ? more + n : j->least,
                         .noise = implicit ? more + 2 * n : j->most};
}

/* From 0.5 to 1, of mixed signs: each component moves by another share, so that differences move, too; in each pattern by others. */
static double share(size_t i, uint32_t pattern)
{
    uint32_t const number =
        (uint32_t)(i + 1) * UINT32_C(2654435761) + pattern * UINT32_C(374761393);
    double const mixed = (uint32_t)((number ^ number >> 15) * UINT32_C(2246822519)) / 4294967296.0;
    return mixed < 0.5 ? -0.5 - mixed : mixed;
}

/* The longest usual step. */
static double stride_of(const struct tansy_solver *s)
{
    double const stride = s->noise_leap.stride;
    return stride > 0 ? stride : fabs(s->stepper.h);
}

/* t, not beyond the stop time. */
static double time_beside(const struct tansy_solver *s, double moved)
{
    double const t = s->stepper.t;
    return consistent_may_look(s, t, moved) ? t + moved : t;
}

/* How far t may be moved: all of it would pass over oscillations. */
static double reach(const struct tansy_solver *s)
{
    static const double least = 1e-4;
    double const t = s->stepper.t, size = fabs(t);
    return copysign(fmin(size, fmax(stride_of(s), least * size)), t);
}

/* The terms of F, from what all of y, y' and t moved by a share of 1e-7 make of it: the most of several patterns, as terms may cancel in one. */
static int measure_terms(struct tansy_solver *s, const struct look *l)
{
    enum { PATTERNS = 4 };
    static const double moved = 1e-7;
    double const t = s->stepper.t;
    struct point const here = {.t = t, .y = l->y, .yp = l->yp};
    int code = derive_value(&s->derive, 0, &here, l->f[0]);
    for (size_t i = 0; i < s->n; i++) l->terms[i] = 0;
    for (uint32_t k = 1; k <= PATTERNS && code == 0; k++) {
        for (size_t i = 0; i < s->n; i++) {
            l->at[i] = l->y[i] * (1 + moved * share(i, k));
            l->wide[i] = l->yp[i] * (1 + moved * share(i, k + PATTERNS));
        }
        struct point const at = {.t = time_beside(s, moved * t), .y = l->at, .yp = l->wide};
        code = derive_value(&s->derive, 0, &at, l->f[1]);
        for (size_t i = 0; i < s->n; i++)
            l->terms[i] = fmax(l->terms[i], fabs(l->f[1][i] - l->f[0][i]) / moved);
    }
    return code;
}

/* F on the line. */
static int look_at(struct tansy_solver *s, const struct look *l, double offset, double *f)
{
    for (size_t i = 0; i < s->n; i++) l->at[i] = l->y[i] * (1 + offset * share(i, 0));
    struct point const at = {.t = time_beside(s, offset * reach(s)), .y = l->at, .yp = l->yp};
    return derive_value(&s->derive, 0, &at, f);
}

/* Adds |second differences| of points d apart, from a place on. */
static int add_up(struct tansy_solver *s, const struct look *l, double place, double d,
                  double *second)
{
    int code = 0;
    for (int k = 0; k < POINTS && code == 0; k++) {
        const double *const f[3] = {l->f[k % 3], l->f[(k + 2) % 3], l->f[(k + 1) % 3]};
        code = look_at(s, l, place + k * d, l->f[k % 3]);
        for (size_t i = 0; i < s->n && k > 1; i++)
            second[i] += fabs(f[0][i] - 2 * f[1][i] + f[2][i]);
    }
    return code;
}

/* The noise of F, 0 where there is none: in both places together second differences do not fall, and in each they are more than rounding of y. */
static int measure_noise(struct tansy_solver *s, const struct look *l, double width)
{
    int code = 0;
    for (size_t i = 0; i < s->n; i++) l->close[i] = l->wide[i] = 0;
    for (int side = -1; side <= 1 && code == 0; side += 2) {
        for (size_t i = 0; i < s->n; i++) l->noise[i] = l->close[i]; /* of the first place */
        code = add_up(s, l, side * apart * width, closer * width, l->close);
        if (code == 0) code = add_up(s, l, side * apart * width, width, l->wide);
    }
    for (size_t i = 0; i < s->n; i++) {
        double const least = fmin(l->noise[i], l->close[i] - l->noise[i]) / POINTS;
        bool const is_noise =
            l->close[i] > falls * l->wide[i] && least > several * DBL_EPSILON * l->terms[i];
        l->noise[i] = is_noise ? l->close[i] / (2 * POINTS) : 0;
    }
    return code;
}

/* What the error weights of y, and those of y' over a step of usual length, make of F, into close. */
static int respond(struct tansy_solver *s, const struct look *l)
{
    double const h = stride_of(s);
    bool const implicit = derive_is_implicit(&s->derive);
    for (size_t i = 0; i < s->n; i++) {
        double const weight = tolerances_allow(&s->tolerances, i, l->y[i]);
        l->at[i] = l->y[i] + share(i, 0) * weight;
        l->wide[i] = l->yp[i] + share(i, 1) * weight / h;
        l->close[i] = implicit ? 0 : weight / h; /* y' is not in f */
    }
    struct point const here = {.t = s->stepper.t, .y = l->y, .yp = l->yp};
    struct point const moved = {.t = s->stepper.t, .y = l->at, .yp = l->wide};
    int code = derive_value(&s->derive, 0, &here, l->f[0]);
    if (code == 0) code = derive_value(&s->derive, 0, &moved, l->f[1]);
    for (size_t i = 0; i < s->n; i++)
        l->close[i] = fmax(l->close[i], fabs(l->f[1][i] - l->f[0][i]));
    return code;
}

/* The equation with the most noise beside what counts; n: none. */
static size_t find(struct tansy_solver *s, const struct look *l, double width)
{
    double most = matters;
    size_t found = s->n;
    int code = measure_noise(s, l, width);
    if (code == 0) code = respond(s, l);
    for (size_t i = 0; i < s->n && code == 0; i++) {
        if (!(l->noise[i] > most * l->close[i])) continue;
        most = l->noise[i] / l->close[i];
        found = i;
    }
    return found;
}

static size_t find_any(struct tansy_solver *s)
{
    struct look const l = take_room(s);
    size_t found = s->n;
    solver_output(s, s->stepper.t, 1, l.yp, NULL);
    for (size_t i = 0; i < s->n; i++)
        if (!isfinite(l.yp[i])) l.yp[i] = 0;
    bool const is_known = measure_terms(s, &l) == 0;
    for (size_t k = 0; k < sizeof widths / sizeof *widths && is_known && found == s->n; k++)
        found = find(s, &l, widths[k]);
    return found;
}

size_t noise_stop_describe(struct tansy_solver *s, char *text, size_t size)
{
    struct name name;
    struct failure const failure = s->derive.worker[0].failure;
    size_t const row = find_any(s);
    s->derive.worker[0].failure = failure;
    if (row == s->n) return 0;
    bool const implicit = derive_is_implicit(&s->derive);
    int const length = snprintf(
        text, size,
        "%s%s is but rounding there, as 0/0 is: write such a quotient by its series, such as if "
        "abs(x) > 0.01 then (1 - cos(x))/x^2 else 1/2 - x^2/24",
        implicit ? "" : "the right-hand side of ",
        implicit ? name_equation(&s->problem, row, &name) : name_state(&s->problem, row, &name));
    return length > 0 ? (size_t)length : 0;
}
