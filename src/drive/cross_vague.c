/* SPDX-License-Identifier: Apache-2.0 */
/* How well the rate of a condition is known on a component that has become small.  Of x' = -k x, x < c, errors of x as large as atol move the switching time by atol/|r|, r = g_t + g_y y',
   and along the solution the rate changes by r' times that: dT/dp = -(g_y s + g_p)/r is known to
     |dr/r| = (sum |dg/dy_i| atol_i) |r'| / r^2
   which for c = 10 atol is a tenth, whatever rtol is.  r' is seen over half a step of the dense output.  Errors of Runge-Kutta and Rosenbrock methods in components that fade stay far below atol. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

static const double behind = 0.5; /* of a step: there the rate is compared */
static const double seen = 1e-3;  /* of it: by less it does not change */
static const double tiny = 1e-3;  /* of the longest step of late: over less, slopes are noise */
static const double faded = 3e-3; /* of atol: 1.4e-3 at most in tests/oracle/switch_small.c */

/* The rate of g_j at t on the dense output; NaN: it has none. */
static double rate_at(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    memcpy(e->y_near, s->y0, s->n * sizeof *s->y0);
    solver_output(s, t, 0, s->y0, NULL);
    solver_output(s, t, 1, e->f_near, NULL);
    int code = derive_switch(&s->derive, 0, t, s->y0, e->g_near);
    if (code == 0) code = events_rates(s, t, e->f_near, e->g_near, e->rate_after);
    memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
    return events_is_known(e, code) ? e->rate_after[j] : (double)NAN;
}

double events_vagueness(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double const h = s->stats.h_last, rate = e->rate[j];
    bool const fades = s->stepper.method->tableau || s->stepper.method->matrices;
    double const change = rate - rate_at(s, t - behind * h, j);
    if (!(fabs(change) > seen * fabs(rate)) || fabs(h) < tiny * e->pace) return 0;
    double const atol = (fades ? faded : 1) * events_atol_of(s, t, j);
    double const share = atol / fabs(rate) * fabs(change / (behind * h * rate));
    return isfinite(share) ? fmin(share, 1) : 0;
}
