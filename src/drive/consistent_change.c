/* SPDX-License-Identifier: Apache-2.0 */
/* How large the changes of an iteration for consistent values are: of y in units of its error weights, of y' relative to the largest
   of them.  Where all y' vanish, as in a circuit at rest, that is rounding over rounding, and other scales tell it. */
#include <float.h>
#include <math.h>

#include "drive/consistent.h"
#include "drive/solver.h"

const double consistent_settled = 1e-8;

static const double usual_tolerance = 0.01; /* of algebraic components, in units of their weights */
static const double unseen = 1e-3;          /* share of what the error weights of y leave in F */
static const double rounding = 1e-13;       /* of the largest change of y' before */

/* reach_j = min_i sum_k |J_ik| w_k / |M_ij|: the y'_j that counts in F as much as the error weights w of y. */
void consistent_note_reach(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    const struct sparse_rows *const M = &s->M.rows;
    for (size_t j = 0; j < s->n; j++) c->reach[j] = HUGE_VAL;
    for (size_t i = 0; i < s->n; i++)
        for (size_t e = M->start[i]; e < M->start[i + 1]; e++)
            if (M->value[e] != 0)
                c->reach[M->column[e]] =
                    fmin(c->reach[M->column[e]], c->allowed[i] / fabs(M->value[e]));
    for (size_t j = 0; j < s->n; j++)
        if (!isfinite(c->reach[j])) c->reach[j] = 0;
}

double consistent_rate_change(const struct tansy_solver *s, const double *change_of_rate)
{
    const struct consistent *const c = &s->consistent;
    double rate = 0, rates = DBL_MIN;
    for (size_t i = 0; i < s->n; i++) {
        double const by = fabs(change_of_rate[i]);
        double const negligible = fmax(unseen * c->reach[i], rounding * c->swing);
        if (!(by <= negligible)) rate = fmax(rate, by);
        rates = fmax(rates, fabs(c->yp[i]) + by);
    }
    return rate / rates;
}

double consistent_change(struct tansy_solver *s)
{
    struct consistent *const c = &s->consistent;
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const value = fabs(c->dy[i]) / consistent_weight(s, i);
        if (!(value <= largest)) largest = value;
    }
    double const limit =
        s->options.initial_tolerance > 0 ? s->options.initial_tolerance : usual_tolerance;
    double const relative = consistent_rate_change(s, c->dyp) / consistent_settled;
    for (size_t i = 0; i < s->n; i++) c->swing = fmax(c->swing, fabs(c->dyp[i]));
    return isnan(largest) || !(largest / limit <= relative) ? largest / limit : relative;
}
