/* SPDX-License-Identifier: Apache-2.0 */
/* An absolute tolerance that is far above rtol |y| does not make the increments of differences as large as y: y' = -p e^2y from 1,
     y = -log(e^-2 + 2 p t)/2,  S = -t/(e^-2 + 2 p t). */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include <tansy/tansy.h>

#include "test.h"

static const double t_end = 1.5;

static int steep(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * exp(2 * y[0]);
    return 0;
}

static int steep_residual(double t, const double *y, const double *yp, const double *p, double *r,
                          void *context)
{
    (void)t, (void)context;
    r[0] = yp[0] + p[0] * exp(2 * y[0]);
    return 0;
}

/* Errors of atol are allowed, and the promise is a hundred times that. */
static void check_run(const tansy_problem *problem, const tansy_options *o)
{
    double const u = exp(-2.0) + 2 * t_end;
    double y = 0, S = 0;
    tansy_solver *const s = tansy_create(problem, o);
    bool const none = o->sensitivities == TANSY_NONE;
    printf("method %d, sensitivities %d, rtol %g, atol %g\n", (int)o->method, (int)o->sensitivities,
           o->rtol, o->atol);
    CHECK_EQUAL(tansy_solve(s, t_end, &y, none ? NULL : &S), TANSY_OK);
    CHECK_CLOSE(y, -0.5 * log(u), 100 * o->atol);
    if (!none) CHECK_CLOSE(S, -t_end / u, 100 * o->atol);
    tansy_free(s);
}

static void check_ways(const tansy_problem *problem, tansy_method method)
{
    static const double tolerances[][2] = {{1e-8, 1e-5}, {1e-8, 1e-4}, {1e-7, 1e-4}, {1e-10, 1e-6}};
    bool const internal = method >= TANSY_RK8;
    for (size_t x = 0; x < sizeof tolerances / sizeof *tolerances; x++) {
        tansy_options o = {.method = method, .rtol = tolerances[x][0], .atol = tolerances[x][1]};
        check_run(problem, &o);
        o.sensitivities = TANSY_NONE;
        check_run(problem, &o);
        o.sensitivities = TANSY_DIFFERENCE;
        if (internal && o.rtol > 1e-8) check_run(problem, &o);
    }
}

TEST(increments_are_not_ruled_by_a_large_absolute_tolerance)
{
    static const double y0 = 1, p = 1, rate = -7.38905609893065;
    tansy_problem const problem = {.n = 1, .np = 1, .y0 = &y0, .p = &p, .rhs = steep};
    tansy_problem const implicit = {
        .n = 1, .np = 1, .y0 = &y0, .yp0 = &rate, .p = &p, .residual = steep_residual};
    for (int method = TANSY_METHOD_AUTO; method <= TANSY_LIMEX; method++)
        check_ways(&problem, (tansy_method)method);
    check_ways(&implicit, TANSY_BDF);
    check_ways(&implicit, TANSY_DASSL);
}
