/* SPDX-License-Identifier: Apache-2.0 */
/* LU of small dense matrices: its factors belong to W alone, whatever pivots the last matrix had. */
#include <math.h>
#include <string.h>

#include "linear/linear.h"
#include "matrix/kernels.h"
#include "matrix/lu_kernels.h"
#include "support/linear_cases.h"
#include "support/random.h"
#include "test.h"

enum { KINDS = 3 };

/* W = -A: random numbers; small integers, so that many sizes are equal; or a permutation of the identity's rows. */
static void fill(struct linear_case *s, int kind, uint64_t seed)
{
    size_t const n = s->A.n;
    struct random_source source = {seed};
    for (size_t x = 0; x < n * n; x++) {
        double const r = random_next(&source);
        s->A.value[x] = kind == 0 ? r : kind == 1 ? floor(3 * r) - 1 : 0;
    }
    for (size_t i = 0; i < n; i++)
        s->A.value[i * n + (kind == 2 ? (i + seed) % n : i)] += kind == 0 ? 0 : kind == 1 ? 9 : -1;
}

static struct linear_case *create(const struct kernels *kernels, size_t n)
{
    return linear_case_create(&linear_dense_lu, kernels,
                              &(struct linear_shape){.n = n, .band = {n - 1, n - 1}, .mass = UNIT});
}

/* x = W^-1 b after W was factored in s; zero when it is singular. */
static void solve(struct linear_case *s, double *x)
{
    size_t const n = s->A.n;
    bool const singular = s->l.table->factor(&s->l, 0, 0, 0) != 0;
    for (size_t i = 0; i < n; i++) x[i] = singular ? 0 : 1 + (double)i;
    if (!singular) s->l.table->solve(&s->l, 0, x);
}

/* A solver that has factored other matrices, one of them singular, against one that has not, bit for bit. */
static void check_memory(const struct kernels *kernels, size_t n)
{
    struct linear_case *const used = create(kernels, n);
    double x[SMALL + LANE_GROUP], y[SMALL + LANE_GROUP];
    for (uint64_t round = 0; round < 4 * KINDS; round++) {
        int const kind = (int)(round % KINDS);
        struct linear_case *const fresh = create(kernels, n);
        fill(used, 0, 77 + round);
        solve(used, x);
        if (round % 4 == 3) { /* fails at its last row */
            memset(used->A.value + (n - 1) * n, 0, n * sizeof(double));
            solve(used, x);
            CHECK(x[0] == 0);
        }
        fill(used, kind, round);
        fill(fresh, kind, round);
        solve(used, x);
        solve(fresh, y);
        for (size_t i = 0; i < n; i++) CHECK_CLOSE(x[i], y[i], 0);
        linear_case_destroy(fresh);
    }
    linear_case_destroy(used);
}

TEST(factors_do_not_depend_on_the_pivots_of_other_matrices)
{
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++)
        for (size_t n = 1; n <= SMALL; n++) check_memory(list[m], n);
}

/* Every count up to three registers and every place in it. */
TEST(a_value_that_is_not_finite_is_found_wherever_it_stands)
{
    static const double bad[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    double v[25];
    for (size_t x = 0; x < 25; x++) v[x] = x % 2 ? 1.7e308 : -5e-324;
    for (size_t m = 0; m < number; m++)
        for (size_t count = 0; count <= 25; count++) {
            CHECK(list[m]->all_finite(count, v));
            for (size_t x = 0; x < count; x++) {
                double const kept = v[x];
                v[x] = bad[x % 3];
                CHECK(!list[m]->all_finite(count, v));
                v[x] = kept;
            }
        }
}

#if defined __x86_64__
/* A program made with -ffast-math takes subnormal numbers for 0, and with them the numbers of columns in a row of zeros. */
TEST(a_row_of_zeros_is_found_where_subnormal_numbers_are_zero)
{
    enum { ROWS = 40, SUBNORMAL_IS_ZERO = 0x8040 };
    const struct kernels *list[3];
    size_t const number = kernels_list(list);
    for (size_t m = 0; m < number; m++) {
        struct linear_case *const s = create(list[m], ROWS);
        unsigned const kept = __builtin_ia32_stmxcsr();
        fill(s, 0, 3);
        memset(s->A.value + 23 * s->A.n, 0, ROWS * sizeof(double));
        __builtin_ia32_ldmxcsr(kept | SUBNORMAL_IS_ZERO);
        ptrdiff_t const failed = s->l.table->factor(&s->l, 0, 0, 0);
        __builtin_ia32_ldmxcsr(kept);
        CHECK_EQUAL(failed, 24);
        linear_case_destroy(s);
    }
}
#endif
