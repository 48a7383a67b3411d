/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on variables that jump, in closed form: algebraic variables, and combinations of others that constraints fix, jump
   at break times and where other conditions turn.  What turns with them turns at that time, which moves with p as its cause does:
   not at all with a break. */
#include <tansy/tansy.h>

#include <math.h>

#include "support/model_solution.h"
#include "test.h"

enum { METHODS = 2 };
static const double rtol = 1e-6, promise = 1e-4; /* 100 rtol */
static const tansy_method methods[METHODS] = {TANSY_DASSL, TANSY_ROSENBROCK};

struct result {
    tansy_status status;
    size_t switches;
    double y[SOLUTION_MOST], sens[SOLUTION_MOST][SOLUTION_MOST];
};

/* From t0 to t, and where back > 0, anew from there to `back`. */
static struct result solve(const char *text, tansy_method method, double t, double back)
{
    struct result r = {.switches = 0};
    double sens[SOLUTION_MOST * SOLUTION_MOST];
    tansy_problem problem;
    tansy_stats stats;
    tansy_model *const model = model_of_text(text, &problem);
    tansy_options const o = {.method = method, .rtol = rtol, .atol = 1e-9, .max_step = 0.05};
    tansy_solver *const s = tansy_create(&problem, &o);
    r.status = tansy_solve(s, t, r.y, sens);
    if (back > 0) {
        CHECK_EQUAL(tansy_restart(s, t, r.y, NULL, sens), TANSY_OK);
        r.status = tansy_solve(s, back, r.y, sens);
    }
    tansy_get_stats(s, &stats);
    r.switches = stats.switches;
    model_solution_columns(&problem, sens, r.sens);
    tansy_free(s);
    tansy_model_free(model);
    return r;
}

/* Row i and its columns. */
static void check_row(const struct result *r, size_t i, double y, size_t columns,
                      const double *sens)
{
    CHECK_EQUAL(r->status, TANSY_OK);
    CHECK_CLOSE(r->y[i], y, promise * (fabs(y) + 1e-3));
    for (size_t k = 0; k < columns; k++)
        CHECK_CLOSE(r->sens[k][i], sens[k], promise * (fabs(sens[k]) + 1e-3));
}

TEST(a_combination_of_differential_variables_jumps_at_a_break)
{
    static const char text[] = "parameter k = 0.5, w0 = 2\n"
                               "control u = {0.4, 1} piecewise constant on 0..2 by 2\n"
                               "state x = (w0 + u[1])/2, y = (w0 - u[1])/2, q = 0\n"
                               "x' + y' = k*(x + y - 1)\n0 = x - y - u\n"
                               "q' = if x > 1.7 then 1 else 0\ntime 0..2\n";
    double const e = exp(1); /* 2 k = 1; x + y = 1 + (w0 - 1) exp(k t) */
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve(text, methods[m], 2, 0);
        check_row(&r, 2, 1, 4, (double[]){0, 0, 0, 0});
        check_row(&r, 0, (2 + e) / 2, 4, (double[]){e, e / 2, 0, 0.5});
        CHECK_EQUAL(r.switches, 1);
    }
}

TEST(an_algebraic_variable_jumps_at_a_break)
{
    static const char text[] = "parameter a = 1, b = 0.2, c = 0.9\n"
                               "control u = {0.5, 1.5} piecewise constant on 0..2 by 2\n"
                               "state y = 0\nalgebraic z = 0\n0 = z - u + 0.1*time\n"
                               "y' = if z > c then a else b\ntime 0..2\n";
    for (int m = 0; m < METHODS; m++) {
        struct result r = solve(text, methods[m], 2, 0);
        check_row(&r, 0, 1.2, 5, (double[]){1, 1, 0, 0, 0});
        r = solve(text, methods[m], 2, 0.5); /* and back over it */
        check_row(&r, 0, 0.1, 5, (double[]){0, 0.5, 0, 0, 0});
    }
}

TEST(a_kink_in_a_variable_that_jumps)
{
    static const char text[] =
        "parameter c = 0.9\n"
        "control u = {0.5, 1.5} piecewise constant on 0..2 by 2\n"
        "state y = 0\nalgebraic z = 0\n0 = z - u\ny' = max(z, c)\ntime 0..2\n";
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve(text, methods[m], 2, 0);
        check_row(&r, 0, 2.4, 3, (double[]){1, 0, 1});
    }
}

/* z reaches 1.2 by jumps up and down alone, w by the jump that z > c makes. */
TEST(one_jump_makes_another_at_breaks)
{
    static const char text[] =
        "parameter a = 1, b = 0.2, c = 0.9, d = 0.6\n"
        "control u = {0.3, 0.6, 1.2, 0.7} piecewise constant on 0..4 by 4\n"
        "state y = 0, q = 0\nalgebraic z = 0, w = 0\n0 = z - u - 0.01*time\n"
        "0 = w - 0.02*time - (if z > c then a else 0)\ny' = if w > d then a else b\n"
        "q' = if z > c then w else 0\ntime 0..4\n";
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve(text, methods[m], 4, 0);
        check_row(&r, 0, 1.6, 8, (double[]){1, 3, 0, 0, 0, 0, 0, 0});
        check_row(&r, 1, 1.05, 8, (double[]){1, 0, 0, 0, 0, 0, 0, 0});
        CHECK_EQUAL(r.switches, 4);
    }
}

/* z passes c by the jump that x > e makes, at T = e/k: y = b T + a (t - T). */
static const double e_value = 0.899, a_value = 1, b_value = 0.2;

static void check_led(const struct result *r, size_t row)
{
    double const T = e_value, jump = b_value - a_value;
    check_row(r, row, b_value * T + a_value * (2 - T), 5, (double[]){2 - T, T, 0, jump, -jump * T});
}

TEST(an_algebraic_variable_jumps_when_another_condition_turns)
{
    static const char text[] = "parameter a = 1, b = 0.2, c = 0.9, e = 0.899, k = 1\n"
                               "state x = 0, y = 0\nalgebraic z = 0\nx' = k\n"
                               "0 = z - x - (if x > e then 0.002 else 0)\n"
                               "y' = if z > c then a else b\ntime 0..2\n";
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve(text, methods[m], 2, 0);
        check_led(&r, 1);
        CHECK_EQUAL(r.switches, 2);
    }
}

/* The same from C, as F = 0 and B y' = f, with no derivatives given: p = (a, b, c, e, k), modes of z > c and x > e. */
static int right(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[4];
    f[1] = p[5] != 0 ? p[0] : p[1];
    f[2] = y[2] - y[0] - (p[6] != 0 ? 0.002 : 0);
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    right(t, y, p, F, context);
    F[0] -= yp[0];
    F[1] -= yp[1];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = B[4] = 1;
    return 0;
}

static int sides(double t, const double *y, const double *p, double *g, void *context)
{
    (void)t, (void)context;
    g[0] = y[2] - p[2];
    g[1] = y[0] - p[3];
    return 0;
}

TEST(the_same_holds_from_c_in_both_forms)
{
    static const double p[] = {1, 0.2, 0.9, 0.899, 1}, y0[] = {0, 0, 0};
    for (int form = 0; form < 2; form++) {
        tansy_problem problem = {
            .n = 3, .np = 5, .y0 = y0, .p = p, .switches = 2, .switch_function = sides};
        if (form) {
            problem.rhs = right;
            problem.mass = mass;
        } else
            problem.residual = residual;
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.method = TANSY_DASSL, .rtol = rtol, .atol = 1e-9});
        struct result r = {.switches = 0};
        double sens[5 * 3];
        r.status = tansy_solve(s, 2, r.y, sens);
        model_solution_columns(&problem, sens, r.sens);
        check_led(&r, 1);
        tansy_free(s);
    }
}

/* Guesses of algebraic variables say nothing about the side of a condition: z = 2 from the start. */
TEST(conditions_at_the_start_are_those_of_consistent_values)
{
    static const char text[] = "parameter a = 1, b = 0.2, c = 0.9\nstate y = 0\n"
                               "algebraic z = 0\n0 = z - 2 - time\ny' = if z > c then a else b\n"
                               "time 0..2\n";
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve(text, methods[m], 2, 0);
        check_row(&r, 0, 2, 3, (double[]){2, 0, 0});
        CHECK_EQUAL(r.switches, 0);
    }
}

/* z > 1 takes z below 1. */
TEST(a_condition_that_makes_its_variable_jump_back_is_refused)
{
    static const char text[] = "parameter k = 1\nstate x = 0.3\nalgebraic z = 0.3\nx' = k\n"
                               "0 = z - x + (if z > 1 then 1 else 0)\ntime 0..2\n";
    for (int m = 0; m < METHODS; m++)
        CHECK_EQUAL(solve(text, methods[m], 2, 0).status, TANSY_SLIDING);
    static const char start[] = "parameter k = 1\nstate x = 1.3\nalgebraic z = 0.3\nx' = k\n"
                                "0 = z - x + (if z > 1 then 1 else 0)\ntime 0..2\n";
    tansy_problem problem;
    tansy_model *const model = model_of_text(start, &problem);
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "contradict each other at t0");
    tansy_free(s);
    tansy_model_free(model);
}

/* z = x but for errors from t = 0.5 on: y = 1 - exp(-t). */
TEST(conditions_that_are_equal_but_for_errors_do_not_slide)
{
    static const char text[] = "parameter k = 1\nstate x = k, y = 0\nalgebraic z = 2\nx' = -x\n"
                               "0 = z^3 - (if time < 0.5 then x + 1 else x)^3\n"
                               "y' = min(z, x)\ntime 0..2\n";
    for (int m = 0; m < METHODS; m++) {
        struct result const r = solve(text, methods[m], 2, 0);
        check_row(&r, 1, 1 - exp(-2), 1, (double[]){1 - exp(-2)});
    }
}

/* The pendulum of index 2, with a condition on its multiplier; the explicit form has l = (u^2 + v^2 - g y)/(x^2 + y^2). */
#define PENDULUM                                                                                   \
    "parameter g = 9.81, c = 10\nstate x1 = 0.6, x2 = -0.8, x3 = 0, x4 = 0, y = 0\n"               \
    "x1' = x3\nx2' = x4\nx3' = -x1*l\nx4' = -x2*l - g\ny' = if l > c then 1 else 0.1\ntime 0..2\n"

TEST(a_condition_on_a_multiplier_of_index_2)
{
    static const char implicit[] = PENDULUM "algebraic l = 8\n0 = x1*x3 + x2*x4\n";
    static const char explicit[] = PENDULUM "let l = (x3^2 + x4^2 - g*x2)/(x1^2 + x2^2)\n";
    static const double times[] = {0.3, 0.6, 1, 1.5, 2};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        struct result const r = solve(implicit, TANSY_DASSL, times[k], 0);
        struct result const want = solve(explicit, TANSY_BDF, times[k], 0);
        check_row(&r, 4, want.y[4], 2, (double[]){want.sens[0][4], want.sens[1][4]});
        CHECK_EQUAL(r.switches, want.switches);
    }
}

/* h = (sqrt(h0) - k t/2)^2 until 2 sqrt(h0)/k, then 0; v = h0 - h. */
TEST(a_tank_that_runs_empty_stays_empty)
{
    static const char text[] = "parameter k = 1, h0 = 1\nstate h = h0, v = 0\n"
                               "h' = if h > 0 then -k*sqrt(h) else 0\n"
                               "v' = if h > 0 then k*sqrt(h) else 0\ntime 0..3\n";
    static const tansy_method all[] = {TANSY_ADAMS, TANSY_BDF, TANSY_DASSL, TANSY_RK8,
                                       TANSY_ROSENBROCK};
    for (int m = 0; m < 5; m++) {
        struct result const r = solve(text, all[m], 3, 0);
        check_row(&r, 0, 0, 2, (double[]){0, 0});
        check_row(&r, 1, 1, 2, (double[]){0, 1});
    }
}
