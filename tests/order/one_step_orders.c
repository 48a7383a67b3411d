/* SPDX-License-Identifier: Apache-2.0 */
/* Observed orders of the one-step methods on equal steps (support/step_problem.h), in y and in every column of S:
     exact tangents        S has the order of y: 8 of DOP853 and DOPRI8, 5 of RODAS5P, 4 of RODAS4, GRK4A and GRK4T;
     B y' = f of index 1   the stiffly accurate RODAS formulas keep their order, GRK4A and GRK4T fall to 2;
     second derivatives neglected (Franz and Kiehl 2.5)   S falls to order 2 with RODAS5P, to order 1 with the others. */
#include <math.h>
#include <stdio.h>

#include "support/step_dense.h"
#include "test.h"

/* The interval is cut into so many steps, and into twice as many: h = 1.5/2^k is exact. */
static const double TIME = 1.5;

/* How far the slope of log error between h and h/2 may be off: the error is C h^q (1 + O(h)), the next term being up to 0.6 of the first
   at the h used here, log2(1.6/1.3) = 0.3. */
static const double SLACK = 0.35;

static const struct expectation {
    const char *name;
    tansy_formula formula;
    int order, algebraic, neglected,
        dense; /* of y' = f, of index 1, of S without second derivatives */
    int steps;
} expected[] = {
    {"dop853", TANSY_DOP853, 8, 0, 0, 7, 4},    {"dopri8", TANSY_DOPRI8, 8, 0, 0, 3, 4},
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
    slopes.all = log2(step_largest(coarse) / step_largest(fine));
    for (int k = 0; k < STEP_NP; k++) {
        slopes.column[k] = log2(coarse[k + 1] / fine[k + 1]);
        slopes.clear[k] = fine[k + 1] > 1e-13;
    }
    return slopes;
}

/* What is allowed below and above the order. */
struct window {
    double below, above;
    bool
        each; /* no column does worse; it may do better: that of k is zero but for the errors of v */
};

static void check(const struct step_problem *it, const struct expectation *e, int steps, int order,
                  struct window window)
{
    struct slopes const s = measure(it, e, steps, TANSY_SECOND_AUTO);
    printf("%-8s %-13s order of y %.2f, of S %.2f\n", e->name, step_form_name(it->form), s.state,
           s.all);
    CHECK(s.state > order - window.below && s.state < order + window.above);
    CHECK(s.all > order - window.below && s.all < order + window.above);
    for (int k = 0; k < STEP_NP; k++)
        if (s.clear[k] && window.each) CHECK(s.column[k] > order - window.below);
}

TEST(tangents_of_every_formula_have_the_order_of_the_state)
{
    for (int x = 0; x < FORMULAS; x++)
        for (int form = STEP_ODE; form <= (x < EXPLICIT ? STEP_ODE : STEP_MASS_OF_P); form++) {
            struct step_problem it;
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            check(&it, &expected[x], expected[x].steps, expected[x].order,
                  (struct window){SLACK, SLACK, true});
        }
}

TEST(orders_are_the_same_backwards)
{
    for (int x = 0; x < FORMULAS; x++) {
        struct step_problem it;
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        it.problem.t0 = TIME;
        check(&it, &expected[x], 2 * expected[x].steps, expected[x].order,
              (struct window){2 * SLACK, 2 * SLACK, true});
    }
}

/* The term of order 4 of RODAS4 is so small here that the next one shows: 5 is seen. */
TEST(stiffly_accurate_formulas_keep_their_order_in_algebraic_equations)
{
    for (int x = EXPLICIT; x < FORMULAS && expected[x].algebraic > 2; x++)
        for (int form = STEP_SEMI; form < STEP_FORMS; form++) {
            struct step_problem it;
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            check(&it, &expected[x], x == EXPLICIT ? 128 : 64, expected[x].algebraic,
                  (struct window){SLACK, 1.1, true});
        }
}

/* GRK4A has |R(infinity)| near 1, its errors in z die out slowly: an order between 1.5 and 2 is all one sees. */
TEST(formulas_of_kaps_and_rentrop_fall_to_order_2_in_algebraic_equations)
{
    for (int x = EXPLICIT; x < FORMULAS; x++)
        for (int form = STEP_SEMI; form <= STEP_DAE_OF_P && expected[x].algebraic == 2; form++) {
            struct step_problem it;
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            struct slopes const s = measure(&it, &expected[x], 768, TANSY_SECOND_AUTO);
            double const slack = expected[x].formula == TANSY_GRK4A ? 0.55 : 0.1;
            CHECK_CLOSE(s.state, 2, slack);
            CHECK_CLOSE(s.all, 2, slack);
        }
}

/* Differences of the tangent, of the matrices and of df/dt leave errors of 1e-10 of S: h is larger here. */
TEST(second_derivatives_by_differences_keep_the_order)
{
    static const int gives[] = {STEP_ALL - STEP_SECOND, STEP_ALL - STEP_SECOND - STEP_TANGENT,
                                STEP_ALL - STEP_TIME, STEP_MATRICES};
    for (int x = EXPLICIT; x < FORMULAS; x++)
        for (size_t g = 0; g < sizeof gives / sizeof *gives; g++)
            for (int form = STEP_ODE; form <= STEP_MASS; form++) {
                struct step_problem it;
                step_problem_set(&it, (enum step_form)form, gives[g], STEP_NP);
                check(&it, &expected[x], 16, expected[x].order,
                      (struct window){SLACK, 2 * SLACK, false});
            }
}

/* Without them a Rosenbrock formula is a W-method for S; RODAS5P is one of order 2.  The state keeps its order. */
TEST(neglected_second_derivatives_cost_s_its_order)
{
    for (int x = EXPLICIT; x < FORMULAS; x++)
        for (int form = STEP_ODE; form <= STEP_DAE_OF_P; form++) {
            const struct expectation *const e = &expected[x];
            struct step_problem it;
            bool const algebraic = form >= STEP_SEMI;
            if (e->formula == TANSY_GRK4A && algebraic) continue; /* see above */
            step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
            struct slopes const s =
                measure(&it, e, algebraic ? 128 : e->steps, TANSY_SECOND_NEGLECTED);
            printf("%-8s %-13s second derivatives neglected: order of y %.2f, of S %.2f\n", e->name,
                   step_form_name(it.form), s.state, s.all);
            CHECK(s.state > (algebraic ? e->algebraic : e->order) - SLACK);
            CHECK_CLOSE(s.all, e->neglected, 0.1);
        }
}

static void dense_errors(const struct expectation *e, int steps, double *dense)
{
    struct step_problem it;
    double const h = TIME / steps;
    tansy_options const options = options_of(e, h);
    step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
    tansy_solver *const s = tansy_create(&it.problem, &options);
    for (int k = 0; k < 4; k++) dense[k] = 0;
    for (int k = 0; k < steps; k++) {
        CHECK_EQUAL(tansy_step(s, TIME, NULL, NULL), TANSY_OK);
        step_look_inside(s, &it, h, dense);
    }
    tansy_free(s);
}

/* Dense output of order q is wrong by O(h^(q+1)) inside a step, its slope by O(h^q); the former is not above the order of the
   method.  Maxima over places that move with h: twice the slack. */
TEST(dense_output_has_its_order_in_values_and_slopes)
{
    for (int x = 0; x < FORMULAS; x++) {
        const struct expectation *const e = &expected[x];
        int const steps = x < EXPLICIT ? 8 : 48;
        double coarse[4], fine[4];
        dense_errors(e, steps, coarse);
        dense_errors(e, 2 * steps, fine);
        for (int k = 0; k < 4; k++) {
            double const order = log2(coarse[k] / fine[k]);
            printf("%-8s dense output: %s of %s: order %.2f\n", e->name, k < 2 ? "value" : "slope",
                   k % 2 ? "S" : "y", order);
            CHECK_CLOSE(order, k < 2 ? e->dense + 1 : e->dense, 2 * SLACK);
        }
    }
}
