/* SPDX-License-Identifier: Apache-2.0 */
/* What does not go together is refused at creation with a sentence that says what would. */
#include <stdio.h>

#include "support/step_problem.h"
#include "test.h"

/* The handle is in error, says so, and stays so. */
static void check_refused(const tansy_problem *problem, const tansy_options *options,
                          const char *says)
{
    double y[STEP_N];
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), says);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_BAD_OPTION);
    tansy_free(s);
}

static void refuse_ode(tansy_options options, const char *says)
{
    struct step_problem it;
    step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
    check_refused(&it.problem, &options, says);
}

TEST(correctors_of_multistep_methods_are_refused)
{
    static const tansy_sensitivities ways[] = {TANSY_SIMULTANEOUS, TANSY_STAGGERED, TANSY_DIRECT,
                                               TANSY_MEASURED};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        refuse_ode((tansy_options){.method = TANSY_RK8, .sensitivities = ways[k]},
                   "take tangent or difference");
        refuse_ode((tansy_options){.method = TANSY_ROSENBROCK, .sensitivities = ways[k]},
                   "take tangent or difference");
    }
}

TEST(tangents_are_refused_by_multistep_methods)
{
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_ADAMS, TANSY_BDF, TANSY_DASSL};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (int way = TANSY_TANGENT; way <= TANSY_DIFFERENCE; way++) {
            struct step_problem it;
            tansy_options const options = {.method = methods[k],
                                           .sensitivities = (tansy_sensitivities)way};
            step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
            tansy_solver *const s = tansy_create(&it.problem, &options);
            if (methods[k] != TANSY_METHOD_AUTO) { /* auto may choose a one-step method */
                CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
                CHECK_TEXT_CONTAINS(tansy_message(s), "rk8, rosenbrock and limex");
            }
            tansy_free(s);
        }
}

TEST(formulas_belong_to_their_methods)
{
    for (int formula = TANSY_DOP853; formula <= TANSY_GRK4T; formula++) {
        bool const explicit = formula <= TANSY_DOPRI8;
        refuse_ode((tansy_options){.method = TANSY_BDF, .formula = (tansy_formula)formula},
                   "formula is for the methods rk8 and rosenbrock");
        refuse_ode((tansy_options){.method = TANSY_ADAMS, .formula = (tansy_formula)formula},
                   "formula is for the methods rk8 and rosenbrock");
        refuse_ode((tansy_options){.method = explicit ? TANSY_ROSENBROCK : TANSY_RK8,
                                   .formula = (tansy_formula)formula},
                   explicit ? "rodas5p, rodas4, grk4a, grk4t" : "dop853 and dopri8");
    }
}

TEST(max_order_is_refused_by_one_step_methods)
{
    refuse_ode((tansy_options){.method = TANSY_RK8, .max_order = 5}, "choose a formula");
    refuse_ode((tansy_options){.method = TANSY_ROSENBROCK, .max_order = 3}, "choose a formula");
}

TEST(linear_solvers_are_refused_where_there_is_nothing_for_them)
{
    static const tansy_linear_solver solvers[] = {TANSY_DENSE_LU, TANSY_BAND_LU, TANSY_SPARSE_LU,
                                                  TANSY_GMRES};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
        refuse_ode((tansy_options){.method = TANSY_RK8, .linear_solver = solvers[k]}, "rk8");
    refuse_ode((tansy_options){.method = TANSY_ROSENBROCK, .linear_solver = TANSY_GMRES},
               "rosenbrock");
    refuse_ode((tansy_options){.method = TANSY_ROSENBROCK, .linear_solver = TANSY_DIAGONAL},
               "adams");
}

TEST(forms_that_a_method_does_not_solve_are_refused)
{
    struct step_problem it;
    for (int form = STEP_MASS; form < STEP_FORMS; form++) {
        step_problem_set(&it, (enum step_form)form, STEP_ALL, STEP_NP);
        check_refused(&it.problem, &(tansy_options){.method = TANSY_RK8}, "y' = f only");
    }
    tansy_options const rosenbrock = {.method = TANSY_ROSENBROCK};
    step_problem_set(&it, STEP_RESIDUAL, STEP_ALL, STEP_NP);
    it.problem.mass_constant = 0;
    check_refused(&it.problem, &rosenbrock, "or dassl");
    step_problem_set(&it, STEP_DAE_OF_P, STEP_ALL, STEP_NP);
    it.problem.mass_constant = 0;
    check_refused(&it.problem, &rosenbrock, ".mass_constant");
    step_problem_set(&it, STEP_DAE, STEP_ALL, STEP_NP);
    it.problem.mass_varies = 1;
    check_refused(&it.problem, &rosenbrock, ".mass_constant");
}

TEST(index_2_is_refused)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    struct step_problem it;
    step_problem_set(&it, STEP_SEMI, STEP_ALL, STEP_NP);
    it.problem.kind = kind;
    check_refused(&it.problem, &(tansy_options){.method = TANSY_ROSENBROCK}, "index 1");
}

/* By name, as the program sets them. */
TEST(options_of_one_step_methods_can_be_set_by_name)
{
    static const char *const good[][2] = {{"method", "rk8"},
                                          {"method", "rosenbrock"},
                                          {"formula", "dop853"},
                                          {"formula", "dopri8"},
                                          {"formula", "rodas5p"},
                                          {"formula", "rodas4"},
                                          {"formula", "grk4a"},
                                          {"formula", "grk4t"},
                                          {"sensitivities", "tangent"},
                                          {"sensitivities", "difference"},
                                          {"second_derivatives", "neglected"},
                                          {"second_derivatives", "differences"}};
    tansy_options options = {.rtol = 0};
    char message[200];
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        CHECK_EQUAL(tansy_option_set(&options, good[k][0], good[k][1], message, sizeof message),
                    TANSY_OK);
    CHECK_EQUAL(options.formula, TANSY_GRK4T);
    CHECK_EQUAL(options.second_derivatives, TANSY_SECOND_DIFFERENCES);
    CHECK_EQUAL(tansy_option_set(&options, "formula", "rk4", message, sizeof message),
                TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(message, "dop853");
}

static void check_bad_value(const tansy_options *options)
{
    char message[200] = "";
    CHECK_EQUAL(tansy_options_check(options, message, sizeof message), TANSY_BAD_OPTION);
    CHECK(message[0] != '\0');
}

TEST(values_out_of_range_are_refused)
{
    check_bad_value(&(tansy_options){.formula = (tansy_formula)(TANSY_GRK4T + 1)});
    check_bad_value(&(tansy_options){.formula = (tansy_formula)-1});
    check_bad_value(&(tansy_options){.second_derivatives =
                                         (tansy_second_derivatives)(TANSY_SECOND_NEGLECTED + 1)});
    check_bad_value(&(tansy_options){.substeps = -2});
}
