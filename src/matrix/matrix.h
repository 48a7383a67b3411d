/* SPDX-License-Identifier: Apache-2.0 */
/* A square matrix, dense, banded or sparse, row by row, as users fill it (tansy/problem.h). */
#ifndef MATRIX_MATRIX_H
#define MATRIX_MATRIX_H

#include <stddef.h>

#include "base/arena.h"
#include "matrix/kernels.h"
#include "matrix/sparse_pattern.h"

enum matrix_kind {
    MATRIX_NONE, /* no entries are kept: functional iteration */
    MATRIX_DENSE,
    MATRIX_BAND,
    MATRIX_SPARSE /* a fixed pattern, every diagonal entry among it */
};

struct matrix {
    enum matrix_kind kind;
    size_t n, lower, upper; /* lower = upper = n - 1 when dense */
    size_t width;           /* doubles in a row: n, or lower + upper + 1 */
    double *value; /* value[i*width + j] dense, value[i*width + j - i + lower] banded; sparse:
                      rows.value itself, in the order of the pattern */
    struct sparse_rows
        rows;       /* the non-zero entries, kept for products with panels; see matrix_compress */
    double density; /* non-zero share found by the last matrix_compress */

    size_t entries; /* of a sparse matrix, set before matrix_layout */
    const struct matrix
        *like; /* sparse: shares the pattern of this one, placed before; NULL: has its own */
};

/* Doubles in value. */
static inline size_t matrix_size(const struct matrix *A)
{
    return A->kind == MATRIX_SPARSE ? A->entries : A->n * A->width;
}

/* Places value and rows.  The pattern of a sparse matrix is then set by matrix_set_pattern. */
void matrix_layout(struct matrix *A, struct arena *arena);

/* Copies the pattern of a sparse matrix that shares no other's. */
void matrix_set_pattern(struct matrix *A, const struct sparse_pattern *pattern);

/* The address of entry (i, j), which must lie in the band or the pattern. */
double *matrix_entry(const struct matrix *A, size_t i, size_t j);

/* What is stored of row i: value[e] in column column[e], or first + e where column is NULL, e < count. */
struct matrix_row {
    size_t count, first;
    const size_t *column;
    const double *value;
};
struct matrix_row matrix_row(const struct matrix *A, size_t i);
static inline size_t matrix_row_column(const struct matrix_row *row, size_t e)
{
    return row->column ? row->column[e] : row->first + e;
}

/* Finds the non-zero entries of value and stores them in rows, for matrix_multiply; a sparse matrix stays as it is. */
void matrix_compress(struct matrix *A);

/* Makes A ready for matrix_multiply: compressed, unless it is so small that its zeros cost less than to find them. */
void matrix_make_ready(struct matrix *A);

/* R = A V + R for a panel, after matrix_make_ready or matrix_compress; picks sparse or dense rows by density. */
void matrix_multiply(const struct matrix *A, const struct kernels *kernels, size_t lanes,
                     const double *V, double *R);

/* r = A^T v + r (adjoints). */
void matrix_multiply_transposed(const struct matrix *A, const double *v, double *r);

#endif
