/* SPDX-License-Identifier: Apache-2.0 */
/* See column_scale.h. */
#include "drive/column_scale.h"

#include <math.h>

/* Column k is of a parameter, which is 0 and of which nothing tells the size. */
static bool has_none(const struct tansy_solver *s, size_t k)
{
    const tansy_problem *const q = &s->problem;
    if (q->directions || s->tolerances.unscaled == 0) return false;
    int const column = q->columns ? q->columns[k] : (int)k;
    return column >= 0 && tolerances_parameter_scale(q, (size_t)column) == 0;
}

static double scale_of(const struct tansy_solver *s, const struct panel *panel, size_t k,
                       const double *yp, const struct work *w)
{
    double const T = fabs(s->consistent.run);
    double least = HUGE_VAL, largest = 0;
    for (size_t i = 0; i < s->n; i++) largest = fmax(largest, fabs(w->y[i * panel->lanes + k]));
    for (size_t i = 0; i < s->n; i++) {
        size_t const x = i * panel->lanes + k;
        double const by = largest > 0 ? fabs(w->y[x]) : T * fabs(w->r[x]);
        if (by > 0) least = fmin(least, (s->tolerances.size[i] + T * fabs(yp[i])) / by);
    }
    return least > 0 && isfinite(least) ? least : 1;
}

void column_scale_begin(struct tansy_solver *s, const struct panel *panel, const double *yp,
                        const struct work *w)
{
    bool any = false;
    for (size_t k = 0; k < panel->columns && !s->started && s->consistent.run != 0; k++) {
        if (!has_none(s, panel->first + k)) continue;
        s->tolerances.scale[panel->first + k] = scale_of(s, panel, k, yp, w);
        any = true;
    }
    if (any) tolerances_panels(&s->tolerances, &s->options, s->shape, s->stepper.panels);
}
