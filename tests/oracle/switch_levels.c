/* SPDX-License-Identifier: Apache-2.0 */
/* Tanks joined by pipes, a sign(h1 - h2) sqrt(|h1 - h2|): levels that pass each other, and levels that become equal in a finite time and stay so.  The slope is
   infinite where they are equal, and h1 - h2 is then but the rounding of h1 and h2.  All methods go on at ordinary cost, and S is right. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { N = 5, NP = 6, MOST_STEPS = 2500 };

struct run {
    tansy_status status;
    size_t steps;
    double y[N], sens[NP * N];
};

/* To t, with output at so many times. */
static struct run solve_in(const char *text, tansy_options o, double t, int times)
{
    struct run r = {.status = TANSY_OK};
    tansy_problem problem;
    tansy_stats stats;
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    CHECK(problem.n <= N && problem.np <= NP);
    o.max_steps = MOST_STEPS;
    tansy_solver *const solver = tansy_create(&problem, &o);
    for (int k = 1; k <= times && r.status == TANSY_OK; k++)
        r.status = tansy_solve(solver, t * k / times, r.y, r.sens);
    if (r.status != TANSY_OK)
        printf("method %d, %g: %s\n", (int)o.method, o.rtol, tansy_message(solver));
    tansy_get_stats(solver, &stats);
    r.steps = stats.steps;
    tansy_free(solver);
    tansy_model_free(m);
    CHECK_EQUAL(r.status, TANSY_OK);
    return r;
}

static struct run solve(const char *text, tansy_options o, double t)
{
    return solve_in(text, o, t, 1);
}

static tansy_options with(int method, double rtol)
{
    return (tansy_options){.method = (tansy_method)method, .rtol = rtol, .atol = 1e-12};
}

/* d = h1 - h2, d' = q - 2a sign(d) sqrt(|d|), from -1/10 on: at T = u0/a - q/(2a^2) log(1 + 2a u0/q), u0^2 = 1/10, it passes 0 and goes to (q/2a)^2; h1 + h2 = 0.3 + q t.
   At t = 1/2 d = v^2 with t - T = -v/a - q/(2a^2) log(1 - 2a v/q), which is solved for v; its derivatives are those of the two equations. */
static void levels_at(double q, double a, double t, double *d, double *dq, double *da)
{
    double const u = sqrt(0.1), b = 2 * a * a, l = log(1 + 2 * a * u / q);
    double const T = u / a - q / b * l;
    double const t_q = -l / b + q / b * (2 * a * u / (q * q)) / (1 + 2 * a * u / q);
    double const t_a =
        -u / (a * a) + q / (a * a * a) * l - q / b * (2 * u / q) / (1 + 2 * a * u / q);
    double v = q / (2 * a) * (1 - exp(-b / q * (t - T) - 1));
    for (int k = 0; k < 50; k++) {
        double const left = 1 - 2 * a * v / q, F = -v / a - q / b * log(left) - (t - T);
        v -= F * left / (2 * v / q);
    }
    double const left = 1 - 2 * a * v / q, f_v = 2 * v / (q * left), ll = log(left);
    double const f_q = -ll / b - q / b * (2 * a * v / (q * q)) / left + t_q;
    double const f_a = v / (a * a) + q / (a * a * a) * ll + q / b * (2 * v / q) / left + t_a;
    *d = v * v;
    *dq = -2 * v * f_q / f_v;
    *da = -2 * v * f_a / f_v;
}

TEST(levels_pass_each_other)
{
    static const char text[] = "parameter q = 0.02, a = 1\nstate h1 = 0.1, h2 = 0.2\n"
                               "let f = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
                               "h1' = q - f\nh2' = f\ntime 0 .. 2\n";
    double const t = 0.3;
    double d = 0, dq = 0, da = 0;
    levels_at(0.02, 1, t, &d, &dq, &da);
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int digits = 6; digits <= 10; digits += 2) {
            tansy_options const o = with(method, pow(10, -digits));
            struct run const r = solve(text, o, t);
            CHECK_CLOSE(r.y[0] - r.y[1], d, 100 * o.rtol);
            CHECK_CLOSE(r.sens[0], (t + dq) / 2, 100 * o.rtol);
            CHECK_CLOSE(r.sens[1], (t - dq) / 2, 100 * o.rtol);
            CHECK_CLOSE(r.sens[2], da / 2, 100 * o.rtol);
        }
}

/* The same, output while they pass: d depends on t - T and q, so that S of d is -d' dT/dq but for terms of t - T; whatever leads over the root, there is output at any time. */
TEST(there_is_output_while_levels_pass_each_other)
{
    static const char text[] = "parameter q = 0.02, a = 1\nstate h1 = 0.1, h2 = 0.2\n"
                               "let f = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
                               "h1' = q - f\nh2' = f\ntime 0 .. 2\n";
    double const q = 0.02, z = 2 * sqrt(0.1) / q, l = log(1 + z);
    double const T = sqrt(0.1) - q / 2 * l, delay = -l / 2 + z / (2 * (1 + z));
    tansy_problem problem;
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test");
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int digits = 3; digits <= 6; digits++) {
            tansy_options const o = with(method, pow(10, -digits));
            tansy_solver *const solver = tansy_create(&problem, &o);
            for (int k = -400; k <= 400; k++) {
                double const t = T + 1e-7 * k, width = fabs(t - T) + 100 * o.rtol;
                double y[2] = {0}, sens[4] = {0};
                CHECK_EQUAL(tansy_solve(solver, t, y, sens), TANSY_OK);
                double const d = y[0] - y[1], flow = copysign(sqrt(fabs(d)), d);
                CHECK_CLOSE(y[0] + y[1], 0.3 + q * t, 100 * o.rtol);
                CHECK_CLOSE(sens[0] + sens[1], t, 100 * o.rtol);
                CHECK_CLOSE(sens[0] - sens[1], -(q - 2 * flow) * delay, width);
            }
            tansy_free(solver);
        }
    tansy_model_free(m);
}

/* Tanks of areas A and B: h = (A h10 + B h20)/(A + B) from 2 sqrt(h10 - h20)/(a (1/A + 1/B)) on. */
TEST(levels_become_equal_and_stay_so)
{
    static const char text[] =
        "parameter a = %g, A = 1, B = 3, h10 = 2, h20 = 0.5\nstate h1 = h10, h2 = h20\n"
        "let q = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\nh1' = -q/A\nh2' = q/B\ntime 0 .. 20\n";
    static const double right[] = {0, (2 - 0.875) / 4, (0.5 - 0.875) / 4, 0.25, 0.75};
    char model[sizeof text + 20];
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int k = 0; k < 8; k++) {
            tansy_options o = with(method, k % 2 ? 1e-6 : 1e-8);
            (void)snprintf(model, sizeof model, text, 0.3 + 0.13 * k);
            struct run const r = solve(model, o, 20);
            CHECK_CLOSE(r.y[0], 0.875, 100 * o.rtol);
            CHECK_CLOSE(r.y[1], 0.875, 100 * o.rtol);
            for (size_t x = 0; x < 10; x++) CHECK_CLOSE(r.sens[x], right[x / 2], 100 * o.rtol);
            o.sensitivities = TANSY_NONE;
            struct run const alone = solve(model, o, 20);
            CHECK_CLOSE(alone.y[0], 0.875, 100 * o.rtol);
        }
}

/* The levels are equal when a flow into one of the tanks begins at t1 = 6: d' = q - 2 a sqrt(d), as above from 0 on, so that d(t) depends on t - t1. */
TEST(levels_at_rest_go_on_when_a_pump_starts)
{
    static const char text[] = "parameter a = 0.5, q = 0.2, t1 = 6\nstate h1 = 2, h2 = 0.5\n"
                               "let f = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
                               "h1' = -f%s\nh2' = f%s\ntime 0 .. 10\n";
    static const char pump[] = " + (if time > t1 then q else 0)";
    char model[sizeof text + sizeof pump];
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int second = 0; second < 2; second++) {
            tansy_options const o = with(method, 1e-7);
            (void)snprintf(model, sizeof model, text, second ? "" : pump, second ? pump : "");
            struct run const r = solve(model, o, 6.5);
            double const sign = second ? -1 : 1;
            double const d = sign * (r.y[0] - r.y[1]), rate = 0.2 - sqrt(d);
            CHECK_CLOSE(r.y[0] + r.y[1], 2.6, 100 * o.rtol);
            CHECK_CLOSE(r.sens[4] - r.sens[5], -sign * rate, 100 * o.rtol);
            CHECK_CLOSE(r.sens[4] + r.sens[5], -0.2, 100 * o.rtol);
            CHECK_CLOSE(-2 * sqrt(d) - 0.4 * log(1 - 5 * sqrt(d)), 0.5, 1000 * o.rtol);
        }
}

/* The same from equal levels on: nothing moves them before t1, for any parameter. */
TEST(levels_that_start_equal_wait_for_the_pump)
{
    static const char text[] = "parameter a = 0.5, q = 0.2, t1 = 2\nstate h1 = 1.3, h2 = 1.3\n"
                               "let f = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
                               "h1' = -f + (if time > t1 then q else 0)\nh2' = f\ntime 0 .. 4\n";
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_options const o = with(method, 1e-7);
        struct run const rest = solve(text, o, 1), r = solve(text, o, 2.5);
        for (size_t x = 0; x < 6; x++) CHECK_CLOSE(rest.sens[x], 0, o.rtol);
        CHECK_CLOSE(rest.y[0] - rest.y[1], 0, o.rtol);
        double const d = r.y[0] - r.y[1], rate = 0.2 - sqrt(d);
        CHECK_CLOSE(r.y[0] + r.y[1], 2.7, 100 * o.rtol);
        CHECK_CLOSE(r.sens[4] - r.sens[5], -rate, 100 * o.rtol);
        CHECK_CLOSE(r.sens[2] + r.sens[3], 0.5, 100 * o.rtol);
        CHECK_CLOSE(-2 * sqrt(d) - 0.4 * log(1 - 5 * sqrt(d)), 0.5, 1000 * o.rtol);
    }
}

/* Three tanks in a row that all become equal at one time: the mean of what they had, whatever the pipes. */
TEST(three_levels_become_equal_at_once)
{
    static const char text[] = "parameter a = 0.5, b = 0.4, x = 1.5, y = 0.5, z = 1\n"
                               "state h1 = x, h2 = y, h3 = z\n"
                               "let q12 = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
                               "let q23 = b*sign(h2 - h3)*sqrt(abs(h2 - h3))\n"
                               "h1' = -q12\nh2' = q12 - q23\nh3' = q23\ntime 0 .. 12\n";
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_options const o = with(method, 1e-7);
        struct run const r = solve(text, o, 12);
        for (size_t i = 0; i < 3; i++) CHECK_CLOSE(r.y[i], 1, 100 * o.rtol);
        for (size_t x = 0; x < 15; x++) CHECK_CLOSE(r.sens[x], x < 6 ? 0 : 1. / 3, 100 * o.rtol);
    }
}

/* In a triangle two levels pass each other on the way.  What flows out of one tank flows into another: sums of S are those of the initial values, at any time. */
TEST(levels_in_a_triangle_keep_the_sum)
{
    static const char text[] = "parameter a = 0.5, b = 0.4, d = 0.3, x = 1.5\n"
                               "state h1 = x, h2 = 0.5, h3 = 1.2\n"
                               "let q12 = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
                               "let q23 = b*sign(h2 - h3)*sqrt(abs(h2 - h3))\n"
                               "let q13 = d*sign(h1 - h3)*sqrt(abs(h1 - h3))\n"
                               "h1' = -q12 - q13\nh2' = q12 - q23\nh3' = q23 + q13\ntime 0 .. 12\n";
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        for (int end = 0; end < 2; end++) {
            tansy_options const o = with(method, 1e-6);
            struct run const r = solve(text, o, end ? 12 : 1.5);
            CHECK_CLOSE(r.y[0] + r.y[1] + r.y[2], 3.2, o.rtol);
            for (size_t k = 0; k < 4; k++) {
                const double *const s = r.sens + 3 * k;
                CHECK_CLOSE(s[0] + s[1] + s[2], k < 3 ? 0 : 1, o.rtol);
                for (size_t i = 0; i < 3 && end; i++)
                    CHECK_CLOSE(s[i], k < 3 ? 0 : 1. / 3, 100 * o.rtol);
            }
        }
}

/* Empty, the level has no rate at all.  From t1 on it rises by h' = q - k sqrt(h): t - t1 = -2u/k - (2q/k^2) log(1 - k u/q), u = sqrt(h). */
TEST(an_empty_tank_fills_again)
{
    static const char text[] = "parameter k = 1, t1 = 2.5, q = 0.3\nstate h = 0.5\n"
                               "h' = (if time > t1 then q else 0) - k*sqrt(max(h, 0))\n"
                               "time 0 .. 6\n";
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_options const o = with(method, 1e-6);
        struct run const r = solve(text, o, 3.5);
        double const u = sqrt(r.y[0]);
        CHECK_CLOSE(-2 * u - 0.6 * log(1 - u / 0.3), 1, 1000 * o.rtol);
        CHECK_CLOSE(r.sens[1], -(0.3 - u), 100 * o.rtol);
    }
}

/* A smooth g that comes near its threshold for ever is not followed to it: the other condition turns when it does. */
TEST(a_threshold_that_is_never_reached_holds_nothing_up)
{
    static const char text[] =
        "parameter k = 1, c = 2\nstate x = 2, u = 1, v = 0\nx' = k*(1 - x)\n"
        "u' = v\nv' = -(if u > 0 then 1 else c)*u + 0.001*%s\ntime 0 .. 60\n";
    char bounded[sizeof text + 20], free[sizeof text + 20];
    (void)snprintf(bounded, sizeof bounded, text, "max(x, 1)");
    (void)snprintf(free, sizeof free, text, "x");
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++) {
        tansy_options const o = with(method, 1e-6);
        struct run const r = solve(bounded, o, 50), right = solve(free, o, 50);
        CHECK_CLOSE(r.y[1], right.y[1], 100 * o.rtol);
        CHECK_CLOSE(r.y[2], right.y[2], 100 * o.rtol);
    }
}

/* The pipe as two branches, each with a condition of its own in max(), which stands on the same surface; levels become equal while nothing flows in, and part again as
   q max(sin(t), 0) begins to rise from 0.  Without a flow out the sum is that of the inflow, q (1 - cos(t)) + 2 q floor(t/(2 pi)), and its S too. */
TEST(levels_part_again_slowly)
{
    static const char text[] = "parameter a = 0.75, q = 0.5\nstate h1 = 2.2, h2 = 1\n"
                               "let d = h1 - h2\nlet f = if d > 0 then a*sqrt(max(d, 0)) else "
                               "-a*sqrt(max(-d, 0))\n"
                               "h1' = q*max(sin(time), 0) - f\nh2' = f\ntime 0 .. 9\n";
    static const int methods[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_ADAMS};
    double const t = 9, flow = 3 - cos(t);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int digits = 6; digits <= 8; digits += 2) {
            tansy_options const o = with(methods[m], pow(10, -digits));
            struct run const r = solve(text, o, t);
            CHECK_CLOSE(r.y[0] + r.y[1], 3.2 + 0.5 * flow, 100 * o.rtol);
            CHECK_CLOSE(r.sens[0] + r.sens[1], 0, 100 * o.rtol);
            CHECK_CLOSE(r.sens[2] + r.sens[3], flow, 100 * o.rtol);
        }
}

/* The same with an inflow q (1 + sin(2t))/2 that touches 0 at t = 3 pi/4: so does the difference of the levels, to the fourth order. */
TEST(levels_touch_each_other)
{
    static const char text[] = "parameter a = 1.36, q = 0.143\nstate h1 = 1, h2 = 2.26\n"
                               "let d = h1 - h2\nlet f = if d > 0 then a*sqrt(max(d, 0)) else "
                               "-a*sqrt(max(-d, 0))\n"
                               "h1' = q*(0.5 + 0.5*sin(2*time)) - f\nh2' = f\ntime 0 .. 5\n";
    double const t = 5, flow = t / 2 + (1 - cos(2 * t)) / 4;
    for (int k = 0; k < 40; k += TEST_STRIDE) { /* with other roundings each time */
        tansy_options const o = with(TANSY_METHOD_AUTO, 1e-6 * (1 + 1e-9 * k));
        struct run const r = solve(text, o, t);
        CHECK_CLOSE(r.y[0] + r.y[1], 3.26 + 0.143 * flow, 100 * o.rtol);
        CHECK_CLOSE(r.sens[0] + r.sens[1], 0, 100 * o.rtol);
        CHECK_CLOSE(r.sens[2] + r.sens[3], flow, 100 * o.rtol);
    }
}

/* The same with a flow out, c sqrt(h1) at c = 0, whose column moves the touching point: no method loses it in the rounding of d, nor takes more steps.  S of c is that of
   more than one method. */
TEST(levels_touch_each_other_with_a_flow_out)
{
    static const char text[] =
        "parameter a = 1.14, q = 0.023, c = 0\nstate h1 = 0.104, h2 = 0.859\n"
        "let f = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
        "h1' = q*(0.5 + 0.5*sin(2*time)) - f - c*sqrt(max(h1, 0))\n"
        "h2' = f\ntime 0 .. 5\n";
    double const t = 5, flow = t / 2 + (1 - cos(2 * t)) / 4;
    static const int methods[] = {TANSY_METHOD_AUTO, TANSY_BDF};
    for (size_t m = 0; m < 2; m++)
        for (int digits = 6; digits <= 8; digits++) {
            tansy_options o = with(methods[m], pow(10, -digits));
            o.max_step = 0.025;
            struct run const r = solve(text, o, t);
            CHECK_CLOSE(r.y[0] + r.y[1], 0.963 + 0.023 * flow, 100 * o.rtol);
            CHECK_CLOSE(r.sens[0] + r.sens[1], 0, 100 * o.rtol);
            CHECK_CLOSE(r.sens[2] + r.sens[3], flow, 100 * o.rtol);
            CHECK_CLOSE(r.sens[4], -1.726468075, 1e-5);
        }
}

/* Five tanks, of which all become equal once nothing flows in, pipes of different kinds. */
TEST(five_levels_become_equal_at_once)
{
    static const char text[] =
        "parameter a = 0.259, b = 1.26, c = 1.39, d = 0.672, q = 0.115\n"
        "state h1 = 1, h2 = 1, h3 = 1.45, h4 = 1.1, h5 = 1\n"
        "let f1 = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
        "let f2 = if h2 - h3 > 0 then b*sqrt(max(h2 - h3, 0)) else -b*sqrt(max(h3 - h2, 0))\n"
        "let f3 = c*sign(h3 - h4)*sqrt(abs(h3 - h4))\n"
        "let f4 = d*sign(h4 - h5)*abs(h4 - h5)^0.571\n"
        "h1' = -f1\nh2' = f1 - f2\nh3' = f2 - f3 + q*max(sin(time), 0)\nh4' = f3 - f4\nh5' = f4\n"
        "time 0 .. 5\n";
    static const int methods[] = {TANSY_METHOD_AUTO, TANSY_BDF};
    for (size_t m = 0; m < 2; m++)
        for (int k = 0; k < 40; k += TEST_STRIDE) { /* with other roundings each time */
            tansy_options o = with(methods[m], (k % 2 ? 1e-8 : 1e-6) * (1 + 1e-9 * k));
            o.max_step = 0.025;
            o.atol = 1e-9;
            struct run const r = solve(text, o, 5);
            for (size_t i = 0; i < 5; i++) {
                CHECK_CLOSE(r.y[i], 1.11 + 0.4 * 0.115, 100 * o.rtol);
                CHECK_CLOSE(r.sens[20 + i], 0.4, 100 * o.rtol);
                for (size_t p = 0; p < 4; p++) CHECK_CLOSE(r.sens[5 * p + i], 0, 100 * o.rtol);
            }
        }
}

/* The first level meets the second while that is driven on: a root just ahead is no rest, though the distance is but rounding.  Methods agree. */
TEST(a_level_that_passes_another_slowly_does_not_rest)
{
    static const char text[] =
        "parameter a = 1.07, b = 1.31, c = 1.09, q = 0.358, o = 0.513\n"
        "state h1 = 1, h2 = 0.175, h3 = 1, h4 = 2.1\n"
        "let f1 = a*sign(h1 - h2)*sqrt(abs(h1 - h2))\nlet f2 = b*sign(h2 - h3)*abs(h2 - h3)^0.571\n"
        "let f3 = c*sign(h3 - h4)*sqrt(abs(h3 - h4))\nh1' = -f1\nh2' = f1 - f2\n"
        "h3' = f2 - f3 - o*sqrt(max(h3, 0))\nh4' = f3 + q*(if time > 1 and time < 3 then 1 else "
        "0)\n"
        "time 0 .. 20\n";
    tansy_options o = with(TANSY_BDF, 1e-9);
    o.atol = 1e-9;
    o.max_step = 0.1;
    struct run const by_bdf = solve(text, o, 2.5);
    o.method = TANSY_ROSENBROCK;
    struct run const by_rosenbrock = solve(text, o, 2.5);
    for (size_t i = 0; i < 4; i++) CHECK_CLOSE(by_bdf.y[i], by_rosenbrock.y[i], 100 * o.rtol);
    for (size_t x = 0; x < 20; x++)
        CHECK_CLOSE(by_bdf.sens[x], by_rosenbrock.sens[x],
                    200 * o.rtol * (1 + fabs(by_bdf.sens[x])));
}

/* One that is held turns where it has no rate: whether f jumps there is looked at on another way across the surface.  Methods agree. */
TEST(levels_that_are_held_turn_without_a_rate)
{
    static const char text[] =
        "parameter a = 1.4, b = 0.331, c = 0.932, d = 1.4, q = 0.15, o = 0.381\n"
        "state h1 = 1.9, h2 = 0.651, h3 = 1, h4 = 1, h5 = 0.259\n"
        "h1' = -a*sign(h1 - h2)*sqrt(abs(h1 - h2))\n"
        "h2' = a*sign(h1 - h2)*sqrt(abs(h1 - h2)) - b*(h2 - h3)/sqrt(abs(h2 - h3) + 1e-6) "
        "- o*sqrt(max(h2, 0))\n"
        "h3' = b*(h2 - h3)/sqrt(abs(h2 - h3) + 1e-6) - c*sign(h3 - h4)*sqrt(abs(h3 - h4)) + q\n"
        "h4' = c*sign(h3 - h4)*sqrt(abs(h3 - h4)) - d*sign(h4 - h5)*sqrt(abs(h4 - h5))\n"
        "h5' = d*sign(h4 - h5)*sqrt(abs(h4 - h5))\ntime 0 .. 20\n";
    tansy_options o = {.method = TANSY_ROSENBROCK, .rtol = 1e-6, .atol = 1e-9, .max_step = 0.1};
    struct run const by_rosenbrock = solve_in(text, o, 20, 30);
    o.method = TANSY_BDF;
    struct run const by_bdf = solve_in(text, o, 20, 30);
    for (size_t x = 0; x < N * NP; x++)
        CHECK_CLOSE(by_bdf.sens[x], by_rosenbrock.sens[x],
                    100 * o.rtol * (1 + fabs(by_bdf.sens[x])));
}
