/* SPDX-License-Identifier: Apache-2.0 */
/* Constraints of index 2 that move with t, without .constraint_rate: an ideal source V sin(w t + phi) across a capacitor, C v' = i. i(0) and di/dV are right
   whatever the unit of time is; where nothing tells it, that is said. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

struct source {
    double w, phase;
};

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct source *const s = context;
    F[0] = p[0] * yp[0] - y[1];
    F[1] = y[0] - p[1] * sin(s->w * t + s->phase);
    return 0;
}

static int by_state(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    J[1] = -1;
    J[2] = 1;
    return 0;
}

static int by_rate(double t, const double *y, const double *yp, const double *p, double *M,
                   void *context)
{
    (void)t, (void)y, (void)yp, (void)context;
    M[0] = p[0];
    return 0;
}

static int by_parameter(double t, const double *y, const double *yp, const double *p, double *D,
                        void *context)
{
    const struct source *const s = context;
    (void)y, (void)p;
    D[0] = yp[0];
    D[3] = -sin(s->w * t + s->phase);
    return 0;
}

static int initial(double t, const double *p, double *y, void *context)
{
    const struct source *const s = context;
    (void)t;
    y[0] = p[1] * sin(s->phase);
    y[1] = 0;
    return 0;
}

static tansy_solver *create(struct source *source, const double *p, bool given,
                            tansy_options options)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    tansy_problem problem = {.n = 2,
                             .np = 2,
                             .p = p,
                             .initial = initial,
                             .kind = kind,
                             .residual = residual,
                             .context = source};
    if (given) {
        problem.residual_jacobian = by_state;
        problem.rate_jacobian = by_rate;
        problem.residual_parameter = by_parameter;
    }
    options.rtol = 1e-6;
    options.atol = 1e-9;
    return tansy_create(&problem, &options);
}

/* i(0) = V cos(phi) with C = 1/w, and its derivative by V. */
static void check_start(tansy_solver *solver, double phase)
{
    double y[2], yp[2], S[4];
    CHECK_EQUAL(tansy_initialise(solver, y, yp, S, NULL), TANSY_OK);
    CHECK_CLOSE(y[1], 5 * cos(phase), 5e-6);
    CHECK_CLOSE(S[3], cos(phase), 3e-6);
}

TEST(a_constraint_may_move_in_any_time_from_short_to_long_ones)
{
    for (int power = -8; power <= 14; power++)
        for (int given = 0; given < 2; given++)
            for (int turn = 0; turn < 3 && (given || power >= -4); turn++) {
                struct source source = {pow(10, power), turn * 0.5 * acos(0)};
                double const p[] = {1 / source.w, 5};
                tansy_solver *const solver =
                    create(&source, p, given, (tansy_options){.threads = 1});
                check_start(solver, source.phase);
                tansy_free(solver);
            }
}

TEST(the_end_of_the_run_tells_longer_times)
{
    for (int power = -16; power <= 14; power += 5)
        for (int side = -1; side <= 1; side += 2) {
            struct source source = {pow(10, power), 0.3};
            double const p[] = {1 / source.w, 5}, end = side * 2 / source.w;
            tansy_options const options = {.use_stop_time = 1, .stop_time = end};
            double y[2], S[4];
            tansy_solver *solver = create(&source, p, true, options);
            check_start(solver, source.phase);
            tansy_free(solver);
            solver = create(&source, p, true, (tansy_options){.threads = 1});
            CHECK_EQUAL(tansy_solve(solver, end, y, S), TANSY_OK);
            CHECK_CLOSE(y[1], 5 * cos(side * 2 + 0.3), 5e-5);
            CHECK_CLOSE(S[3], cos(side * 2 + 0.3), 5e-5);
            tansy_free(solver);
        }
}

TEST(a_motion_that_is_lost_in_rounding_is_told)
{
    struct source source = {1e-10, 0.3};
    double const p[] = {1 / source.w, 5};
    double y[2], S[4];
    tansy_solver *const solver = create(&source, p, true, (tansy_options){.threads = 1});
    CHECK_EQUAL(tansy_error(solver), TANSY_OK);
    CHECK_EQUAL(tansy_initialise(solver, y, NULL, S, NULL), TANSY_INCONSISTENT);
    CHECK_TEXT_CONTAINS(tansy_message(solver), ".constraint_rate");
    CHECK_EQUAL(tansy_solve(solver, 2e10, y, S), TANSY_OK);
    CHECK_CLOSE(y[1], 5 * cos(2.3), 5e-5);
    tansy_free(solver);
}
