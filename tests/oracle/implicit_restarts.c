/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems that start again where a run has come to: S' of multipliers though S meets the constraints to the tolerance only,
   and restarts at the stop time itself, which F must not be looked at beyond. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 5 };
static const tansy_kind kinds[N] = {TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL, TANSY_DIFFERENTIAL,
                                    TANSY_DIFFERENTIAL, TANSY_INDEX_2};

/* The earliest and the latest time that F was looked at. */
struct seen {
    double first, last;
};

/* x, y, u, v and the multiplier of a pendulum, with x u + y v = 0. */
static int pendulum(double t, const double *y, const double *yp, const double *p, double *F,
                    void *context)
{
    struct seen *const seen = context;
    seen->first = fmin(seen->first, t);
    seen->last = fmax(seen->last, t);
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[4] * y[0];
    F[3] = yp[3] + y[4] * y[1] + p[0];
    F[4] = y[0] * y[2] + y[1] * y[3];
    return 0;
}

static const double start[N] = {1, 0, 0, 0, 0}, g[] = {9.81};

static tansy_problem hanging(struct seen *seen)
{
    *seen = (struct seen){.first = HUGE_VAL, .last = -HUGE_VAL};
    return (tansy_problem){
        .n = N, .np = 1, .y0 = start, .p = g, .residual = pendulum, .kind = kinds, .context = seen};
}

/* The multiplier's rate is -3 g v/L^2 on every solution, L^2 = x^2 + y^2; with S its derivative. */
static double rate_of_multiplier(const double *y, const double *s)
{
    double const L2 = y[0] * y[0] + y[1] * y[1];
    return -3 * (y[3] + g[0] * s[3]) / L2 +
           6 * g[0] * y[3] * (y[0] * s[0] + y[1] * s[1]) / (L2 * L2);
}

/* J s of the constraint is left to be 1e-6 to 1e-10.  Second differences over 3e-3 make 4e-11/1e-5 of the noise of columns by differences,
   times 50, the size of y'': 2e-4; their own error is 1e-5 of a fourth derivative, 100. */
TEST(rates_of_multipliers_are_right_after_a_restart)
{
    for (int m = 0; m < 2; m++)
        for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
            struct seen seen;
            tansy_problem const problem = hanging(&seen);
            double y[N], yp[N], S[N], Sp[N];
            tansy_solver *const s = tansy_create(
                &problem, &(tansy_options){
                              .method = m ? TANSY_DASSL : TANSY_BDF, .rtol = rtol, .atol = rtol});
            for (double t = 0.25; t < 2; t += 0.25) {
                CHECK_EQUAL(tansy_solve(s, t, y, S), TANSY_OK);
                CHECK_EQUAL(tansy_restart(s, t, y, NULL, S), TANSY_OK);
                CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
                CHECK_CLOSE(yp[4], -3 * g[0] * y[3] / (y[0] * y[0] + y[1] * y[1]), 0.01);
                CHECK_CLOSE(Sp[4], rate_of_multiplier(y, S), 0.01);
            }
            tansy_free(s);
        }
}

/* To the stop time in two pieces, either way: the restart there looks back only, and goes on where the stop time has moved. */
TEST(a_run_may_start_again_at_its_stop_time)
{
    for (int way = -1; way <= 1; way += 2) {
        struct seen seen;
        tansy_problem const problem = hanging(&seen);
        double y[N], yp[N], S[N], Sp[N];
        tansy_solver *const s = tansy_create(
            &problem, &(tansy_options){.rtol = 1e-7, .use_stop_time = 1, .stop_time = way * 0.5});
        CHECK_EQUAL(tansy_solve(s, way * 0.5, y, S), TANSY_OK);
        CHECK_EQUAL(tansy_restart(s, way * 0.5, y, NULL, S), TANSY_OK);
        CHECK_EQUAL(tansy_initialise(s, y, yp, S, Sp), TANSY_OK);
        CHECK(way > 0 ? seen.last <= 0.5 : seen.first >= -0.5);
        CHECK_CLOSE(yp[4], -3 * g[0] * y[3] / (y[0] * y[0] + y[1] * y[1]), 0.01);
        CHECK_CLOSE(Sp[4], rate_of_multiplier(y, S), 0.01);
        CHECK_EQUAL(tansy_set_stop_time(s, way), TANSY_OK);
        CHECK_EQUAL(tansy_solve(s, way, y, S), TANSY_OK);
        CHECK(way > 0 ? seen.last <= 1 : seen.first >= -1);
        tansy_free(s);
    }
}

/* Created where it must stop: forward is beyond, whatever way it goes later. */
TEST(a_solver_may_be_created_at_its_stop_time)
{
    struct seen seen;
    tansy_problem const problem = hanging(&seen);
    double y[N];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.use_stop_time = 1});
    CHECK_EQUAL(tansy_error(s), TANSY_OK);
    CHECK(seen.last <= 0);
    CHECK_EQUAL(tansy_set_stop_time(s, 1), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, y, NULL), TANSY_OK);
    tansy_free(s);
}

/* y1 = p1 y0, of index 1; and B y' = f with a singular B without zero rows. */
static int follow(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = y[1] - p[1] * y[0];
    return 0;
}

static int couple(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[0] * y[0] - y[1] + sin(t);
    f[1] = -p[1] * y[1] + y[0];
    return 0;
}

static int mass(double t, const double *y, const double *p, double *B, void *context)
{
    (void)t, (void)y, (void)p, (void)context;
    B[0] = B[3] = 1;
    B[1] = B[2] = -1;
    return 0;
}

TEST(rates_at_the_stop_time_are_those_without_one)
{
    static const double y0[] = {1, 2}, p[] = {0.5, 2};
    for (int coupled = 0; coupled < 2; coupled++) {
        double y[2], yp[2][2], S[4], Sp[2][4];
        for (int stop = 0; stop < 2; stop++) {
            tansy_problem problem = {.n = 2, .np = 2, .y0 = y0, .p = p, .residual = follow};
            if (coupled)
                problem =
                    (tansy_problem){.n = 2, .np = 2, .y0 = y0, .p = p, .rhs = couple, .mass = mass};
            tansy_solver *const s =
                tansy_create(&problem, &(tansy_options){.use_stop_time = stop, .stop_time = 1});
            CHECK_EQUAL(tansy_solve(s, 1, stop ? NULL : y, stop ? NULL : S), TANSY_OK);
            CHECK_EQUAL(tansy_restart(s, 1, y, NULL, S), TANSY_OK); /* both from the same */
            CHECK_EQUAL(tansy_initialise(s, NULL, yp[stop], NULL, Sp[stop]), TANSY_OK);
            tansy_free(s);
        }
        /* differences from one side and from both, of columns by differences, over 6e-6: 1e-10/6e-6 */
        for (int i = 0; i < 2; i++) CHECK_CLOSE(yp[1][i], yp[0][i], 1e-6);
        for (int x = 0; x < 4; x++) CHECK_CLOSE(Sp[1][x], Sp[0][x], 1e-4);
    }
}

/* y1 = 2 y0, given as 7, and y2 jumps at a break. */
static int jump(double t, const double *y, const double *yp, const double *p, double *F,
                void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] + y[0];
    F[1] = y[1] - 2 * y[0];
    F[2] = y[2] - (p[1] != 0 ? 5 : 3) * y[0];
    return 0;
}

TEST(the_report_names_the_initial_value_that_was_moved)
{
    static const double y0[] = {1, 7, 3}, p[] = {1}, breaks[] = {0.5};
    tansy_problem const problem = {
        .n = 3, .np = 1, .y0 = y0, .p = p, .residual = jump, .breaks = 1, .break_times = breaks};
    char text[8000];
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_solve(s, 1, NULL, NULL), TANSY_OK);
    (void)tansy_report(s, text, sizeof text);
    CHECK_TEXT_CONTAINS(text, "farthest moved is component 1, from 7 to 2");
    tansy_free(s);
}
