/* SPDX-License-Identifier: Apache-2.0 */
/* Roots, powers and logarithms of what a condition decides the sign of: while it is frozen and g is beyond zero by a rounding error,
   they have the values and derivatives of the edge; what no condition is about stays NaN. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/simplify.h"
#include "support/model_point.h"
#include "support/shared_object.h"
#include "test.h"

static const double tiny = 1e-17;

/* x' = ... of a model with one state and one condition, x = x, the condition frozen at `mode`. */
struct look {
    double f, J, slope; /* J v of the tangent, v = 1 */
};

static struct look look_at(const char *text, double x, double mode)
{
    struct look l = {0, 0, 0};
    struct model_point at;
    double const v = 1, u[2] = {0, 0};
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    model_point_stand(m, 1, &at);
    at.y[0] = x;
    at.p[0] = 1;
    at.p[at.np] = mode;
    at.local.version++;
    CHECK_EQUAL(at.problem.rhs(0, at.y, at.p, &l.f, &at.local), 0);
    CHECK_EQUAL(at.problem.jacobian(0, at.y, at.p, &l.J, &at.local), 0);
    CHECK_EQUAL(at.problem.tangent(0, at.y, at.p, 1, 1, &v, u, &l.slope, &at.local), 0);
    model_point_close(&at);
    return l;
}

static struct look look(const char *value, double x, double mode)
{
    char text[400];
    (void)snprintf(text, sizeof text, "parameter k = 1\nstate x = 1\nx' = -k + %s\n", value);
    return look_at(text, x, mode);
}

/* Beyond the edge of a mode: f of the edge, J finite; inside it: the branch. */
TEST(beyond_the_edge_there_are_the_values_of_the_edge)
{
    static const struct {
        const char *value;
        double mode, side; /* of x in that mode */
        double q;          /* inside: |x|^q */
    } cases[] = {
        {"abs(x)^2.5", 1, 1, 2.5},
        {"abs(x)^2.5", 0, -1, 2.5},
        {"abs(x)*sqrt(abs(x))", 0, -1, 1.5},
        {"(abs(x)*k)^1.5", 0, -1, 1.5},
        {"(abs(x)/k)^1.5", 0, -1, 1.5},
        {"(-k*min(x, 0))^1.5", 0, -1, 1.5},
        {"max(x, 0)^1.5", 1, 1, 1.5},
        {"max(-3*x, 0)^1.5/3^1.5", 1, -1, 1.5},
        {"if x >= 0 then x^1.5 else 0", 1, 1, 1.5},
        {"if x > 0 then x^1.5 else 0", 0, 1, 1.5}, /* g = 0 - x */
        {"if 2*x + 1 > 1 then x^1.5 else 0", 0, 1, 1.5},
        {"if x > 0 then 1 else (-x/k)^1.5", 1, -1, 1.5},
        {"if x >= 0 then (2*k*x)^1.5/2^1.5 else 0", 1, 1, 1.5},
        {"if x >= 0 then sqrt(exp(k*0)*x)*x else 0", 1, 1, 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct look const out = look(cases[i].value, -cases[i].side * tiny, cases[i].mode);
        CHECK_CLOSE(out.f, -1, 1e-15);
        CHECK_CLOSE(out.J, 0, 1e-15);
        CHECK_CLOSE(out.slope, 0, 1e-15);
        struct look const in = look(cases[i].value, cases[i].side * 0.25, cases[i].mode);
        double const slope = cases[i].side * cases[i].q * pow(0.25, cases[i].q - 1);
        CHECK_CLOSE(in.f, pow(0.25, cases[i].q) - 1, 1e-14);
        CHECK_CLOSE(in.J, slope, 1e-14);
        CHECK_CLOSE(in.slope, slope, 1e-14);
    }
}

/* sqrt has no slope beyond the edge; x log x is 0 there. */
TEST(roots_and_logarithms_are_held_too)
{
    struct look const root = look("sqrt(abs(x))", tiny, 0);
    CHECK_CLOSE(root.f, -1, 1e-15);
    CHECK_CLOSE(root.J, 0, 1e-15);
    struct look const entropy = look("(if x >= 0 then x*log(x) else 0)", -tiny, 1);
    CHECK_CLOSE(entropy.f, -1, 1e-13); /* 1e-17 log of the least number */
    CHECK(isfinite(entropy.J));
    struct look const inside = look("(if x >= 0 then x*log(x) else 0)", 0.5, 1);
    CHECK_CLOSE(inside.J, 1 + log(0.5), 1e-15);
    struct look const held = look("abs(x)*log(2*abs(x))", tiny, 0);
    CHECK_CLOSE(held.f, -1, 1e-13);
}

/* sign(x) |x|^1.5 has slope 0 at 0, which x times the slope of |x|^1/2 is not. */
TEST(a_number_times_a_root_of_its_size_has_a_slope_at_zero)
{
    static const char *const values[] = {"x*abs(x)^0.5", "abs(x)^0.5*x", "-abs(x)^0.5*(-x)",
                                         "2*k*x*sqrt(abs(x))/2"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int mode = 0; mode < 2; mode++) {
            struct look const zero = look(values[i], 0, mode);
            CHECK_CLOSE(zero.f, -1, 0);
            CHECK_CLOSE(zero.J, 0, 0);
            double const x = mode ? 0.25 : -0.25;
            struct look const l = look(values[i], x, mode);
            CHECK_CLOSE(l.f, copysign(0.125, x) - 1, 1e-15);
            CHECK_CLOSE(l.J, 0.75, 1e-15);
        }
}

TEST(what_no_condition_is_about_is_not_held)
{
    static const char *const values[] = {
        "(if k > 0 then sqrt(x) else 0)", "(if x >= 0 then 0 else sqrt(x))",
        "(if x >= 1 then sqrt(x) else sqrt(x))", "sqrt(x) + abs(x)",
        "(if k > 0 or x > 0 then sqrt(x) else 0)"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int mode = 0; mode < 2; mode++) {
            struct look const l = look(values[i], -0.5, mode);
            CHECK(isnan(l.f) || l.f == -1);
        }
    CHECK(isnan(look("sqrt(x) + abs(x)", -0.5, 0).f));
    CHECK(isnan(look("(if x >= 0 then 0 else sqrt(x))", -0.5, 0).f));
}

/* A root that two branches share is guarded in the one whose condition is about it. */
TEST(a_shared_root_is_guarded_where_its_condition_is)
{
    static const char text[] = "parameter k = 1\nstate x = 1\nlet r = sqrt(x)\n"
                               "x' = -k + (if x > 0 then r*x else 0) + "
                               "(if x > 1 then 3*r else 0)\n";
    struct model_point at;
    double f = 0;
    model_point_stand(tansy_model_parse(text, strlen(text), "test"), 1, &at);
    at.y[0] = -tiny;
    at.p[0] = 1;
    for (int other = 0; other < 2; other++) {
        at.p[at.np] = 0; /* 0 - x >= 0 does not hold: the branch of x > 0 */
        at.p[at.np + 1] = other;
        at.local.version++;
        CHECK_EQUAL(at.problem.rhs(0, at.y, at.p, &f, &at.local), 0);
        CHECK_EQUAL(isnan(f), other == 0);
    }
    CHECK_CLOSE(f, -1, 1e-15);
    model_point_close(&at);
}

/* The model as C is the same to the last bits. */
TEST(exported_models_have_the_guards)
{
    static const char text[] = "parameter k = 1\nstate x = 1\nx' = -k + abs(x)^1.5\n";
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    tansy_model *const c = shared_object_of(m);
    tansy_problem problem;
    double f = 0, J = 1;
    CHECK(c != NULL);
    CHECK_EQUAL(tansy_model_problem(c, &problem), TANSY_OK);
    double const x = tiny, p[3] = {1, 0, 0};
    double scratch[1000] = {0};
    tansy_local local = {.context = problem.context, .scratch = scratch, .version = 1};
    CHECK_AT_MOST((double)problem.scratch, (double)sizeof scratch);
    void *const context = problem.scratch > 0 ? (void *)&local : problem.context;
    CHECK_EQUAL(problem.rhs(0, &x, p, &f, context), 0);
    CHECK_EQUAL(problem.jacobian(0, &x, p, &J, context), 0);
    CHECK_CLOSE(f, -1, 1e-15);
    CHECK_CLOSE(J, 0, 1e-15);
    tansy_model_free(c);
    tansy_model_free(m);
}

/* Sums and products that are too long to compare are left as they are. */
TEST(long_conditions_are_left_alone)
{
    char text[4000] =
        "parameter k = 1\nstate x = 1, u[1..30] = 0\nu[i]' = 0 for i in 1..30\nx' = -k + ";
    static const char sum[] = "(if x + sum(i in 1..30: i*u[i]) >= 0 then "
                              "sqrt(x + sum(i in 1..30: i*u[i])) else 0)";
    static const char product[] = " + (if x >= 0 then sqrt(product(i in 1..30: u[i])*x) else 0)\n";
    struct model_point at;
    double f[31];
    strcat(strcat(text, sum), product);
    model_point_stand(tansy_model_parse(text, strlen(text), "test"), 1, &at);
    memset(at.y, 0, at.n * sizeof *at.y);
    at.p[0] = 1;
    at.y[0] = -0.5;
    at.p[at.np] = at.p[at.np + 1] = 1;
    at.local.version++;
    CHECK_EQUAL(at.problem.rhs(0, at.y, at.p, f, &at.local), 0);
    CHECK(isnan(f[0]));
    model_point_close(&at);
}

/* More conditions than are looked at, and ways of writing them. */
TEST(conditions_of_many_parts_promise_what_their_first_parts_do)
{
    char text[2000] = "parameter k = 1\nstate x = 1\nx' = -k + (if x >= 0";
    for (int i = 0; i < 12; i++)
        (void)snprintf(text + strlen(text), 40, " and x*x + %d > 0", i + 1);
    strcat(text, " then x^1.5 else 0) + (if time > 1 then sqrt(k) else 0)\n");
    struct model_point at;
    double f = 0;
    model_point_stand(tansy_model_parse(text, strlen(text), "test"), 1, &at);
    CHECK_EQUAL(at.problem.switches, 13);
    at.p[0] = 1;
    at.y[0] = 0.25;
    at.p[at.np] = 1;
    for (int i = 1; i < 13; i++) at.p[at.np + (size_t)i] = 0; /* of 0 - (x*x + 1) >= 0 */
    at.p[at.np + 13] = 0;
    at.local.version++;
    CHECK_EQUAL(at.problem.rhs(0, at.y, at.p, &f, &at.local), 0);
    CHECK_CLOSE(f, -1 + 0.125, 1e-15);
    model_point_close(&at);
}

/* A choice inside what another is about: both roots are passed, and y(4) is that of whole numbers of steps. */
TEST(nested_choices_below_a_root_are_passed)
{
    static const char *const values[] = {"abs((x - 2)*abs(x - 3))^1.5",
                                         "abs(sin(x)*abs(x - 2))^1.5",
                                         "sqrt(abs((x - 1)*abs(x - 3)*abs(x - 2)))"};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char text[200];
        double y[2], sens[2];
        tansy_problem problem;
        (void)snprintf(text, sizeof text,
                       "parameter k = 1\nstate x = 0.5, y = 0\nx' = 1\ny' = k*%s\n", values[k]);
        tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
        CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
        tansy_solver *const s = tansy_create(&problem, &(tansy_options){.max_step = 0.05});
        CHECK_EQUAL(tansy_solve(s, 3.5, y, sens), TANSY_OK);
        CHECK_CLOSE(sens[1], y[1], 1e-4 * y[1]); /* linear in k */
        tansy_free(s);
        tansy_model_free(m);
    }
}

/* log(x) with x < 0 under a root or a power that a condition guards: neither the edge nor the branch, in no mode. */
TEST(what_is_not_a_number_is_not_held)
{
    static const char *const values[] = {"sqrt(abs(log(x)))", "abs(log(x))^1.5", "log(abs(log(x)))",
                                         "sqrt(k*abs(asin(x - 1)))", "sqrt(max(log(x), 0) + 1)"};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (int mode = 0; mode < (k < 4 ? 2 : 1); mode++) {
            struct look const l = look(values[k], -2, k < 4 ? mode : 1);
            CHECK(isnan(l.f));
            CHECK(!isfinite(l.J) || k == 2); /* of log(u) it is du/u, u = -2.. */
        }
}
