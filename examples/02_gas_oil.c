/* SPDX-License-Identifier: Apache-2.0 */
/* Which derivatives can I give?  Catalytic cracking of gas oil with df/dy and df/dp, checked before use. */
#include <stdio.h>
#include <tansy/tansy.h>

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -(p[0] + p[2]) * y[0] * y[0];
    f[1] = p[0] * y[0] * y[0] - p[1] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *p, double *J, void *context)
{
    (void)t, (void)context;
    J[0 * 2 + 0] = -2 * (p[0] + p[2]) * y[0]; /* J[i*n + j] = df_i/dy_j */
    J[1 * 2 + 0] = 2 * p[0] * y[0];
    J[1 * 2 + 1] = -p[1];
    return 0;
}

static int parameter_jacobian(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t, (void)p, (void)context;
    F[0 * 3 + 0] = F[0 * 3 + 2] = -y[0] * y[0]; /* F[i*np + k] = df_i/dp_k */
    F[1 * 3 + 0] = y[0] * y[0];
    F[1 * 3 + 1] = -y[1];
    return 0;
}

int main(void)
{
    const double y0[] = {1, 0}, p[] = {0.9875, 0.2566, 0.3323};
    double y[2], s[3][2];
    tansy_solver *solver = tansy_create(&(tansy_problem){.n = 2,
                                                         .np = 3,
                                                         .y0 = y0,
                                                         .p = p,
                                                         .rhs = rhs,
                                                         .jacobian = jacobian,
                                                         .parameter_jacobian = parameter_jacobian},
                                        &(tansy_options){.method = TANSY_ADAMS, .rtol = 1e-8});
    if (tansy_check(solver) == TANSY_OK) printf("the derivatives agree with differences\n");
    printf("   t      y1       y2      dy2/dp1   dy2/dp2   dy2/dp3\n");
    for (int k = 0; k <= 8; k++) {
        if (tansy_solve(solver, 0.5 * k, y, *s) < 0) break;
        printf("%5.2f %8.6f %8.6f %9.6f %9.6f %9.6f\n", 0.5 * k, y[0], y[1], s[0][1], s[1][1],
               s[2][1]);
    }
    if (tansy_error(solver) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    return 0;
}
