/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that tie at p: columns of initial values and outputs are taken from one side of p, all from the same, so that what
   has a derivative there has that one, though the conditions as they stand at p have another. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

static tansy_model *read_text(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

struct tie {
    const char *value; /* of a and b, both 1 */
    double by_a, by_b; /* its derivatives */
    bool is_told;      /* there is a corner or a jump */
};

/* Of those told the limit from the side that the conditions at p are on. */
static const struct tie ties[] = {
    {"min(a, max(b, a))", 1, 0, false},
    {"max(a, min(b, a))", 1, 0, false},
    {"min(a*b, max(b, a))", 1, 1, false},
    {"if a >= b then (if b >= a then b else a) else a", 1, 0, false},
    {"max(a, b) + min(a, b)", 1, 1, false},
    {"max(a, b) - (if b >= a then b else a)", 0, 0, false},
    {"max(a, b)", 1, 0, true},
    {"if a > b then 2*a else b", 0, 1, true},
    {"if 1 < a or a < 1 then sin(a) else b", 0.54030230586813971740, 1, true}};
enum { TIES = sizeof ties / sizeof *ties };

TEST(initial_values_have_the_derivatives_of_both_sides)
{
    for (size_t k = 0; k < TIES; k++) {
        char text[300], report[4000];
        double y[1], sens[2];
        (void)snprintf(text, sizeof text, "parameter a = 1, b = 1\nstate x = %s\nx' = -x\n",
                       ties[k].value);
        tansy_model *const m = read_text(text);
        tansy_problem problem;
        CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
        tansy_solver *const s = tansy_create(&problem, &(tansy_options){0});
        CHECK_EQUAL(tansy_solve(s, 0, y, sens), TANSY_OK);
        printf("%s: %g %g\n", ties[k].value, sens[0], sens[1]);
        CHECK_CLOSE(sens[0], ties[k].by_a, 1e-14);
        CHECK_CLOSE(sens[1], ties[k].by_b, 1e-14);
        (void)tansy_report(s, report, sizeof report);
        CHECK_EQUAL(strstr(report, "at these parameters") != NULL, ties[k].is_told);
        tansy_free(s);
        tansy_model_free(m);
    }
}

TEST(outputs_have_the_derivatives_of_both_sides)
{
    for (size_t k = 0; k < TIES; k++) {
        char text[300];
        double const y[] = {1}, p[] = {1, 1}, sens[] = {0, 0}, u[] = {1, 0, 0, 1};
        double dq[2];
        tansy_corner corner;
        (void)snprintf(text, sizeof text,
                       "parameter a = 1, b = 1\nstate x = 1\nx' = -x\noutput q = %s\n",
                       ties[k].value);
        tansy_model *const m = read_text(text);
        tansy_columns const columns = {.ns = 2, .sens = sens, .direction_p = u};
        tansy_point const at = {.y = y, .p = p};
        CHECK_EQUAL(tansy_model_output_columns_at(m, &at, &columns, dq), TANSY_OK);
        CHECK_EQUAL(tansy_model_output_corners(m, &at, &columns, &corner), TANSY_OK);
        printf("%s: %g %g\n", ties[k].value, dq[0], dq[1]);
        CHECK_CLOSE(dq[0], ties[k].by_a, 1e-14);
        CHECK_CLOSE(dq[1], ties[k].by_b, 1e-14);
        CHECK_EQUAL(corner.condition != NULL, ties[k].is_told);
        tansy_model_free(m);
    }
}

/* A direction in y0 and p at once: the part in y0 is added. */
TEST(the_part_in_y0_of_a_direction_stays)
{
    double const directions[] = {0.5, 1, 0};
    double y[1], sens[1];
    tansy_problem problem;
    tansy_model *const m =
        read_text("parameter a = 1, b = 1\nstate x = min(a, max(b, a))\nx' = -x\n");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    problem.ns = 1;
    problem.directions = directions;
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){0});
    CHECK_EQUAL(tansy_solve(s, 0, y, sens), TANSY_OK);
    CHECK_CLOSE(sens[0], 1.5, 1e-14);
    tansy_free(s);
    tansy_model_free(m);
}
