/* SPDX-License-Identifier: Apache-2.0 */
/* Rank and null space of a coupled M by QR with exchanges of columns. */
#include "drive/coupled.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"

extern void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
                    double *work, const int *lwork, int *info);
extern void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *n,
                    const int *nrhs, const double *a, const int *lda, double *b, const int *ldb,
                    int *info);
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info);

static const double clear = 100; /* times the errors: pivots beyond are no doubt pivots */

bool coupled_is_possible(const struct matrix *M)
{
    const struct sparse_rows *const rows = &M->rows;
    size_t last = SIZE_MAX;
    bool is_sorted = true;
    for (size_t i = 0; i < M->n; i++) {
        size_t entries = 0, column = 0;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            if (rows->value[e] != 0) {
                entries++;
                column = rows->column[e];
            }
        if (entries > 1) return true;
        if (entries == 0) continue;
        is_sorted = is_sorted && (last == SIZE_MAX || column > last);
        last = column;
    }
    return !is_sorted; /* one entry a row: distinct columns are certain when they rise */
}

/* A dense, column by column. */
static void fill_dense(const struct matrix *A, double sign, double *dense)
{
    const struct sparse_rows *const rows = &A->rows;
    memset(dense, 0, A->n * A->n * sizeof *dense);
    for (size_t i = 0; i < A->n; i++)
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++)
            dense[rows->column[e] * A->n + i] = sign * rows->value[e];
}

/* Rows of the dense A to a largest entry of 1/2 to 1, exactly; zero rows stay. */
static void scale_rows(size_t n, double *A, double *scale)
{
    for (size_t i = 0; i < n; i++) {
        double largest = 0;
        for (size_t j = 0; j < n; j++) largest = fmax(largest, fabs(A[j * n + i]));
        scale[i] = largest > 0 && isfinite(largest) ? ldexp(1, -1 - ilogb(largest)) : 1;
        for (size_t j = 0; j < n; j++) A[j * n + i] *= scale[i];
    }
}

static void scale_columns(size_t n, double *A, double *scale)
{
    for (size_t j = 0; j < n; j++) {
        double largest = 0;
        for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(A[j * n + i]));
        scale[j] = largest > 0 && isfinite(largest) ? ldexp(1, -1 - ilogb(largest)) : 1;
        for (size_t i = 0; i < n; i++) A[j * n + i] *= scale[j];
    }
}

/* The equation in which the derivative of component j counts most. */
static size_t find_equation(const struct matrix *M, const double *scale, size_t j)
{
    size_t where = 0;
    double largest = 0;
    for (size_t i = 0; i < M->n; i++)
        for (size_t e = M->rows.start[i]; e < M->rows.start[i + 1]; e++) {
            double const size = M->rows.column[e] == j ? fabs(M->rows.value[e]) * scale[i] : 0;
            if (size > largest) largest = size, where = i;
        }
    return where;
}

/* The factors R of M in K, the order of the components, and the rank; false without memory. */
static bool find_rank(struct coupled *c, const struct matrix *M, const double *error,
                      bool *doubtful)
{
    int const n = (int)c->n, room = (int)(8 * c->n + 64);
    double *const work = heap_take((size_t)room * sizeof *work + c->n * sizeof *work);
    int info = 0;
    if (!work) return false;
    fill_dense(M, 1, c->K);
    scale_rows(c->n, c->K, c->row);
    memset(c->pivot, 0, c->n * sizeof *c->pivot);
    dgeqp3_(&n, &n, c->K, &n, c->pivot, work + room, work, &room, &info);
    for (size_t k = 0; k < c->n; k++) c->component[k] = (size_t)c->pivot[k] - 1;
    double squares = 0;
    for (size_t i = 0; i < c->n; i++) squares += pow(error[i] * c->row[i], 2);
    double const rounding = fabs(c->K[0]) * (double)c->n * 8 * DBL_EPSILON;
    double const smallest = fmax(rounding, 4 * sqrt(squares));
    c->rank = 0;
    while (c->rank < c->n && fabs(c->K[c->rank * (c->n + 1)]) > smallest) c->rank++;
    size_t const last = c->rank > 0 ? c->rank - 1 : 0;
    *doubtful = squares > 0 && c->rank > 0 && fabs(c->K[last * (c->n + 1)]) < clear * smallest;
    c->weak = c->component[last];
    c->in = find_equation(M, c->row, c->weak);
    heap_return(work);
    return true;
}

/* V = P [-R11^-1 R12; I]. */
static void find_null_space(struct coupled *c)
{
    int const n = (int)c->n, rank = (int)c->rank, rest = n - rank;
    double *const beside = c->K + c->rank * c->n; /* solved in place */
    int info = 0;
    if (rank > 0 && rest > 0) dtrtrs_("U", "N", "N", &rank, &rest, c->K, &n, beside, &n, &info);
    memset(c->V, 0, c->n * (c->n - c->rank) * sizeof *c->V);
    for (size_t k = 0; k < c->n - c->rank; k++) {
        for (size_t i = 0; i < c->rank; i++)
            c->V[k * c->n + c->component[i]] = -beside[k * c->n + i];
        c->V[k * c->n + c->component[c->rank + k]] = 1;
    }
}

/* K = [M P1, -J V] and its factors. */
static bool factor(struct coupled *c, const struct matrix *M, const struct matrix *J)
{
    size_t const n = c->n;
    memset(c->K, 0, n * n * sizeof *c->K);
    size_t *const place = heap_take(n * sizeof *place);
    if (!place) return false;
    for (size_t k = 0; k < n; k++) place[c->component[k]] = k;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = M->rows.start[i]; e < M->rows.start[i + 1]; e++)
            if (place[M->rows.column[e]] < c->rank)
                c->K[place[M->rows.column[e]] * n + i] = M->rows.value[e];
        for (size_t k = c->rank; k < n; k++)
            for (size_t e = J->rows.start[i]; e < J->rows.start[i + 1]; e++)
                c->K[k * n + i] -= J->rows.value[e] * c->V[(k - c->rank) * n + J->rows.column[e]];
    }
    heap_return(place);
    return true;
}

/* The factors of scaled K; without a pivot that stands out from rounding and the errors of J the component of its column is weak. */
static enum coupled_outcome eliminate(struct coupled *c, double accuracy)
{
    int const n = (int)c->n;
    double const least = fmax((double)c->n * 8 * DBL_EPSILON, accuracy);
    int info = 0;
    scale_rows(c->n, c->K, c->row);
    scale_columns(c->n, c->K, c->column);
    dgetrf_(&n, &n, c->K, &n, c->pivot, &info);
    for (size_t k = 0; k < c->n; k++) {
        double const pivot = fabs(c->K[k * (c->n + 1)]);
        c->weak = c->component[k];
        if (!(pivot > least) || !isfinite(pivot)) return COUPLED_SINGULAR;
    }
    return COUPLED_OK;
}

static size_t columns_in_use(const struct matrix *M, bool *used)
{
    size_t count = 0;
    memset(used, 0, M->n * sizeof *used);
    for (size_t e = 0; e < M->rows.start[M->n]; e++)
        if (M->rows.value[e] != 0) used[M->rows.column[e]] = true;
    for (size_t j = 0; j < M->n; j++) count += used[j];
    return count;
}

static enum coupled_outcome make(struct coupled *c, const struct matrix *M, const struct matrix *J,
                                 const struct coupled_accuracy *accuracy)
{
    bool *const used = heap_take(c->n * sizeof *used);
    bool doubtful = false;
    enum coupled_outcome outcome = COUPLED_NO_MEMORY;
    if (used && find_rank(c, M, accuracy->rows, &doubtful)) {
        outcome = doubtful ? COUPLED_DOUBTFUL : COUPLED_REGULAR;
        if (!doubtful && c->rank != columns_in_use(M, used)) {
            find_null_space(c);
            outcome = factor(c, M, J) ? eliminate(c, accuracy->J) : COUPLED_NO_MEMORY;
        }
    }
    heap_return(used);
    return outcome;
}

enum coupled_outcome coupled_make(struct coupled *c, const struct matrix *M, const struct matrix *J,
                                  const struct coupled_accuracy *accuracy)
{
    size_t const n = M->n;
    *c = (struct coupled){.n = n};
    c->component = heap_take(n * sizeof *c->component);
    c->V = heap_take(n * n * sizeof *c->V);
    c->K = heap_take(n * n * sizeof *c->K);
    c->row = heap_take(2 * n * sizeof *c->row);
    c->pivot = heap_take(n * sizeof *c->pivot);
    bool const has_room = c->component && c->V && c->K && c->row && c->pivot;
    if (has_room) c->column = c->row + n;
    enum coupled_outcome const outcome = has_room ? make(c, M, J, accuracy) : COUPLED_NO_MEMORY;
    size_t const weak = c->weak, in = c->in;
    if (outcome != COUPLED_OK) coupled_free(c);
    c->weak = weak;
    c->in = in;
    return outcome;
}

void coupled_free(struct coupled *c)
{
    heap_return(c->component);
    heap_return(c->V);
    heap_return(c->K);
    heap_return(c->row);
    heap_return(c->pivot);
    *c = (struct coupled){.n = 0};
}

void coupled_solve(const struct coupled *c, double *r)
{
    int const n = (int)c->n, one = 1;
    int info = 0;
    for (size_t i = 0; i < c->n; i++) r[i] *= c->row[i];
    dgetrs_("N", &n, &one, c->K, &n, c->pivot, r, &n, &info);
    for (size_t k = 0; k < c->n; k++) r[k] *= c->column[k];
}
