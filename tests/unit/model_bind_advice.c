/* SPDX-License-Identifier: Apache-2.0 */
/* What a message advises is right: what stands there is called what it is, and what is to be written is accepted. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "support/bound_model.h"

/* The model `parameter k = 1, state x = 1, v[1..2], let b[1..2]` and this equation for x' is refused at its column. */
static void refuses(const char *equation, const char *column, const char *words)
{
    char text[400], start[64];
    snprintf(
        text, sizeof text,
        "parameter k = 1; state x = 1, v[1..2] = 1; let b[i in 1..2] = i*k; v[i]' = b[i] for i in "
        "1..2\n%s",
        equation);
    snprintf(start, sizeof start, "test.tansy:2:%s: ", column);
    bound_refuses(text, start, words);
}

static void warns(const char *text, const char *words)
{
    struct bound_model m;
    bound_parse(&m, text);
    CHECK_EQUAL(m.status, TANSY_OK);
    CHECK_EQUAL(m.syntax.diagnosis.warnings, 1);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.warning, words);
    bound_free(&m);
}

TEST(time_and_pi_are_numbers)
{
    refuses("x' = time'", "6", "time is a number and has no derivative\n");
    refuses("x' = time(0)", "6", "time is a number and has no initial value\n");
    refuses("x' = time[1]", "6", "time is a number and has no index\n");
    refuses("x' = pi[1]", "6", "pi is a number and has no index\n");
    refuses("x' = pi'", "6", "pi is a number and has no derivative\n");
    refuses("x' = t(0)", "6", "t is time unless it is declared, and has no initial value\n");
    refuses("time' = x'", "1", "time is a number and has no derivative\n");
    refuses("t' = 1", "1", "t is time unless it is declared, and has no derivative\n");
    refuses("x' = time(x + 1)", "6", "time is no function; a product is written time*(...)\n");
    refuses("x' = pi(k)", "6", "pi is no function; a product is written pi*(...)\n");
    refuses("x' = reactions[1]", "6", "`reactions` stands for the reactions of x");
}

TEST(functions_without_arguments_are_called_functions)
{
    refuses("x' = exp", "6", "exp is a function: write exp(...)\n");
    refuses("x' = 2*max + x", "8", "max is a function: write max(...)\n");
    refuses("x' = sin'", "6", "sin is a function: write sin(...)\n");
    refuses("x' = floor", "6", "floor cannot be used");
    refuses("x' = atan2", "6", "there is no function atan2");
}

TEST(what_is_no_function_may_be_a_factor)
{
    refuses("x' = k(x + 1)", "6", "k is no function; a product is written k*(...)\n");
    refuses("x' = x(3)", "6",
            "x is no function; a product is written x*(...), its initial value x(0)\n");
    refuses("x' = b(1)", "6", "b is no function; its entries are written b[1]\n");
    refuses("x' = v(1)", "6",
            "v is no function; its entries are written v[1], its initial value v[1](0)\n");
}

TEST(functions_that_are_not_there_are_said_otherwise)
{
    refuses("x' = atan2(x, 1)", "6", "there is no function atan2; for x > 0 it is atan(y/x)\n");
    refuses("x' = cbrt(x)", "6", "there is no function cbrt; write x^(1/3)\n");
    refuses("x' = hypot(x, 1)", "6", "there is no function hypot; write sqrt(x^2 + y^2)\n");
    refuses("x' = log1p(x)", "6", "there is no function log1p; write log(1 + x)\n");
    refuses("x' = arctan(x)", "6", "there is no function arctan; write atan(x)\n");
    refuses("x' = EXP(x)", "6", "there is no function EXP; did you mean exp?\n");
    refuses(
        "x' = besselj(x)", "6",
        "there is no function besselj; there are exp, log, ln, log10, log2, sqrt, sin, cos, tan, "
        "asin, acos, atan, sinh, cosh, tanh, abs, sign, min, max, pow\n");
}

TEST(what_cancels_is_not_called_unused)
{
    warns("parameter k = 1\nstate x = 1\nx' = 1", "the parameter k is used nowhere\n");
    warns("parameter k = 1\nstate x = 1\nx' = 0*k",
          "nothing depends on the parameter k: where it stands it cancels or is not used\n");
    warns("parameter k = 1\nstate x = 1\nlet unused = k\nx' = 1",
          "nothing depends on the parameter k: where it stands it cancels or is not used\n");
}

TEST(an_entry_as_an_output_has_a_name_of_its_own)
{
    refuses("x' = 1; output b[2]", "18",
            "an entry has a name of its own as an output: output b2 = b[2]\n");
    refuses("x' = 1; output b[1]", "18", "output b1 = b[1]\n");
    refuses("x' = 1; output b[1, 2]", "18", "output b12 = b[1, 2]\n");
    refuses("x' = 1; output x[2]", "18", "x is no vector and has no index\n");
    refuses("x' = 1; output b[i]", "18", "no unit has this name");
    refuses("x' = 1; output b[2] = x", "18", "a vector is declared by its range: [1..2]\n");
    refuses("x' = 1; let c [m] = x; output c [s]", "34", "the output and what it names have");
    refuses("x' = 1; let c [m] = x; output c [m], d", "38", "d is not declared");
}
