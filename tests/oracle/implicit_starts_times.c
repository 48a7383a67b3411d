/* SPDX-License-Identifier: Apache-2.0 */
/* Starts are right whatever the unit of time is.  Constraints of index 2 that move with t, without .constraint_rate: an ideal source V sin(w t + phi) across a
   capacitor, C v' = i; where nothing tells how fast, that is said.  Derivatives of algebraic variables; F curved in y' with gmres. */
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

/* RC x' = z - x, 0 = z - V sin(t/RC + 0.3): what F says of z' is its derivative, z'(0) = V cos(0.3)/RC. */
static int follower(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct source *const s = context;
    F[0] = yp[0] / s->w + y[0] - y[1];
    F[1] = y[1] - p[0] * sin(s->w * t + s->phase);
    return 0;
}

static int follower_by_state(double t, const double *y, const double *yp, const double *p,
                             double *J, void *context)
{
    (void)t, (void)y, (void)yp, (void)p, (void)context;
    J[0] = J[3] = 1;
    J[1] = -1;
    return 0;
}

static int follower_by_rate(double t, const double *y, const double *yp, const double *p, double *M,
                            void *context)
{
    (void)t, (void)y, (void)yp, (void)p;
    M[0] = 1 / ((const struct source *)context)->w;
    return 0;
}

static int follower_by_parameter(double t, const double *y, const double *yp, const double *p,
                                 double *D, void *context)
{
    const struct source *const s = context;
    (void)y, (void)yp, (void)p;
    D[1] = -sin(s->w * t + s->phase);
    return 0;
}

TEST(rates_of_algebraic_variables_are_right_in_any_time)
{
    static const double y0[] = {0, 1}, p = 5;
    for (int power = -12; power <= 9; power += 3) {
        struct source source = {pow(10, power), 0.3};
        double y[2], yp[2], S[2], Sp[2];
        tansy_solver *const solver =
            tansy_create(&(tansy_problem){.n = 2,
                                          .np = 1,
                                          .y0 = y0,
                                          .p = &p,
                                          .residual = follower,
                                          .residual_jacobian = follower_by_state,
                                          .rate_jacobian = follower_by_rate,
                                          .residual_parameter = follower_by_parameter,
                                          .context = &source},
                         &(tansy_options){.rtol = 1e-6, .atol = 1e-9});
        CHECK_EQUAL(tansy_initialise(solver, y, yp, S, Sp), TANSY_OK);
        CHECK_CLOSE(yp[1] / source.w, 5 * cos(0.3), 5e-6);
        CHECK_CLOSE(Sp[1] / source.w, cos(0.3), 1e-6);
        tansy_free(solver);
    }
}

/* T y' + (T y')^3/10 = k (2 - y), with gmres. */
static int cubic(double t, const double *y, const double *yp, const double *p, double *F,
                 void *context)
{
    double const x = yp[0] / ((const struct source *)context)->w;
    (void)t;
    F[0] = x + 0.1 * x * x * x - p[0] * (2 - y[0]);
    return 0;
}

static int cubic_by_state(double t, const double *y, const double *yp, const double *p, double *J,
                          void *context)
{
    (void)t, (void)y, (void)yp, (void)context;
    J[0] = p[0];
    return 0;
}

static int cubic_by_rate(double t, const double *y, const double *yp, const double *p, double *M,
                         void *context)
{
    double const w = ((const struct source *)context)->w, x = yp[0] / w;
    (void)t, (void)y, (void)p;
    M[0] = (1 + 0.3 * x * x) / w;
    return 0;
}

static int cubic_by_parameter(double t, const double *y, const double *yp, const double *p,
                              double *D, void *context)
{
    (void)t, (void)yp, (void)p, (void)context;
    D[0] = y[0] - 2;
    return 0;
}

TEST(gmres_starts_where_f_is_curved_in_the_rate_at_any_tolerance)
{
    static const double y0 = 0, p = 1;
    for (int power = -9; power <= 9; power += 9)
        for (double rtol = 1e-3; rtol > 1e-8; rtol /= 3) {
            struct source source = {pow(10, power), 0};
            double y = 0, S = 0;
            tansy_solver *const solver = tansy_create(
                &(tansy_problem){.n = 1,
                                 .np = 1,
                                 .y0 = &y0,
                                 .p = &p,
                                 .residual = cubic,
                                 .residual_jacobian = cubic_by_state,
                                 .rate_jacobian = cubic_by_rate,
                                 .residual_parameter = cubic_by_parameter,
                                 .context = &source},
                &(tansy_options){.rtol = rtol, .atol = 1e-3 * rtol, .linear_solver = TANSY_GMRES});
            CHECK_EQUAL(tansy_solve(solver, 2 / source.w, &y, &S), TANSY_OK);
            CHECK_CLOSE(S, 0.5467093, 30 * rtol);
            tansy_free(solver);
        }
}
