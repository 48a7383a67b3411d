/* SPDX-License-Identifier: Apache-2.0 */
/* Signs of components (.sign) are kept at every step, with errors no larger; where the solution itself breaks one the run stops with a message that
   names the component; algebraic components can be left out of the error tests. */
#include "support/implicit_fade.h"
#include "support/promise.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* y' = -p (y - g), 0 = z - y - 1: y follows g = e^(-10 t) below any tolerance. */
static int falling(double t, const double *y, const double *yp, const double *p, double *F,
                   void *context)
{
    (void)context;
    F[0] = yp[0] + p[0] * (y[0] - exp(-10 * t));
    F[1] = y[1] - y[0] - 1;
    return 0;
}

/* The smallest y over all steps to t = 100. */
static double smallest(const int *sign, tansy_sensitivities sensitivities, double rtol, double *y,
                       double *sens)
{
    static const double y0[] = {1, 2}, p[] = {50};
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = p, .residual = falling, .sign = sign};
    double least = HUGE_VAL;
    tansy_solver *const s = tansy_create(
        &problem, &(tansy_options){.rtol = rtol, .atol = 1e-7, .sensitivities = sensitivities});
    tansy_status status = TANSY_OK;
    while (status == TANSY_OK && tansy_time(s) < 100) {
        status = tansy_step(s, 100, y, sens);
        least = fmin(least, y[0]);
    }
    CHECK_EQUAL(status, TANSY_OK);
    tansy_free(s);
    return least;
}

TEST(signs_are_kept_where_the_solution_falls_below_the_tolerance)
{
    static const int positive[] = {2, 0}, not_negative[] = {1, 1};
    static const double rtols[] = {1e-4, 7e-5, 5e-5, 3e-5, 2e-5};
    for (size_t c = 0; c < CORRECTORS; c++) {
        bool seen = false; /* rounding decides at which of them */
        for (size_t k = 0; k < sizeof rtols / sizeof *rtols; k++) {
            double y[2], sens[2];
            seen = seen || smallest(NULL, all_correctors[c], rtols[k], y, sens) < 0;
            CHECK(smallest(positive, all_correctors[c], rtols[k], y, sens) > 0);
            CHECK_AT_MOST(fabs(y[0]) + fabs(y[1] - 1), 1e-5);
            CHECK_AT_MOST(fabs(sens[0]), 1e-5);
            CHECK(smallest(not_negative, all_correctors[c], rtols[k], y, sens) >= 0);
            CHECK_AT_MOST(fabs(y[0]) + fabs(y[1] - 1), 1e-5);
            CHECK_AT_MOST(fabs(sens[0]), 1e-5);
        }
        CHECK(seen); /* else nothing is seen here */
    }
}

/* The same at times between the steps, where y = 5/4 e^(-10 t) - 1/4 e^(-50 t), to rtol of its largest value. */
static double smallest_between(const int *sign, tansy_sensitivities sensitivities, bool by_step)
{
    static const double y0[] = {1, 1}, p[] = {50};
    tansy_problem const problem = {
        .n = 2, .np = 1, .y0 = y0, .p = p, .residual = falling, .sign = sign};
    double y[2], sens[2], least = HUGE_VAL;
    tansy_solver *const s = tansy_create(
        &problem, &(tansy_options){.rtol = 1e-4, .atol = 1e-7, .sensitivities = sensitivities});
    for (int i = 1; i < 400; i++) {
        CHECK_EQUAL(tansy_solve(s, 0.01 * i, y, sens), TANSY_OK);
        if (by_step) CHECK_EQUAL(tansy_at(s, 0.01 * i, y, NULL, sens, NULL), TANSY_OK);
        least = fmin(least, y[0]);
        double const exact = (exp(-50 * 0.01 * i) * (1 - 5.0 / 4) + 5.0 / 4 * exp(-0.1 * i));
        CHECK_CLOSE(y[0], exact, 1e-4);
    }
    tansy_free(s);
    return least;
}

TEST(signs_are_kept_between_steps)
{
    static const int positive[] = {2, 0}, not_negative[] = {1, 1};
    int negative = 0; /* where no sign is asked for */
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int by_step = 0; by_step < 2; by_step++) {
            negative += smallest_between(NULL, all_correctors[c], by_step) < 0;
            CHECK(smallest_between(positive, all_correctors[c], by_step) > 0);
            CHECK(smallest_between(not_negative, all_correctors[c], by_step) >= 0);
        }
    CHECK(negative > 0);
}

static int rising(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    (void)t, (void)context;
    F[0] = yp[0] - p[0];
    F[1] = y[1] - 2 * y[0];
    return 0;
}

/* y = t - 1 must stay <= 0: it cannot beyond t = 1. */
static void check_breaking(const int *sign)
{
    static const double y0[] = {-1, -2}, p[] = {1};
    static const char *const names[] = {"depth", "twice"}, *const parameters[] = {"speed"};
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .residual = rising,
                                   .sign = sign,
                                   .state_names = names,
                                   .parameter_names = parameters};
    double y[2], sens[2];
    tansy_solver *const s = tansy_create(&problem, &(tansy_options){.rtol = 1e-5, .atol = 1e-8});
    CHECK_EQUAL(tansy_solve(s, 0.9, y, sens), TANSY_OK);
    CHECK_EQUAL(tansy_solve(s, 2, y, sens), TANSY_STEP_TOO_SMALL);
    CHECK_TEXT_CONTAINS(tansy_message(s), sign[0] ? "depth" : "twice");
    CHECK_TEXT_CONTAINS(tansy_message(s), "sign");
    CHECK_CLOSE(tansy_time(s), 1, 1e-6);
    CHECK(sign[0] ? y[0] <= 0 : y[1] <= 0);
    CHECK_CLOSE(sens[0], 1, 1e-5); /* nothing of the output so far is lost */
    tansy_free(s);
}

TEST(a_solution_that_leaves_its_sign_is_told)
{
    check_breaking((const int[]){-1, 0});
    check_breaking((const int[]){-2, 0});
    check_breaking((const int[]){0, -1});
}

/* y' = +-1, to the side it must keep, from y0, which is 0 but for rounding.  Beyond a tenth of the tolerance, as in steps, and where 0 itself is forbidden it is refused. */
static int leaving(double t, const double *y, const double *p, double *f, void *context)
{
    const int *const sign = context;
    (void)t, (void)y, (void)p;
    f[0] = *sign > 0 ? 1 : -1;
    return 0;
}

static tansy_status begin_at(double y0, int sign, tansy_method method, double *y)
{
    tansy_problem const problem = {
        .n = 1, .y0 = &y0, .rhs = leaving, .sign = &sign, .context = &sign};
    tansy_options const options = {.method = method, .rtol = 1e-6, .atol = 1e-9};
    tansy_solver *const s = tansy_create(&problem, &options);
    tansy_status status = tansy_solve(s, 0, y, NULL);
    if (status == TANSY_OK) status = tansy_solve(s, 1, y + 1, NULL);
    tansy_free(s);
    return status;
}

TEST(initial_values_that_break_a_sign_by_rounding_are_on_the_border)
{
    static const double roundings[] = {-5.7e-41, -1e-300, -4.9e-324, -1e-16, -0.99e-10};
    double y[2];
    for (tansy_method m = TANSY_METHOD_AUTO; m <= TANSY_LIMEX; m++)
        for (size_t k = 0; k < sizeof roundings / sizeof *roundings; k++) {
            CHECK_EQUAL(begin_at(roundings[k], 1, m, y), TANSY_OK);
            CHECK_CLOSE(y[0], 0, 0);
            CHECK_CLOSE(y[1], 1, 1e-4); /* 100 rtol */
            CHECK_EQUAL(begin_at(-roundings[k], -1, m, y), TANSY_OK);
            CHECK_CLOSE(y[1], -1, 1e-4);
            CHECK_EQUAL(begin_at(roundings[k], 2, m, y), TANSY_BAD_PROBLEM);
            CHECK_EQUAL(begin_at(-1.01e-10, 1, m, y), TANSY_BAD_PROBLEM);
        }
}

TEST(initial_values_of_the_wrong_sign_are_refused)
{
    static const double y0[] = {-1, -2}, zero[] = {0, 0}, p[] = {1};
    static const int positive[] = {1, 0}, strict[] = {2, 0}, unknown[] = {3, 0};
    static const char *const names[] = {"depth", "twice"};
    tansy_problem problem = {
        .n = 2, .np = 1, .y0 = y0, .p = p, .residual = rising, .sign = positive};
    tansy_solver *s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "y0[0] = -1 breaks its sign[0] = 1");
    tansy_free(s);
    problem.y0 = zero;
    problem.sign = strict;
    s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    tansy_free(s);
    problem.sign = unknown;
    s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_BAD_PROBLEM);
    CHECK_TEXT_CONTAINS(tansy_message(s), "sign[0] = 3");
    tansy_free(s);
    /* an algebraic variable whose value is found */
    static const double guess[] = {-1, 5};
    static const int of_z[] = {0, 1};
    problem.y0 = guess;
    problem.sign = of_z;
    problem.state_names = names;
    s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_INCONSISTENT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "twice");
    CHECK_TEXT_CONTAINS(tansy_message(s), "sign");
    static const double good[] = {1, 5};
    CHECK_EQUAL(tansy_restart(s, 0, good, NULL, NULL), TANSY_OK);
    CHECK_EQUAL(tansy_restart(s, 0, guess, NULL, NULL), TANSY_INCONSISTENT);
    tansy_free(s);
}

static int initial(double t0, const double *p, double *y0, void *context)
{
    (void)t0, (void)context;
    y0[0] = -p[0];
    y0[1] = 1;
    return 0;
}

TEST(computed_initial_values_of_the_wrong_sign_are_refused)
{
    static const double p[] = {1};
    static const int positive[] = {1, 0};
    tansy_problem const problem = {
        .n = 2, .np = 1, .p = p, .residual = rising, .initial = initial, .sign = positive};
    tansy_solver *const s = tansy_create(&problem, NULL);
    CHECK_EQUAL(tansy_error(s), TANSY_INCONSISTENT);
    CHECK_TEXT_CONTAINS(tansy_message(s), "component 0");
    CHECK_TEXT_CONTAINS(tansy_message(s), "sign");
    tansy_free(s);
}

/* y' = -p y, z = 1e3 sin(40 t) + y: z asks for short steps that y does not need. */
static int shaken(double t, const double *y, const double *yp, const double *p, double *F,
                  void *context)
{
    (void)context;
    F[0] = yp[0] + p[0] * y[0];
    F[1] = y[1] - y[0] - 1e3 * sin(40 * t);
    return 0;
}

TEST(suppressed_algebraic_components_do_not_shorten_steps)
{
    static const double y0[] = {1, 1}, p[] = {1};
    static const tansy_kind kind[] = {TANSY_DIFFERENTIAL, TANSY_ALGEBRAIC};
    for (size_t c = 0; c < CORRECTORS; c++)
        for (int given = 0; given < 2; given++) {
            size_t steps[2];
            for (int suppress = 0; suppress < 2; suppress++) {
                tansy_problem const problem = {.n = 2,
                                               .np = 1,
                                               .y0 = y0,
                                               .p = p,
                                               .residual = shaken,
                                               .kind = given ? kind : NULL};
                double y[2], sens[2];
                tansy_options const options = {.rtol = 1e-5,
                                               .atol = 1e-8,
                                               .sensitivities = all_correctors[c],
                                               .suppress_algebraic = suppress};
                tansy_stats stats;
                tansy_solver *const s = tansy_create(&problem, &options);
                CHECK_EQUAL(tansy_solve(s, 3, y, sens), TANSY_OK);
                CHECK_CLOSE(y[0], exp(-3), 1e-3 * exp(-3));
                CHECK_CLOSE(sens[0], -3 * exp(-3), 3e-3 * exp(-3));
                tansy_get_stats(s, &stats);
                steps[suppress] = stats.steps;
                tansy_free(s);
            }
            CHECK(5 * steps[1] < steps[0]);
        }
}
