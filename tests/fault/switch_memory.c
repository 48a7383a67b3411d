/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing is allocated after creation, through switches, breaks and restarts; and a creation that finds no memory says
   so. */
#include "support/allocations.h"
#include "support/crane.h"
#include "support/switch_decay.h"
#include "support/switch_runs.h"
#include "test.h"

#include <stdint.h>

static const double times[] = {0.1, 0.9, 1.7};

static tansy_solver *create(struct decay_user *user, int x)
{
    tansy_problem problem = decay_problem(user, true, x % 2 ? DECAY_GIVES_SWITCH : DECAY_GIVES_F);
    tansy_options const o = switch_options(x, 1e-6);
    problem.breaks = 3;
    problem.break_times = times;
    return tansy_create(&problem, &o);
}

TEST(a_run_through_switches_allocates_nothing)
{
    for (int x = 0; x < SWITCH_RUNS; x++) {
        struct decay_user user = decay_user();
        tansy_solver *const s = create(&user, x);
        double y = 0, sens[DECAY_COLUMNS];
        allocations_begin(0, 0);
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        CHECK_AT_MOST(decay_error(true, 2, &y, sens), 1e-4);
        CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 2, &y, sens), TANSY_OK);
        CHECK_EQUAL(allocations.calls, 0);
        tansy_free(s);
    }
}

/* The crane: panels are divided anew at every grid point. */
TEST(a_growing_set_of_columns_allocates_nothing)
{
    static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX,
                                           TANSY_BDF, TANSY_ADAMS,      TANSY_DASSL};
    static double y[CRANE_STATES], sens[2 * CRANE_MOST * CRANE_STATES];
    const tansy_problem *const problem = &crane_problem(32)->problem;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        tansy_solver *const s = tansy_create(problem, &(tansy_options){.method = methods[m]});
        allocations_begin(0, 0);
        for (int run = 0; run < 3; run++) {
            CHECK_EQUAL(tansy_restart(s, 0, problem->y0, problem->p, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 4, y, sens), TANSY_OK);
        }
        CHECK_EQUAL(allocations.calls, 0);
        tansy_free(s);
    }
}

/* Columns in disorder are sorted in memory of their own. */
TEST(no_memory_for_sorted_columns_is_said)
{
    int columns[16];
    for (int k = 0; k < 16; k++) columns[k] = 15 - k;
    tansy_problem problem = crane_problem(8)->problem;
    problem.ns = 16;
    problem.columns = columns;
    size_t number = 0;
    for (size_t first = 1; number == 0; first++) {
        allocations_begin(first, SIZE_MAX);
        tansy_solver *const s = tansy_create(&problem, NULL);
        CHECK_EQUAL(tansy_error(s), allocations.calls < first ? TANSY_OK : TANSY_OUT_OF_MEMORY);
        if (allocations.calls < first) number = allocations.calls;
        tansy_free(s);
    }
    allocations_begin(0, 0);
    CHECK_EQUAL(number, 2); /* the sorted columns and the solver */
}

TEST(no_memory_for_switches_is_said)
{
    struct decay_user user = decay_user();
    allocations_begin(1, SIZE_MAX);
    CHECK(create(&user, 0) == NULL);
    allocations_begin(0, 0);
    tansy_problem problem = decay_problem(&user, true, DECAY_GIVES_F);
    problem.scratch = (size_t)-1 / 8;
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_OUT_OF_MEMORY);
    tansy_free(s);
}

static int tell_mode(double t, const double *y, const double *yp, const double *p, double *Q,
                     void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    Q[0] = 1;
    return 0;
}

/* Room to work in, that of the functions, and that for the modes. */
TEST(no_memory_for_the_modes_of_a_stored_solution_is_said)
{
    struct decay_user user = decay_user();
    tansy_problem problem = decay_problem(&user, true, DECAY_GIVES_F);
    double Q;
    problem.nq = 1;
    problem.derived = tell_mode;
    tansy_stored const at = {problem.t0 + 1, problem.y0, problem.y0, NULL, NULL};
    for (size_t k = 1; k <= 4; k++) {
        allocations_begin(k, k);
        tansy_status const status = tansy_derived_from(&problem, &at, &Q, NULL, NULL, 0);
        CHECK_EQUAL(allocations_check(k, 3, status), k <= 3);
    }
    allocations_begin(0, 0);
}
