/* SPDX-License-Identifier: Apache-2.0 */
/* One-step methods where steps, calls and values are unusual: times that f knows, short steps, signs, functions that stop or
   fail for dense output alone, targets behind, threads. */
#include "drive/solver.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const double zero[] = {0}, one[] = {1};

/* y' = p cos t from 0: y = p sin t. */
static int swing(double t, const double *y, const double *p, double *f, void *context)
{
    (void)y, (void)context;
    f[0] = p[0] * cos(t);
    return 0;
}

TEST(substeps_know_their_times)
{
    static const tansy_problem problem = {.n = 1, .np = 1, .y0 = zero, .p = one, .rhs = swing};
    for (tansy_method m = TANSY_RK8; m <= TANSY_ROSENBROCK; m++)
        for (int k = 2; k <= 4; k++) {
            tansy_options const options = {.method = m, .rtol = 1e-8, .atol = 1e-8, .substeps = k};
            double y = 0, S = 0;
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, 1, &y, &S), TANSY_OK);
            CHECK_CLOSE(y, sin(1), 1e-6);
            CHECK_CLOSE(S, sin(1), 1e-6);
            tansy_free(s);
        }
}

/* y' = -p y from 1, with a function that fails or stops from some call on, for a number of calls. */
struct decay {
    long calls, from, until;
    int code;
};

static int decay(double t, const double *y, const double *p, double *f, void *context)
{
    struct decay *const it = context;
    (void)t;
    f[0] = -p[0] * y[0];
    it->calls++;
    return it->calls >= it->from && it->calls < it->until ? it->code : 0;
}

static tansy_problem decay_problem(struct decay *it)
{
    return (tansy_problem){
        .n = 1, .np = 1, .y0 = one, .p = one, .rhs = decay, .context = it, .autonomous = 1};
}

/* The last calls of the run are those of dense output: a failure there costs no accuracy, a stop is one. */
TEST(dense_output_that_fails_is_replaced_by_a_step_that_ends_there)
{
    struct decay it = {.from = 1000000};
    tansy_options const options = {.method = TANSY_RK8, .sensitivities = TANSY_NONE};
    tansy_problem problem = decay_problem(&it);
    double y = 0;
    tansy_solver *s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1.05, &y, NULL), TANSY_OK);
    tansy_free(s);
    long const calls = it.calls;
    for (long back = 0; back < 4; back++)
        for (int code = -1; code <= 1; code += 2) {
            it = (struct decay){.from = calls - back, .until = calls - back + 1, .code = code};
            s = tansy_create(&problem, &options);
            tansy_status const status = tansy_solve(s, 1.05, &y, NULL);
            CHECK_EQUAL(status, code < 0 ? TANSY_USER_STOPPED : TANSY_OK);
            if (code > 0) CHECK_CLOSE(y, exp(-1.05), 1e-6);
            if (code < 0) CHECK_CLOSE(y, exp(-tansy_time(s)), 1e-6);
            CHECK_EQUAL(tansy_solve(s, 3, &y, NULL), status);
            if (code > 0) CHECK_CLOSE(y, exp(-3), 1e-6);
            tansy_free(s);
        }
}

TEST(steps_towards_a_time_that_is_reached_go_on)
{
    static const tansy_formula formulas[] = {TANSY_DOPRI8, TANSY_GRK4A, TANSY_FORMULA_AUTO};
    static const tansy_method methods[] = {TANSY_RK8, TANSY_ROSENBROCK, TANSY_LIMEX};
    struct decay it = {.from = 1000000};
    tansy_problem const problem = decay_problem(&it);
    for (int m = 0; m < 3; m++) {
        tansy_options const options = {.method = methods[m], .formula = formulas[m]};
        double y = 0;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1, &y, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_step(s, 1, &y, NULL), TANSY_OK);
        CHECK(tansy_time(s) > 1);
        CHECK_CLOSE(y, exp(-tansy_time(s)), 1e-5);
        tansy_free(s);
    }
}

/* y' and S' at the end of a short step have no differences of nearly equal values in them. */
TEST(slopes_after_short_steps_keep_their_digits)
{
    struct decay it = {.from = 1000000};
    tansy_problem const problem = decay_problem(&it);
    for (tansy_method m = TANSY_RK8; m <= TANSY_LIMEX; m++) {
        tansy_options const options = {
            .method = m, .rtol = 1e-9, .atol = 1e-9, .use_stop_time = 1, .stop_time = 1e-10};
        double slope = 0, S_slope = 0;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, 1e-10, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_at(s, 1e-10, NULL, &slope, NULL, &S_slope), TANSY_OK);
        CHECK_CLOSE(slope, -1, 1e-8);
        CHECK_CLOSE(S_slope, -1, 1e-8); /* by differences */
        tansy_free(s);
    }
}

/* y' = r (1 - y) - (y - 1)... with slopes of 1e16 at first in a component that must stay positive. */
static int fast(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[0] * y[0];
    f[1] = 1e16 * exp(-1e16 * t) - 1e-3 * y[1];
    return 0;
}

TEST(signs_are_judged_by_values_not_by_slopes)
{
    static const double start[] = {1, 0.5};
    static const int sign[] = {1, 1};
    static const tansy_problem problem = {
        .n = 2, .np = 1, .t0 = 1, .y0 = start, .p = one, .rhs = fast, .sign = sign};
    tansy_options const options = {.method = TANSY_RK8};
    double y[2] = {0};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 2, y, NULL), TANSY_OK);
    CHECK_CLOSE(y[0], exp(-1), 1e-5);
    tansy_free(s);
}

/* y = 10^4 + cos(1000 t): steps that follow it move y by little of its size, and are no sign of stiffness. */
static int ripple(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[1];
    f[1] = -p[0] * (y[0] - 1e4);
    return 0;
}

TEST(a_ripple_on_a_large_value_is_not_stiff)
{
    static const double start[] = {10001, 0}, rate[] = {1000};
    static const tansy_problem problem = {
        .n = 2, .np = 1, .y0 = start, .p = rate, .rhs = ripple, .autonomous = 1};
    tansy_options const options = {
        .sensitivities = TANSY_NONE, .rtol = 1e-10, .atol = 1e-10, .max_steps = 100000};
    double y[2] = {0};
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 2, y, NULL), TANSY_OK);
    CHECK_EQUAL(s->automatic.changes, 0);
    CHECK_CLOSE(y[0], 1e4 + cos(2000), 1e-4);
    tansy_free(s);
}

/* f is never evaluated behind the stop time, also where steps are so short that t hardly tells points in them apart. */
struct fence {
    double last;
};

static int fenced(double t, const double *y, const double *p, double *f, void *context)
{
    struct fence *const it = context;
    it->last = fmax(it->last, t);
    f[0] = -p[0] * y[0] + t * 1e-6;
    return 0;
}

TEST(differences_in_time_stay_before_the_stop_time)
{
    for (double span = 1e-9; span < 1e-5; span *= 7) {
        struct fence it = {.last = 0};
        double const stop = 1e6 + span;
        tansy_problem const problem = {
            .n = 1, .np = 1, .t0 = 1e6, .y0 = one, .p = one, .rhs = fenced, .context = &it};
        tansy_options const options = {
            .method = TANSY_ROSENBROCK, .use_stop_time = 1, .stop_time = stop};
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK_EQUAL(tansy_solve(s, stop, NULL, NULL), TANSY_OK);
        CHECK_AT_MOST(it.last, stop);
        tansy_free(s);
    }
}

/* After an error y' and S' at the point reached are those of the last step, whatever the failed one has begun. */
static int wall(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[0] * y[0];
    return t > 1.1 ? 1 : 0;
}

TEST(slopes_after_an_error_are_those_of_the_point_reached)
{
    static const tansy_problem problem = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = wall};
    for (tansy_method m = TANSY_RK8; m <= TANSY_LIMEX; m++) {
        tansy_options const options = {.method = m, .rtol = 1e-8, .atol = 1e-8};
        double slope = 0, S_slope = 0;
        tansy_solver *const s = tansy_create(&problem, &options);
        CHECK(tansy_solve(s, 2, NULL, NULL) < 0);
        double const t = tansy_time(s);
        CHECK_EQUAL(tansy_at(s, t, NULL, &slope, NULL, &S_slope), TANSY_OK);
        CHECK_CLOSE(slope, -exp(-t), 1e-6);
        CHECK_CLOSE(S_slope, (t - 1) * exp(-t), 1e-6);
        tansy_free(s);
    }
}
