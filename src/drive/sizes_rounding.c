/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves 0 by nothing but roundings of f, as a meter of the heat that flows between two bodies of the same temperature,
   Q' = U T1 - U T2, has their size, and no step meets a tolerance that is a share of it.  What y_j is not known by moves component i
   by |J_ij| times that and h in a step: where it is more than the tolerance of f_i itself, its automatic tolerance is not below.  So it is of what
   such a component drives, R' = Q; what is stiff forgets it in 1/|J_ii|.  What J does not show, the 1 of cosh(x) - 1, is not seen. */
#include <math.h>

#include "drive/algebraic_zero.h"
#include "drive/sizes.h"
#include "drive/solver.h"

/* How exact y_j is: by its own digits, what roundings make of it, and those of the equation that knows it, if it is algebraic. */
static double doubt(const struct tansy_solver *s, const double *y, size_t j, const double *known)
{
    double const own = fmax(tolerances_rounding(fabs(y[j])), s->tolerances.rounding[j]);
    return known && s->consistent.kind[j] != TANSY_DIFFERENTIAL ? fmax(own, known[j]) : own;
}

/* By so much, per time, the doubts about all components move component i, and how fast it forgets. */
struct drift {
    double rate, decay;
};

static struct drift drift_of(const struct tansy_solver *s, const double *y, size_t i,
                             const double *known)
{
    struct matrix_row const row = matrix_row(&s->J, i);
    double largest = 0, own = 0, unit = known ? 0 : 1;
    for (size_t e = 0; e < row.count; e++) {
        size_t const j = matrix_row_column(&row, e);
        double const size = fabs(row.value[e]);
        if (j == i) own = size;
        largest = fmax(largest,
                       size * (j == i ? tolerances_rounding(fabs(y[i])) : doubt(s, y, j, known)));
    }
    struct matrix_row const of_rate = matrix_row(known ? &s->M : &s->J, i);
    for (size_t e = 0; e < of_rate.count && known; e++)
        if (matrix_row_column(&of_rate, e) == i) unit = fabs(of_rate.value[e]);
    bool const is_known = isfinite(largest / unit) && isfinite(own / unit);
    return is_known ? (struct drift){largest / unit, own / unit} : (struct drift){0, 0};
}

/* In a step of this length; what is stiff has it from the last 1/|J_ii| alone. */
static double in_step(struct drift d, double h)
{
    return d.rate * h / fmax(1, d.decay * h);
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

/* Of those that are rough: from the digits of others, then from what these pass on. */
static void find_all(struct tansy_solver *s, const double *y, const double *known, double h)
{
    enum { SWEEPS = 3 };
    struct tolerances *const t = &s->tolerances;
    for (size_t i = 0; i < s->n; i++) t->rounding[i] = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 0; i < s->n; i++)
            if (t->rough[i] != 0) t->rounding[i] = in_step(drift_of(s, y, i, known), h);
}

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
    if (code == 0) find_all(s, y, known, H);
    for (size_t i = 0; i < s->n; i++) {
        if (!(tol->rough[i] < 0)) continue;
        double const least = tol->rtol[i] * fabs(code == 0 ? rate[i] : 0);
        tol->rough[i] = code == 0 && drift_of(s, y, i, known).rate > least ? 1 : 0;
        if (tol->rough[i] == 0) tol->rounding[i] = 0;
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
    find_all(s, y, find_known(s, y), h);
    for (size_t i = 0; i < s->n; i++)
        if (t->rough[i] > 0) tolerances_size(t, i, t->size[i]);
}
