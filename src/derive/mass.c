/* SPDX-License-Identifier: Apache-2.0 */
/* What B(t, y, p) y' adds to the residual f - B y' and to its derivatives.  B is used as the user lays it out.  Where B varies,
   d(B u)/dy and d(B u)/dp come from the problem's mass_tangent. */
#include <string.h>

#include "derive/providers.h"

static int evaluate(struct derive *d, size_t worker, const struct point *at)
{
    struct derive_worker *const w = &d->worker[worker];
    const tansy_problem *const q = d->problem;
    if (w->knows_mass) return 0;
    memset(w->B, 0, given_count(q) * sizeof(double));
    int const code = q->mass(at->t, at->y, w->p, w->B, w->context);
    int const verdict = judge_given(d, worker, "mass", at->t, code, w->B);
    w->knows_mass = verdict == 0 && d->constant_mass;
    return verdict;
}

/* R -= b X for rows i and j of panels. */
static void subtract_row(size_t ld, double b, const double *x, double *r)
{
    for (size_t k = 0; k < ld; k++) r[k] -= b * x[k];
}

void given_subtract(const struct derive *d, const double *A, size_t ld, const double *X, double *R)
{
    const tansy_problem *const q = d->problem;
    size_t const n = d->n;
    if (q->structure == TANSY_SPARSE) {
        const tansy_pattern *const at = &q->jacobian_pattern;
        for (size_t e = 0; e < at->entries; e++)
            if (A[e] != 0) subtract_row(ld, A[e], X + at->column[e] * ld, R + at->row[e] * ld);
        return;
    }
    bool const banded = q->structure == TANSY_BANDED;
    size_t const lower = banded ? q->lower : n, upper = banded ? q->upper : n;
    for (size_t i = 0; i < n; i++) {
        const double *const row = banded ? A + i * (lower + upper + 1) + lower - i : A + i * n;
        size_t const first = i > lower ? i - lower : 0, end = n - i > upper ? i + upper + 1 : n;
        for (size_t j = first; j < end; j++)
            if (row[j] != 0) subtract_row(ld, row[j], X + j * ld, R + i * ld);
    }
}

int mass_subtract_product(struct derive *d, size_t worker, const struct point *at, double *r)
{
    struct derive_worker *const w = &d->worker[worker];
    int const code = evaluate(d, worker, at);
    if (code == 0) given_subtract(d, w->B, 1, at->yp, r);
    return code;
}

int mass_subtract_tangent(struct derive *d, size_t worker, const struct point *at,
                          const struct directions *along, double *R)
{
    struct derive_worker *const w = &d->worker[worker];
    const tansy_problem *const q = d->problem;
    size_t const ld = along->ld;
    int code = evaluate(d, worker, at);
    if (code != 0) return code;
    given_subtract(d, w->B, ld, along->V_rate, R);
    if (!q->mass_tangent) return 0;
    memset(w->T, 0, d->n * ld * sizeof(double));
    code = q->mass_tangent(at->t, at->y, w->p, at->yp, along->columns, ld, along->V, along->U, w->T,
                           w->context);
    for (size_t x = 0; x < d->n * ld; x++) R[x] -= w->T[x];
    code = judge_matrix(w, "mass_tangent", at->t, code, d->n, ld, w->T);
    return judge_columns(d, worker, along->panel, code);
}
