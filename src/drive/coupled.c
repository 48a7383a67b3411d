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

/* The factors R of M in K, the order of the components, and the rank. */
static bool find_rank(struct coupled *c, const struct matrix *M)
{
    int const n = (int)c->n, room = (int)(8 * c->n + 64);
    double *const work = heap_take((size_t)room * sizeof *work + c->n * sizeof *work);
    int info = 0;
    if (!work) return false;
    fill_dense(M, 1, c->K);
    memset(c->pivot, 0, c->n * sizeof *c->pivot);
    dgeqp3_(&n, &n, c->K, &n, c->pivot, work + room, work, &room, &info);
    for (size_t k = 0; k < c->n; k++) c->component[k] = (size_t)c->pivot[k] - 1;
    double const smallest = fabs(c->K[0]) * (double)c->n * 8 * DBL_EPSILON;
    c->rank = 0;
    while (c->rank < c->n && fabs(c->K[c->rank * (c->n + 1)]) > smallest) c->rank++;
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

/* The factors of K; without a pivot the component of its column is weak. */
static enum coupled_outcome eliminate(struct coupled *c)
{
    int const n = (int)c->n;
    int info = 0;
    dgetrf_(&n, &n, c->K, &n, c->pivot, &info);
    double largest = 0, smallest = HUGE_VAL;
    for (size_t k = 0; k < c->n; k++) {
        double const pivot = fabs(c->K[k * (c->n + 1)]);
        largest = fmax(largest, pivot);
        smallest = fmin(smallest, pivot);
    }
    c->weak = c->component[info > 0 ? info - 1 : n - 1];
    return info == 0 && smallest > 0 && isfinite(largest) ? COUPLED_OK : COUPLED_SINGULAR;
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

enum coupled_outcome coupled_make(struct coupled *c, const struct matrix *M, const struct matrix *J)
{
    size_t const n = M->n;
    *c = (struct coupled){.n = n};
    c->component = heap_take(n * sizeof *c->component);
    c->V = heap_take(n * n * sizeof *c->V);
    c->K = heap_take(n * n * sizeof *c->K);
    c->pivot = heap_take(n * sizeof *c->pivot);
    bool *const used = heap_take(n * sizeof *used);
    enum coupled_outcome outcome = COUPLED_NO_MEMORY;
    if (c->component && c->V && c->K && c->pivot && used && find_rank(c, M)) {
        if (c->rank == columns_in_use(M, used))
            outcome = COUPLED_REGULAR;
        else {
            find_null_space(c);
            if (factor(c, M, J)) outcome = eliminate(c);
        }
    }
    heap_return(used);
    size_t const weak = c->weak;
    if (outcome != COUPLED_OK) coupled_free(c);
    c->weak = weak;
    return outcome;
}

void coupled_free(struct coupled *c)
{
    heap_return(c->component);
    heap_return(c->V);
    heap_return(c->K);
    heap_return(c->pivot);
    *c = (struct coupled){.n = 0};
}

void coupled_solve(const struct coupled *c, double *r)
{
    int const n = (int)c->n, one = 1;
    int info = 0;
    dgetrs_("N", &n, &one, c->K, &n, c->pivot, r, &n, &info);
}
