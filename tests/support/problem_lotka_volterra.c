/* SPDX-License-Identifier: Apache-2.0 */
/* Lotka and Volterra's prey and predators: y1' = a y1 - b y1 y2, y2' = d y1 y2 - c y2 with (a, b, c, d) = (1.5, 1, 3, 1),
   y(0) = (1, 1); the columns of the four parameters, then of the two initial values. */
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0] - p[1] * y[0] * y[1];
    f[1] = p[3] * y[0] * y[1] - p[2] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    J[0] = p[0] - p[1] * y[1];
    J[1] = -p[1] * y[0];
    J[2] = p[3] * y[1];
    J[3] = p[3] * y[0] - p[2];
    return 0;
}

static const size_t row[] = {0, 0, 1, 1}, column[] = {0, 1, 2, 3};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = y[0];
    F[1] = -y[0] * y[1];
    F[2] = -y[1];
    F[3] = y[0] * y[1];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const product = y[0] * y[1], J00 = p[0] - p[1] * y[1], J01 = -p[1] * y[0];
    double const J10 = p[3] * y[1], J11 = p[3] * y[0] - p[2];
    for (size_t k = 0; k < columns; k++) {
        double const v0 = V[k], v1 = V[ld + k];
        R[k] = J00 * v0 + J01 * v1 + y[0] * U[k] - product * U[ld + k];
        R[ld + k] = J10 * v0 + J11 * v1 - y[1] * U[2 * ld + k] + product * U[3 * ld + k];
    }
    return 0;
}

const struct test_problem *problem_lotka_volterra(void)
{
    static const double y0[] = {1, 1}, p[] = {1.5, 1, 3, 1}, atol[] = {7e-3, 5e-3};
    static const int columns[] = {0, 1, 2, 3, TANSY_INITIAL(0), TANSY_INITIAL(1)};
    static const struct test_problem it = {
        .name = "lotka_volterra",
        .problem = {.n = 2,
                    .np = 4,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {4, row, column},
                    .tangent = tangent,
                    .autonomous = 1,
                    .ns = 6,
                    .columns = columns,
                    .concurrent = 1},
        .atol = atol,
        .reference = "lotka_volterra.csv",
        .t_end = 10,
        .amplifies = 1,
    };
    return &it;
}
