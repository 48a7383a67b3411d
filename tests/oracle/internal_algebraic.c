/* SPDX-License-Identifier: Apache-2.0 */
/* Internal differences of index-1 problems whose columns begin at 0: rounding of algebraic variables, over the increment, is in S however short the
   step is, and must not stop the run.  S is compared with exact tangents of a tight run. */
#include <math.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TIMES = 20, N = 3, MOST = 4 };

#define EQUATIONS(rate)                                                                            \
    "state x = 0.7, w = 0\nalgebraic z = 1\n"                                                      \
    "x' = -k*x + 0.3*w\nw' = -" rate "*(w - u)\n0 = z - k - 0.8*x\n"

static const char *const texts[] = {
    "parameter k = 1.7, u = 1\n" EQUATIONS("200"), "parameter k = 1.7, u = 1\n" EQUATIONS("1"),
    "parameter k = 1.7\ncontrol u = {0, 1} piecewise constant at {0, 0.5, 1}\n" EQUATIONS("200"),
    "parameter k = 1.7, t1 = 0.5\ncontrol u = {0, 1} piecewise constant at {0, t1, 1}\n" EQUATIONS(
        "200")};

/* In x and z the columns are small; those of w decay from 1 within a step, which is tested by the larger of its ends. */
static const double size[N] = {1e-3, 0.1, 1e-3};

/* S at all times; the number of columns. */
static size_t follow(const char *text, const tansy_options *options, double S[TIMES][N * MOST])
{
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_solver *const s = tansy_create(&problem, options);
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    for (int m = 0; m < TIMES; m++) {
        double y[N];
        tansy_status const status = tansy_solve(s, (m + 1.0) / TIMES, y, S[m]);
        if (status < 0) printf("rtol %g: %s\n", options->rtol, tansy_message(s));
        CHECK(status >= 0);
        if (status < 0) break;
    }
    tansy_free(s);
    tansy_model_free(model);
    return stats.ns;
}

static void compare(const char *text, tansy_method method)
{
    static double exact[TIMES][N * MOST], S[TIMES][N * MOST];
    tansy_options const tight = {.method = TANSY_ROSENBROCK, .rtol = 1e-10, .atol = 1e-13};
    size_t const columns = follow(text, &tight, exact);
    for (int half = 6; half <= 12; half++) {
        double const rtol = pow(10, -0.5 * half);
        tansy_options const options = {
            .method = method, .rtol = rtol, .sensitivities = TANSY_DIFFERENCE};
        double largest = 0;
        (void)follow(text, &options, S);
        for (int m = 0; m < TIMES; m++)
            for (size_t x = 0; x < columns * N; x++)
                largest =
                    fmax(largest, fabs(S[m][x] - exact[m][x]) / (fabs(exact[m][x]) + size[x % N]));
        CHECK_AT_MOST(largest, 100 * rtol);
    }
}

TEST(limex_goes_on_where_algebraic_columns_are_noise)
{
    for (size_t x = 0; x < sizeof texts / sizeof *texts; x++) compare(texts[x], TANSY_LIMEX);
}

TEST(rosenbrock_goes_on_where_algebraic_columns_are_noise)
{
    for (size_t x = 0; x < sizeof texts / sizeof *texts; x++) compare(texts[x], TANSY_ROSENBROCK);
}

/* z = 100 + y does not depend on a: z + eps s_z is exact in the column of a, which takes forward differences as it would without z. */
static size_t evaluations(const char *text, tansy_method method)
{
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options const options = {
        .method = method, .rtol = 1e-3, .sensitivities = TANSY_DIFFERENCE};
    tansy_solver *const s = tansy_create(&problem, &options);
    double y[N], S[N * MOST];
    tansy_stats stats;
    CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    tansy_model_free(model);
    return stats.rhs_evals;
}

TEST(an_algebraic_variable_that_a_column_does_not_move_costs_it_nothing)
{
    static const tansy_method methods[] = {TANSY_LIMEX, TANSY_ROSENBROCK};
    for (size_t x = 0; x < 2; x++) {
        size_t const large = evaluations("parameter a = 1\nstate x = 0.1, y = 0.35\n"
                                         "algebraic z = 100\nx' = -a*x\ny' = -y\n"
                                         "0 = z - 100 - y\n",
                                         methods[x]),
                     small = evaluations("parameter a = 1\nstate x = 0.1, y = 0.35\n"
                                         "algebraic z = 0\nx' = -a*x\ny' = -y\n"
                                         "0 = z - y\n",
                                         methods[x]);
        printf("%zu evaluations, %zu with a small z\n", large, small);
        CHECK(large <= small + small / 10);
    }
}
