/* SPDX-License-Identifier: Apache-2.0 */
/* How do I get the sensitivity of a quantity from a solution that I have stored?  Q = |y|, the L2 norm, and dQ/dp = y . s/|y| for gas
   oil cracking: first the run, whose (t, y, y', S, S') are kept, then, without a solver, Q and dQ/dp from these. */
#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

enum { N = 2, NP = 3, TIMES = 4 };

static int gas_oil(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -(p[0] + p[2]) * y[0] * y[0];
    f[1] = p[0] * y[0] * y[0] - p[1] * y[1];
    return 0;
}

static int norm(double t, const double *y, const double *yp, const double *p, double *Q,
                void *context)
{
    (void)t, (void)yp, (void)p, (void)context;
    Q[0] = hypot(y[0], y[1]);
    return 0;
}

int main(void)
{
    const double y0[N] = {1, 0}, p[NP] = {0.9875, 0.2566, 0.3323};
    tansy_problem const problem = {
        .n = N, .np = NP, .y0 = y0, .p = p, .rhs = gas_oil, .nq = 1, .derived = norm};
    double y[TIMES][N], yp[TIMES][N], s[TIMES][NP][N], sp[TIMES][NP][N];
    tansy_solver *const solver = tansy_create(&problem, &(tansy_options){.rtol = 1e-7});
    for (int j = 0; j < TIMES; j++) {
        double const t = j + 1;
        tansy_solve(solver, t, NULL, NULL);
        tansy_at(solver, t, y[j], yp[j], *s[j], *sp[j]);
    }
    if (tansy_error(solver) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);

    for (int j = 0; j < TIMES; j++) {
        char message[256] = "";
        double Q, Q_p[NP];
        tansy_stored const at = {
            .t = j + 1, .y = y[j], .yp = yp[j], .sens = *s[j], .sensp = *sp[j]};
        if (tansy_derived_from(&problem, &at, &Q, Q_p, message, sizeof message) != TANSY_OK)
            fprintf(stderr, "%s\n", message);
        printf("t = %d  |y| = %.6f  d|y|/dp = %9.6f %9.6f %9.6f", j + 1, Q, Q_p[0], Q_p[1], Q_p[2]);
        printf("  by hand %9.6f\n", (y[j][0] * s[j][0][0] + y[j][1] * s[j][0][1]) / Q);
    }
    return 0;
}
