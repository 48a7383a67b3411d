/* SPDX-License-Identifier: Apache-2.0 */
/* Models that start empty, where a root has an infinite derivative. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

/* A tank that lets little pass while it is nearly empty, from h = 0: h(5) and its derivatives in q, K and c by the Runge-Kutta method for the
   variational equations in sqrt(t), 80000 steps. */
TEST(a_tank_fills_from_empty)
{
    static const double h = 0.349178048665, by[] = {0.805249869547, 0.730095361555, -1.32977305613};
    tansy_problem problem;
    tansy_model *const m = model_of_text("parameter q = 0.5, K = 0.2, c = 0.3\nconstant g = 9.81\n"
                                         "state h = 0\nh' = q - c*h/(K + h)*sqrt(2*g*h)\n",
                                         &problem);
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_options const o = {.method = (tansy_method)method, .rtol = 1e-7, .atol = 1e-9};
        double y, sens[3];
        tansy_solver *const s = tansy_create(&problem, &o);
        CHECK_EQUAL(tansy_solve(s, 5, &y, sens), TANSY_OK);
        CHECK_CLOSE(y, h, 100 * o.rtol);
        for (size_t k = 0; k < 3; k++) CHECK_CLOSE(sens[k], by[k], 100 * o.rtol);
        tansy_free(s);
    }
    tansy_model_free(m);
}

/* k H sqrt(Br) from H = Br = 0: the derivative in Br is 0 there and infinite nearby. */
TEST(a_derivative_that_is_infinite_at_zero_is_told_with_a_way_out)
{
    tansy_problem problem;
    tansy_model *const m =
        model_of_text("parameter k = 2, d = 0.5\nstate H = 0, Br = 0\n"
                      "H' = d*(1 - H) - k*H*sqrt(Br)\nBr' = d*(1 - Br) - k*H*sqrt(Br)\n",
                      &problem);
    double y[2], sens[4];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = TANSY_BDF});
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_NOT_FINITE);
    CHECK_TEXT_CONTAINS(tansy_message(s), "infinite derivative at 0; start from a small positive");
    tansy_free(s);
    tansy_model_free(m);
}

/* How fast x + x^n + K vanishes is not known to the compiler, and so is no power of it: the slope of sqrt(x) before it is infinite. */
TEST(a_root_beside_what_does_not_vanish_is_not_taken_for_flat)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text("parameter n = 1.5, K = 0.5, x0 = 0\nstate x = x0, y = 0\n"
                                         "x' = 0*x\ny' = (x + x^n + K)^(-1.3)*sqrt(2*x)\n",
                                         &problem);
    double y[2], sens[6];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = TANSY_BDF});
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_NOT_FINITE);
    tansy_free(s);
    tansy_model_free(m);
}

static void expect_message(const char *text, const char *part, bool is_there)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.method = TANSY_BDF});
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_NOT_FINITE);
    bool const found = strstr(tansy_message(s), part) != NULL;
    if (found != is_there) printf("%s", tansy_message(s));
    CHECK_EQUAL(found, is_there);
    tansy_free(s);
    tansy_model_free(m);
}

TEST(a_parameter_that_is_zero_under_a_root_is_named)
{
    static const char text[] = "parameter p = 0, k = 1\nstate x = 0\nx' = k*sqrt(p) + 1 - x\n";
    expect_message(text, "infinite derivative at 0; give p a small positive value", true);
    expect_message(text, "start from", false);
}

TEST(a_state_that_is_zero_elsewhere_is_not_blamed)
{
    expect_message("parameter k = 1\nstate x = 1, w = 0\nx' = k*sqrt(x - 1) + 1\nw' = k - w\n",
                   "small positive", false);
    expect_message("parameter k = 1, p = 1\nstate w = 0\nw' = k*sqrt(p - 1) + k - w\n", "give p",
                   false);
}

TEST(a_state_that_is_zero_under_a_root_is_told_whatever_column_is_named)
{
    static const char advice[] = "start from a small positive value";
    expect_message("parameter k = 1\nstate x = 1, w = 0\nx' = k*sqrt(x*w) - x\nw' = k - w\n",
                   advice, true);
    expect_message("parameter k = 1\nstate w = 0\nw' = 1 + sqrt(k*w)\n", advice, true);
}
