/* SPDX-License-Identifier: Apache-2.0 */
/* Rates by the equations, and whether they are any good: y is moved by its tolerances, to and fro, and y' must not move by more than counts. */
#include "rates.h"

#include <math.h>
#include <stdlib.h>

void rates_open(struct rates *r, const struct study *s, const tansy_problem *problem, bool is_final)
{
    tansy_options const options = {
        .method = TANSY_DASSL,
        .sensitivities = !is_final && s->ns > 0 ? TANSY_SENSITIVITIES_AUTO : TANSY_NONE,
        .rtol = study_rtol(s),
        .atol_state = s->atol,
        .initial_tolerance = s->options.initial_tolerance};
    *r = (struct rates){.study = s,
                        .is_final = is_final,
                        .beside = tansy_create(problem, &options),
                        .moved = take(3 * s->n, sizeof(double))};
    r->other = r->moved + s->n;
    r->atol = r->other + s->n;
}

void rates_close(struct rates *r)
{
    tansy_free(r->beside);
    free(r->moved);
    *r = (struct rates){.study = NULL};
}

/* By how much y'_i may be wrong.  At the end: ten times the tolerances of a column of times, rtol and atol a unit of t, since errors of y are some
   times its tolerances, and those of all that is written are to be below 100 of them.  Elsewhere slopes are all there is instead, which
   have the errors of y divided by h. */
static double allow(const struct rates *r, const tansy_stored *at, size_t i, double h, double rate)
{
    static const double much = 10, usual = 1;
    const struct study *const s = r->study;
    double const rtol = study_rtol(s), unit = fmax(fabs(at->t), fabs(at->t - s->t0));
    double const final = much * (rtol * fabs(rate) + r->atol[i] / unit);
    double const of_slopes = usual * (rtol * fabs(at->y[i]) + r->atol[i]) / fabs(h);
    return r->is_final ? final : fmax(final, of_slopes);
}

/* Is y' about the same where y is another within its tolerances? */
static bool bear_errors(struct rates *r, tansy_solver *solver, const tansy_stored *at,
                        const double *yp)
{
    const struct study *const s = r->study;
    tansy_get_atol(solver, r->atol);
    for (size_t i = 0; i < s->n; i++) {
        double const allowed = study_rtol(s) * fabs(at->y[i]) + r->atol[i];
        r->moved[i] = at->y[i] + (i % 2 == 0 ? allowed : -allowed);
    }
    tansy_status const status =
        tansy_rates_at(r->beside, solver, at->t, r->moved, at->sens, r->other, NULL);
    tansy_stats stats;
    tansy_get_stats(solver, &stats);
    bool same = status == TANSY_OK;
    for (size_t i = 0; i < s->n && same; i++)
        same = fabs(r->other[i] - yp[i]) <= allow(r, at, i, stats.h_last, yp[i]);
    return same;
}

/* The smallest rtol for which they will do: rates of algebraic variables are first differences of the equations, those of multipliers second ones. */
static double noise(const struct study *s)
{
    static const double of_first = 1e-10, of_second = 1e-7;
    if (tansy_model_count(s->model, TANSY_MODEL_CONSTRAINTS) > 0) return of_second;
    return tansy_model_count(s->model, TANSY_MODEL_ALGEBRAIC) > 0 ? of_first : 0;
}

bool rates_find(struct rates *r, tansy_solver *solver, const tansy_stored *at, double *yp,
                double *sensp)
{
    if (study_rtol(r->study) < noise(r->study)) return false;
    return tansy_rates_at(r->beside, solver, at->t, at->y, at->sens, yp, sensp) == TANSY_OK &&
           bear_errors(r, solver, at, yp);
}
