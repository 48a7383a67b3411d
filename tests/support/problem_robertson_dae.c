/* SPDX-License-Identifier: Apache-2.0 */
/* Robertson with the conservation of mass in place of the third equation:
     y1' = -p1 y1 + p2 y2 y3,  y2' = p1 y1 - p2 y2 y3 - p3 y2^2,  0 = y1 + y2 + y3 - 1. */
#include "mass_form.h"
#include "problem_list.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] + p[1] * y[1] * y[2];
    f[1] = -f[0] - p[2] * y[1] * y[1];
    f[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    double const a = p[1] * y[2], b = p[1] * y[1];
    J[0] = -p[0], J[1] = a, J[2] = b;
    J[3] = p[0], J[4] = -a - 2 * p[2] * y[1], J[5] = -b;
    J[6] = J[7] = J[8] = 1;
    return 0;
}

static const size_t fp_row[] = {0, 0, 1, 1, 1}, fp_column[] = {0, 1, 0, 1, 2};

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    double const product = y[1] * y[2];
    F[0] = -y[0], F[1] = product;
    F[2] = y[0], F[3] = -product, F[4] = -y[1] * y[1];
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)context;
    double const a = p[1] * y[2], b = p[1] * y[1], c = 2 * p[2] * y[1];
    double const product = y[1] * y[2], square = y[1] * y[1];
    for (size_t k = 0; k < columns; k++) {
        double const v0 = V[k], v1 = V[ld + k], v2 = V[2 * ld + k];
        double const loss = p[0] * v0 + y[0] * U[k] - a * v1 - b * v2 - product * U[ld + k];
        R[k] = -loss;
        R[ld + k] = loss - c * v1 - square * U[2 * ld + k];
        R[2 * ld + k] = v0 + v1 + v2;
    }
    return 0;
}

static struct mass_form *make(void)
{
    static const size_t diagonal[] = {0, 1};
    static const double one[] = {1, 1};
    static const double y0[] = {1, 0, 0}, p[] = {0.04, 1e4, 3e7};
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC};
    static struct mass_form form = {.entries = 2,
                                    .row = diagonal,
                                    .column = diagonal,
                                    .value = one,
                                    .inner = {.n = 3,
                                              .np = 3,
                                              .y0 = y0,
                                              .p = p,
                                              .rhs = rhs,
                                              .jacobian = jacobian,
                                              .parameter_jacobian = parameter_jacobian,
                                              .parameter_pattern = {5, fp_row, fp_column},
                                              .tangent = tangent,
                                              .kind = kind,
                                              .concurrent = 1}};
    if (form.storage == 0) mass_form_make(&form);
    return &form;
}

static const double atol[] = {1e-3, 3e-8, 1e-3};

const struct test_problem *problem_robertson_dae(void)
{
    static struct test_problem it = {.name = "robertson_dae",
                                     .atol = atol,
                                     .reference = "robertson.csv",
                                     .t_end = 4e4,
                                     .stiff = 1};
    it.problem = make()->implicit;
    return &it;
}

const struct test_problem *problem_robertson_dae_mass(void)
{
    static struct test_problem it = {.name = "robertson_dae_mass",
                                     .atol = atol,
                                     .reference = "robertson.csv",
                                     .t_end = 4e4,
                                     .stiff = 1};
    it.problem = make()->mass;
    return &it;
}
