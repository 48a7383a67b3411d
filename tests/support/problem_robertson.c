/* SPDX-License-Identifier: Apache-2.0 */
/* Robertson: y1' = -p1 y1 + p2 y2 y3, y3' = p3 y2^2, y2' = -y1' - y3', y(0) = (1, 0, 0). */
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] + p[1] * y[1] * y[2];
    f[2] = p[2] * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    double const a = p[1] * y[2], b = p[1] * y[1], c = 2 * p[2] * y[1];
    J[0] = -p[0];
    J[1] = a;
    J[2] = b;
    J[3] = p[0];
    J[4] = -a - c;
    J[5] = -b;
    J[7] = c;
    return 0;
}

static const size_t row[] = {0, 0, 1, 1, 1, 2}, column[] = {0, 1, 0, 1, 2, 2};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    double const product = y[1] * y[2], square = y[1] * y[1];
    F[0] = -y[0];
    F[1] = product;
    F[2] = y[0];
    F[3] = -product;
    F[4] = -square;
    F[5] = square;
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const a = p[1] * y[2], b = p[1] * y[1], c = 2 * p[2] * y[1];
    double const product = y[1] * y[2], square = y[1] * y[1];
    for (size_t k = 0; k < columns; k++) {
        double const v1 = V[ld + k];
        double const loss =
            p[0] * V[k] + y[0] * U[k] - a * v1 - b * V[2 * ld + k] - product * U[ld + k];
        double const gain = c * v1 + square * U[2 * ld + k];
        R[k] = -loss;
        R[ld + k] = loss - gain;
        R[2 * ld + k] = gain;
    }
    return 0;
}

const struct test_problem *problem_robertson(void)
{
    static const double y0[] = {1, 0, 0}, p[] = {0.04, 1e4, 3e7}, atol[] = {1e-3, 3e-8, 1e-3};
    static const struct test_problem it = {
        .name = "robertson",
        .problem = {.n = 3,
                    .np = 3,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {6, row, column},
                    .tangent = tangent,
                    .autonomous = 1,
                    .concurrent = 1},
        .atol = atol,
        .reference = "robertson.csv",
        .t_end = 4e4,
        .stiff = 1,
    };
    return &it;
}
