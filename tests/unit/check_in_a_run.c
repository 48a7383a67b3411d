/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_check() between two steps changes nothing in the run; and what it looks at where B of B y' = f moves. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "test.h"

enum { N = 3, NP = 15 };

/* f_i = sum_k p_k w_ik(t) y_(i+k mod N). */
static double weight(int i, int k, double t)
{
    return sin(1.0 + i + 0.7 * k + 0.3 * t);
}

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    for (int i = 0; i < N; i++) {
        f[i] = 0;
        for (int k = 0; k < NP; k++) f[i] += p[k] * weight(i, k, t) * y[(i + k) % N];
    }
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)context;
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < N; i++) {
            double sum = 0;
            for (size_t k = 0; k < NP; k++)
                sum += weight((int)i, (int)k, t) *
                       (p[k] * V[(i + k) % N * ld + j] + U[k * ld + j] * y[(i + k) % N]);
            R[i * ld + j] = sum;
        }
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)y;
    (void)context;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < NP; k++) J[i * N + (i + k) % N] += p[k] * weight(i, k, t);
    return 0;
}

/* Columns of three tolerances, which extrapolation puts into panels of 16, 4 and 1 lanes. */
static void solve(tansy_method method, bool checks, double S[NP][N])
{
    double const y0[N] = {1, 2, 0.5};
    double p[NP], rtol[NP], y[N];
    for (int k = 0; k < NP; k++) {
        p[k] = 0.1 + 0.05 * k;
        rtol[k] = k >= 14 ? 1e-8 : k >= 11 ? 1e-6 : 1e-4;
    }
    tansy_solver *const s = tansy_create(
        &(tansy_problem){.n = N,
                         .np = NP,
                         .y0 = y0,
                         .p = p,
                         .rhs = rhs,
                         .tangent = tangent,
                         .jacobian = jacobian},
        &(tansy_options){
            .method = method, .rtol = 1e-6, .atol = 1e-9, .rtol_column = rtol, .max_step = 0.02});
    for (int steps = 0; steps < 10; steps++) {
        CHECK(tansy_step(s, 2, y, *S) >= 0);
        if (checks) CHECK_EQUAL(tansy_check(s), TANSY_OK);
    }
    CHECK_EQUAL(tansy_solve(s, 2, y, *S), TANSY_OK);
    tansy_free(s);
}

TEST(a_check_between_steps_leaves_every_bit_of_the_columns)
{
    static const tansy_method methods[] = {TANSY_LIMEX, TANSY_ROSENBROCK, TANSY_BDF, TANSY_RK8};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double alone[NP][N], checked[NP][N];
        solve(methods[m], false, alone);
        solve(methods[m], true, checked);
        CHECK_EQUAL(memcmp(alone, checked, sizeof alone), 0);
    }
}

/* p0 y' = -p1 y^2, whose df/dp is wrong by a factor. */
struct scaled {
    double factor;
};

static int scaled_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t;
    (void)context;
    f[0] = -p[1] * y[0] * y[0];
    return 0;
}

static int scaled_jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t;
    (void)context;
    J[0] = -2 * p[1] * y[0];
    return 0;
}

static int scaled_parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    (void)p;
    F[1] = -((const struct scaled *)context)->factor * y[0] * y[0];
    return 0;
}

static int listed_parameter(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    (void)p;
    F[0] = -((const struct scaled *)context)->factor * y[0] * y[0];
    return 0;
}

static int scaled_mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t;
    (void)y;
    (void)context;
    B[0] = p[0];
    return 0;
}

static int scaled_mass_tangent(double t, const double *y, const double *p, const double *u,
                               size_t columns, size_t ld, const double *V, const double *U,
                               double *R, void *context)
{
    (void)t;
    (void)y;
    (void)p;
    (void)ld;
    (void)V;
    (void)context;
    for (size_t k = 0; k < columns; k++) R[k] = U[k] * u[0];
    return 0;
}

static tansy_status check_scaled(double factor, bool listed, tansy_method method)
{
    static const size_t row = 0, column = 1;
    double const y0[] = {1}, p[] = {2, 3};
    struct scaled scaled = {factor};
    tansy_problem q = {.n = 1,
                       .np = 2,
                       .y0 = y0,
                       .p = p,
                       .rhs = scaled_rhs,
                       .jacobian = scaled_jacobian,
                       .parameter_jacobian = listed ? listed_parameter : scaled_parameter,
                       .mass = scaled_mass,
                       .mass_tangent = scaled_mass_tangent,
                       .mass_constant = 1,
                       .context = &scaled};
    if (listed) q.parameter_pattern = (tansy_pattern){1, &row, &column};
    tansy_solver *const s = tansy_create(&q, &(tansy_options){.method = method});
    tansy_status const status = tansy_check(s);
    if (factor != 1)
        CHECK_TEXT_CONTAINS(
            tansy_message(s),
            "parameter_jacobian: df_0/dp_1 is given as -100 but differences say -1");
    tansy_free(s);
    return status;
}

TEST(df_dp_is_looked_at_where_the_mass_matrix_moves)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_ROSENBROCK, TANSY_LIMEX};
    for (int m = 0; m < 3; m++)
        for (int listed = 0; listed < 2; listed++) {
            CHECK_EQUAL(check_scaled(1, listed, methods[m]), TANSY_OK);
            CHECK_EQUAL(check_scaled(100, listed, methods[m]), TANSY_WRONG_DERIVATIVE);
        }
}
