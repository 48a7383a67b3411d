/* SPDX-License-Identifier: Apache-2.0 */
/* STIFF DETEST E3: y1' = -(c1 + y3) y1 + c2 y2, y2' = c3 y1 - c4 y2, y3' = c5 y1, y(0) = (1, 1, 0), with
   the columns of the three initial values, then of the five coefficients. */
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -(p[0] + y[2]) * y[0] + p[1] * y[1];
    f[1] = p[2] * y[0] - p[3] * y[1];
    f[2] = p[4] * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    J[0] = -(p[0] + y[2]);
    J[1] = p[1];
    J[2] = -y[0];
    J[3] = p[2];
    J[4] = -p[3];
    J[6] = p[4];
    return 0;
}

static const size_t row[] = {0, 0, 1, 1, 2}, column[] = {0, 1, 2, 3, 4};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = -y[0];
    F[1] = y[1];
    F[2] = y[0];
    F[3] = -y[1];
    F[4] = y[0];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    for (size_t k = 0; k < columns; k++) {
        double const v0 = V[k], v1 = V[ld + k], v2 = V[2 * ld + k];
        R[k] = -(p[0] + y[2]) * v0 + p[1] * v1 - y[0] * (v2 + U[k]) + y[1] * U[ld + k];
        R[ld + k] = p[2] * v0 - p[3] * v1 + y[0] * U[2 * ld + k] - y[1] * U[3 * ld + k];
        R[2 * ld + k] = p[4] * v0 + y[0] * U[4 * ld + k];
    }
    return 0;
}

const struct test_problem *problem_e3(void)
{
    static const double y0[] = {1, 1, 0}, p[] = {55, 65, 0.0785, 0.0785, 0.1};
    static const double atol[] = {1e-3, 1e-3, 3e-2};
    static const int columns[] = {
        TANSY_INITIAL(0), TANSY_INITIAL(1), TANSY_INITIAL(2), 0, 1, 2, 3, 4};
    static const struct test_problem it = {
        .name = "e3",
        .problem = {.n = 3,
                    .np = 5,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {5, row, column},
                    .tangent = tangent,
                    .autonomous = 1,
                    .ns = 8,
                    .columns = columns,
                    .concurrent = 1},
        .atol = atol,
        .reference = "stiffdetest_E3.csv",
        .t_end = 500,
        .stiff = 1,
    };
    return &it;
}
