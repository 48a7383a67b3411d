/* SPDX-License-Identifier: Apache-2.0 */
/* Constraints of index 2 that move with t, without .constraint_rate: v' = i, 0 = v - V g(t), so that i = V g'(t).  Where g is enormous beside t0, as exp(-k t) is
   before it; what is given out at t0 is right or an error; a run that has begun goes on behind a break. */
#include <math.h>
#include <stdbool.h>
#include <tansy/tansy.h>

#include "test.h"

struct source {
    double (*g)(double t, double k);
    double k, unit; /* i is v'/unit */
    bool stops;
};

static double decay(double t, double k)
{
    return 1 + exp(-k * t);
}
static double catenary(double t, double k)
{
    return cosh(k * t - 1);
}
static double power(double t, double k)
{
    return pow(1 + k * t, 20);
}
static double wave(double t, double k)
{
    return sin(k * t + 0.3);
}

static int residual(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    const struct source *const s = context;
    F[0] = yp[0] / s->unit - y[1];
    F[1] = y[0] - p[0] * s->g(t, s->k);
    return s->stops ? -1 : 0;
}

static int initial(double t, const double *p, double *y, void *context)
{
    const struct source *const s = context;
    (void)t;
    y[0] = p[0] * s->g(0, s->k);
    y[1] = 0;
    return 0;
}

static tansy_solver *create(struct source *source, tansy_options options)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    static const double V = 1;
    options.method = TANSY_DASSL;
    options.rtol = 1e-6;
    options.atol = 1e-9;
    return tansy_create(&(tansy_problem){.n = 2,
                                         .np = 1,
                                         .p = &V,
                                         .residual = residual,
                                         .initial = initial,
                                         .kind = kind,
                                         .context = source},
                        &options);
}

static void check_run(struct source source, double right, tansy_options options)
{
    double y[2], S[2];
    tansy_solver *const solver = create(&source, options);
    CHECK_EQUAL(tansy_solve(solver, 0, y, S), TANSY_OK);
    CHECK_CLOSE(y[1], right, 1e-6 * fabs(right));
    CHECK_CLOSE(S[1], right, 1e-6 * fabs(right));
    CHECK_EQUAL(tansy_solve(solver, 1, y, S), TANSY_OK);
    CHECK_CLOSE(y[0] / source.g(1, source.k), 1, 1e-5);
    CHECK_EQUAL(tansy_restart(solver, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(solver, 0, y, S), TANSY_OK);
    CHECK_CLOSE(y[1], right, 1e-6 * fabs(right));
    tansy_free(solver);
}

TEST(a_constraint_may_be_enormous_beside_the_start)
{
    static const double rate[] = {5, 30, 300, 5e3, 1e4, 1e5, 1e6};
    for (size_t k = 0; k < sizeof rate / sizeof *rate; k++)
        for (int ends = 0; ends < 2; ends++)
            check_run((struct source){.g = decay, .k = rate[k], .unit = 1}, -rate[k],
                      (tansy_options){.use_stop_time = ends, .stop_time = 1});
    check_run((struct source){.g = catenary, .k = 50, .unit = 1}, -50 * sinh(1),
              (tansy_options){.threads = 1});
    check_run((struct source){.g = power, .k = 50, .unit = 1}, 1000, (tansy_options){.threads = 1});
}

static double const slow = 1e-10;

TEST(what_is_not_known_at_the_start_is_not_given_out)
{
    struct source source = {.g = wave, .k = slow, .unit = slow};
    double y[2], S[2];
    tansy_solver *const solver = create(&source, (tansy_options){.threads = 1});
    for (int again = 0; again < 2; again++) {
        CHECK_EQUAL(tansy_error(solver), TANSY_OK);
        CHECK_EQUAL(tansy_solve(solver, 0, y, S), TANSY_INCONSISTENT);
        CHECK_TEXT_CONTAINS(tansy_message(solver), ".constraint_rate");
        CHECK_EQUAL(tansy_at(solver, 0, y, NULL, S, NULL), TANSY_INCONSISTENT);
        CHECK_EQUAL(tansy_error(solver), TANSY_OK);
        CHECK_EQUAL(tansy_solve(solver, 2 / slow, y, S), TANSY_OK);
        CHECK_CLOSE(y[1], cos(2.3), 1e-5);
        CHECK_CLOSE(S[1], cos(2.3), 1e-5);
        CHECK_EQUAL(tansy_restart(solver, 0, NULL, NULL, NULL), TANSY_OK);
    }
    tansy_free(solver);
}

TEST(the_times_of_a_grid_tell_how_long_the_run_is)
{
    for (int side = -1; side <= 1; side += 2) {
        struct source source = {.g = wave, .k = slow, .unit = slow};
        double const times[] = {0, side / slow, 2 * side / slow};
        double y[6], S[6];
        tansy_solver *const solver = create(&source, (tansy_options){.threads = 1});
        CHECK_EQUAL(tansy_solve_grid(solver, 3, times, y, S, NULL), TANSY_OK);
        for (int j = 0; j < 3; j++) {
            CHECK_CLOSE(y[2 * j + 1], cos(side * j + 0.3), 1e-5);
            CHECK_CLOSE(S[2 * j + 1], cos(side * j + 0.3), 1e-5);
        }
        tansy_free(solver);
    }
}

TEST(other_errors_at_such_a_start_stay)
{
    struct source source = {.g = wave, .k = slow, .unit = slow};
    double y[2], S[2];
    tansy_solver *const solver = create(&source, (tansy_options){.threads = 1});
    source.stops = true;
    CHECK_EQUAL(tansy_initialise(solver, y, NULL, S, NULL), TANSY_USER_STOPPED);
    CHECK_EQUAL(tansy_error(solver), TANSY_USER_STOPPED);
    tansy_free(solver);
}

/* sin(t), from 1 on sin(1) + sin(w (t - 1))/2w. */
static int bent(double t, const double *y, const double *yp, const double *p, double *F,
                void *context)
{
    double const w = ((const struct source *)context)->k;
    F[0] = yp[0] - y[1];
    F[1] = y[0] - p[0] * (p[1] < 1 ? sin(t) : sin(1) + 0.5 * sin(w * (t - 1)) / w);
    return 0;
}

TEST(a_run_goes_on_behind_a_break_where_the_constraint_is_lost_in_rounding)
{
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};
    static const double y0[] = {0, 0.3}, turn = 1, V = 1;
    struct source source = {.k = 1e6};
    for (int digits = 4; digits <= 10; digits++) {
        double const rtol = pow(10, -digits);
        double y[2], S[2];
        tansy_solver *const solver = tansy_create(
            &(tansy_problem){.n = 2,
                             .np = 1,
                             .p = &V,
                             .y0 = y0,
                             .residual = bent,
                             .kind = kind,
                             .breaks = 1,
                             .break_times = &turn,
                             .context = &source},
            &(tansy_options){.method = TANSY_DASSL, .rtol = rtol, .atol = 1e-3 * rtol});
        CHECK_EQUAL(tansy_solve(solver, 1 + 0.3 / source.k, y, S), TANSY_OK);
        CHECK_CLOSE(y[0], sin(1) + 0.5 * sin(0.3) / source.k, 3 * rtol);
        CHECK_CLOSE(y[1], 0.5 * cos(0.3), 0.03);
        tansy_free(solver);
    }
}
