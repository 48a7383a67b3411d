/* SPDX-License-Identifier: Apache-2.0 */
/* Weights, norms, products and sums of panels, by every instruction set, against plain loops. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "matrix/kernels.h"
#include "support/random.h"
#include "test.h"

static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 64, 100};
static const double guard = 42;

typedef void property(const struct kernels *kernels, size_t n, size_t lanes);

static void for_all(property *holds)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
            for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2) holds(list[m], sizes[a], lanes);
}

/* count random numbers, zeros up to a whole group, and a guard behind them. */
static double *take(size_t count, size_t seed)
{
    size_t const length = lane_round(count);
    double *const v = heap_take((length + LANE_GROUP) * sizeof(double));
    struct random_source source = {seed};
    for (size_t x = 0; x < count; x++) v[x] = random_next(&source);
    v[length] = guard;
    return v;
}

static void give_back(double *v, size_t count)
{
    CHECK(v[lane_round(count)] == guard);
    heap_return(v);
}

/* Elsewhere, and in place. */
static void scales_rows(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const factor = take(n, 1), *const v = take(n * lanes, 2), *const w = take(n * lanes, 3);
    kernels->scale_rows(n, lanes, factor, v, w);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++)
            CHECK_CLOSE(w[i * lanes + k], factor[i] * v[i * lanes + k], 0);
    kernels->scale_rows(n, lanes, factor, v, v);
    for (size_t x = 0; x < n * lanes; x++) CHECK_CLOSE(v[x], w[x], 0);
    give_back(factor, n);
    give_back(v, n * lanes);
    give_back(w, n * lanes);
}

TEST(rows_are_scaled)
{
    for_all(scales_rows);
}

static void weighs(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const v = take(n * lanes, 1), *const winv = take(n * lanes, 2);
    double *const rtol = take(n, 3), *const atol = take(n, 4);
    double *const rho = take(lanes, 5), *const a = take(lanes, 6);
    for (size_t i = 0; i < n; i++) rtol[i] = fabs(rtol[i]), atol[i] = 1e-3 * fabs(atol[i]);
    for (size_t k = 0; k < lanes; k++) rho[k] = fabs(rho[k]), a[k] = fabs(a[k]);
    kernels->weights(n, lanes, &(struct tolerance){rtol, rho, atol, a}, v, winv);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++) {
            size_t const x = i * lanes + k;
            double const exact = 1 / (rtol[i] * rho[k] * fabs(v[x]) + atol[i] * a[k]);
            CHECK_CLOSE(winv[x], exact, 6 * DBL_EPSILON * exact); /* five operations and 1/w */
        }
    give_back(v, n * lanes);
    give_back(winv, n * lanes);
    give_back(rtol, n);
    give_back(atol, n);
    give_back(rho, lanes);
    give_back(a, lanes);
}

TEST(weights_are_the_reciprocals_of_the_tolerances)
{
    for_all(weighs);
}

static void stays_finite(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const v = take(n * lanes, 1), *const winv = take(n * lanes, 2);
    double *const zero = take(n, 3), *const one = take(lanes, 4);
    double result[MAX_LANES];
    struct tolerance const t = {zero, one, zero, one};
    for (size_t i = 0; i < n; i++) zero[i] = 0;
    kernels->weights(n, lanes, &t, v, winv);
    for (size_t x = 0; x < n * lanes; x++) CHECK(winv[x] >= 1e300 && isfinite(winv[x]));

    size_t const bad = n * lanes - 1;
    v[bad] = (double)NAN;
    kernels->weights(n, lanes, &t, v, winv);
    v[bad] = 1;
    kernels->square_sums(n, lanes, v, winv, result);
    CHECK(isnan(result[bad % lanes]));
    kernels->largest(n, lanes, v, winv, result);
    CHECK(isnan(result[bad % lanes]));
    give_back(v, n * lanes);
    give_back(winv, n * lanes);
    give_back(zero, n);
    give_back(one, lanes);
}

TEST(weights_of_zero_tolerances_are_finite_and_those_of_nan_make_the_norms_nan)
{
    for_all(stays_finite);
}

static void measures(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const v = take(n * lanes, 1), *const winv = take(n * lanes, 2);
    double sum[MAX_LANES], top[MAX_LANES];
    kernels->square_sums(n, lanes, v, winv, sum);
    kernels->largest(n, lanes, v, winv, top);
    for (size_t k = 0; k < lanes; k++) {
        double exact_sum = 0, exact_top = 0;
        for (size_t i = 0; i < n; i++) {
            double const q = v[i * lanes + k] * winv[i * lanes + k];
            exact_sum += q * q;
            exact_top = fmax(exact_top, fabs(q));
        }
        CHECK_CLOSE(sum[k], exact_sum, 2 * ((double)n + 3) * DBL_EPSILON * exact_sum);
        CHECK(top[k] == exact_top);
    }
    give_back(v, n * lanes);
    give_back(winv, n * lanes);
}

TEST(norms_are_those_of_each_column)
{
    for_all(measures);
}

static void shows_nan(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const v = take(n * lanes, 1), *const winv = take(n * lanes, 2);
    double result[MAX_LANES];
    for (size_t bad = 0; bad < n * lanes; bad += 1 + n * lanes / 10) {
        double const good = v[bad];
        v[bad] = (double)NAN;
        kernels->square_sums(n, lanes, v, winv, result);
        for (size_t k = 0; k < lanes; k++) CHECK(!isnan(result[k]) == (k != bad % lanes));
        kernels->largest(n, lanes, v, winv, result);
        for (size_t k = 0; k < lanes; k++) CHECK(!isnan(result[k]) == (k != bad % lanes));
        v[bad] = -(double)INFINITY;
        kernels->largest(n, lanes, v, winv, result);
        for (size_t k = 0; k < lanes; k++) CHECK(!isinf(result[k]) == (k != bad % lanes));
        v[bad] = good;
    }
    give_back(v, n * lanes);
    give_back(winv, n * lanes);
}

TEST(a_nan_anywhere_shows_in_the_norms_of_its_column_and_in_no_other)
{
    for_all(shows_nan);
}

/* R = A V + R by sparse rows, and densely; a row of sums of n + 1 terms of size 1. */
static void multiplies(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const A = take(n * n, 1), *const V = take(n * lanes, 2);
    double *const dense = take(n * lanes, 3), *const sparse = take(n * lanes, 3);
    double *const before = take(n * lanes, 3);
    size_t *const start = calloc(n + 1, sizeof *start), *const column =
                                                            calloc(n * n, sizeof *column);
    double *const value = calloc(n * n, sizeof *value);
    size_t nz = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (A[i * n + j] < (double)(i % 4) - 2) A[i * n + j] = 0; /* empty to full rows */
            column[nz] = j;
            value[nz] = A[i * n + j];
            nz += value[nz] != 0;
        }
        start[i + 1] = nz;
    }
    kernels->multiply_dense(n, A, lanes, V, dense);
    kernels->multiply_sparse(&(struct sparse_rows){n, start, column, value}, lanes, V, sparse);
    for (size_t x = 0; x < n * lanes; x++) {
        double exact = before[x];
        for (size_t j = 0; j < n; j++) exact += A[x / lanes * n + j] * V[j * lanes + x % lanes];
        double const terms = (double)n + 1;
        CHECK_CLOSE(dense[x], exact, terms * terms * DBL_EPSILON);
        CHECK_CLOSE(sparse[x], exact, terms * terms * DBL_EPSILON);
    }
    free(value);
    free(column);
    free(start);
    give_back(before, n * lanes);
    give_back(sparse, n * lanes);
    give_back(dense, n * lanes);
    give_back(V, n * lanes);
    give_back(A, n * n);
}

TEST(products_add_a_times_v_to_the_panel)
{
    for_all(multiplies);
}

static void combines(const struct kernels *kernels, size_t n, size_t lanes)
{
    size_t const count = lane_round(n * lanes);
    double *const x = take(count, 1), *const y = take(count, 2), *const z = take(count, 3);
    double const a = -0.75, b = 3;
    kernels->combine(count, a, x, b, y, z);
    for (size_t i = 0; i < count; i++)
        CHECK_CLOSE(z[i], a * x[i] + b * y[i], 2 * DBL_EPSILON * (fabs(x[i]) + 3 * fabs(y[i])));
    kernels->combine(count, a, x, b, y, x);
    for (size_t i = 0; i < count; i++) CHECK(x[i] == z[i]);
    give_back(x, count);
    give_back(y, count);
    give_back(z, count);
}

TEST(combine_may_overwrite_an_argument)
{
    for_all(combines);
}

/* The largest entry and the squares of each lane, in two blocks of rows; what is there before counts, NaN in the largest does not. */
static void finds_sizes_of_rows(const struct kernels *kernels, size_t n, size_t lanes)
{
    double *const factor = take(n, 1), *const V = take(n * lanes, 2);
    double largest[MAX_LANES] = {0}, squares[MAX_LANES] = {0};
    size_t const half = n / 2;
    kernels->step->row_sizes(half, lanes, factor, V, largest, squares);
    kernels->step->row_sizes(n - half, lanes, factor + half, V + half * lanes, largest, squares);
    for (size_t k = 0; k < lanes; k++) {
        double most = 0, sum = 0;
        for (size_t i = 0; i < n; i++) {
            double const v = factor[i] * fabs(V[i * lanes + k]);
            most = v > most ? v : most;
            sum += v * v;
        }
        CHECK(largest[k] == most);
        CHECK_CLOSE(squares[k], sum, (double)(n + 1) * DBL_EPSILON * sum);
    }
    double const before = largest[lanes - 1];
    V[lanes - 1] = (double)NAN;
    kernels->step->row_sizes(n, lanes, factor, V, largest, squares);
    CHECK(largest[lanes - 1] == before && isnan(squares[lanes - 1]));
    give_back(factor, n);
    give_back(V, n * lanes);
}

TEST(sizes_of_rows_are_the_largest_and_the_squares)
{
    for_all(finds_sizes_of_rows);
}

/* Any four columns side by side, to points and back: (g - f)/eps with g = y + eps s and f = y is s again. */
static void takes_and_puts_four(const struct kernels *kernels, size_t n, size_t lanes)
{
    static const double eps[] = {0.5, -0.25, 1, 2};
    double *const y = take(n, 1), *const V = take(n * lanes, 2), *const R = take(n * lanes, 3),
                  *const moved = take(FOUR * n, 4), *const before = take(n * lanes, 3);
    for (size_t k = 0; k + FOUR <= lanes; k += 3) {
        struct four_columns const columns = {n, lanes, V + k, R + k};
        kernels->take_four(&columns, y, eps, moved);
        CHECK(kernels->put_four(&columns, moved, y, eps));
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < lanes; c++) {
                double const s = V[i * lanes + c], *const r = R + i * lanes + c;
                bool const is_one = c >= k && c < k + FOUR;
                if (is_one) {
                    double const point = y[i] + eps[c - k] * s, size = fabs(y[i]) + 2 * fabs(s);
                    CHECK_CLOSE(moved[(c - k) * n + i], point, DBL_EPSILON * size);
                    CHECK_CLOSE(*r, s, 8 * DBL_EPSILON * size);
                } else if (c > k) {
                    CHECK(*r == before[i * lanes + c]);
                }
            }
    }
    give_back(y, n);
    give_back(V, n * lanes);
    give_back(R, n * lanes);
    give_back(before, n * lanes);
    give_back(moved, FOUR * n);
}

/* A value that is not finite is seen wherever it stands, in the last rows too; others are stored as they are. */
static void sees_what_is_not_finite(const struct kernels *kernels, size_t n, size_t lanes)
{
    static const double eps[] = {0.5, -0.25, 1, 2}, bad[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
    double *const f = take(n, 1), *const R = take(n * lanes, 3), *const g = take(FOUR * n, 4);
    struct four_columns const columns = {n, lanes, R, R};
    for (size_t x = 0; x < FOUR * n && lanes >= FOUR; x++) {
        double const good = g[x];
        g[x] = bad[x % 3];
        CHECK(!kernels->put_four(&columns, g, f, eps));
        CHECK(!isfinite(R[x % n * lanes + x / n]));
        g[x] = good;
    }
    CHECK(lanes < FOUR || kernels->put_four(&columns, g, f, eps));
    give_back(f, n);
    give_back(R, n * lanes);
    give_back(g, FOUR * n);
}

TEST(four_columns_that_are_not_finite_are_seen)
{
    for_all(sees_what_is_not_finite);
}

TEST(four_columns_go_to_vectors_and_back)
{
    for_all(takes_and_puts_four);
}

TEST(the_best_kernels_are_the_last_of_the_list_and_the_plain_ones_the_first)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    CHECK(number >= 1 && number <= 3);
    CHECK_TEXT_CONTAINS(list[0]->name, "plain");
    CHECK(kernels_choose() == list[number - 1]);
}
