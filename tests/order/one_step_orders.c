/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of the one-step methods on equal steps (support/step_problem.h), in y and in every column of S:
     exact tangents        S has the order of y: 8 of DOP853 and DOPRI8, 5 of RODAS5P, 4 of RODAS4, GRK4A and GRK4T;
     B y' = f of index 1   the stiffly accurate RODAS formulas keep their order, GRK4A and GRK4T fall to 2;
     second derivatives neglected (Franz and Kiehl 2.5)   S falls to order 2 with RODAS5P, to order 1 with the others. */
#include <math.h>
#include <stdio.h>

#include "support/step_problem.h"
#include "test.h"

/* The interval is cut into so many steps, and into twice as many: h = 1.5/2^k is exact. */
static const double TIME = 1.5;

/* How far the slope of log error between h and h/2 may be off: the error is C h^q (1 + O(h)), the next term being up to 0.6 of the first
   at the h used here, log2(1.6/1.3) = 0.3. */
static const double SLACK = 0.35;

static const struct expectation {
    const char *name;
    tansy_formula formula;
    int order, algebraic, neglected, dense; /* of y' = f, of index 1, of S without second derivatives */
    int steps;
} expected[] = {{"dop853", TANSY_DOP853, 8, 0, 0, 7, 4},    {"dopri8", TANSY_DOPRI8, 8, 0, 0, 3, 4},
                {"rodas5p", TANSY_RODAS5P, 5, 5, 2, 4, 64}, {"rodas4", TANSY_RODAS4, 4, 4, 1, 3, 32},
                {"grk4a", TANSY_GRK4A, 4, 2, 1, 2, 32},     {"grk4t", TANSY_GRK4T, 4, 2, 1, 2, 32}};
enum { FORMULAS = sizeof expected / sizeof *expected, EXPLICIT = 2 };

static tansy_options options_of(const struct expectation *e, double h)
{
    return (tansy_options){.method = e->formula <= TANSY_DOPRI8 ? TANSY_RK8 : TANSY_ROSENBROCK,
                           .formula = e->formula,
                           .first_step = h,
                           .min_step = h,
                           .max_step = h,
                           .rtol = 0.1, /* nothing fails its test */
                           .atol = 0.1};
}

static void run(const struct step_problem *it, const tansy_options *options, int steps,
                double *errors)
{
    double y[STEP_N], sens[STEP_NP * STEP_N];
    double const end = TIME - it->problem.t0;
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&it->problem, options);
    CHECK_EQUAL(tansy_solve(s, end, y, sens), TANSY_OK);
    CHECK(tansy_time(s) == end);
    tansy_get_stats(s, &stats);
    CHECK_EQUAL(stats.steps, steps);
    step_errors(it, end, y, sens, errors);
    tansy_free(s);
}

/* The slopes of y, of every column, and of the largest error of all columns. */
struct slopes {
    double state, column[STEP_NP], all;
    bool clear[STEP_NP]; /* far above roundoff */
};

static double largest(const double *errors)
{
    double worst = 0;
    for (int k = 1; k <= STEP_NP; k++) worst = fmax(worst, errors[k]);
    return worst;
}

static struct slopes measure(const struct step_problem *it, const struct expectation *e, int steps,
                             tansy_second_derivatives second)
{
    double coarse[1 + STEP_NP], fine[1 + STEP_NP];
    struct slopes slopes;
    tansy_options options = options_of(e, TIME / steps);
    options.second_derivatives = second;
    run(it, &options, steps, coarse);
    options.first_step = options.min_step = options.max_step = TIME / (2 * steps);
    run(it, &options, 2 * steps, fine);
    slopes.state = log2(coarse[0] / fine[0]);
    slopes.all = log2(largest(coarse) / largest(fine));
    for (int k = 0; k < STEP_NP; k++) {
        slopes.column[k] = log2(coarse[k + 1] / fine[k + 1]);
        slopes.clear[k] = fine[k + 1] > 1e-13;
    }
    return slopes;
}

/* A column may do better (that of k is zero but for the errors of v); none does worse. */
static void check(const struct step_problem *it, const struct expectation *e, int steps, int order,
                  double slack)
{
    struct slopes const s = measure(it, e, steps, TANSY_SECOND_AUTO);
    printf("%-8s %-13s order of y %.2f, of S %.2f\n", e->name, step_form_name(it->form), s.state,
           s.all);
    CHECK_CLOSE(s.state, order, slack);
    CHECK_CLOSE(s.all, order, slack);
    for (int k = 0; k < STEP_NP; k++)
        if (s.clear[k]) CHECK(s.column[k] > order - slack);
}

TEST(tangents_of_every_formula_have_the_order_of_the_state)
{
    for (int x = 0; x < FORMULAS; x++)
        for (int form = STEP_ODE; form <= (x < EXPLICIT ? STEP_ODE : STEP_MASS_OF_P); form++) {
            struct step_problem it;
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            check(&it, &expected[x], expected[x].steps, expected[x].order, SLACK);
        }
}

TEST(orders_are_the_same_backwards)
{
    for (int x = 0; x < FORMULAS; x++) {
        struct step_problem it;
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        it.problem.t0 = TIME;
        check(&it, &expected[x], 2 * expected[x].steps, expected[x].order, 2 * SLACK);
    }
}

/* The parameters k, and d as far as the constraint is kept, enter by the errors of y alone. */
TEST(stiffly_accurate_formulas_keep_their_order_in_algebraic_equations)
{
    for (int x = EXPLICIT; x < FORMULAS && expected[x].algebraic > 2; x++)
        for (int form = STEP_SEMI; form < STEP_FORMS; form++) {
            struct step_problem it;
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            check(&it, &expected[x], 128, expected[x].algebraic, SLACK);
        }
}
