/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways of limex to the columns of S (Schlegel et al. 2002): staggered (Algorithm 3) keeps factors and states of all rows,
   simultaneous (Algorithm 2) those of one.  They make the same rows where the columns have no say in their number, and keep the
   promise where they have. */
#include <stdio.h>
#include <string.h>

#include "drive/solver.h"
#include "support/sparse_solver.h"
#include "support/step_dense.h"
#include "support/step_problem.h"
#include "test.h"

static const double RTOL = 1e-5, TIME = 1.5;
enum { COLUMNS = 40 };

struct run {
    double y[STEP_N], sens[STEP_N * COLUMNS];
    tansy_stats stats;
    char report[4096];
};

static struct run solve(const struct step_problem *it, const tansy_options *options)
{
    struct run r = {.y = {0}};
    tansy_solver *const s = tansy_create(&it->problem, options);
    CHECK_EQUAL(tansy_solve(s, TIME, r.y, r.sens), TANSY_OK);
    tansy_get_stats(s, &r.stats);
    (void)tansy_report(s, r.report, sizeof r.report);
    tansy_free(s);
    return r;
}

static tansy_options options_of(tansy_sensitivities way, tansy_error_control control)
{
    return (tansy_options){.method = TANSY_LIMEX,
                           .sensitivities = way,
                           .error_control = control,
                           .rtol = RTOL,
                           .atol = RTOL};
}

/* Bit for bit, from the tangent, from matrices, with either linear solver. */
TEST(both_ways_make_the_same_rows_where_columns_are_not_tested)
{
    static const int gives[] = {STEP_ALL, STEP_MATRICES, 0};
    for (int form = STEP_ODE; form < STEP_FORMS; form++)
        for (int k = 0; k < 3; k++)
            for (int full = 0; full < 2; full++) {
                static struct run staggered, simultaneous;
                struct step_problem it;
                step_problem_set(&it, (enum step_form)form, gives[k], COLUMNS);
                tansy_options a = options_of(TANSY_STAGGERED, TANSY_STATE_ONLY);
                a.full_tableau = full;
                tansy_options b = a;
                b.sensitivities = TANSY_SIMULTANEOUS;
                staggered = solve(&it, &a);
                simultaneous = solve(&it, &b);
                CHECK(memcmp(staggered.y, simultaneous.y, sizeof staggered.y) == 0);
                CHECK(memcmp(staggered.sens, simultaneous.sens, sizeof staggered.sens) == 0);
                CHECK_EQUAL(staggered.stats.steps, simultaneous.stats.steps);
                CHECK_EQUAL(staggered.stats.factorizations, simultaneous.stats.factorizations);
                CHECK(simultaneous.stats.bytes < staggered.stats.bytes);
            }
}

/* Of y and the first columns. */
static void check_promise(const struct step_problem *it, const struct run *r, int columns)
{
    double errors[1 + COLUMNS];
    step_errors(it, TIME, r->y, r->sens, errors);
    for (int k = 0; k <= columns; k++) CHECK_AT_MOST(errors[k], 100 * RTOL);
}

TEST(both_ways_keep_the_promise)
{
    for (int form = STEP_ODE; form < STEP_FORMS; form++)
        for (int way = TANSY_SIMULTANEOUS; way <= TANSY_STAGGERED; way++)
            for (int control = TANSY_EACH_COLUMN; control <= TANSY_ALL_AS_ONE; control++) {
                static struct run r;
                struct step_problem it;
                tansy_options const options =
                    options_of((tansy_sensitivities)way, (tansy_error_control)control);
                step_problem_set(&it, (enum step_form)form, STEP_ALL, COLUMNS);
                r = solve(&it, &options);
                check_promise(&it, &r, control == TANSY_STATE_ONLY ? 0 : COLUMNS);
                CHECK_TEXT_CONTAINS(r.report, way == TANSY_STAGGERED ? ", staggered: with"
                                                                     : ", simultaneous: row");
            }
}

/* Staggered without a limit, within a large one; simultaneous within a small one, with the same results as if it had been asked for. */
TEST(rows_that_do_not_fit_into_memory_are_not_kept)
{
    sparse_solver_or_dense();
    static struct run unlimited, large, small, asked;
    struct step_problem it;
    tansy_options options = options_of(TANSY_SENSITIVITIES_AUTO, TANSY_EACH_COLUMN);
    for (int sparse = 0; sparse < 2; sparse++) {
        step_problem_set(&it, STEP_ODE, STEP_ALL, COLUMNS);
        if (sparse) step_problem_store(&it, TANSY_SPARSE);
        options.sensitivities = TANSY_SENSITIVITIES_AUTO;
        options.memory_limit = 0;
        unlimited = solve(&it, &options);
        options.memory_limit = 1000000;
        large = solve(&it, &options);
        options.memory_limit = 1000;
        small = solve(&it, &options);
        options.memory_limit = 0;
        options.sensitivities = TANSY_SIMULTANEOUS;
        asked = solve(&it, &options);
        CHECK(memcmp(unlimited.sens, large.sens, sizeof large.sens) == 0);
        CHECK(memcmp(small.sens, asked.sens, sizeof asked.sens) == 0);
        CHECK_EQUAL(large.stats.bytes, unlimited.stats.bytes);
        CHECK_EQUAL(small.stats.bytes, asked.stats.bytes);
        CHECK_TEXT_CONTAINS(small.report, "do not fit into memory_limit");
        CHECK(!strstr(large.report, "memory_limit"));
    }
}

/* Differences go row by row too where the rows do not fit, and say the same. */
TEST(differences_fall_back_too)
{
    static struct run kept, limited;
    struct step_problem it;
    tansy_options options = options_of(TANSY_DIFFERENCE, TANSY_STATE_ONLY);
    step_problem_set(&it, STEP_DAE, STEP_ALL, COLUMNS);
    kept = solve(&it, &options);
    options.memory_limit = 1;
    limited = solve(&it, &options);
    CHECK(memcmp(kept.sens, limited.sens, sizeof kept.sens) == 0);
    CHECK_TEXT_CONTAINS(limited.report, "do not fit into memory_limit");
    CHECK_TEXT_CONTAINS(limited.report, "internal numerical differentiation");
    check_promise(&it, &kept, 0);
    options.error_control = TANSY_EACH_COLUMN;
    limited = solve(&it, &options);
    check_promise(&it, &limited, COLUMNS);
}

/* The tolerance of y is loose: what steps end with is decided by the columns, and y is that of all rows that were made for them. */
TEST(the_state_gets_the_rows_that_the_columns_need)
{
    double loose[STEP_N], tight[STEP_NP];
    for (int i = 0; i < STEP_N; i++) loose[i] = 1e-2;
    for (int k = 0; k < STEP_NP; k++) tight[k] = 1e-9;
    for (int way = TANSY_SIMULTANEOUS; way <= TANSY_STAGGERED; way++) {
        struct step_problem it;
        double y[STEP_N], sens[STEP_N * STEP_NP], errors[1 + STEP_NP];
        tansy_options options = options_of((tansy_sensitivities)way, TANSY_EACH_COLUMN);
        tansy_stats stats;
        options.rtol_state = loose;
        options.rtol_column = tight;
        options.atol = 1e-9;
        options.first_step = 0.1;
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        tansy_solver *const s = tansy_create(&it.problem, &options);
        CHECK_EQUAL(tansy_step(s, TIME, y, sens), TANSY_OK);
        tansy_get_stats(s, &stats);
        step_errors(&it, tansy_time(s), y, sens, errors);
        printf("%d rows, rejected %zu, error of y %.2g, of S %.2g\n", stats.order_last,
               stats.rejected_error, errors[0], step_largest(errors));
        for (int k = 0; k <= STEP_NP; k++) CHECK_AT_MOST(errors[k], 1e-7);
        CHECK(stats.order_last > 2); /* two rows are planned for the first step */
        tansy_free(s);
    }
}
