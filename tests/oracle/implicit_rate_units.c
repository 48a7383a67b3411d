/* SPDX-License-Identifier: Apache-2.0 */
/* F alone, with dF/dy' by differences, where time has units far from those of y: solutions and S are those of closed forms whatever these units
   are, where y' is 0 at first, beside much larger terms of F, and where F is not linear in y'. */
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

/* tau v' + v - V: p = (tau, V). */
static int low_pass(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t;
    (void)context;
    F[0] = p[0] * yp[0] + y[0] - p[1];
    return 0;
}

/* v = V + (v0 - V) exp(-t/tau) at t = tau, with tau dv/dRC, dv/dV. */
static void check_low_pass(double tau, double v0, const tansy_options *options,
                           const tansy_kind *kind)
{
    double const p[] = {tau, 1}, e = exp(-1), bound = 50 * options->rtol;
    double y, S[2];
    tansy_solver *const s = tansy_create(
        &(tansy_problem){.n = 1, .np = 2, .p = p, .y0 = &v0, .residual = low_pass, .kind = kind},
        options);
    CHECK_EQUAL(tansy_solve(s, tau, &y, S), TANSY_OK);
    CHECK_CLOSE(y, 1 + (v0 - 1) * e, bound);
    CHECK_CLOSE(tau * S[0], (v0 - 1) * e, bound);
    CHECK_CLOSE(S[1], 1 - e, bound);
    tansy_free(s);
}

static const double times[] = {1e-30, 1e-15, 1e-12, 1e-11, 1e-9, 1e-6, 1e-3, 1e3, 1e9, 1e15};
static const double tolerances[] = {1e-4, 1e-6, 1e-8};
enum { TIMES = sizeof times / sizeof *times, TOLERANCES = 3 };

TEST(a_time_constant_may_have_any_size)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL};
    tansy_options const options = {.rtol = 1e-6, .atol = 1e-9};
    for (int k = 0; k < TIMES; k++) {
        check_low_pass(times[k], 0, &options, NULL);
        check_low_pass(times[k], 0, &options, kind);
    }
}

TEST(a_start_at_rest_tells_nothing_of_the_unit_of_time)
{
    static const tansy_residual residuals[] = {TANSY_RESIDUAL_AUTO, TANSY_MATRIX,
                                               TANSY_DIFFERENCES};
    for (int k = 0; k < TIMES; k++)
        for (int m = 0; m < 3; m++)
            for (int r = 0; r < TOLERANCES; r++)
                check_low_pass(times[k], 1,
                               &(tansy_options){.rtol = tolerances[r],
                                                .atol = 1e-3 * tolerances[r],
                                                .residual = residuals[m]},
                               NULL);
}

TEST(nor_does_one_without_matrices)
{
    tansy_options const options = {
        .rtol = 1e-6, .atol = 1e-9, .linear_solver = TANSY_GMRES, .method = TANSY_DASSL};
    for (int k = 0; k < TIMES; k++) check_low_pass(times[k], 0, &options, NULL);
}

/* A <-> B by k, B -> C by p: for k -> infinity A + B = exp(-p t/2). */
static int equilibrium(double t, const double *y, const double *yp, const double *p, double *F,
                       void *context)
{
    double const k = *(double *)context;
    (void)t;
    F[0] = yp[0] + k * y[0] - k * y[1];
    F[1] = yp[1] - k * y[0] + k * y[1] + p[0] * y[1];
    F[2] = yp[2] - p[0] * y[1];
    return 0;
}

TEST(terms_beside_the_derivative_may_be_much_larger)
{
    static const double y0[] = {0.5, 0.5, 0}, p = 1, rtol = 1e-5;
    static double fast[] = {1e8, 1e10, 1e12};
    for (int m = 0; m < 3; m++) {
        tansy_solver *const s = tansy_create(
            &(tansy_problem){
                .n = 3, .np = 1, .p = &p, .y0 = y0, .residual = equilibrium, .context = &fast[m]},
            &(tansy_options){.rtol = rtol, .atol = 1e-3 * rtol});
        double y[3], S[3];
        tansy_stats stats;
        CHECK_EQUAL(tansy_solve(s, 2, y, S), TANSY_OK);
        tansy_get_stats(s, &stats);
        CHECK_CLOSE(y[1], 0.5 * exp(-1), 50 * rtol);
        CHECK_CLOSE(S[1], -0.5 * exp(-1), 50 * rtol);
        CHECK_CLOSE(S[2], exp(-1), 50 * rtol);
        CHECK(stats.steps < 1000);
        tansy_free(s);
    }
}

/* With x = T y'/u: x + 0.1 x^3 = p (2 - y/u), each component with units u and T of its own. */
struct curves {
    double u[2], T[2];
};

static int curved(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    const struct curves *const c = context;
    (void)t;
    for (int i = 0; i < 2; i++) {
        double const x = c->T[i] * yp[i] / c->u[i];
        F[i] = x + 0.1 * x * x * x - p[0] * (2 - y[i] / c->u[i]);
    }
    return 0;
}

/* y/u and its derivative by p at 2 T, from 0: by t/T = G(x(0)) - G(x), G = (log x + 0.15 x^2)/p, solved to 30 digits. */
static const double at_end = 1.68554144655932, slope_at_end = 0.54670930228382;

static void check_curves(struct curves c, double rtol, tansy_residual residual)
{
    static const double y0[] = {0, 0}, p = 1;
    double const atol[] = {1e-3 * rtol * c.u[0], 1e-3 * rtol * c.u[1]};
    tansy_solver *const s = tansy_create(
        &(tansy_problem){.n = 2, .np = 1, .p = &p, .y0 = y0, .residual = curved, .context = &c},
        &(tansy_options){.rtol = rtol, .atol_state = atol, .residual = residual});
    for (int i = 0; i < 2; i++) {
        int const j = c.T[0] <= c.T[1] ? i : 1 - i; /* the faster one first */
        double y[2], S[2];
        CHECK_EQUAL(tansy_solve(s, 2 * c.T[j], y, S), TANSY_OK);
        CHECK_CLOSE(y[j] / c.u[j], at_end, 100 * rtol);
        CHECK_CLOSE(S[j] / c.u[j], slope_at_end, 100 * rtol);
    }
    tansy_free(s);
}

TEST(F_may_bend_over_any_size_of_the_derivative)
{
    static const tansy_residual residuals[] = {TANSY_RESIDUAL_AUTO, TANSY_MATRIX,
                                               TANSY_DIFFERENCES};
    for (int m = 0; m < 3; m++)
        for (int r = 0; r < TOLERANCES; r++) {
            double const rtol = tolerances[r];
            for (int k = 0; k < TIMES; k++)
                check_curves((struct curves){{1, 1}, {times[k], times[k]}}, rtol, residuals[m]);
            check_curves((struct curves){{1e6, 1e-6}, {1, 1}}, rtol, residuals[m]);
            check_curves((struct curves){{1e-9, 1e9}, {1e3, 1e3}}, rtol, residuals[m]);
            check_curves((struct curves){{1e4, 1}, {1, 50}}, rtol, residuals[m]);
        }
}

/* (T y')^3 = p (2 - y), from y = 0: u^(2/3) = 2^(2/3) - (2/3) p^(1/3) t/T, u = 2 - y; dF/dy' vanishes at y' = 0, where y' is sought from. */
static int cubic(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    double const x = *(const double *)context * yp[0];
    (void)t;
    F[0] = x * x * x - p[0] * (2 - y[0]);
    return 0;
}

TEST(dF_dyp_may_vanish_at_first_in_any_unit_of_time)
{
    static const double y0 = 0, p = 1, rtol = 1e-6;
    double const u = pow(pow(2, 2.0 / 3) - 2.0 / 3, 1.5);
    for (int k = 0; k < TIMES; k++) {
        double T = times[k], y, S;
        tansy_solver *const s = tansy_create(
            &(tansy_problem){.n = 1, .np = 1, .p = &p, .y0 = &y0, .residual = cubic, .context = &T},
            &(tansy_options){.rtol = rtol, .atol = 1e-3 * rtol});
        CHECK_EQUAL(tansy_solve(s, T, &y, &S), TANSY_OK);
        CHECK_CLOSE(y, 2 - u, 100 * rtol);
        CHECK_CLOSE(S, cbrt(u) / 3, 100 * rtol);
        tansy_free(s);
    }
}

/* B y' = f without the tangent of f, by gmres: a chain v_i' tau_i = v_(i-1) - v_i. */
enum { CHAIN = 3 };

static int chain(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    for (int i = 0; i < CHAIN; i++) f[i] = (i > 0 ? y[i - 1] : p[1]) - y[i];
    return 0;
}

static int chain_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)y;
    (void)p;
    (void)context;
    for (int i = 0; i < CHAIN; i++) J[i * CHAIN + i] = -1;
    for (int i = 1; i < CHAIN; i++) J[i * CHAIN + i - 1] = 1;
    return 0;
}

static int chain_mass(double t, const double *y, const double *p, double *B, void *context)
{
    const double *const unit = context;
    (void)t;
    (void)y;
    for (int i = 0; i < CHAIN; i++) B[i * CHAIN + i] = p[0] * unit[i];
    return 0;
}

TEST(gmres_needs_no_tangent_of_f_in_any_unit_of_time)
{
    static double unit[][CHAIN] = {{1, 1, 1}, {1, 1e-3, 1e3}};
    double const e = exp(-1), bound = 1e-4;
    for (int k = 0; k < TIMES; k++)
        for (int m = 0; m < 2; m++) {
            double const p[] = {times[k], 5}, y0[CHAIN] = {0};
            double y[CHAIN], S[2 * CHAIN];
            tansy_solver *const s = tansy_create(&(tansy_problem){.n = CHAIN,
                                                                  .np = 2,
                                                                  .p = p,
                                                                  .y0 = y0,
                                                                  .rhs = chain,
                                                                  .jacobian = chain_jacobian,
                                                                  .mass = chain_mass,
                                                                  .mass_varies = 1,
                                                                  .context = unit[m]},
                                                 &(tansy_options){.method = TANSY_DASSL,
                                                                  .linear_solver = TANSY_GMRES,
                                                                  .rtol = 1e-6,
                                                                  .atol = 1e-9});
            CHECK_EQUAL(tansy_solve(s, p[0], y, S), TANSY_OK);
            CHECK_CLOSE(y[0], 5 * (1 - e), bound);
            CHECK_CLOSE(p[0] * S[0], -5 * e, bound);
            CHECK_CLOSE(S[CHAIN], 1 - e, bound);
            tansy_free(s);
        }
}
