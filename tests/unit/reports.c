/* SPDX-License-Identifier: Apache-2.0 */
/* What a person is told: the report with its sources, notes and warnings, and the check of derivatives. */
#include "support/fault_cases.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static char page[4096]; /* of the last report */
static const tansy_options bdf = {.method = TANSY_BDF};

/* Makes a solver and writes its report. */
static tansy_solver *report(const tansy_problem *problem, const tansy_options *options)
{
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    size_t const length = tansy_report(s, page, sizeof page);
    CHECK(length < sizeof page);
    CHECK_EQUAL(strlen(page), length);
    return s;
}

static void check_report(const tansy_problem *problem, const tansy_options *options,
                         const char *part)
{
    tansy_free(report(problem, options));
    CHECK_TEXT_CONTAINS(page, part);
}

TEST(the_report_says_where_each_derivative_comes_from)
{
    struct fault_user user = fault_user();
    tansy_problem p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    tansy_options o = {.rtol = 1e-6, .sensitivities = TANSY_STAGGERED};
    check_report(&p, &o, "df/dy          given");
    check_report(&p, &o, "df/dy s + df/dp  given");
    o.residual = TANSY_MATRIX;
    check_report(&p, &o, "df/dp          given");
    check_report(&p, &o, "df/dy s + df/dp  matrix");
    p = fault_problem(&user, WITH_NOTHING, fault_p);
    check_report(&p, &o, "df/dy          differences");
    check_report(&p, &o, "df/dp          differences");
    check_report(&p, &o, "differences    central");
    o.residual = TANSY_DIFFERENCES;
    check_report(&p, &o, "df/dy s + df/dp  differences");
    o.difference = TANSY_FORWARD;
    check_report(&p, &o, "differences    forward, relative increment 1.5e-08");
}

TEST(the_report_names_the_methods)
{
    struct fault_user user = fault_user();
    tansy_problem const p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    check_report(&p, NULL, "Tansy ");
    check_report(&p, NULL, tansy_version());
    check_report(&p, NULL, "equations 2, parameters 4, columns of S 4");
    check_report(&p, &bdf, "backward differentiation formulas, orders up to 5");
    check_report(&p, &(tansy_options){.method = TANSY_ADAMS, .max_order = 7},
                 "Adams formulas, orders up to 7");
    check_report(&p, &(tansy_options){.sensitivities = TANSY_STAGGERED}, "staggered corrector");
    check_report(&p, &(tansy_options){.sensitivities = TANSY_DIRECT}, "staggered direct");
    check_report(&p, &(tansy_options){.sensitivities = TANSY_SIMULTANEOUS},
                 "simultaneous corrector");
    check_report(&p, &(tansy_options){.error_control = TANSY_STATE_ONLY}, "the state only");
    check_report(&p, &(tansy_options){.error_control = TANSY_ALL_AS_ONE}, "as one vector");
    check_report(&p, &(tansy_options){.error_control = TANSY_EACH_COLUMN},
                 "each column on its own");
    check_report(&p, &(tansy_options){.sensitivities = TANSY_NONE}, "columns of S 0");
    tansy_problem banded = fault_problem(&user, WITH_NOTHING, fault_p);
    banded.structure = TANSY_BANDED;
    banded.lower = 1;
    check_report(&banded, &bdf, "band_lu");
    check_report(&banded, &(tansy_options){.method = TANSY_BDF, .linear_solver = TANSY_BAND_LU},
                 "band_lu");
    check_report(&banded, &(tansy_options){.method = TANSY_BDF, .linear_solver = TANSY_DENSE_LU},
                 "dense_lu");
}

TEST(the_report_names_the_linear_solver_and_counts_krylov_iterations)
{
    struct fault_user user = fault_user();
    tansy_problem p = fault_problem(&user, WITH_NOTHING, fault_p);
    static const size_t row[] = {0, 0, 1, 1}, column[] = {0, 1, 0, 1};
    double y[2];
    check_report(&p, &bdf, "linear solver  dense_lu\nstructure      dense\n");
    check_report(&p, NULL, "linear solver  none\nstructure      dense\n");
    p.structure = TANSY_BANDED;
    p.lower = p.upper = 1;
    check_report(
        &p, &bdf,
        "linear solver  band_lu\nstructure      banded, 1 below and 1 above the diagonal\n");
    p.structure = TANSY_SPARSE;
    p.lower = p.upper = 0;
    p.jacobian_pattern = (tansy_pattern){4, row, column};
    tansy_options const o = {.linear_solver = TANSY_GMRES, .precondition_side = TANSY_RIGHT};
    check_report(&p, &o,
                 "linear solver  gmres, preconditioner ilu on the right\nstructure      sparse, 4 "
                 "entries\n");
    CHECK_TEXT_CONTAINS(page, "Krylov         0 iterations, 0.00 a solve, preconditioner made 0 ");
    tansy_solver *const s = report(&p, &o);
    CHECK_EQUAL(tansy_solve(s, 0.1, y, NULL), TANSY_OK);
    tansy_report(s, page, sizeof page);
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    char line[128];
    (void)snprintf(line, sizeof line, "Krylov         %zu iterations, %.2f a solve, preconditioner",
                   stats.linear_iterations, (double)stats.linear_iterations / (double)stats.solves);
    CHECK(stats.linear_iterations > 0);
    CHECK(stats.preconditioners > 0);
    CHECK_TEXT_CONTAINS(page, line);
    tansy_free(s);
}

TEST(a_parameter_that_is_zero_and_has_no_scale_is_a_warning)
{
    static const int columns[] = {0, 3};
    static const double zero[FAULT_NP] = {0.75, 0, 1, 0}, scale[FAULT_NP] = {0, 2, 0, 1};
    struct fault_user user = fault_user();
    tansy_problem p = fault_problem(&user, WITH_MATRICES, zero);
    check_report(&p, NULL, "warning: 2 parameters are 0 and have no scale, the first is p_1:");
    p.columns = columns;
    p.ns = 2;
    check_report(&p, NULL, "warning: p_3 is 0 and has no scale");
    p.ns = 1;
    tansy_free(report(&p, NULL));
    CHECK(!strstr(page, "scale"));
    p.columns = NULL;
    p.ns = 0;
    p.scale = scale;
    tansy_free(report(&p, NULL));
    CHECK(!strstr(page, "warning"));
    p.p = fault_p;
    p.scale = NULL;
    tansy_free(report(&p, NULL));
    CHECK(!strstr(page, "warning"));
}

TEST(a_choice_that_was_overruled_is_noted)
{
    struct fault_user user = fault_user();
    tansy_problem const p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    tansy_options o = {
        .method = TANSY_ADAMS, .sensitivities = TANSY_DIRECT, .linear_solver = TANSY_DIAGONAL};
    check_report(&p, &o, "note: direct needs a factored matrix: functional iteration was replaced");
    check_report(&p, &o, "dense_lu");
    o.linear_solver = TANSY_LINEAR_AUTO;
    tansy_free(report(&p, &o));
    CHECK(!strstr(page, "note"));
    check_report(&p, &(tansy_options){.threads = 2, .residual = TANSY_SEED}, "note: one thread");
}

TEST(options_that_do_nothing_are_noted)
{
    struct fault_user user = fault_user();
    tansy_problem const p = fault_problem(&user, WITH_MATRICES, fault_p);
    check_report(&p, &(tansy_options){.method = TANSY_BDF, .krylov_restarts = 2},
                 "note: krylov and preconditioner options do nothing");
    check_report(&p, &(tansy_options){.method = TANSY_BDF, .preconditioner_lower = 1},
                 "note: krylov and preconditioner options do nothing");
    check_report(&p, &(tansy_options){.method = TANSY_BDF, .full_tableau = 1},
                 "note: full_tableau and memory_limit do nothing");
    check_report(
        &p, &(tansy_options){.method = TANSY_BDF, .second_derivatives = TANSY_SECOND_DIFFERENCES},
        "note: second_derivatives does nothing");
}

TEST(the_report_counts_what_was_done)
{
    struct fault_user user = fault_user();
    tansy_problem const p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    tansy_solver *const s = tansy_create(&p, NULL);
    tansy_stats stats;
    char line[100];
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    tansy_get_stats(s, &stats);
    CHECK(tansy_report(s, page, sizeof page) > 0);
    snprintf(line, sizeof line, "after %zu steps, last order %d", stats.steps, stats.order_last);
    CHECK_TEXT_CONTAINS(page, line);
    snprintf(line, sizeof line, "f %zu, df/dy %zu, df/dp %zu, tangents %zu columns",
             stats.rhs_evals, stats.jacobian_evals, stats.parameter_evals, stats.tangent_evals);
    CHECK_TEXT_CONTAINS(page, line);
    snprintf(line, sizeof line, "%zu bytes", stats.bytes);
    CHECK_TEXT_CONTAINS(page, line);
    CHECK_EQUAL(stats.rhs_evals, user.calls[IN_RHS]);
    CHECK_EQUAL(stats.jacobian_evals, user.calls[IN_JACOBIAN]);
    CHECK_EQUAL(stats.parameter_evals, user.calls[IN_PARAMETER_JACOBIAN]);
    tansy_free(s);
}

/* Calls that the user counts and calls that the solver counts are the same. */
TEST(the_counts_are_those_of_the_user_functions)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        struct fault_result const r = fault_run(&it, &user, 2);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_EQUAL(r.stats.rhs_evals, user.calls[IN_RHS]);
        if (it.gives & WITH_MATRICES) {
            CHECK_EQUAL(r.stats.jacobian_evals, user.calls[IN_JACOBIAN]);
            CHECK_EQUAL(r.stats.parameter_evals, user.calls[IN_PARAMETER_JACOBIAN]);
        }
        if (it.gives & WITH_TANGENT)
            CHECK_EQUAL(r.stats.tangent_evals, FAULT_NP * user.calls[IN_TANGENT]);
    }
}

TEST(the_report_says_who_repeated_steps)
{
    static const double tight[FAULT_NP] = {0, 1e-9, 0, 0};
    struct fault_user user = fault_user();
    tansy_problem const p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    for (int by_column = 0; by_column < 2; by_column++) {
        tansy_options const o = {.method = TANSY_BDF,
                                 .rtol = 1e-3,
                                 .atol = 1e-5,
                                 .first_step =
                                     by_column ? 0.01 : 0.5, /* too long for one of them */
                                 .rtol_column = by_column ? tight : NULL};
        tansy_solver *const s = tansy_create(&p, &o);
        CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
        CHECK(tansy_repeated_steps(s, by_column ? 1 : -1) > 0);
        CHECK(tansy_report(s, page, sizeof page) > 0);
        CHECK_TEXT_CONTAINS(page, by_column ? "because of column 1" : "because of the state");
        tansy_free(s);
    }
}

TEST(a_report_of_a_run_that_failed_says_why)
{
    struct fault_user user = fault_user();
    user.plan = (struct fault_plan){IN_RHS, GIVES_NAN, 10, 1000000};
    tansy_problem const p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    tansy_solver *const s = tansy_create(&p, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_NOT_FINITE);
    CHECK(tansy_report(s, page, sizeof page) > 0);
    CHECK_TEXT_CONTAINS(page, "stopped: rhs gave NaN in component 1");
    tansy_free(s);
}

TEST(a_short_buffer_for_the_report_is_not_overrun)
{
    struct fault_user user = fault_user();
    tansy_problem const p = fault_problem(&user, WITH_MATRICES | WITH_TANGENT, fault_p);
    tansy_solver *const s = tansy_create(&p, NULL);
    char shorter[40];
    size_t const length = tansy_report(s, page, sizeof page);
    for (size_t size = 1; size <= 32; size++) {
        memset(shorter, '#', sizeof shorter);
        CHECK_EQUAL(tansy_report(s, shorter, size), length);
        CHECK_EQUAL(strlen(shorter), size - 1);
        CHECK_EQUAL(strncmp(shorter, page, size - 1), 0);
        CHECK_EQUAL(shorter[size], '#');
    }
    CHECK_EQUAL(tansy_report(s, NULL, 0), length);
    tansy_free(s);
}

/* A derivative that is off by one part in 10^4 is found and named, before the first step and after. */
TEST(the_check_names_a_wrong_derivative)
{
    static const struct {
        enum fault_function function;
        const char *entry;
    } planted[] = {{IN_JACOBIAN, "df_1/dy_0"},
                   {IN_PARAMETER_JACOBIAN, "df_1/dp_0"},
                   {IN_TANGENT, "component 1"},
                   {IN_INITIAL_JACOBIAN, "dy_1/dp_0"}};
    for (size_t x = 0; x < sizeof planted / sizeof *planted; x++)
        for (int moved = 0; moved < 2; moved++) {
            struct fault_user user = fault_user();
            tansy_problem const p =
                fault_problem(&user, WITH_MATRICES | WITH_TANGENT | WITH_INITIAL, fault_p);
            tansy_solver *const s = tansy_create(&p, NULL);
            if (moved) CHECK_EQUAL(tansy_step(s, 1, NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
            user.wrong[planted[x].function] = 1e-4;
            CHECK_EQUAL(tansy_check(s), TANSY_WRONG_DERIVATIVE);
            CHECK_TEXT_CONTAINS(tansy_message(s), fault_function_name[planted[x].function]);
            CHECK_TEXT_CONTAINS(tansy_message(s), planted[x].entry);
            CHECK_EQUAL(tansy_error(s), TANSY_OK); /* does not stick */
            user.wrong[planted[x].function] = 0;
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
            tansy_free(s);
        }
}

TEST(a_check_that_cannot_be_made_says_why_and_does_not_stick)
{
    static const tansy_status statuses[] = {TANSY_NOT_FINITE, TANSY_NOT_FINITE, TANSY_USER_FAILED,
                                            TANSY_USER_STOPPED};
    for (enum fault_kind kind = GIVES_NAN; kind < FAULT_KINDS; kind++)
        for (enum fault_function f = IN_RHS; f < FAULT_FUNCTIONS; f++) {
            struct fault_user user = fault_user();
            tansy_problem const p =
                fault_problem(&user, WITH_MATRICES | WITH_TANGENT | WITH_INITIAL, fault_p);
            tansy_solver *const s = tansy_create(&p, NULL);
            user.plan = (struct fault_plan){f, kind, user.calls[f] + 1, 1000000};
            CHECK_EQUAL(tansy_check(s), statuses[kind]);
            CHECK_TEXT_CONTAINS(tansy_message(s), fault_function_name[f]);
            CHECK_EQUAL(tansy_error(s), TANSY_OK);
            user.plan.first = user.plan.last = 0;
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
            tansy_free(s);
        }
}

/* The check looks, and changes nothing: the run goes on with the same bits. */
TEST(the_check_does_not_disturb_the_run)
{
    for (size_t number = 0; number < FAULT_CASES; number++) {
        struct fault_case const it = fault_case(number);
        struct fault_user user = fault_user();
        tansy_problem const p = fault_problem(&user, it.gives, fault_p);
        tansy_solver *const s = tansy_create(&p, &it.options);
        double y[FAULT_N], sens[FAULT_SENS];
        CHECK_EQUAL(tansy_check(s), TANSY_OK);
        for (int step = 0; step < 5; step++) {
            CHECK_EQUAL(tansy_step(s, 1, y, sens), TANSY_OK);
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
        }
        struct fault_result const r = fault_integrate(s, 1), clean = fault_run(&it, &user, 1);
        CHECK_EQUAL(memcmp(r.y, clean.y, sizeof r.y), 0);
        CHECK_EQUAL(memcmp(r.sens, clean.sens, sizeof r.sens), 0);
        CHECK_EQUAL(r.stats.steps, clean.stats.steps);
        tansy_free(s);
    }
}

TEST(every_status_has_words)
{
    for (int status = TANSY_HIGH_INDEX; status <= TANSY_STOPPED_AT_EVENT; status++) {
        const char *const text = tansy_status_text((tansy_status)status);
        CHECK(text && text[0] != '\0');
        CHECK(strcmp(text, "unknown status") != 0);
        for (int other = TANSY_HIGH_INDEX; other < status; other++)
            CHECK(strcmp(text, tansy_status_text((tansy_status)other)) != 0);
    }
    CHECK_TEXT_CONTAINS(tansy_status_text((tansy_status)99), "unknown");
}
