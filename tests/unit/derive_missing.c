/* SPDX-License-Identifier: Apache-2.0 */
/* Where S would need derivatives that differences cannot give, the message names the fields that are missing. */
#include <tansy/tansy.h>

#include "test.h"

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = -y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    J[0] = -1;
    return 0;
}

static int parameter(double t, const double *y, const double *p, double *P, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    P[0] = 0;
    return 0;
}

static int tangent(double t, const double *y, const double *p, size_t columns, size_t ld,
                   const double *V, const double *U, double *R, void *context)
{
    (void)t, (void)y, (void)p, (void)ld, (void)U, (void)context;
    for (size_t k = 0; k < columns; k++) R[k] = -V[k];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)context;
    B[0] = 1 + p[0] * p[0];
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] * (1 + p[0] * p[0]) + y[0];
    return 0;
}

static int residual_jacobian(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    J[0] = 1;
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *M,
                         void *context)
{
    (void)t, (void)y, (void)yp, (void)context;
    M[0] = 1 + p[0] * p[0];
    return 0;
}

static void check(tansy_problem problem, const char *part)
{
    double const p = 0.5, y0 = 1;
    tansy_options const options = {.rtol = 1e-12};
    problem.n = problem.np = 1;
    problem.p = &p;
    problem.y0 = &y0;
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_BAD_OPTION);
    CHECK_TEXT_CONTAINS(tansy_message(s), part);
    tansy_free(s);
}

TEST(what_a_mass_matrix_that_varies_lacks_is_named)
{
    tansy_problem q = {.rhs = rhs,
                       .jacobian = jacobian,
                       .parameter_jacobian = parameter,
                       .mass = mass,
                       .mass_varies = 1};
    check(q, "give .tangent and .mass_tangent");
    q.tangent = tangent;
    check(q, "; give .mass_tangent");
}

TEST(what_a_residual_lacks_is_named)
{
    tansy_problem q = {.residual = residual};
    check(q, "give .residual_jacobian and .residual_parameter, or .residual_tangent");
    q.residual_jacobian = residual_jacobian;
    q.rate_jacobian = rate_jacobian;
    check(q, "needs dF/dp to that accuracy");
    check(q, "give .residual_parameter or .residual_tangent");
}
