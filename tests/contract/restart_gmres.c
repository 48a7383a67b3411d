/* SPDX-License-Identifier: Apache-2.0 */
/* A solver that was restarted runs as a new one, with gmres too: what an earlier run learned of its preconditioner is forgotten. */
#include <math.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 6 };

/* A ring of rates: B has the rows 0.3, 2, 0.5; f_i = -p (i + 1) y_i^3 - y_{i+1} sin t. */
static int ring(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    for (size_t i = 0; i < N; i++)
        f[i] = -p[0] * (double)(i + 1) * y[i] * y[i] * y[i] - y[(i + 1) % N] * sin(t);
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    for (size_t i = 0; i < N; i++) {
        B[i * N + i] = 2;
        B[i * N + (i + 1) % N] = 0.5;
        B[i * N + (i + N - 1) % N] = 0.3;
    }
    return 0;
}

TEST(a_restart_of_gmres_repeats_the_run_bit_for_bit)
{
    for (int side = TANSY_SIDE_AUTO; side <= TANSY_RIGHT; side++) {
        double const y0[N] = {1, 1.1, 1.2, 1.3, 1.4, 1.5}, p = 3;
        tansy_problem const problem = {
            .n = N, .np = 1, .y0 = y0, .p = &p, .rhs = ring, .mass = mass};
        tansy_options const options = {.method = TANSY_DASSL,
                                       .linear_solver = TANSY_GMRES,
                                       .preconditioner = TANSY_ILU_PRECONDITIONER,
                                       .precondition_side = (tansy_side)side,
                                       .krylov_dimension = 3};
        double y[2][N], S[2][N];
        tansy_stats stats[2];
        tansy_solver *const s = tansy_create(&problem, &options);
        for (int run = 0; run < 2; run++) {
            if (run > 0) CHECK_EQUAL(tansy_restart(s, 0, y0, &p, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_solve(s, 2, y[run], S[run]), TANSY_OK);
            tansy_get_stats(s, &stats[run]);
        }
        tansy_free(s);
        for (size_t i = 0; i < N; i++) {
            CHECK_CLOSE(y[1][i], y[0][i], 0);
            CHECK_CLOSE(S[1][i], S[0][i], 0);
        }
        CHECK_EQUAL(stats[1].linear_iterations, 2 * stats[0].linear_iterations);
    }
}
