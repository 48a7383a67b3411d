/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems on several threads: the same bits of y, S and the same counts, by direct and iterative solvers. */
#include "support/problems.h"
#include "support/promise.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

struct run {
    double *values; /* y, then S */
    tansy_stats stats;
};

static struct run solve(const struct test_problem *it, const tansy_options *options, double t)
{
    size_t const n = it->problem.n, ns = problem_columns(it);
    struct run r = {.values = calloc(n * (1 + ns), sizeof(double))};
    tansy_solver *const s = tansy_create(&it->problem, options);
    CHECK_EQUAL(tansy_solve(s, t, r.values, r.values + n), TANSY_OK);
    tansy_get_stats(s, &r.stats);
    r.stats.bytes = 0; /* every thread needs some */
    tansy_free(s);
    return r;
}

static void check_same(const char *name, tansy_options options, double t)
{
    const struct test_problem *const it = problem_find(name);
    size_t const count = it->problem.n * (1 + problem_columns(it));
    struct run const one = solve(it, &options, t);
    for (int threads = TEST_STRIDE > 1 ? 4 : 2; threads <= 4; threads += 2) {
        options.threads = threads;
        struct run const more = solve(it, &options, t);
        CHECK(memcmp(one.values, more.values, count * sizeof(double)) == 0);
        CHECK(memcmp(&one.stats, &more.stats, sizeof one.stats) == 0);
        free(more.values);
    }
    free(one.values);
}

TEST(threads_change_no_bit_of_an_implicit_problem)
{
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int residual = TANSY_SEED; residual <= TANSY_MATRIX; residual++) {
            if (TEST_STRIDE > 1 && (c + (size_t)residual) % 3 != 0) continue;
            check_same("dae_network_600x400",
                       (tansy_options){.rtol = 1e-3,
                                       .sensitivities = all_correctors[c],
                                       .residual = (tansy_residual)residual},
                       1e-3 / (TEST_STRIDE * TEST_STRIDE));
        }
}

TEST(threads_change_no_bit_of_krylov_iteration)
{
    for (size_t c = 0; c < CORRECTORS; c += TEST_STRIDE)
        check_same("dae_network_600x400",
                   (tansy_options){.rtol = 1e-3,
                                   .sensitivities = all_correctors[c],
                                   .linear_solver = TANSY_GMRES,
                                   .krylov_dimension = 20},
                   1e-4 / (TEST_STRIDE * TEST_STRIDE));
}
