/* SPDX-License-Identifier: Apache-2.0 */
/* What every linear solver promises (linear/linear.h), with every set of kernels of this machine. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "linear/linear.h"
#include "support/linear_cases.h"
#include "support/random.h"
#include "test.h"

enum { GUARD = 8 };

/* max_i |b - W x|, with x and b in lane k of panels. */
static double residual(const struct linear_case *s, double re, size_t lanes, const double *x,
                       const double *b)
{
    double top = 0;
    for (size_t i = 0; i < s->A.n; i++) {
        double r = b[i * lanes];
        for (size_t j = 0; j < s->A.n; j++) r -= linear_case_entry(s, re, i, j) * x[j * lanes];
        if (!(fabs(r) <= top)) top = fabs(r);
    }
    return top;
}

/* |b - W x| <= 3 n eps | |L| |U| | |x| (Higham 2002, theorem 9.4), the growth of entries by pivoting taken as its mean
   n^(2/3) for random matrices (Trefethen and Schreiber 1990), or what the sparse solver puts up with, and the sum of n + 1
   terms of the residual itself. */
static double bound(const struct linear_case *s, double re, size_t lanes, const double *x)
{
    double const n = (double)s->A.n;
    double const growth = s->A.kind == MATRIX_SPARSE ? 1e3 : pow(n, 2.0 / 3.0);
    double size = 0;
    for (size_t i = 0; i < s->A.n; i++) size = fmax(size, fabs(x[i * lanes]));
    return (3 * growth + 1) * (n + 1) * DBL_EPSILON * n * (1 + fabs(re)) * size;
}

static double *random_panel(size_t n, size_t lanes, size_t columns)
{
    double *const X = heap_take((lane_round(n * lanes) + GUARD) * sizeof(double));
    struct random_source source = {n + lanes};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < columns; k++) X[i * lanes + k] = random_next(&source);
    return X;
}

static double *copy_of(const double *X, size_t count)
{
    double *const copy = heap_take((lane_round(count) + GUARD) * sizeof(double));
    memcpy(copy, X, count * sizeof(double));
    return copy;
}

static void solves(const struct linear_table *table, const struct kernels *kernels,
                   const struct linear_shape *shape)
{
    size_t const n = shape->n;
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    double const re = 1.5;
    linear_case_fill(s, shape);
    CHECK_EQUAL(table->factor(&s->l, 0, re, 0), 0);
    double *const b = random_panel(n, 1, 1), *const x = copy_of(b, n);
    table->solve(&s->l, 0, x);
    CHECK_AT_MOST(residual(s, re, 1, x, b), bound(s, re, 1, x));
    heap_return(x);
    heap_return(b);
    linear_case_destroy(s);
}

TEST(solve_leaves_a_residual_of_rounding_errors)
{
    linear_cases(solves);
}

/* The panel's columns, all but the last two in use, against solves one by one: W (x - x') is the difference of
   two residuals. */
static void solves_panel(struct linear_case *s, double re, size_t lanes)
{
    size_t const n = s->A.n, columns = lanes > 2 ? lanes - 2 : lanes;
    double *const B = random_panel(n, lanes, columns), *const X = copy_of(B, n * lanes);
    double *const x = heap_take(lane_round(n) * sizeof(double));
    X[n * lanes] = 42;
    s->l.table->solve_panel(&s->l, 0, lanes, X);
    CHECK_EQUAL(X[n * lanes], 42);
    for (size_t k = 0; k < columns; k++) {
        double const limit = bound(s, re, lanes, X + k);
        for (size_t i = 0; i < n; i++) x[i] = B[i * lanes + k];
        s->l.table->solve(&s->l, 0, x);
        bool const looked_at = n < 200 / TEST_STRIDE ? k % TEST_STRIDE == 0 : k == 0;
        if (looked_at) CHECK_AT_MOST(residual(s, re, lanes, X + k, B + k), limit);
        for (size_t i = 0; i < n; i++) B[i * lanes + k] = X[i * lanes + k] - x[i];
        for (size_t i = 0; i < n; i++) x[i] = 0;
        if (looked_at)
            for (size_t i = 0; i < n; i++) {
                double difference = 0;
                for (size_t j = 0; j < n; j++)
                    difference += linear_case_entry(s, re, i, j) * B[j * lanes + k];
                CHECK_AT_MOST(fabs(difference), 2 * limit);
            }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = columns; k < lanes; k++) CHECK(X[i * lanes + k] == 0);
    heap_return(x);
    heap_return(X);
    heap_return(B);
}

static void solves_panels(const struct linear_table *table, const struct kernels *kernels,
                          const struct linear_shape *shape)
{
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    double const re = -0.75;
    linear_case_fill(s, shape);
    CHECK_EQUAL(table->factor(&s->l, 0, re, 0), 0);
    for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2) solves_panel(s, re, lanes);
    linear_case_destroy(s);
}

TEST(solve_panel_equals_solve_column_by_column_and_leaves_unused_lanes_zero)
{
    linear_cases(solves_panels);
}

static double dot(size_t n, const double *u, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += u[i] * v[i];
    return sum;
}

static double sum_of_sizes(size_t n, const double *u)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(u[i]);
    return sum;
}

/* With W x = v - r and W^T y = u - q: u.x - y.v = q.x - y.r. */
static void is_adjoint(const struct linear_table *table, const struct kernels *kernels,
                       const struct linear_shape *shape)
{
    size_t const n = shape->n;
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    double const re = 0.3;
    linear_case_fill(s, shape);
    CHECK_EQUAL(table->factor(&s->l, 1, re, 0), 0);
    double *const u = random_panel(n, 1, 1), *const v = random_panel(n, 1, 1);
    for (size_t i = 0; i < n; i++) v[i] += 0.5;
    double *const x = copy_of(v, n), *const y = copy_of(u, n);
    table->solve(&s->l, 1, x);
    table->solve_transposed(&s->l, 1, y);
    double const rounding = (double)n * DBL_EPSILON;
    double const tolerance = bound(s, re, 1, y) * sum_of_sizes(n, x) +
                             bound(s, re, 1, x) * sum_of_sizes(n, y) +
                             rounding * (sum_of_sizes(n, x) + 1.5 * sum_of_sizes(n, y));
    CHECK_CLOSE(dot(n, u, x), dot(n, y, v), tolerance);
    heap_return(y);
    heap_return(x);
    heap_return(v);
    heap_return(u);
    linear_case_destroy(s);
}

TEST(solve_transposed_is_the_adjoint_of_solve)
{
    linear_cases(is_adjoint);
}

static void keeps_slots(const struct linear_table *table, const struct kernels *kernels,
                        const struct linear_shape *shape)
{
    size_t const n = shape->n;
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    linear_case_fill(s, shape);
    double *const b = random_panel(n, 1, 1), *const before = copy_of(b, n);
    double *const after = copy_of(b, n), *const other = copy_of(b, n);
    CHECK_EQUAL(table->factor(&s->l, 0, 2.5, 0), 0);
    table->solve(&s->l, 0, before);
    CHECK_EQUAL(table->factor(&s->l, 1, -1.25, 0), 0);
    table->solve(&s->l, 0, after);
    table->solve(&s->l, 1, other);
    CHECK(memcmp(before, after, n * sizeof(double)) == 0);
    CHECK_AT_MOST(residual(s, -1.25, 1, other, b), bound(s, -1.25, 1, other));
    heap_return(other);
    heap_return(after);
    heap_return(before);
    heap_return(b);
    linear_case_destroy(s);
}

TEST(slots_do_not_touch_each_other)
{
    linear_cases(keeps_slots);
}

/* A row of W whose only entry is zero stays zero and is found at its own pivot; so is one that is not finite, and one
   whose reciprocal is not. */
static void reports_pivots(const struct linear_table *table, const struct kernels *kernels,
                           const struct linear_shape *shape)
{
    size_t const n = shape->n;
    static const double bad[] = {0, (double)NAN, (double)INFINITY, 1e-310};
    for (size_t c = 0; c < sizeof bad / sizeof *bad; c++) {
        struct linear_case *const s = linear_case_create(table, kernels, shape);
        size_t const row = s->A.kind == MATRIX_NONE ? 0 : 2 * n / 3;
        double const re = s->A.kind == MATRIX_NONE ? bad[c] : 0;
        linear_case_fill(s, shape);
        for (size_t j = 0; j < n; j++)
            if (linear_case_is_inside(&s->A, row, j))
                *matrix_entry(&s->A, row, j) = j == row ? -bad[c] : 0;
        CHECK_EQUAL(table->factor(&s->l, 0, re, 0), row + 1);
        linear_case_destroy(s);
    }
}

TEST(pivots_that_are_zero_tiny_or_not_finite_are_reported)
{
    linear_cases(reports_pivots);
}

/* Wherever a NaN or an infinity stands, some pivot shows it. */
static void reports_not_finite(const struct linear_table *table, const struct kernels *kernels,
                               const struct linear_shape *shape)
{
    size_t const n = shape->n;
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    for (size_t i = 0; i < n; i += 1 + n / 6)
        for (size_t j = 0; j < n; j += 1 + n / 7) {
            if (!linear_case_is_inside(&s->A, i, j)) continue;
            linear_case_fill(s, shape);
            *matrix_entry(&s->A, i, j) = (i + j) % 2 ? (double)NAN : (double)INFINITY;
            ptrdiff_t const failed = table->factor(&s->l, 0, 1, 0);
            CHECK(failed >= 1 && failed <= (ptrdiff_t)n);
        }
    linear_case_destroy(s);
}

TEST(entries_that_are_not_finite_are_reported)
{
    linear_cases(reports_not_finite);
}

static void refuses_complex(const struct linear_table *table, const struct kernels *kernels,
                            const struct linear_shape *shape)
{
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    CHECK_EQUAL(table->factor(&s->l, 0, 1, 1e-3), LINEAR_NOT_SUPPORTED);
    linear_case_destroy(s);
}

TEST(complex_shifts_are_refused)
{
    linear_cases(refuses_complex);
}

static void has_costs(const struct linear_table *table, const struct kernels *kernels,
                      const struct linear_shape *shape)
{
    size_t const n = shape->n;
    struct linear_case *const s = linear_case_create(table, kernels, shape);
    int const banded = s->A.kind == MATRIX_BAND; /* the corners of the band may count */
    double const width = (double)(banded ? s->A.lower + s->A.upper + 1 : n);
    CHECK(table->solve_cost(&s->l) >= (double)n);
    CHECK(table->solve_cost(&s->l) <= 2 * (double)n * width);
    CHECK(table->factor_cost(&s->l) >= 0);
    CHECK(table->factor_cost(&s->l) <= (double)n * width * width);
    linear_case_destroy(s);
}

TEST(costs_lie_between_those_of_a_diagonal_and_of_a_full_matrix)
{
    linear_cases(has_costs);
}
