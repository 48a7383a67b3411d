/* SPDX-License-Identifier: Apache-2.0 */
/* f that is known to fewer digits than double has (computed in single precision, by an iteration, from a table): differences whose
   increments are made for the last digit of double are noise then, or zero.  Where a run begins the noise of f is measured by
   its eighth difference along y (noise.c), relative to F, what f moves by when y moves by itself:
     nu = max_i |D_i|/sqrt(12870)/F_i,  F_i = max(|f_i|, |f_i(1) - f_i(0)|/Delta).
   In the model of line.c the best increments are then nu^(1/2), nu^(1/3), nu^(1/5), with errors of about 3 nu^(1/2), 2 nu^(2/3), 5 nu^(4/5). */
#include <float.h>
#include <math.h>

#include "derive/line.h"
#include "derive/providers.h"

/* Relative increment of the look: f a thousand times steeper than y is still smooth over eight of them. */
static const double apart = 1e-5;

/* Below this nothing is changed: terms of ordinary functions cancel to so few digits; above the other f has no digits. */
static const double fine = 1e-12, coarse = 1e-3;

/* The share of the tolerance that derivatives for S may be wrong by; see line.c. */
static const double share = 1.0 / 30;

bool derive_needs_differences(const struct derive *d)
{
    bool const product =
        d->tangent_source == SOURCE_MATRIX &&
        (d->jacobian_source == SOURCE_DIFFERENCES || d->parameter_source == SOURCE_DIFFERENCES);
    return d->ns > 0 && (product || d->tangent_source == SOURCE_DIFFERENCES);
}

static bool matters(const struct derive *d)
{
    bool const own = d->increment != formula_of(d->difference)->increment; /* the user's */
    return derive_needs_differences(d) && !d->is_internal && !own && !d->knows_noise;
}

double derive_difference_error(tansy_difference formula, double noise)
{
    switch (formula) {
    case TANSY_FORWARD:
        return 3 * sqrt(noise);
    case TANSY_CENTRAL:
        return 2 * pow(noise, 2.0 / 3);
    default:
        return 5 * pow(noise, 0.8);
    }
}

static double best_increment(tansy_difference formula, double noise)
{
    return pow(noise, formula == TANSY_FORWARD ? 0.5 : formula == TANSY_CENTRAL ? 1.0 / 3 : 0.2);
}

/* nu, with F in room[n]. */
static int measure(struct derive *d, const struct point *at, double *room, double *noise)
{
    static const double deviation = 0.008814762886969454; /* 1/sqrt(12870) */
    struct derive_worker *const w = &d->worker[0];
    struct line line = line_of_values(d, at);
    double const least = largest_share(d, at->y);
    for (size_t j = 0; j < d->n; j++) /* not all by the same share */
        w->step[j] = increment_beside(d, j, at->y[j], least, apart * (1 + 0.1 * (double)(j % 7)));
    line.step = w->step;
    line.difference = TANSY_FORWARD;
    int code = line_difference(d, 0, &line, w->f);
    for (size_t i = 0; i < d->n && code == 0; i++)
        room[i] = fmax(fabs(at->f[i]), fabs(w->f[i]) / apart);
    line.difference = (tansy_difference)LINE_EIGHTH_DIFFERENCE;
    if (code == 0) code = line_difference(d, 0, &line, w->f);
    for (size_t i = 0; i < d->n && code == 0; i++)
        if (room[i] > 0) *noise = fmax(*noise, deviation * fabs(w->f[i]) / room[i]);
    return code;
}

/* A formula and increments for the noise there is, in place of the plain ones, which are kept. */
static void widen(struct derive *d)
{
    d->plain_difference = d->difference;
    d->plain_increment = d->increment;
    while (d->difference < TANSY_FOURTH_ORDER &&
           derive_difference_error(d->difference, d->noise) > share * d->y0_tolerance)
        d->difference++;
    d->increment =
        fmax(formula_of(d->difference)->increment, best_increment(d->difference, d->noise));
}

void derive_renew_noise(struct derive *d)
{
    if (d->noise > 0) widen(d);
}

void derive_forget_noise(struct derive *d)
{
    if (d->noise > 0) {
        d->difference = d->plain_difference;
        d->increment = d->plain_increment;
    }
    d->noise = 0;
    d->knows_noise = false;
}

int derive_find_noise(struct derive *d, const struct point *at, double *room)
{
    double noise = 0;
    if (!matters(d)) return 0;
    int const code = measure(d, at, room, &noise);
    if (code != 0) return code < 0 ? code : 0; /* not measured where f cannot be evaluated */
    d->knows_noise = true;
    if (!(noise > fine)) return 0;
    d->noise = fmin(noise, coarse);
    widen(d);
    return 0;
}
