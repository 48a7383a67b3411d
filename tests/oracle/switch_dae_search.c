/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems whose algebraic variables are to be found on another side of a condition than they begin with, where its branch
   has no value: at t0, at a break, at a switching point.  In closed form. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7, promise = 1e-5; /* 100 rtol */
static const tansy_method methods[] = {TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};
enum { METHODS = sizeof methods / sizeof *methods };

/* Row `row` at t, and its columns for the first two parameters. */
static void check(const char *text, double t, size_t row, double y, double first, double second)
{
    for (size_t k = 0; k < METHODS; k++) {
        tansy_options const o = {.method = methods[k], .rtol = rtol, .atol = 1e-9};
        struct model_solution const s = model_solve(text, &o, t);
        CHECK_CLOSE(s.y[row], y, promise * (fabs(y) + 1e-3));
        CHECK_CLOSE(s.sens[0][row], first, promise * (fabs(first) + 1e-3));
        CHECK_CLOSE(s.sens[1][row], second, promise * (fabs(second) + 1e-3));
    }
}

/* a = -p, z = sqrt(0.01): x = 0.1 q (1 - exp(-t)). */
TEST(a_guess_on_the_other_side_of_a_condition_does_no_harm)
{
    double const x = 0.1 * (1 - exp(-1));
    check("parameter p = 1, q = 1\nstate x = 0\nalgebraic a = 0, z = 1\nx' = q*z - x\n"
          "0 = a + p\n0 = z - sqrt(max(a, 0) + 0.01)\n",
          1, 0, x, 0, x);
}

/* c conditions have to be turned at once: z_i = 0.1, x' = z_1 + .. + z_c. */
TEST(several_guesses_on_the_other_side_do_no_harm)
{
    for (int c = 2; c <= 5; c++) {
        char text[600];
        int length = snprintf(text, sizeof text,
                              "parameter p = 1, q = 1\nconstant N = %d\nstate x = 0\n"
                              "algebraic a = 0, z[i in 1..N] = 1\n"
                              "x' = q*sum(i in 1..N: z[i])\n0 = a + p\n"
                              "0 = z[i] - sqrt(max(a, i - 1 - 0.001*i) + 1.01 - i) for i in 1..N\n",
                              c);
        CHECK(length < (int)sizeof text);
        double sum = 0;
        for (int i = 1; i <= c; i++) sum += sqrt(0.01 - 0.001 * i);
        check(text, 1, 0, sum, 0, sum);
    }
}

/* The same where Newton's method does not even begin: the root has no slope at the guess.  z_i = 0. */
TEST(guesses_at_the_edge_of_several_conditions_do_no_harm)
{
    for (int c = 1; c <= 4; c++) {
        char text[600];
        int length = snprintf(text, sizeof text,
                              "parameter p = 1, q = 1\nconstant N = %d\nstate x = 0\n"
                              "algebraic a = 0, z[i in 1..N] = 1\n"
                              "x' = q + sum(i in 1..N: z[i])\n0 = a + p\n"
                              "0 = z[i] - sqrt(max(i*a, 0)) for i in 1..N\n",
                              c);
        CHECK(length < (int)sizeof text);
        check(text, 1, 0, 1, 0, 1);
    }
}

/* a = p, then -p: x = T sqrt(p + 0.44) + (2 - T) sqrt(0.44). */
TEST(an_algebraic_variable_may_jump_to_where_its_branch_has_no_value)
{
    double const low = sqrt(0.44), high = 1.2;
    check("parameter p = 1, q = 1\nstate x = 0\nalgebraic a = 0, z = 1\nx' = q*z\n"
          "let u = if time >= 1 then -1 else 1\n"
          "0 = a - u*p\n0 = z - sqrt(max(a, 0) + 0.44)\n",
          2, 0, high + low, 0.5 / high, high + low);
    check("parameter p = 1, q = 0.7\nstate x = 0\nalgebraic a = 0, z = 1\nx' = z\n"
          "let u = if time >= q then -1 else 1\n"
          "0 = a - u*p\n0 = z - sqrt(max(a, 0) + 0.44)\n",
          2, 0, 0.7 * high + 1.3 * low, 0.7 * 0.5 / high, high - low);
}

TEST(where_no_modes_have_a_value_that_is_said)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text("parameter p = 1\nstate x = 0\nalgebraic a = 0, z = 1\n"
                                         "x' = z - x\n0 = a + p\n0 = z - sqrt(min(a, 0))\n",
                                         &problem);
    for (size_t k = 0; k < METHODS; k++) {
        tansy_options const o = {.method = methods[k], .rtol = rtol, .atol = 1e-9};
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(tansy_message(s), "at the initial point");
        tansy_free(s);
    }
    tansy_model_free(m);
}
