/* SPDX-License-Identifier: Apache-2.0 */
/* Second derivatives where a number that could decide something is exactly 0: an exponent, a factor before a condition, the
   distance from a control, a power's base.  Against closed forms, and continuous in that number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/model_point.h"
#include "test.h"

/* x' of a model with the states x, y and the parameters p, q, at x = 2; the modes hold.  expected is
   d2 x'/(dx dp) for v = 1 in x, and d2 x'/(dt dp) for tau = 1, at p = p. */
static const struct {
    const char *value;
    double p, in_x, in_t;
} cases[] = {
    {"x^p", 0, 0.5, 0},                               /* x^(p-1) (1 + p log x) */
    {"x^p", 1, 1 + 0.69314718055994531, 0},           /* 1 + log 2 */
    {"x^(p + 1)/x", 0, 0.5, 0},                       /* is x^p */
    {"(x/4)^p", 0, 0.5, 0},                           /* p/x (x/4)^p */
    {"(x/4)^p*exp(-q/x)", 0, 0.19816157568057285, 0}, /* (1/x + log(x/4)/x^2) exp(-1/x) */
    {"(1 + time)^p", 0, 0, 0.5},                      /* at t = 1 */
    {"(x + time)^p", 0, 1 / 3.0, 1 / 3.0},            /* at t = 1 */
    {"sqrt(1 + p*max(x, 0.5))", 0, 0.5, 0},           /* d/dp p/(2 sqrt(1 + p x)) */
    {"(1 + p*max(x, 0.5))^1.5", 0, 1.5, 0},           /* d/dp 1.5 p sqrt(1 + p x) */
    {"(1 + p*max(x, 0.5))^q", 0, 1, 0},               /* q = 1 */
    {"asin(p*max(x, 0.5))", 0, 1, 0},                 /* d/dp p/sqrt(1 - p^2 x^2) */
    {"acos(p*max(x, 0.5))", 0, -1, 0},
    {"sqrt(1 + p*max(time, 0.5))", 0, 0, 0.5},
    {"sqrt(4 + p*time*max(x, 0.5))", 0, 0.25, 0.5}, /* p t/(2 sqrt), p x/(2 sqrt) */
};

static tansy_model *parse(const char *words)
{
    tansy_model *const m = tansy_model_parse(words, strlen(words), "m");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

static void complete(struct model_point *at)
{
    tansy_problem *const q = &at->problem;
    CHECK_EQUAL(q->complete(q), 0);
    free(at->local.scratch);
    at->local.scratch = aligned_alloc(64, (q->scratch + 63) / 64 * 64);
    memset(at->local.scratch, 0, q->scratch);
}

/* d/dp of v x'_x + tau x'_t. */
static double mixed(struct model_point *at, double p, double v, double tau)
{
    double const y[] = {2, 1}, vector[] = {v, 0}, V[] = {0, 0}, U[] = {1, 0};
    double R[2] = {0, 0};
    at->p[0] = p;
    at->p[1] = 1;
    at->local.version++;
    CHECK_EQUAL(at->problem.second(1, y, at->p, vector, tau, 1, 1, V, U, R, &at->local), 0);
    return R[0];
}

TEST(second_derivatives_do_not_depend_on_a_number_being_zero)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        struct model_point at;
        (void)snprintf(text, sizeof text,
                       "parameter p = 1, q = 1\nstate x = 2, y = 1\n"
                       "x' = %s\ny' = -y\n",
                       cases[k].value);
        model_point_stand(parse(text), 3, &at);
        complete(&at);
        for (size_t j = 0; j <= at.problem.switches; j++) at.p[at.np + j] = 1; /* and one piece */
        for (int near = -1; near <= 1; near++) { /* the third derivatives are below 10 */
            double const p = cases[k].p + near * 1e-9;
            CHECK_CLOSE(mixed(&at, p, 1, 0), cases[k].in_x, near ? 1e-8 : 1e-14);
            CHECK_CLOSE(mixed(&at, p, 0, 1), cases[k].in_t, near ? 1e-8 : 1e-14);
        }
        model_point_close(&at);
    }
}

/* sqrt(1 + (x - u)^2) with a control's level u at x = u: d2/dx2 = 1, d2/(dx du) = -1. */
TEST(second_derivatives_at_a_control_level_are_those_nearby)
{
    struct model_point at;
    model_point_stand(parse("parameter p = 1\nstate x = 2\n"
                            "control u = {2, 1} piecewise constant at {0, 1, 2}\n"
                            "x' = p*sqrt(1 + (x - u)^2)\ntime 0 .. 2\n"),
                      3, &at);
    complete(&at);
    double const v[] = {1}, V[] = {1, 0}, U[] = {0, 0, 0, 1, 0, 0};
    for (int near = -1; near <= 1; near++) {
        double const y[] = {2 + near * 1e-9}, p[] = {1, 2, 1, 0};
        double R[2] = {0, 0};
        at.local.version++;
        CHECK_EQUAL(at.problem.second(0.5, y, p, v, 0, 2, 2, V, U, R, &at.local), 0);
        CHECK_CLOSE(R[0], 1, 1e-15);
        CHECK_CLOSE(R[1], -1, 1e-15);
    }
    model_point_close(&at);
}

/* What a condition switches off stays off where the slope above it is infinite. */
TEST(second_derivatives_below_a_condition_that_does_not_hold_are_zero)
{
    static const char *const value[] = {"sqrt(max(x - p, 0))", "max(x - p, 0)^0.3",
                                        "asin(1 - max(x - p, 0))", "acos(-1 + max(x - p, 0))"};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
        char text[200];
        struct model_point at;
        (void)snprintf(text, sizeof text, "parameter p = 5\nstate x = 2\nx' = %s - x\n", value[k]);
        model_point_stand(parse(text), 3, &at);
        complete(&at);
        double const y[] = {2}, p[] = {5, 0, 0}, v[] = {1}, V[] = {1, 0}, U[] = {0, 1};
        double R[2] = {7, 7};
        at.local.version++;
        CHECK_EQUAL(at.problem.second(0, y, p, v, 0, 2, 2, V, U, R, &at.local), 0);
        CHECK_CLOSE(R[0], 0, 0);
        CHECK_CLOSE(R[1], 0, 0);
        model_point_close(&at);
    }
}

/* x^p at x = 0, whose second derivatives are p (p-1) x^(p-2) and x^(p-1) (1 + p log x). */
TEST(second_derivatives_of_powers_have_their_limits_at_zero)
{
    struct model_point at;
    model_point_stand(parse("parameter p = 3\nstate x = 2\nx' = x^p\n"), 3, &at);
    complete(&at);
    for (int k = 2; k <= 4; k++) {
        double const y[] = {0}, p[] = {k, 0}, v[] = {1}, V[] = {1, 0}, U[] = {0, 1};
        double R[2] = {7, 7};
        at.local.version++;
        CHECK_EQUAL(at.problem.second(0, y, p, v, 0, 2, 2, V, U, R, &at.local), 0);
        CHECK_CLOSE(R[0], k == 2 ? 2 : 0, 0);
        CHECK_CLOSE(R[1], 0, 0);
    }
    model_point_close(&at);
}

/* d/dt of a constraint x + y^p = 2 or x + sqrt(1 + p max(y, 0.5)) = 1, p = 0: x' + p y^(p-1) y' and x' + p y'/(2 sqrt(..)),
   whose derivatives in p are y'/y and y'/2; and in time, x + (1 + t)^p: 1/(1 + t). */
TEST(rates_of_constraints_do_not_depend_on_a_number_being_zero)
{
    static const struct {
        const char *constraint;
        double expected;
    } of[] = {{"x + y^p - 2", 1.5},
              {"x + sqrt(1 + p*max(y, 0.5)) - 1", 1.5},
              {"x + (1 + time)^p - 2", 0.5}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char text[300];
        struct model_point at;
        (void)snprintf(text, sizeof text,
                       "parameter p = 1, a = 1\nstate x = 1, y = 2\nalgebraic l = 0\n"
                       "x' = -y + l\ny' = a*x\n0 = %s\n",
                       of[k].constraint);
        model_point_stand(parse(text), 3, &at);
        const tansy_problem *const q = &at.problem;
        double const y[] = {1, 2, 0}, rate[] = {1, 3, 0}, none[] = {0, 0, 0}, U[] = {1, 0};
        double p[4] = {0, 1, 1, 1}, R[3] = {0, 0, 0};
        CHECK(q->constraint_rate_tangent);
        at.local.version++;
        CHECK_EQUAL(q->constraint_rate_tangent(1, y, rate, p, 1, 1, none, none, U, R, &at.local),
                    0);
        double found = 0;
        for (int i = 0; i < 3; i++) found += fabs(R[i]);
        CHECK_CLOSE(found, of[k].expected, 1e-14);
        model_point_close(&at);
    }
}
