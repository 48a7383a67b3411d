/* SPDX-License-Identifier: Apache-2.0 */
/* How does the solution depend on its initial values, or on a direction of my own?  A predator-prey cycle. */
#include <stdio.h>
#include <tansy/tansy.h>

static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = p[0] * y[0] - p[1] * y[0] * y[1];
    f[1] = p[2] * y[0] * y[1] - p[3] * y[1];
    return 0;
}

int main(void)
{
    const double y0[] = {10, 5}, p[] = {1.1, 0.4, 0.1, 0.4};
    double y[2], s[3][2], along[1][2];

    /* Columns: the growth rate p_0 and both initial values. */
    const int columns[] = {0, TANSY_INITIAL(0), TANSY_INITIAL(1)};
    tansy_problem problem = {
        .n = 2, .np = 4, .y0 = y0, .p = p, .rhs = rhs, .ns = 3, .columns = columns};
    const tansy_options options = {.method = TANSY_ADAMS, .rtol = 1e-6};
    tansy_solver *solver = tansy_create(&problem, &options);
    if (tansy_solve(solver, 10, y, *s) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    printf("y(10) = %.5f %.5f\n", y[0], y[1]);
    printf("dy/dp_0     %10.4f %10.4f\n", s[0][0], s[0][1]);
    printf("dy/dy_0(0)  %10.4f %10.4f\n", s[1][0], s[1][1]);
    printf("dy/dy_1(0)  %10.4f %10.4f\n", s[2][0], s[2][1]);

    /* One direction: both populations 1 % larger, the growth rate 1 % smaller; y(t0) first, then p. */
    const double direction[] = {0.1, 0.05, -0.011, 0, 0, 0};
    problem.ns = 1;
    problem.columns = NULL;
    problem.directions = direction;
    solver = tansy_create(&problem, &options);
    if (tansy_solve(solver, 10, y, *along) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    printf("direction   %10.4f %10.4f\n", along[0][0], along[0][1]);
    printf("from columns%10.4f %10.4f\n", 0.1 * s[1][0] + 0.05 * s[2][0] - 0.011 * s[0][0],
           0.1 * s[1][1] + 0.05 * s[2][1] - 0.011 * s[0][1]);
    return 0;
}
