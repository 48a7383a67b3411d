/* SPDX-License-Identifier: Apache-2.0 */
/* Roots whose derivative is infinite where their condition turns, sign(x) sqrt(|x|) at x = 0: crossed with a speed S is finite and
   goes on, at all tolerances; where the solution rests there, or starts at rest, S is 0 or the run is refused by name. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { N = 2, NP = 2 };

struct run {
    tansy_status status;
    double y[N], sens[NP][N];
    char message[600];
};

/* The model at t; `first`: as the program does, with the initial point looked at before. */
static struct run solve(const char *text, tansy_options o, double t, bool first)
{
    struct run r = {.status = TANSY_OK};
    tansy_problem problem;
    double s[N * NP] = {0};
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK(problem.n <= N && problem.np == NP);
    tansy_solver *const solver = tansy_create(&problem, &o);
    if (first) r.status = tansy_initialise(solver, r.y, NULL, s, NULL);
    if (first && r.status == TANSY_OK)
        for (size_t i = 0; i < problem.n; i++)
            CHECK_CLOSE(r.y[i], problem.y0 ? problem.y0[i] : r.y[i], 0);
    if (r.status == TANSY_OK) r.status = tansy_solve(solver, t, r.y, s);
    (void)snprintf(r.message, sizeof r.message, "%s", tansy_message(solver));
    for (size_t k = 0; k < NP; k++) memcpy(r.sens[k], s + k * problem.n, problem.n * sizeof *s);
    tansy_free(solver);
    tansy_model_free(m);
    return r;
}

static const double tolerances[] = {1e-6, 1e-8, 1e-9, 1e-11};
enum { TOLERANCES = sizeof tolerances / sizeof *tolerances };

static tansy_options options(int method, int which)
{
    return (tansy_options){.method = (tansy_method)method,
                           .rtol = tolerances[which],
                           .atol = 1e-3 * tolerances[which],
                           .max_steps = 1000000};
}

static void check_good(const struct run *r, tansy_options o)
{
    if (r->status != TANSY_OK) printf("method %d, %g: %s\n", (int)o.method, o.rtol, r->message);
    CHECK_EQUAL(r->status, TANSY_OK);
}

/* x = a - p t, y = (2/3) (a^1.5 - (p t - a)^1.5)/p.  The column of S' ~ t^-1/2 loses a share of the roundings' root. */
TEST(a_straight_way_through_the_edge)
{
    static const char text[] = "parameter p = 1, a = 1\nstate x = a, y = 0\nx' = -p\n"
                               "y' = sign(x)*sqrt(abs(x))\ntime 0 .. 2\n";
    double const t = 1.7, beyond = sqrt(t - 1), y = 2 * (1 - pow(t - 1, 1.5)) / 3;
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int which = 0; which < TOLERANCES; which++) {
            tansy_options const o = options(method, which);
            struct run const r = solve(text, o, t, false);
            double const bound =
                500 * o.rtol; /* an error each of some 10 steps in 50 doublings from 1e-15 on */
            check_good(&r, o);
            CHECK_CLOSE(r.y[0], 1 - t, bound);
            CHECK_CLOSE(r.y[1], y, bound);
            CHECK_CLOSE(r.sens[0][1], -y - t * beyond, bound);
            CHECK_CLOSE(r.sens[1][1], 1 + beyond, bound);
        }
}

/* x'' = -k sign(x) sqrt(|x|), x(0) = a, v(0) = 0: x = a X(t k^1/2 a^-1/4), so that
   dx/dk = v t/(2k), dx/da = x/a - v t/(4a). */
TEST(a_swing_through_the_edge_many_times)
{
    static const char text[] = "parameter k = 1, a = 1\nstate x = a, v = 0\nx' = v\n"
                               "v' = -k*sign(x)*sqrt(abs(x))\ntime 0 .. 20\n";
    double const t = 20;
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int which = 0; which < 3; which++) {
            tansy_options const o = options(method, which);
            struct run const r = solve(text, o, t, false);
            double const x = r.y[0], v = r.y[1], bound = 3000 * o.rtol; /* times t, of 7 pieces */
            check_good(&r, o);
            CHECK_CLOSE(v * v / 2 + 2 * pow(fabs(x), 1.5) / 3, 2. / 3, bound);
            CHECK_CLOSE(r.sens[0][0], v * t / 2, bound);
            CHECK_CLOSE(r.sens[1][0], x - v * t / 4, bound);
        }
}

/* x' = -k sign(x) sqrt(|x|) is at rest from t = 2 on, for all parameters nearby. */
TEST(a_tank_runs_empty_and_stays_so)
{
    static const char text[] = "parameter k = 1, a = 1\nstate x = a\n"
                               "x' = -k*sign(x)*sqrt(abs(x))\ntime 0 .. 4\n";
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_options const o = {.method = (tansy_method)method, .rtol = 1e-6, .atol = 1e-9};
        struct run const r = solve(text, o, 3.5, false);
        check_good(&r, o);
        CHECK_CLOSE(r.y[0], 0, 1e-8);
        CHECK_CLOSE(r.sens[0][0], 0, 1e-5);
        CHECK_CLOSE(r.sens[1][0], 0, 1e-5);
    }
}

/* x(0) = a = 0 at the edge: dx/da = f(x)/f(0), whichever way is taken. */
TEST(a_start_at_the_edge_with_a_speed)
{
    static const char text[] = "parameter p = 1, a = 0\nstate x = a\n"
                               "x' = p + 0.3*sign(x)*sqrt(abs(x))\ntime 0 .. 2\n";
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int way = 0; way < 4; way++) {
            tansy_options const o = {.method = (tansy_method)method, .rtol = 1e-6, .atol = 1e-9};
            struct run const r = solve(text, o, way % 2 ? 2 : -1, way / 2);
            check_good(&r, o);
            CHECK_CLOSE(r.sens[1][0], 1 + 0.3 * copysign(sqrt(fabs(r.y[0])), r.y[0]), 1e-4);
        }
}

TEST(a_start_at_rest_at_the_edge_is_refused_by_name)
{
    static const char text[] = "parameter p = 0, a = 0\nstate x = a\n"
                               "x' = p - sign(x)*sqrt(abs(x))\ntime 0 .. 2\n";
    for (int way = 0; way < 2; way++) {
        struct run const r = solve(text, (tansy_options){.method = TANSY_BDF}, 2, way);
        CHECK_EQUAL(r.status, TANSY_NOT_FINITE);
        CHECK_TEXT_CONTAINS(r.message, "where the condition sign(x) turns: a root or a power below "
                                       "1 has an infinite derivative there");
    }
}
