/* SPDX-License-Identifier: Apache-2.0 */
/* Index 2: a run that starts again from the y and S it has just given, which meet the constraint to the tolerance only, goes on: they are moved
   onto it, where they may be. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 5 };
static const tansy_kind kinds[N] = {[4] = TANSY_INDEX_2};

/* F cannot be evaluated where the constraint holds exactly, if wanted. */
struct trap {
    bool is_set;
};

/* x, y, u, v and the multiplier of a pendulum of length p, with x u + y v = 0. */
static int pendulum(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct trap *const trap = context;
    (void)p;
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[0] * y[4];
    F[3] = yp[3] + y[1] * y[4] + 9.81;
    F[4] = y[0] * y[2] + y[1] * y[3];
    return trap->is_set && t == 0 && fabs(F[4]) < 1e-12 ? 1 : 0;
}

static int by_state(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    (void)t, (void)yp, (void)p, (void)context;
    J[2] = J[N + 3] = -1;
    J[2 * N] = J[3 * N + 1] = y[4];
    J[2 * N + 4] = y[0], J[3 * N + 4] = y[1];
    memcpy(J + 4 * N, (const double[]){y[2], y[3], y[0], y[1]}, 4 * sizeof *J);
    return 0;
}

static int by_rates(double t, const double *y, const double *yp, const double *p, double *M,
                    void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    for (int i = 0; i < 4; i++) M[i * N + i] = 1;
    return 0;
}

static int by_parameter(double t, const double *y, const double *yp, const double *p, double *D,
                        void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)D, (void)context;
    return 0;
}

static int begin(double t, const double *p, double *y, void *context)
{
    (void)t, (void)context;
    memset(y, 0, N * sizeof *y);
    y[0] = 0.5;
    y[1] = -sqrt(p[0] * p[0] - 0.25);
    return 0;
}

static const double length = 1;
static struct trap none;
static tansy_problem const hanging = {.n = N,
                                      .np = 1,
                                      .p = &length,
                                      .residual = pendulum,
                                      .residual_jacobian = by_state,
                                      .rate_jacobian = by_rates,
                                      .residual_parameter = by_parameter,
                                      .initial = begin,
                                      .kind = kinds,
                                      .context = &none};

/* y and S at 20 dt, started again every dt or not; both follow one solution of index 2, whose errors add up over the starts. */
static tansy_status swing(const tansy_options *options, double dt, bool restarts, double *y,
                          double *S)
{
    tansy_solver *const s = tansy_create(&hanging, options);
    tansy_status status = TANSY_OK;
    for (int k = 1; k <= 20 && status == TANSY_OK; k++) {
        status = tansy_solve(s, k * dt, y, S);
        if (restarts && status == TANSY_OK) status = tansy_restart(s, k * dt, y, NULL, S);
    }
    tansy_free(s);
    return status;
}

TEST(runs_of_index_2_go_on_from_what_they_gave)
{
    static const double span[] = {0.13, 0.39};
    for (int k = 0; k < 2 * 2 * 3 * 3; k += TEST_STRIDE)
        for (double rtol = 1e-4; rtol > 2e-9; rtol /= 10) {
            tansy_options const options = {
                .rtol = rtol,
                .atol = 1e-3 * rtol,
                .norm = (tansy_norm)(k / 2 % 2),
                .error_control = (tansy_error_control)(k / 4 % 3),
                .sensitivities = (tansy_sensitivities)(TANSY_SENSITIVITIES_AUTO + k / 12 + 1)};
            double y[N], S[N], z[N], T[N];
            CHECK_EQUAL(swing(&options, span[k % 2], true, y, S), TANSY_OK);
            CHECK_EQUAL(swing(&options, span[k % 2], false, z, T), TANSY_OK);
            for (int i = 0; i < 4; i++) { /* 20 starts with errors of 100 rtol, S grows to 30 */
                CHECK_CLOSE(y[i], z[i], 2e3 * rtol * 5);
                CHECK_CLOSE(S[i], T[i], 2e3 * rtol * 30);
            }
            CHECK_CLOSE(y[0] * y[2] + y[1] * y[3], 0, 100 * rtol);
        }
}

/* The multiplier is u^2 + v^2 - g y for L = 1.  At t = 0 the speed along the rod is 1e-7 instead of 0, within the tolerances. */
static void check_nearly(const struct trap *trap, bool keep, double speed)
{
    double const y0[N] = {0.6, -0.8, 0.6e-7, -0.8e-7, 9.81 * 0.8};
    tansy_problem problem = hanging;
    problem.y0 = y0;
    problem.initial = NULL;
    problem.context = (void *)trap;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.rtol = 1e-6, .atol = 1e-6, .keep_initial = keep});
    double y[N];
    CHECK_EQUAL(tansy_initialise(s, y, NULL, NULL, NULL), TANSY_OK);
    CHECK_CLOSE(y[0] * y[2] + y[1] * y[3], speed, 1e-12);
    tansy_free(s);
}

TEST(values_that_nearly_meet_the_constraint_are_moved_onto_it)
{
    check_nearly(&none, false, 0);
}

TEST(values_are_not_moved_where_they_are_to_be_kept_or_F_cannot_be_evaluated)
{
    check_nearly(&none, true, 1e-7);
    check_nearly(&(struct trap){true}, false, 1e-7);
}

/* S to the initial angle at 0.7, given 1e-9 off the derivative of the constraint, is moved in the same way, unless it is to be kept. */
TEST(columns_that_nearly_meet_the_constraint_are_moved_onto_it)
{
    for (int keep = 0; keep < 2; keep++) {
        double const y0[N] = {0.6, -0.8, 0, 0, 9.81 * 0.8};
        double const S0[N] = {0.8, 0.6, 0.6e-9, -0.8e-9, -9.81 * 0.6};
        double y[N], S[N];
        tansy_problem problem = hanging;
        problem.y0 = y0;
        problem.initial = NULL;
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.rtol = 1e-6, .atol = 1e-8, .keep_initial = keep});
        CHECK_EQUAL(tansy_restart(s, 0, y0, NULL, S0), TANSY_OK);
        CHECK_EQUAL(tansy_initialise(s, y, NULL, S, NULL), TANSY_OK);
        CHECK_CLOSE(0.6 * S[2] - 0.8 * S[3], keep ? 1e-9 : 0, 1e-16);
        tansy_free(s);
    }
}
