/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of an implicit problem can do: start and look, step, dense output of y' and S', go backward, stop, restart, be copied and put
   back; in both forms, all correctors, with derivatives from all sources. */
#include "drive/solver.h"
#include "support/implicit_fade.h"
#include "support/promise.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rtol = 1e-5, floor_of = 1e-3;

enum { SOURCES = 3, FORMS = 2, CASES = SOURCES * FORMS * CORRECTORS };

struct setting {
    int gives;
    tansy_options options;
};

static struct setting setting(size_t number)
{
    static const int gives[SOURCES] = {0, FADE_MATRICES | FADE_INITIALS,
                                       FADE_MATRICES | FADE_TANGENTS | FADE_INITIALS};
    return (struct setting){.gives = gives[number % SOURCES] |
                                     (number / SOURCES % FORMS ? FADE_MASS_FORM : 0),
                            .options = {.sensitivities = all_correctors[number / SOURCES / FORMS],
                                        .rtol = rtol,
                                        .atol = rtol * floor_of}};
}

typedef void property(const tansy_problem *problem, const tansy_options *options,
                      struct fade_user *user);

static void for_all(property *holds)
{
    for (size_t number = 0; number < CASES; number++) {
        struct setting const it = setting(number);
        struct fade_user user = {.first = 0};
        tansy_problem const problem = fade_problem(&user, it.gives);
        holds(&problem, &it.options, &user);
    }
}

/* t = t0 gives the consistent values, before a step is made. */
static void check_start(const tansy_problem *problem, const tansy_options *options,
                        struct fade_user *user)
{
    double y[FADE_N], sens[FADE_SENS], again[FADE_N];
    (void)user;
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_solve(s, 0, y, sens), TANSY_OK);
    CHECK_AT_MOST(fade_error(0, floor_of, y, sens), rtol); /* what they allow is 0.01 of it */
    CHECK_EQUAL(tansy_at(s, 0, again, NULL, NULL, NULL), TANSY_OK);
    CHECK(memcmp(y, again, sizeof y) == 0);
    CHECK_EQUAL(tansy_initialise(s, again, NULL, NULL, NULL), TANSY_OK);
    for (int i = 0; i < FADE_N; i++) CHECK_CLOSE(again[i], y[i], 4 * DBL_EPSILON * fabs(y[i]));
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    CHECK_AT_MOST(fade_error(1, floor_of, y, sens), 100 * rtol);
    tansy_free(s);
}

TEST(the_initial_time_gives_consistent_values)
{
    for_all(check_start);
}

/* Inside every step: y and S to 100 rtol; their slopes, which lose a factor of up to the order over h, to 100 rtol times the order over
   h, and to what the values allow at the ends. */
static void check_dense(const tansy_problem *problem, const tansy_options *options,
                        struct fade_user *user)
{
    double y[FADE_N], yp[FADE_N], sens[FADE_SENS], sensp[FADE_SENS];
    (void)user;
    tansy_solver *const s = tansy_create(problem, options);
    while (tansy_time(s) < 3) {
        double const from = tansy_time(s);
        CHECK_EQUAL(tansy_step(s, 3, NULL, NULL), TANSY_OK);
        tansy_stats stats;
        tansy_get_stats(s, &stats);
        double const h = tansy_time(s) - from, unit = 1 + stats.order_last / h;
        for (double x = 0; x <= 1; x += 0.25) {
            double exact[FADE_N], slope[FADE_N], S[FADE_SENS], S_rate[FADE_SENS];
            double const t = x < 1 ? from + x * h : tansy_time(s);
            CHECK_EQUAL(tansy_at(s, t, y, yp, sens, sensp), TANSY_OK);
            CHECK_AT_MOST(fade_error(t, floor_of, y, sens), 100 * rtol);
            fade_exact(t, exact, slope, S, S_rate);
            for (int i = 0; i < FADE_N; i++)
                CHECK_CLOSE(yp[i], slope[i], 100 * rtol * unit * (fabs(exact[i]) + floor_of));
            for (int v = 0; v < FADE_SENS; v++)
                CHECK_CLOSE(sensp[v], S_rate[v],
                            100 * rtol * unit * (fabs(S[v]) + floor_of / fade_p[v / FADE_N]));
        }
    }
    CHECK_EQUAL(tansy_at(s, 0, y, NULL, NULL, NULL), TANSY_BAD_CALL);
    tansy_free(s);
}

TEST(values_and_slopes_inside_all_steps_are_right)
{
    for_all(check_dense);
}

/* Backward the solution grows, and so do errors: by e^(2 a) each over the time 2, of S as of y. */
static void check_backward(const tansy_problem *problem, const tansy_options *options,
                           struct fade_user *user)
{
    double y[FADE_N], sens[FADE_SENS];
    (void)user;
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_solve(s, -1, y, sens), TANSY_OK);
    CHECK_AT_MOST(fade_error(-1, floor_of, y, sens), 100 * rtol);
    CHECK_EQUAL(tansy_solve(s, -2, y, sens), TANSY_OK);
    CHECK_AT_MOST(fade_error(-2, floor_of, y, sens), 100 * rtol);
    CHECK(tansy_time(s) <= -2);
    tansy_free(s);
}

TEST(implicit_problems_run_backward)
{
    for_all(check_backward);
}

static void check_stop(const tansy_problem *problem, const tansy_options *options,
                       struct fade_user *user)
{
    double y[FADE_N], sens[FADE_SENS];
    tansy_options stopping = *options;
    stopping.use_stop_time = 1;
    stopping.stop_time = 0.7;
    tansy_solver *const s = tansy_create(problem, &stopping);
    CHECK_EQUAL(tansy_solve(s, 0.7, y, sens), TANSY_OK);
    CHECK(tansy_time(s) == 0.7);
    CHECK(user->latest <= 0.7);
    CHECK_AT_MOST(fade_error(0.7, floor_of, y, sens), 100 * rtol);
    CHECK_EQUAL(tansy_solve(s, 0.8, y, sens), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_set_stop_time(s, 0.9), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0.9, y, sens), TANSY_OK);
    CHECK_AT_MOST(fade_error(0.9, floor_of, y, sens), 100 * rtol);
    CHECK(user->latest <= 0.9);
    tansy_free(s);
}

TEST(no_function_is_called_beyond_the_stop_time)
{
    for_all(check_stop);
}

/* From the middle with y and S as they are the run goes on; from t0 it is the first run, bit for bit. */
static void check_restart(const tansy_problem *problem, const tansy_options *options,
                          struct fade_user *user)
{
    double y[FADE_N], sens[FADE_SENS], again[FADE_N], sens_again[FADE_SENS];
    (void)user;
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_solve(s, 1, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 1, y, NULL, sens), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 2, again, sens_again), TANSY_OK);
    CHECK_AT_MOST(fade_error(2, floor_of, again, sens_again), 100 * rtol);
    CHECK_EQUAL(tansy_restart(s, 0, NULL, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 1, again, sens_again), TANSY_OK);
    CHECK(memcmp(y, again, sizeof y) == 0 && memcmp(sens, sens_again, sizeof sens) == 0);
    /* other parameters: b is 4 times as large, z(0) and its columns follow */
    static const double p[] = {0.8, 10, 1.5};
    CHECK_EQUAL(tansy_restart(s, 0, NULL, p, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 0, again, sens_again), TANSY_OK);
    CHECK_CLOSE(again[1], sqrt(15), rtol);
    CHECK_CLOSE(sens_again[3], again[1] / 20, rtol);
    tansy_free(s);
}

TEST(implicit_problems_restart)
{
    for_all(check_restart);
}

/* The bytes of a solver put back replay the run: nothing of it lives elsewhere. */
static void check_copy(const tansy_problem *problem, const tansy_options *options,
                       struct fade_user *user)
{
    double y[2][FADE_N], sens[2][FADE_SENS];
    (void)user;
    tansy_solver *const s = tansy_create(problem, options);
    CHECK_EQUAL(tansy_solve(s, 0.5, NULL, NULL), TANSY_OK);
    char *const copy = malloc(s->bytes);
    memcpy(copy, s, s->bytes);
    for (int run = 0; run < 2; run++) {
        CHECK_EQUAL(tansy_solve(s, 2, y[run], sens[run]), TANSY_OK);
        if (run == 0) memcpy(s, copy, s->bytes);
    }
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0 && memcmp(sens[0], sens[1], sizeof sens[0]) == 0);
    free(copy);
    tansy_free(s);
}

TEST(the_bytes_of_a_solver_of_an_implicit_problem_replay_the_run)
{
    for_all(check_copy);
}

static void check_most_steps(const tansy_problem *problem, const tansy_options *options,
                             struct fade_user *user)
{
    double y[FADE_N], sens[FADE_SENS];
    tansy_options few = *options;
    (void)user;
    few.max_steps = 5;
    tansy_solver *const s = tansy_create(problem, &few);
    tansy_status status = tansy_solve(s, 1, y, sens);
    CHECK_EQUAL(status, TANSY_TOO_MANY_STEPS);
    CHECK_TEXT_CONTAINS(tansy_message(s), "5 steps were taken");
    CHECK_AT_MOST(fade_error(tansy_time(s), floor_of, y, sens), 100 * rtol);
    for (int k = 0; k < 100 && status == TANSY_TOO_MANY_STEPS; k++)
        status = tansy_solve(s, 1, y, sens);
    CHECK_EQUAL(status, TANSY_OK);
    CHECK_AT_MOST(fade_error(1, floor_of, y, sens), 100 * rtol);
    tansy_free(s);
}

TEST(a_run_of_too_many_steps_goes_on)
{
    for_all(check_most_steps);
}
