/* SPDX-License-Identifier: Apache-2.0 */
/* Solves with narrow bands that need no exchanges, and with small dense matrices of every size, for every kernel and number of lanes. */
#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "linear/linear.h"
#include "matrix/kernels.h"
#include "matrix/lu_kernels.h"
#include "support/linear_cases.h"
#include "support/random.h"
#include "test.h"

enum { WIDEST = 5, LONGEST = 30 };

/* W_ij of a band with b diagonals on each side: the diagonal is 4 b - 1 at least, the others of its row are 2 b together at most. */
static double entry(size_t b, size_t i, size_t j)
{
    struct random_source source = {100 * i + j + 1};
    double const r = random_next(&source);
    size_t const distance = i > j ? i - j : j - i;
    return distance > b ? 0 : distance > 0 ? r : 4 * (double)b + r;
}

static void fill(struct band_factors *F)
{
    for (size_t i = 0; i < F->n; i++)
        for (size_t j = 0; j < F->n; j++) {
            size_t const at = F->lower + F->upper + j - i;
            if (j + F->lower >= i && j <= i + F->upper)
                F->value[i * F->width + at] = entry(F->upper, i, j);
        }
}

/* With a dominant diagonal |L| |U| is at most twice |W| in the maximum norm, 6 b at most, so that W x misses the right-hand
   side by less than (3 b + 3) eps times that times |x| (Higham 2002, theorem 9.4 for 2 b + 1 entries in a row). */
static void check_residual(size_t n, size_t b, size_t lanes, const double *X)
{
    double const limit = (3 * (double)b + 3) * DBL_EPSILON * 12 * (double)b;
    for (size_t k = 0; k < lanes; k++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < n; j++) {
                sum += entry(b, i, j) * X[j * lanes + k];
                size = fmax(size, fabs(X[j * lanes + k]));
            }
            CHECK_CLOSE(sum, 1 + (double)(i * lanes + k), limit * size);
        }
}

static void check_band(const struct kernels *kernels, size_t n, size_t b, size_t lanes)
{
    size_t pivot[LONGEST];
    double size[LONGEST];
    for (size_t j = 0; j < n; j++) size[j] = 1;
    struct band_factors F = {
        .n = n, .lower = b, .upper = b, .width = 3 * b + 1, .pivot = pivot, .size = size};
    double *const X = heap_take((lane_round(n * lanes) + LANE_GROUP) * sizeof *X);
    F.value = heap_take(n * F.width * sizeof *F.value);
    fill(&F);
    CHECK_EQUAL(kernels->lu->factor_band(&F), 0);
    CHECK_EQUAL(F.reach, 0);
    for (size_t x = 0; x < n * lanes; x++) X[x] = 1 + (double)x;
    X[n * lanes] = 42;
    kernels->lu->solve_band(&F, lanes, X);
    CHECK_EQUAL(X[n * lanes], 42);
    check_residual(n, b, lanes, X);
    heap_return(F.value);
    heap_return(X);
}

TEST(narrow_bands_without_exchanges_are_solved)
{
    static const size_t more[] = {1, 2, 3, 8, LONGEST - WIDEST};
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t b = 1; b <= WIDEST; b++)
            for (size_t x = 0; x < 5; x++)
                for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2)
                    check_band(list[m], b + more[x], b, lanes);
}

/* Column k of a panel is solved as if it were alone, to rounding errors: pivots along the rows bound |L| |U| by n 2^(n-1) |W|
   only, but here it is of the size of W, and entries of W^-1 are below 10. */
static void check_dense(const struct kernels *kernels, size_t n, size_t lanes, enum mass mass)
{
    struct linear_shape const shape = {.n = n, .band = {n - 1, n - 1}, .mass = mass};
    struct linear_case *const s = linear_case_create(&linear_dense_lu, kernels, &shape);
    double const re = 3 * (double)n;
    double *const X = heap_take(lane_round(n * lanes) * sizeof *X);
    linear_case_fill(s, &shape);
    if (mass == ANY)
        for (size_t i = 0; i < n; i++) s->M.value[i * n + i] += 2 * (double)n;
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, re, 0), 0);
    for (size_t x = 0; x < n * lanes; x++) X[x] = 1 + (double)x;
    s->l.table->solve_panel(&s->l, 0, lanes, X);
    for (size_t k = 0; k < lanes; k++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < n; j++) {
                double const term = linear_case_entry(s, re, i, j) * X[j * lanes + k];
                sum += term;
                size += fabs(term);
            }
            CHECK_CLOSE(sum, 1 + (double)(i * lanes + k),
                        DBL_EPSILON * 10 * (double)n * (size + (double)(n * lanes)));
        }
    heap_return(X);
    linear_case_destroy(s);
}

TEST(small_dense_systems_of_every_size_are_solved)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t n = 1; n <= SMALL + 1; n++)
            for (size_t lanes = 1; lanes <= MAX_LANES; lanes *= 2) {
                check_dense(list[m], n, lanes, UNIT);
                check_dense(list[m], n, lanes, ANY);
            }
}
