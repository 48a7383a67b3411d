/* SPDX-License-Identifier: Apache-2.0 */
/* See algebraic_zero.h.  The promise, 100 rtol of 1e-3 |z| and more, is not touched while terms are no larger than 5e10 rtol |z|. */
#include "drive/algebraic_zero.h"

#include <math.h>

#include "derive/line.h"

/* The largest term of equation i, in units of component i: models have equation i for component i.
   Of an algebraic component it is among J_ij y_j; of another among M_ij y_j, as corrections of y' are
   solved for where M is coupled.  Else |y_i|. */
static double largest_term(const struct tansy_solver *s, const double *y, size_t i)
{
    bool const algebraic = s->consistent.kind[i] != TANSY_DIFFERENTIAL;
    const struct matrix *const A = algebraic ? &s->J : &s->M;
    if (A->kind == MATRIX_NONE) return fabs(y[i]);
    struct matrix_row const row = matrix_row(A, i);
    double own = 0, largest = 0;
    for (size_t e = 0; e < row.count; e++) {
        size_t const j = matrix_row_column(&row, e);
        if (j == i) own = fabs(row.value[e]);
        largest = fmax(largest, fabs(row.value[e] * y[j]));
    }
    return own > 0 && isfinite(largest / own) ? largest / own : fabs(y[i]);
}

double algebraic_zero_rounding(const struct tansy_solver *s, const double *y, size_t i)
{
    return derive_is_implicit(&s->derive) ? tolerances_rounding(largest_term(s, y, i)) : 0;
}

/* Differences know derivatives to their reach: columns have no digits below that share of their terms.  An atol that is
   given is literal; where differences cannot meet it, the run stops and says so. */
static double column_rounding(const struct tansy_solver *s, size_t i, double term)
{
    const struct derive *const d = &s->derive;
    bool const unknown = s->tolerances.follows[i] && derive_needs_differences(d);
    return fmax(unknown ? formula_of(d->difference)->reach * term : 0, tolerances_rounding(term));
}

bool algebraic_zero_counts(const struct tansy_solver *s, size_t *worst, double *share)
{
    static const double promise =
        100; /* times rtol of what is not negligible beside y_i, where S is small */
    const struct tolerances *const t = &s->tolerances;
    bool const any = derive_is_implicit(&s->derive) && derive_needs_differences(&s->derive);
    *share = 0;
    for (size_t i = 0; i < s->n && any && s->ns > 0; i++) {
        double const now = t->zero[i] / (promise * t->rtol[i] * tolerances_negligible * t->size[i]);
        if (!t->follows[i] || s->consistent.kind[i] == TANSY_DIFFERENTIAL || now <= *share)
            continue;
        *share = now;
        *worst = i;
    }
    return *share > 1;
}

void algebraic_zero_follow(struct tansy_solver *s, const double *y)
{
    struct tolerances *const t = &s->tolerances;
    if (!derive_is_implicit(&s->derive)) return;
    for (size_t i = 0; i < s->n; i++) {
        double const term = largest_term(s, y, i), rounded = tolerances_rounding(term);
        if (s->consistent.kind[i] != TANSY_DIFFERENTIAL || t->follows[i])
            t->zero[i] = fmax(tolerances_zero(t, i), column_rounding(s, i, term));
        if (!t->follows[i]) continue;
        t->atol[i] = fmax(tolerances_of_size(t, i), rounded);
        t->zero[i] = fmax(t->zero[i], t->atol[i]);
    }
}
