/* SPDX-License-Identifier: Apache-2.0 */
/* Adaptive increments after Maly and Petzold 1996, section 2.2, corrected: their norm of
   v_j = |y_j|/|s_j| is ruled by the least sensitive component, so that one small s_j makes the increment far
   too large.  Here the most sensitive one rules, so that no y_j moves by more than Delta of its size:
     delta = Delta min(scale of p, 1/max_j(|s_j|/(|y_j| + level_j))),
     level_j = min(atol_j/rtol_j, atol_j max(K/Delta, max_i |y_i|/atol_i)).
   The maximum, not the root mean square, which lets one component among n move sqrt(n) times further. */
#include <float.h>
#include <math.h>

#include "derive/line.h"

double increment_exact(double x, double h)
{
    volatile double const moved = x + h; /* rounded to double, whatever the compiler keeps */
    return moved - x;
}

double size_of_state(const struct derive *d, size_t j, double y)
{
    double const size = fmax(fabs(y), derive_level(d, j));
    return size > 0 ? size : 1; /* nothing is known of y_j: purely relative tolerance and y_j = 0 */
}

/* A scale far below |x|, or a tiny increment of the user's, must not give one that is lost in x. */
static const double least_share = 16 * DBL_EPSILON;

static double increment_at(double x, double h)
{
    return fmax(h, least_share * fabs(x));
}

double increment_of_state(const struct derive *d, size_t j, double y, double Delta)
{
    return increment_exact(y, copysign(increment_at(y, Delta * size_of_state(d, j, y)), y));
}

double increment_of_rate(const struct derive *d, size_t j, double yp, double Delta)
{
    return increment_exact(yp, copysign(increment_at(yp, Delta * size_of_rate(d, j, yp)), yp));
}

double increment_of_time(double t, double span, double Delta)
{
    double const size = span != 0 ? span : t != 0 ? t : 1;
    double const least = 1024 * DBL_EPSILON * fabs(t); /* or t could not tell the points apart */
    double const most = span != 0 ? 0.25 * fabs(span) : HUGE_VAL;
    double const wanted = fmin(fmax(Delta * fabs(size), least), most);
    double const exact = increment_exact(4 * t, wanted);
    return copysign(exact > most ? increment_exact(4 * t, 0.5 * wanted) : exact, size);
}

/* K: where atol/rtol is far above all of y it says nothing of the distance over which f bends.  An error of atol does not matter
   to the user, so f hardly bends over K times that: with a size L of y_j the fourth-order formula is wrong by 4 (K atol/L)^4,
   below atol/L as long as atol < 5e-4 L.  Not as long as other components are larger, in units of atol: increments that small
   at y_j = 0 gave Robertson's problem twenty times the noise. */
static const double much = 200;

double level_of_state(const struct derive *d, size_t j, double share, double Delta)
{
    double const factor = much / Delta > share ? much / Delta : share, most = d->atol[j] * factor,
                 level = derive_level(d, j);
    return level > 0 ? (level < most ? level : most) : 0;
}

double largest_share(const struct derive *d, const double *y)
{
    double largest = 0;
    for (size_t i = 0; i < d->n; i++) {
        double const share = fabs(y[i]) / d->atol[i];
        largest = share > largest ? share : largest;
    }
    return largest;
}

void reciprocal_sizes(const struct derive *d, size_t first, size_t count, const double *y,
                      double share, double Delta, double *reciprocal)
{
    for (size_t i = 0; i < count; i++) {
        double const size = fabs(y[first + i]) + level_of_state(d, first + i, share, Delta);
        reciprocal[i] = 1 / (size > 0 ? size : 1);
    }
}

double increment_beside(const struct derive *d, size_t j, double y, double share, double Delta)
{
    double const size = fmax(fabs(y), level_of_state(d, j, share, Delta));
    return increment_exact(y, copysign(increment_at(y, Delta * (size > 0 ? size : 1)), y));
}

double increment_of_parameter(const struct derive *d, size_t k, double Delta)
{
    double const p = d->p[k];
    return increment_exact(p, copysign(increment_at(p, Delta * d->scale[k]), p));
}

double increment_of_direction(const struct derive *d, size_t k, double Delta)
{
    size_t const start = d->direction_start[k], end = d->direction_start[k + 1];
    double smallest = HUGE_VAL;
    for (size_t e = start; e < end; e++) {
        size_t const j = d->direction_row[e];
        double const h = increment_at(d->p[j], Delta * d->scale[j]);
        smallest = fmin(smallest, h / fabs(d->direction_value[e]));
    }
    return isinf(smallest) ? 0 : increment_in_direction(d, k, smallest);
}

double increment_in_direction(const struct derive *d, size_t k, double delta)
{
    size_t const start = d->direction_start[k];
    if (d->direction_start[k + 1] != start + 1) return delta;
    double const u = d->direction_value[start];
    return increment_exact(d->p[d->direction_row[start]], delta * u) / u;
}

double increment_along(const struct derive *d, const double *y, size_t ld, const double *s,
                       double Delta)
{
    double const share = largest_share(d, y);
    double largest = 0;
    for (size_t j = 0; j < d->n; j++) {
        double const size = fabs(y[j]) + level_of_state(d, j, share, Delta);
        largest = fmax(largest, fabs(s[j * ld]) / (size > 0 ? size : 1));
    }
    double const delta = fmax(Delta, least_share) / largest;
    return isinf(delta) ? 0 : delta;
}

double increment_along_rates(const struct derive *d, const double *yp, size_t ld, const double *sp,
                             double Delta)
{
    double largest = 0;
    for (size_t j = 0; j < d->n; j++)
        if (sp[j * ld] != 0) largest = fmax(largest, fabs(sp[j * ld]) / size_of_rate(d, j, yp[j]));
    double const delta = fmax(Delta, least_share) / largest;
    return isinf(delta) ? 0 : delta;
}
