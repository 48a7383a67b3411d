/* SPDX-License-Identifier: Apache-2.0 */
/* y'' at the end of a run from values of y' in the last step: the derivative of the polynomial through POINTS of them. */
#include "final_time.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 5, TIGHTER = 1000 };
static const double tightest = 2e-13; /* rtol: below, rounding errors stop a run */
static const double window = 0.2;     /* of the step: the points lie in it */
static const double inside = 0.999;   /* of it: its beginning is known to a rounding error */

/* weight[POINTS] with sum_j weight[j] f(x_j) = f'(t) of polynomials of degree POINTS - 1: the derivative of Lagrange's, whose
   l_j' = sum_(m != j) 1/(x_j - x_m) prod_(i != j, m) (t - x_i)/(x_j - x_i). */
static void find_weights(const double *x, double t, double *weight)
{
    for (int j = 0; j < POINTS; j++) {
        weight[j] = 0;
        for (int m = 0; m < POINTS; m++) {
            if (m == j) continue;
            double product = 1 / (x[j] - x[m]);
            for (int i = 0; i < POINTS; i++)
                if (i != j && i != m) product *= (t - x[i]) / (x[j] - x[i]);
            weight[j] += product;
        }
    }
}

/* Steps until the last one holds t, or ends just before it: behind a switching point at t everything is different. */
static tansy_status step_to(const struct study *s, tansy_solver *solver, double t)
{
    double const direction = t < s->t0 ? -1 : 1,
                 rounding = 64 * DBL_EPSILON * fmax(fabs(t), fabs(s->t0));
    tansy_status status = TANSY_OK;
    while (status == TANSY_OK && direction * (t - tansy_time(solver)) > rounding)
        status = tansy_step(solver, t, NULL, NULL);
    return status;
}

/* y' and y'' at t, or where the last step ends before it, in the solver's last step. */
static tansy_status differentiate(const struct study *s, tansy_solver *solver, double t, double *yp,
                                  double *ypp)
{
    tansy_stats stats;
    tansy_get_stats(solver, &stats);
    double const end = tansy_time(solver), start = end - inside * stats.h_last;
    if (stats.h_last * (t - end) > 0) t = end;
    double const low = fmin(start, end), high = fmax(start, end), width = window * (high - low);
    double const from = fmax(low, fmin(t - width / 2, high - width));
    double x[POINTS], weight[POINTS];
    for (int j = 0; j < POINTS; j++) x[j] = fmin(from + width * j / (POINTS - 1), high);
    find_weights(x, t, weight);
    tansy_status status = TANSY_OK;
    for (size_t i = 0; i < s->n; i++) ypp[i] = 0;
    for (int j = 0; j < POINTS && status == TANSY_OK; j++) {
        status = tansy_at(solver, x[j], NULL, yp, NULL, NULL);
        for (size_t i = 0; i < s->n; i++) ypp[i] += weight[j] * yp[i];
    }
    return status == TANSY_OK ? tansy_at(solver, t, NULL, yp, NULL, NULL) : status;
}

bool final_is_tighter(const struct study *s)
{
    return study_rtol(s) >= TIGHTER * tightest;
}

bool final_rates(const struct study *s, const tansy_problem *problem, tansy_solver *solver,
                 double t, double *yp, double *ypp)
{
    tansy_problem alone = *problem;
    alone.ns = 0;
    alone.columns = NULL;
    /* of two runs with different tolerances --verify sees the difference, so that these differ too */
    double const rtol =
        fmax(study_rtol(s) / TIGHTER, fmin(fmax(study_rtol(s) / 10, 5e-14), tightest));
    double *const atol = take(s->n, sizeof *atol);
    for (size_t i = 0; i < s->n; i++) atol[i] = study_atol_at(s, i, rtol);
    tansy_options const options = {.method = TANSY_DASSL,
                                   .sensitivities = TANSY_NONE,
                                   .rtol = rtol,
                                   .atol_state = atol,
                                   .max_step = s->options.max_step,
                                   .initial_tolerance = study_start_at(s, rtol),
                                   .keep_initial = s->options.keep_initial,
                                   .max_steps = 10000000};
    tansy_solver *const again = tansy_create(&alone, &options);
    bool const good =
        step_to(s, again, t) == TANSY_OK && differentiate(s, again, t, yp, ypp) == TANSY_OK;
    if (!good && differentiate(s, solver, t, yp, ypp) != TANSY_OK) {
        (void)tansy_at(solver, t, NULL, yp, NULL, NULL);
        for (size_t i = 0; i < s->n; i++) ypp[i] = 0;
    }
    tansy_free(again);
    free(atol);
    return good;
}
