/* SPDX-License-Identifier: Apache-2.0 */
/* How do I solve a differential-algebraic problem?  The pendulum in Cartesian coordinates, F(t, y, y', p) = 0 of index 2, with its
   sensitivity to the length.  The multiplier x5 (tension over mass and length) is found from its constraint: a guess is
   enough.  The initial values must satisfy the constraint for every length, so they are a function of it.  The energy E is a
   derived quantity; like E itself dE/dlength is conserved, and equal to g dx2/dlength at the start, -11.3276. */
#include <math.h>
#include <stdio.h>
#include <tansy/tansy.h>

enum { X1, X2, X3, X4, X5, N };

static const double g = 9.81;

static int pendulum(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    (void)t, (void)p, (void)context;
    F[0] = yp[X1] - y[X3];
    F[1] = yp[X2] - y[X4];
    F[2] = yp[X3] + y[X1] * y[X5];
    F[3] = yp[X4] + y[X2] * y[X5] + g;
    F[4] = y[X1] * y[X3] + y[X2] * y[X4]; /* the velocity is at right angles to the rod */
    return 0;
}

static int start(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    y0[X1] = 0.5;
    y0[X2] = -sqrt(p[0] * p[0] - 0.25);
    y0[X3] = y0[X4] = y0[X5] = 0;
    return 0;
}

static int energy(double t, const double *y, const double *yp, const double *p, double *Q,
                  void *context)
{
    (void)t, (void)yp, (void)p, (void)context;
    Q[0] = 0.5 * (y[X3] * y[X3] + y[X4] * y[X4]) + g * y[X2];
    return 0;
}

int main(void)
{
    static const tansy_kind kind[N] = {[X5] = TANSY_INDEX_2};
    const double length = 1;
    double y[N], s[N], Q, Q_p;
    tansy_solver *const solver = tansy_create(&(tansy_problem){.n = N,
                                                               .np = 1,
                                                               .p = &length,
                                                               .residual = pendulum,
                                                               .initial = start,
                                                               .kind = kind,
                                                               .nq = 1,
                                                               .derived = energy},
                                              &(tansy_options){.rtol = 1e-7, .atol = 1e-9});
    tansy_initialise(solver, y, NULL, s, NULL);
    printf("consistent at 0: x5 = %.5f, dx5/dlength = %.4f\n", y[X5], s[X5]);
    for (int k = 1; k <= 4 && tansy_solve(solver, 0.5 * k, y, s) == TANSY_OK; k++) {
        tansy_derived_at(solver, 0.5 * k, &Q, &Q_p);
        printf(
            "t = %.1f  x1 = %8.5f  x5 = %8.4f  dx1/dlength = %8.4f  E = %.4f  dE/dlength = %.3f\n",
            0.5 * k, y[X1], y[X5], s[X1], Q, Q_p);
    }
    if (tansy_error(solver) < 0) fprintf(stderr, "%s\n", tansy_message(solver));
    tansy_free(solver);
    return 0;
}
