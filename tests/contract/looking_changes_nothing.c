/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_initialise, tansy_check and tansy_at are for looking: a run takes the same steps and ends with the same bits with them as
   without, whatever the form of the problem, the method and the corrector; and tansy_check keeps to the stop time. */
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

enum { N = 3, NP = 3, SENS = N * NP };

/* Robertson's reactions, slowed down; the last equation of the implicit forms is the balance. */
static const double p[] = {0.04, 1e3, 3e4};
static double latest; /* time at which a function was evaluated, in the direction of integration */

static int rhs(double t, const double *y, const double *q, double *f, void *context)
{
    (void)context;
    latest = fmax(latest, fabs(t));
    f[0] = -q[0] * y[0] + q[1] * y[1] * y[2];
    f[1] = q[0] * y[0] - q[1] * y[1] * y[2] - q[2] * y[1] * y[1];
    f[2] = q[2] * y[1] * y[1];
    return 0;
}

static int jacobian(double t, const double *y, const double *q, double *J, void *context)
{
    double const rows[] = {
        -q[0],        q[1] * y[2], q[1] * y[1],     q[0], -q[1] * y[2] - 2 * q[2] * y[1],
        -q[1] * y[1], 0,           2 * q[2] * y[1], 0};
    (void)t;
    (void)context;
    memcpy(J, rows, sizeof rows);
    return 0;
}

static int balanced(double t, const double *y, const double *q, double *f, void *context)
{
    (void)rhs(t, y, q, f, context);
    f[2] = y[0] + y[1] + y[2] - 1;
    return 0;
}

static int mass(double t, const double *y, const double *q, double *B, void *context)
{
    (void)t;
    (void)y;
    (void)q;
    (void)context;
    B[0] = B[4] = 1;
    return 0;
}

static int residual(double t, const double *y, const double *yp, const double *q, double *F,
                    void *context)
{
    double f[N];
    (void)balanced(t, y, q, f, context);
    F[0] = yp[0] - f[0];
    F[1] = yp[1] - f[1];
    F[2] = f[2];
    return 0;
}

static int condition(double t, const double *y, const double *q, double *g, void *context)
{
    (void)t;
    (void)q;
    (void)context;
    g[0] = y[0] - 0.9;
    return 0;
}

enum form { ODE, MASS, RESIDUAL, SWITCHED, FORMS };

static tansy_problem problem_of(enum form form)
{
    static const double y0[] = {1, 0, 0};
    tansy_problem problem = {.n = N, .np = NP, .y0 = y0, .p = p};
    problem.rhs = form == ODE ? rhs : form == MASS ? balanced : NULL;
    problem.jacobian = form == ODE ? jacobian : NULL;
    problem.mass = form == MASS ? mass : NULL;
    problem.residual = form >= RESIDUAL ? residual : NULL;
    problem.mass_constant = form >= RESIDUAL;
    problem.switches = form == SWITCHED;
    problem.switch_function = form == SWITCHED ? condition : NULL;
    return problem;
}

enum look { NONE, CHECK_OFTEN, AT_OFTEN, AT_START, LOOKS };

struct result {
    tansy_status status;
    size_t steps;
    double y[N], sens[SENS];
};

static void look_around(tansy_solver *s, enum look look, size_t step)
{
    double y[N], yp[N], S[SENS], S_rate[SENS];
    if (look == CHECK_OFTEN && step % 3 == 0) CHECK_EQUAL(tansy_check(s), TANSY_OK);
    if (look == AT_OFTEN) CHECK_EQUAL(tansy_at(s, tansy_time(s), y, yp, S, S_rate), TANSY_OK);
}

/* False: there is no such run. */
static bool run(enum form form, const tansy_options *options, enum look look, struct result *out)
{
    enum { MOST = 400 };
    tansy_problem const problem = problem_of(form);
    tansy_solver *const s = tansy_create(&problem, options);
    bool const possible = tansy_error(s) == TANSY_OK;
    double y[N], yp[N], S[SENS], S_rate[SENS];
    if (possible && look == AT_START) {
        CHECK_EQUAL(tansy_initialise(s, y, yp, S, S_rate), TANSY_OK);
        CHECK_EQUAL(tansy_check(s), TANSY_OK);
    }
    out->status = TANSY_OK;
    for (size_t k = 1; possible && k <= MOST && out->status >= 0 && tansy_time(s) < 40; k++) {
        out->status = tansy_step(s, 40, out->y, out->sens);
        if (out->status >= 0) look_around(s, look, k);
    }
    tansy_stats stats;
    tansy_get_stats(s, &stats);
    out->steps = stats.steps;
    tansy_free(s);
    return possible;
}

static void compare(enum form form, const tansy_options *options)
{
    struct result plain = {.steps = 0}, looked = {.steps = 0};
    if (!run(form, options, NONE, &plain)) return;
    for (enum look look = CHECK_OFTEN; look < LOOKS; look++) {
        CHECK(run(form, options, look, &looked));
        CHECK_EQUAL(looked.status, plain.status);
        CHECK_EQUAL(looked.steps, plain.steps);
        CHECK(memcmp(looked.y, plain.y, sizeof plain.y) == 0);
        CHECK(memcmp(looked.sens, plain.sens, sizeof plain.sens) == 0);
    }
}

TEST(a_run_does_not_depend_on_who_looks)
{
    for (enum form form = ODE; form < FORMS; form++)
        for (int method = TANSY_ADAMS; method <= TANSY_LIMEX; method++)
            for (int way = TANSY_SIMULTANEOUS; way <= TANSY_DIFFERENCE; way++)
                for (int krylov = 0; krylov < 2; krylov++) {
                    tansy_options const options = {.method = (tansy_method)method,
                                                   .sensitivities = (tansy_sensitivities)way,
                                                   .linear_solver =
                                                       krylov ? TANSY_GMRES : TANSY_LINEAR_AUTO,
                                                   .rtol = 1e-5,
                                                   .atol = 1e-11};
                    bool const taken = TEST_STRIDE == 1 || ((int)form + way + method) % 2 == 0;
                    if (way != TANSY_MEASURED && taken) compare(form, &options);
                }
}

/* A time inside the last step, which formulas without dense output make again, with J of its beginning. */
TEST(a_check_before_a_step_that_is_made_again_changes_nothing)
{
    for (int formula = TANSY_GRK4A; formula <= TANSY_GRK4T; formula++) {
        double y[2][N], sens[2][SENS];
        for (int look = 0; look < 2; look++) {
            tansy_problem const problem = problem_of(ODE);
            tansy_options const options = {.method = TANSY_ROSENBROCK,
                                           .formula = (tansy_formula)formula};
            tansy_solver *const s = tansy_create(&problem, &options);
            double before = 0;
            for (int step = 0; step < 5; step++) {
                before = tansy_time(s);
                CHECK_EQUAL(tansy_step(s, 1, NULL, NULL), TANSY_OK);
            }
            if (look) CHECK_EQUAL(tansy_check(s), TANSY_OK);
            double const t = before + 0.9 * (tansy_time(s) - before);
            CHECK_EQUAL(tansy_solve(s, t, y[look], sens[look]), TANSY_OK);
            tansy_free(s);
        }
        CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
        CHECK(memcmp(sens[0], sens[1], sizeof sens[0]) == 0);
    }
}

TEST(a_check_at_the_stop_time_does_not_look_beyond_it)
{
    for (enum form form = ODE; form < FORMS; form++)
        for (int direction = -1; direction <= 1; direction += 2) {
            double const stop = 0.25 * direction;
            tansy_problem const problem = problem_of(form);
            tansy_options const options = {.use_stop_time = 1, .stop_time = stop};
            latest = 0;
            tansy_solver *const s = tansy_create(&problem, &options);
            CHECK_EQUAL(tansy_solve(s, stop, NULL, NULL), TANSY_OK);
            CHECK_EQUAL(tansy_check(s), TANSY_OK);
            tansy_free(s);
            CHECK_AT_MOST(latest, 0.25);
        }
}
