/* SPDX-License-Identifier: Apache-2.0 */
/* `measured`: clocking leaves no trace in a run, correctors and tangents may be exchanged between any two steps, and the
   report says what was found. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>

#include "drive/solver.h"
#include "support/accuracy.h"

static const double rtol = 1e-6;

enum { STEPS = FIRST_STEPS + OBSERVED_STEPS };

/* A run with its solution at the end. */
struct run {
    tansy_solver *s;
    double *atol, *y, *sens;
    size_t n, ns;
    double t_end;
};

static void open(struct run *r, const char *name, tansy_options options)
{
    const struct test_problem *const it = problem_find(name);
    r->n = it->problem.n;
    r->ns = problem_columns(it);
    r->t_end = it->t_end;
    r->atol = calloc(r->n, sizeof(double));
    r->y = calloc(r->n, sizeof(double));
    r->sens = calloc(r->n * r->ns, sizeof(double));
    CHECK(r->atol && r->y && r->sens);
    for (size_t i = 0; i < r->n; i++) r->atol[i] = rtol * it->atol[i];
    options.rtol = rtol;
    options.atol_state = r->atol;
    r->s = tansy_create(&it->problem, &options);
    CHECK_EQUAL(tansy_error(r->s), TANSY_OK);
}

static void close(struct run *r)
{
    tansy_free(r->s);
    free(r->atol);
    free(r->y);
    free(r->sens);
}

static void step(struct run *r, size_t steps)
{
    for (size_t k = 0; k < steps; k++)
        CHECK_EQUAL(tansy_step(r->s, r->t_end, r->y, r->sens), TANSY_OK);
}

/* The clock runs, and whatever it says the run goes on as it was. */
static void clock_and_stay(struct run *r)
{
    enum variant const before = r->s->choice.taken;
    CHECK_EQUAL(r->s->choice.due, STEPS);
    solver_clock_costs(r->s);
    CHECK_EQUAL(r->s->choice.due, 0);
    CHECK_EQUAL(r->s->choice.by, CHOSEN_BY_CLOCK);
    solver_use_variant(r->s, before);
}

static void check_no_trace(const char *name, tansy_options options)
{
    struct run plain, clocked;
    options.sensitivities = TANSY_STAGGERED;
    open(&plain, name, options);
    options.sensitivities = TANSY_MEASURED;
    open(&clocked, name, options);
    CHECK(clocked.s->stepper.corrector == &corrector_staggered);
    step(&plain, STEPS - 1);
    step(&clocked, STEPS - 1);
    clock_and_stay(&clocked);
    step(&plain, STEPS);
    step(&clocked, STEPS);
    if (tansy_time(plain.s) != tansy_time(clocked.s)) printf("%s\n", name);
    CHECK_CLOSE(tansy_time(clocked.s), tansy_time(plain.s), 0);
    CHECK_EQUAL(memcmp(plain.y, clocked.y, plain.n * sizeof(double)), 0);
    CHECK_EQUAL(memcmp(plain.sens, clocked.sens, plain.n * plain.ns * sizeof(double)), 0);
    close(&plain);
    close(&clocked);
}

TEST(clocking_leaves_no_trace_in_a_run)
{
    tansy_options const none = {0};
    check_no_trace("hires", none);
    check_no_trace("hires", (tansy_options){.method = TANSY_DASSL, .norm = TANSY_MAX});
    check_no_trace("hires", (tansy_options){.residual = TANSY_MATRIX});
    check_no_trace("hires", (tansy_options){.residual = TANSY_SEED});
    check_no_trace("c1", (tansy_options){.method = TANSY_ADAMS});
    check_no_trace("c1", (tansy_options){.method = TANSY_ADAMS, .linear_solver = TANSY_DENSE_LU});
    check_no_trace("heat_10_ode", none);
    check_no_trace("network_100x400", (tansy_options){.threads = 2});
}

TEST(clocking_leaves_no_trace_in_a_run_of_an_implicit_problem)
{
    tansy_options const none = {0};
    check_no_trace("akzo_nobel", none);
    check_no_trace("akzo_nobel_mass", none);
    check_no_trace("akzo_nobel", (tansy_options){.residual = TANSY_DIFFERENCES});
    check_no_trace("pendulum", none);
    check_no_trace("heat_10_sparse", none);
}

TEST(clocking_leaves_no_trace_in_krylov_iteration)
{
    check_no_trace("hires", (tansy_options){.linear_solver = TANSY_GMRES});
    check_no_trace("heat_10", (tansy_options){.linear_solver = TANSY_GMRES});
    check_no_trace("heat_10",
                   (tansy_options){.linear_solver = TANSY_GMRES, .residual = TANSY_MATRIX});
}

/* Steps with one variant, then with another to the end. */
static double exchange(const struct oracle *o, enum variant first, enum variant second)
{
    struct run r;
    open(&r, o->problem->name, (tansy_options){.sensitivities = TANSY_MEASURED});
    r.s->choice.due = 0;
    r.t_end = o->exact.t[o->exact.times - 1];
    solver_use_variant(r.s, first);
    step(&r, 40);
    solver_use_variant(r.s, second);
    CHECK_EQUAL(tansy_solve(r.s, r.t_end, r.y, r.sens), TANSY_OK);
    const double *const exact = o->exact.sens + (o->exact.times - 1) * r.ns * r.n;
    double const error = error_norm_columns(&o->norm, exact, r.sens, NULL);
    close(&r);
    return error;
}

static void check_exchanges(const char *name)
{
    struct oracle o;
    oracle_open(name, &o);
    for (int a = 0; a < VARIANTS; a++)
        for (int b = 0; b < VARIANTS; b++)
            CHECK_AT_MOST(exchange(&o, (enum variant)a, (enum variant)b), 100 * rtol);
    oracle_close(&o);
}

TEST(any_variant_may_follow_any_other_between_two_steps)
{
    check_exchanges("hires");
    check_exchanges("robertson");
    check_exchanges("akzo_nobel");
}

/* Whatever the clock says, S is right. */
TEST(measured_runs_keep_the_promise)
{
    static const char *const names[] = {"robertson", "hires", "pollution", "co_oxidation",
                                        "batch_reactor"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct oracle o;
        oracle_open(names[k], &o);
        struct accuracy const found = oracle_measure(
            &o, GIVEN, &(tansy_options){.sensitivities = TANSY_MEASURED, .rtol = rtol});
        CHECK_EQUAL(found.status, TANSY_OK);
        CHECK_AT_MOST(found.columns, oracle_bound(&o, TANSY_BDF, rtol));
        oracle_close(&o);
    }
}

TEST(the_report_says_what_the_clock_found)
{
    static char page[4096];
    struct run r;
    open(&r, "co_oxidation", (tansy_options){.sensitivities = TANSY_MEASURED});
    (void)tansy_report(r.s, page, sizeof page);
    CHECK_TEXT_CONTAINS(page,
                        "staggered corrector\n               until costs are clocked after 30");
    step(&r, STEPS + 1);
    (void)tansy_report(r.s, page, sizeof page);
    CHECK_TEXT_CONTAINS(page, "by clock, cost of a step: ");
    CHECK(!strstr(page, "until costs"));
    for (int v = 0; v < VARIANTS; v++) CHECK(r.s->choice.cost[v] > 0);
    close(&r);
}

/* df/dp is not needed by tangents: only the clock calls it. */
static int refuse(double t, const double *y, const double *p, double *F, void *context)
{
    (void)t;
    (void)y;
    (void)p;
    (void)F;
    (void)context;
    return 1;
}

TEST(what_cannot_be_clocked_is_not_changed)
{
    static char page[4096];
    const struct test_problem *const it = problem_find("hires");
    tansy_problem problem = it->problem;
    problem.parameter_jacobian = refuse;
    tansy_solver *const s =
        tansy_create(&problem, &(tansy_options){.sensitivities = TANSY_MEASURED});
    CHECK_EQUAL(tansy_solve(s, it->t_end, NULL, NULL), TANSY_OK);
    CHECK(s->stepper.corrector == &corrector_staggered);
    (void)tansy_report(s, page, sizeof page);
    CHECK_TEXT_CONTAINS(page, "could not be clocked");
    CHECK(!strstr(page, "cost of a step"));
    tansy_free(s);
}

/* Panels on several threads must not begin to call functions that may not run concurrently. */
TEST(tangents_are_not_exchanged_where_threads_forbid_it)
{
    tansy_problem problem = problem_find("hires")->problem;
    problem.prefer_matrix = 1;
    for (int concurrent = 0; concurrent < 2; concurrent++) {
        problem.concurrent = concurrent;
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.sensitivities = TANSY_MEASURED, .threads = 2});
        CHECK_EQUAL(s->choice.possible[STAGGERED_SEED], concurrent);
        CHECK_EQUAL(s->choice.possible[STAGGERED_MATRIX], 1);
        tansy_free(s);
    }
}
