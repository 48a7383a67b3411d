/* SPDX-License-Identifier: Apache-2.0 */
/* Dense, banded and sparse matrices and their products with panels. */
#include "matrix/matrix.h"

#include <stdbool.h>
#include <string.h>

/* Above this share of non-zero entries the tiles of the dense product win; for a single vector, which the dense
   product runs through along rows, much earlier (bench/kernels_bench.c). */
static double dense_share(size_t lanes)
{
    return lanes == 1 ? 0.2 : 0.55;
}

enum {
    FEW = 16
}; /* columns of a dense matrix whose zeros are multiplied by (bench/kernels_bench.c) */

/* The columns from `first` to end - 1 of row i lie in the matrix and in its band. */
static size_t first_column(const struct matrix *A, size_t i)
{
    return i > A->lower ? i - A->lower : 0;
}

static size_t end_column(const struct matrix *A, size_t i)
{
    return A->n - i > A->upper ? i + A->upper + 1 : A->n;
}

static void sparse_layout(struct matrix *A, struct arena *arena)
{
    A->width = 0;
    A->rows.n = A->n;
    A->density = (double)A->entries / ((double)A->n * (double)A->n);
    A->value = A->rows.value = arena_doubles(arena, A->entries);
    if (A->like) {
        A->rows.column = A->like->rows.column;
        A->rows.start = A->like->rows.start;
        return;
    }
    ARENA_TAKE(arena, A->rows.column, A->entries);
    ARENA_TAKE(arena, A->rows.start, A->n + 1);
}

void matrix_layout(struct matrix *A, struct arena *arena)
{
    if (A->kind == MATRIX_SPARSE) {
        sparse_layout(A, arena);
        return;
    }
    if (A->kind == MATRIX_DENSE) A->lower = A->upper = A->n - 1;
    A->width = A->kind == MATRIX_DENSE  ? A->n
               : A->kind == MATRIX_BAND ? A->lower + A->upper + 1
                                        : 0;
    A->rows.n = A->kind == MATRIX_NONE ? 0 : A->n;
    A->density = 0;
    A->value = arena_matrix(arena, A->n, A->width);
    A->rows.value = arena_matrix(arena, A->n, A->width);
    ARENA_TAKE(arena, A->rows.column, A->n * A->width);
    ARENA_TAKE(arena, A->rows.start, A->n + 1);
}

void matrix_set_pattern(struct matrix *A, const struct sparse_pattern *pattern)
{
    memcpy(A->rows.start, pattern->start, (A->n + 1) * sizeof *pattern->start);
    memcpy(A->rows.column, pattern->column, A->entries * sizeof *pattern->column);
}

/* The place of entry (i, j) of a sparse matrix, by halving. */
static size_t find_entry(const struct sparse_rows *rows, size_t i, size_t j)
{
    size_t first = rows->start[i], end = rows->start[i + 1];
    while (end - first > 1) {
        size_t const middle = first + (end - first) / 2;
        if (rows->column[middle] <= j)
            first = middle;
        else
            end = middle;
    }
    return first;
}

double *matrix_entry(const struct matrix *A, size_t i, size_t j)
{
    if (A->kind == MATRIX_SPARSE) return A->value + find_entry(&A->rows, i, j);
    return A->value + i * A->width + (A->kind == MATRIX_DENSE ? j : j + A->lower - i);
}

struct matrix_row matrix_row(const struct matrix *A, size_t i)
{
    if (A->kind == MATRIX_NONE) return (struct matrix_row){.count = 0};
    if (A->kind == MATRIX_SPARSE) {
        size_t const start = A->rows.start[i];
        return (struct matrix_row){.count = A->rows.start[i + 1] - start,
                                   .column = A->rows.column + start,
                                   .value = A->value + start};
    }
    size_t const first = first_column(A, i);
    return (struct matrix_row){
        .count = end_column(A, i) - first, .first = first, .value = matrix_entry(A, i, first)};
}

static size_t count_entries(size_t count, const double *v)
{
    size_t nz = 0;
    for (size_t x = 0; x < count; x++) nz += v[x] != 0;
    return nz;
}

/* Takes the values at the places found last time; true when there are no others, so that they are the whole matrix. */
static bool fits_again(struct matrix *A)
{
    struct sparse_rows *const rows = &A->rows;
    size_t nz = 0;
    if (A->kind != MATRIX_DENSE || rows->start[A->n] == 0) return false;
    for (size_t i = 0; i < A->n; i++) {
        const double *const row = A->value + i * A->n;
        for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
            rows->value[e] = row[rows->column[e]];
            nz += rows->value[e] != 0;
        }
    }
    return nz == count_entries(A->n * A->n, A->value);
}

void matrix_compress(struct matrix *A)
{
    struct sparse_rows *const rows = &A->rows;
    size_t nz = 0, inside = 0;
    if (A->kind == MATRIX_SPARSE || fits_again(A)) return;
    for (size_t i = 0; i < rows->n; i++) {
        size_t const first = first_column(A, i), count = end_column(A, i) - first;
        const double *const row = matrix_entry(A, i, first);
        rows->start[i] = nz;
        for (size_t j = 0; j < count; j++) {
            rows->column[nz] = first + j; /* overwritten by the next one if the entry is zero */
            rows->value[nz] = row[j];
            nz += row[j] != 0;
        }
        inside += count;
    }
    rows->start[rows->n] = nz;
    A->density = inside ? (double)nz / (double)inside : 0;
}

void matrix_make_ready(struct matrix *A)
{
    if (A->kind == MATRIX_DENSE && A->n <= FEW)
        A->density = 1;
    else
        matrix_compress(A);
}

void matrix_multiply(const struct matrix *A, const struct kernels *kernels, size_t lanes,
                     const double *V, double *R)
{
    if (A->kind == MATRIX_DENSE && A->density > dense_share(lanes))
        kernels->multiply_dense(A->n, A->value, lanes, V, R);
    else
        kernels->multiply_sparse(&A->rows, lanes, V, R);
}

static void multiply_sparse_transposed(const struct sparse_rows *rows, const double *v, double *r)
{
    for (size_t i = 0; i < rows->n; i++)
        for (size_t m = rows->start[i]; m < rows->start[i + 1]; m++)
            r[rows->column[m]] += rows->value[m] * v[i];
}

void matrix_multiply_transposed(const struct matrix *A, const double *v, double *r)
{
    if (A->kind == MATRIX_SPARSE) {
        multiply_sparse_transposed(&A->rows, v, r);
        return;
    }
    for (size_t i = 0; i < A->rows.n; i++) {
        size_t const end = end_column(A, i);
        for (size_t j = first_column(A, i); j < end; j++) r[j] += *matrix_entry(A, i, j) * v[i];
    }
}
