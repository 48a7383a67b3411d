/* SPDX-License-Identifier: Apache-2.0 */
/* S of implicit problems where derivatives are not given: over methods, forms of the problem and what is missing. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "test.h"

/* 2 y0' = -2 p0 y0^2, y1' = p0 y0^2 - p1 y1, 0 = y0 + y1 - y2: y0 = 1/(1 + p0 t), dy0/dp0 = -t y0^2, dy0/dp1 = 0. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = -2 * p[0] * y[0] * y[0];
    f[1] = p[0] * y[0] * y[0] - p[1] * y[1];
    f[2] = y[0] + y[1] - y[2];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t;
    (void)y;
    (void)p;
    (void)context;
    B[0] = 2;
    B[4] = 1;
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    (void)p;
    (void)context;
    F[0] = -2 * y[0] * y[0];
    F[2] = y[0] * y[0];
    F[3] = -y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)context;
    J[0] = -4 * p[0] * y[0];
    J[3] = 2 * p[0] * y[0];
    J[4] = -p[1];
    J[6] = J[7] = 1;
    J[8] = -1;
    return 0;
}

static const double start[] = {1, 0, 1}, rates[] = {1.5, 0.7};

/* Errors of S stay within the tolerance that each of its steps meets, times a factor for their sum: 30 to 100 steps. */
static void check_column(tansy_problem q, tansy_options o, double exact)
{
    double y[3], s[2][3], t = 2;
    q.n = 3;
    q.np = 2;
    q.y0 = start;
    q.p = rates;
    o.max_steps = 1000;
    tansy_solver *const solver = tansy_create(&q, &o);
    tansy_status const status = tansy_solve(solver, t, y, *s);
    if (status != TANSY_OK) printf("method %d: %s\n", (int)o.method, tansy_message(solver));
    tansy_free(solver);
    CHECK_EQUAL(status, TANSY_OK);
    CHECK_CLOSE(s[0][0], exact, 10 * o.rtol * fabs(exact));
    CHECK_CLOSE(s[1][0], 0, 1e-3 * o.rtol);
    CHECK_CLOSE(s[0][2], s[0][0] + s[0][1], 10 * o.rtol * fabs(exact));
}

/* df/dy by one-sided differences begins at the residual of the stage, y' included, whatever else is given. */
TEST(a_missing_df_dy_costs_the_columns_nothing)
{
    static const tansy_method methods[] = {TANSY_LIMEX, TANSY_ROSENBROCK, TANSY_DASSL};
    static const tansy_error_control controls[] = {TANSY_EACH_COLUMN, TANSY_STATE_ONLY};
    double const exact = -2 / (4.0 * 4.0);
    for (int m = 0; m < 3; m++)
        for (int gives = 0; gives < 4; gives++)
            for (int c = 0; c < 2; c++)
                check_column((tansy_problem){.rhs = rhs,
                                             .mass = mass,
                                             .jacobian = gives & 1 ? jacobian : NULL,
                                             .parameter_jacobian = gives & 2 ? parameter : NULL},
                             (tansy_options){.method = methods[m],
                                             .rtol = 1e-3,
                                             .atol = 1e-6,
                                             .difference = TANSY_FORWARD,
                                             .residual = TANSY_MATRIX,
                                             .error_control = controls[c]},
                             exact);
}

/* y' = -p y, 0 = y - 1/2 - z, 0 = w^2 - 1 - y/1000: dy/dp = -t exp(-p t). */
static int decay_residual(double t, const double *y, const double *yp, const double *p, double *F,
                          void *context)
{
    (void)t;
    (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = y[0] - 0.5 - y[1];
    F[2] = y[2] * y[2] - 1 - 1e-3 * y[0];
    return 0;
}

static int decay_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    static const double rest[3];
    int const code = decay_residual(t, y, rest, p, f, context);
    f[0] = -f[0];
    return code;
}

static int decay_mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t;
    (void)y;
    (void)p;
    (void)context;
    B[0] = 1;
    return 0;
}

struct run {
    tansy_status status;
    double s[3];
    char message[600];
};

static struct run run_decay(bool residual, tansy_options o)
{
    double const y0[] = {1, 0.5, sqrt(1.001)}, p[] = {0.7};
    double y[3];
    struct run r = {.message = ""};
    o.max_steps = 1000;
    tansy_problem q = {.n = 3, .np = 1, .y0 = y0, .p = p, .residual = decay_residual};
    if (!residual)
        q = (tansy_problem){
            .n = 3, .np = 1, .y0 = y0, .p = p, .rhs = decay_rhs, .mass = decay_mass};
    tansy_solver *const solver = tansy_create(&q, &o);
    r.status = tansy_solve(solver, 2, y, r.s);
    (void)snprintf(r.message, sizeof r.message, "%s", tansy_message(solver));
    tansy_free(solver);
    return r;
}

static void check_decay(bool residual, tansy_options o)
{
    double const exact = -2 * exp(-1.4);
    struct run const r = run_decay(residual, o);
    if (r.status != TANSY_OK) printf("method %d, rtol %g: %s\n", (int)o.method, o.rtol, r.message);
    CHECK_EQUAL(r.status, TANSY_OK);
    CHECK_CLOSE(r.s[0], exact, 20 * o.rtol * fabs(exact)); /* sum over 30 to 90 steps */
    CHECK_CLOSE(r.s[1], r.s[0], 20 * o.rtol * fabs(exact));
}

/* Nothing but the equations is given and no option set but the tolerance. */
TEST(algebraic_equations_alone_are_enough_for_columns)
{
    static const double rtol[] = {1e-3, 1e-5, 1e-6, 1e-7, 1e-8};
    static const tansy_method methods[] = {TANSY_METHOD_AUTO, TANSY_BDF, TANSY_LIMEX,
                                           TANSY_ROSENBROCK};
    for (int x = 0; x < 5; x++) {
        for (int m = 0; m < 4; m++)
            check_decay(false, (tansy_options){.method = methods[m], .rtol = rtol[x]});
        check_decay(true, (tansy_options){.rtol = rtol[x]});
        check_decay(false, (tansy_options){.rtol = rtol[x], .atol = 1e-6 * rtol[x]});
        check_decay(
            false,
            (tansy_options){.method = TANSY_DASSL, .rtol = rtol[x], .linear_solver = TANSY_GMRES});
    }
}

/* Where directional differences are asked for the formula with the least noise is taken. */
TEST(directional_differences_of_algebraic_equations_are_quiet)
{
    static const double rtol[] = {1e-3, 1e-5, 1e-6, 1e-8};
    for (int x = 0; x < 4; x++)
        check_decay(true, (tansy_options){.rtol = rtol[x], .residual = TANSY_DIFFERENCES});
}

/* Forward differences have a noise of 1e-8, above what the tolerance of w allows in the corrector. */
TEST(a_failure_names_the_differences_that_are_at_fault)
{
    struct run const r = run_decay(true, (tansy_options){.rtol = 1e-6,
                                                         .residual = TANSY_DIFFERENCES,
                                                         .difference_increment = 0x1p-26,
                                                         .difference = TANSY_FORWARD});
    CHECK(r.status == TANSY_NOT_CONVERGED || r.status == TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(r.message, "directional differences for S too noisy");
    CHECK_TEXT_CONTAINS(r.message, "residual = matrix");
    CHECK_TEXT_CONTAINS(r.message, "difference = fourth");
}

/* Extrapolation multiplies the noise of forward differences in J until no step is short enough. */
TEST(a_failure_names_the_differences_for_matrices)
{
    double y[3], s[2][3];
    tansy_solver *const solver = tansy_create(&(tansy_problem){.n = 3,
                                                               .np = 2,
                                                               .y0 = start,
                                                               .p = rates,
                                                               .rhs = rhs,
                                                               .mass = mass,
                                                               .parameter_jacobian = parameter},
                                              &(tansy_options){.method = TANSY_LIMEX,
                                                               .rtol = 1e-6,
                                                               .atol = 1e-9,
                                                               .difference = TANSY_FORWARD,
                                                               .residual = TANSY_MATRIX});
    CHECK_EQUAL(tansy_solve(solver, 2, y, *s), TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(tansy_message(solver), "differences for the matrices too noisy");
    tansy_free(solver);
}
