/* SPDX-License-Identifier: Apache-2.0 */
/* Columns whose tolerances are far tighter than what errors of the state within its own tolerance leave in them: multistep methods take as many steps as
   their accuracy needs, not hundreds of times more. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/model.h>
#include <tansy/tansy.h>

/* A sensor that follows a slow signal: k dx/dk is 1/k of x, and f_p = 2 + sin t - x is nothing but the lag. */
static const char lag[] = "model lag\nparameter k = %g\nstate x = 2\n"
                          "x' = k*(2 + sin(time) - x)\ntime 0 .. 10\n";

/* x = X(t, p), and dz/dp = 0: the error of z in a column is that of x, whose tolerance is a thousand times as large. */
static const char zig[] = "model zig\nparameter k = 0.9, w = 0.95\n"
                          "state x = 1.85 + 0.92*k*sin(0.9)\nalgebraic z = 2.9\n"
                          "let X = 1.85 + 0.92*k*sin(2.5*w*time + 0.9)\n"
                          "let Xdot = 0.92*k*2.5*w*cos(2.5*w*time + 0.9)\n"
                          "x' = Xdot - 4.4*k*(x - X)\n0 = z - 2.9 - 0.6*(x - X)\ntime 0 .. 5\n";

struct result {
    size_t steps;
    double y[2], sens[4];
};

static struct result solve(const char *text, double t, tansy_options options)
{
    struct result r = {.steps = 0};
    tansy_problem problem = {.n = 0};
    tansy_stats stats;
    tansy_model *const model = tansy_model_parse(text, strlen(text), "tight");
    CHECK_EQUAL(tansy_model_problem(model, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, t, r.y, r.sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    r.steps = stats.steps;
    tansy_free(s);
    tansy_model_free(model);
    return r;
}

/* With D = k^2 + 1: x = 2 + (k^2 sin t - k cos t + k exp(-k t))/D,
   dx/dk = (2 k sin t + (k^2 - 1) cos t + exp(-k t) ((1 - k t) D - 2 k^2))/D^2. */
static void check_lag(double k, double t, double rtol, const struct result *r)
{
    double const D = k * k + 1, e = exp(-k * t), promise = 100 * rtol;
    double const x = 2 + (k * k * sin(t) - k * cos(t) + k * e) / D;
    double const s =
        (2 * k * sin(t) + (k * k - 1) * cos(t) + e * ((1 - k * t) * D - 2 * k * k)) / (D * D);
    CHECK_CLOSE(r->y[0], x, promise * x);
    CHECK_CLOSE(k * r->sens[0], k * s, promise * (k * fabs(s) + 1e-3)); /* 1e-3: atol/rtol */
}

/* At default tolerances at most three times the steps of rtol = 1e-9, with which all weights are alike. */
static void compare(const char *text, double t, tansy_options options, struct result *loose)
{
    *loose = solve(text, t, options);
    options.rtol = options.atol = 1e-9;
    struct result const tight = solve(text, t, options);
    CHECK_AT_MOST((double)loose->steps, 3.0 * (double)tight.steps);
}

static void follow(tansy_method method, double k)
{
    char text[200];
    (void)snprintf(text, sizeof text, lag, k);
    for (int way = TANSY_SIMULTANEOUS; way <= TANSY_DIRECT; way++)
        for (int krylov = 0; krylov < 2; krylov++) {
            tansy_options const options = {.method = method,
                                           .sensitivities = (tansy_sensitivities)way,
                                           .linear_solver = krylov ? TANSY_GMRES : TANSY_DENSE_LU};
            struct result r;
            compare(text, 10, options, &r);
            check_lag(k, 10, 1e-6, &r);
        }
}

static const double gains[] = {1e2, 1e3, 1e4, 1e5};

TEST(bdf_follows_a_slow_signal)
{
    for (size_t j = 0; j < 4; j++) follow(TANSY_BDF, gains[j]);
}

TEST(dassl_follows_a_slow_signal)
{
    for (size_t j = 0; j < 4; j++) follow(TANSY_DASSL, gains[j]);
}

/* Where it is stiffer the steps of Adams are those of stability. */
TEST(adams_follows_a_slow_signal)
{
    for (size_t j = 0; j < 2; j++) follow(TANSY_ADAMS, gains[j]);
}

TEST(an_algebraic_component_without_columns_of_its_own_is_no_obstacle)
{
    double const phase = 2.5 * 0.95 * 5 + 0.9, rtol = 1e-6;
    for (int way = TANSY_SIMULTANEOUS; way <= TANSY_DIRECT; way++)
        for (int krylov = 0; krylov < 2; krylov++) {
            tansy_options const options = {.method = TANSY_DASSL,
                                           .sensitivities = (tansy_sensitivities)way,
                                           .linear_solver = krylov ? TANSY_GMRES : TANSY_DENSE_LU};
            struct result r;
            compare(zig, 5, options, &r);
            CHECK_CLOSE(r.y[0], 1.85 + 0.92 * 0.9 * sin(phase), 100 * rtol);
            CHECK_CLOSE(r.sens[0], 0.92 * sin(phase), 100 * rtol);
            CHECK_CLOSE(r.sens[1], 0, 100 * rtol * 1e-3 / 0.9); /* atol/rtol over k */
            CHECK_CLOSE(r.sens[2], 0.92 * 0.9 * cos(phase) * 2.5 * 5, 100 * rtol * 10);
        }
}

/* What a run has learnt about accuracy ends with it. */
TEST(a_restart_is_as_a_new_solver)
{
    tansy_options const options = {.method = TANSY_DASSL, .sensitivities = TANSY_DIRECT};
    struct result const fresh = solve(zig, 5, options);
    struct result again;
    tansy_problem problem = {.n = 0};
    tansy_model *const model = tansy_model_parse(zig, strlen(zig), "tight");
    CHECK_EQUAL(tansy_model_problem(model, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 5, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 5, again.y, again.sens), TANSY_OK);
    for (size_t i = 0; i < 2; i++) CHECK_CLOSE(again.y[i], fresh.y[i], 0);
    for (size_t x = 0; x < 4; x++) CHECK_CLOSE(again.sens[x], fresh.sens[x], 0);
    tansy_free(s);
    tansy_model_free(model);
}

/* The tests are those the user asked for. */
TEST(without_tests_of_columns_nothing_changes)
{
    tansy_options options = {.method = TANSY_DASSL, .sensitivities = TANSY_DIRECT};
    options.error_control = TANSY_STATE_ONLY;
    struct result const controlled = solve(zig, 5, options);
    CHECK_AT_MOST((double)controlled.steps, 150); /* 113 without S */
}
