/* SPDX-License-Identifier: Apache-2.0 */
/* Van der Pol: y1' = y2, y2' = mu (1 - y1^2) y2 - y1, mu = 1000, y(0) = (2, 0), with dy/dmu and dy/dy(0).
   The relaxation jumps, where y2 reaches 1333, amplify errors. */
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = y[1];
    f[1] = p[0] * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    J[1] = 1;
    J[2] = -2 * p[0] * y[0] * y[1] - 1;
    J[3] = p[0] * (1 - y[0] * y[0]);
    return 0;
}

static const size_t row[] = {1}, column[] = {0};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = (1 - y[0] * y[0]) * y[1];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const damping = 1 - y[0] * y[0], j10 = -2 * p[0] * y[0] * y[1] - 1;
    for (size_t k = 0; k < columns; k++) {
        double const v0 = V[k], v1 = V[ld + k];
        R[k] = v1;
        R[ld + k] = j10 * v0 + p[0] * damping * v1 + damping * y[1] * U[k];
    }
    return 0;
}

const struct test_problem *problem_van_der_pol(void)
{
    /* y2: 1e-3 of its size in a jump, which the reference times miss. */
    static const double y0[] = {2, 0}, p[] = {1000}, atol[] = {2e-3, 1};
    static const int columns[] = {0, TANSY_INITIAL(0), TANSY_INITIAL(1)};
    static const struct test_problem it = {
        .name = "van_der_pol",
        .problem = {.n = 2,
                    .np = 1,
                    .y0 = y0,
                    .p = p,
                    .rhs = rhs,
                    .jacobian = jacobian,
                    .parameter_jacobian = parameter_jacobian,
                    .parameter_pattern = {1, row, column},
                    .tangent = tangent,
                    .autonomous = 1,
                    .ns = 3,
                    .columns = columns,
                    .concurrent = 1},
        .atol = atol,
        .reference = "vanderpol_mu1000.csv",
        .t_end = 2000,
        .stiff = 1,
        .amplifies = 1,
    };
    return &it;
}
