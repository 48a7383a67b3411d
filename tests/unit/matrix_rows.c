/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices as users fill them: their entries, their non-zeros and their products. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "matrix/matrix.h"
#include "support/random.h"
#include "test.h"

static const size_t sizes[] = {1, 2, 3, 8, 13, 40};

struct setting {
    void *block;
    struct matrix A;
};

static struct setting create(enum matrix_kind kind, size_t n, size_t lower, size_t upper)
{
    struct setting s = {.A = {.kind = kind, .n = n, .lower = lower, .upper = upper}};
    struct arena arena = {0};
    matrix_layout(&s.A, &arena);
    s.block = heap_take(arena.used);
    arena = (struct arena){.block = s.block};
    matrix_layout(&s.A, &arena);
    return s;
}

static int in_band(const struct matrix *A, size_t i, size_t j)
{
    return j <= i + A->upper && i <= j + A->lower;
}

/* `share` of the entries in the band are not zero; what lies outside the matrix is poisoned. */
static void fill(struct matrix *A, double share)
{
    struct random_source source = {A->n};
    for (size_t x = 0; x < A->n * A->width; x++) A->value[x] = (double)NAN;
    for (size_t i = 0; i < A->n; i++)
        for (size_t j = 0; j < A->n; j++)
            if (in_band(A, i, j)) {
                double const value = random_next(&source);
                int const kept = (random_next(&source) + 1) / 2 < share;
                *matrix_entry(A, i, j) = kept ? value : 0;
            }
}

typedef void property(struct matrix *A);

static void for_all(property *holds)
{
    static const size_t bands[][2] = {{0, 0}, {1, 1}, {0, 2}, {2, 0}, {5, 3}};
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (size_t b = 0; b < sizeof bands / sizeof *bands; b++)
            for (double share = 0; share <= 1; share += 0.25) {
                size_t const n = sizes[a];
                int const dense = b == 0;
                size_t const lower = bands[b][0] < n ? bands[b][0] : n - 1;
                size_t const upper = bands[b][1] < n ? bands[b][1] : n - 1;
                struct setting s = create(dense ? MATRIX_DENSE : MATRIX_BAND, n, lower, upper);
                fill(&s.A, share);
                matrix_compress(&s.A);
                holds(&s.A);
                heap_return(s.block);
            }
}

static double value_at(const struct matrix *A, size_t i, size_t j)
{
    return in_band(A, i, j) ? *matrix_entry(A, i, j) : 0;
}

static void keeps_non_zeros(struct matrix *A)
{
    size_t m = 0, inside = 0;
    for (size_t i = 0; i < A->n; i++) {
        CHECK_EQUAL(A->rows.start[i], m);
        for (size_t j = 0; j < A->n; j++) {
            inside += in_band(A, i, j) ? 1 : 0;
            if (value_at(A, i, j) == 0) continue;
            CHECK_EQUAL(A->rows.column[m], j);
            CHECK(A->rows.value[m] == value_at(A, i, j));
            m++;
        }
    }
    CHECK_EQUAL(A->rows.start[A->n], m);
    CHECK_CLOSE(A->density, (double)m / (double)inside, DBL_EPSILON);
}

TEST(compress_keeps_the_non_zero_entries_of_the_band_in_order)
{
    for_all(keeps_non_zeros);
}

static void multiplies(struct matrix *A)
{
    enum { LANES = 4 };
    size_t const n = A->n;
    double *const V = heap_take(lane_round(n * LANES) * sizeof(double));
    double *const R = heap_take(lane_round(n * LANES) * sizeof(double));
    struct random_source source = {n};
    for (size_t x = 0; x < n * LANES; x++) V[x] = random_next(&source), R[x] = (double)x;
    matrix_multiply(A, kernels_choose(), LANES, V, R);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < LANES; k++) {
            double exact = (double)(i * LANES + k);
            double const size = exact + (double)n;
            for (size_t j = 0; j < n; j++) exact += value_at(A, i, j) * V[j * LANES + k];
            CHECK_CLOSE(R[i * LANES + k], exact, ((double)n + 1) * DBL_EPSILON * size);
        }
    heap_return(R);
    heap_return(V);
}

TEST(multiply_adds_a_times_v_at_every_density)
{
    for_all(multiplies);
}

static void multiplies_transposed(struct matrix *A)
{
    size_t const n = A->n;
    double *const v = heap_take(lane_round(n) * sizeof(double));
    double *const r = heap_take(lane_round(n) * sizeof(double));
    struct random_source source = {n};
    for (size_t i = 0; i < n; i++) v[i] = random_next(&source), r[i] = 1;
    matrix_multiply_transposed(A, v, r);
    for (size_t j = 0; j < n; j++) {
        double exact = 1;
        for (size_t i = 0; i < n; i++) exact += value_at(A, i, j) * v[i];
        CHECK_CLOSE(r[j], exact, ((double)n + 1) * ((double)n + 1) * DBL_EPSILON);
    }
    heap_return(r);
    heap_return(v);
}

TEST(multiply_transposed_adds_the_transposed_times_v)
{
    for_all(multiplies_transposed);
}

TEST(a_matrix_without_entries_takes_hardly_any_memory_and_multiplies_as_zero)
{
    struct setting s = create(MATRIX_NONE, 3, 0, 0);
    double v[LANE_GROUP] = {1, 2, 3}, r[LANE_GROUP] = {4, 5, 6};
    matrix_compress(&s.A);
    matrix_multiply(&s.A, kernels_choose(), 1, v, r);
    matrix_multiply_transposed(&s.A, v, r);
    CHECK(r[0] == 4 && r[1] == 5 && r[2] == 6);
    CHECK(s.A.density == 0);
    heap_return(s.block);
}

TEST(a_matrix_too_large_for_memory_overflows_the_arena)
{
    struct matrix A = {.kind = MATRIX_DENSE, .n = (size_t)-1 / 2};
    struct arena arena = {0};
    matrix_layout(&A, &arena);
    CHECK(arena.overflow);
}
