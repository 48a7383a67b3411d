/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of outputs whose time moves, dQ = Q_y s + Q_p u + Q_t dt, of models as text and as shared objects. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/shared_object.h"
#include "test.h"

enum { OUTPUTS = 5, COLUMNS = 3 };

static const char text[] = "model moving\n"
                           "parameter T = 3, a = 2\n"
                           "control u = {1, -1, 0.5, 2} piecewise linear on 0 .. 3 by 3\n"
                           "control w = {1, -1, 0.5, 2} piecewise linear on 0 .. T by 3\n"
                           "state x = 1\n"
                           "x' = -a*x\n"
                           "output q = u, r = w, s = sin(1e5*time), m = max(time - 3, 0)*x,\n"
                           "       z = time*x'\n"
                           "time 0 .. T\n";

static tansy_model *read_text(const char *words)
{
    tansy_model *const m = tansy_model_parse(words, strlen(words), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

static tansy_model *compiled(const tansy_model *m)
{
    tansy_model *const loaded = shared_object_of(m);
    CHECK_EQUAL(tansy_model_error(loaded), TANSY_OK);
    return loaded;
}

/* Columns: T with the point, T at a fixed point, the point alone twice as fast.  x = 5, a = 2, so that x' = -10. */
static void check_columns(const tansy_model *m, int side)
{
    size_t const np = tansy_model_count(m, TANSY_MODEL_PARAMETERS);
    double const y[] = {5}, sens[COLUMNS] = {0}, moves[COLUMNS] = {1, 0, 2};
    double p[20], u[COLUMNS * 20] = {0}, dq[COLUMNS * OUTPUTS];
    for (size_t k = 0; k < np; k++) p[k] = tansy_model_parameter(m, k).value;
    u[0] = u[np] = 1;
    tansy_point const at = {.t = 3, .side = side, .y = y, .p = p};
    tansy_columns const columns = {
        .ns = COLUMNS, .sens = sens, .direction_p = u, .direction_t = moves};
    CHECK_EQUAL(tansy_model_output_columns_at(m, &at, &columns, dq), TANSY_OK);
    double const slope = 1.5, fast = 1e5 * cos(3e5);
    double const right[COLUMNS][OUTPUTS] = {
        {side < 0 ? slope : 0, 0, fast, side < 0 ? 0 : 5, -10},
        {0, side < 0 ? -slope : 0, 0, 0, 0},
        {side < 0 ? 2 * slope : 0, side < 0 ? 2 * slope : 0, 2 * fast, side < 0 ? 0 : 10, -20}};
    for (size_t k = 0; k < COLUMNS; k++)
        for (size_t o = 0; o < OUTPUTS; o++)
            CHECK_CLOSE(dq[k * OUTPUTS + o], right[k][o], 16 * DBL_EPSILON * (1 + fabs(fast)));
}

/* A break counts on the side of the point, and so does a time that moves with T: before it r = w[3] + slope (t - 2 T/3) 3/T, then w[4]. */
TEST(outputs_move_with_the_time_of_a_column)
{
    tansy_model *const m = read_text(text), *const loaded = compiled(m);
    for (int side = -1; side <= 1; side += 2) {
        check_columns(m, side);
        check_columns(loaded, side);
    }
    tansy_model_free(m);
    tansy_model_free(loaded);
}

/* w steps from 1 to -1 at T/3 and to 5 at 2 T/3; nothing but outputs uses it.  A run comes to the grid times from where it began. */
static void check_derived(const tansy_model *m, int forward)
{
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    double const stop[] = {0.5, 1, 1.5, 2, 2.5}, ahead[] = {1, 1, -1, -1, 5},
                 back[] = {5, 5, -1, -1, 1};
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-6});
    for (size_t k = 0; k < sizeof stop / sizeof *stop; k++) {
        double const t = forward ? stop[k] : 3 - stop[k];
        double Q = 0;
        CHECK_EQUAL(tansy_solve(s, t, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_derived_at(s, t, &Q, NULL), TANSY_OK);
        CHECK_CLOSE(Q, forward ? ahead[k] : back[k], 0);
    }
    tansy_free(s);
}

TEST(derived_quantities_at_grid_times_are_limits_from_where_the_run_comes)
{
    for (int forward = 0; forward < 2; forward++) {
        char words[300];
        (void)snprintf(words, sizeof words,
                       "parameter T = 3\nstate x = 1\nx' = -x/100\n"
                       "control w = {1, -1, 5} piecewise constant on 0 .. T by 3\n"
                       "output q = w\ntime %s\n",
                       forward ? "0 .. 3" : "3 .. 0");
        tansy_model *const m = read_text(words), *const loaded = compiled(m);
        check_derived(m, forward);
        check_derived(loaded, forward);
        tansy_model_free(m);
        tansy_model_free(loaded);
    }
}

/* Exported C has no function for that. */
TEST(outputs_without_time_do_not_move)
{
    tansy_model *const m = read_text("parameter a = 2\nstate x = 1\nx' = -a*x\noutput q = a*x\n");
    tansy_model *const loaded = compiled(m);
    double const y[] = {5}, p[] = {2}, sens[] = {3}, u[] = {1}, moves[] = {7};
    tansy_point const at = {.t = 3, .side = -1, .y = y, .p = p};
    tansy_columns const columns = {1, sens, u, NULL, moves};
    for (int k = 0; k < 2; k++) {
        double dq = 0;
        CHECK_EQUAL(tansy_model_output_columns_at(k ? loaded : m, &at, &columns, &dq), TANSY_OK);
        CHECK_CLOSE(dq, 5 + 2 * 3, 0);
    }
    tansy_model_free(m);
    tansy_model_free(loaded);
}

/* Columns a, whose time moves by tau, at t = a = 3. */
static bool has_corner(const char *output, double tau, int *jumps)
{
    char words[300];
    double const y[] = {1}, p[] = {3, 2}, sens[] = {0}, u[] = {1, 0};
    tansy_corner corner;
    (void)snprintf(words, sizeof words,
                   "parameter a = 3, b = 2\nstate x = 1\nx' = -b*x\noutput q = %s\n", output);
    tansy_model *const m = read_text(words);
    tansy_point const at = {.t = 3, .side = -1, .y = y, .p = p};
    tansy_columns const columns = {1, sens, u, NULL, &tau};
    CHECK_EQUAL(tansy_model_output_corners(m, &at, &columns, &corner), TANSY_OK);
    *jumps = corner.jumps;
    tansy_model_free(m);
    return corner.condition != NULL;
}

TEST(corners_are_looked_for_along_the_time_too)
{
    int jumps = 0;
    CHECK(has_corner("max(a - time, 0)", 0, &jumps));
    CHECK_EQUAL(jumps, 0);
    CHECK(!has_corner("max(a - time, 0)", 1, &jumps)); /* a - time stays 0 */
    CHECK(has_corner("max(a - time, 0)", 0.5, &jumps));
    CHECK(has_corner("max(x - 1 + time - b - 1, 0)", 1, &jumps)); /* time alone moves it */
    CHECK(!has_corner("max(x - 1 + time - b - 1, 0)", 0, &jumps));
    CHECK(has_corner("if time >= b + 1 then x else 2*x", 1, &jumps));
    CHECK_EQUAL(jumps, 1);
    CHECK(!has_corner("if time >= b + 1 then time*x else a*x", 1, &jumps)); /* the same both */
}

/* A pair of times that moves is checked by exported C, too: 0 < T/3 .. T. */
TEST(a_loaded_model_knows_whether_times_rise)
{
    tansy_model *const m = read_text(text), *const loaded = compiled(m);
    double p[20];
    char words[2][200];
    for (size_t k = 0; k < tansy_model_count(m, TANSY_MODEL_PARAMETERS); k++)
        p[k] = tansy_model_parameter(m, k).value;
    CHECK_EQUAL(tansy_model_check_times(loaded, p, words[0], sizeof words[0]), TANSY_OK);
    p[0] = -1;
    for (int k = 0; k < 2; k++)
        CHECK_EQUAL(tansy_model_check_times(k ? loaded : m, p, words[k], sizeof words[k]),
                    TANSY_BAD_PROBLEM);
    CHECK(strcmp(words[0], words[1]) == 0);
    tansy_model_free(m);
    tansy_model_free(loaded);
}
