/* SPDX-License-Identifier: Apache-2.0 */
/* limex for B(t, y, p) y' = f, regular and singular, against the closed form, with all sources of derivatives and all ways to columns. */
#include <math.h>
#include <stdio.h>

#include "support/sparse_solver.h"
#include "support/varying_mass.h"
#include "test.h"

static double run(bool singular, enum varying_gives gives, const tansy_options *options, double r,
                  tansy_stats *stats)
{
    tansy_problem const problem = varying_problem(singular, gives, &r);
    return varying_solve(&problem, singular, options, stats);
}

static void check(enum varying_gives gives, tansy_sensitivities way, tansy_residual residual)
{
    for (int singular = 0; singular < 2; singular++)
        for (int digits = 3; digits <= (gives == VARYING_NOTHING ? 6 : 8); digits++) {
            double const rtol = pow(10, -digits);
            tansy_options const options = {.method = TANSY_LIMEX,
                                           .sensitivities = way,
                                           .residual = residual,
                                           .rtol = rtol,
                                           .atol = rtol};
            tansy_stats stats;
            double const ratio = run(singular, gives, &options, 1, &stats);
            printf("%s, gives %d, rtol 1e-%d: error/rtol %.2g, %zu steps, %zu f\n",
                   singular ? "singular" : "regular", gives, digits, ratio, stats.steps,
                   stats.rhs_evals);
            CHECK_AT_MOST(ratio, 100); /* the promise */
        }
}

TEST(y_and_s_are_right_with_tangents_given)
{
    check(VARYING_TANGENTS, TANSY_SENSITIVITIES_AUTO, TANSY_RESIDUAL_AUTO);
}

TEST(y_and_s_are_right_row_by_row)
{
    check(VARYING_TANGENTS, TANSY_SIMULTANEOUS, TANSY_RESIDUAL_AUTO);
}

TEST(y_and_s_are_right_by_matrices_of_every_point)
{
    check(VARYING_NOTHING, TANSY_SENSITIVITIES_AUTO, TANSY_MATRIX);
}

/* A full pattern, row by row: B is laid out as a dense one. */
TEST(sparse_matrices_make_the_same_steps)
{
    sparse_solver_or_dense();
    size_t row[VARYING_N * VARYING_N], column[VARYING_N * VARYING_N];
    tansy_stats dense, sparse;
    double r = 1;
    for (size_t e = 0; e < VARYING_N * VARYING_N; e++) {
        row[e] = e / VARYING_N;
        column[e] = e % VARYING_N;
    }
    for (int way = 0; way < 2; way++) {
        tansy_options const options = {.method = TANSY_LIMEX,
                                       .residual = way ? TANSY_MATRIX : TANSY_RESIDUAL_AUTO,
                                       .rtol = 1e-5,
                                       .atol = 1e-5};
        tansy_problem problem = varying_problem(true, way ? VARYING_NOTHING : VARYING_TANGENTS, &r);
        CHECK_AT_MOST(varying_solve(&problem, true, &options, &dense), 100);
        problem.structure = TANSY_SPARSE;
        problem.jacobian_pattern =
            (tansy_pattern){.entries = VARYING_N * VARYING_N, .row = row, .column = column};
        CHECK_AT_MOST(varying_solve(&problem, true, &options, &sparse), 100);
        CHECK_EQUAL(dense.steps, sparse.steps);
    }
}

TEST(y_and_s_are_right_by_differences)
{
    check(VARYING_NOTHING, TANSY_SENSITIVITIES_AUTO, TANSY_DIFFERENCES);
    check(VARYING_NOTHING, TANSY_DIFFERENCE, TANSY_RESIDUAL_AUTO);
}

/* B/h that moves far in one step: the iteration says so, and shorter steps follow. */
TEST(a_step_in_which_b_moves_too_far_is_repeated)
{
    tansy_options const options = {
        .method = TANSY_LIMEX, .rtol = 1e-3, .atol = 1e-3, .first_step = 2};
    tansy_stats stats;
    CHECK_AT_MOST(run(false, VARYING_TANGENTS, &options, 30, &stats), 100);
    CHECK(stats.rejected_newton > 0);
}
