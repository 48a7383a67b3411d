/* SPDX-License-Identifier: Apache-2.0 */
/* The promise, docs/design.md section 12, for the method rosenbrock on F(t, y, y', p) = 0 and B y' = f with B that depends on p at most,
   also singular without a zero row: the error of y and of every column at every reference time is at most 100 rtol, by exact
   tangents of every formula, with derivatives given, from models, and by differences. */
#include <tansy/tansy.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/accuracy.h"
#include "test.h"

static const tansy_formula formulas[] = {TANSY_RODAS5P, TANSY_RODAS4, TANSY_GRK4A};
static const char *const names[] = {"rodas5p", "rodas4", "grk4a"};

/* Runs that break the promise over all formulas and rtol = 1e-3 .. smallest. */
static size_t broken_by(const struct oracle *o, enum derivatives derivatives, double smallest)
{
    size_t broken = 0;
    for (size_t k = 0; k < 3; k++)
        for (double rtol = 1e-3; rtol > 0.9 * smallest; rtol /= 10) {
            tansy_options const options = {
                .method = TANSY_ROSENBROCK, .formula = formulas[k], .rtol = rtol, .suppress_algebraic = getenv("SUP") != NULL};
            struct accuracy const a = oracle_measure(o, derivatives, &options);
            if (getenv("TELL"))
                fprintf(stderr, "%-20s %-8s %.0e %8.2f %8.2f %6zu\n", o->problem->name, names[k],
                        rtol, a.state / rtol, a.columns / rtol, a.steps);
            if (fmax(a.state, a.columns) <= 100 * rtol) continue;
            broken++;
            fprintf(stderr, "%s, %s, rtol %.0e: error %.2e of the state, %.2e of column %zu %s\n",
                    o->problem->name, names[k], rtol, a.state, a.columns, a.column, a.message);
        }
    return broken;
}

static size_t promises(const char *problem, enum derivatives derivatives, double smallest)
{
    struct oracle o;
    oracle_open(problem, &o);
    size_t const broken = broken_by(&o, derivatives, smallest);
    oracle_close(&o);
    return broken;
}

#define PROMISE(problem)                                                                           \
    TEST(rosenbrock_keeps_its_promise_on_##problem)                                                \
    {                                                                                              \
        CHECK_EQUAL(promises(#problem, GIVEN, 1e-7), 0);                                           \
    }

PROMISE(robertson_dae)
PROMISE(robertson_dae_mass)
PROMISE(batch_reactor)
PROMISE(batch_reactor_mass)
PROMISE(akzo_nobel)
PROMISE(akzo_nobel_mass)
PROMISE(heat_10)
PROMISE(heat_10_mass)
PROMISE(heat_10_sparse)
PROMISE(transistor)

/* The hand-written problem's reference, columns and tolerances, the model's functions. */
static void check_model(const char *model, const char *problem)
{
    char path[256];
    struct oracle o;
    (void)snprintf(path, sizeof path, "examples/models/%s.tansy", model);
    tansy_model *const m = tansy_model_read(path);
    oracle_open(problem, &o);
    struct test_problem by_model = *o.problem;
    CHECK_EQUAL(tansy_model_problem(m, &by_model.problem), TANSY_OK);
    CHECK(by_model.problem.mass_constant && by_model.problem.complete);
    by_model.name = model;
    by_model.problem.ns = o.problem->problem.ns;
    by_model.problem.columns = o.problem->problem.columns;
    by_model.problem.scale = o.problem->problem.scale;
    CHECK_EQUAL(by_model.problem.n, o.problem->problem.n);
    CHECK_EQUAL(by_model.problem.np, o.problem->problem.np);
    o.problem = &by_model;
    CHECK_EQUAL(broken_by(&o, GIVEN, 1e-7), 0);
    oracle_close(&o);
    tansy_model_free(m);
}

TEST(rosenbrock_keeps_its_promise_on_implicit_models)
{
    check_model("robertson_dae", "robertson_dae");
    check_model("batch_reactor", "batch_reactor");
    check_model("akzo_nobel", "akzo_nobel");
    check_model("transistor_amplifier", "transistor");
}

TEST(rosenbrock_keeps_its_promise_by_differences_of_F_alone)
{
    CHECK_EQUAL(promises("robertson_dae", BY_DIFFERENCES, 1e-5), 0);
    CHECK_EQUAL(promises("batch_reactor", BY_DIFFERENCES, 1e-5), 0);
    CHECK_EQUAL(promises("akzo_nobel", BY_DIFFERENCES, 1e-5), 0);
    CHECK_EQUAL(promises("akzo_nobel_mass", BY_DIFFERENCES, 1e-5), 0);
}
