/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves 0 by nothing but roundings of f, as a meter of the heat that flows between two bodies of the same temperature,
   Q' = U T1 - U T2, has their size, and no step meets a tolerance that is a share of it.  What y_j is not known by moves component i
   by |J_ij| times that and h in a step: where it is more than the tolerance of f_i itself, its automatic tolerance is not below.  So it is of what
   such a component drives, R' = Q.  What J does not show, the 1 of cosh(x) - 1, is not seen. */
#include <math.h>

#include "drive/algebraic_zero.h"
#include "drive/sizes.h"
#include "drive/solver.h"

/* How exact y_j is: by its own digits, what roundings have made of it, and those of the equation that knows it, if it is algebraic. */
static double doubt(const struct tansy_solver *s, const double *y, size_t j, const double *known)
{
    double const own = fmax(tolerances_rounding(fabs(y[j])), s->tolerances.rounding[j]);
    return known && s->consistent.kind[j] != TANSY_DIFFERENTIAL ? fmax(own, known[j]) : own;
}

/* By so much per time that moves component i. */
static double rate_of_roundings(const struct tansy_solver *s, const double *y, size_t i,
                                const double *known)
{
    struct matrix_row const row = matrix_row(&s->J, i);
    double largest = 0, own = 1;
    for (size_t e = 0; e < row.count; e++)
        largest =
            fmax(largest, fabs(row.value[e]) * doubt(s, y, matrix_row_column(&row, e), known));
    if (known) {
        struct matrix_row const of_rate = matrix_row(&s->M, i);
        own = 0;
        for (size_t e = 0; e < of_rate.count; e++)
            if (matrix_row_column(&of_rate, e) == i) own = fabs(of_rate.value[e]);
    }
    return isfinite(largest / own) ? largest / own : 0;
}

/* Roundings of algebraic variables; NULL: there are none. */
static const double *find_known(struct tansy_solver *s, const double *y)
{
    if (!derive_is_implicit(&s->derive)) return NULL;
    algebraic_zero_roundings(s, y, s->tolerances.room);
    return s->tolerances.room;
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

/* One may pass them on to another that has none yet. */
enum { SWEEPS = 3 };

int sizes_find_rounding(struct tansy_solver *s, double t, const double *y, const double *rate,
                        double H)
{
    struct tolerances *const tol = &s->tolerances;
    bool any = false;
    for (size_t i = 0; i < s->n; i++) any = any || tol->rough[i] < 0;
    if (!any) return 0;
    int const code = s->J.kind == MATRIX_NONE ? 1 : evaluate(s, t, y, &rate);
    if (code > 0) s->derive.worker[0].failure.kind = FAILURE_NONE;
    const double *const known = code == 0 ? find_known(s, y) : NULL;
    for (int sweep = 0; sweep < SWEEPS && code == 0; sweep++)
        for (size_t i = 0; i < s->n; i++) {
            if (!(tol->rough[i] < 0)) continue;
            double const rough = rate_of_roundings(s, y, i, known);
            if (rough > tol->rtol[i] * fabs(rate[i])) tol->rounding[i] = rough * H;
        }
    for (size_t i = 0; i < s->n; i++) {
        if (!(tol->rough[i] < 0)) continue;
        tol->rough[i] = H > 0 ? tol->rounding[i] / H : 0;
        tolerances_size(tol, i, tol->size[i]);
    }
    return code < 0 ? code : 0;
}

void sizes_follow_rounding(struct tansy_solver *s, const double *y, double h)
{
    struct tolerances *const t = &s->tolerances;
    bool any = false;
    for (size_t i = 0; i < s->n; i++) any = any || t->rough[i] > 0;
    if (!any) return;
    const double *const known = find_known(s, y);
    for (size_t i = 0; i < s->n; i++) {
        if (!(t->rough[i] > 0)) continue;
        t->rough[i] = fmax(rate_of_roundings(s, y, i, known), t->rough[i]);
        t->rounding[i] = t->rough[i] * h;
        tolerances_size(t, i, t->size[i]);
    }
}
