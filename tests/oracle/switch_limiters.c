/* SPDX-License-Identifier: Apache-2.0 */
/* A slope limiter on a profile that is flat at the beginning: all differences are errors far below atol until the front arrives, and f is continuous.  Such runs were stopped
   as if both branches of a condition led back to its surface. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/model.h>
#include <tansy/tansy.h>

enum { N = 10, NP = 3 };

static const char minmod[] =
    "model minmod\nconstant N = 10\nparameter v = 1, c0 = 1, D = 0.01\nstate u[i in 1..N] = 0\n"
    "let a[i in 1..N] = u[i] - (if i > 1 then u[i-1] else c0)\n"
    "let sl[i in 1..N] = if i < N then (if a[i] > 0 then max(0, min(a[i], u[i+1] - u[i]))"
    " else min(0, max(a[i], u[i+1] - u[i]))) else 0\n"
    "u[i]' = -v*N*(u[i] + sl[i]/2 - (if i > 1 then u[i-1] + sl[i-1]/2 else c0)) - D*u[i]"
    " for i in 1..N\ntime 0 .. 1\n";

static const double p[NP] = {1, 1, 0.01};

struct result {
    double y[N], sens[NP][N];
};

static struct result solve(tansy_method method, double rtol, double atol, double t)
{
    struct result r;
    tansy_problem problem = {.n = 0};
    tansy_model *const model = tansy_model_parse(minmod, strlen(minmod), "minmod");
    CHECK_EQUAL(tansy_model_problem(model, &problem), TANSY_OK);
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.method = method, .rtol = rtol, .atol = atol});
    CHECK_EQUAL(tansy_solve(s, t, r.y, r.sens[0]), TANSY_OK);
    if (tansy_error(s) < 0) fprintf(stderr, "rtol %g: %s\n", rtol, tansy_message(s));
    tansy_free(s);
    tansy_model_free(model);
    return r;
}

/* The largest error, docs/design.md: of columns times the scale of their parameter, with a floor of a thousandth of u, which goes to 1. */
static double error_of(const struct result *r, const struct result *right)
{
    double worst = 0;
    for (size_t i = 0; i < N; i++) {
        worst = fmax(worst, fabs(r->y[i] - right->y[i]) / (fabs(right->y[i]) + 1e-3));
        for (size_t k = 0; k < NP; k++) {
            double const size = p[k] * fabs(right->sens[k][i]) + 1e-3;
            worst = fmax(worst, p[k] * fabs(r->sens[k][i] - right->sens[k][i]) / size);
        }
    }
    return worst;
}

/* Against Adams with rtol = 1e-10, whose values BDF and Runge-Kutta reproduce to 1e-9. */
static void check(tansy_method method)
{
    static const double times[] = {0.25, 1};
    for (size_t k = 0; k < 2; k++) {
        struct result const right = solve(TANSY_ADAMS, 1e-10, 1e-13, times[k]);
        for (double rtol = 1e-4; rtol > 0.9e-8; rtol /= TEST_STRIDE > 1 ? 100 : 10) {
            struct result const r = solve(method, rtol, 0, times[k]);
            CHECK_AT_MOST(error_of(&r, &right), 100 * rtol);
        }
    }
}

TEST(a_limiter_on_a_flat_profile_is_passed_by_default)
{
    check(TANSY_METHOD_AUTO);
}

TEST(a_limiter_on_a_flat_profile_is_passed_by_multistep_methods)
{
    check(TANSY_BDF);
    check(TANSY_ADAMS);
}

TEST(a_limiter_on_a_flat_profile_is_passed_by_extrapolation)
{
    check(TANSY_LIMEX);
}
