/* SPDX-License-Identifier: Apache-2.0 */
/* What the report says of one-step methods: formula, way to S, second derivatives, and what they found on their way. */
#include "test.h"

#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

static char page[4096];

/* y1' = -p (y1 - y2), y2' = 0: decay to y2.  A context that holds 1 makes f fail. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    const int *const fails = context;
    f[0] = -p[0] * (y[0] - y[1]);
    f[1] = 0;
    return fails ? *fails : 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)context;
    J[0] = -p[0];
    J[1] = p[0];
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = -(y[0] - y[1]);
    return 0;
}

static tansy_problem decay(const double *p, int *fails)
{
    static const double y0[] = {2, 1};
    return (tansy_problem){.n = 2,
                           .np = 1,
                           .y0 = y0,
                           .p = p,
                           .context = fails,
                           .rhs = rhs,
                           .jacobian = jacobian,
                           .parameter_jacobian = parameter,
                           .autonomous = 1};
}

static tansy_solver *run(const tansy_problem *problem, const tansy_options *options, double end)
{
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, end, NULL, NULL), TANSY_OK);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    return s;
}

TEST(every_formula_has_its_title)
{
    static const struct {
        tansy_formula formula;
        const char *title;
    } formulas[] = {
        {TANSY_DOP853, "method         explicit Runge-Kutta DOP853\n"},
        {TANSY_DOPRI8, "method         explicit Runge-Kutta 8(7)13 of Prince and Dormand\n"},
        {TANSY_RODAS5P, "method         Rosenbrock RODAS5P, order 5\n"},
        {TANSY_RODAS4, "method         Rosenbrock RODAS4, order 4\n"},
        {TANSY_GRK4A, "method         Rosenbrock GRK4A of Kaps and Rentrop, order 4\n"},
        {TANSY_GRK4T, "method         Rosenbrock GRK4T of Kaps and Rentrop, order 4\n"}};
    static const double p[] = {1};
    tansy_problem const problem = decay(p, NULL);
    for (size_t x = 0; x < sizeof formulas / sizeof *formulas; x++) {
        tansy_formula const formula = formulas[x].formula;
        bool const explicit = formula <= TANSY_DOPRI8;
        tansy_options options = {.method = explicit ? TANSY_RK8 : TANSY_ROSENBROCK,
                                 .formula = formula};
        tansy_free(run(&problem, &options, 1));
        CHECK_TEXT_CONTAINS(page, formulas[x].title);
        CHECK_TEXT_CONTAINS(page, "sensitivities  exact tangents of the discrete step\n");
        CHECK_TEXT_CONTAINS(page, explicit ? "linear solver  none" : "linear solver  dense_lu");
        CHECK(!strstr(page, "chosen by stiffness"));
        CHECK(!strstr(page, "iterations     state"));
        CHECK(!strstr(page, "warning"));
        options.sensitivities = TANSY_DIFFERENCE;
        tansy_free(run(&problem, &options, 1));
        CHECK_TEXT_CONTAINS(page, "sensitivities  internal numerical differentiation of the ");
    }
}

TEST(second_derivatives_and_their_source_are_told)
{
    static const double p[] = {1};
    tansy_problem const problem = decay(p, NULL);
    tansy_options options = {.method = TANSY_ROSENBROCK};
    tansy_free(run(&problem, &options, 1));
    CHECK_TEXT_CONTAINS(page, "second derivatives  matrix, by differences\n");
    CHECK_TEXT_CONTAINS(page, "               second derivatives ");
    options.second_derivatives = TANSY_SECOND_NEGLECTED;
    tansy_free(run(&problem, &options, 1));
    CHECK(!strstr(page, "second derivatives"));
}

/* With p = 1e4 the decay is over at once, and steps stay at the border of stability. */
TEST(rk8_warns_of_a_stiff_problem_and_names_what_to_use)
{
    static const double p[] = {1e4};
    tansy_problem const problem = decay(p, NULL);
    tansy_solver *const s = run(&problem, &(tansy_options){.method = TANSY_RK8}, 1);
    CHECK_TEXT_CONTAINS(page, "warning: the problem is stiff: stability, not accuracy, rules the "
                              "steps of rk8; use rosenbrock or bdf\n");
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    CHECK(!strstr(page, "stiff")); /* of the run before */
    tansy_free(s);
    tansy_free(run(&problem, &(tansy_options){.method = TANSY_ROSENBROCK}, 1));
    CHECK(!strstr(page, "stiff"));
}

static int oscillation(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = p[0] * y[1];
    f[1] = -p[0] * y[0];
    return 0;
}

/* h rho is 0.8 in all steps, but the weights of a component change a thousandfold while it passes through 0. */
TEST(rk8_does_not_take_an_oscillation_for_stiff)
{
    static const double start[] = {1, 0}, p[] = {1, 10, 100, 1000};
    for (size_t k = 0; k < sizeof p / sizeof *p; k++) {
        tansy_problem const problem = {
            .n = 2, .np = 1, .y0 = start, .p = p + k, .rhs = oscillation};
        tansy_options const options = {.method = TANSY_RK8, .rtol = 1e-6, .atol = 1e-9};
        tansy_free(run(&problem, &options, 1000 / p[k]));
        CHECK(!strstr(page, "stiff"));
    }
}

TEST(too_many_steps_of_rk8_ask_for_a_stiff_method)
{
    static const double p[] = {1e4};
    tansy_problem const problem = decay(p, NULL);
    tansy_options const options = {.method = TANSY_RK8, .max_steps = 50};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_TOO_MANY_STEPS);
    CHECK_TEXT_CONTAINS(tansy_message(s), "use rosenbrock or bdf if the problem is stiff");
    tansy_free(s);
}

/* The rounding of y, 1.1e-16 y/eps with eps = 1.5e-8, is above a tenth of the tolerance of S, 1e-6, from y = 14 on. */
TEST(increments_that_lose_their_digits_are_told)
{
    static const double p[] = {1}, large[] = {10001, 10000};
    tansy_problem problem = decay(p, NULL);
    tansy_options const options = {.method = TANSY_RK8,
                                   .sensitivities = TANSY_DIFFERENCE,
                                   .difference = TANSY_FORWARD,
                                   .rtol = 1e-6,
                                   .atol = 1e-6};
    tansy_free(run(&problem, &options, 1));
    CHECK(!strstr(page, "warning"));
    problem.y0 = large;
    tansy_free(run(&problem, &options, 1));
    CHECK_TEXT_CONTAINS(page, "warning: increments of 1 columns would lose their digits: they are "
                              "differenced by a formula of higher order\n");
}

TEST(dense_output_of_lower_order_is_told)
{
    static const double p[] = {1};
    int fails = 0;
    double y[2];
    tansy_problem const problem = decay(p, &fails);
    tansy_options const options = {.method = TANSY_RK8, .first_step = 0.01};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_step(s, 1, NULL, NULL), TANSY_OK);
    fails = 1;
    CHECK_EQUAL(tansy_at(s, 0.5 * tansy_time(s), y, NULL, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(y[0], 2 - 0.5 * tansy_time(s), 1e-4); /* 1 + exp(-t), t^2/2 = 1.3e-5 */
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    CHECK_TEXT_CONTAINS(page, "warning: f could not be evaluated where dense output needs it");
    tansy_free(s);
}
