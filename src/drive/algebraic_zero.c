/* SPDX-License-Identifier: Apache-2.0 */
/* See algebraic_zero.h.  The promise, 100 rtol of 1e-3 |z| and more, is not touched while terms are no larger than 5e10 rtol |z|. */
#include "drive/algebraic_zero.h"

#include <math.h>

#include "derive/line.h"

/* Equation i has no derivatives. */
static bool is_algebraic(const struct tansy_solver *s, size_t i)
{
    struct matrix_row const row = matrix_row(&s->M, i);
    for (size_t e = 0; e < row.count; e++)
        if (row.value[e] != 0) return false;
    return true;
}

/* Component j is known by row i of A as well as by others so far, or better. */
static void take_row(const struct tansy_solver *s, const double *y, size_t i, double *term)
{
    bool const algebraic = is_algebraic(s, i);
    struct matrix_row const row = matrix_row(algebraic ? &s->J : &s->M, i);
    double largest = 0;
    for (size_t e = 0; e < row.count; e++)
        largest = fmax(largest, fabs(row.value[e] * y[matrix_row_column(&row, e)]));
    for (size_t e = 0; e < row.count; e++) {
        size_t const j = matrix_row_column(&row, e);
        bool const own = (s->consistent.kind[j] != TANSY_DIFFERENTIAL) == algebraic;
        double const now = largest / fabs(row.value[e]);
        if (own && now < term[j]) term[j] = now;
    }
}

/* term[n]: the largest term of the equation that knows a component best, in its units: of an algebraic one among J_ij y_j of equations without
   derivatives; of another among M_ij y_j, as corrections of y' are solved for where M is coupled.  Else |y_j|. */
static void find_terms(const struct tansy_solver *s, const double *y, double *term)
{
    bool const known = s->J.kind != MATRIX_NONE && s->M.kind != MATRIX_NONE;
    for (size_t j = 0; j < s->n; j++) term[j] = HUGE_VAL;
    for (size_t i = 0; i < s->n && known; i++) take_row(s, y, i, term);
    for (size_t j = 0; j < s->n; j++)
        if (!isfinite(term[j])) term[j] = fabs(y[j]);
}

void algebraic_zero_roundings(const struct tansy_solver *s, const double *y, double *rounding)
{
    bool const implicit = derive_is_implicit(&s->derive);
    if (implicit) find_terms(s, y, rounding);
    for (size_t j = 0; j < s->n; j++) rounding[j] = implicit ? tolerances_rounding(rounding[j]) : 0;
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
    double *const terms = t->room;
    if (!derive_is_implicit(&s->derive)) return;
    find_terms(s, y, terms);
    for (size_t i = 0; i < s->n; i++) {
        double const term = terms[i], rounded = tolerances_rounding(term);
        if (s->consistent.kind[i] != TANSY_DIFFERENTIAL || t->follows[i])
            t->zero[i] = fmax(tolerances_zero(t, i), column_rounding(s, i, term));
        if (!t->follows[i]) continue;
        t->atol[i] = fmax(tolerances_of_size(t, i), rounded);
        t->zero[i] = fmax(t->zero[i], t->atol[i]);
    }
}
