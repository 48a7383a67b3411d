/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves 0 by nothing but roundings of f, as a meter of the heat that flows between two bodies of the same temperature,
   Q' = U T1 - U T2, has their size, and no step meets a tolerance that is a share of it.  A rounding of a term J_ij y_j of f moves component i
   by that times h in a step: its automatic tolerance is not below.  Of f that has digits it is far below others. */
#include <math.h>

#include "drive/sizes.h"
#include "drive/solver.h"

/* By so much per time, with the terms of f, or of r, at y. */
static double rate_of_roundings(const struct tansy_solver *s, const double *y, size_t i)
{
    struct matrix_row const row = matrix_row(&s->J, i);
    double largest = 0, own = 1;
    for (size_t e = 0; e < row.count; e++)
        largest = fmax(largest, fabs(row.value[e] * y[matrix_row_column(&row, e)]));
    if (derive_is_implicit(&s->derive)) {
        struct matrix_row const of_rate = matrix_row(&s->M, i);
        own = 0;
        for (size_t e = 0; e < of_rate.count; e++)
            if (matrix_row_column(&of_rate, e) == i) own = fabs(of_rate.value[e]);
    }
    double const rate = tolerances_rounding(largest) / own;
    return isfinite(rate) ? rate : 0;
}

/* J at (t, y); of an implicit problem it is at hand. */
static int evaluate(struct tansy_solver *s, double t, const double *y, const double *f)
{
    double *const value = s->stepper.state_work.d0;
    if (derive_is_implicit(&s->derive)) return 0;
    int const code = f ? 0 : derive_rhs(&s->derive, 0, t, y, value);
    if (code != 0) return code;
    return s->derive.jacobian(&s->derive, &(struct point){.t = t, .y = y, .f = f ? f : value});
}

int sizes_find_rounding(struct tansy_solver *s, double t, const double *y, const double *f,
                        double H)
{
    struct tolerances *const tol = &s->tolerances;
    bool any = false;
    for (size_t i = 0; i < s->n; i++) any = any || tol->rough[i] < 0;
    if (!any) return 0;
    int const code = s->J.kind == MATRIX_NONE ? 1 : evaluate(s, t, y, f);
    if (code > 0) s->derive.worker[0].failure.kind = FAILURE_NONE;
    for (size_t i = 0; i < s->n; i++) {
        if (!(tol->rough[i] < 0)) continue;
        tol->rough[i] = code == 0 ? rate_of_roundings(s, y, i) : 0;
        tol->rounding[i] = tol->rough[i] * H;
        tolerances_size(tol, i, tol->size[i]);
    }
    return code < 0 ? code : 0;
}

void sizes_follow_rounding(struct tansy_solver *s, double h)
{
    struct tolerances *const t = &s->tolerances;
    for (size_t i = 0; i < s->n; i++) {
        if (!(t->rough[i] > 0)) continue;
        t->rounding[i] = t->rough[i] * h;
        tolerances_size(t, i, t->size[i]);
    }
}
