/* SPDX-License-Identifier: Apache-2.0 */
/* What a solver still knows after a run that was too long or failed, and what a restart takes as it was. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    const double *const wall = context; /* nothing can be evaluated beyond */
    if (wall && t > *wall) return 1;
    for (int i = 0; i < 2; i++) f[i] = -p[0] * y[i];
    return 0;
}

static const double start[] = {1, 2}, rate = 1;

static tansy_solver *solver_with(const tansy_options *options, double *wall)
{
    return tansy_create(
        &(tansy_problem){.n = 2, .np = 1, .y0 = start, .p = &rate, .rhs = decay, .context = wall},
        options);
}

TEST(a_run_that_was_too_long_goes_on_at_the_next_call)
{
    double y[2], s[2], once[2], whole[2];
    tansy_solver *const one = solver_with(&(tansy_options){.rtol = 1e-8}, NULL);
    CHECK_EQUAL(tansy_solve(one, 10, once, whole), TANSY_OK);
    tansy_solver *const many = solver_with(&(tansy_options){.rtol = 1e-8, .max_steps = 5}, NULL);
    tansy_status status = TANSY_TOO_MANY_STEPS;
    int calls = 0;
    for (; status == TANSY_TOO_MANY_STEPS && calls < 1000; calls++) {
        status = tansy_solve(many, 10, y, s);
        CHECK_EQUAL(tansy_error(many), status);
    }
    CHECK_EQUAL(status, TANSY_OK);
    CHECK(calls > 2);
    for (int i = 0; i < 2; i++) { /* the same steps */
        CHECK(y[i] == once[i]);
        CHECK(s[i] == whole[i]);
    }
    tansy_free(one);
    tansy_free(many);
}

/* y = (1, 2), y' = -y, dy/dp = 0, (dy/dp)' = -y; looking changes nothing in the run. */
TEST(the_slopes_at_the_start_can_be_looked_at)
{
    double y[2], yp[2], sens[2], sensp[2], looked[2], plain[2];
    tansy_solver *const s = solver_with(NULL, NULL), *const other = solver_with(NULL, NULL);
    CHECK_EQUAL(tansy_initialise(s, y, yp, sens, sensp), TANSY_OK);
    for (int i = 0; i < 2; i++) {
        CHECK(y[i] == start[i] && yp[i] == -start[i] && sens[i] == 0);
        CHECK_CLOSE(sensp[i], -start[i], 1e-8); /* central differences of df/dp */
    }
    CHECK_EQUAL(tansy_initialise(s, NULL, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, looked, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(other, 1, plain, NULL), TANSY_OK);
    CHECK(looked[0] == plain[0] && looked[1] == plain[1]);
    CHECK_EQUAL(tansy_initialise(s, y, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "tansy_at");
    CHECK_EQUAL(tansy_initialise(NULL, y, NULL, NULL, NULL), TANSY_OUT_OF_MEMORY);
    tansy_free(s);
    tansy_free(other);
    double wall = -1;
    tansy_solver *const stuck = solver_with(NULL, &wall);
    CHECK_EQUAL(tansy_initialise(stuck, y, yp, NULL, NULL), TANSY_USER_FAILED);
    CHECK_EQUAL(tansy_initialise(stuck, y, yp, NULL, NULL), TANSY_USER_FAILED);
    tansy_free(stuck);
}

TEST(after_an_error_only_the_last_point_is_known)
{
    double wall = 0.5, y[2];
    tansy_solver *const s = solver_with(&(tansy_options){.rtol = 1e-6}, &wall);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_USER_FAILED);
    double const t = tansy_time(s);
    CHECK_EQUAL(tansy_at(s, t, y, NULL, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(y[1], 2 * exp(-t), 1e-4); /* 100 rtol */
    CHECK_EQUAL(tansy_at(s, nextafter(t, 0), y, NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), "rhs");
    tansy_free(s);
}

TEST(a_restart_without_initial_values_takes_those_of_the_last)
{
    double const other[] = {5, 6}, fast = 2;
    double y[2];
    tansy_solver *const s = solver_with(&(tansy_options){.rtol = 1e-8}, NULL);
    CHECK_EQUAL(tansy_restart(s, 0, other, &fast, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[0], 5 * exp(-2), 5e-6); /* 100 rtol */
    tansy_free(s);
}

/* A restart that makes no sense is refused and the run goes on as if it had not been asked for. */
TEST(a_restart_with_nan_loses_nothing)
{
    double const bad[] = {1, nan("")};
    double y[2], s[2], whole[2], all[2];
    tansy_solver *const one = solver_with(NULL, NULL), *const other = solver_with(NULL, NULL);
    CHECK_EQUAL(tansy_solve(one, 0.5, y, s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(other, 0.5, y, s), TANSY_OK);
    CHECK_EQUAL(tansy_restart(one, bad[1], NULL, NULL, NULL), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_restart(one, 0, bad, NULL, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(one), "initial value 1");
    CHECK_EQUAL(tansy_restart(one, 0, NULL, bad + 1, NULL), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(one), "parameter 0");
    CHECK_EQUAL(tansy_restart(one, 0, NULL, NULL, bad), TANSY_BAD_CALL);
    CHECK_TEXT_CONTAINS(tansy_message(one), "entry 1 of initial column 0");
    CHECK_EQUAL(tansy_solve(one, 2, y, s), TANSY_OK);
    CHECK_EQUAL(tansy_solve(other, 2, whole, all), TANSY_OK);
    for (int i = 0; i < 2; i++) CHECK(y[i] == whole[i] && s[i] == all[i]);
    tansy_free(one);
    tansy_free(other);
}

/* Of one state and nineteen columns that are zero, one column may exceed the tolerance twentyfold while the whole passes:
   that part must still offer the order above. */
static int first_of_twenty(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    return 0;
}

TEST(all_as_one_rises_from_order_one)
{
    double const y0 = 1;
    double p[20], s[20], y = 0;
    for (int k = 0; k < 20; k++) p[k] = 1;
    tansy_options options = {.rtol = 1e-8, .atol = 1e-11, .first_step = 6e-4};
    tansy_problem const problem = {.n = 1, .np = 20, .y0 = &y0, .p = p, .rhs = first_of_twenty};
    size_t steps[2];
    for (int control = 0; control < 2; control++) {
        options.error_control = control ? TANSY_ALL_AS_ONE : TANSY_EACH_COLUMN;
        tansy_stats stats;
        tansy_solver *const solver = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(solver, 5, &y, s), TANSY_OK);
        tansy_get_stats(solver, &stats);
        steps[control] = stats.steps;
        tansy_free(solver);
    }
    CHECK(steps[1] <= steps[0]); /* the weaker test */
}
