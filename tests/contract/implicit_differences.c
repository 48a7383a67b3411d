/* SPDX-License-Identifier: Apache-2.0 */
/* S of implicit problems where derivatives are not given: over methods, forms of the problem and what is missing. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

/* Extrapolation multiplies the noise of forward differences in J, here of increments far too small, until no step is short enough. */
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
                                                               .difference_increment = 0x1p-40,
                                                               .residual = TANSY_MATRIX});
    CHECK_EQUAL(tansy_solve(solver, 2, y, *s), TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(tansy_message(solver), "differences for the matrices too noisy");
    tansy_free(solver);
}

/* A vessel of fixed volume that overflows, of index 2: n' = feed - L n/sum(n) -+ k n1 n2/V, v n = V, which determines L. */
static int vessel(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    double const N = y[0] + y[1] + y[2], L = y[3], rate = p[4] * y[0] * y[1] / p[5];
    (void)context;
    F[0] = yp[0] - (p[3] - L * y[0] / N - rate);
    F[1] = yp[1] - (0.5 * p[3] - L * y[1] / N - rate);
    F[2] = yp[2] - (0.2 * p[3] * (1 + 0.5 * sin(t)) - L * y[2] / N + rate);
    F[3] = p[0] * y[0] + p[1] * y[1] + p[2] * y[2] - p[5];
    return 0;
}

static int vessel_start(double t, const double *p, double *y, void *context)
{
    (void)t;
    (void)context;
    y[0] = 20;
    y[1] = 50;
    y[2] = (p[5] - 20 * p[0] - 50 * p[1]) / p[2];
    y[3] = 1;
    return 0;
}

/* dn2/dp at t = 20 of a run with given derivatives and rtol 1e-10, which that with 1e-9 differs from by 1e-9. */
static void check_vessel(double rtol)
{
    static const double exact[] = {77.3123691567,  128.737238158,  -201.335433997,
                                   -8.35107256684, -3.35722040593, -0.678164632823};
    static const double p[] = {0.05, 0.08, 0.03, 2, 0.4, 10};
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL,
                                      TANSY_INDEX_2};
    double y[4], s[6][4];
    tansy_problem const q = {
        .n = 4, .np = 6, .p = p, .initial = vessel_start, .kind = kind, .residual = vessel};
    tansy_solver *const solver =
        tansy_create(&q, &(tansy_options){.rtol = rtol, .max_steps = 1000});
    CHECK_EQUAL(tansy_solve(solver, 20, y, *s), TANSY_OK);
    for (int k = 0; k < 6; k++) CHECK_CLOSE(s[k][1], exact[k], 100 * rtol * fabs(exact[k]));
    tansy_free(solver);
}

/* Noise of differences in the constraint goes into s', and into L, divided by the step. */
TEST(constraints_of_index_2_alone_are_enough_for_columns)
{
    static const double rtol[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-8};
    for (int x = 0; x < 5; x++) check_vessel(rtol[x]);
}

/* Two nodes that are joined by one capacitor: C (a' - b') = (V - a)/R, C (b' - a') = -b/R.  dF/dy' is singular, and y0 is not consistent:
   a - b is kept, d = a - b = V + (d0 - V) exp(-t/(2 R C)), a = (V + d)/2. */
static int nodes(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    (void)t;
    (void)context;
    F[0] = p[0] * (yp[0] - yp[1]) - (p[2] - y[0]) / p[1];
    F[1] = p[0] * (yp[1] - yp[0]) + y[1] / p[1];
    return 0;
}

static int nodes_start(double t, const double *p, double *y, void *context)
{
    (void)t;
    (void)context;
    y[0] = p[3];
    y[1] = 0.2;
    return 0;
}

static void check_nodes(double rtol, double C, tansy_residual residual)
{
    double const p[] = {C, 1e3, 5, 2.6}, gone = 2.4 - 5, left = exp(-1);
    double const exact[] = {0.5 * gone * left / C, 0.5 * gone * left / 1e3, 1 - 0.5 * left,
                            0.5 * left};
    double y[2], s[4][2];
    tansy_problem const q = {.n = 2, .np = 4, .p = p, .initial = nodes_start, .residual = nodes};
    tansy_solver *const solver =
        tansy_create(&q, &(tansy_options){.rtol = rtol, .residual = residual, .max_steps = 1000});
    CHECK_EQUAL(tansy_solve(solver, 2e3 * C, y, *s), TANSY_OK);
    CHECK_CLOSE(y[0], 5 + 0.5 * gone * left, 100 * rtol * 5);
    for (int k = 0; k < 4; k++) CHECK_CLOSE(s[k][0], exact[k], 100 * rtol * fabs(exact[k]));
    tansy_free(solver);
}

TEST(inconsistent_values_of_a_coupled_problem_need_no_derivatives)
{
    static const double rtol[] = {1e-2, 1e-3, 1e-4, 1e-6, 1e-8}, C[] = {1e-12, 1e-9, 1e-6, 1e-3};
    for (int x = 0; x < 20; x++) {
        check_nodes(rtol[x % 5], C[x / 5], TANSY_RESIDUAL_AUTO);
        check_nodes(rtol[x % 5], C[x / 5], TANSY_DIFFERENCES);
    }
}

/* Sizes of 0.06 to 200, a multiplier, and a constraint that moves. */
static const char tracks[] = "parameter k = 1.216, c = 1.595, b = 0.6987\n"
                             "state x = 6.529756, y = 0.06390294, z = 190.95\n"
                             "algebraic l = 0\n"
                             "0.3933*x' = -k*0.6*x - 0.741*y*120.4 - 0.592*l*5.249\n"
                             "0.3933*y' = -k*1.28*y + 0.678*z*7.647e-05 - 1.921*l*0.04359\n"
                             "0.3933*z' = -k*1.92*z - 0.271*x*108.6 + 1.519*l*570\n"
                             "0 = -0.592*x/5.249 - 1.921*y/0.04359 + 1.519*z/570 + 3.043769 - "
                             "0.3*b*sin(c*time/0.3933)\n"
                             "time 0 .. 1.18\n";

static tansy_status run_tracks(tansy_options o, double s[3][4], char text[600])
{
    double y[4];
    tansy_problem q;
    tansy_model *const model = tansy_model_parse(tracks, strlen(tracks), "text");
    CHECK_EQUAL(tansy_model_problem(model, &q), TANSY_OK);
    o.max_steps = 1000;
    tansy_solver *const solver = tansy_create(&q, &o);
    tansy_status const status = tansy_solve(solver, 1.18, y, *s);
    (void)snprintf(text, 600, "%s", tansy_message(solver));
    tansy_free(solver);
    tansy_model_free(model);
    return status;
}

/* The noise of directional differences is another one in every iteration, which may not come to its end: so there is none, unless it is asked for. */
TEST(directional_differences_are_not_iterated)
{
    static const double rtol[] = {1e-3, 1e-4, 1e-6};
    double s[3][4], exact[3][4];
    char text[600];
    CHECK_EQUAL(run_tracks((tansy_options){.rtol = 1e-9}, exact, text), TANSY_OK);
    for (int x = 0; x < 3; x++) {
        tansy_options o = {.rtol = rtol[x], .residual = TANSY_DIFFERENCES};
        CHECK_EQUAL(run_tracks(o, s, text), TANSY_OK);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(s[k][2], exact[k][2], 100 * rtol[x] * fabs(exact[k][2]));
    }
    tansy_options const iterated = {.rtol = 1e-6,
                                    .atol = 1e-9,
                                    .residual = TANSY_DIFFERENCES,
                                    .sensitivities = TANSY_STAGGERED};
    CHECK(run_tracks(iterated, s, text) < 0);
    CHECK_TEXT_CONTAINS(text, "sensitivities = direct");
}
