/* SPDX-License-Identifier: Apache-2.0 */
/* The k-th allocation fails, for every k, ours or KLU's: patterns, colours and factors say so and leak nothing.  KLU gets our
   malloc and free, which are watched, through SuiteSparse_config. */
#include <SuiteSparse_config.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "linear/linear.h"
#include "matrix/sparse_coloring.h"
#include "support/allocations.h"
#include "support/linear_cases.h"
#include "test.h"

static void watch_klu(void)
{
    SuiteSparse_config.malloc_func = malloc;
    SuiteSparse_config.calloc_func = calloc;
    SuiteSparse_config.realloc_func = realloc;
    SuiteSparse_config.free_func = free;
}

static const struct linear_shape shape = {64, {0, 0}, TANGLED, UNIT};

/* Factors, with the k-th request failing; then without a failure.  Whether the first went well. */
static int factors_twice(size_t k, double re)
{
    ptrdiff_t const live = allocations.live;
    struct linear_case *const s = linear_case_create(linear_sparse, kernels_choose(), &shape);
    linear_case_fill(s, &shape);
    allocations_fail(k);
    ptrdiff_t const code = s->l.table->factor(&s->l, 0, re, 0);
    allocations_fail(0);
    CHECK(code == 0 || code == LINEAR_NO_MEMORY);
    CHECK_EQUAL(s->l.table->factor(&s->l, 0, re, 0), 0);
    linear_case_destroy(s);
    CHECK_EQUAL(allocations.live, live);
    return code == 0;
}

TEST(a_factorisation_without_memory_says_so_leaks_nothing_and_can_be_repeated)
{
    size_t k = 1;
    watch_klu();
    while (!factors_twice(k, 20)) k++;
    CHECK(k > 10);
}

/* New pivots when there are factors already: the old ones are lost with the memory. */
TEST(new_pivots_without_memory_leak_nothing)
{
    watch_klu();
    for (size_t k = 1, failed = 1; failed; k++) {
        ptrdiff_t const live = allocations.live;
        struct linear_case *const s = linear_case_create(linear_sparse, kernels_choose(), &shape);
        linear_case_fill(s, &shape);
        CHECK_EQUAL(s->l.table->factor(&s->l, 0, 50, 0), 0);
        for (size_t i = 0; i < s->A.n; i += 3) *matrix_entry(&s->A, i, i) = 50 - 1e-12;
        allocations_fail(k);
        ptrdiff_t const code = s->l.table->factor(&s->l, 0, 50, 0);
        failed = code != 0;
        CHECK(failed || k > 1);
        allocations_fail(0);
        CHECK(code == 0 || code == LINEAR_NO_MEMORY);
        linear_case_destroy(s);
        CHECK_EQUAL(allocations.live, live);
    }
}

TEST(costs_without_memory_are_those_of_a_matrix_without_fill)
{
    watch_klu();
    struct linear_case *const s = linear_case_create(linear_sparse, kernels_choose(), &shape);
    double const n = (double)s->A.n, entries = (double)s->A.entries;
    allocations_fail(1);
    CHECK(s->l.table->solve_cost(&s->l) == 2 * entries - n);
    allocations_fail(1);
    CHECK(s->l.table->factor_cost(&s->l) == entries * entries / n);
    allocations_fail(0);
    linear_case_destroy(s);
}

TEST(patterns_and_colours_without_memory_say_so)
{
    static const size_t row[] = {0, 1, 2}, column[] = {1, 1, 0};
    size_t which[2], color[3];
    struct sparse_pattern p;
    ptrdiff_t const live = allocations.live;
    for (size_t k = 1; k <= 2; k++) {
        allocations_fail(k);
        CHECK_EQUAL(sparse_pattern_create(&p, 3, 3, row, column, which), PATTERN_NO_MEMORY);
    }
    allocations_fail(3);
    CHECK_EQUAL(sparse_pattern_create(&p, 3, 3, row, column, which), PATTERN_FINE);
    allocations_fail(1);
    CHECK_EQUAL(sparse_coloring(3, p.start, p.column, color), 0);
    allocations_fail(0);
    CHECK_EQUAL(sparse_coloring(3, p.start, p.column, color), 2);
    sparse_pattern_free(&p);
    CHECK_EQUAL(allocations.live, live);
}
