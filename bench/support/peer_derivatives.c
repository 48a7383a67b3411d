/* SPDX-License-Identifier: Apache-2.0 */
/* The derivatives of a test problem for CVODES, see peer_derivatives.h. */
#include "peer_derivatives.h"

#include "task.h"

#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

static int call_banded(struct peer_derivatives *d, double t, const double *y)
{
    const tansy_problem *p = d->problem;
    size_t const width = p->lower + p->upper + 1;
    memset(d->packed, 0, d->n * width * sizeof *d->packed);
    int const failed = p->jacobian(t, y, d->p, d->packed, p->context);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = i > p->lower ? i - p->lower : 0; j < d->n && j <= i + p->upper; j++)
            d->rows[i * d->n + j] = d->packed[i * width + j + p->lower - i];
    return failed;
}

/* A problem with band or sparse matrices has its entries put into rows[n*n]. */
static int call_jacobian(struct peer_derivatives *d, double t, const double *y)
{
    const tansy_problem *p = d->problem;
    const tansy_pattern *pattern = &p->jacobian_pattern;
    if (p->structure == TANSY_BANDED) return call_banded(d, t, y);
    if (p->structure != TANSY_SPARSE) return p->jacobian(t, y, d->p, d->rows, p->context);
    memset(d->packed, 0, pattern->entries * sizeof *d->packed);
    int const failed = p->jacobian(t, y, d->p, d->packed, p->context);
    for (size_t e = 0; e < pattern->entries; e++)
        d->rows[pattern->row[e] * d->n + pattern->column[e]] = d->packed[e];
    return failed;
}

/* The entries of df/dy that are not zero at a point without coincidences; all of a model, which may have no such point. */
static void find_pattern(struct peer_derivatives *d)
{
    size_t const n = d->n;
    for (size_t i = 0; i < n; i++) d->y[i] = 0.3 + 0.1 * sin(1.0 + 7.0 * (double)i);
    call_jacobian(d, 0, d->y);
    for (size_t x = 0; x < n * n; x++) d->entries += d->problem->from_model || d->rows[x] != 0;
    d->column = bench_take(d->entries, sizeof *d->column);
    d->value = bench_take(d->entries, sizeof *d->value);
    size_t e = 0;
    for (size_t i = 0; i < n; i++) {
        d->first[i] = e;
        for (size_t j = 0; j < n; j++)
            if (d->problem->from_model || d->rows[i * n + j] != 0) d->column[e++] = j;
    }
    d->first[n] = e;
    memset(d->rows, 0, n * n * sizeof *d->rows);
}

static int column_of(const struct peer_derivatives *d, size_t k)
{
    return d->problem->columns ? d->problem->columns[k] : (int)k;
}

/* Sorts the entries of df/dp by the columns of S. */
static void sort_parameter_pattern(struct peer_derivatives *d)
{
    const tansy_pattern *pattern = &d->problem->parameter_pattern;
    size_t e = 0;
    d->order = bench_take(pattern->entries, sizeof *d->order);
    d->row_of = bench_take(pattern->entries, sizeof *d->row_of);
    d->F = bench_take(pattern->entries, sizeof *d->F);
    for (size_t k = 0; k < d->ns; k++) {
        d->first_of[k] = e;
        for (size_t x = 0; x < pattern->entries; x++) {
            if ((int)pattern->column[x] != column_of(d, k)) continue;
            d->order[e] = x;
            d->row_of[e++] = pattern->row[x];
        }
    }
    d->first_of[d->ns] = e;
}

void peer_derivatives_open(struct peer_derivatives *d, const tansy_problem *problem, size_t ns)
{
    size_t const n = problem->n, np = problem->np;
    *d = (struct peer_derivatives){.problem = problem, .n = n, .ns = ns};
    d->first = bench_take(n + 1, sizeof *d->first);
    d->first_of = bench_take(ns + 1, sizeof *d->first_of);
    d->rows = bench_take(n * n, sizeof *d->rows);
    d->y = bench_take(n, sizeof *d->y);
    d->u = bench_take(np, sizeof *d->u);
    size_t const band = n * (problem->lower + problem->upper + 1);
    size_t const entries = problem->jacobian_pattern.entries;
    d->packed = bench_take(entries > band ? entries : band, sizeof *d->packed);
    d->V = bench_take((2 * n + np) * ns, sizeof(double));
    d->R = d->V + n * ns;
    d->U = d->R + n * ns;
    d->p = bench_take(np + 1, sizeof *d->p);
    if (np > 0) memcpy(d->p, problem->p, np * sizeof *d->p);
    find_pattern(d);
    sort_parameter_pattern(d);
    peer_derivatives_move(d, 0, ns);
}

void peer_derivatives_move(struct peer_derivatives *d, size_t piece, size_t ns)
{
    size_t const np = d->problem->np;
    d->p[np] = (double)piece;
    d->t = (double)NAN;
    memset(d->U, 0, np * ns * sizeof *d->U);
    for (size_t k = 0; k < ns; k++)
        if (column_of(d, k) >= 0) d->U[(size_t)column_of(d, k) * ns + k] = 1;
}

void peer_derivatives_close(struct peer_derivatives *d)
{
    void *const blocks[] = {d->first, d->column, d->value, d->rows, d->first_of,
                            d->order, d->row_of, d->F,     d->V,    d->u,
                            d->y,     d->packed, d->p};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) free(blocks[b]);
}

int peer_rhs(realtype t, N_Vector y, N_Vector f, void *data)
{
    const struct peer_derivatives *d = data;
    const tansy_problem *p = d->problem;
    return p->rhs(t, NV_DATA_S(y), d->p, NV_DATA_S(f), p->context);
}

static int evaluate_jacobian(struct peer_derivatives *d, double t, const double *y)
{
    size_t const n = d->n;
    for (size_t i = 0; i < n; i++)
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) d->rows[i * n + d->column[e]] = 0;
    return call_jacobian(d, t, y);
}

static void fill_sparse(const struct peer_derivatives *d, SUNMatrix J)
{
    sunindextype *first = SM_INDEXPTRS_S(J), *row = SM_INDEXVALS_S(J);
    double *value = SM_DATA_S(J);
    size_t const n = d->n;
    memset(first, 0, (n + 1) * sizeof *first);
    for (size_t e = 0; e < d->entries; e++) first[d->column[e] + 1]++;
    for (size_t j = 0; j < n; j++) first[j + 1] += first[j];
    for (size_t i = 0; i < n; i++)
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) {
            size_t const j = d->column[e];
            row[first[j]] = (sunindextype)i;
            value[first[j]++] = d->rows[i * n + j];
        }
    for (size_t j = n; j > 0; j--) first[j] = first[j - 1];
    first[0] = 0;
}

int peer_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *data, N_Vector w1,
                  N_Vector w2, N_Vector w3)
{
    struct peer_derivatives *d = data;
    size_t const n = d->n;
    (void)f, (void)w1, (void)w2, (void)w3;
    int const failed = evaluate_jacobian(d, t, NV_DATA_S(y));
    if (SUNMatGetID(J) == SUNMATRIX_SPARSE) {
        fill_sparse(d, J);
        return failed;
    }
    double *const dense = SM_DATA_D(J); /* zeroed by CVODES */
    for (size_t i = 0; i < n; i++)
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++)
            dense[d->column[e] * n + i] = d->rows[i * n + d->column[e]];
    return failed;
}

/* df/dy and df/dp at (t, y), unless they are there already. */
static int evaluate(struct peer_derivatives *d, double t, const double *y)
{
    const tansy_problem *p = d->problem;
    if (t == d->t && memcmp(y, d->y, d->n * sizeof *y) == 0) return 0;
    int failed = evaluate_jacobian(d, t, y);
    if (p->parameter_jacobian && !failed)
        failed = p->parameter_jacobian(t, y, d->p, d->F, p->context);
    for (size_t i = 0; i < d->n; i++)
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++)
            d->value[e] = d->rows[i * d->n + d->column[e]];
    d->t = failed ? (double)NAN : t;
    memcpy(d->y, y, d->n * sizeof *y);
    return failed;
}

/* sp = J s + column k of f_p. */
static void multiply(const struct peer_derivatives *d, size_t k, const double *s, double *sp)
{
    for (size_t i = 0; i < d->n; i++) {
        double sum = 0;
        for (size_t e = d->first[i]; e < d->first[i + 1]; e++) sum += d->value[e] * s[d->column[e]];
        sp[i] = sum;
    }
    for (size_t e = d->first_of[k]; e < d->first_of[k + 1]; e++)
        sp[d->row_of[e]] += d->F[d->order[e]];
}

int peer_sens_rhs(int ns, realtype t, N_Vector y, N_Vector f, N_Vector *s, N_Vector *sp, void *data,
                  N_Vector w1, N_Vector w2)
{
    struct peer_derivatives *d = data;
    const tansy_problem *p = d->problem;
    size_t const n = d->n, ld = (size_t)ns;
    (void)f, (void)w1, (void)w2;
    if (!d->by_tangents) {
        int const failed = evaluate(d, t, NV_DATA_S(y));
        for (size_t k = 0; k < ld && !failed; k++)
            multiply(d, k, NV_DATA_S(s[k]), NV_DATA_S(sp[k]));
        return failed;
    }
    for (size_t k = 0; k < ld; k++)
        for (size_t i = 0; i < n; i++) d->V[i * ld + k] = NV_Ith_S(s[k], i);
    int const failed = p->tangent(t, NV_DATA_S(y), d->p, ld, ld, d->V, d->U, d->R, p->context);
    for (size_t k = 0; k < ld; k++)
        for (size_t i = 0; i < n; i++) NV_Ith_S(sp[k], i) = d->R[i * ld + k];
    return failed;
}

int peer_sens_rhs_of_one(int ns, realtype t, N_Vector y, N_Vector f, int k, N_Vector s, N_Vector sp,
                         void *data, N_Vector w1, N_Vector w2)
{
    struct peer_derivatives *d = data;
    const tansy_problem *p = d->problem;
    (void)ns, (void)f, (void)w1, (void)w2;
    if (!d->by_tangents) {
        int const failed = evaluate(d, t, NV_DATA_S(y));
        if (!failed) multiply(d, (size_t)k, NV_DATA_S(s), NV_DATA_S(sp));
        return failed;
    }
    int const column = column_of(d, (size_t)k);
    if (column >= 0) d->u[column] = 1;
    int const failed =
        p->tangent(t, NV_DATA_S(y), d->p, 1, 1, NV_DATA_S(s), d->u, NV_DATA_S(sp), p->context);
    if (column >= 0) d->u[column] = 0;
    return failed;
}
