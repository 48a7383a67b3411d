/* SPDX-License-Identifier: Apache-2.0 */
/* Models that start at their steady state: f is the rounding of terms that cancel, and tells nothing of how fast things go.  Their conditions
   turn when they are due, not at once. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_ADAMS,      TANSY_BDF,  TANSY_DASSL,
                                       TANSY_RK8,         TANSY_ROSENBROCK, TANSY_LIMEX};
enum { METHODS = sizeof methods / sizeof *methods, MOST = 8 };

/* The model's y and S at t by a method; the number of switches turned. */
static size_t run(const char *text, tansy_method method, double t, double *y, double *S)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "at rest");
    tansy_options const options = {.method = method, .rtol = 1e-7, .atol = 1e-10};
    tansy_problem problem;
    tansy_stats stats;
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK(problem.n * problem.np <= MOST);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, t, y, S), TANSY_OK);
    tansy_get_stats(s, &stats);
    tansy_free(s);
    tansy_model_free(m);
    return stats.switches;
}

/* R' = a (1 or 1 + d from t = b on) - c R from R = a/c: R = a/c (1 + d (1 - e)), e = exp(-c (t - b)), dR/db = -a d e. */
static void check_turnover(double a, double c, tansy_method method)
{
    enum { P = 4 };
    double const b = 5, d = 2, t = 20, e = exp(-c * (t - b)), right = a / c * (1 + d * (1 - e));
    char text[400];
    double y[1], S[P];
    (void)snprintf(text, sizeof text,
                   "parameter a = %.3g, c = %.3g, b = 5, d = 2\nstate R = a/c\n"
                   "R' = a*(if time > b then 1 + d else 1) - c*R\ntime 0 .. 20",
                   a, c);
    CHECK_EQUAL(run(text, method, t, y, S), 1);
    CHECK_CLOSE(y[0], right, 1e-5 * right);
    CHECK_CLOSE(S[2], -a * d * e, 1e-5 * a * d * e);
    CHECK_CLOSE(S[3], a / c * (1 - e), 1e-5 * a / c * (1 - e));
}

TEST(a_turnover_at_its_steady_state_waits_for_the_drug)
{
    bool rounds = false;
    for (int i = 1; i < 10; i += 2)
        for (int j = 1; j < 10; j += 2) {
            double const a = i * 0.1, c = j * 0.01;
            rounds = rounds || a - c * (a / c) != 0;
            for (size_t x = 0; x < METHODS; x++) check_turnover(a, c, methods[x]);
        }
    CHECK(rounds); /* or nothing was tested */
}

/* A buffer at rest, 0.1*3 - 0.3 = 5e-17, beside x' = 1, or 2 from x = k on, from x = 0. */
TEST(one_state_at_rest_does_not_blind_the_others)
{
    static const char *const text = "parameter k = 1\nstate A = 0.3, x = 0\nA' = 0.1*3 - A\n"
                                    "x' = if x < k then 1 else 2\ntime 0 .. 3";
    for (size_t x = 0; x < METHODS; x++) {
        double y[2], S[2];
        CHECK_EQUAL(run(text, methods[x], 3, y, S), 1);
        CHECK_CLOSE(y[1], 5, 1e-5);
        CHECK_CLOSE(S[1], -1, 1e-5);
    }
}

/* A heater with a clamped signal q that comes to rest at one of its bounds, and is held there as noise; the sensor drives it off again.  All methods and tolerances
   give the same. */
TEST(a_clamp_at_rest_is_left_again)
{
    static const char text[] =
        "parameter lo = 18, hi = 22\nstate T = 15, q = 1, m = 15\n"
        "T' = 3.5*(max(min(q, 1), -1)*0.5 + 0.5) - 0.2*(T - 10)\nm' = (T - m)/4.29e-7\n"
        "q' = (if m < lo then (1 - q)/0.00366 else if m > hi then (-1 - q)/0.00366 else "
        "20*q*(1 - q^2))\ntime 0 .. 12\n";
    static const tansy_method some[] = {TANSY_BDF, TANSY_METHOD_AUTO, TANSY_ROSENBROCK};
    tansy_problem problem;
    tansy_model *const m = tansy_model_parse(text, strlen(text), "clamp");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    for (size_t x = 0; x < sizeof some / sizeof *some; x++) {
        tansy_options const o = {.method = some[x], .rtol = 1e-11, .atol = 1e-9, .max_step = 0.06};
        tansy_solver *const s = tansy_create(&problem, &o);
        double y[3] = {0}, S[6] = {0};
        tansy_status const status = tansy_solve(s, 12, y, S);
        if (status != TANSY_OK) puts(tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
        CHECK_CLOSE(y[0], 19.6196772831, 1e-7);
        /* Rounding of m, divided by 4e-7, is in dT/dp: at rtol of 1e-7 to 1e-11 bdf, dassl and rosenbrock scatter by 1e-5. */
        CHECK_CLOSE(S[0], 3.646529, 3e-5);
        CHECK_CLOSE(S[3], -4.32441, 1e-4);
        tansy_free(s);
    }
    tansy_model_free(m);
}
