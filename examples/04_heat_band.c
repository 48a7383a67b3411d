/* SPDX-License-Identifier: Apache-2.0 */
/* What if there are many equations with a banded df/dy?  Heat in a rod of 200 points, with the sensitivities to
   conductivity and heating; df/dy costs three calls of the right-hand side, not 200. */
#include <stdio.h>
#include <tansy/tansy.h>

enum { N = 200 };

static int rhs(double t, const double *u, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    double const k = p[0] * (N + 1) * (N + 1);
    for (int i = 0; i < N; i++) {
        double const left = i > 0 ? u[i - 1] : 0, right = i < N - 1 ? u[i + 1] : 0;
        f[i] = k * (left - 2 * u[i] + right) + p[1];
    }
    return 0;
}

int main(void)
{
    static double u0[N], u[N], s[2][N];
    const double p[] = {1.0, 8.0};
    tansy_solver *solver = tansy_create(&(tansy_problem){.n = N,
                                                         .np = 2,
                                                         .y0 = u0,
                                                         .p = p,
                                                         .rhs = rhs,
                                                         .structure = TANSY_BANDED,
                                                         .lower = 1,
                                                         .upper = 1},
                                        &(tansy_options){.method = TANSY_BDF, .rtol = 1e-5});
    int const middle = N / 2;
    printf("   t    u(middle)  du/dp_0   du/dp_1\n");
    for (double t = 0.01; t < 2; t *= 3)
        if (tansy_solve(solver, t, u, *s) == TANSY_OK)
            printf("%6.3f %9.5f %9.5f %9.5f\n", t, u[middle], s[0][middle], s[1][middle]);
    if (tansy_error(solver) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    return 0;
}
