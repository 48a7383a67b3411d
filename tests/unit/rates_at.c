/* SPDX-License-Identifier: Apache-2.0 */
/* y' and S' by the equations at a point of a run: f, or consistent values with the derivative of the constraints, in the modes of the
   side the run comes from; the run goes on as if nobody had looked. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tansy/tansy.h>

#include "test.h"

enum { N = 2 };

/* y' = -p0 y + u before t = 1, where u turns from p1 to p2; z = y^2 + sin t. */
static const char dae[] = "parameter a = 0.7, T = 1\n"
                          "control u = {1, 5} piecewise constant at {0, T, 3}\n"
                          "state y = 1\nalgebraic z = 1\n"
                          "y' = -a*y + u\n0 = z - y^2 - sin(time)\ntime 0 .. 2\n";
static const char ode[] = "parameter a = 0.7, T = 1\n"
                          "control u = {1, 5} piecewise constant at {0, 1, 3}\n"
                          "state y = 1, z = 0\ny' = -a*y + u\nz' = y*time\ntime 0 .. 2\n";

struct pair {
    tansy_model *model;
    tansy_problem problem;
    tansy_solver *run, *with;
};

static struct pair open_pair(const char *text, tansy_method method)
{
    static const int columns[] = {0, 2};
    struct pair x = {.model = tansy_model_parse(text, strlen(text), "test")};
    CHECK_EQUAL(tansy_model_problem(x.model, &x.problem), TANSY_OK);
    x.problem.columns = columns;
    x.problem.ns = 2;
    x.run = tansy_create(&x.problem, &(tansy_options){.method = method, .rtol = 1e-9});
    x.with = tansy_create(&x.problem, &(tansy_options){.method = TANSY_DASSL, .rtol = 1e-9});
    return x;
}

static void close_pair(struct pair *x)
{
    tansy_free(x->run);
    tansy_free(x->with);
    tansy_model_free(x->model);
}

/* At t, with y and S of the run and u = 1 or 5 there. */
static void check_rates(struct pair *x, double t, double u)
{
    double y[N], S[2 * N], yp[N], Sp[2 * N];
    bool const implicit = x->problem.rhs == NULL || x->problem.mass != NULL;
    CHECK_EQUAL(tansy_solve(x->run, t, y, S), TANSY_OK);
    CHECK_EQUAL(tansy_rates_at(x->with, x->run, t, y, S, yp, Sp), TANSY_OK);
    double const f = -0.7 * y[0] + u;
    CHECK_CLOSE(yp[0], f, 1e-9);
    CHECK_CLOSE(yp[1], implicit ? 2 * y[0] * f + cos(t) : y[0] * t, 1e-8);
    for (int k = 0; k < 2; k++) { /* of a, and of u[1], which acts before t = 1 */
        double const s = S[k * N], sp = -0.7 * s + (k == 0 ? -y[0] : u == 1);
        CHECK_CLOSE(Sp[k * N], sp, 1e-9);
        CHECK_CLOSE(Sp[k * N + 1], implicit ? 2 * (s * f + y[0] * sp) : s * t, 1e-6);
    }
}

TEST(rates_are_those_of_the_equations_on_the_side_the_run_comes_from)
{
    static const tansy_method methods[] = {TANSY_DASSL, TANSY_LIMEX, TANSY_ROSENBROCK};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 2; k++) {
            struct pair x = open_pair(k ? dae : ode, methods[m]);
            check_rates(&x, 0.4, 1);
            check_rates(&x, 1, 1);
            check_rates(&x, 1.6, 5);
            close_pair(&x);
        }
}

/* y at the end and all counts are the same to the bit. */
TEST(a_run_does_not_depend_on_whether_somebody_asks_for_rates)
{
    double y[2][N], yp[N], S[2][2 * N], Sp[2 * N];
    tansy_stats stats[2];
    for (int looks = 0; looks < 2; looks++) {
        struct pair x = open_pair(dae, TANSY_DASSL);
        for (int j = 1; j <= 20; j++) {
            CHECK_EQUAL(tansy_solve(x.run, 0.1 * j, y[looks], S[looks]), TANSY_OK);
            if (looks)
                CHECK_EQUAL(tansy_rates_at(x.with, x.run, 0.1 * j, y[1], S[1], yp, Sp), TANSY_OK);
        }
        tansy_get_stats(x.run, &stats[looks]);
        close_pair(&x);
    }
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0 && memcmp(S[0], S[1], sizeof S[0]) == 0);
    CHECK_EQUAL(stats[0].steps, stats[1].steps);
    CHECK_EQUAL(stats[0].rhs_evals, stats[1].rhs_evals);
}

/* Without columns; and calls that make no sense. */
TEST(rates_need_a_run_and_another_solver_of_its_problem)
{
    struct pair x = open_pair(dae, TANSY_DASSL), other = open_pair(ode, TANSY_DASSL);
    double y[N], S[2 * N], yp[N], Sp[2 * N];
    tansy_solver *const alone = tansy_create(
        &x.problem, &(tansy_options){.method = TANSY_DASSL, .sensitivities = TANSY_NONE});
    tansy_solver *const bad = tansy_create(&x.problem, &(tansy_options){.rtol = -1});
    CHECK_EQUAL(tansy_solve(x.run, 0, y, S), TANSY_OK);
    CHECK_EQUAL(tansy_rates_at(x.with, x.run, 0, y, S, yp, Sp), TANSY_BAD_CALL); /* no step yet */
    CHECK_EQUAL(tansy_solve(x.run, 0.5, y, S), TANSY_OK);
    CHECK_EQUAL(tansy_rates_at(alone, x.run, 0.5, y, NULL, yp, NULL), TANSY_OK);
    CHECK_CLOSE(yp[0], -0.7 * y[0] + 1, 1e-9);
    CHECK_EQUAL(tansy_rates_at(NULL, x.run, 0.5, y, S, yp, Sp), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_rates_at(x.with, NULL, 0.5, y, S, yp, Sp), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_rates_at(x.run, x.run, 0.5, y, S, yp, Sp), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_rates_at(other.with, x.run, 0.5, y, S, yp, Sp), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_rates_at(x.with, x.run, 0.5, NULL, S, yp, Sp), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_rates_at(x.with, x.run, 0.5, y, NULL, yp, Sp), TANSY_BAD_CALL);
    CHECK_EQUAL(tansy_rates_at(bad, x.run, 0.5, y, S, yp, Sp), TANSY_BAD_OPTION);
    CHECK_EQUAL(tansy_rates_at(x.with, bad, 0.5, y, S, yp, Sp), TANSY_BAD_OPTION);
    y[0] = (double)NAN;
    CHECK_EQUAL(tansy_rates_at(x.with, x.run, 0.5, y, S, yp, Sp), TANSY_BAD_CALL);
    tansy_free(alone);
    tansy_free(bad);
    close_pair(&x);
    close_pair(&other);
}
