/* SPDX-License-Identifier: Apache-2.0 */
/* A column of S does not depend on how it is asked for: alone or among others, in a full panel or a tail, by
   number or as a direction. */
#include "support/fault_cases.h"
#include "support/fault_ring.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double t_end = 1, promise = 100, level = 1e-3; /* level = atol/rtol of all runs here */

/* A run of the small problem with other columns; S goes to sens. */
static tansy_stats solve(const struct fault_case *it, tansy_problem wish, double *y, double *sens)
{
    struct fault_user user = fault_user();
    tansy_problem problem = fault_problem(&user, it->gives, fault_p);
    tansy_stats stats;
    problem.ns = wish.ns;
    problem.columns = wish.columns;
    problem.directions = wish.directions;
    problem.scale = wish.scale;
    tansy_solver *const s = tansy_create(&problem, &it->options);
    CHECK_EQUAL(tansy_solve(s, t_end, y, sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats;
}

enum { LENGTH = FAULT_N + FAULT_NP, MOST = LENGTH * FAULT_N };

static const int everything[LENGTH] = {TANSY_INITIAL(0), TANSY_INITIAL(1), 0, 1, 2, 3};

/* The directions of all initial values and parameters, in their order. */
static void fill_identity(double *R)
{
    for (size_t x = 0; x < LENGTH * LENGTH; x++) R[x] = x % (LENGTH + 1) == 0;
}

/* Scales that are powers of two: 1/(1/scale), by which a direction is scaled, is then exact. */
TEST(unit_directions_are_columns_bit_for_bit)
{
    static const double scale[FAULT_NP] = {1, 0.25, 2, 0.5};
    double R[LENGTH * LENGTH], y[2][FAULT_N], sens[2][MOST];
    fill_identity(R);
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        it.options.atol = 0x1p-10; /* and so are the scales of the initial values, atol/rtol */
        it.options.rtol = 0x1p-11;
        tansy_stats const a =
            solve(&it, (tansy_problem){.ns = LENGTH, .columns = everything, .scale = scale}, y[0],
                  sens[0]);
        tansy_stats const b = solve(
            &it, (tansy_problem){.ns = LENGTH, .directions = R, .scale = scale}, y[1], sens[1]);
        CHECK_EQUAL(a.steps, b.steps);
        CHECK_EQUAL(a.solves, b.solves);
        CHECK_EQUAL(a.rhs_evals, b.rhs_evals);
        CHECK_EQUAL(memcmp(y[0], y[1], sizeof *y), 0);
        CHECK_EQUAL(memcmp(sens[0], sens[1], sizeof *sens), 0);
    }
}

/* The scale of entry j of a direction: |p|, or |y0| which is (a, b) = (p_2, p_3). */
static double scale_of(size_t j)
{
    return fault_p[j < FAULT_N ? j + 2 : j - FAULT_N];
}

/* What the promise allows entry i of the sum of r_j times column j, and of a run for the sum itself. */
static double allowed(const double *r, const double *columns, size_t i, double sum, double rtol)
{
    double error = 0, largest = 0;
    for (size_t j = 0; j < LENGTH; j++) {
        error += fabs(r[j]) * (fabs(columns[j * FAULT_N + i]) + level / scale_of(j));
        largest = fmax(largest, fabs(r[j]) / scale_of(j));
    }
    return promise * rtol * (error + fabs(sum) + level * largest);
}

TEST(a_direction_is_the_combination_of_its_columns)
{
    static const double R[][LENGTH] = {
        {0, 0, 1, 1, 0, 0}, {1, 0, 0, 0, -1, 0},    {0.5, 2, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1},
        {0, 0, 0, 0, 0, 0}, {0, 3, -2, 0, 0.5, -3}, {0, 0, 0, -7, 0, 0},  {1e3, 0, 0, 1e-3, 0, 0}};
    enum { DIRECTIONS = sizeof R / sizeof *R };
    double y[FAULT_N], columns[MOST], sens[DIRECTIONS * FAULT_N];
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        solve(&it, (tansy_problem){.ns = LENGTH, .columns = everything}, y, columns);
        solve(&it, (tansy_problem){.ns = DIRECTIONS, .directions = *R}, y, sens);
        for (size_t k = 0; k < DIRECTIONS; k++)
            for (size_t i = 0; i < FAULT_N; i++) {
                double sum = 0;
                for (size_t j = 0; j < LENGTH; j++) sum += R[k][j] * columns[j * FAULT_N + i];
                CHECK_CLOSE(sens[k * FAULT_N + i], sum,
                            allowed(R[k], columns, i, sum, it.options.rtol));
            }
    }
}

/* y_0(0) is the parameter a: their columns obey the same equation from the same start with the same scale, and
   stand in lanes of one panel. */
TEST(an_initial_value_is_the_parameter_that_sets_it)
{
    static const int columns[] = {2, TANSY_INITIAL(0), 3, TANSY_INITIAL(1)};
    double y[FAULT_N], sens[4 * FAULT_N];
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case it = fault_case(number);
        it.options.difference = TANSY_FORWARD; /* by 2^-26 */
        solve(&it, (tansy_problem){.ns = 4, .columns = columns}, y, sens);
        for (size_t i = 0; i < FAULT_N;
             i++) { /* S(0) = 1 up to the noise of differences of initial() */
            double const error = it.differences ? 2 * DBL_EPSILON / 0x1p-26 : 0;
            CHECK_CLOSE(sens[i], sens[FAULT_N + i], error);
            CHECK_CLOSE(sens[2 * FAULT_N + i], sens[3 * FAULT_N + i], error);
        }
    }
}

TEST(a_subset_in_any_order_gives_the_same_columns)
{
    static const int columns[] = {3, 0, 0, 2};
    double y[FAULT_N], sens[FAULT_SENS], all[FAULT_SENS];
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        solve(&it, (tansy_problem){.ns = 0}, y, all);
        solve(&it, (tansy_problem){.ns = 4, .columns = columns}, y, sens);
        for (size_t x = 0; x < FAULT_SENS; x++) {
            size_t const k = (size_t)columns[x / FAULT_N];
            double const full = all[k * FAULT_N + x % FAULT_N];
            CHECK_CLOSE(sens[x], full, /* two runs */
                        2 * promise * it.options.rtol * (fabs(full) + level / fault_p[k]));
        }
        for (size_t i = 0; i < FAULT_N; i++) /* one column twice */
            CHECK_CLOSE(sens[FAULT_N + i], sens[2 * FAULT_N + i], 0);
    }
}

enum { WIDEST = 70 };
static const size_t widths[] = {1, 2, 7, 8, 9, 31, 32, 33, WIDEST};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* The first ns columns of the ring from `first` on. */
static size_t solve_ring(const tansy_options *options, size_t first, size_t ns, double *sens)
{
    int columns[WIDEST];
    tansy_problem problem = ring_problem(RING_MATRICES, NULL);
    tansy_stats stats;
    for (size_t k = 0; k < ns; k++) columns[k] = (int)(first + k);
    problem.ns = ns;
    problem.columns = columns;
    tansy_solver *const s = tansy_create(&problem, options);
    CHECK_EQUAL(tansy_solve(s, t_end, NULL, sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    return stats.steps;
}

/* Compares panels of all widths with single columns, relative to the largest entry of the column. */
static void check_widths(const tansy_options *options, double relative, bool same_steps)
{
    static double single[WIDEST * RING_N], sens[WIDEST * RING_N];
    size_t steps = 0;
    for (size_t k = 0; k < WIDEST; k++) steps = solve_ring(options, k, 1, single + k * RING_N);
    for (size_t w = 0; w < WIDTHS; w++) {
        size_t const here = solve_ring(options, 0, widths[w], sens);
        if (same_steps) CHECK_EQUAL(here, steps);
        for (size_t k = 0; k < widths[w]; k++) {
            double largest = 0;
            for (size_t i = 0; i < RING_N; i++)
                largest = fmax(largest, fabs(single[k * RING_N + i]));
            for (size_t i = 0; i < RING_N; i++)
                CHECK_CLOSE(sens[k * RING_N + i], single[k * RING_N + i], relative * largest);
        }
    }
}

/* With one error test, of the state alone, and a direct solve the steps are the same.  A direct solve leaves
   rounding, or, where few columns make it cheaper to refine with the factors of the state, 0.02/(order + 2) of
   the tolerance: over 100 steps less than the tolerance itself. */
TEST(panels_of_any_width_agree_with_single_columns_when_the_state_rules)
{
    for (int m = 0; m < 2; m++) {
        tansy_options const options = {.method = m ? TANSY_ADAMS : TANSY_BDF,
                                       .sensitivities = TANSY_DIRECT,
                                       .error_control = TANSY_STATE_ONLY,
                                       .rtol = 1e-5,
                                       .atol = 1e-8};
        check_widths(&options, options.rtol, true);
    }
}

/* Otherwise other columns mean other steps and iterations: each keeps the promise on its own. */
TEST(panels_of_any_width_agree_with_single_columns_within_the_tolerance)
{
    for (size_t number = 0; number < FAULT_CASES; number += FAULT_SOURCES)
        for (int control = TANSY_EACH_COLUMN; control <= TANSY_ALL_AS_ONE; control++) {
            tansy_options options = fault_case(number).options;
            options.error_control = (tansy_error_control)control;
            check_widths(&options, 2 * promise * options.rtol, false);
        }
}
