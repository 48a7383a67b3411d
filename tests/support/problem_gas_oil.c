/* SPDX-License-Identifier: Apache-2.0 */
/* Catalytic cracking of gas oil: y1' = -(p1 + p3) y1^2, y2' = p1 y1^2 - p2 y2, y(0) = (1, 0). */
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const square = y[0] * y[0];
    f[0] = -(p[0] + p[2]) * square;
    f[1] = p[0] * square - p[1] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    J[0] = -2 * (p[0] + p[2]) * y[0];
    J[2] = 2 * p[0] * y[0];
    J[3] = -p[1];
    return 0;
}

static const size_t row[] = {0, 0, 1, 1}, column[] = {0, 2, 0, 1};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    double const square = y[0] * y[0];
    F[0] = -square;
    F[1] = -square;
    F[2] = square;
    F[3] = -y[1];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const square = y[0] * y[0], j00 = -2 * (p[0] + p[2]) * y[0], j10 = 2 * p[0] * y[0];
    for (size_t k = 0; k < columns; k++) {
        double const v0 = V[k], u0 = U[k];
        R[k] = j00 * v0 - square * (u0 + U[2 * ld + k]);
        R[ld + k] = j10 * v0 - p[1] * V[ld + k] + square * u0 - y[1] * U[ld + k];
    }
    return 0;
}

const struct test_problem *problem_gas_oil(void)
{
    static const double y0[] = {1, 0}, p[] = {0.9875, 0.2566, 0.3323}, atol[] = {1e-3, 4e-4};
    static const struct test_problem it = {
        .name = "gas_oil",
        .problem = {.n = 2,
                    .np = 3,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {4, row, column},
                    .tangent = tangent,
                    .autonomous = 1,
                    .concurrent = 1},
        .atol = atol,
        .reference = "gasoil.csv",
        .t_end = 4,
    };
    return &it;
}
