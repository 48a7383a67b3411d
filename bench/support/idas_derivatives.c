/* SPDX-License-Identifier: Apache-2.0 */
/* The derivatives of a test problem for IDAS, see idas_derivatives.h. */
#include "idas_derivatives.h"

#include "task.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

static int evaluate_matrices(struct idas_derivatives *d, double t, const double *y,
                             const double *yp)
{
    const tansy_problem *p = d->problem;
    memset(d->A, 0, d->storage * sizeof *d->A);
    memset(d->B, 0, d->storage * sizeof *d->B);
    int const failed = p->residual_jacobian(t, y, yp, p->p, d->A, p->context);
    return failed ? failed : p->rate_jacobian(t, y, yp, p->p, d->B, p->context);
}

/* Where number x of the storage stands. */
static void locate(const tansy_problem *p, size_t x, size_t *i, size_t *j)
{
    size_t const width = p->lower + p->upper + 1;
    if (p->structure == TANSY_SPARSE) {
        *i = p->jacobian_pattern.row[x];
        *j = p->jacobian_pattern.column[x];
    } else if (p->structure == TANSY_BANDED) {
        *i = x / width;
        *j = *i + x % width - p->lower;
    } else {
        *i = x / p->n;
        *j = x % p->n;
    }
}

/* The rows of W that are not zero at a point without coincidences. */
static void find_pattern(struct idas_derivatives *d)
{
    size_t const n = d->n;
    for (size_t i = 0; i < n; i++) d->y[i] = 0.3 + 0.1 * sin(1.0 + 7.0 * (double)i);
    for (size_t i = 0; i < n; i++) d->yp[i] = 0.1 * cos(1.0 + 7.0 * (double)i);
    evaluate_matrices(d, 0, d->y, d->yp);
    d->column = bench_take(d->storage, sizeof *d->column);
    d->source = bench_take(d->storage, sizeof *d->source);
    for (size_t x = 0; x < d->storage; x++) { /* the storage goes row by row */
        size_t i = 0, j = 0;
        if (d->A[x] == 0 && d->B[x] == 0) continue;
        locate(d->problem, x, &i, &j);
        d->column[d->entries] = j;
        d->source[d->entries++] = x;
        d->first[i + 1] = d->entries;
    }
}

static void sort_by_columns(struct idas_derivatives *d)
{
    size_t const n = d->n;
    d->csc_first = bench_take(n + 2, sizeof *d->csc_first);
    d->csc_row = bench_take(d->entries, sizeof *d->csc_row);
    d->csc_source = bench_take(d->entries, sizeof *d->csc_source);
    sunindextype *next = d->csc_first + 1; /* shifted by one, so that filling leaves it right */
    for (size_t e = 0; e < d->entries; e++)
        if (d->column[e] + 1 < n) next[d->column[e] + 1]++;
    for (size_t j = 1; j < n; j++) next[j] += next[j - 1];
    for (size_t i = 0; i < n; i++)
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) {
            sunindextype const to = next[d->column[e]]++;
            d->csc_row[to] = (sunindextype)i;
            d->csc_source[to] = d->source[e];
        }
}

static void sort_parameter_pattern(struct idas_derivatives *d)
{
    const tansy_pattern *pattern = &d->problem->parameter_pattern;
    size_t e = 0;
    d->first_of = bench_take(d->ns + 1, sizeof *d->first_of);
    d->order = bench_take(pattern->entries, sizeof *d->order);
    d->row_of = bench_take(pattern->entries, sizeof *d->row_of);
    d->F = bench_take(pattern->entries, sizeof *d->F);
    for (size_t k = 0; k < d->ns; k++) {
        d->first_of[k] = e;
        for (size_t x = 0; x < pattern->entries; x++) {
            if (pattern->column[x] != k) continue;
            d->order[e] = x;
            d->row_of[e++] = pattern->row[x];
        }
    }
    d->first_of[d->ns] = e;
}

void idas_derivatives_open(struct idas_derivatives *d, const tansy_problem *problem, size_t ns)
{
    size_t const n = problem->n, np = problem->np;
    *d = (struct idas_derivatives){.problem = problem, .n = n, .ns = ns};
    d->storage = problem->structure == TANSY_SPARSE   ? problem->jacobian_pattern.entries
                 : problem->structure == TANSY_BANDED ? n * (problem->lower + problem->upper + 1)
                                                      : n * n;
    d->A = bench_take(2 * d->storage, sizeof *d->A);
    d->B = d->A + d->storage;
    d->first = bench_take(n + 1, sizeof *d->first);
    d->y = bench_take(5 * n, sizeof *d->y);
    d->yp = d->y + n;
    d->below = d->yp + n;
    d->middle = d->below + n;
    d->above = d->middle + n;
    d->V = bench_take((3 * n + np) * ns, sizeof(double));
    d->V_rate = d->V + n * ns;
    d->R = d->V_rate + n * ns;
    d->U = d->R + n * ns;
    d->none = bench_take(np, sizeof *d->none);
    for (size_t k = 0; k < ns; k++) d->U[k * ns + k] = 1;
    find_pattern(d);
    sort_by_columns(d);
    sort_parameter_pattern(d);
    d->t = (double)NAN;
}

void idas_derivatives_close(struct idas_derivatives *d)
{
    void *const blocks[] = {d->first,   d->column,     d->source,   d->A,     d->csc_first,
                            d->csc_row, d->csc_source, d->first_of, d->order, d->row_of,
                            d->F,       d->V,          d->none,     d->y};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) free(blocks[b]);
}

int idas_residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void *data)
{
    const tansy_problem *p = ((struct idas_derivatives *)data)->problem;
    return p->residual(t, NV_DATA_S(y), NV_DATA_S(yp), p->p, NV_DATA_S(F), p->context);
}

static void fill_sparse(const struct idas_derivatives *d, double c, SUNMatrix W)
{
    double *value = SM_DATA_S(W);
    memcpy(SM_INDEXPTRS_S(W), d->csc_first, (d->n + 1) * sizeof *d->csc_first);
    memcpy(SM_INDEXVALS_S(W), d->csc_row, d->entries * sizeof *d->csc_row);
    for (size_t e = 0; e < d->entries; e++)
        value[e] = d->A[d->csc_source[e]] + c * d->B[d->csc_source[e]];
}

int idas_jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix W,
                  void *data, N_Vector w1, N_Vector w2, N_Vector w3)
{
    struct idas_derivatives *d = data;
    size_t const n = d->n;
    (void)F, (void)w1, (void)w2, (void)w3;
    d->t = (double)NAN;
    int const failed = evaluate_matrices(d, t, NV_DATA_S(y), NV_DATA_S(yp));
    if (SUNMatGetID(W) == SUNMATRIX_SPARSE) {
        fill_sparse(d, c, W);
        return failed;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) {
            double const value = d->A[d->source[e]] + c * d->B[d->source[e]];
            if (SUNMatGetID(W) == SUNMATRIX_BAND)
                SM_ELEMENT_B(W, i, d->column[e]) = value;
            else
                SM_ELEMENT_D(W, i, d->column[e]) = value;
        }
    return failed;
}

/* The matrices and dF/dp at (t, y, y'), unless they are there already. */
static int evaluate(struct idas_derivatives *d, double t, const double *y, const double *yp)
{
    const tansy_problem *p = d->problem;
    if (t == d->t && memcmp(y, d->y, d->n * sizeof *y) == 0 &&
        memcmp(yp, d->yp, d->n * sizeof *yp) == 0)
        return 0;
    int failed = evaluate_matrices(d, t, y, yp);
    if (!failed) failed = p->residual_parameter(t, y, yp, p->p, d->F, p->context);
    d->t = failed ? (double)NAN : t;
    memcpy(d->y, y, d->n * sizeof *y);
    memcpy(d->yp, yp, d->n * sizeof *yp);
    return failed;
}

/* r = A s + B s' + column k of dF/dp. */
static void multiply(const struct idas_derivatives *d, size_t k, const double *s, const double *sp,
                     double *r)
{
    for (size_t i = 0; i < d->n; i++) {
        double sum = 0;
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) {
            size_t const x = d->source[e], j = d->column[e];
            sum += d->A[x] * s[j] + d->B[x] * sp[j];
        }
        r[i] = sum;
    }
    for (size_t e = d->first_of[k]; e < d->first_of[k + 1]; e++)
        r[d->row_of[e]] += d->F[d->order[e]];
}

int idas_sens_residual(int ns, realtype t, N_Vector y, N_Vector yp, N_Vector F, N_Vector *s,
                       N_Vector *sp, N_Vector *r, void *data, N_Vector w1, N_Vector w2, N_Vector w3)
{
    struct idas_derivatives *d = data;
    const tansy_problem *p = d->problem;
    size_t const n = d->n, ld = (size_t)ns;
    (void)F, (void)w1, (void)w2, (void)w3;
    if (!d->by_tangents) {
        int const failed = evaluate(d, t, NV_DATA_S(y), NV_DATA_S(yp));
        for (size_t k = 0; k < ld && !failed; k++)
            multiply(d, k, NV_DATA_S(s[k]), NV_DATA_S(sp[k]), NV_DATA_S(r[k]));
        return failed;
    }
    for (size_t k = 0; k < ld; k++)
        for (size_t i = 0; i < n; i++) {
            d->V[i * ld + k] = NV_Ith_S(s[k], i);
            d->V_rate[i * ld + k] = NV_Ith_S(sp[k], i);
        }
    int const failed = p->residual_tangent(t, NV_DATA_S(y), NV_DATA_S(yp), p->p, ld, ld, d->V,
                                           d->V_rate, d->U, d->R, p->context);
    for (size_t k = 0; k < ld; k++)
        for (size_t i = 0; i < n; i++) NV_Ith_S(r[k], i) = d->R[i * ld + k];
    return failed;
}

int idas_product(realtype t, N_Vector y, N_Vector yp, N_Vector F, N_Vector v, N_Vector Wv,
                 realtype c, void *data, N_Vector w1, N_Vector w2)
{
    struct idas_derivatives *d = data;
    const tansy_problem *p = d->problem;
    (void)F, (void)w2;
    N_VScale(c, v, w1);
    return p->residual_tangent(t, NV_DATA_S(y), NV_DATA_S(yp), p->p, 1, 1, NV_DATA_S(v),
                               NV_DATA_S(w1), d->none, NV_DATA_S(Wv), p->context);
}

/* Gaussian elimination of the tridiagonal part without pivoting, (I + below)(1/middle)(I + above), so that there is
   nothing but a product and a sum from one row to the next. */
int idas_precondition_prepare(realtype t, N_Vector y, N_Vector yp, N_Vector F, realtype c,
                              void *data)
{
    struct idas_derivatives *d = data;
    (void)F;
    d->t = (double)NAN;
    int const failed = evaluate_matrices(d, t, NV_DATA_S(y), NV_DATA_S(yp));
    memset(d->below, 0, 3 * d->n * sizeof *d->below);
    for (size_t i = 0; i < d->n; i++) {
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) {
            double const value = d->A[d->source[e]] + c * d->B[d->source[e]];
            if (d->column[e] + 1 == i) d->below[i] = value;
            if (d->column[e] == i) d->middle[i] = value;
            if (d->column[e] == i + 1) d->above[i] = value;
        }
        double const above = i > 0 ? d->above[i - 1] : 0, inverse = i > 0 ? d->middle[i - 1] : 0;
        d->middle[i] = 1 / (d->middle[i] - d->below[i] * inverse * above);
        d->below[i] *= inverse;
    }
    for (size_t i = 0; i < d->n; i++) d->above[i] *= d->middle[i];
    return failed;
}

int idas_precondition_solve(realtype t, N_Vector y, N_Vector yp, N_Vector F, N_Vector r, N_Vector z,
                            realtype c, realtype delta, void *data)
{
    const struct idas_derivatives *d = data;
    size_t const n = d->n;
    const double *from = NV_DATA_S(r);
    double *to = NV_DATA_S(z);
    (void)t, (void)y, (void)yp, (void)F, (void)c, (void)delta;
    to[0] = from[0];
    for (size_t i = 1; i < n; i++) to[i] = from[i] - d->below[i] * to[i - 1];
    to[n - 1] *= d->middle[n - 1];
    for (size_t i = n - 1; i > 0; i--)
        to[i - 1] = to[i - 1] * d->middle[i - 1] - d->above[i - 1] * to[i];
    return 0;
}

/* -r[n] over the diagonal of B, where it has one. */
static void divide(const struct idas_derivatives *d, const double *r, double *rate)
{
    for (size_t i = 0; i < d->n; i++) {
        rate[i] = 0;
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++)
            if (d->column[e] == i && d->B[d->source[e]] != 0) rate[i] = -r[i] / d->B[d->source[e]];
    }
}

void idas_start(struct idas_derivatives *d, const double *y, const double *s, double *yp,
                double *sp)
{
    const tansy_problem *p = d->problem;
    double *r = d->R, *zero = d->V_rate; /* work */
    memset(zero, 0, d->n * sizeof *zero);
    p->residual(p->t0, y, zero, p->p, r, p->context);
    d->t = (double)NAN;
    evaluate(d, p->t0, y, zero);
    divide(d, r, yp);
    evaluate(d, p->t0, y, yp);
    for (size_t k = 0; k < d->ns; k++) {
        multiply(d, k, s + k * d->n, zero, r);
        divide(d, r, sp + k * d->n);
    }
}
