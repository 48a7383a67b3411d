/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit models exported as C and compiled: their derivatives agree with differences, and runs give what the engine's functions give. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "support/shared_object.h"
#include "test.h"

enum { MOST = 400, PATH = 200 };
static const double rtol = 1e-8;

struct exported {
    tansy_model *model, *loaded;
    tansy_problem engine, compiled;
};

static struct exported compile(tansy_model *m)
{
    struct exported e = {.model = m};
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_problem(m, &e.engine), TANSY_OK);
    e.loaded = shared_object_of(m);
    if (tansy_model_error(e.loaded) < 0) puts(tansy_model_message(e.loaded));
    CHECK_EQUAL(tansy_model_problem(e.loaded, &e.compiled), TANSY_OK);
    return e;
}

static void close_all(struct exported *e)
{
    tansy_model_free(e->loaded);
    tansy_model_free(e->model);
}

/* y[n], then S, at time t; the derivatives are checked on the way. */
static void solve(const tansy_problem *problem, const tansy_options *options, double t,
                  double *result)
{
    size_t const n = problem->n;
    tansy_solver *const s = tansy_create(problem, options);
    tansy_status status = tansy_check(s);
    if (status == TANSY_OK) status = tansy_solve(s, t / 3, result, result + n);
    if (status == TANSY_OK) status = tansy_check(s);
    if (status == TANSY_OK) status = tansy_solve(s, t, result, result + n);
    if (status < 0) puts(tansy_message(s));
    CHECK_EQUAL(status, TANSY_OK);
    tansy_free(s);
}

/* Both keep the promise, 100 rtol, so that they are no farther than twice that from each other, relative to the largest value of the
   column in its units. */
static void compare(const struct exported *e, double t)
{
    static const tansy_residual residuals[] = {TANSY_SEED, TANSY_MATRIX};
    size_t const n = e->engine.n, np = e->engine.np;
    CHECK(n * (np + 1) <= MOST);
    CHECK_EQUAL(e->compiled.n, n);
    CHECK_EQUAL(e->compiled.np, np);
    CHECK(e->compiled.residual && !e->compiled.rhs);
    for (int k = 0; k < 2; k++) {
        double own[MOST], other[MOST];
        tansy_options const options = {.rtol = rtol, .atol = 1e-12, .residual = residuals[k]};
        solve(&e->engine, &options, t, own);
        solve(&e->compiled, &options, t, other);
        for (size_t column = 0; column <= np; column++) {
            double size = 0;
            for (size_t i = 0; i < n; i++) size = fmax(size, fabs(own[column * n + i]));
            for (size_t i = 0; i < n; i++)
                CHECK_CLOSE(other[column * n + i], own[column * n + i], 200 * rtol * size);
        }
    }
}

static void compare_text(const char *text, double t)
{
    struct exported e = compile(tansy_model_parse(text, strlen(text), "test"));
    compare(&e, t);
    close_all(&e);
}

TEST(the_examples_run_as_c)
{
    static const char *const names[] = {"pendulum", "batch_reactor", "transistor_amplifier",
                                        "akzo_nobel", "robertson_dae"};
    static const double time[] = {1, 1, 0.01, 10, 40};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[PATH];
        (void)snprintf(path, sizeof path, "examples/models/%s.tansy", names[k]);
        struct exported e = compile(tansy_model_read(path));
        compare(&e, time[k]);
        close_all(&e);
    }
}

TEST(fully_implicit_models_run_as_c)
{
    compare_text("model cubic\nparameter k = 1.5, c = 0.25\nstate x = 1, y = c\n"
                 "x' + c*x'^3 = -k*x\nx*y' + exp(-k)*x' = -y*x\n",
                 1);
}

/* B depends on y and p, the equations on a condition, a break and what is computed once per p. */
TEST(conditions_and_breaks_run_as_c)
{
    compare_text(
        "model tank\nparameter k = 1.5, c = 0.5, E = 2\nstate x = 1, y = k\nalgebraic z = 1\n"
        "(1 + c*y)*x' = if x > c then -k*exp(-E)*z else 1 - 2*z\ny' + x' = -y*z\n"
        "0 = z^3 + z - (if time < 0.5 then 2 else 3)*x\noutput q = if y > 1 then x' else z*y'\n",
        2);
}

TEST(banded_models_run_as_c)
{
    static const char text[] =
        "model chain\nparameter d = 0.5\nconstant N = 15\nstate u[i in 1..N] = i/N\nalgebraic "
        "v[1..N] = 0\n"
        "u[i]' = d*((if i > 1 then u[i-1] else 0) - u[i]) - v[i] for i in 1..N\n"
        "0 = v[i] + v[i]^3 - u[i] for i in 1..N\n";
    compare_text(text, 1);
    compare_text("model row\nparameter d = 0.5\nconstant N = 30\nstate u[i in 1..N] = i/N\n"
                 "u[i]' + 0.1*(if i > 1 then u[i-1]' else 0) = -d*u[i]^2 for i in 1..N\n",
                 1);
}

/* Neither parameters nor kinds in the way. */
TEST(models_without_parameters_run_as_c)
{
    static const char text[] = "model plain\nstate x = 1\nalgebraic z = 1\nx' = -z\n0 = z - x^2\n";
    struct exported e = compile(tansy_model_parse(text, sizeof text - 1, "test"));
    double y[2];
    CHECK(!e.compiled.residual_parameter && e.compiled.kind[1] == TANSY_ALGEBRAIC);
    solve(&e.compiled, &(tansy_options){.rtol = rtol}, 1, y); /* x = 1/(1 + t) */
    CHECK_CLOSE(y[0], 0.5, 100 * rtol);
    CHECK_CLOSE(y[1], 0.25, 100 * rtol);
    close_all(&e);
}

/* q = x' of x' + c x'^3 = -x. */
TEST(outputs_of_implicit_models_get_the_rates)
{
    static const char text[] =
        "model rates\nparameter c = 2\nstate x = 3\nx' + c*x'^3 = -x\noutput q = c*x' + x\n";
    struct exported e = compile(tansy_model_parse(text, sizeof text - 1, "test"));
    double const y[] = {3}, rate[] = {-1}, p[] = {2};
    tansy_point at = {.y = y, .yp = rate, .p = p};
    double q[1];
    CHECK_EQUAL(tansy_model_outputs_at(e.loaded, &at, q), TANSY_OK);
    CHECK_CLOSE(q[0], 1, 0);
    at.yp = NULL;
    CHECK_EQUAL(tansy_model_outputs_at(e.loaded, &at, q), TANSY_BAD_CALL);
    close_all(&e);
}

TEST(models_that_cannot_be_solved_are_not_exported)
{
    static const char text[] = "parameter k = 1\nstate x = 1, v = 0\nalgebraic z = 1\n"
                               "x' = v\nv' = z\n0 = x - k*time\n";
    tansy_model *const m = tansy_model_parse(text, sizeof text - 1, "test");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    CHECK_EQUAL(tansy_model_export_c(m, NULL, 0), 0);
    tansy_model_free(m);
}
