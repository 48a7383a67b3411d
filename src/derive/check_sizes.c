/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of y that increments and directions of the check are relative to: max(|y_j|, level_j) with level = atol/rtol; and when that calls something
   wrong, once more with min(level_j, max_i |y_i|).  A level far above all of y says nothing of the distance over which f bends: all of the
   increments h, 2h and 4h may be beyond it, and agree in what is no derivative. */
#include <math.h>

#include "derive/check.h"
#include "derive/line.h"

enum { POINTS = 4 }; /* of one-sided formulas */

double check_size(const struct check *c, size_t j, double y)
{
    if (c->alone && y != 0) return fabs(y);
    double const size = fmax(fabs(y), fmin(derive_level(c->d, j), c->most));
    return size > 0 ? size : 1; /* as in size_of_state */
}

double check_increment(const struct check *c, size_t j, double y)
{
    return increment_exact(y, copysign(c->Delta * check_size(c, j, y), y));
}

double check_largest(const struct check *c)
{
    double largest = 0;
    for (size_t i = 0; i < c->d->n; i++) largest = fmax(largest, fabs(c->y[i]));
    return largest > 0 ? largest : 1;
}

bool check_goes_far(const struct check *c, double most)
{
    for (size_t i = 0; i < c->d->n; i++)
        if (fmin(derive_level(c->d, i), c->most) > most) return true;
    return false;
}

double check_unit(const struct check *c)
{
    return c->span != 0 ? fabs(c->span) : c->t != 0 ? fabs(c->t) : 1;
}

bool check_along_time(const struct check *c, struct line *line)
{
    line->t_step = increment_of_time(c->t, c->span / CHECK_LARGEST, CHECK_LARGEST * c->Delta);
    line->only = c->span != 0;
    line->first = line->only ? 1 : 0;
    return line->t_step != 0;
}

double check_scramble(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    double const size = 0.5 + (double)(*state >> 9) * 0x1p-24;
    return *state & UINT32_C(0x80) ? size : -size;
}

/* Such a number of the size of x, with the sign of x where steps along it may pass 0 (+ at 0 itself): f may end there, and one-sided differences then find a
   side that all of y and p stay on. */
static double along(const struct check *c, uint32_t *state, double x, double size)
{
    double const by = check_scramble(state) * size;
    if (fabs(x) > POINTS * CHECK_LARGEST * c->Delta * size) return by;
    return x < 0 ? -fabs(by) : fabs(by);
}

double check_along_state(const struct check *c, uint32_t *state, size_t i)
{
    return along(c, state, c->y[i], check_size(c, i, c->y[i]));
}

double check_along_parameter(const struct check *c, uint32_t *state, size_t k)
{
    const struct derive *const d = c->d;
    return d->touched[k] ? along(c, state, d->p[k], d->scale[k]) : 0;
}
