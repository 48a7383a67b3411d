/* SPDX-License-Identifier: Apache-2.0 */
/* The batch reactor as it is printed (Maly and Petzold 1996, LIMEX report): equilibria as quotients, 0 = u8 - p7 u1/(p7 + u7), which have
   a pole at u7 = -p7 = -4e-11 beside u7 = 8e-6 .. 1e-8.  F alone, without a derivative, automatic absolute tolerances. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "support/accuracy.h"
#include "support/model_solution.h"
#include "test.h"

enum { N = 10, NP = 8 };
static const double catalyst = 0.0131,
                    p0[NP] = {21.893, 2.14e9, 32.318, 21.893, 1.07e9, 7.65e-18, 4.03e-11, 5.32e-18};

static int printed(double t, const double *u, const double *up, const double *p, double *F,
                   void *context)
{
    (void)t, (void)context;
    double const a = p[0] * u[1] * u[5] - p[1] * u[9], b = p[2] * u[1] * u[7];
    double const c = p[3] * u[3] * u[5] - p[4] * u[8];
    F[0] = up[0] + b;
    F[1] = up[1] + a + b;
    F[2] = up[2] - b - c;
    F[3] = up[3] + c;
    F[4] = up[4] - a;
    F[5] = up[5] + a + c;
    F[6] = -catalyst + u[5] + u[7] + u[8] + u[9] - u[6];
    F[7] = u[7] - p[6] * u[0] / (p[6] + u[6]);
    F[8] = u[8] - p[7] * u[2] / (p[7] + u[6]);
    F[9] = u[9] - p[5] * u[4] / (p[5] + u[6]);
    return 0;
}

/* y(t0) as the papers have it, from p. */
static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    static const double start[6] = {1.5776, 8.32, 0, 0, 0, 0.0131};
    for (size_t i = 0; i < N; i++) y0[i] = i < 6 ? start[i] : 0;
    y0[6] = y0[7] = 0.5 * (sqrt(p[6] * p[6] + 4 * p[6] * start[0]) - p[6]);
    return 0;
}

/* NULL: F alone. */
static struct accuracy solve(const tansy_problem *model, const tansy_options *o)
{
    static const tansy_problem alone = {
        .n = N, .np = NP, .p = p0, .residual = printed, .initial = initial};
    struct oracle oracle;
    oracle_open("batch_reactor", &oracle);
    struct accuracy const a = oracle_measure_form(&oracle, model ? model : &alone, o);
    oracle_close(&oracle);
    return a;
}

static bool is_right(const struct accuracy *a, double rtol)
{
    return a->status == TANSY_OK && fmax(a->state, a->columns) <= 100 * rtol;
}

static size_t wrong(tansy_difference difference, int digits)
{
    static const char *const formula[] = {"auto", "forward", "central", "fourth"};
    size_t broken = 0;
    for (int c = TANSY_SIMULTANEOUS; c <= TANSY_DIRECT; c++) {
        tansy_options const o = {.sensitivities = (tansy_sensitivities)c,
                                 .difference = difference,
                                 .rtol = pow(10, -digits)};
        struct accuracy const a = solve(NULL, &o);
        if (is_right(&a, o.rtol)) continue;
        printf("corrector %d, %s, rtol 1e-%d: status %d, errors %.3g, %.3g; %s\n", c,
               formula[difference], digits, (int)a.status, a.state, a.columns, a.message);
        broken++;
    }
    return broken;
}

/* The size of u7 is that of its beginning.  A linear step of the first moment, u8 growing from 8e-6 to 3e-3 and u7 by as much, made it 400
   times larger, and increments by atol/rtol = 1e-3 of that went over the pole: 6 of these 12 runs failed, and all of the fourth order. */
TEST(F_alone_is_right_by_the_automatic_choice)
{
    for (int digits = 5; digits <= 8; digits++)
        CHECK_EQUAL(wrong(TANSY_DIFFERENCE_AUTO, digits), 0);
}

TEST(F_alone_is_right_by_central_differences)
{
    for (int digits = 5; digits <= 8; digits++) CHECK_EQUAL(wrong(TANSY_CENTRAL, digits), 0);
}

TEST(F_alone_is_right_by_fourth_order_differences)
{
    for (int digits = 5; digits <= 8; digits++) CHECK_EQUAL(wrong(TANSY_FOURTH_ORDER, digits), 0);
}

/* Forward differences are rounding below: charge balance terms of 1e-2 are rounded by 1e-18, u7 = 1e-8 is moved by 1.5e-16, and du10/du7 passes on
   1e-18/1.5e-8/3e4 = 2e-15 of u7, 2e-7 of it, to u10.  They stop then, and the message names the differences. */
TEST(F_alone_is_right_by_forward_differences_or_they_are_named)
{
    CHECK_EQUAL(wrong(TANSY_FORWARD, 5), 0);
    for (int digits = 6; digits <= 8; digits++)
        for (int c = TANSY_SIMULTANEOUS; c <= TANSY_DIRECT; c++) {
            tansy_options const o = {.sensitivities = (tansy_sensitivities)c,
                                     .difference = TANSY_FORWARD,
                                     .rtol = pow(10, -digits),
                                     .max_steps = 3000};
            struct accuracy const a = solve(NULL, &o);
            if (a.status == TANSY_OK)
                CHECK(is_right(&a, o.rtol));
            else
                CHECK_TEXT_CONTAINS(a.message, "difference");
        }
}

/* An atol of rtol allows u7, which falls to 5e-9, errors of 1e-7: over the pole. */
TEST(a_run_that_is_stopped_by_its_atol_says_so)
{
    struct accuracy const a = solve(NULL, &(tansy_options){.rtol = 1e-7, .atol = 1e-7});
    CHECK(a.status < 0);
    CHECK_TEXT_CONTAINS(a.message, "is below its atol of 1e-07, and errors of that are not seen");
    CHECK_TEXT_CONTAINS(a.message, "try atol = auto");
}

/* The same as a model: by the default, and by every method that solves it, at every tolerance. */
TEST(the_printed_model_is_right_by_every_method)
{
    static const char text[] =
        "parameter p1 = 21.893, p2 = 2.14e9, p3 = 32.318, p4 = 21.893, p5 = 1.07e9\n"
        "parameter p6 = 7.65e-18, p7 = 4.03e-11, p8 = 5.32e-18\n"
        "state u1 = 1.5776, u2 = 8.32, u3 = 0, u4 = 0, u5 = 0, u6 = 0.0131\n"
        "algebraic u7 = 8e-6, u8 = 8e-6, u9 = 0, u10 = 0\n"
        "u1' = -p3*u2*u8\nu2' = -p1*u2*u6 + p2*u10 - p3*u2*u8\n"
        "u3' = p3*u2*u8 + p4*u4*u6 - p5*u9\nu4' = -p4*u4*u6 + p5*u9\n"
        "u5' = p1*u2*u6 - p2*u10\nu6' = -p1*u2*u6 - p4*u4*u6 + p2*u10 + p5*u9\n"
        "0 = -0.0131 + u6 + u8 + u9 + u10 - u7\n0 = u8 - p7*u1/(p7 + u7)\n"
        "0 = u9 - p8*u3/(p8 + u7)\n0 = u10 - p6*u5/(p6 + u7)\ntime 0 .. 10\n";
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_DASSL, TANSY_ROSENBROCK,
                                           TANSY_LIMEX};
    tansy_problem problem;
    tansy_model *const model = model_of_text(text, &problem);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int digits = 3; digits <= 9; digits++) {
            tansy_options const o = {.method = methods[m], .rtol = pow(10, -digits)};
            struct accuracy const a = solve(&problem, &o);
            printf("%s, rtol 1e-%d: status %d, errors %.3g, %.3g\n", method_name(methods[m]),
                   digits, (int)a.status, a.state, a.columns);
            CHECK(is_right(&a, o.rtol));
        }
    tansy_model_free(model);
}
