/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of initial values that cannot be made consistent and of problems whose index is too high: the right status, and a message
   that names the equation or the variable. */
#include "support/problems.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

static void fails(const tansy_problem *problem, const tansy_options *options, tansy_status status,
                  const char *const *words)
{
    tansy_solver *const s = tansy_create(problem, options);
    if (tansy_error(s) != status) puts(tansy_message(s));
    CHECK_EQUAL(tansy_error(s), status);
    for (size_t k = 0; words[k]; k++) CHECK_TEXT_CONTAINS(tansy_message(s), words[k]);
    tansy_free(s);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const names[] = {"x", "y", "u", "v", "lambda"};

/* The pendulum with names, from given values. */
static tansy_problem pendulum(const double *y0)
{
    static const char *const parameter[] = {"length"};
    tansy_problem problem = problem_find("pendulum")->problem;
    problem.initial = NULL;
    problem.initial_jacobian = NULL;
    problem.y0 = y0;
    problem.state_names = names;
    problem.parameter_names = parameter;
    return problem;
}

TEST(values_that_break_a_constraint_of_index_2_are_refused)
{
    static const double y0[] = {0.5, -0.8, 0.1, 0, 0};
    tansy_problem const problem = pendulum(y0);
    fails(&problem, NULL, TANSY_INCONSISTENT,
          WORDS("constraint equation 4", "at t = 0", "-0.05", "index-2"));
}

/* y0 satisfies the constraint for all values of the length: S0 = 0 does; but not if x(0) moves with the velocity. */
TEST(columns_that_break_the_derivative_of_a_constraint_are_refused)
{
    static const double y0[] = {0.5, -0.8, 0, 0, 0};
    static const int velocity[] = {TANSY_INITIAL(2)};
    tansy_problem problem = pendulum(y0);
    problem.columns = velocity;
    problem.ns = 1;
    fails(
        &problem, NULL, TANSY_INCONSISTENT,
        WORDS("derivative of the constraint equation 4", "d/d(u(0))", "by", "for all parameters"));
}

/* The pendulum with its length as constraint: index 3. */
static int long_residual(double t, const double *x, const double *xp, const double *p, double *F,
                         void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = xp[0] - x[2];
    F[1] = xp[1] - x[3];
    F[2] = xp[2] + x[0] * x[4];
    F[3] = xp[3] + x[1] * x[4] + 9.81;
    F[4] = x[0] * x[0] + x[1] * x[1] - 1;
    return 0;
}

TEST(an_index_of_3_is_refused)
{
    static const double y0[] = {0.6, -0.8, 0, 0, 7};
    static const tansy_kind kind[] = {0, 0, 0, 0, TANSY_INDEX_2};
    tansy_problem problem = {.n = 5, .y0 = y0, .residual = long_residual, .state_names = names};
    fails(&problem, NULL, TANSY_HIGH_INDEX, WORDS("index is too high", "lambda", "TANSY_INDEX_2"));
    problem.kind = kind;
    fails(&problem, NULL, TANSY_HIGH_INDEX,
          WORDS("index is too high", "lambda", "differentiate the constraint once more"));
}

/* Two equations for y and none for z; z appears nowhere. */
static int unstructured(double t, const double *y, const double *yp, const double *p, double *F,
                        void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] + y[0];
    F[1] = y[0] - 1;
    return 0;
}

/* The same with a coupled singular matrix. */
static int coupled_unstructured(double t, const double *y, const double *yp, const double *p,
                                double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] + yp[1] + y[0];
    F[1] = yp[0] + yp[1] + y[0] - y[1] + y[1];
    return 0;
}

TEST(structurally_singular_equations_are_refused)
{
    static const double y0[] = {1, 2};
    tansy_problem problem = {.n = 2, .y0 = y0, .residual = unstructured, .state_names = names};
    fails(&problem, NULL, TANSY_HIGH_INDEX, WORDS("leave y undetermined", "at t = 0"));
    problem.residual = coupled_unstructured;
    fails(&problem, NULL, TANSY_HIGH_INDEX, WORDS("index is too high"));
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK(strstr(tansy_message(s), "leave x undetermined") ||
          strstr(tansy_message(s), "leave y undetermined"));
    tansy_free(s);
}

/* 0 = 1 + z^2 has no solution. */
static int rootless(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] + y[0];
    F[1] = 1 + y[1] * y[1];
    return 0;
}

TEST(equations_without_a_solution_are_told)
{
    static const double y0[] = {1, 2};
    tansy_problem const problem = {.n = 2, .y0 = y0, .residual = rootless, .state_names = names};
    fails(&problem, NULL, TANSY_INCONSISTENT,
          WORDS("no consistent initial values", "does not converge", "in y", "starting values"));
}

/* sqrt(z) = y: the guess is negative, where the square root is NaN. */
static int rooted(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[0] + y[0];
    F[1] = sqrt(y[1]) - y[0];
    return 0;
}

TEST(a_residual_that_is_nan_at_the_start_is_named)
{
    static const double y0[] = {1, -2};
    tansy_problem problem = {.n = 2, .y0 = y0, .residual = rooted, .state_names = names};
    fails(&problem, NULL, TANSY_NOT_FINITE,
          WORDS("initial point", "residual gave NaN in component 1"));
}

/* Newton's step from 100 goes to -1.9e2 at once and has to be shortened until the root exists. */
TEST(a_step_into_nan_is_shortened)
{
    static const double y0[] = {1, 100};
    double y[2];
    tansy_problem const problem = {.n = 2, .y0 = y0, .residual = rooted};
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 0, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[1], 1, 1e-12);
    tansy_free(s);
}

TEST(kinds_that_do_not_fit_are_refused)
{
    static const double y0[] = {1, 1};
    static const tansy_kind no_constraint[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2},
                            no_rate[] = {TANSY_ALGEBRAIC, TANSY_ALGEBRAIC},
                            unknown[] = {TANSY_DIFFERENTIAL, (tansy_kind)7};
    tansy_problem problem = {.n = 2, .y0 = y0, .residual = rooted, .state_names = names};
    problem.kind = no_constraint;
    fails(&problem, NULL, TANSY_HIGH_INDEX,
          WORDS("TANSY_INDEX_2, the first is y", "0 equations are constraints"));
    problem.kind = no_rate;
    fails(&problem, NULL, TANSY_BAD_PROBLEM,
          WORDS("x is algebraic", "its derivative is in equation 0"));
    problem.kind = unknown;
    fails(&problem, NULL, TANSY_BAD_PROBLEM, WORDS("kind[1] = 7"));
}

TEST(kept_values_that_are_inconsistent_are_refused)
{
    static const double y0[] = {1, 1.1};
    tansy_problem const problem = {.n = 2, .y0 = y0, .residual = rooted, .state_names = names};
    fails(&problem, &(tansy_options){.keep_initial = 1}, TANSY_INCONSISTENT,
          WORDS("y = 1.1 should be near", "keep_initial"));
}

/* y' = -1 follows from y = 1. */
TEST(kept_derivatives_that_are_inconsistent_are_refused)
{
    static const double y0[] = {1, 1}, wrong[] = {-0.9, 0}, right[] = {-1, -2};
    tansy_problem problem = {
        .n = 2, .y0 = y0, .yp0 = wrong, .residual = rooted, .state_names = names};
    fails(&problem, &(tansy_options){.keep_initial = 1}, TANSY_INCONSISTENT,
          WORDS("x' = -0.9 should be near -1", "keep_initial"));
    fails(&problem, NULL, TANSY_OK, WORDS(""));
    problem.yp0 = right;
    fails(&problem, &(tansy_options){.keep_initial = 1}, TANSY_OK, WORDS(""));
}

/* Multipliers need the entries of the matrices. */
TEST(index_2_by_gmres_is_refused)
{
    static const double y0[] = {0.5, -0.8, 0, 0, 0};
    tansy_problem const problem = pendulum(y0);
    fails(&problem, &(tansy_options){.linear_solver = TANSY_GMRES}, TANSY_BAD_OPTION,
          WORDS("index 2", "gmres"));
    fails(&problem,
          &(tansy_options){.linear_solver = TANSY_GMRES,
                           .preconditioner = TANSY_BLOCK_PRECONDITIONER,
                           .preconditioner_block = 5},
          TANSY_BAD_OPTION, WORDS("index 2", "gmres"));
}

/* An error of the start can be put right by a restart with other values. */
TEST(a_restart_with_consistent_values_goes_on)
{
    static const double bad[] = {0.5, -0.8, 0.1, 0, 0}, good[] = {0.6, -0.8, 0.4, 0.3, 0};
    double y[5];
    tansy_problem const problem = pendulum(bad);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    CHECK_EQUAL(tansy_error(s), TANSY_INCONSISTENT);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_INCONSISTENT);
    CHECK_EQUAL(tansy_restart(s, 0, good, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[0] * y[0] + y[1] * y[1], 1, 1e-4); /* the length is kept, to 100 rtol */
    tansy_free(s);
}

/* Capacitors couple the derivatives; U1 = 0 with an atol below the rounding of the others, up to 6. */
TEST(a_tolerance_below_the_rounding_of_other_components_is_named)
{
    static const char *const words[] = {"lost in the rounding", "raise its atol", NULL};
    for (double atol = 1e-15; atol > 5e-17; atol /= 10) {
        tansy_options const options = {.rtol = 1e-6, .atol = atol};
        fails(&problem_find("transistor")->problem, &options, TANSY_TOO_MUCH_ACCURACY, words);
    }
}
