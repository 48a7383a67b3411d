/* SPDX-License-Identifier: Apache-2.0 */
/* Poles of conditions that are passed: 1/x > c has no size there, leads no jump of its own, and x may be 0 to the bit; in closed form,
   with every method, with bounds and tangents of g and with g alone. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7, promise = 1e-5; /* 100 rtol */
static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF,        TANSY_DASSL,
                                       TANSY_RK8,   TANSY_ROSENBROCK, TANSY_LIMEX};
enum { METHODS = sizeof methods / sizeof *methods };

/* Where the run of a model to t ends, and how, the state `row` and its columns for the first two parameters. */
struct expected {
    double t;
    tansy_status status;
    double end;
    size_t row;
    double y, sens[2];
};

static void check_one(const tansy_problem *problem, tansy_method method, const struct expected *x)
{
    double y[SOLUTION_MOST] = {0}, sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    double columns[SOLUTION_MOST][SOLUTION_MOST];
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-10, .max_step = 0.02};
    tansy_solver *const s = tansy_create(problem, &o);
    tansy_status const status = tansy_solve(s, x->t, y, sens);
    if (status != x->status) printf("method %d: %s\n", (int)method, tansy_message(s));
    CHECK_EQUAL(status, x->status);
    if (status < 0) {
        CHECK_CLOSE(tansy_time(s), x->end, promise);
    } else {
        model_solution_columns(problem, sens, columns);
        CHECK_CLOSE(y[x->row], x->y, promise * (fabs(x->y) + 1e-3));
        for (size_t k = 0; k < 2; k++)
            CHECK_CLOSE(columns[k][x->row], x->sens[k], promise * (fabs(x->sens[k]) + 1e-3));
    }
    tansy_free(s);
}

static void check_first(size_t count, const char *text, struct expected x)
{
    for (size_t k = 0; k < count; k++) {
        tansy_problem problem;
        tansy_model *const m = model_of_text(text, &problem);
        bool const runs = !problem.residual || k == 2 || k >= 4;
        if (runs) check_one(&problem, methods[k], &x);
        problem.switch_range = NULL;
        problem.switch_tangent = NULL;
        if (runs) check_one(&problem, methods[k], &x);
        tansy_model_free(m);
    }
}

static void check(const char *text, struct expected x)
{
    check_first(METHODS, text, x);
}

/* x rises from -1 through the pole, or from there with the smallest of steps, to 1/c, from where it would fall: both sides lead there.
   x = 1 - exp(-t) in the second. */
TEST(sliding_is_found_after_a_pole)
{
    double const c = 2.5;
    check("parameter p = 1, q = 2.5\nstate x = -1\nx' = p - (if x > 0.02 and 1/x < q then 2 else "
          "0)\n",
          (struct expected){.t = 3, .status = TANSY_SLIDING, .end = 1 + 1 / c});
    check("parameter p = 1, q = 2.5\nstate x = 0, y = 1\n"
          "x' = p*y - (if abs(x) > 0.02 and 1/x < q then 2 else 0)\ny' = -y\n",
          (struct expected){.t = 3, .status = TANSY_SLIDING, .end = -log(1 - 1 / c)});
}

/* Adams formulas took |g| of the smallest steps beside the pole for its size, and the rest for rounding; the time is that of the others. */
TEST(a_pole_is_no_measure_of_size)
{
    check(
        "parameter p = 1, q = 1\nstate x = 0, y = -0.3\n"
        "x' = y + (if abs(x) > 0.02 and 1/x > 2.50 then 0.87*p else 0.11*q*y)\n"
        "y' = -2*x - 0.1*q*y + min(-0.70, -0.92) + (if y > 0.1 and x/y < -0.36*p then 0.44*p else "
        "-0.48*p)\n",
        (struct expected){.t = 4, .status = TANSY_SLIDING, .end = 3.9327864});
}

/* y = 1 - p t passes 0, where x/y leaps from one side to the other and w' falls by q; w = (q + 1/3 - 0.1)/p. */
TEST(a_pole_at_a_jump_of_another_condition_is_no_noise)
{
    double const p = 1, q = 0.7, w = (q + 1 / 3.0 - 0.1) / p;
    check("parameter p = 1, q = 0.7\nstate y = 1, x = 1, w = 0\ny' = -p\nx' = 0*y\n"
          "w' = (if y > 0.1 and x/y > 3 then 1 else 0) + (if 2*y > 0 then q else 0)\n",
          (struct expected){.t = 2, .row = 2, .y = w, .sens = {-w / p, 1 / p}});
}

/* x = 1 - (p - q) t down to 1/3 at T, then at speed p through 0, which is met to the bit. */
TEST(a_pole_may_be_met_to_the_bit)
{
    double const p = 1, q = 0.5, t = 3, T = 2 / 3.0 / (p - q), dT = T / (p - q);
    check(
        "parameter p = 1, q = 0.5\nstate x = 1\nx' = (if x > 0 and 1/x < 3 then q else 0) - p\n",
        (struct expected){.t = t, .y = 1 / 3.0 - p * (t - T), .sens = {-(t - T) - p * dT, p * dT}});
    check("parameter p = 1, q = 0.5\nstate x = 1, w = 0\nx' = -p\n"
          "w' = if x <= 0 or log(x) < -1 then (if x > 0 then q else 0) else 0\n",
          (struct expected){
              .t = 2, .row = 1, .y = q * exp(-1) / p, .sens = {-q * exp(-1) / p / p, exp(-1) / p}});
}

/* x = p t^2/2: sqrt(x) has no slope at t0, where x > 0 begins to hold; w = q (t - T), T = 0.5 sqrt(2/p). */
TEST(a_root_without_a_slope_where_its_guard_turns)
{
    double const p = 1, q = 0.7, t = 2, T = 0.5 * sqrt(2 / p);
    check("parameter p = 1, q = 0.7\nstate x = 0, v = 0, w = 0\nx' = v\nv' = p\n"
          "w' = if x > 0 then (if sqrt(x) > 0.5 then q else 0) else 0\n",
          (struct expected){.t = t, .row = 2, .y = q * (t - T), .sens = {q * T / (2 * p), t - T}});
}

/* x = p t up to 1/1.45 at T, y = 1/2 - q t before and rising at speed 1 after; were 1/x small at x = 0, y would rise and x fall.
   (limex stops at t0, and says so.) */
TEST(a_start_at_a_pole_is_not_sliding)
{
    double const p = 1, q = 1, t = 1.2, T = 1 / (1.45 * p);
    check_first(METHODS - 1,
                "parameter p = 1, q = 1\nstate x = 0, y = 0.5\nx' = if y > 0.5 then -1 else p\n"
                "y' = if x > 0 and 1/x < 1.45 then 1 else -q\n",
                (struct expected){
                    .t = t, .row = 1, .y = 0.5 - q * T + t - T, .sens = {(q + 1) * T / p, -T}});
}

/* Round and round a point: each condition is turned because of the other. */
TEST(two_conditions_that_turn_each_other_slide)
{
    check("parameter p = 1, q = 1\nstate x = 0, y = 0\nx' = if y > 0 then p else -1\n"
          "y' = if x > 0 then -1 else q\n",
          (struct expected){.t = 1, .status = TANSY_SLIDING, .end = 0});
}

/* From x = 0 on sqrt(x - 1) is needed, and has no value just beyond it either. */
TEST(a_start_without_a_value_ends_there)
{
    check("parameter p = 1, q = 1\nstate x = 0\nx' = p + (if x > 0 and sqrt(x - 1) > 1 then q else "
          "0)\n",
          (struct expected){.t = 1, .status = TANSY_NOT_FINITE, .end = 0});
}
