/* SPDX-License-Identifier: Apache-2.0 */
/* See algebraic_zero.h.  The promise, 100 rtol of 1e-3 |z| and more, is not touched while terms are no larger than 5e10 rtol |z|. */
#include "drive/algebraic_zero.h"

#include <float.h>
#include <math.h>

static const double roundings = 100;

/* The largest term of equation i, in units of component i: models have equation i for component i.  Else |y_i|. */
static double largest_term(const struct tansy_solver *s, const double *y, size_t i)
{
    const struct matrix *const J = &s->J;
    if (J->kind == MATRIX_NONE) return fabs(y[i]);
    struct matrix_row const row = matrix_row(J, i);
    double own = 0, largest = 0;
    for (size_t e = 0; e < row.count; e++) {
        size_t const j = matrix_row_column(&row, e);
        if (j == i) own = fabs(row.value[e]);
        largest = fmax(largest, fabs(row.value[e] * y[j]));
    }
    return own > 0 && isfinite(largest / own) ? largest / own : fabs(y[i]);
}

void algebraic_zero_follow(struct tansy_solver *s)
{
    const struct consistent *const c = &s->consistent;
    const double *const y = s->stepper.state_work.y;
    if (s->ns == 0 || c->algebraic == 0) return;
    for (size_t i = 0; i < s->n; i++)
        if (c->kind[i] != TANSY_DIFFERENTIAL)
            s->tolerances.zero[i] = fmax(tolerances_zero(&s->tolerances, i),
                                         roundings * DBL_EPSILON * largest_term(s, y, i));
}
