/* SPDX-License-Identifier: Apache-2.0 */
/* A problem that makes no sense gives a handle in error whose message names the offending thing. */
#include "support/fault_problem.h"
#include "test.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>

static struct fault_user user;

/* A good problem, for a test to spoil. */
static tansy_problem good(void)
{
    user = fault_user();
    return fault_problem(&user, WITH_MATRICES | WITH_TANGENT | WITH_INITIAL, fault_p);
}

/* No call does anything with a handle whose creation failed, and the first error stays. */
static void check_dead(tansy_solver *s, tansy_status status, const char *part)
{
    double y[FAULT_N] = {0}, sens[FAULT_SENS] = {0};
    double const times[] = {0, 1};
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), status);
    CHECK_EQUAL(tansy_solve_grid(s, 2, times, y, sens, NULL), status);
    CHECK_EQUAL(tansy_step(s, 1, y, sens), status);
    CHECK_EQUAL(tansy_at(s, 0, y, y, sens, sens), status);
    CHECK_EQUAL(tansy_at(s, 0, y, NULL, sens, NULL), status);
    CHECK_EQUAL(tansy_check(s), status);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, fault_p, NULL), status);
    CHECK_EQUAL(tansy_restart(s, (double)NAN, NULL, fault_p, NULL), status);
    CHECK_EQUAL(tansy_set_stop_time(s, 1), status);
    CHECK_EQUAL(tansy_set_stop_time(s, (double)NAN), status);
    CHECK_EQUAL(tansy_repeated_steps(s, -1), 0);
    CHECK_EQUAL(tansy_repeated_steps(s, 0), 0);
    CHECK_EQUAL(tansy_error(s), status);
    CHECK_TEXT_CONTAINS(tansy_message(s), part);
    char text[1024];
    CHECK(tansy_report(s, text, sizeof text) > 0);
    CHECK_TEXT_CONTAINS(text, part);
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.steps, 0);
    CHECK_EQUAL(user.calls[IN_RHS], 0);
}

static void check_refused(const tansy_problem *problem, const tansy_options *options,
                          tansy_status status, const char *part)
{
    tansy_solver *const s = tansy_create(problem, options);
    CHECK(s != NULL);
    CHECK_EQUAL(tansy_error(s), status);
    CHECK_TEXT_CONTAINS(tansy_message(s), part);
    check_dead(s, status, part);
    tansy_free(s);
}

static void check_bad(const tansy_problem *problem, const char *part)
{
    check_refused(problem, NULL, TANSY_BAD_PROBLEM, part);
}

TEST(a_problem_that_is_missing_is_refused)
{
    user = fault_user();
    check_bad(NULL, "problem is NULL");
}

TEST(what_a_problem_lacks_is_named)
{
    tansy_problem p = good();
    p.n = 0;
    check_bad(&p, "n = 0");
    p = good();
    p.rhs = NULL;
    check_bad(&p, ".rhs");
    p = good();
    p.initial = NULL;
    check_bad(&p, ".y0");
    p = good();
    p.p = NULL;
    check_bad(&p, "np = 4 but .p is NULL");
}

TEST(an_initial_value_or_parameter_that_is_not_finite_is_named)
{
    double const bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t x = 0; x < 3; x++) {
        double const y0[] = {1, bad[x]}, parameters[] = {1, 2, bad[x], 4};
        tansy_problem p = good();
        p.t0 = bad[x];
        check_bad(&p, "t0");
        p = good();
        p.initial = NULL;
        p.y0 = y0;
        check_bad(&p, "y0[1]");
        p = good();
        p.p = parameters;
        check_bad(&p, "p[2]");
        p = good();
        p.scale = parameters;
        check_bad(&p, "scale of parameter 2");
    }
}

TEST(columns_out_of_range_are_named)
{
    static const int wrong[] = {4, INT_MAX, TANSY_INITIAL(2), INT_MIN};
    static const char *const part[] = {"columns[1] = 4 ", "columns[1] = 2147483647 ",
                                       "columns[1] = -3 ", "columns[1] = -2147483648 "};
    for (size_t x = 0; x < sizeof wrong / sizeof *wrong; x++) {
        int const columns[] = {3, wrong[x], TANSY_INITIAL(1)};
        tansy_problem p = good();
        p.ns = 3;
        p.columns = columns;
        check_bad(&p, part[x]);
    }
}

TEST(a_number_of_columns_that_contradicts_the_rest_is_refused)
{
    static const int columns[] = {0, 1};
    static const double directions[12] = {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    tansy_problem p = good();
    p.ns = 3;
    check_bad(&p, "ns = 3");
    p = good();
    p.columns = columns;
    check_bad(&p, "ns = 0");
    p.columns = NULL;
    p.directions = directions;
    check_bad(&p, "ns = 0");
    p.columns = columns;
    p.ns = 2;
    check_bad(&p, "both .columns and .directions");
}

TEST(directions_that_are_not_finite_are_named)
{
    double directions[12] = {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    tansy_problem p = good();
    p.ns = 2;
    p.directions = directions;
    directions[6 + 5] = (double)NAN;
    check_bad(&p, "entry 5 of direction 1");
    directions[6 + 5] = 0;
    directions[1] = HUGE_VAL;
    check_bad(&p, "entry 1 of direction 0");
}

/* Sizes whose products overflow, with arrays that are far shorter: they must not be read. */
TEST(sizes_that_overflow_are_refused)
{
    static const int columns[] = {0, 1};
    static const double directions[12] = {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    static const size_t huge[] = {SIZE_MAX,     SIZE_MAX - 1,  SIZE_MAX / 2,
                                  SIZE_MAX / 8, SIZE_MAX / 16, SIZE_MAX / 32};
    for (size_t x = 0; x < sizeof huge / sizeof *huge; x++) {
        tansy_problem p = good();
        p.ns = huge[x];
        p.directions = directions;
        check_bad(&p, "too many");
        p.directions = NULL;
        p.columns = columns;
        check_bad(&p, "too many");
        p.columns = NULL;
        p.directions = directions;
        p.ns = SIZE_MAX / 64 / (FAULT_N + FAULT_NP) + 1; /* of so many entries: 2^61 bytes */
        check_bad(&p, "too many");
        p = good();
        p.np = huge[x];
        check_bad(&p, "too many");
        p = good();
        p.n = huge[x];
        check_bad(&p, "too many");
    }
}

TEST(bandwidths_above_n_are_refused)
{
    tansy_problem p = good();
    p.structure = TANSY_BANDED;
    p.lower = 2;
    check_bad(&p, "bandwidths 2 and 0");
    p.lower = 0;
    p.upper = SIZE_MAX;
    check_bad(&p, "must be below n = 2");
}

TEST(an_unknown_structure_is_refused)
{
    tansy_problem p = good();
    p.structure = (tansy_structure)7;
    check_bad(&p, "structure");
}

TEST(a_pattern_that_makes_no_sense_is_named)
{
    static const size_t row[] = {0, 1}, column[] = {0, 1}, low[] = {0, 2}, far[] = {4, 0};
    tansy_problem p = good();
    p.parameter_pattern = (tansy_pattern){2, low, column};
    check_bad(&p, "entry 1 of .parameter_pattern is (2, 1)");
    p.parameter_pattern = (tansy_pattern){2, row, far};
    check_bad(&p, "entry 0 of .parameter_pattern is (0, 4)");
    p.parameter_pattern = (tansy_pattern){2, row, NULL};
    check_bad(&p, ".parameter_pattern needs");
    p.parameter_pattern = (tansy_pattern){2, NULL, column};
    check_bad(&p, ".parameter_pattern needs");
    p.parameter_pattern = (tansy_pattern){2, NULL, NULL};
    check_bad(&p, ".parameter_pattern needs");
    p.parameter_pattern = (tansy_pattern){2, row, column};
    p.parameter_jacobian = NULL;
    check_bad(&p, ".parameter_pattern is given without");
}

static void check_option(const tansy_options *options, const char *part)
{
    tansy_problem const p = good();
    check_refused(&p, options, TANSY_BAD_OPTION, part);
}

TEST(options_that_contradict_the_problem_are_refused)
{
    check_option(&(tansy_options){.max_order = 6}, "max_order = 6: bdf goes up to order 5");
    check_option(&(tansy_options){.method = TANSY_ADAMS, .max_order = 13}, "max_order");
    check_option(&(tansy_options){.linear_solver = TANSY_BAND_LU}, "band needs");
    check_option(&(tansy_options){.linear_solver = TANSY_DIAGONAL}, "adams only");
    check_option(&(tansy_options){.min_step = 2, .max_step = 1}, "min_step");
    tansy_problem p = good();
    p.tangent = NULL;
    check_refused(&p, &(tansy_options){.residual = TANSY_SEED}, TANSY_BAD_OPTION, ".tangent");
}

TEST(a_wrong_number_among_the_options_is_named)
{
    check_option(&(tansy_options){.rtol = -1e-6}, "rtol = -1e-06");
    check_option(&(tansy_options){.rtol = (double)NAN}, "rtol = ");
    check_option(&(tansy_options){.rtol = 2}, "rtol = 2");
    check_option(&(tansy_options){.atol = -1e-6}, "atol = -1e-06");
    check_option(&(tansy_options){.atol = HUGE_VAL}, "atol = inf");
    check_option(&(tansy_options){.first_step = -1}, "first_step = -1");
    check_option(&(tansy_options){.min_step = (double)NAN}, "min_step = ");
    check_option(&(tansy_options){.max_step = -2}, "max_step = -2");
    check_option(&(tansy_options){.max_order = -1}, "max_order = -1");
    check_option(&(tansy_options){.threads = -1}, "threads = -1");
    check_option(&(tansy_options){.use_stop_time = 1, .stop_time = HUGE_VAL}, "stop_time = inf");
    check_option(&(tansy_options){.method = (tansy_method)9}, "method = 9");
    check_option(&(tansy_options){.sensitivities = (tansy_sensitivities)9}, "sensitivities = 9");
    check_option(&(tansy_options){.error_control = (tansy_error_control)9}, "error_control = 9");
    check_option(&(tansy_options){.norm = (tansy_norm)2}, "norm = 2");
    check_option(&(tansy_options){.linear_solver = (tansy_linear_solver)-1}, "linear_solver = -1");
    check_option(&(tansy_options){.residual = (tansy_residual)9}, "residual = 9");
    check_option(&(tansy_options){.difference = (tansy_difference)9}, "difference = 9");
    check_option(&(tansy_options){.difference_increment = 1}, "difference_increment = 1");
    check_option(&(tansy_options){.difference_increment = 1e-30}, "no difference can be made");
}

TEST(a_problem_without_parameters_is_solved)
{
    tansy_problem p = good();
    double const y0[] = {1, 2};
    static const int columns[] = {TANSY_INITIAL(1), TANSY_INITIAL(0)};
    p.initial = NULL;
    p.initial_jacobian = NULL;
    p.y0 = y0;
    tansy_solver *s = tansy_create(&p, &(tansy_options){.sensitivities = TANSY_NONE});
    double y[2], sens[4] = {7, 7, 7, 7};
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    CHECK_CLOSE(sens[0], 7, 0); /* no column: nothing is written */
    tansy_free(s);
    p.ns = 2;
    p.columns = columns;
    s = tansy_create(&p, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    double const u = 1 + fault_p[0]; /* u = 1 + a k t, dy_0/da = 1/u^2, dy_1/db = 1 */
    CHECK_CLOSE(sens[1], 1, 1e-4);
    CHECK_CLOSE(sens[2], 1 / (u * u), 1e-4); /* 100 rtol */
    tansy_free(s);
}
