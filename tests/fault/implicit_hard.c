/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems whose solution ends, or whose matrix becomes singular on the way: the run stops near there with a message, what was reached is
   right, and nothing is called for ever. */
#include "support/promise.h"
#include "test.h"

#include <math.h>
#include <tansy/tansy.h>

static const double start[] = {1, 1}, speed[] = {1};

/* y' = -p, z^2 = y: a fold at t = 1, where F_z = 2 z vanishes and z' is infinite. */
static int fold(double t, const double *y, const double *yp, const double *p, double *F,
                void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0];
    F[1] = y[1] * y[1] - y[0];
    return 0;
}

/* y' = -p, y z = 1: a pole at t = 1. */
static int pole(double t, const double *y, const double *yp, const double *p, double *F,
                void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0];
    F[1] = y[0] * y[1] - 1;
    return 0;
}

/* y' = -p, (1 - t) (z - y) = 0: z is free at t = 1 alone, and the steps go over it. */
static int passing(double t, const double *y, const double *yp, const double *p, double *F,
                   void *context)
{
    (void)context;
    F[0] = yp[0] + p[0];
    F[1] = (1 - t) * (y[1] - y[0]);
    return 0;
}

/* y' = -p, max(1 - t, 0) (z - y) = 0: z is free from t = 1 on, which a step or two with old factors do not see. */
static int vanishing(double t, const double *y, const double *yp, const double *p, double *F,
                     void *context)
{
    (void)context;
    F[0] = yp[0] + p[0];
    F[1] = fmax(1 - t, 0) * (y[1] - y[0]);
    return 0;
}

/* Runs towards t = 2 by steps; the status, and y, sens where it stopped. */
static tansy_status run(tansy_residual_value *residual, tansy_sensitivities sensitivities,
                        double *time, double *y, double *sens)
{
    tansy_problem const problem = {.n = 2, .np = 1, .y0 = start, .p = speed, .residual = residual};
    tansy_solver *const s = tansy_create(
        &problem,
        &(tansy_options){
            .rtol = 1e-5, .atol = 1e-8, .max_steps = 20000, .sensitivities = sensitivities});
    tansy_status const status = tansy_solve(s, 2, y, sens);
    *time = tansy_time(s);
    if (status < 0) CHECK_TEXT_CONTAINS(tansy_message(s), "t = ");
    CHECK_EQUAL(tansy_error(s), status);
    tansy_free(s);
    return status;
}

TEST(a_fold_ends_the_run_where_it_is)
{
    for (size_t c = 0; c < CORRECTORS; c++) {
        double t = 0, y[2], sens[2];
        tansy_status const status = run(fold, all_correctors[c], &t, y, sens);
        CHECK(status == TANSY_STEP_TOO_SMALL || status == TANSY_NOT_CONVERGED ||
              status == TANSY_SINGULAR);
        CHECK_CLOSE(t, 1, 1e-2);
        CHECK_CLOSE(y[0], 1 - t, 1e-4);
        CHECK_CLOSE(y[1] * y[1], y[0], 1e-4);
        CHECK_CLOSE(sens[0], -t, 1e-3);
    }
}

TEST(a_pole_ends_the_run_where_it_is)
{
    for (size_t c = 0; c < CORRECTORS; c++) {
        double t = 0, y[2], sens[2];
        tansy_status const status = run(pole, all_correctors[c], &t, y, sens);
        CHECK(status < 0);
        CHECK(t <= 1 + 1e-3 && t > 0.9);
        CHECK(isfinite(y[1]) && isfinite(sens[1]));
        CHECK_CLOSE(y[0], 1 - t, 1e-4);
    }
}

TEST(a_matrix_that_is_singular_at_one_time_is_stepped_over)
{
    for (size_t c = 0; c < CORRECTORS; c++) {
        double t = 0, y[2], sens[2];
        CHECK_EQUAL(run(passing, all_correctors[c], &t, y, sens), TANSY_OK);
        CHECK_CLOSE(y[1], -1, 1e-3);
        CHECK_CLOSE(sens[1], -2, 1e-3);
    }
}

TEST(a_matrix_that_stays_singular_is_told)
{
    for (size_t c = 0; c < CORRECTORS; c++) {
        double t = 0, y[2], sens[2];
        CHECK_EQUAL(run(vanishing, all_correctors[c], &t, y, sens), TANSY_SINGULAR);
        CHECK(t > 0.99 && t < 1.2);
        CHECK_CLOSE(y[0], 1 - t, 1e-3);
    }
}
