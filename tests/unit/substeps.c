/* SPDX-License-Identifier: Apache-2.0 */
/* The state in shorter steps of its own (Franz and Kiehl 2.4): how many, and what y and S gain. */
#include "drive/solver.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* y' = -p y^2 from y = 1: y = 1/(1 + p t), dy/dp = -t y^2. */
static int rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)context;
    f[0] = -p[0] * y[0] * y[0];
    return 0;
}

static const double one[] = {1};
static const tansy_problem problem = {
    .n = 1, .np = 1, .y0 = one, .p = one, .rhs = rhs, .autonomous = 1};

struct result {
    double y, sens; /* errors at t = 2 */
    int substeps;
    size_t steps;
};

static struct result run(tansy_options options)
{
    struct result r;
    char page[4096], line[64];
    tansy_stats stats;
    tansy_solver *const s = tansy_create(&problem, &options);
    CHECK_EQUAL(tansy_solve(s, 2, &r.y, &r.sens), TANSY_OK);
    tansy_get_stats(s, &stats);
    r.y = fabs(r.y - 1.0 / 3);
    r.sens = fabs(r.sens + 2.0 / 9);
    r.steps = stats.steps;
    r.substeps = s->stepper.stages.substeps;
    CHECK(tansy_report(s, page, sizeof page) < sizeof page);
    snprintf(line, sizeof line, "substeps       %d of the state in every step\n", r.substeps);
    if (r.substeps > 1) CHECK_TEXT_CONTAINS(page, line);
    tansy_free(s);
    return r;
}

TEST(their_number_follows_from_the_tolerances)
{
    static const double loose[] = {1e-2}, tight[] = {1e-9};
    tansy_options options = {.method = TANSY_RK8, .rtol = 1e-8, .atol = 1e-8, .substeps = -1};
    CHECK_EQUAL(run(options).substeps, 1); /* S as accurate as y */
    options.rtol_column = tight;
    CHECK_EQUAL(run(options).substeps, 1);
    options.rtol_column = loose;
    CHECK_EQUAL(run(options).substeps, 6); /* (1e6)^(1/8) = 5.6 */
    options.method = TANSY_ROSENBROCK;
    CHECK_EQUAL(run(options).substeps, 16); /* (1e6)^(1/5) = 15.8 */
    options.rtol_state = loose;
    CHECK_EQUAL(run(options).substeps, 1);
    options.rtol_state = NULL;
    options.substeps = 3;
    CHECK_EQUAL(run(options).substeps, 3);
}

/* The same y in fewer steps of the columns; both keep the promise of 100 times their tolerance. */
TEST(the_state_is_as_accurate_as_asked_for_in_fewer_steps_of_the_columns)
{
    static const double loose[] = {1e-2};
    for (tansy_method m = TANSY_RK8; m <= TANSY_ROSENBROCK; m++)
        for (tansy_sensitivities way = TANSY_TANGENT; way <= TANSY_DIFFERENCE; way++) {
            tansy_options options = {.method = m,
                                     .sensitivities = way,
                                     .rtol = 1e-8,
                                     .atol = 1e-8,
                                     .rtol_column = loose};
            struct result const plain = run(options);
            options.substeps = -1;
            struct result const refined = run(options);
            CHECK_AT_MOST(refined.y, 100 * 1e-8 * (1 + 1.0 / 3));
            CHECK_AT_MOST(refined.sens, 100 * 1e-2 * (1 + 2.0 / 9));
            CHECK(3 * refined.steps <= plain.steps + 6);
        }
}

/* One is none, and without columns there is nothing to gain. */
TEST(one_substep_is_no_substep)
{
    tansy_options options = {.method = TANSY_RK8, .rtol = 1e-6};
    struct result const none = run(options);
    options.substeps = 1;
    struct result const single = run(options);
    CHECK(none.y == single.y && none.sens == single.sens);
    CHECK_EQUAL(none.steps, single.steps);
}

/* y' = -p y + exp(-((t - 1)/w)^2): with I = sqrt(pi) w exp(p + p^2 w^2/4), the integral of exp(p t) times the bump,
   y(4) = exp(-4 p) (1 + I), dy/dp = -4 y + exp(-4 p) I (1 + p w^2/2), but for the tails of the bump. */
static const double width = 0.1;

static int with_bump(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    f[0] = -p[0] * y[0] + exp(-(t - 1) * (t - 1) / (width * width));
    return 0;
}

/* Where the solution is smooth the error of y allows fewer substeps; where it is not all of them are made, after some that were too few. */
TEST(fewer_are_made_where_the_error_allows_it)
{
    static const double loose[] = {1e-2};
    tansy_problem const bumpy = {.n = 1, .np = 1, .y0 = one, .p = one, .rhs = with_bump};
    double const integral = sqrt(acos(-1)) * width * exp(1 + width * width / 4),
                 right = exp(-4) * (1 + integral),
                 right_sens = -4 * right + exp(-4) * integral * (1 + width * width / 2);
    for (tansy_method m = TANSY_RK8; m <= TANSY_ROSENBROCK; m++) {
        char page[4096], line[80];
        double y = 0, sens = 0;
        tansy_solver *const s = tansy_create(&bumpy, &(tansy_options){.method = m,
                                                                      .rtol = 1e-8,
                                                                      .atol = 1e-8,
                                                                      .rtol_column = loose,
                                                                      .substeps = -1,
                                                                      .max_step = 0.5});
        CHECK_EQUAL(tansy_solve(s, 4, &y, &sens), TANSY_OK);
        const struct refinement *const r = &s->stepper.stages.refinement;
        printf("method %d: %zu substeps in %zu steps\n", (int)m, r->made, r->in);
        CHECK(r->made < (size_t)s->stepper.stages.substeps * r->in);
        CHECK_AT_MOST(fabs(y - right), 100 * 1e-8 * (1 + right));
        CHECK_AT_MOST(fabs(sens - right_sens), 100 * 1e-2 * (1 + fabs(right_sens)));
        CHECK(tansy_report(s, page, sizeof page) < sizeof page);
        snprintf(line, sizeof line, "at most: %zu in %zu steps", r->made, r->in);
        CHECK_TEXT_CONTAINS(page, line);
        tansy_free(s);
    }
}

static double latest; /* time of an evaluation */

static int forced(double t, const double *y, const double *p, double *f, void *context)
{
    (void)context;
    latest = fmax(latest, t);
    f[0] = -p[0] * y[0] + sin(t);
    return 0;
}

/* Steps in steps add up to t + h but for rounding errors. */
TEST(substeps_do_not_look_beyond_the_stop_time)
{
    double const y0[] = {1}, p[] = {1};
    tansy_problem const stopped = {.n = 1, .np = 1, .y0 = y0, .p = p, .rhs = forced};
    for (int k = 0; k < 400; k++) {
        double const stop = 0.05 + 0.618 * k - floor(0.618 * k);
        tansy_options const options = {.method = k % 2 ? TANSY_RK8 : TANSY_ROSENBROCK,
                                       .rtol = 1e-4,
                                       .use_stop_time = 1,
                                       .stop_time = stop,
                                       .substeps = 2 + k % 4};
        latest = 0;
        tansy_solver *const s = tansy_create(&stopped, &options);
        CHECK_EQUAL(tansy_solve(s, stop, NULL, NULL), TANSY_OK);
        CHECK(latest <= stop);
        tansy_free(s);
    }
}
