/* SPDX-License-Identifier: Apache-2.0 */
/* The index of M y' + A y = ... from numbers, with Z, T bases of the left and right null spaces of M: 0 when M is regular,
   1 when Z' A T is, else higher.  Rows and columns of zeros are set apart, so that the scales of algebraic equations do not
   mix in null vectors; what is left is scaled, then decomposed into singular values. */
#include "model/structure_rank.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"

/* Singular values below this part of the largest are zero: exact derivatives leave n eps after scaling. */
static const double negligible = 1e-11;

extern void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
                    const int *lda, double *s, double *u, const int *ldu, double *vt,
                    const int *ldvt, double *work, const int *lwork, int *info, size_t length_u,
                    size_t length_vt);

/* A matrix rows x columns, row by row, as P diag(value) Q': left null vectors are in the last rows of left[rows*rows], right
   ones in those of right[columns*columns]. */
struct decomposition {
    size_t rows, columns, rank;
    double *matrix, *value, *left, *right, *work;
    double *row_scale, *column_scale; /* matrix has been scaled by them */
};

static void decomposition_free(struct decomposition *d)
{
    heap_return(d->matrix);
}

static bool decomposition_make(size_t rows, size_t columns, struct decomposition *d)
{
    size_t const most = rows > columns ? rows : columns;
    *d = (struct decomposition){.rows = rows, .columns = columns};
    d->matrix = heap_take((rows * columns + rows * rows + columns * columns + 9 * most + 8) *
                          sizeof *d->matrix);
    if (!d->matrix) return false;
    d->left = d->matrix + rows * columns;
    d->right = d->left + rows * rows;
    d->value = d->right + columns * columns;
    d->row_scale = d->value + most;
    d->column_scale = d->row_scale + most;
    d->work = d->column_scale + most; /* 6 most */
    return true;
}

/* Rows and columns scaled in turn until their largest entries are 1 or near it. */
static void equilibrate(struct decomposition *d)
{
    enum { PASSES = 6 };
    for (size_t i = 0; i < d->rows; i++) d->row_scale[i] = 1;
    for (size_t j = 0; j < d->columns; j++) d->column_scale[j] = 1;
    for (int pass = 0; pass < PASSES; pass++) {
        bool const by_rows = pass % 2 == 0;
        size_t const outer = by_rows ? d->rows : d->columns;
        size_t const inner = by_rows ? d->columns : d->rows;
        for (size_t x = 0; x < outer; x++) {
            double largest = 0;
            double *const first = d->matrix + x * (by_rows ? d->columns : 1);
            size_t const step = by_rows ? 1 : d->columns;
            for (size_t k = 0; k < inner; k++) largest = fmax(largest, fabs(first[k * step]));
            if (largest == 0) continue;
            for (size_t k = 0; k < inner; k++) first[k * step] /= largest;
            *(by_rows ? &d->row_scale[x] : &d->column_scale[x]) /= largest;
        }
    }
}

/* The rank and the null vectors, which count for the matrix before it was scaled. */
static bool decompose(struct decomposition *d)
{
    int const rows = (int)d->rows, columns = (int)d->columns;
    int const least = rows < columns ? rows : columns, work = 6 * (rows > columns ? rows : columns);
    int info = 0;
    if (least == 0) return true;
    equilibrate(d);
    /* LAPACK sees the transpose: its U is our right one with a vector a column, its VT our left one */
    dgesvd_("A", "A", &columns, &rows, d->matrix, &columns, d->value, d->right, &columns, d->left,
            &rows, d->work, &work, &info, 1, 1);
    while (d->rank < (size_t)least && d->value[d->rank] > negligible * d->value[0]) d->rank++;
    return info == 0;
}

/* M without its zero rows and columns: row[] and column[] begin with those that are left. */
struct reduced {
    size_t n, rows, columns;
    size_t *row, *column;
};

static bool is_zero(const double *v, size_t n, size_t step)
{
    for (size_t k = 0; k < n; k++)
        if (v[k * step] != 0) return false;
    return true;
}

static void reduce(const double *M, struct reduced *r)
{
    size_t const n = r->n;
    size_t zero_row = n, zero_column = n;
    for (size_t i = 0; i < n; i++) {
        if (is_zero(M + i * n, n, 1))
            r->row[--zero_row] = i;
        else
            r->row[r->rows++] = i;
        if (is_zero(M + i, n, n))
            r->column[--zero_column] = i;
        else
            r->column[r->columns++] = i;
    }
}

static bool decompose_reduced(const double *M, const struct reduced *r, struct decomposition *d)
{
    if (!decomposition_make(r->rows, r->columns, d)) return false;
    for (size_t i = 0; i < r->rows; i++)
        for (size_t j = 0; j < r->columns; j++)
            d->matrix[i * r->columns + j] = M[r->row[i] * r->n + r->column[j]];
    return true;
}

/* Null vector k of M, into v[n]: the last ones are unit vectors of zero rows, or columns. */
static void take_left(const struct reduced *r, const struct decomposition *d, size_t k, double *v)
{
    memset(v, 0, r->n * sizeof *v);
    if (k >= r->rows - d->rank) {
        v[r->row[d->rank + k]] = 1;
        return;
    }
    for (size_t i = 0; i < r->rows; i++)
        v[r->row[i]] = d->left[d->rank + k + i * r->rows] * d->row_scale[i];
}

static void take_right(const struct reduced *r, const struct decomposition *d, size_t k, double *v)
{
    memset(v, 0, r->n * sizeof *v);
    if (k >= r->columns - d->rank) {
        v[r->column[d->rank + k]] = 1;
        return;
    }
    for (size_t j = 0; j < r->columns; j++)
        v[r->column[j]] = d->right[(d->rank + k) * r->columns + j] * d->column_scale[j];
}

/* a' b; 0 where its terms cancel but for rounding, which scaling would make as large as the rest. */
static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
        size += fabs(a[i] * b[i]);
    }
    return fabs(sum) <= 64 * (double)n * DBL_EPSILON * size ? 0 : sum;
}

/* S = Z' A T into the matrix of s, null vector by null vector. */
static void restrict_to_null(const double *A, const struct reduced *r,
                             const struct decomposition *d, struct decomposition *s, double *v)
{
    size_t const n = r->n, k = s->rows;
    double *const image = v + n, *const z = v + 2 * n;
    for (size_t b = 0; b < k; b++) {
        take_right(r, d, b, v);
        for (size_t i = 0; i < n; i++) image[i] = dot(A + i * n, v, n);
        for (size_t a = 0; a < k; a++) {
            take_left(r, d, a, z);
            s->matrix[a * k + b] = dot(z, image, n);
        }
    }
}

static tansy_status find_index(const double *A, const struct reduced *r, struct decomposition *d,
                               double *v, struct pencil_index *index)
{
    struct decomposition s = {0};
    size_t const left = r->n - d->rank;
    index->is_at_least = false;
    index->index = left > 0;
    if (left == 0) return TANSY_OK;
    if (!decomposition_make(left, left, &s)) return TANSY_OUT_OF_MEMORY;
    restrict_to_null(A, r, d, &s, v);
    index->found = decompose(&s);
    index->is_at_least = s.rank < left;
    if (index->is_at_least) index->index = 2;
    decomposition_free(&s);
    return TANSY_OK;
}

tansy_status pencil_find_index(size_t n, const double *M, const double *A,
                               struct pencil_index *index)
{
    struct reduced r = {.n = n, .row = heap_take(2 * n * sizeof *r.row)};
    struct decomposition d = {0};
    double *const v = heap_take(3 * n * sizeof *v);
    tansy_status status = TANSY_OUT_OF_MEMORY;
    *index = (struct pencil_index){.found = false};
    if (r.row && v) {
        r.column = r.row + n;
        reduce(M, &r);
        if (decompose_reduced(M, &r, &d)) {
            index->found = decompose(&d);
            index->rank = d.rank;
            status = find_index(A, &r, &d, v, index);
        }
    }
    decomposition_free(&d);
    heap_return(r.row);
    heap_return(v);
    return status;
}
