/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves 0 by nothing but roundings of f, as a meter of the heat that flows between two bodies of the same temperature,
   Q' = U T1 - U T2, has their size, and no step meets a tolerance that is a share of it.  A rounding of a term J_ij y_j of f moves component i
   by that times h in a step: where that is more than the tolerance of f_i itself, its automatic tolerance is not below. */
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

/* J at (t, y), and the rate there where it is not known; of an implicit problem J is at hand. */
static int evaluate(struct tansy_solver *s, double t, const double *y, const double **rate)
{
    double *const f = s->stepper.state_work.d0;
    if (derive_is_implicit(&s->derive)) return 0;
    int const code = *rate ? 0 : derive_rhs(&s->derive, 0, t, y, f);
    if (!*rate) *rate = f;
    if (code != 0) return code;
    return s->derive.jacobian(&s->derive, &(struct point){.t = t, .y = y, .f = *rate});
}

int sizes_find_rounding(struct tansy_solver *s, double t, const double *y, const double *rate,
                        double H)
{
    struct tolerances *const tol = &s->tolerances;
    bool any = false;
    for (size_t i = 0; i < s->n; i++) any = any || tol->rough[i] < 0;
    if (!any) return 0;
    bool const known = s->J.kind != MATRIX_NONE && (rate || !derive_is_implicit(&s->derive));
    int const code = known ? evaluate(s, t, y, &rate) : 1;
    if (code > 0) s->derive.worker[0].failure.kind = FAILURE_NONE;
    for (size_t i = 0; i < s->n; i++) {
        if (!(tol->rough[i] < 0)) continue;
        double const rough = code == 0 ? rate_of_roundings(s, y, i) : 0;
        tol->rough[i] = code == 0 && rough > tol->rtol[i] * fabs(rate[i]) ? rough : 0;
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
