/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with dense and band factors for one vector: one lane has nothing to share between lanes, so the registers
   hold parts of rows instead, DOT_ROWS rows at a time. */
#ifndef MATRIX_LU_SOLVE_VECTOR_H
#define MATRIX_LU_SOLVE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/kernels_dot.h"
#include "matrix/lu_kernels.h"
#include "matrix/lu_tiny.h"
#include "matrix/vector_types.h"

/* x <- L^-1 x and x <- U^-1 x for the triangles of n <= DOT_ROWS rows whose corner is at a. */
ALWAYS_INLINE void lower_triangle(size_t n, size_t ld, const double *restrict a, double *restrict x)
{
    UNROLL
    for (size_t i = 0; i < n; i++) {
        double sum = x[i];
        UNROLL
        for (size_t j = 0; j < DOT_ROWS; j++)
            if (j < i) sum -= a[i * ld + j] * x[j];
        x[i] = sum * a[i * ld + i];
    }
}

ALWAYS_INLINE void upper_triangle(size_t n, size_t ld, const double *restrict a, double *restrict x)
{
    UNROLL
    for (size_t k = 0; k < n; k++) {
        size_t const i = n - 1 - k;
        double sum = x[i];
        UNROLL
        for (size_t j = DOT_ROWS; j-- > 0;)
            if (j > i && j < n) sum -= a[i * ld + j] * x[j];
        x[i] = sum;
    }
}

/* Rows i to i + DOT_ROWS - 1, i a multiple of DOT_ROWS, of x <- L^-1 x.  Inlined, the addresses the compiler prepares
   for the loop over blocks cost more than they save. */
static __attribute__((noinline)) void lower_block(const struct dense_factors *F, size_t i,
                                                  double *x)
{
    const double *const a = F->value + i * F->ld;
    vector sum[DOT_ROWS] = {{0}};
    double t[DOT_ROWS];
    dot_rows(i, F->ld, a, x, sum);
    UNROLL
    for (size_t r = 0; r < DOT_ROWS; r++) t[r] = x[i + r] - vector_total(sum[r]);
    lower_triangle(DOT_ROWS, F->ld, a + i, t);
    UNROLL
    for (size_t r = 0; r < DOT_ROWS; r++) x[i + r] = t[r];
}

/* The same of x <- U^-1 x; `whole` is n rounded down to blocks, last[] what x holds from there on, filled up by zeros. */
static __attribute__((noinline)) void upper_block(const struct dense_factors *F, size_t i,
                                                  size_t whole, const double last[DOT_ROWS],
                                                  double *x)
{
    const double *const a = F->value + i * F->ld;
    size_t const below = i + DOT_ROWS;
    vector sum[DOT_ROWS] = {{0}};
    double t[DOT_ROWS];
    dot_rows(whole - below, F->ld, a + below, x + below, sum);
    if (whole < F->n) dot_rows(DOT_ROWS, F->ld, a + whole, last, sum);
    UNROLL
    for (size_t r = 0; r < DOT_ROWS; r++) t[r] = x[i + r] - vector_total(sum[r]);
    upper_triangle(DOT_ROWS, F->ld, a + i, t);
    UNROLL
    for (size_t r = 0; r < DOT_ROWS; r++) x[i + r] = t[r];
}

/* The rows that do not fill a block, down and up; last[] gets their solution. */
static void solve_last_rows(const struct dense_factors *F, size_t whole, double *x,
                            double last[DOT_ROWS])
{
    size_t const rest = F->n - whole;
    const double *const a = F->value + whole * F->ld;
    for (size_t i = 0; i < rest; i++) {
        double sum = x[whole + i];
        if (whole) sum -= dot(whole, a + i * F->ld, x);
        for (size_t j = 0; j < i; j++) sum -= a[i * F->ld + whole + j] * last[j];
        last[i] = sum * a[i * F->ld + whole + i];
    }
    for (size_t i = rest; i-- > 0;) {
        for (size_t j = rest - 1; j > i; j--) last[i] -= a[i * F->ld + whole + j] * last[j];
        x[whole + i] = last[i];
    }
}

/* All of it for n rows of ld columns, both constants, with known order: nothing leaves the registers, and a sum waits
   for its last term alone. */
ALWAYS_INLINE void solve_tiny(size_t n, size_t ld, const struct dense_factors *F,
                              double *restrict x)
{
    const double *restrict const a = F->value;
    double t[TINY];
    UNROLL
    for (size_t i = 0; i < n; i++) {
        double sum = x[i];
        UNROLL
        for (size_t j = 0; j < TINY; j++)
            if (j < i) sum -= a[i * ld + j] * t[j];
        t[i] = sum * a[i * ld + i];
    }
    UNROLL
    for (size_t k = 1; k < n; k++) {
        size_t const i = n - 1 - k;
        UNROLL
        for (size_t j = TINY; j-- > 0;)
            if (j > i && j < n) t[i] -= a[i * ld + j] * t[j];
    }
    UNROLL
    for (size_t j = 0; j < n; j++) x[F->order[j]] = t[j];
}

/* False if there are too many rows, or their order is not known. */
static bool solved_tiny(const struct dense_factors *F, double *x)
{
    if (F->n > TINY || !F->order) return false;
#define TINY_CASE(rows)                                                                            \
    case rows:                                                                                     \
        solve_tiny(rows, TINY_COLUMNS(rows), F, x);                                                \
        return true;
    switch (F->n) {
        EACH_TINY(TINY_CASE)
    default:
        return false;
    }
#undef TINY_CASE
}

static void solve_dense_1(const struct dense_factors *F, size_t lanes, double *x)
{
    size_t const n = F->n, whole = n / DOT_ROWS * DOT_ROWS;
    double last[DOT_ROWS] = {0};
    (void)lanes;
    if (solved_tiny(F, x)) return;
    for (size_t i = 0; i < whole; i += DOT_ROWS) lower_block(F, i, x);
    solve_last_rows(F, whole, x, last);
    for (size_t i = whole; i > 0; i -= DOT_ROWS) upper_block(F, i - DOT_ROWS, whole, last, x);
    for (size_t i = n; i-- > 0;) {
        double const exchanged = x[F->pivot[i]];
        x[F->pivot[i]] = x[i];
        x[i] = exchanged;
    }
}

static void solve_band_1(const struct band_factors *F, size_t lanes, double *x)
{
    size_t const n = F->n, lower = F->lower + F->reach, diagonal = F->lower + F->upper;
    (void)lanes;
    for (size_t i = 0; i < n; i++) {
        size_t const left = i < lower ? i : lower;
        const double *const a = F->value + i * F->width + diagonal;
        x[i] = (x[i] - dot(left, a - left, x + i - left)) * a[0];
    }
    for (size_t i = n; i-- > 0;) {
        size_t const right = n - 1 - i < F->upper ? n - 1 - i : F->upper;
        const double *const a = F->value + i * F->width + diagonal;
        double const solved = x[i] - dot(right, a + 1, x + i + 1);
        x[i] = x[F->pivot[i]];
        x[F->pivot[i]] = solved;
    }
}

#endif
