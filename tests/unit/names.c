/* SPDX-License-Identifier: Apache-2.0 */
/* Messages call states, parameters and conditions by the problem's names where it has them. */
#include <tansy/tansy.h>

#include <math.h>
#include <string.h>

#include "derive/names.h"
#include "test.h"

static const char *const states[] = {"prey", "predators"};
static const char *const parameters[] = {"alpha", "beta"};
static const char *const switches[] = {"prey > 3"};

static tansy_problem named(void)
{
    return (tansy_problem){.n = 2,
                           .np = 2,
                           .switches = 1,
                           .state_names = states,
                           .parameter_names = parameters,
                           .switch_names = switches};
}

static void check_sentence(const tansy_problem *problem, struct failure failure, const char *words)
{
    char text[256];
    failure.kind = FAILURE_NOT_FINITE;
    failure.value = (double)NAN;
    failure_describe(&failure, problem, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, words);
}

TEST(a_value_that_is_not_a_number_is_named)
{
    tansy_problem const problem = named();
    check_sentence(&problem, (struct failure){.function = "rhs", .row = 1, .column = SIZE_MAX},
                   "the right-hand side of predators is NaN");
    check_sentence(&problem, (struct failure){.function = "jacobian", .row = 1, .column = 0},
                   "equation of predators with respect to prey is NaN");
    check_sentence(&problem,
                   (struct failure){.function = "parameter_jacobian", .row = 0, .column = 1},
                   "equation of prey with respect to beta is NaN");
    check_sentence(&problem,
                   (struct failure){.function = "switch_function", .row = 0, .column = SIZE_MAX},
                   "the condition prey > 3 is NaN");
    check_sentence(&problem, (struct failure){.function = "initial", .row = 1, .column = SIZE_MAX},
                   "the initial value of predators is NaN");
    check_sentence(&problem,
                   (struct failure){.function = "initial_jacobian", .row = 0, .column = 1},
                   "the initial value of prey with respect to beta is NaN");
    check_sentence(&problem, (struct failure){.function = "second", .row = 1, .column = 0},
                   "a second derivative of the equation of predators along d/d(alpha) is NaN");
    check_sentence(&problem, (struct failure){.function = "tangent", .row = 0, .column = 1},
                   "tangent gave NaN in row 0, column 1");
}

TEST(equations_of_an_implicit_problem_are_named)
{
    static const char *const equations[] = {"m:1:1: x' = y", "m:2:1: 0 = x - y"};
    struct name name;
    tansy_problem problem = named();
    CHECK_TEXT_CONTAINS(name_equation(&problem, 1, &name), "equation 1");
    problem.equation_names = equations;
    check_sentence(&problem, (struct failure){.function = "residual", .row = 1, .column = SIZE_MAX},
                   "m:2:1: 0 = x - y is NaN");
    check_sentence(&problem,
                   (struct failure){.function = "residual_jacobian", .row = 1, .column = 0},
                   "derivative of m:2:1: 0 = x - y with respect to prey is NaN");
    check_sentence(&problem, (struct failure){.function = "second", .row = 1, .column = 0},
                   "a second derivative of m:2:1: 0 = x - y along d/d(alpha) is NaN");
    check_sentence(&problem, (struct failure){.function = "rate_jacobian", .row = 0, .column = 1},
                   "derivative of m:1:1: x' = y with respect to predators' is NaN");
    check_sentence(&problem,
                   (struct failure){.function = "residual_parameter", .row = 1, .column = 1},
                   "derivative of m:2:1: 0 = x - y with respect to beta is NaN");
}

TEST(columns_are_named_by_what_they_are)
{
    static const int columns[] = {1, TANSY_INITIAL(0)};
    struct name name;
    tansy_problem problem = named();
    CHECK_TEXT_CONTAINS(name_column(&problem, -1, &name), "the state");
    CHECK_TEXT_CONTAINS(name_column(&problem, 0, &name), "d/d(alpha)");
    problem.columns = columns;
    CHECK_TEXT_CONTAINS(name_column(&problem, 0, &name), "d/d(beta)");
    CHECK_TEXT_CONTAINS(name_column(&problem, 1, &name), "d/d(prey(0))");
    problem.state_names = problem.parameter_names = NULL;
    CHECK_TEXT_CONTAINS(name_column(&problem, 0, &name), "dy/dp_1");
    CHECK_TEXT_CONTAINS(name_column(&problem, 1, &name), "dy/dy_0(t0)");
    problem.directions = (const double[8]){0};
    CHECK_TEXT_CONTAINS(name_column(&problem, 1, &name), "direction 1");
}

TEST(without_names_numbers_do)
{
    struct name name;
    tansy_problem const problem = {.n = 2};
    CHECK_TEXT_CONTAINS(name_state(&problem, 1, &name), "component 1");
    CHECK_TEXT_CONTAINS(name_switch(&problem, 3, &name), "switch 3");
}

TEST(a_run_that_stops_names_the_state)
{
    double y[1];
    tansy_problem problem;
    static const char text[] = "state height = 1\nheight' = height^2\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "m");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK(tansy_solve(s, 2, y, NULL) < 0);
    CHECK_TEXT_CONTAINS(tansy_message(s), "height");
    tansy_free(s);
    tansy_model_free(m);
}

TEST(a_parameter_without_a_name_has_its_number)
{
    tansy_problem problem = named();
    problem.parameter_names = NULL;
    check_sentence(&problem,
                   (struct failure){.function = "parameter_jacobian", .row = 1, .column = 1},
                   "equation of predators with respect to p_1 is NaN");
    check_sentence(&problem,
                   (struct failure){.function = "initial_jacobian", .row = 0, .column = 0},
                   "initial value of prey with respect to p_0 is NaN");
}
