/* SPDX-License-Identifier: Apache-2.0 */
/* J and M from the matrices that the user gives, in whatever storage the linear solver takes:
     y' = f: J = df/dy;   B y' = f: J = df/dy, M = B (constant);   F = 0: J = -dF/dy, M = dF/dy'. */
#include <assert.h>
#include <string.h>

#include "derive/providers.h"

enum matrix_function { RHS_JACOBIAN, MASS, RESIDUAL_JACOBIAN, RATE_JACOBIAN };
static const char *const names[] = {"jacobian", "mass", "residual_jacobian", "rate_jacobian"};

static int call(const struct derive *d, const struct point *at, enum matrix_function function,
                double *value)
{
    const tansy_problem *const q = d->problem;
    const struct derive_worker *const w = &d->worker[0];
    switch (function) {
    case RHS_JACOBIAN:
        return q->jacobian(at->t, at->y, w->p, value, w->context);
    case MASS:
        return q->mass(at->t, at->y, w->p, value, w->context);
    case RESIDUAL_JACOBIAN:
        return q->residual_jacobian(at->t, at->y, at->yp, w->p, value, w->context);
    default:
        return q->rate_jacobian(at->t, at->y, at->yp, w->p, value, w->context);
    }
}

/* Doubles in a row of a matrix as the user fills it, dense or banded. */
static size_t given_width(const struct derive *d)
{
    const tansy_problem *const q = d->problem;
    return q->structure == TANSY_BANDED ? q->lower + q->upper + 1 : d->n;
}

/* A band into dense storage, for a dense solver on a banded problem. */
static void expand_band(const struct derive *d, struct matrix *A)
{
    size_t const n = d->n, lower = d->problem->lower, upper = d->problem->upper;
    assert(d->given);
    for (size_t i = 0; i < n; i++) {
        size_t const from = i > lower ? i - lower : 0;
        size_t const end = n - i > upper ? i + upper + 1 : n;
        const double *const row = d->given + i * (lower + upper + 1) + lower - i;
        memset(A->value + i * n, 0, n * sizeof(double));
        for (size_t j = from; j < end; j++) A->value[i * n + j] = row[j];
    }
}

/* The entries of a pattern into their places. */
static void spread(const struct derive *d, struct matrix *A)
{
    size_t const entries = d->problem->jacobian_pattern.entries;
    size_t const count = A->kind == MATRIX_SPARSE ? A->entries : A->n * A->width;
    assert(d->given && d->place);
    memset(A->value, 0, count * sizeof(double));
    for (size_t e = 0; e < entries; e++) A->value[d->place[e]] = d->given[e];
}

int judge_given(const struct derive *d, size_t worker, const char *function, double t, int code,
                const double *v)
{
    const tansy_problem *const q = d->problem;
    struct derive_worker *const w = &d->worker[worker];
    if (q->structure == TANSY_SPARSE) {
        const tansy_pattern *const pattern = &q->jacobian_pattern;
        int const verdict = judge(w, function, t, code, pattern->entries, v);
        if (verdict != 0 && code == 0) {
            w->failure.column = pattern->column[w->failure.row];
            w->failure.row = pattern->row[w->failure.row];
        }
        return verdict;
    }
    int const verdict = judge_matrix(w, function, t, code, q->n, given_width(d), v);
    if (verdict != 0 && code == 0 && q->structure == TANSY_BANDED)
        w->failure.column += w->failure.row - q->lower;
    return verdict;
}

/* A = the matrix of one of the user's functions. */
static int fill(struct derive *d, const struct point *at, enum matrix_function function,
                struct matrix *A)
{
    const tansy_problem *const q = d->problem;
    bool const sparse = q->structure == TANSY_SPARSE;
    double *const value = d->given ? d->given : A->value;
    assert(d->given || A->width == given_width(d));
    size_t const count = sparse ? q->jacobian_pattern.entries : d->n * given_width(d);
    memset(value, 0, count * sizeof(double));
    int const code = call(d, at, function, value);
    int const verdict = judge_given(d, 0, names[function], at->t, code, value);
    if (verdict != 0) return verdict;
    if (sparse)
        spread(d, A);
    else if (d->given)
        expand_band(d, A);
    return 0;
}

static void negate(struct matrix *A)
{
    size_t const count = A->kind == MATRIX_SPARSE ? A->entries : A->n * A->width;
    for (size_t x = 0; x < count; x++) A->value[x] = -A->value[x];
}

int given_jacobian(struct derive *d, const struct point *at)
{
    d->worker[0].counts.jacobian++;
    if (d->form != FORM_RESIDUAL) return fill(d, at, RHS_JACOBIAN, d->J);
    int const code = fill(d, at, RESIDUAL_JACOBIAN, d->J);
    if (code == 0) negate(d->J);
    return code;
}

int given_rate(struct derive *d, const struct point *at)
{
    return fill(d, at, d->form == FORM_MASS ? MASS : RATE_JACOBIAN, d->M);
}
