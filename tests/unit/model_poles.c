/* SPDX-License-Identifier: Apache-2.0 */
/* What is 0/0 as it is written has no value: nothing is cancelled that may be 0.  The oracle is the arithmetic of the machine. */
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "support/bound_model.h"
#include "support/model_solution.h"

enum { LENGTH = 300 };

/* y' = the expression, at x, z = 2, k = 0 and n = 1.5; before the graph is made for derivatives. */
static double value_of(const char *expression, double x)
{
    char text[LENGTH];
    struct bound_model m;
    double value;
    snprintf(text, sizeof text,
             "parameter k = 0, n = 1.5\nstate x = 0, z = 2, y = 0\nx' = k\nz' = n\ny' = %s\n",
             expression);
    bound_parse(&m, text);
    CHECK_EQUAL(m.status, TANSY_OK);
    bound_values(&m, 0, (double[]){x, 2, 0}, (double[]){0, 1.5}, &m.system.rhs[2], 1, &value);
    bound_free(&m);
    return value;
}

TEST(zero_by_zero_has_no_value)
{
    static const char *const singular[] = {
        "x/x",
        "2*x/x",
        "2*x/(3*x)",
        "x*z/x",
        "z*x/x",
        "x^2/x",
        "x^3/x^2",
        "x*(1/x)",
        "(1/x)*x",
        "(z/x)*x",
        "x*(z/x)",
        "x^-1*x",
        "sqrt(x)/x*sqrt(x)",
        "x^n/x^n",
        "x^(n + 1)/x",
        "x/x^n",
        "k/k",
        "k*z/k",
        "k*x/(k*z)",
        "sin(x)/sin(x)",
        "(x + k)/(x + k)",
        "x/sqrt(abs(x))",
        "exp(z)*x/(x*exp(z - 1))",
        "x*exp(-z)/x*exp(z)",
    };
    for (size_t i = 0; i < sizeof singular / sizeof *singular; i++) {
        double const value = value_of(singular[i], 0);
        if (!isnan(value)) fprintf(stderr, "%s is %g at 0\n", singular[i], value);
        CHECK(isnan(value));
    }
}

/* Beside 0 they are what they were, to a rounding in each operation. */
TEST(beside_zero_they_have_their_values)
{
    double const x = 0.25, eps = 4 * 2.220446049250313e-16;
    CHECK_CLOSE(value_of("x/x", x), 1, 0);
    CHECK_CLOSE(value_of("x*z/x", x), 2, 2 * eps);
    CHECK_CLOSE(value_of("x^3/x^2", x), x, eps);
    CHECK_CLOSE(value_of("(z/x)*x", x), 2, 2 * eps);
    CHECK_CLOSE(value_of("x^(n + 1)/x", x), x * sqrt(x), eps);
}

/* Poles that stay in the result need no care, nor do factors that are above 0. */
TEST(what_cannot_be_zero_is_cancelled)
{
    struct bound_model m;
    bound_parse(&m, "state x = 0, y = 0\nx' = exp(y)*x/exp(y)\n"
                    "y' = (1 + sqrt(2 + exp(x)))*y/(1 + sqrt(2 + exp(x)))");
    CHECK_EQUAL(m.status, TANSY_OK);
    const struct node *const node = graph_nodes(m.system.graph);
    CHECK_EQUAL(node[m.system.rhs[0]].operation, OP_STATE);
    CHECK_EQUAL(node[m.system.rhs[1]].operation, OP_STATE);
    bound_free(&m);
    CHECK(isinf(value_of("x/x^2", 0)) || isnan(value_of("x/x^2", 0)));
}

/* The run says so, and does not go on with 1. */
TEST(a_run_that_begins_at_a_pole_is_told)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text("parameter k = 1\nstate x = 0\nx' = k*x/x\n", &problem);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "the right-hand side of x is NaN at t = 0");
    tansy_free(s);
    tansy_model_free(m);
}
