/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a model: each error names what it is about and points at its line and column. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "model/bind.h"
#include "support/bound_model.h"

/* The model is refused; the message starts with test.tansy:place and holds the words. */
static void refuses(const char *text, const char *place, const char *words)
{
    struct bound_model m;
    char start[64];
    bound_parse(&m, text);
    snprintf(start, sizeof start, "test.tansy:%s: ", place);
    if (m.status != TANSY_BAD_MODEL) fprintf(stderr, "accepted:\n%s\n", text);
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    CHECK_EQUAL(m.syntax.diagnosis.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, words);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, start);
    bound_free(&m);
}

static void warns(const char *text, const char *place, const char *words)
{
    struct bound_model m;
    char start[64];
    bound_parse(&m, text);
    snprintf(start, sizeof start, "test.tansy:%s: ", place);
    CHECK_EQUAL(m.status, TANSY_OK);
    CHECK_EQUAL(m.syntax.diagnosis.warnings, 1);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.warning, words);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.warning, start);
    bound_free(&m);
}

TEST(names_are_declared_once)
{
    refuses("parameter k = 1\nstate k = 2\nk' = 1", "2:7",
            "k is declared twice: it is already a parameter in line 1");
    refuses("input k from \"a\"\nstate k = 2\nk' = 1", "2:7", "already an input in line 1");
    refuses("let k = 1\nlet k = 2\n", "2:5", "k is declared twice");
    refuses("state pi = 1\npi' = 1", "1:7", "pi has a meaning of its own");
    refuses("state reactions = 1", "1:7", "meaning of its own");
    refuses("model a\nmodel b\nstate x = 1\nx' = 1", "2:7", "the model has a name already");
    refuses("state x = 1\nx' = 1\ntime 0 .. 1\ntime 0 .. 2", "4:1", "given twice");
}

TEST(unknown_names_come_with_a_suggestion)
{
    refuses("parameter rate = 2\nstate x = 1\nx' = -raet*x", "3:7",
            "raet is not declared; did you mean rate?");
    refuses("state x = 1\nx' = tim", "2:6", "did you mean time?");
    refuses("state x[1..2] = 1\nx[ind]' = indx for ind in 1..2", "2:11", "did you mean ind?");
    refuses("state x = 1\nx' = quxxyz", "2:6", "quxxyz is not declared");
    refuses("state x = 1\nx' = 1\ny' = 2", "3:1", "y is not declared");
    refuses("state x = 1\nx' = y'", "2:6", "y is not declared");
    refuses("state x = 1\nx' = 1\noutput speed", "3:8", "speed is not declared");
    refuses("state x = 1\nx' = pi[2]", "2:6", "pi is a number and has no index");
}

TEST(functions_are_known_and_have_their_arguments)
{
    refuses("state x = 1\nx' = exq(x)", "2:6", "there is no function exq; did you mean exp?");
    refuses("state x = 1\nx' = besselj(x)", "2:6", "there is no function besselj");
    refuses("state x = 1\nx' = x(3)", "2:6", "x is no function; a product is written x*(...)");
    refuses("state x = 1\nx' = exp(x, 2)", "2:6", "exp takes 1 argument, not 2");
    refuses("state x = 1\nx' = max(x)", "2:6", "max takes 2 or more arguments, not 1");
    refuses("state x = 1\nx' = pow(x)", "2:6", "pow takes 2 arguments, not 1");
    refuses("state x = 1\nx' = floor(x)", "2:6", "no derivative");
    refuses("state x = 1\nx' = ceil(x)", "2:6", "no derivative");
}

TEST(every_unknown_has_one_equation)
{
    refuses("state x = 1, y = 2, z = 3\ny' = 1", "1:7", "there is no equation for x, z");
    refuses("state u[1..20] = 1\nu[i]' = 1 for i in 2..9", "1:7",
            "no equation for u[1], u[10], u[11], u[12], u[13], u[14], ... (12 in all)");
    refuses("state x = 1\nx' = 1\nx' = 2", "3:1", "x has two equations; the first is in line 2");
    refuses("state x = 1\nalgebraic z = 0\nx' = -x\nx' = z - x", "4:1",
            "the first is in line 3; another one that has x' in it is written as 2*x' = ...");
    refuses("state x = 1\nx' = 1 for i in 1..1e7, j in 1..i", "2:1",
            "x has two equations; the first is in line 2");
    refuses("state x = 1\nx' = 1\n0 = x", "3:1", "there are more equations (2) than unknowns (1)");
    refuses("state x = 1, y = 1\n2*x' + y' = 1", "1:7", "1 equations for 2 unknowns");
    refuses("state x = 1\nalgebraic z = 1\nx' = x\n0 = x - 1", "2:11",
            "the algebraic variable z is in no equation");
    refuses("parameter k = 1", "1:1", "there is no state");
    refuses("0 = 1", "1:1", "there are more equations (1) than unknowns (0)");
    refuses("let q = 1\nstate x = 1\nq' = 1\nx' = 1", "3:1", "q is no state");
    refuses("algebraic z = 1\nz' = 1", "2:1", "z is no state");
    refuses("parameter k = 1\nstate x = 1\nx' = k'", "3:6", "k is no state");
    refuses("algebraic z = 1\nstate x = 1\nx' = z'\n0 = z", "3:6", "z is no state");
    refuses("parameter k = 1\nstate x = 1\nx' = k(0)", "3:6", "has no initial value");
}

TEST(values_are_constant_where_they_must_be)
{
    refuses("parameter p = 1, q = 2*p\nstate x = 1\nx' = q", "1:24",
            "only constants can be used here, but p is a parameter");
    refuses("input a from \"b\"\nparameter q = a\nstate x = 1\nx' = q", "2:15", "a is an input");
    refuses("parameter q = time\nstate x = 1\nx' = q", "1:15", "a constant cannot depend on time");
    refuses("constant a = b, b = a\nstate x = 1\nx' = a", "1:21",
            "a depends on itself: a -> b -> a");
    refuses("state x = log(-1)\nx' = 1", "1:11", "not a number");
    refuses("state x = 10^200*10^200\nx' = 1", "1:11", "infinite");
    refuses("state x = 1\nx' = x/0", "2:7", "division by zero");
    refuses("constant N = 2\nstate x = 1\nx' = 1/(N - 2)", "3:7", "division by zero");
    refuses("parameter p = 5 in 0 .. 1\nstate x = 1\nx' = p", "1:11",
            "the bounds 0 .. 1 exclude the value 5 of p");
    refuses("parameter p = 5 scale 0\nstate x = 1\nx' = p", "1:23", "a scale is positive");
    refuses("state x = 1 atol -1\nx' = 1", "1:18", "a tolerance is not negative");
    refuses("state x = 1 atol 0\nx' = 1", "1:18", "a tolerance of 0 would be that of all states");
    refuses("state x = 1\nx' = 1\ntime 2 .. 2", "3:1", "the time span 2 .. 2 is empty");
    refuses("parameter p[1..3] = {1, 2}\nstate x = 1\nx' = p[1]", "1:11",
            "p has 3 entries, but the list has 2 values");
}

TEST(initial_values_are_made_of_parameters)
{
    refuses("state x = time\nx' = 1", "1:11", "an initial value cannot depend on time");
    refuses("state x = t\nx' = 1", "1:11", "an initial value cannot depend on time");
    refuses("state x = 1, y = x\nx' = 1; y' = 1", "1:18", "write x(0)");
    refuses("let a = 2*x\nstate x = 1, y = a\nx' = 1; y' = 1", "2:18",
            "depends on a state through a let");
    refuses("let a = 2*time\nstate y = a\ny' = 1", "2:11", "cannot depend on time");
    refuses("state x = y(0), y = x(0)\nx' = 1; y' = 1", "1:21",
            "x(0) depends on itself: x(0) -> y(0) -> x(0)");
    refuses("state x = 1, y = x'\nx' = 1; y' = 1", "1:18", "cannot depend on a derivative");
    refuses("state y = if time > 2 then 1 else 2\ny' = 1", "1:14", "cannot depend on time");
    refuses("let a = if time > 2 then 1 else 2\nstate y = a\ny' = 1", "2:11",
            "cannot depend on time; through a let this one does");
    refuses("let a = if x > 2 then 1 else 2\nstate x = 1, y = a\ny' = 1; x' = 1", "2:18",
            "depends on parameters alone; through a let this value has another");
    refuses("let a = if time > 2 then 1 else 2, c = 2*a\nalgebraic z = 1\nstate x[i in 1..2] = i\n"
            "state y[i in 1..3] = if i < 3 then i else c\n0 = z; x[i]' = 1 for i in 1..2\n"
            "y[i]' = 1 for i in 1..3",
            "4:43", "cannot depend on time");
    refuses("state x = 1 > 2\nx' = 1", "1:11", "a condition, not a number");
}

TEST(lets_are_not_cyclic)
{
    refuses("let a = b + 1, b = sum(i in 1..2: c), c = a\nstate x = 1\nx' = x", "1:43",
            "depends on itself: a -> b -> c -> a");
    refuses("state x = 1\nx' = a[1]\nlet a[i in 1..2] = if i == 1 then a[2] else a[1]", "3:45",
            "a[1] -> a[2] -> a[1]");
    refuses("let a1 = a2, a2 = a3, a3 = a4, a4 = a5, a5 = a6, a6 = a7, a7 = a8, a8 = a9, a9 = b1, "
            "b1 = b2, b2 = b3, "
            "b3 = b4, b4 = b5, b5 = b6, b6 = b7, b7 = b8, b8 = b9, b9 = c1, c1 = c2, c2 = c3, c3 = "
            "c4, c4 = c5, c5 = c6, "
            "c6 = c7, c7 = c8, c8 = c9, c9 = d1, d1 = d2, d2 = d3, d3 = d4, d4 = d5, d5 = d6, d6 = "
            "d7, d7 = d8, d8 = d9, "
            "d9 = a1\nstate x = 1\nx' = x",
            "1:325", "... -> a1");
}

TEST(indices_are_whole_and_in_range)
{
    refuses("state u[1..3] = 0\nu[i]' = u[i+1] for i in 1..3", "2:11",
            "index 1 of u is 4, outside 1 .. 3");
    refuses("state u[1..3] = 0\nu[i]' = u[i/2] for i in 1..3", "2:11",
            "index 1 of u is 0.5, not a whole number");
    refuses("state u[1..2,1..3] = 0\nu[i,j]' = u[i,j-1] for i in 1..2, j in 1..3", "2:15",
            "index 2 of u is 0, outside 1 .. 3");
    refuses("state u[1..3] = 0\nu[i]' = u for i in 1..3", "2:9",
            "u is a vector; write its entries with 1 index, such as u[i]");
    refuses("state u[1..3,1..2] = 0\nu[i,1]' = u for i in 1..3", "2:11", "such as u[i,j]");
    refuses("state u[1..3,1..2] = 0\nu[i,1]' = u[1] for i in 1..3", "2:11",
            "u has 2 indices, not 1");
    refuses("state x = 1\nx[1]' = 3", "2:1", "x is no vector");
    refuses("state u[1..2] = 1\nu[i]' = u[time] for i in 1..2", "2:11", "made of constants");
    refuses("state u[1..3] = 0\nu[4]' = 0", "2:3", "index 1 of u is 4");
    refuses("state u[1..3] = 0\nu[u[9]]' = 0", "2:5", "index 1 of u is 9");
    refuses("state u[1..0] = 1", "1:9", "the range 1 .. 0 is empty");
    refuses("state u[3..1] = 1", "1:9", "the range 3 .. 1 is empty");
    refuses("state u[1..2.5] = 1", "1:9", "2.5 of this range is not a whole number");
    refuses("state u[1..100000000] = 1", "1:9", "more than 10000000 entries");
    refuses("state u[1..10000, 1..10000] = 1", "1:19",
            "these ranges together have more than 10000000");
    refuses("state x = sum(i in 1..time: i)\nx' = 1", "1:23", "cannot depend on time");
    refuses("state x = 1\nx' = sum(i in 1..x: i)", "2:18", "made of constants and index names");
    refuses("state x = 1\nx' = sum(i in 1..10000000, j in 1..10: i)", "2:6",
            "these ranges together");
    refuses("constant a[1..b[1]] = 1, b[1..1] = 3\nstate x = 1\nx' = 1", "1:15",
            "declare it before");
}

TEST(index_names_are_their_own)
{
    refuses("parameter i = 1\nstate u[1..2] = 0\nu[i]' = 1 for i in 1..2", "3:15",
            "the index i has the name of something else");
    refuses("state u[1..2] = 0\nu[i]' = sum(i in 1..2: i) for i in 1..2", "2:13",
            "in use by a loop around this");
    refuses("state u[1..2,1..2] = 0\nu[i,i]' = 1 for i in 1..2, i in 1..2", "2:28",
            "two indices are called i");
    refuses("state u[1..2] = 0\nu[1]' = i\nu[2]' = sum(i in 1..2: i)", "2:9", "i is not declared");
}

TEST(conditions_and_numbers_are_not_mixed)
{
    refuses("state x = 1\nx' = 1 + (x > 2)", "2:11", "this is a condition, not a number");
    refuses("state x = 1\nx' = (x > 2)*2", "2:7", "this is a condition");
    refuses("state x = 1\nx' = -(x > 2)", "2:8", "this is a condition");
    refuses("state x = 1\nx' = exp(x > 2)", "2:10", "this is a condition");
    refuses("state x = 1\nx' = if x then 1 else 2", "2:9", "a condition is expected");
    refuses("state x = 1\nx' = if x > 1 and x then 1 else 2", "2:19", "a condition is expected");
    refuses("state x = 1\nx' = if not x then 1 else 2", "2:13", "a condition is expected");
    refuses("state x = 1\nx' = if x > 1 then x > 2 else 2", "2:20", "this is a condition");
    refuses("state x = 1\nx' = if x == 1 then 1 else 2", "2:11", "== compares constants");
    refuses("state x = 1\nx' = if x != 1 then 1 else 2", "2:11", "!= compares constants");
    refuses("state x = 1\nx' = if x' > 1 then 1 else 2", "2:9",
            "a condition cannot depend on a derivative");
    refuses("state x = 1\nx' = -x\noutput o = abs(x')", "3:12",
            "or declare `algebraic v` with the equation v = x' and use v");
    refuses("state x = 1\nx' = 1\noutput o = x > 1", "3:12", "this is a condition");
}

TEST(what_is_used_nowhere_is_warned_of)
{
    warns("parameter p = 2\nstate x = 1\nx' = 1", "1:11", "the parameter p is used nowhere");
    warns("parameter p[1..2] = 2\nstate x = 1\nx' = 0*p[1]", "1:11",
          "nothing depends on the parameter p");
    warns("state x = 1, y = 2\nx' = y\n0 = x - y^2", "1:14",
          "y' is in no equation: y is an algebraic variable");
    warns("control u = 2 piecewise constant at {0, 1}\nstate x = 1\nx' = 1", "1:9",
          "the control u is used nowhere");
}

TEST(outputs_and_integrals_are_checked)
{
    refuses("state x = 1\nx' = x\noutput x\noutput x", "4:8", "x is an output already");
    refuses("state x = 1\nintegral I = x\nx' = I", "2:10", "the integral I is used in an equation");
    refuses("state x = 1\nintegral I = x\nintegral J = I\nx' = 1", "2:10",
            "the integral I is used in the integral J; make I a state");
    refuses("state x = 1\nx' = reactions", "2:6", "no reaction changes x");
    refuses("state x = 1\nx' = 1\noutput o = reactions", "3:12", "stands for the reactions of x");
    refuses("state A = 1, B = 0\nr: A -> B, A\nlet net = reactions\nA' = reactions + net\n"
            "B' = reactions",
            "3:11", "stands for the reactions of x");
    refuses("state x = 1\nalgebraic z = 5\nx' = -x\n0 = z - x\noutput r = z/z(0)", "5:14",
            "z(0) is not known");
    refuses("state x = 1\nalgebraic z = 5\nx' = -x/z(0)\n0 = z - x", "3:9", "first guess");
}

TEST(what_is_poisoned_stays_so_until_it_is_used)
{
    static const char *const use[] = {
        "1 + u[9]",
        "u[9]*2",
        "-u[9]",
        "exp(u[9])",
        "max(1, u[9])",
        "if u[9] > 1 then 1 else 2",
        "if 1 > u[9] then 1 else 2",
        "if x > 1 then u[9] else 2",
        "if x > 1 then 1 else u[9]",
        "if x > 1 and u[9] > 1 then 1 else 2",
        "if u[9] > 1 or x > 1 then 1 else 2",
        "if not u[9] > 1 then 1 else 2",
        "sum(i in 1..3: u[3*i])",
        "u[u[9]]",
    };
    for (size_t k = 0; k < sizeof use / sizeof *use; k++) {
        struct bound_model m;
        char text[200];
        snprintf(text, sizeof text, "state x = 1, u[1..3] = 1\nu[i]' = 1 for i in 1..3\nx' = %s",
                 use[k]);
        bound_parse(&m, text);
        CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
        CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, "outside 1 .. 3");
        bound_free(&m);
    }
}

/* Binds within so many terms: refused at the place, or accepted where that is NULL. */
static void binds_within(size_t terms, const char *text, const char *place)
{
    struct bound_model m = {0};
    CHECK_EQUAL(syntax_parse(&m.syntax, (struct source){"test.tansy", text, strlen(text)}),
                TANSY_OK);
    tansy_status const status = bind_within(&m.system, &m.syntax, terms);
    if (place) {
        char words[200];
        (void)snprintf(words, sizeof words,
                       "test.tansy:%s: the model is too large: up to here its loops and sums have "
                       "more than %zu terms",
                       place, terms);
        CHECK_EQUAL(status, TANSY_BAD_MODEL);
        CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, words);
    } else {
        CHECK_EQUAL(status, TANSY_OK);
    }
    bound_free(&m);
}

/* Refused where the sum begins: it is counted before it is expanded. */
TEST(large_sums_are_counted_and_not_expanded)
{
    binds_within(100000, "state x = 1\nx' = sum(i in 1..100000: i*i)", "2:6");
    binds_within(100000, "state x = 1\nx' = product(i in 1..300, j in 1..300: i*x)", "2:6");
    binds_within(100000, "state x = 1\nx' = sum(i in 1..1000: sum(j in 1..1000: i*j))", "2:24");
    binds_within(100000, "state u[1..100] = 1\nu[i]' = sum(j in 1..1000: u[j]) for i in 1..100",
                 "2:9");
    binds_within(3, "state x = 1\nx' = x + 2*x", "2:6");
    binds_within(1000, "state u[1..100] = 1\nu[i]' = u[i] + u[i]*u[i] - 1 for i in 1..100", "2:11");
}

/* A half of 100 x 100, of which the first row says that all are as long; a let, which is found once. */
TEST(sums_are_not_taken_for_larger_than_they_are)
{
    static const char half[] = "state x = 1\nx' = sum(i in 1..100: sum(j in i..100: i*j))";
    binds_within(5050 * 3 + 1000, half, NULL);
    binds_within(5050 * 3 - 1000, half, "2:23");
    binds_within(5050 * 3 + 1000,
                 "constant c[i in 1..100] = i\nstate x = 1\n"
                 "x' = sum(i in 1..100: sum(j in c[i]..100: i*j))",
                 NULL);
    binds_within(1000, "state x = 1\nlet s = sum(i in 1..100: i*x)\nx' = sum(i in 1..100: s*i)",
                 NULL);
    binds_within(1000, "state x = 1\nx' = sum(i in 1..10: sum(j in sum(k in 1..i: 1)..10: x))",
                 NULL);
}

TEST(a_model_that_would_take_for_ever_is_refused)
{
    binds_within(100000,
                 "state x = 1\nx' = sum(i in 1..1000: sum(j in 1..1000: sum(k in 1..1000: i*j*k)))",
                 "2:24");
    refuses("parameter a[1..10000000] = 1, b[1..10000000] = 1, c[1..10000000] = 1, d[1..10000000] "
            "= 1, e = 1",
            "1:91", "the model is too large: there are 40000001 entries");
    refuses("let a = b + c + d, b = a + c + d, c = a + b + d, d = a + b + c\nstate x = 1\nx' = a",
            "1:24", "depends on itself");
}

TEST(derivatives_of_other_languages_are_known)
{
    refuses("state x = 1\ndx/dt = 1", "2:1",
            "dx is not declared; the derivative of x is written x'");
    refuses("state x[1..2] = 1\ndx[1]/dt = 1", "2:1", "the derivative of x is written x'");
    refuses("state x = 1\ndxdt = 1", "2:1", "the derivative of x is written x'");
    refuses("state x = 1\ndx_dt = 1", "2:1", "the derivative of x is written x'");
    refuses("state x = 1\nx' = dxy", "2:6", "dxy is not declared");
    refuses("state x = 1\nparameter k = 1\nx' = dk", "3:6", "dk is not declared\n");
    refuses("state x = 1\nd(x)/dt = 1", "2:1",
            "there is no function d; the derivative of a state x is written x'");
    refuses("state x = 1\nder(x) = 1", "2:1", "there is no function der; the derivative of a");
}

TEST(the_unit_of_time_is_one_of_time)
{
    refuses("state x = 1\nx' = 1\ntime 0 .. 1 [kg]", "3:14", "a unit of time is wanted here");
    refuses("state x = 1\nx' = 1\ntime 0 .. 1 [m/s]", "3:14", "a unit of time is wanted here");
    static const char *const good[] = {"[s]", "[min]", "[1]", "[-]", "[1/Hz]"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        char text[80];
        struct bound_model m;
        snprintf(text, sizeof text, "state x = 1\nx' = 1\ntime 0 .. 1 %s", good[k]);
        bound_parse(&m, text);
        CHECK_EQUAL(m.status, TANSY_OK);
        bound_free(&m);
    }
}

TEST(reversed_bounds_are_said_so)
{
    refuses("parameter k = 1 in 3 .. 0\nstate x = 1\nx' = k", "1:25",
            "the bounds are reversed: write 0 .. 3");
    refuses("parameter k = 5 in 0 .. 3\nstate x = 1\nx' = k", "1:11", "exclude the value 5 of k");
}
