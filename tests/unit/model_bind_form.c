/* SPDX-License-Identifier: Apache-2.0 */
/* The form of the equations: explicit where each rate can be solved for alone, linearly implicit, fully implicit. */
#include "test.h"

#include <float.h>
#include <stdio.h>

#include "support/bound_model.h"

static void has_form(struct bound_model *m, const char *text, enum system_form form)
{
    bound_parse(m, text);
    if (m->status != TANSY_OK) fprintf(stderr, "%s\n", m->syntax.diagnosis.text);
    CHECK_EQUAL(m->status, TANSY_OK);
    CHECK_EQUAL(m->system.form, form);
    CHECK((m->system.rhs != NULL) == (form == FORM_EXPLICIT));
    CHECK((m->system.residual != NULL) == (form != FORM_EXPLICIT));
}

/* rhs[0] is the value at x = 3, y = 5, z = 7, p = 2. */
static void solves(const char *text, double expected)
{
    struct bound_model m;
    double f;
    has_form(&m, text, FORM_EXPLICIT);
    bound_values(&m, 0, (double[]){3, 5, 7}, (double[]){2}, m.system.rhs, 1, &f);
    CHECK_CLOSE(f, expected, 4 * DBL_EPSILON * 10);
    bound_free(&m);
}

TEST(an_equation_linear_in_one_rate_is_solved_for_it)
{
    solves("state x = 1\n2*x' = x", 1.5);
    solves("parameter p = 2\nstate x = 1\np*x' + x = 1", -1);
    solves("parameter p = 2\nstate x = 1\n0 = x - p*x'/x", 4.5);
    solves("state x = 1\nx = (1 + x^2)*x'", 0.3);
    solves("state x = 1\n-x' = x", -3);
    solves("state x = 1\n3 - x' = x' + x", 0);
}

TEST(rates_on_the_right_are_replaced)
{
    solves("state x = 1, y = 1\nx' = y' + 1\ny' = 7", 8);
    solves("state x = 1, y = 1, z = 1\nx' = y' + z'\ny' = 2*z'\nz' = 7", 21);
    solves("state x = 1, y = 1\n2*x' = 2*y\ny' = x' + 1\noutput o = y'", 5);
    struct bound_model m;
    double value[2];
    has_form(&m, "state x = 1\nx' = 2*x\noutput o = x'\nintegral I = x'", FORM_EXPLICIT);
    bound_values(&m, 0, (double[]){3, 0}, NULL,
                 (uint32_t[]){m.system.output.item[0].node, m.system.rhs[1]}, 2, value);
    CHECK_CLOSE(value[0], 6, 0);
    CHECK_CLOSE(value[1], 6, 0);
    bound_free(&m);
}

TEST(several_rates_in_an_equation_are_linearly_implicit)
{
    struct bound_model m;
    has_form(&m, "parameter p = 2\nstate x = 1, y = 1\nx' + p*y' = x\nx' - y' = y",
             FORM_LINEARLY_IMPLICIT);
    bound_free(&m);
    has_form(&m, "state x = 1, y = 1\nx' = y' + x\ny' = x' + y\nintegral I = x'",
             FORM_LINEARLY_IMPLICIT); /* a cycle */
    double residual[3];
    bound_values(&m, 0, (double[]){3, 5, 0}, NULL, m.system.residual, 3,
                 residual); /* rates are 0 */
    CHECK_CLOSE(residual[0], -3, 0);
    CHECK_CLOSE(residual[1], -5, 0);
    CHECK_CLOSE(residual[2], 0, 0);
    bound_free(&m);
    has_form(&m, "state x = 1, y = 1\n(if x > 0 then x' else 0) = 1 - x\ny' = 1",
             FORM_LINEARLY_IMPLICIT);
    bound_free(&m);
}

TEST(algebraic_variables_are_linearly_implicit)
{
    struct bound_model m;
    has_form(&m, "state x = 1\nalgebraic z = 2\n0 = z - x\nx' = z", FORM_LINEARLY_IMPLICIT);
    CHECK_EQUAL(m.system.state.item[1].kind, STATE_ALGEBRAIC);
    double residual[2];
    bound_values(&m, 0, (double[]){3, 5}, NULL, m.system.residual, 2, residual);
    CHECK_CLOSE(residual[0], -5, 0); /* x' - z */
    CHECK_CLOSE(residual[1], -2, 0); /* 0 - (z - x) */
    bound_free(&m);
    has_form(&m, "state x = 1\nalgebraic z = 2\nz = 2*x\nx' + x = z", FORM_LINEARLY_IMPLICIT);
    bound_values(&m, 0, (double[]){3, 5}, NULL, m.system.residual, 2, residual);
    CHECK_CLOSE(residual[0], -2, 0); /* x' - (z - x) */
    CHECK_CLOSE(residual[1], -1, 0);
    bound_free(&m);
}

TEST(rates_that_are_not_linear_are_fully_implicit)
{
    struct bound_model m;
    has_form(&m, "state x = 1\nx'^2 = x", FORM_IMPLICIT);
    bound_free(&m);
    has_form(&m, "state x = 1, y = 1\nx'*y' = 1\nx' + y' = 2", FORM_IMPLICIT);
    bound_free(&m);
    has_form(&m, "state x = 1\nalgebraic z = 1\nx' = z\n0 = x'^2 - z", FORM_IMPLICIT);
    bound_free(&m);
}
