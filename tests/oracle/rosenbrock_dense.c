/* SPDX-License-Identifier: Apache-2.0 */
/* Output inside the steps of Rosenbrock formulas, and switches located there, where components follow others or t at once: algebraic and
   very stiff ones, whose errors the embedded estimates do not see.  By closed forms, in the norm of docs/design.md section 12. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "support/model_solution.h"
#include "test.h"

enum { TIMES = 37, MOST = 2 };
static const double floor_share = 1e-2; /* atol/rtol */

/* A problem with one parameter: y and dy/dp at t. */
struct follower {
    const char *name, *text;
    double p, end;
    void (*solution)(double t, double y[MOST], double s[MOST]);
};

static void sine(double t, double y[MOST], double s[MOST])
{
    y[0] = 0.3 - 1.63 * t;
    y[1] = sin(y[0]);
    s[0] = -t;
    s[1] = -t * cos(y[0]);
}

static void forced(double t, double y[MOST], double s[MOST])
{
    y[0] = exp(-0.1 * t);
    y[1] = y[0] * sin(3 * t);
    s[0] = -0.1 * t * y[0];
    s[1] = s[0] * sin(3 * t);
}

static void robinson(double t, double y[MOST], double s[MOST])
{
    y[0] = 0.3 - 1.63 * t;
    y[1] = sin(y[0]) + cos(t);
    s[0] = -t;
    s[1] = -t * cos(y[0]);
}

#define ROBINSON(L)                                                                                \
    "parameter w = 1.63\nstate x = 0.3, z = sin(0.3) + 1\nx' = -w\n"                               \
    "z' = -" L "*(z - sin(x) - cos(time)) - w*cos(x) - sin(time)\n"

static const struct follower followers[] = {
    {"z = sin(x)", "parameter w = 1.63\nstate x = 0.3\nalgebraic z = 0\nx' = -w\n0 = z - sin(x)\n",
     1.63, 10, sine},
    {"z = x sin(3t)",
     "parameter k = 1\nstate x = 1\nalgebraic z = 0\nx' = -0.1*k*x\n0 = z - x*sin(3*time)\n", 1, 10,
     forced},
    {"L = 1e4", ROBINSON("1e4"), 1.63, 10, robinson},
    {"L = 1e6", ROBINSON("1e6"), 1.63, 10, robinson},
    {"L = 1e8", ROBINSON("1e8"), 1.63, 10, robinson},
    {"L = 1e10", ROBINSON("1e10"), 1.63, 10, robinson}};
enum { ALGEBRAIC = 2, FOLLOWERS = sizeof followers / sizeof *followers };

/* The largest error so far, of y and of p dy/dp, in units of rtol. */
struct errors {
    double y, s;
};

static void compare(const struct follower *it, double rtol, double t, const double *y,
                    const double *s, struct errors *e)
{
    double right[MOST], slope[MOST];
    it->solution(t, right, slope);
    for (int i = 0; i < MOST; i++) {
        double const size = i == 0 && it->solution != forced ? 1e-3 * 1.63 * it->end : 1e-3;
        double const least = fmax(floor_share, size), p = it->p;
        double const apart = fabs(y[i] - right[i]) / (fabs(right[i]) + least);
        e->y = fmax(e->y, isfinite(y[i]) ? apart / rtol : HUGE_VAL);
        if (!s) continue;
        double const off = fabs(s[i] - slope[i]) * p / (fabs(slope[i]) * p + least);
        e->s = fmax(e->s, isfinite(s[i]) ? off / rtol : HUGE_VAL);
    }
}

/* On a grid that steps know nothing of, to `direction` end. */
static struct errors on_grid(const struct follower *it, const tansy_options *options,
                             double direction)
{
    tansy_problem problem;
    tansy_model *const model = model_of_text(it->text, &problem);
    tansy_solver *const s = tansy_create(&problem, options);
    struct errors e = {0, 0};
    for (int k = 1; k <= TIMES; k++) {
        double const t = direction * it->end * k / TIMES;
        double y[MOST], sens[MOST];
        tansy_status const status = tansy_solve(s, t, y, sens);
        if (status != TANSY_OK) printf("%s\n", tansy_message(s));
        CHECK_EQUAL(status, TANSY_OK);
        compare(it, options->rtol, t, y, sens, &e);
    }
    tansy_free(s);
    tansy_model_free(model);
    return e;
}

static void check(const struct follower *it, const tansy_options *o, struct errors e, bool columns)
{
    bool const held = e.y <= 100 && (!columns || e.s <= 100);
    if (!held)
        printf("%s, formula %d, rtol %g, S by %d, second %d, control %d, substeps %d\n", it->name,
               (int)o->formula, o->rtol, (int)o->sensitivities, (int)o->second_derivatives,
               (int)o->error_control, o->substeps);
    CHECK_AT_MOST(e.y, 100);
    if (columns) CHECK_AT_MOST(e.s, 100);
}

static tansy_options options_of(int formula, int digits)
{
    double const rtol = pow(10, -digits);
    return (tansy_options){.method = TANSY_ROSENBROCK,
                           .formula = (tansy_formula)formula,
                           .rtol = rtol,
                           .atol = floor_share * rtol};
}

/* Every formula; GRK4A and GRK4T make steps by the thousand for stiff components where errors are to be small. */
TEST(output_inside_steps_keeps_the_promise_for_components_that_follow)
{
    for (int formula = TANSY_RODAS5P; formula <= TANSY_GRK4T; formula++)
        for (int digits = TEST_STRIDE > 1 ? 5 : 3; digits <= 7; digits += TEST_STRIDE)
            for (int k = 0; k < (formula < TANSY_GRK4A ? FOLLOWERS : ALGEBRAIC); k++) {
                tansy_options const o = options_of(formula, digits);
                check(&followers[k], &o, on_grid(&followers[k], &o, 1), true);
                if (k < ALGEBRAIC) check(&followers[k], &o, on_grid(&followers[k], &o, -1), true);
            }
}

/* The ways to S and the kinds of error test. With the state alone tested S follows what it needs. */
TEST(all_ways_to_s_keep_the_promise_inside_steps)
{
    for (int formula = TANSY_RODAS5P; formula <= TANSY_RODAS4; formula++)
        for (int way = 0; way < 7; way++)
            for (int k = 0; k < FOLLOWERS; k++) {
                tansy_options o = options_of(formula, way == 1 ? 4 : 5);
                if (way == 0) o.sensitivities = TANSY_DIFFERENCE;
                if (way == 1) o.second_derivatives = TANSY_SECOND_NEGLECTED;
                if (way == 2) o.error_control = TANSY_STATE_ONLY;
                if (way == 3) o.error_control = TANSY_ALL_AS_ONE;
                if (way == 4) o.norm = TANSY_MAX;
                if (way == 5) o.substeps = 2;
                if (way == 6) o.residual = TANSY_MATRIX;
                check(&followers[k], &o, on_grid(&followers[k], &o, 1), way != 2);
            }
}

/* What tansy_at() gives in every step of tansy_step(), as long as S = -t cos(x) is of the size of its floor: it vanishes in many places. */
TEST(every_step_of_tansy_step_is_right_inside)
{
    for (int formula = TANSY_RODAS5P; formula <= TANSY_RODAS4; formula++)
        for (int k = 0; k < FOLLOWERS; k++) {
            tansy_options const o = options_of(formula, 5);
            tansy_problem problem;
            tansy_model *const model = model_of_text(followers[k].text, &problem);
            tansy_solver *const s = tansy_create(&problem, &o);
            struct errors e = {0, 0};
            double y[MOST], sens[MOST], from = 0;
            while (from < 3) {
                CHECK_EQUAL(tansy_step(s, followers[k].end, y, sens), TANSY_OK);
                for (int j = 1; j < 16; j++) {
                    double const t = from + (tansy_time(s) - from) * j / 16;
                    CHECK_EQUAL(tansy_at(s, t, y, NULL, sens, NULL), TANSY_OK);
                    compare(&followers[k], o.rtol, t, y, sens, &e);
                }
                from = tansy_time(s);
            }
            check(&followers[k], &o, e, true);
            tansy_free(s);
            tansy_model_free(model);
        }
}

/* B y' = f whose singular B has no row of zeros: x' = -p, x' = -p + z - sin(x); nothing but f and B is given.  (GRK4A and
   GRK4T refuse it.) */
static int coupled(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0];
    f[1] = -p[0] + y[1] - sin(y[0]);
    return 0;
}

static int coupled_mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = B[2] = 1;
    B[1] = B[3] = 0;
    return 0;
}

TEST(linearly_implicit_equations_are_right_inside_steps)
{
    double const y0[] = {0.3, sin(0.3)}, p = 1.63;
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = &p, .rhs = coupled, .mass = coupled_mass};
    for (int formula = TANSY_RODAS5P; formula <= TANSY_RODAS4; formula++)
        for (int digits = 3; digits <= 6; digits += TEST_STRIDE) {
            tansy_options const o = options_of(formula, digits);
            tansy_solver *const s = tansy_create(&problem, &o);
            struct errors e = {0, 0};
            for (int k = 1; k <= TIMES; k++) {
                double y[MOST], sens[MOST];
                CHECK_EQUAL(tansy_solve(s, 10.0 * k / TIMES, y, sens), TANSY_OK);
                compare(&followers[0], o.rtol, 10.0 * k / TIMES, y, sens, &e);
            }
            check(&followers[0], &o, e, true);
            tansy_free(s);
        }
}

/* n counts the time in which sin(x) > c, x = 0.3 - t: in (-100, 0.3) that is acos(c) on both sides of -3/2 pi - 2 pi m, m = 0 .. 15, twice
   acos(c) each; dn/dc = -32/sqrt(1 - c^2).  In the stiff form z
   follows sin(x), and f, which dn/dc is found by, multiplies its error by L. */
TEST(no_switch_of_a_component_that_follows_is_missed)
{
    static const char *const text[] = {
        "parameter c = 0.9\nstate x = 0.3, n = 0\nalgebraic z = 0\nx' = -1\n"
        "n' = if z > c then 1 else 0\n0 = z - sin(x)\n",
        "parameter c = 0.9\nstate x = 0.3, n = 0, z = sin(0.3)\nx' = -1\n"
        "n' = if z > c then 1 else 0\nz' = -1e3*(z - sin(x)) - cos(x)\n"};
    double const n = 32 * acos(0.9), slope = -32 / sqrt(1 - 0.81);
    for (int formula = TANSY_RODAS5P; formula <= TANSY_RODAS4; formula++)
        for (int k = 0; k < 2; k++) {
            tansy_options const o = options_of(formula, 6);
            tansy_problem problem;
            tansy_model *const model = model_of_text(text[k], &problem);
            tansy_solver *const s = tansy_create(&problem, &o);
            tansy_stats stats;
            double y[3], sens[3];
            CHECK_EQUAL(tansy_solve(s, 100, y, sens), TANSY_OK);
            tansy_get_stats(s, &stats);
            CHECK_EQUAL(stats.switches, 32);
            CHECK_CLOSE(y[1], n, 100 * o.rtol * n);
            if (k == 0) CHECK_CLOSE(sens[1], slope, 100 * o.rtol * -slope);
            tansy_free(s);
            tansy_model_free(model);
        }
}

/* Looks are made by the thread that has the panel. */
TEST(threads_change_nothing_inside_steps)
{
    static const char text[] =
        "parameter a[1..40] = 1\nstate x = 0.3\nalgebraic z = 0\nx' = -sum(i in 1..40: a[i])/40\n"
        "0 = z - sin(3*x)\n";
    static double one[TIMES][2 * 40], other[TIMES][2 * 40];
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    for (int threads = 1; threads <= 3; threads += 2) {
        tansy_options o = options_of(TANSY_RODAS5P, 5);
        o.threads = threads;
        tansy_solver *const s = tansy_create(&problem, &o);
        for (int k = 0; k < TIMES; k++)
            CHECK_EQUAL(tansy_solve(s, 0.2 * (k + 1), NULL, threads == 1 ? one[k] : other[k]),
                        TANSY_OK);
        tansy_free(s);
    }
    for (int k = 0; k < TIMES; k++) {
        for (int j = 0; j < 2 * 40; j++) CHECK(one[k][j] == other[k][j]);
        double const t = 0.2 * (k + 1), right = -3 * t / 40 * cos(3 * (0.3 - t));
        CHECK_CLOSE(one[k][1], right, 100 * 1e-5 * (fabs(right) + floor_share));
    }
    tansy_model_free(model);
}
