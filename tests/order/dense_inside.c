/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_step() leaves a step behind whose inside tansy_solve() may still be asked for: there S and y are as good as at its end, also of
   formulas without dense output. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>

#include "test.h"

/* y'' = -p y with p = 1: y = cos(t), dy/dp = -t sin(t)/2. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = y[1];
    f[1] = -p[0] * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)y;
    (void)context;
    J[1] = 1;
    J[2] = -p[0];
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    (void)p;
    (void)context;
    F[1] = -y[0];
    return 0;
}

static const double start[] = {1, 0}, rate[] = {1};

static tansy_solver *create(tansy_method method, tansy_formula formula, double rtol,
                            const double *stop)
{
    return tansy_create(
        &(tansy_problem){.n = 2,
                         .np = 1,
                         .y0 = start,
                         .p = rate,
                         .breaks = stop ? 1 : 0,
                         .break_times = stop,
                         .rhs = rhs,
                         .jacobian = jacobian,
                         .parameter_jacobian = parameter},
        &(tansy_options){.method = method, .formula = formula, .rtol = rtol, .atol = 1e-3 * rtol});
}

/* The errors of at most 40 steps, each within its tolerance, which grow no faster than t. */
static void check_point(const char *name, double t, double rtol, const double *y, const double *s)
{
    double const error = fabs(y[0] - cos(t)), of_s = fabs(s[0] + t * sin(t) / 2);
    if (!(error <= 10 * rtol)) printf("%s at %g, rtol %g\n", name, t, rtol);
    CHECK_AT_MOST(error, 10 * rtol);
    CHECK_AT_MOST(of_s, 10 * rtol * (1 + t));
}

static void check_inside(const char *name, tansy_method method, tansy_formula formula, double rtol)
{
    static const double places[] = {0, 0.1, 0.5, 0.9}; /* each in a run of its own */
    for (int x = 0; x < 4; x++) {
        tansy_solver *const s = create(method, formula, rtol, NULL);
        double y[2], S[2], before = 0;
        for (int k = 0; k < 40; k++) {
            before = tansy_time(s);
            CHECK(tansy_step(s, 2000, y, S) >= 0);
        }
        double const t = before + places[x] * (tansy_time(s) - before);
        CHECK_EQUAL(tansy_solve(s, t, y, S), TANSY_OK);
        check_point(name, t, rtol, y, S);
        CHECK_EQUAL(tansy_solve(s, t + 1, y, S), TANSY_OK); /* and the run goes on */
        check_point(name, t + 1, rtol, y, S);
        tansy_free(s);
    }
}

TEST(the_inside_of_a_step_is_as_good_as_its_end)
{
    static const double rtol[] = {1e-4, 1e-7, 1e-9};
    for (int x = 0; x < 3; x++) {
        check_inside("dop853", TANSY_RK8, TANSY_DOP853, rtol[x]);
        check_inside("dopri8", TANSY_RK8, TANSY_DOPRI8, rtol[x]);
        check_inside("rodas5p", TANSY_ROSENBROCK, TANSY_RODAS5P, rtol[x]);
        check_inside("grk4t", TANSY_ROSENBROCK, TANSY_GRK4T, rtol[x]);
        check_inside("grk4a", TANSY_ROSENBROCK, TANSY_GRK4A, rtol[x]);
    }
}

/* A break time at the end of the step is met again when the step is made anew. */
TEST(the_inside_of_a_step_to_a_break_is_as_good_as_its_end)
{
    static const tansy_formula formulas[] = {TANSY_DOPRI8, TANSY_GRK4T, TANSY_DOP853};
    double const rtol = 1e-7, stop = 1.7;
    for (int x = 0; x < 3; x++) {
        tansy_method const method = formulas[x] == TANSY_GRK4T ? TANSY_ROSENBROCK : TANSY_RK8;
        tansy_solver *const s = create(method, formulas[x], rtol, &stop);
        double y[2], S[2], before = 0, now = 0;
        while (now < stop) {
            before = now;
            CHECK(tansy_step(s, 20, y, S) >= 0);
            now = tansy_time(s);
        }
        CHECK(now == stop);
        double const t = 0.5 * (before + now);
        CHECK_EQUAL(tansy_solve(s, t, y, S), TANSY_OK);
        check_point("before a break", t, rtol, y, S);
        now = tansy_time(s);
        while (now < stop + 1) {
            CHECK(tansy_step(s, 20, y, S) >= 0);
            CHECK(tansy_time(s) <= stop || now >= stop); /* no step passes it */
            now = tansy_time(s);
        }
        CHECK_EQUAL(tansy_solve(s, stop + 2, y, S), TANSY_OK);
        check_point("after a break", stop + 2, rtol, y, S);
        tansy_free(s);
    }
}
