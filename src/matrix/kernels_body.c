/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kernels for one instruction set, KERNELS_NAME; products of matrices and panels. */
#include "matrix/kernels.h"

#include "matrix/kernels_correct.h"
#include "matrix/kernels_dot.h"
#include "matrix/kernels_four.h"
#include "matrix/kernels_history.h"
#include "matrix/kernels_norms.h"
#include "matrix/kernels_rows.h"
#include "matrix/lu_kernels.h"
#include "matrix/vector_types.h"

#define STRIP_FILE "matrix/dense_product_strip.h"
#define WIDEST     TILE_STRIP
#include "matrix/each_strip.h"

#define STRIP_FILE "matrix/sparse_product_strip.h"
#define WIDEST     ROW_STRIP
#include "matrix/each_strip.h"

static void multiply_dense_1(size_t n, const double *A, size_t lanes, const double *v, double *r)
{
    size_t const whole = n / VECTOR * VECTOR;
    size_t i = 0;
    (void)lanes;
    for (; i + DOT_ROWS <= n; i += DOT_ROWS) {
        vector sum[DOT_ROWS] = {{0}};
        dot_rows(whole, n, A + i * n, v, sum);
        UNROLL
        for (size_t k = 0; k < DOT_ROWS; k++) {
            double rest = r[i + k];
            for (size_t j = whole; j < n; j++) rest += A[(i + k) * n + j] * v[j];
            r[i + k] = rest + vector_total(sum[k]);
        }
    }
    for (; i < n; i++) r[i] += dot(n, A + i * n, v);
}

/* Two sums a row, as the additions of one would wait for each other. */
static void multiply_sparse_1(const struct sparse_rows *A, size_t lanes, const double *restrict v,
                              double *restrict r)
{
    (void)lanes;
    for (size_t i = 0; i < A->n; i++) {
        double sum = r[i], other = 0;
        size_t m = A->start[i];
        for (; m + 2 <= A->start[i + 1]; m += 2) {
            sum += A->value[m] * v[A->column[m]];
            other += A->value[m + 1] * v[A->column[m + 1]];
        }
        if (m < A->start[i + 1]) sum += A->value[m] * v[A->column[m]];
        r[i] = sum + other;
    }
}

static void multiply_dense(size_t n, const double *A, size_t lanes, const double *V, double *R)
{
    size_t const strip = lanes < TILE_STRIP ? lanes : TILE_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        multiply_dense_##s(n, A, lanes, V + k, R + k);                                             \
        break;
        switch (strip) {
            EACH_TILE_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

static void multiply_sparse(const struct sparse_rows *A, size_t lanes, const double *V, double *R)
{
    size_t const strip = lanes < ROW_STRIP ? lanes : ROW_STRIP;
    for (size_t k = 0; k < lanes; k += strip) {
#define STRIP_CASE(s)                                                                              \
    case s:                                                                                        \
        multiply_sparse_##s(A, lanes, V + k, R + k);                                               \
        break;
        switch (strip) {
            EACH_ROW_STRIP(STRIP_CASE)
        }
#undef STRIP_CASE
    }
}

static void combine(size_t count, double a, const double *x, double b, const double *y, double *z)
{
    for (size_t i = 0; i < count; i += VECTOR)
        VECTOR_AT(z + i) = a * VECTOR_OF(x + i) + b * VECTOR_OF(y + i);
}

static void scale_rows(size_t n, size_t lanes, const double *factor, const double *from, double *to)
{
    if (lanes == 1) {
        for (size_t i = 0; i < n; i += VECTOR)
            VECTOR_AT(to + i) = VECTOR_OF(factor + i) * VECTOR_OF(from + i);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double *const row = from + i * lanes;
        if (lanes < VECTOR)
            for (size_t k = 0; k < lanes; k++) to[i * lanes + k] = factor[i] * row[k];
        else
            for (size_t k = 0; k < lanes; k += VECTOR)
                VECTOR_AT(to + i * lanes + k) = factor[i] * VECTOR_OF(row + k);
    }
}

extern const struct kernels PASTE(kernels, KERNELS_NAME);
extern const struct lu_kernels PASTE(lu_kernels, KERNELS_NAME);

#define TEXT_EXPANDED(name) #name
#define TEXT(name)          TEXT_EXPANDED(name)

static const struct step_kernels step_kernels = {
    .history = history,
    .correct = correct_part,
    .residual = residual,
    .sum_rows = sum_rows,
    .larger = larger,
    .row_sizes = row_sizes,
    .order_squares = order_squares,
};

const struct kernels PASTE(kernels, KERNELS_NAME) = {
    .name = TEXT(KERNELS_NAME),
    .weights = weights,
    .scale_rows = scale_rows,
    .square_sums = square_sums,
    .largest = largest,
    .all_finite = all_finite,
    .multiply_sparse = multiply_sparse,
    .multiply_dense = multiply_dense,
    .combine = combine,
    .take_four = take_four,
    .put_four = put_four,
    .step = &step_kernels,
    .lu = &PASTE(lu_kernels, KERNELS_NAME),
};
