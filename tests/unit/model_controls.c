/* SPDX-License-Identifier: Apache-2.0 */
/* Controls: their levels, break times and values, and from when on a level acts. */
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/bound_model.h"

static void accepts(struct bound_model *m, const char *text)
{
    bound_parse(m, text);
    if (m->status != TANSY_OK) fprintf(stderr, "%s\n", m->syntax.diagnosis.text);
    CHECK_EQUAL(m->status, TANSY_OK);
}

/* x' of the model at time t with the model's own parameters. */
static double slope(const struct bound_model *m, double t)
{
    double p[20], f;
    CHECK(m->system.parameter.count <= 20);
    for (size_t k = 0; k < m->system.parameter.count; k++) p[k] = m->system.parameter.item[k].value;
    bound_values(m, t, (double[]){0, 0}, p, m->system.rhs, 1, &f);
    return f;
}

static void refuses(const char *text, const char *place, const char *words)
{
    struct bound_model m;
    char start[40];
    bound_parse(&m, text);
    snprintf(start, sizeof start, ":%s: ", place);
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, words);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, start);
    bound_free(&m);
}

/* A level that is not in force is not rounded in: 1e300 beside 3 leaves 3. */
TEST(a_constant_control_has_its_levels_exactly)
{
    struct bound_model m;
    accepts(&m, "parameter k = 2\nstate x = 0\nx' = u + k*0*x\ncontrol u [K] = {1e300, 3, 1e-300} "
                "in 0 .. 1e301 scale 5 "
                "piecewise constant at {1, 2, 4, 8}\noutput u\noutput k");
    CHECK_EQUAL(m.system.parameter.count, 4);
    CHECK(strcmp(m.system.parameter.item[1].name, "u[1]") == 0);
    CHECK(strcmp(m.system.parameter.item[3].name, "u[3]") == 0);
    CHECK(strcmp(m.system.parameter.item[3].unit, "K") == 0);
    CHECK_CLOSE(m.system.parameter.item[2].value, 3, 0);
    CHECK_CLOSE(m.system.parameter.item[2].scale, 5, 0);
    CHECK_CLOSE(m.system.parameter.item[2].upper, 1e301, 0);
    CHECK_EQUAL(m.system.parameter.item[2].control, 0);
    CHECK(isinf(m.system.parameter.item[1].active_from));
    CHECK_CLOSE(m.system.parameter.item[2].active_from, 2, 0);
    CHECK_CLOSE(m.system.parameter.item[3].active_from, 4, 0);
    CHECK_EQUAL(m.system.break_time.count, 2); /* inside the grid: 2 and 4 */
    CHECK_CLOSE(m.system.break_time.item[0], 2, 0);
    static const double at[] = {-5, 1.5, 2, 3, 4, 9},
                        expected[] = {1e300, 1e300, 3, 3, 1e-300, 1e-300};
    for (size_t i = 0; i < 6; i++) CHECK_CLOSE(slope(&m, at[i]), expected[i], 0);
    CHECK_EQUAL(m.system.condition.count, 0);
    CHECK_EQUAL(m.system.output.count, 2);
    bound_free(&m);
}

TEST(a_linear_control_is_continuous_and_constant_outside)
{
    struct bound_model m;
    accepts(&m, "state x = 0\nx' = u\ncontrol u = {1, 3, 2} piecewise linear at {1, 2, 4}");
    CHECK_EQUAL(m.system.parameter.count, 3);
    CHECK(isinf(m.system.parameter.item[0].active_from) &&
          isinf(m.system.parameter.item[1].active_from));
    CHECK_CLOSE(m.system.parameter.item[2].active_from, 2, 0);
    CHECK_EQUAL(m.system.break_time.count, 3);
    static const double at[] = {0, 1, 1.5, 2, 3, 4, 5}, expected[] = {1, 1, 2, 3, 2.5, 2, 2};
    for (size_t i = 0; i < 7; i++) CHECK_CLOSE(slope(&m, at[i]), expected[i], 4 * DBL_EPSILON);
    bound_free(&m);
}

TEST(one_value_stands_for_all_levels_of_a_regular_grid)
{
    struct bound_model m;
    accepts(&m, "constant N = 10\nstate x = 0\nx' = u + v\ncontrol u = 2 piecewise constant on 0 "
                ".. 1 by N\n"
                "control v = 3 piecewise linear on 0 .. 1 by 5");
    CHECK_EQUAL(m.system.parameter.count, 16);
    CHECK(strcmp(m.system.parameter.item[15].name, "v[6]") == 0);
    CHECK_EQUAL(m.system.parameter.item[15].control, 1);
    CHECK_EQUAL(m.system.break_time.count, 11); /* 0, 0.1, ..., 1; those of v are among them */
    for (double t = 0.05; t < 1; t += 0.1) CHECK_CLOSE(slope(&m, t), 5, 8 * DBL_EPSILON);
    bound_free(&m);
}

TEST(levels_can_be_named)
{
    struct bound_model m;
    accepts(&m,
            "state x = u[2]\nx' = u + 10*u[1]\ncontrol u = {1, 3} piecewise constant at {0, 1, 2}");
    CHECK_CLOSE(slope(&m, 0), 11, 0);
    CHECK_CLOSE(slope(&m, 1), 13, 0);
    CHECK_EQUAL(graph_leaves(m.system.graph, m.system.state.item[0].initial), 1u << OP_PARAMETER);
    bound_free(&m);
}

TEST(a_control_has_a_limited_number_of_levels)
{
    static char text[20000];
    int used = snprintf(text, sizeof text,
                        "state x = 1\nx' = u\ncontrol u = 1 piecewise constant "
                        "at {0");
    for (int k = 1; k <= 2001; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, ", %d", k);
    snprintf(text + used, sizeof text - (size_t)used, "}");
    refuses(text, "3:9", "a grid has at most 2000 intervals, not 2001");
    struct bound_model m;
    accepts(&m, "state x = 1\nx' = u\ncontrol u = 1 piecewise linear on 0 .. 1 by 2000");
    CHECK_EQUAL(m.system.parameter.count, 2001);
    bound_free(&m);
}

TEST(wrong_grids_and_levels_are_refused)
{
    refuses("control u = 1 piecewise constant at {0, 2, 2}\nstate x = 1\nx' = u", "1:44",
            "must rise, but 2 follows 2");
    refuses("control u = 1 piecewise constant at {0}\nstate x = 1\nx' = u", "1:9",
            "at least two times");
    refuses("control u = 1 piecewise constant on 1 .. 0 by 2\nstate x = 1\nx' = u", "1:37",
            "must rise, not go from 1 to 0");
    refuses("control u = 1 piecewise constant on 0 .. 1 by 2.5\nstate x = 1\nx' = u", "1:47",
            "a whole number from 1");
    refuses("control u = 1 piecewise constant on 0 .. 1 by 0\nstate x = 1\nx' = u", "1:47",
            "a whole number from 1");
    refuses("control u = 1 piecewise constant on 0 .. 1 by 2001\nstate x = 1\nx' = u", "1:47",
            "a whole number from 1 to 2000, not 2001");
    refuses("control u = {1, 2, 3} piecewise constant at {0, 1, 2}\nstate x = 1\nx' = u", "1:9",
            "u has 2 levels on this grid, but the list has 3");
    refuses("control u = {1, 2} piecewise linear at {0, 1, 2}\nstate x = 1\nx' = u", "1:9",
            "u has 3 levels");
    refuses("control u = {1, 9} in 0 .. 5 piecewise constant at {0, 1, 2}\nstate x = 1\nx' = u",
            "1:9", "exclude the value 9 of u[2]");
    refuses("control u = 1 piecewise constant at {0, 1}\nstate x = 1\nx' = u[2]", "3:8",
            "index 1 of u is 2, outside 1 .. 1");
    refuses("control u = 1 piecewise constant at {0, 1}\nstate x = 1\nx' = u[1,1]", "3:6",
            "u has 1 index, not 2");
    refuses("control u = 1 piecewise constant at {0, 1, 2}\nstate x = u\nx' = u", "2:11",
            "an initial value cannot depend on time, but u does; u[1] is its first level");
    refuses("control u = 1 piecewise constant at {0, 1, 2}\nlet v = u\nstate x = v\nx' = u", "3:11",
            "an initial value cannot depend on time; through a let this one does");
    refuses("parameter a = 1\ncontrol u = a piecewise constant at {0, 1, 2}\nstate x = 1\nx' = u",
            "2:13", "only constants");
}
