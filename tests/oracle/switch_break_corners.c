/* SPDX-License-Identifier: Apache-2.0 */
/* Switching points that fall on a break time: S is one-sided where the two sides of the break give it other jumps, and that is told;
   where they give the same, S is right and nothing is told.  Also corners of algebraic variables alone, and touched conditions. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/model_solution.h"
#include "test.h"

static const double rtol = 1e-7, promise = 1e-5; /* 100 rtol */

struct run {
    tansy_status status;
    double sens[SOLUTION_MOST][SOLUTION_MOST];
    char report[6000];
};

static struct run solve(const char *text, tansy_method method, bool bounded, double t)
{
    struct run r = {.status = TANSY_OK};
    double y[SOLUTION_MOST], sens[SOLUTION_MOST * SOLUTION_MOST] = {0};
    tansy_problem problem;
    tansy_model *const m = model_of_text(text, &problem);
    if (!bounded) problem.switch_range = NULL;
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-9, .max_step = 0.04};
    tansy_solver *const s = tansy_create(&problem, &o);
    r.status = tansy_solve(s, t, y, sens);
    CHECK(tansy_report(s, r.report, sizeof r.report) < sizeof r.report);
    model_solution_columns(&problem, sens, r.sens);
    tansy_free(s);
    tansy_model_free(m);
    return r;
}

/* d(state `row`)/dp for the first parameter at t = 2: its limits, which are told if they differ. */
struct corner {
    const char *model;
    size_t row;
    double left, right;
    const char *says;
};

static const char at_break[] = "a break time falls on it",
                  touches[] = "it only touches its surface", flat[] = "stays at its surface",
                  start[] = "starts on its surface";

static void check(const struct corner *c, tansy_method method)
{
    for (int bounded = 0; bounded <= 1; bounded++) {
        struct run const r = solve(c->model, method, bounded, 2);
        CHECK_EQUAL(r.status, TANSY_OK);
        bool const said = strstr(r.report, "S is one-sided") != NULL;
        if (said != (c->says != NULL)) puts(c->model), puts(r.report);
        CHECK_EQUAL(said, c->says != NULL);
        if (c->says) CHECK_TEXT_CONTAINS(r.report, c->says);
        double const s = r.sens[0][c->row];
        double const near = fabs(s - c->left) < fabs(s - c->right) ? c->left : c->right;
        if (!(fabs(s - near) <= promise * (fabs(near) + 1e-3))) puts(c->model);
        CHECK_CLOSE(s, near, promise * (fabs(near) + 1e-3));
    }
}

/* w = t up to 1, then 1 + SLOPE (t - 1). */
#define RAMP(slope) "let w = if time >= 1 then 1 + " #slope "*(time - 1) else time\n"

static const struct corner corners[] = {
    /* the slope of g changes; not; g rises and falls; so with a state in it; the same slope, another f */
    {"parameter p = 1\nstate x = 0\n" RAMP(2) "x' = if w > p then 1 else 0\n", 0, -1, -0.5,
     at_break},
    {"parameter p = 1\nstate x = 0\n" RAMP(1) "x' = if w > p then 1 else 0\n", 0, -1, -1, NULL},
    {"parameter p = 1\nstate x = 0\n" RAMP(-1) "x' = if w > p then 1 else 0\n", 0, -2, 0, at_break},
    {"parameter p = 1\nstate x = 0\n" RAMP(-1) "x' = if w >= p then 1 else 0\n", 0, -2, 0,
     at_break},
    {"parameter p = 1\nstate x = 0, y = 0\ny' = 1\n" RAMP(-4) "x' = if w*y > p then 1 else 0\n", 0,
     -1.0 / 2 - 1.0 / 3, 0, at_break},
    {"parameter p = 2\nstate x = 0, y = 0\ny' = 1\n" RAMP(-4) "x' = if w + y > p then 1 else 0\n",
     0, -1.0 / 2 - 1.0 / 3, 0, at_break},
    {"parameter p = 1\nstate x = 0\n" RAMP(-1) "x' = max(w - p, 0)\n", 0, 0, 0, NULL},
    {"parameter p = 1\nstate x = 0\n" RAMP(2) "x' = max(w - p, 0)\n", 0, -1, -1, NULL},
    /* twice the slope and twice the jump: the same */
    {"parameter p = 1\nstate x = 0\n" RAMP(2) "x' = if w > p then (if time >= 1 then 2 else 1) "
                                              "else 0\n",
     0, -1, -1, NULL},
    /* g depends on p on one side alone */
    {"parameter p = 1\nstate x = 0\nx' = if time > (if time >= 1 then p else 1) then 1 else 0\n", 0,
     0, -1, at_break},
    {"parameter p = 1\nstate x = 0\nx' = if time > (if time >= 1 then 1 else p) then 1 else 0\n", 0,
     -1, 0, at_break},
    /* the break turns another condition within the branch; and both */
    {"parameter p = 1\nstate x = 0, y = -0.3\ny' = 0\nlet w = if time >= 1 then -1 else 1\n"
     "x' = if p >= time then 0 else (if w >= y then 1 else -0.5)\n",
     0, -1, 0.5, at_break},
    {"parameter p = 1\nstate x = 0, y = -0.3\ny' = 0\nlet w = if time >= 1 then 2 else 1\n"
     "x' = if p >= time then 0 else (if w >= y then 1 else -0.5)\n",
     0, -1, -1, NULL},
    /* u jumps from 1 to 2 at p, v from 1 to 3 at 1 */
    {"parameter p = 1\nstate x = 0\nlet u = if time >= p then 2 else 1\n"
     "let v = if time >= 1 then 3 else 1\nx' = abs(u - v)\n",
     0, -1, 1, at_break},
    {"parameter p = 1\nstate x = 0\nlet u = if time >= p then 2 else 1\n"
     "let v = if time >= 1 then 3 else 1\nx' = max(u, v)\n",
     0, -1, 0, at_break},
    {"parameter p = 1\nstate x = 0\nlet u = if time >= p then 2 else 1\n"
     "let v = if time >= 1 then 3 else 1\nx' = if u + v > 4 then 1 else 0\n",
     0, 0, -1, at_break},
    {"parameter p = 1\nstate x = 0\nlet u = if time >= p then 2 else 1\n"
     "let v = if time >= 1 then 3 else 1\nx' = u + v\n",
     0, -1, -1, NULL},
    /* g reaches zero where it jumps on; g is not zero there */
    {"parameter p = 1\nstate x = 0\nlet w = if time >= 1 then 5 else time\n"
     "x' = if w > p then 1 else 0\n",
     0, -1, 0, at_break},
    {"parameter p = 2\nstate x = 0\nlet w = if time >= 1 then 5 else time\n"
     "x' = if w > p then 1 else 0\n",
     0, 0, 0, NULL}};

TEST(switches_at_breaks_are_told_where_the_sides_differ)
{
    for (size_t k = 0; k < sizeof corners / sizeof *corners; k++) {
        check(&corners[k], TANSY_ADAMS);
        check(&corners[k], TANSY_ROSENBROCK);
    }
}

/* Levels of a control: g depends on one before the break, on the other after it. */
TEST(levels_that_take_turns_in_a_condition_are_told)
{
    struct run const r =
        solve("parameter p = 2\ncontrol u = {1, 1} piecewise constant at {0, 1, 3}\n"
              "state x = 0\nx' = if time < p - u then 1 else 0\n",
              TANSY_ADAMS, true, 2);
    CHECK_TEXT_CONTAINS(r.report, at_break);
    CHECK_CLOSE(r.sens[0][0], 1, promise);
    CHECK_CLOSE(r.sens[1][0] + r.sens[2][0], -1, promise); /* the one or the other */
    CHECK_CLOSE(r.sens[1][0] * r.sens[2][0], 0, promise);
}

/* Nothing but an algebraic variable depends on the condition. */
TEST(corners_of_algebraic_variables_are_told)
{
    static const struct corner cases[] = {
        {"parameter p = 1\nstate x = 0\nalgebraic a = 0\nx' = -x\n0 = a - min(p, 1)\n", 1, 1, 0,
         start},
        {"parameter p = 2\nstate x = 0\nalgebraic a = 0\nx' = -x\n0 = a - min(p, 1)\n", 1, 0, 0,
         NULL},
        {"parameter p = 0.5\nstate x = 0\nalgebraic a = 0\nx' = -x\n0 = a - min(p, 1)\n", 1, 1, 1,
         NULL},
        {"parameter p = 0\nstate x = 0\nalgebraic a = 0\nlet u = if time >= 1 then p else 1\n"
         "x' = -x\n0 = a - abs(u)\n",
         1, -1, 1, flat}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        check(&cases[k], TANSY_DASSL);
        check(&cases[k], TANSY_ROSENBROCK);
    }
}

/* g has a double root at t = 1; a kink there does no harm, nor one that is passed by, nor a g that no column moves. */
static const struct corner touched[] = {
    {"parameter p = 1\nstate x = 0\nx' = if 2*time - time^2 > p then 1 else 0\n", 0, 0, 0, touches},
    {"parameter p = 1\nstate x = 0\nx' = if time^2 - 2*time < -p then 1 else 2\n", 0, 0, 0,
     touches},
    {"parameter p = 1\nstate x = 0\nx' = if time*(1.9 - time) > 0.9025*p then 1 else 2\n", 0, 0, 0,
     touches},
    {"parameter p = 1\nstate x = 0, y = 0, v = 2\ny' = v\nv' = -2\nx' = if y > p then 1 else 0\n",
     0, 0, 0, touches},
    {"parameter p = 1, q = 1.01\nstate x = 0\n"
     "x' = (if 2*time - time^2 > p then 1 else 0) + (if time > q then 2 else 1)\n",
     0, 0, 0, touches},
    {"parameter p = 1\nstate x = 0\nx' = max(2*time - time^2, p)\n", 0, 2, 2, NULL},
    {"parameter p = 1.001\nstate x = 0\nx' = if 2*time - time^2 > p then 1 else 0\n", 0, 0, 0,
     NULL},
    {"parameter p = 1\nstate x = 0\nx' = if 2*time - time^2 > 1 then p else 2*p\n", 0, 4, 4, NULL}};

TEST(conditions_that_are_only_touched_are_told)
{
    for (size_t k = 0; k < sizeof touched / sizeof *touched; k++) {
        check(&touched[k], TANSY_ADAMS);
        check(&touched[k], TANSY_RK8);
    }
}

/* The same with y found to the tolerance only: it passes the surface by no more than that, and S is huge. */
TEST(conditions_that_are_crossed_by_errors_alone_are_told)
{
    static const char text[] = "parameter p = 1\nstate x = 0, y = 0, v = 1\ny' = v\nv' = -y\n"
                               "x' = if y > p then 1 else 0\n";
    static const tansy_method methods[] = {TANSY_ADAMS, TANSY_BDF, TANSY_RK8, TANSY_ROSENBROCK,
                                           TANSY_DASSL};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct run const r = solve(text, methods[k], true, 2);
        if (!strstr(r.report, touches)) puts(r.report);
        CHECK_EQUAL(r.status, TANSY_OK);
        CHECK_TEXT_CONTAINS(r.report, touches);
    }
}
