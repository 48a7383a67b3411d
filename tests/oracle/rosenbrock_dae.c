/* SPDX-License-Identifier: Apache-2.0 */
/* The promise, docs/design.md section 12, for the method rosenbrock on F(t, y, y', p) = 0 and B y' = f with B that depends on p at most,
   also singular without a zero row: the error of y and of every column at every reference time is at most 100 rtol, by exact
   tangents of every formula, with derivatives given, from models, and by differences, and by internal differentiation. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/accuracy.h"
#include "test.h"

static const struct formula {
    const char *name;
    tansy_formula formula;
} formulas[] = {{"rodas5p", TANSY_RODAS5P},
                {"rodas4", TANSY_RODAS4},
                {"grk4a", TANSY_GRK4A},
                {"grk4t", TANSY_GRK4T}};

/* Which of them, to which rtol, and how. */
struct range {
    size_t formulas;
    double smallest, smallest_grk4;
    enum derivatives derivatives;
    tansy_sensitivities sensitivities;
    tansy_second_derivatives second;
};

/* Runs from rtol = 1e-3 on that break the promise. */
static size_t broken_by(const struct oracle *o, const struct range *range)
{
    size_t broken = 0;
    for (size_t k = 0; k < range->formulas; k++) {
        double const least = k < 2 ? range->smallest : range->smallest_grk4;
        double const smallest = TEST_STRIDE > 1 ? fmax(least, 1e-5) : least;
        double worst[2] = {0, 0};
        size_t steps = 0;
        for (double rtol = TEST_STRIDE > 1 ? 1e-4 : 1e-3; rtol > 0.9 * smallest;
             rtol /= TEST_STRIDE > 1 ? 100 : 10) {
            tansy_options const options = {.method = TANSY_ROSENBROCK,
                                           .formula = formulas[k].formula,
                                           .sensitivities = range->sensitivities,
                                           .second_derivatives = range->second,
                                           .rtol = rtol};
            struct accuracy const a = oracle_measure(o, range->derivatives, &options);
            worst[0] = fmax(worst[0], a.state / rtol);
            worst[1] = fmax(worst[1], a.columns / rtol);
            steps = a.steps;
            if (fmax(a.state, a.columns) <= 100 * rtol) continue;
            broken++;
            fprintf(stderr, "%s, %s, rtol %.0e: error %.2e of the state, %.2e of column %zu %s\n",
                    o->problem->name, formulas[k].name, rtol, a.state, a.columns, a.column,
                    a.message);
        }
        printf("%-20s %-8s error/rtol to %.0e at most %6.2f of y, %6.2f of S; %zu steps\n",
               o->problem->name, formulas[k].name, smallest, worst[0], worst[1], steps);
    }
    return broken;
}

static size_t promises(const char *problem, struct range range)
{
    struct oracle o;
    oracle_open(problem, &o);
    size_t const broken = broken_by(&o, &range);
    oracle_close(&o);
    return broken;
}

/* GRK4A and GRK4T have order 2 in algebraic components: to 1e-6 in reasonable time. */
static const struct range exact = {4, 1e-8, 1e-6, GIVEN, TANSY_TANGENT, TANSY_SECOND_AUTO};

#define PROMISE(problem)                                                                           \
    TEST(rosenbrock_keeps_its_promise_on_##problem)                                                \
    {                                                                                              \
        CHECK_EQUAL(promises(#problem, exact), 0);                                                 \
    }

PROMISE(robertson_dae)
PROMISE(robertson_dae_mass)
PROMISE(batch_reactor)
PROMISE(batch_reactor_mass)
PROMISE(akzo_nobel)
PROMISE(akzo_nobel_mass)
PROMISE(heat_10)
PROMISE(heat_10_mass)
PROMISE(heat_10_sparse)

/* B of the transistor amplifier is singular without a zero row: grk4a and grk4t need one.  Its columns are up to 100 times y/p and cross
   zero, where their tolerance falls below the rounding of the rest: to 1e-6. */
static const struct range coupled = {2, 1e-6, 0, GIVEN, TANSY_TANGENT, TANSY_SECOND_AUTO};

TEST(rosenbrock_keeps_its_promise_where_no_row_of_B_is_zero)
{
    CHECK_EQUAL(promises("transistor", coupled), 0);
}

TEST(grk4_refuses_a_singular_B_without_zero_rows)
{
    struct oracle o;
    oracle_open("transistor", &o);
    for (size_t k = 2; k < 4; k++) {
        tansy_options const options = {
            .method = TANSY_ROSENBROCK, .formula = formulas[k].formula, .rtol = 1e-4};
        struct accuracy const a = oracle_measure(&o, GIVEN, &options);
        CHECK_EQUAL(a.status, TANSY_BAD_OPTION);
        CHECK_TEXT_CONTAINS(a.message, "choose the formula rodas5p or rodas4");
    }
    oracle_close(&o);
}

/* The model of a file; what follows `old` is put in the place of that text, if there is one. */
static tansy_model *read_model(const char *model, const char *const *replacement)
{
    char path[256], text[4096];
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", model);
    FILE *const file = fopen(path, "r");
    size_t const length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = 0;
    for (; replacement && *replacement; replacement += 2) {
        char *const at = strstr(text, replacement[0]);
        CHECK(at && strlen(replacement[0]) == strlen(replacement[1]));
        memcpy(at, replacement[1], strlen(replacement[1]));
    }
    return tansy_model_parse(text, length, model);
}

/* The hand-written problem's reference, columns and tolerances, the model's functions. */
static size_t model_promises(tansy_model *m, const char *problem, struct range range)
{
    struct oracle o;
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    oracle_open(problem, &o);
    struct test_problem by_model = *o.problem;
    CHECK_EQUAL(tansy_model_problem(m, &by_model.problem), TANSY_OK);
    CHECK(by_model.problem.mass_constant && by_model.problem.complete);
    by_model.problem.ns = o.problem->problem.ns;
    by_model.problem.columns = o.problem->problem.columns;
    by_model.problem.scale = o.problem->problem.scale;
    CHECK_EQUAL(by_model.problem.n, o.problem->problem.n);
    CHECK_EQUAL(by_model.problem.np, o.problem->problem.np);
    o.problem = &by_model;
    size_t const broken = broken_by(&o, &range);
    oracle_close(&o);
    tansy_model_free(m);
    return broken;
}

/* The reference of Akzo Nobel has a column of the pressure, before that of H. */
static const char *const with_pressure[] = {"Ks = 115.83, H = 737\nconstant pressure = 0.9\n",
                                            "Ks = 115.83, pressure = 0.9, H = 737        \n", NULL};

TEST(rosenbrock_keeps_its_promise_on_implicit_models)
{
    CHECK_EQUAL(model_promises(read_model("robertson_dae", NULL), "robertson_dae", exact), 0);
    CHECK_EQUAL(model_promises(read_model("batch_reactor", NULL), "batch_reactor", exact), 0);
    CHECK_EQUAL(model_promises(read_model("akzo_nobel", with_pressure), "akzo_nobel", exact), 0);
    CHECK_EQUAL(model_promises(read_model("transistor_amplifier", NULL), "transistor", coupled), 0);
}

TEST(rosenbrock_keeps_its_promise_by_differences_of_F_alone)
{
    struct range const differences = {
        3, 1e-5, 1e-4, BY_DIFFERENCES, TANSY_TANGENT, TANSY_SECOND_AUTO};
    CHECK_EQUAL(promises("robertson_dae", differences), 0);
    CHECK_EQUAL(promises("batch_reactor", differences), 0);
    CHECK_EQUAL(promises("akzo_nobel", differences), 0);
    CHECK_EQUAL(promises("akzo_nobel_mass", differences), 0);
}

/* Franz and Kiehl (9)-(16): the perturbed solutions go through the stages with the matrix of the state.  With second derivatives
   S is as accurate, and as cheap in steps, as by exact tangents; as in the paper, without them, S is of low order, which the
   error test makes up for by many small steps.  (Reactions much stiffer than these drown in the rounding of F, see docs/dae.md.) */
TEST(internal_differentiation_keeps_the_promise_on_a_semi_explicit_problem)
{
    struct range const full = {4, 1e-6, 1e-5, GIVEN, TANSY_DIFFERENCE, TANSY_SECOND_DIFFERENCES};
    struct range const paper = {4, 1e-6, 1e-4, GIVEN, TANSY_DIFFERENCE, TANSY_SECOND_AUTO};
    CHECK_EQUAL(promises("akzo_nobel", full), 0);
    CHECK_EQUAL(promises("akzo_nobel_mass", full), 0);
    CHECK_EQUAL(promises("akzo_nobel", paper), 0);
    CHECK_EQUAL(promises("akzo_nobel_mass", paper), 0);
}

static void check_refused(const tansy_problem *problem)
{
    tansy_solver *const s =
        tansy_create(problem, &(tansy_options){.method = TANSY_ROSENBROCK, .rtol = 1e-4});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), "rosenbrock and limex are for problems of index 1");
    tansy_free(s);
}

TEST(rosenbrock_refuses_index_2)
{
    tansy_problem problem;
    tansy_model *const m = tansy_model_read("examples/models/pendulum.tansy");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    check_refused(&problem);
    check_refused(&problem_find("pendulum")->problem);
    check_refused(&problem_find("pendulum_mass")->problem);
    tansy_model_free(m);
}

TEST(rosenbrock_refuses_a_residual_of_which_nothing_is_known)
{
    tansy_problem problem = problem_find("akzo_nobel")->problem;
    problem.mass_constant = 0;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = TANSY_ROSENBROCK, .rtol = 1e-4});
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), ".mass_constant");
    tansy_free(s);
}
