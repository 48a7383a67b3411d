/* SPDX-License-Identifier: Apache-2.0 */
/* What a bound model computes: every construct against the same expression in C. */
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/bound_model.h"

/* The model is accepted; the caller frees it. */
static void accepts(struct bound_model *m, const char *text)
{
    bound_parse(m, text);
    if (m->status != TANSY_OK) fprintf(stderr, "%s\n", m->syntax.diagnosis.text);
    CHECK_EQUAL(m->status, TANSY_OK);
}

/* The right-hand side of x' = expression at time 2 with x = 3, y = 5, p = 7, q = 0.5, u = {11, 13, 17}, to 4 roundings. */
static void evaluates(const char *expression, double expected)
{
    char text[1000];
    struct bound_model m;
    double value;
    double const y[] = {3, 5, 11, 13, 17}, p[] = {7, 0.5};
    snprintf(
        text, sizeof text,
        "parameter p = 7, q = 0.5\nconstant N = 3, c[1..3] = {2, 4, 8}\nstate x = 3, y = 5, "
        "u[1..N] = 1\n"
        "let twice = 2*x, v[i in 1..N] = i*u[i]\ny' = p*q*u[1]\nu[i]' = 0 for i in 1..N\nx' = %s\n",
        expression);
    accepts(&m, text);
    bound_values(&m, 2, y, p, &m.system.rhs[0], 1, &value);
    if (fabs(value - expected) > 4 * DBL_EPSILON * fabs(expected))
        fprintf(stderr, "%s\n", expression);
    CHECK_CLOSE(value, expected, 4 * DBL_EPSILON * fabs(expected));
    bound_free(&m);
}

TEST(operators_and_precedence)
{
    evaluates("1 + 2*x - y/p", 1 + 6 - 5.0 / 7);
    evaluates("-x^2", -9);
    evaluates("2^-x", 0.125);
    evaluates("2^3^2", 512);
    evaluates("x**2", 9);
    evaluates("(x + y)*q", 4);
    evaluates("8.5 - pi", 8.5 - acos(-1));
    evaluates("time + t", 4);
    evaluates("twice + v[2]", 6 + 26);
    evaluates("c[1] + c[N]", 10);
    evaluates("x^p/x^5", 9);
    evaluates("1.5e1 + .5", 15.5);
    evaluates("y(0) + u[3](0)", 6);
}

TEST(functions_of_numbers_and_of_states)
{
    evaluates("exp(x) + exp(2)", exp(3) + exp(2));
    evaluates("log(x) + ln(2)", log(3) + log(2));
    evaluates("log10(x) + log10(100)", log10(3) + 2);
    evaluates("log2(x) + log2(8)", log2(3) + 3);
    evaluates("sqrt(x) + sqrt(16)", sqrt(3) + 4);
    evaluates("sin(x) + cos(x)*tan(x)", 2 * sin(3));
    evaluates("asin(q) + acos(q) + atan(x)", acos(-1) / 2 + atan(3));
    evaluates("sinh(x) + cosh(x)", exp(3));
    evaluates("tanh(q)", tanh(0.5));
    evaluates("pow(x, y)", 243);
    evaluates("abs(-x) + abs(-2)", 5);
    evaluates("sign(-x) + sign(4) + sign(-4)", -1);
    evaluates("min(x, y, 4) + max(x, y, 4)", 8);
    evaluates("min(1, 2) + max(1, 2, 3)", 4);
}

TEST(conditions_choose)
{
    evaluates("if x > 2 then 1 else 10", 1);
    evaluates("if x < 2 then 1 else if y >= 5 then 20 else 30", 20);
    evaluates("if x <= 3 and y > 4 then 1 else 2", 1);
    evaluates("if x > 3 or y > 4 then 1 else 2", 1);
    evaluates("if not (x > 3) then 1 else 2", 1);
    evaluates("if not x > 3 and not y < 2 then 1 else 2", 1);
    evaluates("if 1 < 2 then x else 1/0", 3);
    evaluates("if 1 == 2 or x > 2 then 5 else 6", 5);
    evaluates("if 1 != 2 and x > 2 then 5 else 6", 5);
    evaluates("if x > 2 and 1 >= 2 then 5 else 6", 6);
    evaluates("if x > 2 or 1 <= 2 then 5 else 6", 5);
    evaluates("if not 1 > 2 then 5 else 6", 5);
    evaluates("if time >= 2 then 5 else 6", 5);
    evaluates("if time < 2 then 5 else 6", 6);
    evaluates("if 1 - 2*t > -4 then 5 else 6", 5);
    evaluates("if (t - 1)/2 + 1 >= 1.75 then 5 else 6", 6);
    evaluates("if 3 - t >= 1.5 then 5 else 6", 6);
    evaluates("if 1/t > 0.4 then 5 else 6", 5); /* not linear in t: a switch */
    evaluates("if p > 6 then 5 else 6", 5);
    evaluates("if x > 2 then if y > 6 then 1 else 2 else 3", 2);
}

TEST(sums_and_products_run_over_all_indices)
{
    evaluates("sum(i in 1..N: u[i])", 41);
    evaluates("sum(i in 1..N: i*u[i])", 11 + 26 + 51);
    evaluates("product(i in 1..N: u[i])", 11 * 13 * 17);
    evaluates("sum(i in 1..N, j in 1..2: i*j*x)", 3 * 6 * 3);
    evaluates("sum(i in 1..N: sum(j in 1..i: u[j]))", 11 + 24 + 41);
    evaluates("sum(i in 1..0: u[i]) + product(i in 1..0: 2)", 1);
    evaluates("sum(i in 1..10: i)", 55);
    evaluates("sum(i in 0..sum(j in 1..2: j): u[max(i, 1)])", 11 + 11 + 13 + 17);
    evaluates("sum(i in 1..N: if i < N then u[i+1] else 0)", 30);
    evaluates("sum(i in -1..1: i*i)", 2);
}

TEST(vectors_have_their_order_and_names)
{
    struct bound_model m;
    accepts(&m, "constant N = 2\nparameter k[1..2] = {0.5, 0.25}\n"
                "state a = 1, u[i in 0..N, j in 1..2] = 10*i + j\n"
                "a' = 0\nu[i,j]' = k[j]*u[i,j] for i in 0..N, j in 1..2\noutput u\noutput k\n");
    static const char *const names[] = {"a",      "u[0,1]", "u[0,2]", "u[1,1]",
                                        "u[1,2]", "u[2,1]", "u[2,2]"};
    CHECK_EQUAL(m.system.state.count, 7);
    CHECK_EQUAL(m.system.output.count, 8);
    for (size_t i = 0; i < 7; i++) CHECK(strcmp(m.system.state.item[i].name, names[i]) == 0);
    CHECK(strcmp(m.system.parameter.item[1].name, "k[2]") == 0);
    CHECK_CLOSE(m.system.parameter.item[1].value, 0.25, 0);
    CHECK(graph_is(m.system.graph, m.system.state.item[4].initial, 12));
    double const y[] = {1, 2, 3, 4, 5, 6, 7}, p[] = {0.5, 0.25};
    double f[7];
    bound_values(&m, 0, y, p, m.system.rhs, 7, f);
    CHECK_CLOSE(f[5], 3, 0);
    CHECK_CLOSE(f[6], 1.75, 0);
    bound_free(&m);
}

TEST(three_indices_and_negative_bounds)
{
    struct bound_model m;
    accepts(&m, "state u[1..2, -1..0, 1..2] = 1\nu[i,j,k]' = u[3-i,-1-j,k] for i in 1..2, j in "
                "-1..0, k in 1..2");
    CHECK_EQUAL(bound_state(&m, "u[2,-1,1]"), 4);
    double const y[] = {0, 1, 2, 3, 4, 5, 6, 7};
    double f[8];
    bound_values(&m, 0, y, NULL, m.system.rhs, 8, f);
    CHECK_CLOSE(f[4], 2, 0);
    bound_free(&m);
}

TEST(what_a_branch_not_taken_does_wrong_is_no_error)
{
    struct bound_model m;
    accepts(&m,
            "constant N = 4\nstate u[i in 1..N] = if i > 1 then 1/(i-1) else 0\n"
            "let d[i in 1..N] = if i < N then u[i+1] - u[i] else 0\n"
            "let c[i in 1..N] = if i == 1 then u[1] else 2*c[i-1]\n"
            "let same[i in 1..2] = if i == 1 then u[1] else same[1]\n"
            "let back[i in 1..2] = if i == 1 then u[1] else back[1]\n"
            "u[i]' = d[i] + (if i > 1 and u[max(i-1, 1)] > 0 then u[i-1] else c[N]) for i in 1..N\n"
            "output o = same[2] + back[2]");
    double const y[] = {1, 2, 4, 8};
    double f[4];
    bound_values(&m, 0, y, NULL, m.system.rhs, 4, f);
    CHECK_CLOSE(f[0], 1 + 8, 0);
    CHECK_CLOSE(f[1], 2 + 1, 0);
    CHECK_CLOSE(f[3], 0 + 4, 0);
    bound_values(&m, 0, y, NULL, &m.system.output.item[0].node, 1, f);
    CHECK_CLOSE(f[0], 2, 0);
    bound_free(&m);
}

TEST(lets_stand_in_any_order_and_go_deep)
{
    enum { DEEP = 20000, LINE = 32 };
    static char text[DEEP * LINE + 200];
    struct bound_model m;
    size_t used = (size_t)snprintf(text, sizeof text, "state x = 1\nx' = a0\n");
    for (int k = 0; k < DEEP; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "let a%d = a%d + x\n", k, k + 1);
    snprintf(text + used, sizeof text - used, "let a%d = x\n", DEEP);
    accepts(&m, text);
    double const y = 2;
    double f;
    bound_values(&m, 0, &y, NULL, m.system.rhs, 1, &f);
    CHECK_CLOSE(f, 2 * (DEEP + 1.0), 2.0 * DEEP * DBL_EPSILON * DEEP);
    bound_free(&m);
}

TEST(initial_values_depend_on_parameters_and_each_other)
{
    struct bound_model m;
    accepts(&m, "parameter p = 2, q = -1\nlet double = 2*p\nstate x = y(0) + double, y = p^2, z = "
                "max(p, q)\n"
                "x' = 1; y' = x(0); z' = z\nintegral I = x\noutput o = I(0) + I");
    double const p[] = {3, 7};
    double value[3];
    uint32_t const root[] = {m.system.state.item[0].initial, m.system.rhs[1],
                             m.system.state.item[2].initial};
    bound_values(&m, 0, (double[]){0, 0, 0, 0}, p, root, 3, value);
    CHECK_CLOSE(value[0], 15, 0);
    CHECK_CLOSE(value[1], 15, 0);
    CHECK_CLOSE(value[2], 7, 0);
    CHECK_EQUAL(m.system.condition.count, 0); /* of p alone: no switch */
    CHECK_EQUAL(graph_leaves(m.system.graph, m.system.state.item[2].initial), 1u << OP_PARAMETER);
    bound_free(&m);
}

TEST(declarations_say_what_they_said)
{
    struct bound_model m;
    accepts(
        &m,
        "model cell \"A cell\"\nparameter k [1/s] = 2 in 1 .. 3 scale 0.5\nstate x [mol/L] = 1 "
        "atol 1e-7, y = 0\n"
        "x' = -k*x; y' = 1\noutput o [mol/L] = 2 [1]*x\noutput y\nintegral I = x\ntime 1 .. 5 [s]");
    const struct parameter *const k = &m.system.parameter.item[0];
    CHECK(strcmp(m.system.name, "cell") == 0 && strcmp(m.system.title, "A cell") == 0);
    CHECK(strcmp(k->unit, "1/s") == 0 && strcmp(m.system.state.item[1].unit, "") == 0);
    CHECK_CLOSE(k->lower, 1, 0);
    CHECK_CLOSE(k->upper, 3, 0);
    CHECK_CLOSE(k->scale, 0.5, 0);
    CHECK(isinf(k->active_from) && k->active_from < 0 && k->control == UINT32_MAX);
    CHECK_CLOSE(m.system.state.item[0].atol, 1e-7, 0);
    CHECK_CLOSE(m.system.t0, 1, 0);
    CHECK_CLOSE(m.system.t1, 5, 0);
    CHECK(strcmp(m.system.time_unit, "s") == 0);
    CHECK_EQUAL(m.system.output.count, 3);
    CHECK(strcmp(m.system.output.item[0].unit, "mol/L") == 0);
    CHECK_EQUAL(m.system.state.item[2].kind, STATE_INTEGRAL);
    CHECK_EQUAL(bound_output(&m, "I"), 2);
    bound_free(&m);
    accepts(&m, "state x = 1\nx' = 1");
    CHECK(isnan(m.system.t0) && isnan(m.system.t1));
    CHECK(strcmp(m.system.name, "") == 0 && strcmp(m.system.title, "") == 0);
    bound_free(&m);
}

/* x(0) stands in: an output; a let that an equation uses; another initial value; an entry; nowhere. */
TEST(the_use_of_initial_values_is_known)
{
    static const char text[] =
        "state a = 1, b = 2, c = 3, d = c(0) + 1, e[1..3] = 1, f = if 1 > 0 then 1 else f(0)\n"
        "let g = b/b(0)\na' = -a\nb' = g\nc' = 1\nd' = 1\ne[i]' = 1 for i in 1..3\nf' = 1\n"
        "output conversion = 1 - a/a(0)\noutput o = e[2](0) + I(0)\nintegral I = a";
    static const bool expected[] = {true, true, true, false, false, true, false, false, false};
    struct bound_model m;
    bound_parse(&m, text);
    if (m.status != TANSY_OK) fprintf(stderr, "%s\n", m.syntax.diagnosis.text);
    CHECK_EQUAL(m.status, TANSY_OK);
    CHECK_EQUAL(m.system.state.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < m.system.state.count; i++)
        CHECK_EQUAL(m.system.state.item[i].initial_is_used, expected[i]);
    bound_free(&m);
}
