/* SPDX-License-Identifier: Apache-2.0 */
/* The promise (an error of y and S of at most 100 rtol, docs/design.md section 12) for implicit problems in every form of the
   residuals of S: by the tangent, by matrices, by differences of every order, in all three correctors; and with no derivative
   given at all. */
#include "support/promise.h"
#include "support/sparse_solver.h"
#include "test.h"

static const char *const problems[] = {
    "batch_reactor", "batch_reactor_mass", "robertson_dae", "akzo_nobel",
    "heat_10",       "heat_10_mass",       "heat_10_sparse"};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static size_t all_broken(const char *what, enum derivatives derivatives, const tansy_options *base,
                         double largest, double smallest)
{
    size_t broken = 0;
    for (size_t k = TEST_STRIDE > 1 ? (size_t)derivatives % 2 : 0;
         k<PROBLEMS; k += TEST_STRIDE> 1 ? 2 : 1)
        broken += promises_broken_by(what, problems[k], derivatives, base, largest, smallest);
    return broken;
}

TEST(residuals_by_the_tangent_keep_the_promise)
{
    CHECK_EQUAL(all_broken("seed", GIVEN, &(tansy_options){.residual = TANSY_SEED}, 1e-4, 1e-9), 0);
}

TEST(residuals_by_matrices_keep_the_promise)
{
    CHECK_EQUAL(all_broken("matrix", GIVEN, &(tansy_options){.residual = TANSY_MATRIX}, 1e-4, 1e-9),
                0);
}

/* The mass matrix of the amplifier depends on the parameters: dr/dp has entries where df/dp has none, and is differenced.  Its diodes
   vary within 0.004 of y, which limits what differences reach to 1e-5. */
TEST(residuals_by_matrices_keep_the_promise_where_the_mass_matrix_has_parameters)
{
    tansy_options const base = {.residual = TANSY_MATRIX};
    CHECK_EQUAL(promises_broken_by("matrix", "transistor_mass", GIVEN, &base, 1e-4, 1e-5), 0);
}

/* Which formula can be relied on for which tolerance: `from` in src/derive/line.c; and one decade more but for the batch reactor, whose
   rates span 28 orders of magnitude. */
TEST(residuals_by_forward_differences_keep_the_promise)
{
    tansy_options const base = {.residual = TANSY_DIFFERENCES, .difference = TANSY_FORWARD};
    CHECK_EQUAL(all_broken("forward", GIVEN, &base, 1e-3, 1e-3), 0);
    for (size_t k = 2; k < PROBLEMS; k++)
        CHECK_EQUAL(promises_broken_by("forward", problems[k], GIVEN, &base, 1e-4, 1e-4), 0);
}

TEST(residuals_by_central_differences_keep_the_promise)
{
    tansy_options const base = {.residual = TANSY_DIFFERENCES, .difference = TANSY_CENTRAL};
    CHECK_EQUAL(all_broken("central", GIVEN, &base, 1e-4, 1e-6), 0);
}

TEST(residuals_by_fourth_order_differences_keep_the_promise)
{
    tansy_options const base = {.residual = TANSY_DIFFERENCES, .difference = TANSY_FOURTH_ORDER};
    CHECK_EQUAL(all_broken("fourth order", GIVEN, &base, 1e-5, 1e-8), 0);
}

/* Half a decade beside the best increment of the formula: errors are a few times larger, far below these tolerances. */
TEST(an_increment_of_the_users_own_keeps_the_promise)
{
    tansy_options const base = {
        .residual = TANSY_DIFFERENCES, .difference = TANSY_CENTRAL, .difference_increment = 2e-5};
    CHECK_EQUAL(all_broken("own increment", GIVEN, &base, 1e-4, 1e-6), 0);
}

TEST(directional_differences_without_any_derivative_keep_the_promise)
{
    tansy_options const base = {.residual = TANSY_DIFFERENCES};
    CHECK_EQUAL(all_broken("no derivatives", BY_DIFFERENCES, &base, 1e-4, 1e-7), 0);
}

TEST(matrices_by_differences_keep_the_promise)
{
    tansy_options const base = {.residual = TANSY_MATRIX};
    CHECK_EQUAL(all_broken("difference matrices", BY_DIFFERENCES, &base, 1e-4, 1e-7), 0);
}

/* The pattern of heat_10_sparse is found by probing. */
TEST(a_probed_pattern_keeps_the_promise)
{
    sparse_solver_needed();
    tansy_options const base = {.residual = TANSY_MATRIX, .linear_solver = TANSY_SPARSE_LU};
    CHECK_EQUAL(
        promises_broken_by("probed", "heat_10_sparse", BY_DIFFERENCES_ALONE, &base, 1e-4, 1e-7), 0);
}

TEST(dense_factors_of_banded_and_sparse_problems_keep_the_promise)
{
    tansy_options const base = {.linear_solver = TANSY_DENSE_LU};
    for (size_t k = 4; k < PROBLEMS; k++) {
        CHECK_EQUAL(promises_broken_by("dense", problems[k], GIVEN, &base, 1e-4, 1e-7), 0);
        CHECK_EQUAL(promises_broken_by("dense, no derivatives", problems[k], BY_DIFFERENCES, &base,
                                       1e-4, 1e-5),
                    0);
    }
}
