/* SPDX-License-Identifier: Apache-2.0 */
/* A solver that was restarted runs as a new one: what an earlier run learned of its preconditioner (gmres), or of the weights of multipliers
   (index 2), is forgotten. */
#include <math.h>
#include <string.h>
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

TEST(a_restart_of_index_2_repeats_the_run_bit_for_bit)
{
    static const char *const text =
        "parameter l = 1, g = 9.81, u = 1\n"
        "state x = 0.5*l, y = -sqrt(0.75)*l, v = 0, w = 0\nalgebraic f = 8\nx' = v\ny' = w\n"
        "v' = -x*f + u*time\nw' = -y*f - g\n0 = x*v + y*w\ntime 0 .. 4\n";
    enum { STATES = 5, PARAMETERS = 3 };
    tansy_model *const m = tansy_model_parse(text, strlen(text), "pendulum");
    tansy_options const options = {.rtol = 1e-6};
    tansy_problem problem;
    double y[2][STATES], S[2][STATES * PARAMETERS];
    CHECK_EQUAL(tansy_model_problem(m, &problem), TANSY_OK);
    tansy_solver *const s = tansy_create(&problem, &options);
    for (int run = 0; run < 2; run++) {
        if (run > 0) CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, 2, y[run], S[run]), TANSY_OK);
    }
    tansy_free(s);
    tansy_model_free(m);
    for (size_t i = 0; i < STATES; i++) CHECK_CLOSE(y[1][i], y[0][i], 0);
    for (size_t i = 0; i < (size_t)STATES * PARAMETERS; i++) CHECK_CLOSE(S[1][i], S[0][i], 0);
}
