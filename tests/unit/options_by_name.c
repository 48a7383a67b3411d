/* SPDX-License-Identifier: Apache-2.0 */
/* Options set from text: every one by its name, with a message that says what would be right. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <tansy/options.h>

/* Sets an option that must be accepted. */
static tansy_options set(const char *name, const char *value)
{
    tansy_options o = {0};
    char message[200] = "";
    tansy_status const status = tansy_option_set(&o, name, value, message, sizeof message);
    if (status != TANSY_OK) fprintf(stderr, "%s = %s: %s\n", name, value, message);
    CHECK_EQUAL(status, TANSY_OK);
    CHECK_EQUAL(tansy_options_check(&o, message, sizeof message), TANSY_OK);
    return o;
}

/* Tries a value that must be refused, leaving the options as they are, with a message that holds the part. */
static void refuse(const char *name, const char *value, const char *part)
{
    tansy_options o = {.rtol = 1e-3}, before = o;
    char message[300] = "";
    CHECK_EQUAL(tansy_option_set(&o, name, value, message, sizeof message), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(message, name);
    CHECK_TEXT_CONTAINS(message, part);
    CHECK_EQUAL(memcmp(&o, &before, sizeof o), 0);
    CHECK_EQUAL(tansy_option_set(&o, name, value, NULL, 0), TANSY_BAD_OPTION);
}

TEST(every_choice_can_be_set_by_its_word)
{
    CHECK_EQUAL(set("method", "auto").method, TANSY_METHOD_AUTO);
    CHECK_EQUAL(set("method", "adams").method, TANSY_ADAMS);
    CHECK_EQUAL(set("method", "bdf").method, TANSY_BDF);
    CHECK_EQUAL(set("method", "dassl").method, TANSY_DASSL);
    CHECK_EQUAL(set("method", "rk8").method, TANSY_RK8);
    CHECK_EQUAL(set("method", "rosenbrock").method, TANSY_ROSENBROCK);
    CHECK_EQUAL(set("method", "limex").method, TANSY_LIMEX);
    CHECK_EQUAL(set("sensitivities", "auto").sensitivities, TANSY_SENSITIVITIES_AUTO);
    CHECK_EQUAL(set("sensitivities", "simultaneous").sensitivities, TANSY_SIMULTANEOUS);
    CHECK_EQUAL(set("sensitivities", "staggered").sensitivities, TANSY_STAGGERED);
    CHECK_EQUAL(set("sensitivities", "direct").sensitivities, TANSY_DIRECT);
    CHECK_EQUAL(set("sensitivities", "none").sensitivities, TANSY_NONE);
    CHECK_EQUAL(set("sensitivities", "measured").sensitivities, TANSY_MEASURED);
    CHECK_EQUAL(set("sensitivities", "tangent").sensitivities, TANSY_TANGENT);
    CHECK_EQUAL(set("sensitivities", "difference").sensitivities, TANSY_DIFFERENCE);
    CHECK_EQUAL(set("error_control", "each").error_control, TANSY_EACH_COLUMN);
    CHECK_EQUAL(set("error_control", "state").error_control, TANSY_STATE_ONLY);
    CHECK_EQUAL(set("error_control", "all").error_control, TANSY_ALL_AS_ONE);
    CHECK_EQUAL(set("norm", "rms").norm, TANSY_RMS);
    CHECK_EQUAL(set("norm", "max").norm, TANSY_MAX);
    CHECK_EQUAL(set("linear_solver", "auto").linear_solver, TANSY_LINEAR_AUTO);
    CHECK_EQUAL(set("linear_solver", "dense").linear_solver, TANSY_DENSE_LU);
    CHECK_EQUAL(set("linear_solver", "band").linear_solver, TANSY_BAND_LU);
    CHECK_EQUAL(set("linear_solver", "diagonal").linear_solver, TANSY_DIAGONAL);
    CHECK_EQUAL(set("linear_solver", "sparse").linear_solver, TANSY_SPARSE_LU);
    CHECK_EQUAL(set("linear_solver", "gmres").linear_solver, TANSY_GMRES);
    CHECK_EQUAL(set("preconditioner", "auto").preconditioner, TANSY_PRECONDITIONER_AUTO);
    CHECK_EQUAL(set("preconditioner", "none").preconditioner, TANSY_NO_PRECONDITIONER);
    CHECK_EQUAL(set("preconditioner", "user").preconditioner, TANSY_USER_PRECONDITIONER);
    CHECK_EQUAL(set("preconditioner", "band").preconditioner, TANSY_BAND_PRECONDITIONER);
    CHECK_EQUAL(set("preconditioner", "ilu").preconditioner, TANSY_ILU_PRECONDITIONER);
    CHECK_EQUAL(set("preconditioner", "block").preconditioner, TANSY_BLOCK_PRECONDITIONER);
    CHECK_EQUAL(set("precondition_side", "left").precondition_side, TANSY_LEFT);
    CHECK_EQUAL(set("precondition_side", "right").precondition_side, TANSY_RIGHT);
    CHECK_EQUAL(set("residual", "auto").residual, TANSY_RESIDUAL_AUTO);
    CHECK_EQUAL(set("residual", "seed").residual, TANSY_SEED);
    CHECK_EQUAL(set("residual", "matrix").residual, TANSY_MATRIX);
    CHECK_EQUAL(set("residual", "differences").residual, TANSY_DIFFERENCES);
    CHECK_EQUAL(set("difference", "auto").difference, TANSY_DIFFERENCE_AUTO);
    CHECK_EQUAL(set("difference", "forward").difference, TANSY_FORWARD);
    CHECK_EQUAL(set("difference", "central").difference, TANSY_CENTRAL);
    CHECK_EQUAL(set("difference", "fourth").difference, TANSY_FOURTH_ORDER);
    CHECK_EQUAL(set("formula", "auto").formula, TANSY_FORMULA_AUTO);
    CHECK_EQUAL(set("formula", "dop853").formula, TANSY_DOP853);
    CHECK_EQUAL(set("formula", "dopri8").formula, TANSY_DOPRI8);
    CHECK_EQUAL(set("formula", "rodas5p").formula, TANSY_RODAS5P);
    CHECK_EQUAL(set("formula", "rodas4").formula, TANSY_RODAS4);
    CHECK_EQUAL(set("formula", "grk4a").formula, TANSY_GRK4A);
    CHECK_EQUAL(set("formula", "grk4t").formula, TANSY_GRK4T);
    CHECK_EQUAL(set("second_derivatives", "auto").second_derivatives, TANSY_SECOND_AUTO);
    CHECK_EQUAL(set("second_derivatives", "differences").second_derivatives,
                TANSY_SECOND_DIFFERENCES);
    CHECK_EQUAL(set("second_derivatives", "neglected").second_derivatives, TANSY_SECOND_NEGLECTED);
}

TEST(every_number_can_be_set_from_text)
{
    CHECK_CLOSE(set("rtol", "1e-8").rtol, 1e-8, 0);
    CHECK_CLOSE(set("rtol", "0").rtol, 0, 0);
    CHECK_CLOSE(set("atol", "3.5e-12").atol, 3.5e-12, 0);
    CHECK_CLOSE(set("atol", "-1").atol, TANSY_NO_ATOL, 0);
    CHECK_CLOSE(set("atol", "auto").atol, TANSY_AUTO_ATOL, 0);
    CHECK_CLOSE(set("difference_increment", "1e-5").difference_increment, 1e-5, 0);
    CHECK_EQUAL(set("max_order", "12").max_order, 12);
    CHECK_CLOSE(set("first_step", "0.25").first_step, 0.25, 0);
    CHECK_CLOSE(set("min_step", "1e-14").min_step, 1e-14, 0);
    CHECK_CLOSE(set("max_step", "1e300").max_step, 1e300, 0);
    CHECK_EQUAL(set("max_steps", "1000000000000").max_steps, 1000000000000);
    CHECK_EQUAL(set("use_stop_time", "1").use_stop_time, 1);
    CHECK_CLOSE(set("stop_time", "-2.5").stop_time, -2.5, 0);
    CHECK_EQUAL(set("threads", "64").threads, 64);
    CHECK_EQUAL(set("suppress_algebraic", "1").suppress_algebraic, 1);
    CHECK_CLOSE(set("initial_tolerance", "0.5").initial_tolerance, 0.5, 0);
    CHECK_EQUAL(set("keep_initial", "1").keep_initial, 1);
    CHECK_EQUAL(set("krylov_dimension", "20").krylov_dimension, 20);
    CHECK_EQUAL(set("krylov_orthogonal", "3").krylov_orthogonal, 3);
    CHECK_EQUAL(set("krylov_restarts", "9").krylov_restarts, 9);
    CHECK_CLOSE(set("krylov_tolerance", "0.01").krylov_tolerance, 0.01, 0);
    CHECK_EQUAL(set("preconditioner_lower", "2").preconditioner_lower, 2);
    CHECK_EQUAL(set("preconditioner_upper", "3").preconditioner_upper, 3);
    CHECK_EQUAL(set("preconditioner_block", "4").preconditioner_block, 4);
    CHECK_EQUAL(set("substeps", "3").substeps, 3);
    CHECK_EQUAL(set("substeps", "-1").substeps, -1);
    CHECK_EQUAL(set("memory_limit", "1000000").memory_limit, 1000000);
    CHECK_EQUAL(set("full_tableau", "1").full_tableau, 1);
    CHECK_EQUAL(set("max_newton", "7").max_newton, 7);
    CHECK_EQUAL(set("newton_tolerance", "0.25").newton_tolerance == 0.25, 1);
    CHECK_EQUAL(set("max_error_failures", "10").max_error_failures, 10);
    CHECK_EQUAL(set("max_convergence_failures", "11").max_convergence_failures, 11);
    CHECK_EQUAL(set("time_probes", "500").time_probes, 500);
    CHECK_CLOSE(set("sparsing", "0.01").sparsing, 0.01, 0);
}

TEST(an_option_set_by_text_leaves_the_others_alone)
{
    tansy_options o = {.method = TANSY_ADAMS, .rtol = 1e-3, .max_steps = 7, .threads = 2};
    CHECK_EQUAL(tansy_option_set(&o, "norm", "max", NULL, 0), TANSY_OK);
    CHECK_EQUAL(o.method, TANSY_ADAMS);
    CHECK_EQUAL(o.norm, TANSY_MAX);
    CHECK_CLOSE(o.rtol, 1e-3, 0);
    CHECK_EQUAL(o.max_steps, 7);
    CHECK_EQUAL(o.threads, 2);
}

TEST(a_wrong_name_is_refused_by_name)
{
    refuse("rtoll", "1e-6", "no option rtoll");
    refuse("", "1e-6", "no option");
    refuse("Method", "bdf", "no option Method");
}

TEST(a_wrong_word_is_answered_by_the_right_ones)
{
    refuse("method", "euler", "auto adams bdf dassl rk8 rosenbrock limex");
    refuse("method", "", "auto adams bdf dassl rk8 rosenbrock limex");
    refuse("method", "ada", "auto adams bdf dassl rk8 rosenbrock limex");
    refuse("method", "adams bdf", "auto adams bdf dassl rk8 rosenbrock limex");
    refuse("method", "1", "auto adams bdf dassl rk8 rosenbrock limex");
    refuse("sensitivities", "both",
           "auto simultaneous staggered direct none measured tangent difference");
    refuse("error_control", "Each", "each state all");
    refuse("norm", "l2", "rms max");
    refuse("linear_solver", "klu", "auto dense band diagonal sparse gmres");
    refuse("preconditioner", "jacobi", "auto none user band ilu block");
    refuse("precondition_side", "both", "auto left right");
    refuse("residual", "tangent", "auto seed matrix differences");
    refuse("difference", "second", "auto forward central fourth");
    refuse("formula", "rk4", "auto dop853 dopri8 rodas5p rodas4 grk4a grk4t");
    refuse("second_derivatives", "none", "auto differences neglected");
}

TEST(a_wrong_number_is_answered_by_the_range)
{
    refuse("rtol", "fine", "a number from 0 to 1");
    refuse("rtol", "", "a number from 0 to 1");
    refuse("rtol", "1e-6x", "a number from 0 to 1");
    refuse("rtol", "1e-6 1e-7", "a number from 0 to 1");
    refuse("rtol", "nan", "a number from 0 to 1");
    refuse("rtol", "-1", "a number from 0 to 1");
    refuse("rtol", "1.5", "a number from 0 to 1");
    refuse("atol", "-3", "or -1 for none");
    refuse("atol", "inf", "a number from 0");
    refuse("difference_increment", "0.5", "a number from 0 to 0.1");
    refuse("max_order", "13", "a whole number from 0 to 12");
    refuse("max_order", "2.5", "a whole number from 0 to 12");
    refuse("first_step", "-0.1", "a number from 0");
    refuse("min_step", "-1", "a number from 0");
    refuse("max_step", "1e400", "a number from 0");
    refuse("max_steps", "-5", "a whole number from 0");
    refuse("max_steps", "1.5", "a whole number from 0");
    refuse("use_stop_time", "2", "a whole number from 0 to 1");
    refuse("stop_time", "soon", "a number from");
    refuse("threads", "100000", "a whole number from 0 to 1024");
    refuse("substeps", "-2", "a whole number from -1 to 100");
    refuse("substeps", "101", "a whole number from -1 to 100");
    refuse("memory_limit", "-1", "a whole number from 0");
    refuse("sparsing", "2", "a number from 0 to 1");
    refuse("full_tableau", "2", "a whole number from 0 to 1");
}

TEST(null_arguments_are_refused)
{
    tansy_options o = {0};
    char message[100];
    CHECK_EQUAL(tansy_option_set(NULL, "rtol", "1", message, sizeof message), TANSY_BAD_OPTION);
    CHECK_EQUAL(tansy_option_set(&o, NULL, "1", message, sizeof message), TANSY_BAD_OPTION);
    CHECK_EQUAL(tansy_option_set(&o, "rtol", NULL, message, sizeof message), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(message, "NULL");
    CHECK_EQUAL(tansy_options_check(NULL, message, sizeof message), TANSY_OK); /* all defaults */
}

TEST(a_short_buffer_is_not_overrun)
{
    tansy_options o = {0};
    char message[12] = "01234567890";
    CHECK_EQUAL(tansy_option_set(&o, "method", "euler", message, 8), TANSY_BAD_OPTION);
    CHECK_EQUAL(strlen(message), 7);
    CHECK_EQUAL(message[8], '8');
}

static const char *const names[] = {
    "method",
    "sensitivities",
    "error_control",
    "norm",
    "linear_solver",
    "residual",
    "difference",
    "rtol",
    "atol",
    "difference_increment",
    "max_order",
    "first_step",
    "min_step",
    "max_step",
    "max_steps",
    "threads",
    "stop_time",
    "use_stop_time",
    "suppress_algebraic",
    "initial_tolerance",
    "keep_initial",
    "preconditioner",
    "precondition_side",
    "krylov_dimension",
    "krylov_orthogonal",
    "krylov_restarts",
    "krylov_tolerance",
    "preconditioner_lower",
    "preconditioner_upper",
    "preconditioner_block",
    "formula",
    "second_derivatives",
    "substeps",
    "memory_limit",
    "sparsing",
    "full_tableau",
    "max_newton",
    "newton_tolerance",
    "max_error_failures",
    "max_convergence_failures",
    "time_probes",
};
enum { NAMES = sizeof names / sizeof *names };

/* Every field that a person can set stands in the help, one a line, with its words. */
TEST(the_help_lists_every_option)
{
    char page[8192] = "\n", *const text = page + 1, shorter[100], line[64];
    size_t const length = tansy_options_help(text, sizeof page - 1);
    CHECK(length < sizeof page - 1);
    CHECK_EQUAL(strlen(text), length);
    CHECK_EQUAL(tansy_options_help(NULL, 0), length);
    CHECK_EQUAL(tansy_options_help(shorter, sizeof shorter), length);
    CHECK_EQUAL(strncmp(shorter, text, sizeof shorter - 1), 0);
    CHECK_EQUAL(strlen(shorter), sizeof shorter - 1);
    size_t lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    CHECK_EQUAL(lines, NAMES);
    for (size_t k = 0; k < NAMES; k++) {
        snprintf(line, sizeof line, "\n%s ", names[k]);
        CHECK_TEXT_CONTAINS(page, line);
        CHECK_EQUAL(tansy_option_set(&(tansy_options){0}, names[k], "?", line, sizeof line),
                    TANSY_BAD_OPTION);
        CHECK_TEXT_CONTAINS(line, "?: it must be");
    }
    CHECK_TEXT_CONTAINS(text, "simultaneous staggered direct none measured tangent difference");
    CHECK_TEXT_CONTAINS(text, "(default 1e-6)");
}
