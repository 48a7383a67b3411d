/* SPDX-License-Identifier: Apache-2.0 */
/* Units behind values: where a declaration has none, the name takes the first one that its value, bounds, scale or tolerance
   has, as that of a constant or a let does, and all others must fit it.  k is 1/min where time is in s: a factor of 60. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "support/bound_model.h"

enum { LENGTH = 400 };

/* x' = -k x with x in g and time in s wants k in 1/s; a declaration of k with %s for its unit. */
static void with_unit(char text[LENGTH], const char *declaration, const char *unit)
{
    const char *const place = strstr(declaration, "%s");
    snprintf(text, LENGTH, "state x [g] = 5\ntime 0 .. 10 [s]\n%.*s%s%s\nx' = -k*x",
             (int)(place - declaration), declaration, unit, place + 2);
}

static void passes(struct bound_model *m, const char *text)
{
    bound_parse(m, text);
    if (m->status != TANSY_OK) fprintf(stderr, "%s\n", m->syntax.diagnosis.text);
    CHECK_EQUAL(m->status, TANSY_OK);
}

TEST(the_unit_of_a_name_is_that_of_its_value_whatever_declares_it)
{
    static const char *const all[] = {
        "parameter k = 1 [%s]",
        "parameter k = 1 in 0 [%s] .. 2",
        "parameter k = 1 in 0 .. 2 [%s]",
        "parameter k = 1 scale 2 [%s]",
        "constant k = 1 [%s]",
        "let k = 1 [%s]",
        "constant c = 1 [%s]; parameter k = c",
        "parameter p = 1 [%s]; let k = p",
        "control k = 1 [%s] piecewise constant on 0 .. 10 by 2",
        "control k = {1, 2 [%s]} piecewise constant on 0 .. 10 by 2",
        "control k = 1 scale 2 [%s] piecewise linear on 0 .. 10 by 2",
        "control k = 1 in 0 .. 2 [%s] piecewise linear on 0 .. 10 by 2",
        "state k = 1 [%s]; k' = 0",
        "state k = 1 atol 1e-3 [%s]; k' = 0",
        "parameter p = 1 [%s]; state k = p; k' = 0",
        "parameter p = 1 [%s]; state q = p, k = q(0); k' = 0; q' = 0",
        "algebraic k = 1 [%s]; 0 = k - 1",
        "algebraic k = 1 atol 1e-3 [%s]; 0 = k - 1",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[LENGTH];
        struct bound_model m;
        with_unit(text, all[i], "1/min");
        bound_refuses(text, ":4:1: ", "differ by a factor of 60, g/s and ");
        with_unit(text, all[i], "1/s");
        passes(&m, text);
        bound_free(&m);
    }
}

TEST(all_units_of_one_declaration_fit_each_other)
{
    bound_refuses("parameter k = 1 [1/s] in 0 .. 2 [1/min]", ":1:31: ",
                  "the parameter and its bound have units that differ by a factor of 60");
    bound_refuses("parameter k = 1 in 0 [1/s] .. 2 [1/min]", ":1:31: ",
                  "the parameter and its bound have units that differ by a factor of 60");
    bound_refuses("parameter k = 1 [1/s] scale 2 [1/min]", ":1:29: ",
                  "the parameter and its scale have units that differ by a factor of 60");
    bound_refuses("parameter k[1..2] = {1 [1/s], 2 [1/min]}",
                  ":1:31: ", "declaration and value have units that differ by a factor of 60");
    bound_refuses("state x = 5 [g] atol 1 [mg]\nx' = 1", ":1:22: ",
                  "the state and its tolerance have units that differ by a factor of 1000");
    bound_refuses("state x[1..2] = {5 [g], 1 [mg]}\nx[i]' = 1 for i in 1..2",
                  ":1:25: ", "declaration and value have units that differ by a factor of 1000");
    bound_refuses("algebraic x = 5 [g] atol 1 [mg]\n0 = x - 1", ":1:26: ",
                  "the state and its tolerance have units that differ by a factor of 1000");
    bound_refuses("control u = {1 [L], 2 [mL]} piecewise constant on 0 .. 1 by 2\nstate x = 1\n"
                  "x' = u",
                  ":1:21: ", "declaration and value have units that differ by a factor of 1000");
}

TEST(the_unit_of_time_is_that_of_the_span_and_of_the_grids)
{
    static const char *const line = "state x [g] = 5\nparameter k [1/s] = 1, T [min] = 3\n"
                                    "x' = -k*x\n";
    static const char *const spans[] = {"time 0 .. 10 [min]", "time 0 [min] .. 10", "time 0 .. T",
                                        "control u = 1 piecewise constant on 0 [min] .. 1 by 2",
                                        "control u = 1 piecewise constant at {0, T}"};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        char text[LENGTH];
        snprintf(text, sizeof text, "%s%s", line, spans[i]);
        bound_refuses(text, ":3:1: ", "differ by a factor of 60, ");
    }
    bound_refuses("state x = 1\nx' = 1\ntime 0 [s] .. T\nparameter T = 1 [min]",
                  ":3:15: ", "the time span has units that differ by a factor of 60, s and min");
    bound_refuses("state x = 1\nx' = 1\ntime 0 .. T\nparameter T = 1 [g]",
                  ":3:11: ", "a unit of time is wanted here");
    bound_refuses("state x = 1\nx' = u\ncontrol u = 1 piecewise constant at {0 [s], 1 [h]}",
                  ":3:45: ", "the grid has units that differ by a factor of 3600, s and h");
}

/* Molecules, intervals and bounds of ranges are counted. */
TEST(counts_have_no_dimension)
{
    bound_refuses("state x = 1\nx' = u\ncontrol u = 1 piecewise constant on 0 .. 1 by 2 [s]",
                  ":3:47: ", "the number of intervals has no dimension");
    bound_refuses("state x = 1\nr: (2 [g]) x -> 0, 1",
                  ":2:5: ", "the number of molecules has no dimension");
    bound_refuses("state x[1..2 [m]] = 1\nx[i]' = 1 for i in 1..2",
                  ":1:12: ", "the bound of a range has no dimension");
    bound_refuses("state x[1..2] = 1\nx[i]' = 1 for i in 1 [m]..2",
                  ":2:20: ", "the bound of a range has no dimension");
    bound_refuses("state x[1..2] = 1\nx[1]' = 1; x[2 [m]]' = 1",
                  ":2:14: ", "an index has no dimension");
    bound_refuses("state x = 1\nx' = sum(i in 1..2 [m]: i)",
                  ":2:18: ", "the bound of a range has no dimension");
}

/* The integral over time of g is g s, whether its name says so or not. */
TEST(the_unit_of_an_integral_is_that_of_its_value_times_time)
{
    struct bound_model m;
    bound_refuses("state x [g] = 1\nx' = 1\nintegral I = x\noutput o [g] = I\ntime 0 .. 1 [s]",
                  ":4:16: ", "declaration and value have different units: g and g s");
    bound_refuses("state x [g] = 1\nx' = 1\nintegral I = x\nlet a = I + x\ntime 0 .. 1 [s]",
                  ":4:11: ", "different units: g s and g");
    passes(&m, "state x [g] = 1\nx' = 1\nintegral I = x\noutput o [g s] = I\ntime 0 .. 1 [s]");
    CHECK(strcmp(m.system.output.item[0].unit, "g s") == 0);
    bound_free(&m);
}

/* What is shown is the text behind the value, for all entries of a vector. */
TEST(a_unit_that_is_taken_from_a_value_is_shown)
{
    struct bound_model m;
    passes(&m, "parameter k[1..2] = {1, 2 [1/min]}, w = 3, T = 3 [min]\n"
               "state x[1..2] = {1, 2 [mmol/L]}, z = 1\n"
               "x[i]' = -k[i]*x[i] for i in 1..2\nz' = 0\noutput x\ntime 0 .. T");
    CHECK(strcmp(m.system.parameter.item[0].unit, "1/min") == 0);
    CHECK(strcmp(m.system.parameter.item[1].unit, "1/min") == 0);
    CHECK(strcmp(m.system.parameter.item[2].unit, "") == 0);
    CHECK(strcmp(m.system.state.item[0].unit, "mmol/L") == 0);
    CHECK(strcmp(m.system.state.item[1].unit, "mmol/L") == 0);
    CHECK(strcmp(m.system.state.item[2].unit, "") == 0);
    CHECK(strcmp(m.system.output.item[1].unit, "mmol/L") == 0);
    CHECK(strcmp(m.system.time_unit, "min") == 0);
    bound_free(&m);
}
