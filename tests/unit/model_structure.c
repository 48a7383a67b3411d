/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of implicit models: index by Pantelides' algorithm, kinds of variables, constraints; what is said of models
   that cannot be solved. */
#include <stdio.h>
#include <string.h>

#include "model/compile.h"
#include "test.h"

static tansy_model *parse(const char *text)
{
    return tansy_model_parse(text, strlen(text), "m");
}

/* kinds: a letter for each state, d(ifferential), a(lgebraic), 2. */
static void has_structure(const char *text, size_t index, size_t constraints, const char *kinds)
{
    tansy_model *const m = parse(text);
    tansy_model_summary s;
    if (tansy_model_error(m) != TANSY_OK) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    tansy_model_summarise(m, &s);
    CHECK_EQUAL(s.index, index);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_CONSTRAINTS), constraints);
    CHECK_EQUAL(s.states, strlen(kinds));
    for (size_t i = 0; i < s.states; i++) CHECK_EQUAL("da2"[s.kind[i]], kinds[i]);
    tansy_model_free(m);
}

TEST(a_chain_of_rates_is_an_ode)
{
    has_structure("state x = 1, y = 1\nx' + y' = x\nx' - y' = y", 0, 0, "dd");
    has_structure("state x = 1\nx'^2 = x\nintegral I = x", 0, 0, "dd");
}

TEST(algebraic_variables_make_index_1)
{
    has_structure("state x = 1\nalgebraic z = 1\nx' = -z\nz = x^2", 1, 0, "da");
    has_structure("state x = 1\nalgebraic z = 1\nx' = -z\n0 = x'^2 - z", 1, 0, "da");
    /* a state without a derivative is algebraic */
    has_structure("state x = 1, z = 1\nx' = -z\nz = x^2", 1, 0, "da");
    /* the last pairs with w first, which belongs to another: a path of length 3 */
    has_structure(
        "state x = 1\nalgebraic u = 1, v = 1, w = 1\nx' = u\n0 = u + v + w\n0 = u + v\n0 = u", 1, 0,
        "daaa");
}

/* x + y is differential, and the constraint has to be differentiated to know x' and y' by themselves. */
TEST(a_constraint_between_rates_is_of_index_1)
{
    has_structure("state x = 1, y = 1\nx' + y' = -x\n0 = x*y - 1", 1, 1, "dd");
}

TEST(hessenberg_index_2_is_recognised)
{
    has_structure("state x = 1, y = 0\nalgebraic z = 0\nx' = y\ny' = z\n0 = y - cos(t)", 2, 1,
                  "dd2");
    /* w follows the multiplier z; h does not */
    has_structure("state x = 1, y = 0\nalgebraic w = 1, z = 0, h = 0\n"
                  "x' = z\ny' = -y + h\nw = 2*z\n0 = x - cos(t)\nh = x*y",
                  2, 1, "dd22a");
    /* integrals follow whatever they like */
    has_structure("state x = 1\nalgebraic z = 0\nx' = z\n0 = x - t\nintegral I = z^2", 2, 1, "d2d");
}

static void cannot_be_solved(const char *text, size_t index, const char *says, const char *and)
{
    tansy_model *const m = parse(text);
    tansy_model_summary s;
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    tansy_model_summarise(m, &s);
    CHECK_EQUAL(s.index, index);
    CHECK_EQUAL(s.multipliers, 0);
    CHECK_TEXT_CONTAINS(s.note, says);
    CHECK_TEXT_CONTAINS(s.note, and);
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_BAD_MODEL);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_CONSTRAINTS), 0);
    tansy_model_free(m);
}

#define PENDULUM                                                                                   \
    "state x = 1, y = 0, u = 0, v = 0\nalgebraic l = 0\nx' = u; y' = v\nu' = -l*x\nv' = -l*y - "   \
    "9.81\n"

TEST(a_higher_index_names_the_equations_to_differentiate)
{
    cannot_be_solved(PENDULUM "0 = x^2 + y^2 - 1 \t # position", 3, "structural index is 3",
                     "here of m:6:1: 0 = x^2 + y^2 - 1");
    cannot_be_solved(
        "state a = 0, b = 0, c = 0\nalgebraic z = 0\na' = b\nb' = c\nc' = z\n0 = a - sin(t)", 4,
        "structural index is 4", "m:6:1: 0 = a - sin(t) (2 times)");
    cannot_be_solved("state x[1..9] = 0, v[1..9] = 0\nalgebraic z[1..9] = 0\n"
                     "x[i]' = v[i] for i in 1..9\nv[i]' = z[i] for i in 1..9\n"
                     "0 = x[i] + 0.1111111111111111111111111111111111111111111111*i for i in 1..9",
                     3, " ...; m:5:1: ", "... (9 equations in all)");
}

TEST(index_2_with_algebraic_variables_in_a_constraint_is_refused)
{
    cannot_be_solved("state x = 1, y = 0\nalgebraic w = 1, z = 0\nx' = z\ny' = w\nw = x*y\nw = 2*x",
                     2, "structural index is 2", "here of m:5:1: w = x*y; m:6:1: w = 2*x");
    /* no algebraic variable at all, but l' is what the second derivative determines */
    cannot_be_solved("state x = 1, v = 0, l = 0\nx' = v\nv' = l'\n0 = x - t^2", 2,
                     "structural index is 2", "m:4:1: 0 = x - t^2 (2 times)");
}

static void is_singular(const char *text, const char *where, const char *says)
{
    tansy_model *const m = parse(text);
    CHECK_EQUAL(tansy_model_error(m), TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(tansy_model_message(m), where);
    CHECK_TEXT_CONTAINS(tansy_model_message(m), says);
    tansy_model_free(m);
}

TEST(structurally_singular_models_are_errors_at_their_equations)
{
    is_singular("state x = 1\nalgebraic w = 1, z = 0\nx' = w + z\n0 = x - 1\n0 = x^2 - 1",
                "m:5:1: ", "none is left to determine z");
    is_singular(
        "state x = 1\nalgebraic a = 1, b = 1, c = 1\nx' = a + b + c\n0 = x\n0 = 2*x\n0 = 3*x",
        "m:6:1: and so are", "to determine b, c");
    is_singular("state x = 1\nalgebraic z[1..9] = 0\nx' = sum(i in 1..9: z[i])\n"
                "0 = i*x for i in 1..9",
                "m:4:1: ", "z[7], ... (8 in all)");
    /* a difference that cancels is no equation for w */
    is_singular("state x = 1\nalgebraic w = 1\nx' = w\nw = w + x - x", "m:4:1: ", "");
}

TEST(the_names_of_constraints_tell_where_they_stand)
{
    tansy_model *const m = parse("state x = 1\nalgebraic z = 0\nx' = z\n  0 = x - t; time 0 .. 1");
    CHECK(strcmp(tansy_model_name(m, TANSY_MODEL_CONSTRAINTS, 0), "m:4:3: 0 = x - t") == 0);
    CHECK(strcmp(tansy_model_unit(m, TANSY_MODEL_CONSTRAINTS, 0), "") == 0);
    CHECK(strcmp(tansy_model_name(m, TANSY_MODEL_CONSTRAINTS, 1), "") == 0);
    tansy_model_free(m);
}

TEST(equations_without_derivatives_are_listed_and_all_are_named)
{
    tansy_problem problem;
    tansy_model *const m =
        parse("state x = 1\nalgebraic w = 0, z = 1\nx' = z\nw = 2*x\n0 = x - t; time 0 .. 1");
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_ALGEBRAIC), 2);
    CHECK_TEXT_CONTAINS(tansy_model_name(m, TANSY_MODEL_ALGEBRAIC, 0), "m:4:1: w = 2*x");
    CHECK_TEXT_CONTAINS(tansy_model_name(m, TANSY_MODEL_ALGEBRAIC, 1), "m:5:1: 0 = x - t");
    CHECK(tansy_model_name(m, TANSY_MODEL_ALGEBRAIC, 2)[0] == '\0');
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK_TEXT_CONTAINS(problem.equation_names[0], "m:3:1: x' = z");
    CHECK_TEXT_CONTAINS(problem.equation_names[2], "m:5:1: 0 = x - t");
    tansy_model_free(m);
    tansy_model *const ode = parse("state x = 1\nx' = -x\ntime 0 .. 1");
    CHECK_EQUAL(tansy_model_count(ode, TANSY_MODEL_ALGEBRAIC), 0);
    CHECK_EQUAL(tansy_model_problem(ode, &problem), TANSY_OK);
    CHECK(problem.equation_names == NULL);
    tansy_model_free(ode);
}

TEST(storage_is_chosen_by_size_band_and_fill)
{
    CHECK_EQUAL(storage_choose(10, 28, 1, 1), TANSY_BANDED);
    CHECK_EQUAL(storage_choose(10, 30, 9, 9), TANSY_DENSE);        /* small */
    CHECK_EQUAL(storage_choose(100, 460, 10, 10), TANSY_BANDED);   /* a grid of 10 x 10 */
    CHECK_EQUAL(storage_choose(1600, 7840, 40, 40), TANSY_BANDED); /* 40 x 40 */
    CHECK_EQUAL(storage_choose(10000, 49600, 100, 100), TANSY_SPARSE);
    CHECK_EQUAL(storage_choose(100, 900, 99, 99), TANSY_SPARSE);
    CHECK_EQUAL(storage_choose(100, 2000, 99, 99), TANSY_DENSE); /* a fifth full */
}
