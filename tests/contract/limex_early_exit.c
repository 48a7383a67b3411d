/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that have met their tolerance leave the extrapolation, panel by panel (the closing idea of Schlegel et al. 2002): less work,
   and S within its tolerance still. */
#include <stdio.h>
#include <string.h>

#include "drive/solver.h"
#include "support/step_problem.h"
#include "test.h"

static const double RTOL = 1e-9, LOOSE = 1e-4, TIME = 1.5;
enum { COLUMNS = 2 * STEP_NP };

struct run {
    double errors[1 + COLUMNS];
    tansy_stats stats;
    size_t panels;
};

/* The first `loose` columns may be wrong by LOOSE, the others are as the state. */
static struct run solve(enum step_form form, int loose, tansy_options options)
{
    struct run r = {.panels = 0};
    double y[STEP_N], sens[STEP_N * COLUMNS], rtol[COLUMNS];
    struct step_problem it;
    step_problem_set(&it, form, STEP_ALL, COLUMNS);
    for (int k = 0; k < COLUMNS; k++) rtol[k] = k < loose ? LOOSE : 0;
    options.method = TANSY_LIMEX;
    options.rtol = options.atol = RTOL;
    options.rtol_column = rtol;
    tansy_solver *const s = tansy_create(&it.problem, &options);
    CHECK_EQUAL(tansy_solve(s, TIME, y, sens), TANSY_OK);
    step_errors(&it, TIME, y, sens, r.errors);
    tansy_get_stats(s, &r.stats);
    r.panels = s->stepper.panels;
    tansy_free(s);
    return r;
}

/* The state's tolerance holds for y and the other columns whoever leaves. */
static void check_errors(const struct run *r, int loose)
{
    for (int k = 0; k <= COLUMNS; k++)
        CHECK_AT_MOST(r->errors[k], k > 0 && k <= loose ? 100 * LOOSE : 100 * RTOL);
}

/* 6 rows or more of the state, 3 of the columns: 6 short steps instead of 21.  They are to save half of the work at least. */
TEST(columns_with_loose_tolerances_save_work)
{
    for (int form = STEP_ODE; form < STEP_FORMS; form++)
        for (int way = TANSY_SIMULTANEOUS; way <= TANSY_STAGGERED; way++)
            for (int control = TANSY_EACH_COLUMN; control <= TANSY_STATE_ONLY; control++) {
                tansy_options options = {.sensitivities = (tansy_sensitivities)way,
                                         .error_control = (tansy_error_control)control};
                struct run const early = solve((enum step_form)form, COLUMNS, options);
                options.full_tableau = 1;
                struct run const full = solve((enum step_form)form, COLUMNS, options);
                check_errors(&early, COLUMNS);
                check_errors(&full, COLUMNS);
                CHECK(2 * early.stats.tangent_evals < full.stats.tangent_evals);
                CHECK(2 * early.stats.second_evals < full.stats.second_evals);
                CHECK(2 * early.stats.solves < full.stats.solves + early.stats.rhs_evals);
                printf("%-13s %s, %zu steps instead of %zu: tangents %zu instead of %zu, solves "
                       "%zu instead of %zu\n",
                       step_form_name((enum step_form)form),
                       way == TANSY_STAGGERED ? "staggered" : "simultaneous", early.stats.steps,
                       full.stats.steps, early.stats.tangent_evals, full.stats.tangent_evals,
                       early.stats.solves, full.stats.solves);
            }
}

/* Half of the columns are loose: they are a panel of their own, which leaves, while the other goes on. */
TEST(columns_are_grouped_by_tolerance)
{
    tansy_options const none = {.sensitivities = TANSY_STAGGERED};
    struct run const all = solve(STEP_ODE, 0, none), half = solve(STEP_ODE, STEP_NP, none);
    CHECK_EQUAL(all.panels, 1);
    CHECK_EQUAL(half.panels, 2);
    check_errors(&all, 0);
    check_errors(&half, STEP_NP);
    CHECK(4 * half.stats.tangent_evals < 3 * all.stats.tangent_evals);
}

/* Candidates for the next step mean the same order in all parts: the steps are those of the run in which all rows are made. */
TEST(columns_that_leave_do_not_change_the_steps)
{
    for (int form = STEP_ODE; form < STEP_FORMS; form++) {
        tansy_options options = {.error_control = TANSY_EACH_COLUMN};
        struct run const early = solve((enum step_form)form, STEP_NP, options);
        options.full_tableau = 1;
        struct run const full = solve((enum step_form)form, STEP_NP, options);
        CHECK(early.stats.steps <= full.stats.steps + 1 + full.stats.steps / 10);
        check_errors(&early, STEP_NP);
    }
}
