/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of one-step methods: starting again, stopping, output at many times, counts, columns in turn. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/fault_cases.h"
#include "support/one_step_cases.h"
#include "support/step_problem.h"
#include "test.h"

static const double TIME = 1.5;

TEST(a_restart_repeats_the_run_bit_for_bit)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        struct step_problem it;
        double y[2][2], sens[2][2 * STEP_NP];
        tansy_options const options = one_step_options(&one_step_cases[x], 1e-5, 1e-6);
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        tansy_solver *const s = tansy_create(&it.problem, &options);
        for (int k = 0; k < 2; k++) {
            CHECK_EQUAL(tansy_solve(s, TIME, y[k], sens[k]), TANSY_OK);
            CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        }
        CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
        CHECK(memcmp(sens[0], sens[1], sizeof sens[0]) == 0);
        tansy_free(s);
    }
}

/* On the way, with the solution there: S is handed over, not begun anew. */
TEST(a_restart_with_the_solution_goes_on)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        struct step_problem it;
        double y[2], sens[2 * STEP_NP], errors[1 + STEP_NP];
        double const rtol = 1e-6;
        tansy_options const options = one_step_options(&one_step_cases[x], rtol, rtol);
        step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
        tansy_solver *const s = tansy_create(&it.problem, &options);
        CHECK_EQUAL(tansy_solve(s, 0.5, y, sens), TANSY_OK);
        CHECK_EQUAL(tansy_restart(s, 0.5, y, NULL, sens), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, TIME, y, sens), TANSY_OK);
        step_errors(&it, TIME, y, sens, errors);
        for (int k = 0; k <= STEP_NP; k++) CHECK_AT_MOST(errors[k], 100 * rtol);
        tansy_free(s);
    }
}

/* Differences by t and stages stay before it; dense output too. */
TEST(f_is_never_evaluated_beyond_the_stop_time)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int gives = WITH_NOTHING; gives <= WITH_TANGENT; gives++)
            for (double stop = 0.3; stop < 1; stop += 0.17) {
                struct fault_user user = fault_user();
                double y[FAULT_N], sens[FAULT_SENS];
                tansy_problem const problem = fault_problem(&user, gives, fault_p);
                tansy_options options = one_step_options(&one_step_cases[x], 1e-4, 1e-7);
                options.use_stop_time = 1;
                options.stop_time = stop;
                tansy_solver *const s = tansy_create(&problem, &options);
                CHECK_EQUAL(tansy_solve(s, stop, y, sens), TANSY_OK);
                CHECK_EQUAL(tansy_at(s, stop, y, NULL, sens, NULL), TANSY_OK);
                CHECK(tansy_time(s) == stop);
                CHECK_AT_MOST(user.latest, stop);
                CHECK_CLOSE(user.earliest, 0, 0);
                tansy_free(s);
            }
}

/* At many times, in one call and one by one; also formulas whose dense output is poor keep the promise there. */
TEST(output_at_many_times_is_right)
{
    enum { TIMES = 60 };
    for (int x = 0; x < ONE_STEP_FORMULAS; x++)
        for (int digits = 3; digits <= 8; digits++) {
            struct step_problem it;
            static double times[TIMES], y[TIMES][2], sens[TIMES][2 * STEP_NP];
            double const rtol = pow(10, -digits);
            double errors[1 + STEP_NP], worst = 0;
            size_t reached = 0;
            tansy_options const options = one_step_options(&one_step_cases[x], rtol, 0.1 * rtol);
            step_problem_set(&it, STEP_ODE, STEP_ALL, STEP_NP);
            for (int m = 0; m < TIMES; m++) times[m] = TIME * (m + 1) / TIMES;
            tansy_solver *const s = tansy_create(&it.problem, &options);
            CHECK_EQUAL(tansy_solve_grid(s, TIMES, times, *y, *sens, &reached), TANSY_OK);
            CHECK_EQUAL(reached, TIMES);
            for (int m = 0; m < TIMES; m++) {
                step_errors(&it, times[m], y[m], sens[m], errors);
                for (int k = 0; k <= STEP_NP; k++) worst = fmax(worst, errors[k]);
            }
            if (!(worst <= 100 * rtol))
                printf("%s, rtol %g: %g rtol\n", one_step_cases[x].name, rtol, worst / rtol);
            CHECK_AT_MOST(worst, 100 * rtol);
            tansy_free(s);
        }
}

/* Stages times attempts: what the report tells is what was called. */
TEST(counts_are_those_of_the_calls)
{
    for (int x = 0; x < ONE_STEP_FORMULAS; x++) {
        struct fault_user user = fault_user();
        tansy_stats stats;
        tansy_problem const problem =
            fault_problem(&user, WITH_MATRICES | WITH_TANGENT | WITH_INITIAL, fault_p);
        tansy_options options = one_step_options(&one_step_cases[x], 1e-6, 1e-9);
        options.residual = TANSY_SEED;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_EQUAL(stats.rhs_evals, user.calls[IN_RHS]);
        CHECK_EQUAL(stats.jacobian_evals, user.calls[IN_JACOBIAN]);
        CHECK_EQUAL(stats.tangent_evals, FAULT_NP * user.calls[IN_TANGENT]);
        size_t const attempts = stats.steps + stats.rejected_error + stats.rejected_newton;
        if (one_step_cases[x].method == TANSY_LIMEX) /* one in each of 2 to 8 rows */
            CHECK(stats.factorizations >= 2 * attempts && stats.factorizations <= 8 * attempts);
        else
            CHECK_EQUAL(stats.factorizations, one_step_cases[x].explicit ? 0 : attempts);
        CHECK_EQUAL(stats.newton_state, 0);
        CHECK_EQUAL(stats.newton_sens, 0);
        tansy_free(s);
    }
}
