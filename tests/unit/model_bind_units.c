/* SPDX-License-Identifier: Apache-2.0 */
/* Units in models: what fits passes, what has no unit passes with anything, the rest is an error that names both. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "support/bound_model.h"

static const char *const head =
    "parameter k [1/s] = 1, E [J/mol] = 1, T [K] = 300, R [J/mol/K] = 8.3, any = 1\n"
    "state x [m] = 1, v [m/s] = 1, w = 1\ntime 0 .. 1 [s]\nv' = 0\nw' = any*E*T*R*k\n";

static void passes(const char *line)
{
    char text[1000];
    struct bound_model m;
    snprintf(text, sizeof text, "%s%s\n", head, line);
    bound_parse(&m, text);
    if (m.status != TANSY_OK) fprintf(stderr, "%s\n", m.syntax.diagnosis.text);
    CHECK_EQUAL(m.status, TANSY_OK);
    bound_free(&m);
}

static void fails(const char *line, const char *place, const char *words)
{
    char text[1000], start[40];
    snprintf(text, sizeof text, "%s%s\n", head, line);
    snprintf(start, sizeof start, ":%s: ", place);
    bound_refuses(text, start, words);
}

TEST(what_fits_passes)
{
    passes("x' = v");
    passes("x' = -k*x");
    passes("x' = v*exp(-E/(R*T))");
    passes("x' = 1 [m/s] + v");
    passes("x' = sqrt(v^2)");
    passes("x' = x/time");
    passes("x' = v*pi");
    passes("x' = v*abs(x)/x");
    passes("x' = v*sign(x)");
    passes("x' = max(v, k*x)");
    passes("x' = if x > 2 [m] then v else k*x");
    passes("x' = v*(x/(1 [m]))^any");
    passes("x' = v*(2 [m]/x)^(v/v)");
    passes("x' = x(0)*k + sum(i in 1..3: v)");
}

TEST(what_has_no_unit_passes_with_anything)
{
    passes("x' = any");
    passes("x' = any*x + v");
    passes("x' = 2*x + v");
    passes("x' = exp(any) + v");
    passes("x' = if x > 1 then 1 else v");
    passes("x' = w' + v");
}

/* What a power is measured in is not known where its exponent varies; Hill's law is written with powers of both. */
TEST(powers_with_exponents_that_vary)
{
    passes("x' = v*x^any/((2 [m])^any + x^any)");
    passes("x' = v + x^any");
    fails("x' = v*(x/2 [m])^any + x", "6:22", "different units: m/s and m");
}

TEST(what_does_not_fit_names_both_units)
{
    fails("x' = x", "6:1", "the two sides of this equation have different units: m/s and m");
    fails("x' = v + x", "6:8", "different units: m/s and m");
    fails("x' = v - 60*v + x*1 [1/s] + E", "6:27", "different units");
    fails("x' = exp(x)*v", "6:10",
          "the argument of a function has no dimension, but there are different units: m and 1");
    fails("x' = v*2^x", "6:10", "an exponent has no dimension");
    fails("x' = max(v, x)", "6:6", "different units");
    fails("x' = if x > v then v else v", "6:11",
          "the two sides of this comparison have different units");
    fails("x' = if x > 1 then v else x", "6:6", "the two branches have different units");
    fails("x' = v\noutput o [kg] = x", "7:17",
          "declaration and value have different units: kg and m");
    fails("x' = v\nintegral I [m] = x", "7:18",
          "declaration and integral over time have different units: m and m s");
    fails("x' = v\nparameter a [m] = 1 [s]", "7:19",
          "declaration and value have different units: m and s");
    fails("x' = v\nparameter a [m] = 1 in 0 [s] .. 2", "7:24",
          "the parameter and its bound have different units");
    fails("x' = v\nparameter a [m] = 1 in 0 .. 2 [s]", "7:29",
          "the parameter and its bound have different units");
    fails("x' = v\nparameter a [m] = 1 scale 2 [s]", "7:27",
          "the parameter and its scale have different units");
    fails("x' = v\nstate b [m] = 1 atol 1 [s]\nb' = v", "7:22",
          "the state and its tolerance have different units");
    fails("x' = v\nstate b [m] = 1 [s]\nb' = v", "7:15",
          "declaration and value have different units");
    fails("x' = v\nr: v -> 0, x", "7:4",
          "the species and the rate of this reaction have different units");
    fails("x' = v*2 [furlong]", "6:11", "no unit has this name");
}

TEST(a_missing_factor_is_named)
{
    fails("x' = 2 [m/min]", "6:1", "units that differ by a factor of 60, m/s and m/min");
    fails("x' = v + 1 [km/s]", "6:8", "a factor of 1000");
    fails("x' = v*sin(2 [deg])", "6:12", "by a factor of 57.29577951");
    fails("x' = v*exp(-F/(c*T))\nconstant c = 8 [J/mol/K]\nparameter F [kJ/mol] = 60", "6:12",
          "units left that differ from 1 by a factor of 1000, of F [kJ/mol], c [J/mol/K], T [K]: ");
}

TEST(the_time_span_and_grids_are_in_the_unit_of_time)
{
    struct bound_model m;
    bound_parse(&m, "state x = 1\nx' = 1\ntime 0 .. 1 [h] [s]");
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    bound_free(&m);
    fails("x' = v\ncontrol u = 1 piecewise constant at {0, 1 [m]}", "7:41",
          "the grid has different units");
    fails("x' = v\ncontrol u = 1 piecewise constant on 0 [m] .. 1 by 2", "7:37",
          "the grid has different units");
    fails("x' = v\ncontrol u = 1 piecewise constant on 0 .. 1 [m] by 2", "7:42",
          "the grid has different units");
    fails("x' = if time > 3 [m] then v else v", "6:14", "different units: s and m");
}

TEST(units_are_shown_as_they_are_written)
{
    static const char *const wrong[][2] = {
        {"state x [mg] = 1\ntime 0 .. 1 [min]\nparameter k [mg/s] = 1\nx' = k",
         "differ by a factor of 60, mg/min and mg/s"},
        {"state x [mg] = 1\ntime 0 .. 1 [min]\nparameter k [kJ] = 1\nx' = k",
         "different units: mg/min and kJ"},
        {"state x [-] = 1\ntime 0 .. 1 [min]\nparameter k [kJ] = 1\nx' = k",
         "different units: 1/min and kJ"},
        {"state x [mg] = 1\ntime 0 .. 1 [60 s]\nparameter k [-] = 1\nx' = k + 2 [m]/1 [s]",
         "different units: 1 and m s^-1"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct bound_model m;
        bound_parse(&m, wrong[k][0]);
        CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
        CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, wrong[k][1]);
        bound_free(&m);
    }
    static char text[400] = "time 0 .. 1 [min]\nx' = 1 [K]\nstate x [";
    for (int k = 0; k < 24; k++) strcat(text, "m^1 ");
    strcat(text, "] = 1");
    struct bound_model m;
    bound_parse(&m, text);
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, "different units: 0.01666666667 m^24 s^-1 and K");
    bound_free(&m);
}
