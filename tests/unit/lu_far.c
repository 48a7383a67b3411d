/* SPDX-License-Identifier: Apache-2.0 */
/* Dense factors of more columns than the tags of the pivot search can number: 3 on the diagonal and 1 beside it, with
   rows exchanged in pairs far out, whose solution is all ones. */
#include "base/heap.h"
#include "matrix/kernels.h"
#include "matrix/lu_kernels.h"
#include "test.h"

#include <float.h>
#include <math.h>

enum { N = 4104, FAR = 4090 }; /* from row FAR on two and two are exchanged */

static size_t diagonal_of(size_t i)
{
    return i < FAR ? i : i ^ 1;
}

/* Diagonally dominant rows but for the exchange: the growth is below 2, |W^-1| <= 1. */
TEST(dense_factors_of_more_than_4096_columns_are_right)
{
    if (TEST_STRIDE > 1) return; /* 4.6e10 operations */
    size_t const ld = lane_round(N);
    const struct kernels *const kernels = kernels_choose();
    double *const value = heap_take(N * ld * sizeof *value), *const x = heap_take(ld * sizeof *x);
    size_t *const pivot = heap_take(N * sizeof *pivot);
    double *const size = heap_take(ld * sizeof *size);
    CHECK(value && x && pivot && size);
    for (size_t j = 0; j < N; j++) size[j] = 1;
    for (size_t i = 0; i < N; i++) {
        double *const row = value + i * ld;
        size_t const d = diagonal_of(i);
        row[d] = 3;
        if (d > 0) row[d - 1] = 1;
        if (d + 1 < N) row[d + 1] = 1;
        x[i] = 3 + (d > 0) + (d + 1 < N);
    }
    struct dense_factors F = {.n = N, .ld = ld, .value = value, .pivot = pivot, .size = size};
    CHECK_EQUAL(kernels->lu->factor_dense(&F), 0);
    kernels->lu->solve_dense(&F, 1, x);
    for (size_t i = 0; i < N; i++) CHECK_CLOSE(x[i], 1, 100 * DBL_EPSILON);
    heap_return(size);
    heap_return(pivot);
    heap_return(x);
    heap_return(value);
}
