/* SPDX-License-Identifier: Apache-2.0 */
/* Sensitivities to the times of a grid and to the final time, of models, against closed forms; and what stops being a constant when
   such a time is a parameter. */
#include <tansy/tansy.h>

#include <math.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-8;
static const tansy_method methods[] = {TANSY_RK8,   TANSY_ROSENBROCK, TANSY_BDF,
                                       TANSY_ADAMS, TANSY_DASSL,      TANSY_LIMEX};
enum { WORDS = 200 };
enum { METHODS = sizeof methods / sizeof *methods };

static struct model_solution solve(const char *text, tansy_method method, double t)
{
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-10};
    return model_solve(text, &o, t);
}

/* x' = u - a x: a later t1 means u_1 - u_2 for a moment more, dx/dt1 = (u_1 - u_2) exp(-a (t - t1)). */
TEST(switching_times_of_a_constant_control_move_the_solution)
{
    static const char text[] = "parameter t1 = 1.25, t2 = 2.5, a = 0.7\n"
                               "control u = {1, -2, 3} piecewise constant at {0, t1, 2*t2/2, 4}\n"
                               "state x = 0\n"
                               "x' = u - a*x\n";
    for (int m = 0; m < METHODS; m++) {
        struct model_solution const s = solve(text, methods[m], 4);
        CHECK_CLOSE(s.sens[0][0], 3 * exp(-0.7 * (4 - 1.25)), 100 * rtol);
        CHECK_CLOSE(s.sens[1][0], -5 * exp(-0.7 * (4 - 2.5)), 100 * rtol);
        struct model_solution const early = solve(text, methods[m], 1.25);
        CHECK_CLOSE(early.sens[0][0], 0, 0); /* the limit from before it */
    }
}

/* Restarted where the run has come to t1, with y and S as they are there, the limits from before it: S gets its jump as in one run.  With
   another y the run starts on the surface, of which the report tells. */
TEST(a_restart_at_a_switching_time_keeps_the_jump_of_S)
{
    static const char text[] = "parameter t1 = 1.25, a = 0.7\n"
                               "control u = {1, -2} piecewise constant at {0, t1, 4}\n"
                               "state x = 0, v = 0\n"
                               "x' = u - a*x\n"
                               "v' = if x > 0.2 then 2 else 0\n";
    static const char told[] = "starts on its surface";
    for (int m = 0; m < METHODS; m++)
        for (int moved = 0; moved < 2; moved++) {
            tansy_problem problem;
            tansy_model *const model = model_of_text(text, &problem);
            tansy_options const o = {.method = methods[m], .rtol = rtol, .atol = 1e-10};
            tansy_solver *const s = tansy_create(&problem, &o);
            double y[2], S[8], high = -log(1 - 0.7 * 0.2) / 0.7;
            char report[4000];
            CHECK_EQUAL(tansy_solve(s, 1, y, S), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 1.25, y, S), TANSY_OK);
            if (moved) y[0] += 0.01;
            CHECK_EQUAL(tansy_restart(s, 1.25, y, NULL, S), TANSY_OK);
            CHECK_EQUAL(tansy_initialise(s, y, NULL, S, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 1.5, y, S), TANSY_OK);
            (void)tansy_report(s, report, sizeof report);
            CHECK_EQUAL(strstr(report, told) != NULL, moved);
            if (!moved) {
                CHECK_CLOSE(S[0], 3 * exp(-0.7 * 0.25), 100 * rtol);
                CHECK(y[1] > 2 * (1.25 - high));
            }
            tansy_free(s);
            tansy_model_free(model);
        }
}

/* A surface that the solution reaches, by tansy_step(): x = a t, v' = 1 from x = 1 on, v = t - 1/a; and back again from there. */
TEST(a_restart_at_a_switching_point_keeps_the_jump_of_S)
{
    static const char text[] = "parameter a = 0.7\n"
                               "state x = 0, v = 0\n"
                               "x' = a\n"
                               "v' = if x >= 1 then 1 else 0\n";
    for (int m = 0; m < METHODS; m++)
        for (int back = 0; back < 2; back++) {
            tansy_problem problem;
            tansy_model *const model = model_of_text(text, &problem);
            tansy_options const o = {
                .method = methods[m], .rtol = rtol, .atol = 1e-10, .max_step = 0.3};
            tansy_solver *const s = tansy_create(&problem, &o);
            double y[2] = {0}, S[2];
            while (tansy_error(s) == TANSY_OK && y[0] < 1 - 1e-9)
                CHECK_EQUAL(tansy_step(s, 3, y, S), TANSY_OK);
            CHECK_EQUAL(tansy_restart(s, tansy_time(s), y, problem.p, S), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, back ? 0.5 : 2.5, y, S), TANSY_OK);
            CHECK_CLOSE(y[1], back ? 0 : 2.5 - 1 / 0.7, 100 * rtol);
            CHECK_CLOSE(S[1], back ? 0 : 1 / 0.49, 100 * rtol);
            tansy_free(s);
            tansy_model_free(model);
        }
}

/* The integral of straight lines from w_1 over (t1, w_2) to (4, w_3): (w_1 + w_2) t1/2 + (w_2 + w_3)(4 - t1)/2. */
TEST(switching_times_of_a_linear_control_move_its_hats)
{
    static const char text[] = "parameter t1 = 1.25\n"
                               "control w = {1, -2, 3} piecewise linear at {0, t1, 4}\n"
                               "state x = 0\n"
                               "x' = w\n";
    for (int m = 0; m < METHODS; m++) {
        struct model_solution const s = solve(text, methods[m], 4);
        CHECK_CLOSE(s.y[0], -0.5 * 1.25 + 0.5 * 2.75, 100 * rtol);
        CHECK_CLOSE(s.sens[0][0], (1 - 3) / 2.0, 100 * rtol);
        CHECK_CLOSE(s.sens[1][0], 1.25 / 2, 100 * rtol);
        CHECK_CLOSE(s.sens[2][0], 2, 100 * rtol);
        CHECK_CLOSE(s.sens[3][0], 2.75 / 2, 100 * rtol);
    }
}

/* Three intervals of length T/3: x_(i+1) = e x_i + u_i (1 - e)/a, e = exp(-a T/3). */
TEST(the_final_time_moves_the_end_and_the_grid)
{
    static const char text[] = "parameter T = 2, a = 0.7\n"
                               "control u = {1, -2, 3} piecewise constant on 0 .. T by 3\n"
                               "state x = 1\n"
                               "x' = u - a*x\n"
                               "time 0 .. T\n";
    static const double level[] = {1, -2, 3};
    double const a = 0.7, e = exp(-a * 2 / 3), slope = -a / 3 * e;
    double x = 1, dx = 0;
    for (int i = 0; i < 3; i++) {
        dx = e * dx + slope * x - level[i] * slope / a;
        x = e * x + level[i] * (1 - e) / a;
    }
    for (int m = 0; m < METHODS; m++) {
        struct model_solution const s = solve(text, methods[m], 2);
        CHECK_CLOSE(s.y[0], x, 100 * rtol);
        CHECK_CLOSE(s.sens[0][0] + s.yp[0], dx,
                    1000 * rtol); /* y' is as good as a step's order lets it */
    }
    tansy_model_summary summary;
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    tansy_model_summarise(m, &summary);
    CHECK_EQUAL(summary.end_parameter, 1);
    CHECK_CLOSE(summary.t1, 2, 0);
    CHECK_EQUAL(summary.conditions, 2);
    tansy_model_free(m);
}

/* A column that knows nothing of T is zero: at the end y' is all there is. */
TEST(a_final_time_that_stands_nowhere_else_has_a_zero_column)
{
    static const char end[] = "parameter T = 2\nstate x = 1\nx' = -x\ntime 0 .. T\n";
    tansy_model *const m = tansy_model_parse(end, strlen(end), "test");
    CHECK_EQUAL(strlen(tansy_model_warnings(m)), 0); /* it is used, as the end */
    tansy_model_free(m);
    struct model_solution const s =
        solve("parameter T = 2\nstate x = 1\nx' = -x\ntime 0 .. T\n", TANSY_RK8, 2);
    CHECK_CLOSE(s.sens[0][0], 0, 0);
    CHECK_CLOSE(s.yp[0], -exp(-2), 1000 * rtol);
}

static void check_active(const char *text, const char *name, double from)
{
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    ptrdiff_t const k = tansy_model_index(m, TANSY_MODEL_PARAMETERS, name);
    CHECK(k >= 0 && problem.active_from[k] == from);
    CHECK(tansy_model_parameter(m, (size_t)k).active_from == from);
    tansy_model_free(m);
}

/* Whatever the parameters are, a level does not act before the last time of the grid that stands still. */
TEST(levels_wait_for_times_that_stand_still)
{
    static const char moving[] = "parameter t1 = 1.5\nstate x = 0\nx' = u\n"
                                 "control u = 1 piecewise constant at {0, 1, t1, 2, 3}\n";
    check_active(moving, "u[1]", -HUGE_VAL);
    check_active(moving, "u[2]", 1);
    check_active(moving, "u[3]", 1);
    check_active(moving, "u[4]", 2);
    static const char direct[] = "state x = 0\nx' = u + u[3]*x\n"
                                 "control u = 1 piecewise constant at {0, 1, 2, 3}\n";
    check_active(direct, "u[2]", 1);
    check_active(direct, "u[3]", -HUGE_VAL); /* it stands in an equation by itself */
}

static void refuses(const char *text, const char *words)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    CHECK_EQUAL(tansy_model_error(m), TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(tansy_model_message(m), words);
    tansy_model_free(m);
}

#define BEGIN "parameter t1 = 1\nstate x = 0\nx' = u\n"

TEST(wrong_times_of_a_grid_are_refused)
{
    refuses(BEGIN "control u = 1 piecewise constant at {0, x, 2}\n", "x is a state");
    refuses(BEGIN "control u = 1 piecewise constant at {0, time, 2}\n",
            "a time of a grid cannot depend on time");
    refuses(BEGIN "control u = 1 piecewise constant at {0, 3*t1, 2}\n", "but 2 follows 3");
    refuses(BEGIN "control u = 1 piecewise constant on 2 .. t1 by 3\n", "not go from 2 to 1");
    refuses(BEGIN "control u = 1 piecewise constant at {0, if t1 > 0 then t1 else 1, 2}\n",
            "no conditions");
    refuses(BEGIN "control u = 1 piecewise constant at {0, 1, 2}\ntime 0 .. 2*t1\n",
            "ends at a number or at a parameter");
    refuses("parameter t1 [s] = 1\nstate x = 0\nx' = u\ntime 0 .. 4 [s]\n"
            "control u = 1 piecewise constant at {0 [s], t1*t1, 4 [s]}\n",
            "the grid has");
}

static const char ordered[] = "parameter a = 1, b = 2\nstate x = 1\nx' = u*x + w\n"
                              "control u = {1, -1, 3} piecewise constant at {0, a, a + b, 4}\n"
                              "control w = {1, -1, 3} piecewise linear on b - a .. 2*b by 2\n";

static tansy_status order_of(const tansy_model *m, double a, double b, char *words)
{
    double const p[] = {a, b, 1, -1, 3, 1, -1, 3};
    words[0] = '\0';
    return tansy_model_check_times(m, p, words, WORDS);
}

/* 0 < a < a + b < 4 and b - a < 2 b. */
TEST(times_that_other_parameters_put_out_of_order_are_told)
{
    char words[WORDS];
    tansy_model *const m = tansy_model_parse(ordered, strlen(ordered), "test");
    CHECK_EQUAL(order_of(m, 1, 2, words), TANSY_OK);
    CHECK_EQUAL(order_of(m, 1, 2.999, words), TANSY_OK);
    CHECK_EQUAL(order_of(m, 1, 3, words), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(words, "control u must rise, but 4 follows 4");
    CHECK_EQUAL(order_of(m, -1, 2, words), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(words, "control u must rise, but -1 follows 0");
    CHECK_EQUAL(order_of(m, (double)NAN, 2, words), TANSY_BAD_PROBLEM);
    CHECK_EQUAL(order_of(m, 1, -2, words), TANSY_BAD_PROBLEM);
    tansy_model_free(m);
    static const char still[] = "state x = 1\nx' = u\ncontrol u = 1 piecewise constant at {0, 1}\n";
    tansy_model *const fixed = tansy_model_parse(still, strlen(still), "test");
    CHECK_EQUAL(order_of(fixed, 0, 0, words), TANSY_OK);
    tansy_model_free(fixed);
    tansy_model *const bad = tansy_model_parse("nonsense", 8, "test");
    CHECK_EQUAL(order_of(bad, 1, 2, words), TANSY_BAD_CALL);
    CHECK_EQUAL(order_of(NULL, 1, 2, words), TANSY_BAD_CALL);
    tansy_model_free(bad);
}

/* With y0 given as well as without it. */
TEST(solvers_do_not_run_with_times_out_of_order)
{
    double const right[] = {1, 2, 1, -1, 3, 1, -1, 3}, wrong[] = {1, 3, 1, -1, 3, 1, -1, 3};
    double const y0[] = {1};
    double y[1], sens[8];
    tansy_problem problem;
    tansy_model *const m = tansy_model_parse(ordered, strlen(ordered), "test");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, wrong, NULL), TANSY_USER_STOPPED);
    CHECK(tansy_solve(s, 1, y, sens) < 0);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, right, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, y0, wrong, NULL), TANSY_USER_STOPPED);
    tansy_free(s);
    tansy_model_free(m);
}

/* x' = z - k x, 0 = z - 2 u - 0.3 x is x' = 2 u - (k - 0.3) x: the algebraic variable jumps with u, and its columns. */
TEST(algebraic_variables_are_made_consistent_at_grid_points)
{
    static const char dae[] = "parameter k = 0.8\n"
                              "control u = {1, -2, 3} piecewise constant at {0, 1, 2, 3}\n"
                              "state x = 0\nalgebraic z = 2\n"
                              "x' = z - k*x\n0 = z - 2*u - 0.3*x\n";
    static const tansy_method implicit[] = {TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};
    static const double times[] = {1, 1.5, 2, 2.01}, level[] = {1, -2, -2, 3};
    double const K = 0.5;
    for (int m = 0; m < 3; m++)
        for (int j = 0; j < 4; j++) {
            struct model_solution const s = solve(dae, implicit[m], times[j]);
            double const u2 = times[j] > 1 ? times[j] - 1 : 0, past = fmin(u2, 1);
            double const later = u2 - past; /* since 2 */
            double const by_u2 = 2 / K * (1 - exp(-K * past)) * exp(-K * later);
            CHECK_CLOSE(s.y[1], 2 * level[j] + 0.3 * s.y[0], 100 * rtol);
            CHECK_CLOSE(s.sens[2][0], by_u2, 100 * rtol);
            CHECK_CLOSE(s.sens[2][1], 0.3 * by_u2 + (level[j] == -2 ? 2 : 0), 100 * rtol);
            CHECK_CLOSE(s.sens[3][1], level[j] == 3 ? 2 + 0.3 * s.sens[3][0] : 0, 100 * rtol);
            CHECK_CLOSE(s.yp[0], s.y[1] - 0.8 * s.y[0], 1e4 * rtol);
        }
}
