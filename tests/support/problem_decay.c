/* SPDX-License-Identifier: Apache-2.0 */
/* Decay: y' = -k y, k = 0.7314, y(0) = 2, with dy/dk and dy/dy(0).  All in closed form. */
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)context;
    J[0] = -p[0];
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = -y[0];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)ld, (void)context;
    for (size_t k = 0; k < columns; k++) R[k] = -p[0] * V[k] - y[0] * U[k];
    return 0;
}

const struct test_problem *problem_decay(void)
{
    static const double y0[] = {2}, p[] = {0.7314}, atol[] = {2e-3};
    static const int columns[] = {0, TANSY_INITIAL(0)};
    static const struct test_problem it = {
        .name = "decay",
        .problem = {.n = 1,
                    .np = 1,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .tangent = tangent,
                    .ns = 2,
                    .columns = columns,
                    .concurrent = 1},
        .atol = atol,
        .reference = "decay.csv",
        .t_end = 10,
    };
    return &it;
}
