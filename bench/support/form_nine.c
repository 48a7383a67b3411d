/* SPDX-License-Identifier: Apache-2.0 */
/* The roundoff of two forms of the same linear system, see form_nine.h. */
#include "form_nine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* Gaussian elimination with partial pivoting of a copy of W; in double or, with `wide`, in extended precision. */
static void solve(size_t n, const double *W, const long double *b, int wide, long double *x)
{
    long double A[MOST][MOST];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) A[i][j] = W[i * n + j];
    memcpy(x, b, n * sizeof *x);
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabsl(A[i][k]) > fabsl(A[best][k])) best = i;
        for (size_t j = 0; j < n; j++) {
            long double const swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        long double const swap = x[k];
        x[k] = x[best];
        x[best] = swap;
        for (size_t i = k + 1; i < n; i++) {
            long double const factor = wide ? A[i][k] / A[k][k] : (double)(A[i][k] / A[k][k]);
            for (size_t j = k; j < n; j++) {
                long double const value = A[i][j] - factor * A[k][j];
                A[i][j] = wide ? value : (double)value;
            }
            long double const value = x[i] - factor * x[k];
            x[i] = wide ? value : (double)value;
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            long double const value = x[i] - A[i][j] * x[j];
            x[i] = wide ? value : (double)value;
        }
        x[i] = wide ? x[i] / A[i][i] : (double)(x[i] / A[i][i]);
    }
}

/* The matrices of the problem at (t, y). */
struct matrices {
    double A[MOST * MOST], B[MOST * MOST], W[MOST * MOST], F[MOST * MOST]; /* F is n x np */
};

static void find_matrices(const tansy_problem *p, double t, const double *y, double h,
                          struct matrices *m)
{
    double rate[MOST] = {0}, packed[MOST * MOST] = {0};
    double const sign = p->residual ? 1 : -1; /* F = y' - f */
    memset(m, 0, sizeof *m);
    if (p->residual) {
        p->residual_jacobian(t, y, rate, p->p, m->A, p->context);
        p->rate_jacobian(t, y, rate, p->p, m->B, p->context);
        p->residual_parameter(t, y, rate, p->p, packed, p->context);
    } else {
        p->jacobian(t, y, p->p, m->A, p->context);
        for (size_t x = 0; x < p->n * p->n; x++) m->A[x] = -m->A[x];
        for (size_t i = 0; i < p->n; i++) m->B[i * p->n + i] = 1;
        p->parameter_jacobian(t, y, p->p, packed, p->context);
    }
    for (size_t e = 0; e < p->parameter_pattern.entries; e++)
        m->F[p->parameter_pattern.row[e] * p->np + p->parameter_pattern.column[e]] =
            sign * packed[e];
    for (size_t x = 0; x < p->n * p->n; x++) m->W[x] = m->A[x] + m->B[x] / h;
}

/* The right-hand side of form 9 or 10 for column k, rounded to double row by row or, with `wide`, not. */
struct form {
    int number, wide;
    double h;
};

static void make_side(const tansy_problem *p, const struct matrices *m, struct form form, size_t k,
                      const double *s, long double *b)
{
    for (size_t i = 0; i < p->n; i++) {
        long double sum = -(long double)m->F[i * p->np + k];
        for (size_t j = 0; j < p->n; j++) {
            long double const entry = form.number == 9 ? (long double)m->B[i * p->n + j] / form.h
                                                       : -(long double)m->A[i * p->n + j];
            sum += entry * s[j];
            if (!form.wide) sum = (double)sum;
        }
        b[i] = sum;
    }
}

double form_noise(const struct task *task, int form, double h, double rtol)
{
    const tansy_problem *p = &task->problem->problem;
    const struct reference *r = &task->exact;
    size_t const n = p->n;
    struct matrices m;
    double worst = 0;
    for (size_t time = 0; time < r->times; time++) {
        find_matrices(p, r->t[time], r->y + time * n, h, &m);
        for (size_t k = 0; k < r->ns; k++) {
            const double *s = r->sens + (time * r->ns + k) * n;
            long double b[MOST], x[MOST], exact[MOST];
            make_side(p, &m, (struct form){form, 0, h}, k, s, b);
            solve(n, m.W, b, 0, x);
            make_side(p, &m, (struct form){10, 1, h}, k, s, b);
            solve(n, m.W, b, 1, exact);
            for (size_t i = 0; i < n; i++) {
                double const found = form == 9 ? (double)x[i] : (double)(s[i] + x[i]);
                double const weight =
                    rtol * (fabs(s[i]) + task->problem->atol[i] / task->norm.scale[k]);
                worst = fmax(worst, (double)fabsl(found - (s[i] + exact[i])) / weight);
            }
        }
    }
    return worst;
}
