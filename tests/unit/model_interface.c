/* SPDX-License-Identifier: Apache-2.0 */
/* What the public header promises about models: errors that stick, names, numbers, summaries, outputs at conditions and
   break times. */
#include <tansy/tansy.h>

#include <math.h>
#include <string.h>

#include "test.h"

static tansy_model *parse(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

static const char mixed[] = "model mixed \"A bit of all\"\n"
                            "parameter k [1/s] = 2 in 1 .. 3 scale 4, c = 0.5\n"
                            "control u = {1, 5} piecewise constant at {0, 1, 2}\n"
                            "state x = k atol 1e-5, y = 0\n"
                            "x' = if x > c then -k*x else 0\n"
                            "y' = u\n"
                            "output big = if y > 3 then 10*y else y\n"
                            "output level = u\n"
                            "integral area = x\n"
                            "time 0 .. 2\n";

TEST(no_model_answers_out_of_memory)
{
    tansy_problem problem;
    tansy_model_summary summary;
    CHECK_EQUAL(tansy_model_error(NULL), TANSY_OUT_OF_MEMORY);
    CHECK_TEXT_CONTAINS(tansy_model_message(NULL), "memory");
    CHECK_EQUAL(strlen(tansy_model_warnings(NULL)), 0);
    CHECK_EQUAL(tansy_model_problem(NULL, &problem), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_model_count(NULL, TANSY_MODEL_STATES), 0);
    CHECK_EQUAL(tansy_model_index(NULL, TANSY_MODEL_STATES, "x"), -1);
    CHECK_EQUAL(tansy_model_outputs(NULL, 0, -1, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_model_output_columns(NULL, 0, -1, NULL, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_model_export_c(NULL, NULL, 0), 0);
    tansy_model_summarise(NULL, &summary);
    CHECK_EQUAL(strlen(summary.name), 0);
    CHECK(isnan(tansy_model_parameter(NULL, 0).value));
    CHECK_EQUAL(tansy_model_initial_is_used(NULL, 0), 0);
    tansy_model_free(NULL);
}

TEST(tells_which_initial_values_are_used)
{
    static const char text[] = "state x = 2, y = x(0)\nx' = -x\ny' = -y\n";
    tansy_model *const m = tansy_model_parse(text, sizeof text - 1, "used.tansy");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    CHECK_EQUAL(tansy_model_initial_is_used(m, 0), 1);
    CHECK_EQUAL(tansy_model_initial_is_used(m, 1), 0);
    CHECK_EQUAL(tansy_model_initial_is_used(m, 2), 0);
    tansy_model_free(m);
}

TEST(an_error_sticks_to_the_handle)
{
    tansy_problem problem;
    tansy_model *const m = tansy_model_parse("state x = 1\nx' = -y\n", 20, "bad.tansy");
    CHECK_EQUAL(tansy_model_error(m), TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(tansy_model_message(m), "bad.tansy:2:7:");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_BAD_MODEL);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_STATES), 0);
    CHECK_EQUAL(tansy_model_outputs(m, 0, -1, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_model_export_c(m, NULL, 0), 0);
    tansy_model_free(m);
}

TEST(files_that_cannot_be_read_say_why)
{
    const char *const names[] = {NULL, "no/such/file.tansy", "examples"};
    for (size_t k = 0; k < 3; k++) {
        tansy_model *const m = tansy_model_read(names[k]);
        CHECK_EQUAL(tansy_model_error(m), TANSY_NO_FILE);
        CHECK_TEXT_CONTAINS(tansy_model_message(m), "cannot be read");
        tansy_model_free(m);
    }
    tansy_model *const empty = tansy_model_parse(NULL, 7, NULL);
    CHECK_EQUAL(tansy_model_error(empty), TANSY_BAD_MODEL);
    tansy_model_free(empty);
}

TEST(names_units_and_numbers_are_those_of_the_text)
{
    tansy_model *const m = parse(mixed);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_STATES), 3);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_PARAMETERS), 4);
    CHECK_EQUAL(tansy_model_index(m, TANSY_MODEL_STATES, "area"), 2);
    CHECK_EQUAL(tansy_model_index(m, TANSY_MODEL_PARAMETERS, "u[2]"), 3);
    CHECK_EQUAL(tansy_model_index(m, TANSY_MODEL_OUTPUTS, "level"), 1);
    CHECK_EQUAL(tansy_model_index(m, TANSY_MODEL_OUTPUTS, "nothing"), -1);
    CHECK_EQUAL(tansy_model_index(m, TANSY_MODEL_OUTPUTS, NULL), -1);
    CHECK_TEXT_CONTAINS(tansy_model_name(m, TANSY_MODEL_CONDITIONS, 0), "x > c");
    CHECK_TEXT_CONTAINS(tansy_model_unit(m, TANSY_MODEL_PARAMETERS, 0), "1/s");
    CHECK_TEXT_CONTAINS(tansy_model_unit(m, TANSY_MODEL_STATES, 0), "1/s"); /* of x = k */
    CHECK_EQUAL(strlen(tansy_model_unit(m, TANSY_MODEL_STATES, 1)), 0);
    CHECK_EQUAL(strlen(tansy_model_unit(m, TANSY_MODEL_OUTPUTS, 0)), 0);
    CHECK_EQUAL(strlen(tansy_model_unit(m, TANSY_MODEL_CONDITIONS, 0)), 0);
    CHECK_EQUAL(strlen(tansy_model_name(m, TANSY_MODEL_STATES, 3)), 0);
    CHECK_EQUAL(strlen(tansy_model_unit(m, TANSY_MODEL_STATES, 3)), 0);
    tansy_parameter const k = tansy_model_parameter(m, 0), level = tansy_model_parameter(m, 3);
    CHECK(k.value == 2 && k.lower == 1 && k.upper == 3 && k.scale == 4 && !k.is_level);
    CHECK(level.value == 5 && level.is_level && level.active_from == 1);
    tansy_model_free(m);
}

TEST(a_summary_tells_sizes_and_structure)
{
    tansy_model_summary s;
    tansy_model *const m = parse(mixed);
    tansy_model_summarise(m, &s);
    CHECK_TEXT_CONTAINS(s.name, "mixed");
    CHECK_TEXT_CONTAINS(s.title, "A bit of all");
    CHECK_TEXT_CONTAINS(s.form, "explicit");
    CHECK(s.t0 == 0 && s.t1 == 2);
    CHECK_EQUAL(s.integrals, 1);
    CHECK_EQUAL(s.breaks, 1); /* the inner point of the grid */
    CHECK_EQUAL(s.jacobian_entries, 2);
    CHECK_EQUAL(s.parameter_entries, 3); /* k of x; both levels of y */
    CHECK(s.atol && s.atol[0] == 1e-5 && s.atol[1] == 0);
    CHECK(s.operations_f > 0 && s.nodes > 0);
    tansy_model_free(m);
}

TEST(implicit_models_are_read)
{
    tansy_problem problem;
    tansy_model_summary s;
    tansy_model *const dae = parse("state x = 1\nalgebraic z = 1\nx' = -z\n0 = z - x^2\n");
    CHECK_EQUAL(tansy_model_problem(dae, &problem), TANSY_OK);
    CHECK(problem.residual && !problem.rhs && problem.residual_tangent);
    CHECK(problem.kind[0] == TANSY_DIFFERENTIAL && problem.kind[1] == TANSY_ALGEBRAIC);
    tansy_model_summarise(dae, &s);
    CHECK_TEXT_CONTAINS(s.form, "linearly implicit");
    CHECK(*s.note == 0);
    CHECK_EQUAL(s.algebraic, 1);
    CHECK_EQUAL(s.jacobian_entries, 3);
    CHECK(tansy_model_export_c(dae, NULL, 0) > 0);
    tansy_model_free(dae);
    tansy_model *const implicit = parse("state x = 1\nx'^3 + x' = -x\n");
    tansy_model_summarise(implicit, &s);
    CHECK_TEXT_CONTAINS(s.form, "fully implicit");
    tansy_model_free(implicit);
}

/* dq for one column with dx = 1, dy = 2 and direction c of p. */
TEST(outputs_take_conditions_and_pieces_as_they_stand)
{
    double const p[] = {2, 0.5, 1, 5}, low[] = {1, 2, 0}, high[] = {1, 4, 0};
    double const sens[] = {1, 2, 0}, direction[] = {0, 0, 1, 0};
    double q[3], dq[3];
    tansy_model *const m = parse(mixed);
    tansy_columns const columns = {.ns = 1, .sens = sens, .direction_p = direction};
    CHECK_EQUAL(tansy_model_outputs(m, 0.5, -1, low, p, q), TANSY_OK);
    CHECK(q[0] == 2 && q[1] == 1);
    CHECK_EQUAL(tansy_model_output_columns(m, 0.5, -1, low, p, &columns, dq), TANSY_OK);
    CHECK(dq[0] == 2 && dq[1] == 1);
    CHECK_EQUAL(tansy_model_outputs(m, 1, -1, high, p, q), TANSY_OK);
    CHECK(q[0] == 40 && q[1] == 1); /* at a break time the piece before it, or the one after */
    CHECK_EQUAL(tansy_model_outputs(m, 1, 1, high, p, q), TANSY_OK);
    CHECK(q[1] == 5);
    CHECK_EQUAL(tansy_model_outputs(m, 1.5, -1, high, p, q), TANSY_OK);
    CHECK(q[1] == 5);
    CHECK_EQUAL(tansy_model_output_columns(m, 1.5, -1, high, p, &columns, dq), TANSY_OK);
    CHECK(dq[0] == 20 && dq[1] == 0);
    tansy_model_free(m);
}

TEST(a_model_without_outputs_has_nothing_to_say)
{
    double const y[] = {1};
    double q[1] = {7};
    tansy_model *const m = parse("state x = 1\nx' = -x\n");
    CHECK_EQUAL(tansy_model_outputs(m, 0, -1, y, NULL, q), TANSY_OK);
    CHECK_EQUAL(tansy_model_output_columns(m, 0, -1, y, NULL, &(tansy_columns){.ns = 0}, q),
                TANSY_OK);
    CHECK(q[0] == 7);
    tansy_model_free(m);
}

/* More columns than go through at once. */
TEST(outputs_have_any_number_of_columns)
{
    enum { COLUMNS = 70 };
    double const y[] = {3};
    double sens[COLUMNS], dq[COLUMNS];
    tansy_model *const m = parse("state x = 1\nx' = -x\noutput square = x^2\n");
    for (size_t k = 0; k < COLUMNS; k++) sens[k] = (double)k;
    CHECK_EQUAL(tansy_model_output_columns(m, 0, -1, y, NULL,
                                           &(tansy_columns){.ns = COLUMNS, .sens = sens}, dq),
                TANSY_OK);
    for (size_t k = 0; k < COLUMNS; k++) CHECK(dq[k] == 6 * (double)k);
    tansy_model_free(m);
}

/* log(k) > 1, k < 0, neither holds nor does not; `x > 5 and log(x - 5) > 1` does not where x is below 5. */
TEST(what_depends_on_a_condition_without_a_value_has_none)
{
    static const char text[] = "parameter k = -1\nstate x = 3\nx' = -k\n"
                               "output a = max(log(k), 3)\noutput b = if log(k) > 1 then 1 else 2\n"
                               "output c = if x > 5 and log(x - 5) > 1 then 1 else 2\n"
                               "output d = if log(k) > 1 and log(2*k) > 1 then x else 2\n";
    static const char start[] = "parameter k = -1\nstate x = min(3, log(k))\nx' = -k\n";
    double const x = 3, k = -1, u = 1;
    double q[4], dq[4];
    tansy_model *const m = parse(text);
    CHECK_EQUAL(tansy_model_outputs(m, 0, 1, &x, &k, q), TANSY_OK);
    CHECK_EQUAL(tansy_model_output_columns(
                    m, 0, 1, &x, &k, &(tansy_columns){.ns = 1, .sens = &u, .direction_p = &u}, dq),
                TANSY_OK);
    CHECK(isnan(q[0]) && isnan(q[1]) && q[2] == 2 && isnan(q[3]));
    CHECK(isnan(dq[0]) && isnan(dq[1]) && dq[2] == 0 && isnan(dq[3]));
    tansy_model_free(m);
    tansy_problem problem;
    tansy_model *const no_start = parse(start);
    CHECK_EQUAL(tansy_model_problem(no_start, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){0});
    CHECK_TEXT_CONTAINS(tansy_message(s), "the initial value of x is NaN");
    tansy_free(s);
    tansy_model_free(no_start);
}
