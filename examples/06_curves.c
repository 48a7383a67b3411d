/* SPDX-License-Identifier: Apache-2.0 */
/* How do I get curves?  Robertson's reactions at 111 times, with the sensitivities p dy1/dp to all three constants
   on one scale; `make run` draws these columns. */
#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

enum { TIMES = 111 };

static int robertson(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] + p[1] * y[1] * y[2];
    f[2] = p[2] * y[1] * y[1];
    f[1] = -f[0] - f[2];
    return 0;
}

int main(void)
{
    static double times[TIMES], y[TIMES][3], s[TIMES][3][3];
    const double y0[] = {1, 0, 0}, p[] = {0.04, 1e4, 3e7}, atol[] = {1e-10, 1e-14, 1e-10};
    for (int j = 0; j < TIMES; j++) times[j] = pow(10, -4 + 0.1 * j); /* 1e-4 to 1e7 */
    tansy_solver *solver =
        tansy_create(&(tansy_problem){.n = 3, .np = 3, .y0 = y0, .p = p, .rhs = robertson},
                     &(tansy_options){.method = TANSY_BDF, .rtol = 1e-6, .atol_state = atol});
    size_t reached = 0;
    if (tansy_solve_grid(solver, TIMES, times, *y, **s, &reached) < 0)
        fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    printf("#      t       y1        y2         y3     p1 dy1/dp1 p2 dy1/dp2 p3 dy1/dp3\n");
    for (size_t j = 0; j < reached; j++)
        printf("%.4e %.6f %.4e %.6f %10.6f %10.6f %10.6f\n", times[j], y[j][0], y[j][1], y[j][2],
               p[0] * s[j][0][0], p[1] * s[j][1][0], p[2] * s[j][2][0]);
    return 0;
}
