/* SPDX-License-Identifier: Apache-2.0 */
/* --verify by differences of whole runs, at tolerances that are 10^4 times smaller. */
#include "verify_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 3 };

/* Of the runs that are subtracted. */
static double difference_rtol(const struct study *s)
{
    return fmax(study_rtol(s) / 1e4, 1e-13);
}

static int keep_row(void *to, const struct row *row)
{
    series_add(to, row);
    return DONE;
}

/* Four runs with a parameter, or initial value, moved by -2d, -d, d, 2d at tolerance rtol; count: the times all have reached. */
struct difference {
    struct series moved[4];
    double d, rtol, scale;
    size_t count;
};

/* The states with column k's parameter, or initial value, moved by `by`, as far as the run goes. */
static void run_moved(const struct study *s, const struct series *series, size_t k, double by,
                      struct series *moved)
{
    struct study w = verify_shadow(s, series, 1e4);
    w.ns = 0;
    w.problem.ns = 0;
    w.problem.columns = NULL;
    w.options.sensitivities = TANSY_NONE;
    double *const y0 = take(s->n, sizeof *y0);
    memcpy(y0, s->y0, s->n * sizeof *y0);
    if (s->columns[k] < 0) {
        y0[-1 - s->columns[k]] += by;
        w.problem.initial = NULL;
        w.problem.initial_jacobian = NULL;
        w.problem.y0 = y0;
    } else {
        w.p[s->columns[k]] += by;
    }
    struct outcome outcome;
    series_make(moved, &w);
    run_study(&w, keep_row, moved, &outcome);
    outcome_free(&outcome);
    verify_shadow_free(&w);
    free(y0);
}

/* What runs at -2d, -d, d, 2d say of s_i at time j: the central difference of order 4.  Its doubt is the distance of the two of
   order 2: it holds what the formula leaves, and the noise of the runs. */
static double difference(const struct series moved[4], double d, size_t j, size_t i, double *doubt)
{
    double const near = (series_x(&moved[2], j, i) - series_x(&moved[1], j, i)) / (2 * d);
    double const far = (series_x(&moved[3], j, i) - series_x(&moved[0], j, i)) / (4 * d);
    *doubt = fabs(near - far);
    return near + (near - far) / 3;
}

/* The noise of the runs in a difference, relative: their errors, ten times their tolerance as a rule, over d. */
static double noise_of(const struct difference *of)
{
    return 10 * of->rtol * of->scale / of->d;
}

/* The largest relative doubt around time j: the distance of two formulas also vanishes where it changes sign.  The noise is
   relative to y_i, so that it weighs more where s_i is small. */
static double doubt_near(const struct difference *of, size_t j, size_t i, double floor)
{
    double worst = 0;
    for (size_t m = j > 0 ? j - 1 : 0; m <= j + 1 && m < of->count; m++) {
        double doubt;
        double const size = fabs(difference(of->moved, of->d, m, i, &doubt)) * of->scale + floor;
        double const noise = noise_of(of) * (fabs(series_x(&of->moved[1], m, i)) + floor);
        double const e = verify_relative(doubt * of->scale + noise, size);
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

/* Where the doubt exceeds the promise, as it does while some of the runs are on the other side of a switch, the difference
   tells nothing. */
static void measure(const struct series *series, size_t k, const struct difference *of,
                    struct verification *v)
{
    v->doubt[k] = noise_of(of);
    v->until[k] = series->t[of->count - 1];
    for (size_t i = 0; i < v->nx; i++) {
        if (verify_untested(v->control[i])) continue;
        for (size_t j = 0; j < of->count; j++) {
            double const doubt = doubt_near(of, j, i, v->floor[i]);
            if (!(doubt <= v->promise + 2 * noise_of(of))) continue;
            double unused;
            double const right = difference(of->moved, of->d, j, i, &unused);
            double const error = fabs(series_sens(series, j, k, i) - right) * of->scale;
            double const e = verify_relative(error, fabs(right) * of->scale + v->floor[i]);
            v->by_difference[k] = fmax(v->by_difference[k], e); /* NaN goes */
            v->doubt[k] = fmax(v->doubt[k], doubt);
        }
    }
}

/* One column by increments d; runs that stop early tell as far as they go. */
static void difference_by(const struct study *s, const struct series *series, size_t k, double d,
                          struct verification *v)
{
    static const double steps[] = {-2, -1, 1, 2};
    struct difference of = {
        .rtol = difference_rtol(s), .scale = s->scale[k], .d = d, .count = series->count};
    for (int j = 0; j < 4; j++) {
        run_moved(s, series, k, steps[j] * of.d, &of.moved[j]);
        if (of.moved[j].count < of.count) of.count = of.moved[j].count;
    }
    if (of.count > 1) measure(series, k, &of, v);
    for (int j = 0; j < 4; j++) series_free(&of.moved[j]);
}

/* Truncation d^4 and the runs' error rtol/d balance near rtol^(1/5); a little less is safer where f bends.  Where a condition
   bends it within d, as one on a state that moves far less than its own size does, all the formulas may err alike: a column that
   seems wrong is looked at again with smaller increments, on which wrong columns fail too. */
static void difference_column(const struct study *s, const struct series *series, size_t k,
                              struct verification *v)
{
    double const largest = pow(difference_rtol(s), 0.25) * s->scale[k];
    for (int look = 0; look < LOOKS && !run_interrupted(); look++) {
        v->by_difference[k] = (double)NAN;
        difference_by(s, series, k, largest * pow(10, -look), v);
        if (verify_column_passed(v, k)) return;
    }
}

void verify_by_differences(const struct study *s, const struct series *series,
                           struct verification *v)
{
    for (size_t k = 0; k < s->ns && !run_interrupted(); k++) difference_column(s, series, k, v);
}
