/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of S by internal numerical differentiation on equal steps, above the noise of the differences: that of y for Runge-Kutta formulas;
   for Rosenbrock formulas that of a W-method, as J is not perturbed (Franz and Kiehl 2.5), unless second derivatives are taken in. */
#include "support/order_problem.h"
#include "support/step_dense.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

enum { PAIRS = 1, N = 2 * PAIRS };
static const double TIME = 1.5, STRENGTH = 0.5;

/* The largest error of S after `steps` equal steps. */
static double error_of(const struct order_problem *it, tansy_options options, int steps)
{
    double y[N], sens[ORDER_COLUMNS * N], worst = 0;
    long double right[N], columns[ORDER_COLUMNS * N];
    options.first_step = options.min_step = options.max_step = TIME / steps;
    options.rtol = options.atol = 0.1; /* nothing fails its test */
    tansy_solver *const s = tansy_create(&it->problem, &options);
    tansy_stats stats;
    CHECK_EQUAL(tansy_solve(s, TIME, y, sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.steps, steps);
    order_exact(it, (long double)TIME, 0, right, columns);
    for (int x = 0; x < ORDER_COLUMNS * N; x++)
        worst = fmax(worst, fabs(sens[x] - (double)columns[x]));
    tansy_free(s);
    return worst;
}

static const struct expectation {
    const char *name;
    tansy_formula formula;
    int order, neglected; /* of S with second derivatives, and without */
    int steps;            /* and twice as many: errors are above 1e-11 there */
} expected[] = {{"dop853", TANSY_DOP853, 8, 8, 2},    {"dopri8", TANSY_DOPRI8, 8, 8, 2},
                {"rodas5p", TANSY_RODAS5P, 5, 2, 16}, {"rodas4", TANSY_RODAS4, 4, 1, 32},
                {"grk4a", TANSY_GRK4A, 4, 1, 16},     {"grk4t", TANSY_GRK4T, 4, 1, 16}};
enum { FORMULAS = sizeof expected / sizeof *expected, EXPLICIT = 2 };

static tansy_options options_of(int x, tansy_difference difference, tansy_second_derivatives second)
{
    return (tansy_options){.method = x < EXPLICIT ? TANSY_RK8 : TANSY_ROSENBROCK,
                           .formula = expected[x].formula,
                           .sensitivities = TANSY_DIFFERENCE,
                           .difference = difference,
                           .second_derivatives = second};
}

static double slope(const struct order_problem *it, int x, tansy_second_derivatives second,
                    int steps)
{
    tansy_options const options = options_of(x, TANSY_FOURTH_ORDER, second);
    double const coarse = error_of(it, options, steps), fine = error_of(it, options, 2 * steps);
    printf("%-8s second derivatives %s: order of S %.2f\n", expected[x].name,
           second == TANSY_SECOND_NEGLECTED ? "neglected" : "by differences", log2(coarse / fine));
    return log2(coarse / fine);
}

/* The error is C h^q (1 + c h), c h up to 0.75 at these h: log2(1.75/1.375) = 0.35. */
TEST(with_second_derivatives_columns_have_the_order_of_the_formula)
{
    struct order_problem it;
    order_problem_set(&it, PAIRS, ORDER_COLUMNS, STRENGTH);
    for (int x = 0; x < FORMULAS; x++)
        CHECK_CLOSE(slope(&it, x, TANSY_SECOND_AUTO, expected[x].steps), expected[x].order, 0.36);
}

TEST(as_in_the_paper_rosenbrock_formulas_lose_order)
{
    struct order_problem it;
    order_problem_set(&it, PAIRS, ORDER_COLUMNS, STRENGTH);
    for (int x = EXPLICIT; x < FORMULAS; x++)
        CHECK_CLOSE(slope(&it, x, TANSY_SECOND_NEGLECTED, 64), expected[x].neglected, 0.1);
}

/* The largest error of S of B y' = f after `steps` equal steps. */
static double algebraic_error(const struct step_problem *it, tansy_options options, int steps)
{
    double y[STEP_N], sens[STEP_NP * STEP_N], errors[1 + STEP_NP];
    options.first_step = options.min_step = options.max_step = TIME / steps;
    options.rtol = options.atol = 0.1;
    tansy_solver *const s = tansy_create(&it->problem, &options);
    CHECK_EQUAL(tansy_solve(s, TIME, y, sens), TANSY_OK);
    step_errors(it, TIME, y, sens, errors);
    tansy_free(s);
    return step_largest(errors);
}

/* Observed in algebraic equations of index 1, as by exact tangents (one_step_orders.c): 5 of both RODAS formulas, the term of order 4
   of RODAS4 being small there, and 2 of GRK4T.  Not of GRK4A, whose errors die out slowly. */
TEST(in_algebraic_equations_columns_have_the_order_of_exact_tangents)
{
    static const int orders[FORMULAS] = {0, 0, 5, 5, 0, 2},
                     steps[FORMULAS] = {0, 0, 32, 32, 0, 768};
    for (int x = EXPLICIT; x < FORMULAS; x++)
        for (int neglected = 0; neglected < 2 && orders[x] > 0; neglected++) {
            struct step_problem it;
            int const n = neglected ? 128 : steps[x];
            tansy_options const o = options_of(
                x, TANSY_FOURTH_ORDER, neglected ? TANSY_SECOND_NEGLECTED : TANSY_SECOND_AUTO);
            step_problem_set(&it, STEP_SEMI, STEP_ALL, STEP_NP);
            double const order = log2(algebraic_error(&it, o, n) / algebraic_error(&it, o, 2 * n));
            printf("%-8s index 1%s: order of S %.2f\n", expected[x].name,
                   neglected ? ", neglected" : "", order);
            CHECK_CLOSE(order, neglected ? expected[x].neglected : orders[x],
                        neglected ? 0.1 : 0.36);
        }
}

/* S and its tolerances are of size 1: what is left is the error of the difference formula, the reach of src/derive/line.c. */
TEST(the_difference_formula_limits_the_accuracy)
{
    static const double reach[] = {
        [TANSY_FORWARD] = 1e-7, [TANSY_CENTRAL] = 1e-9, [TANSY_FOURTH_ORDER] = 1e-11};
    struct order_problem it;
    order_problem_set(&it, PAIRS, ORDER_COLUMNS, STRENGTH);
    for (int x = 0; x < EXPLICIT; x++)
        for (int d = TANSY_FORWARD; d <= TANSY_FOURTH_ORDER; d++) {
            tansy_options const options = options_of(x, (tansy_difference)d, TANSY_SECOND_AUTO);
            CHECK_AT_MOST(error_of(&it, options, 32), reach[d]);
            if (d == TANSY_FORWARD) CHECK(error_of(&it, options, 32) > 1e-9);
        }
}
