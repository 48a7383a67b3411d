/* SPDX-License-Identifier: Apache-2.0 */
/* A first program: Robertson's reactions with the sensitivities to their three rate constants. */
#include <stdio.h>
#include <tansy/tansy.h>

static int robertson(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] + p[1] * y[1] * y[2];
    f[2] = p[2] * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return 0; /* > 0: not here, try a smaller step; < 0: stop */
}

int main(void)
{
    const double y0[] = {1, 0, 0}, p[] = {0.04, 1e4, 3e7};
    double y[3], s[3][3]; /* s[k][i] = dy_i/dp_k */
    tansy_solver *solver =
        tansy_create(&(tansy_problem){.n = 3, .np = 3, .y0 = y0, .p = p, .rhs = robertson},
                     &(tansy_options){.method = TANSY_BDF, .rtol = 1e-6, .atol = 1e-12});
    for (double t = 0.4; t < 1e11 && tansy_solve(solver, t, y, *s) == TANSY_OK; t *= 10)
        printf("%8.1e  %.6e %.6e %.6e  %.4e\n", t, y[0], y[1], y[2], s[0][0]);
    if (tansy_error(solver) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    return 0;
}
