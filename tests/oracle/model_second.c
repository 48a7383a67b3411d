/* SPDX-License-Identifier: Apache-2.0 */
/* .second, .time_derivative and .autonomous of models, as a solver gets them, against complex steps of the plain evaluator to
   1e-10; that they are made only when they are asked for, once for all threads; that they follow p. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/model_lanes.h"
#include "support/random.h"
#include "test.h"

enum { COLUMNS = 5 };

/* Completes the problem of the point and gives it scratch memory for that. */
static void complete(struct model_point *at)
{
    tansy_problem *const q = &at->problem;
    CHECK(!q->second && !q->time_derivative && !at->model->second.is_there);
    size_t const before = q->scratch;
    CHECK_EQUAL(q->complete(q), 0);
    CHECK(q->second && q->time_derivative && at->model->second.is_there && q->scratch > before);
    free(at->local.scratch);
    at->local.scratch = aligned_alloc(64, (q->scratch + 63) / 64 * 64);
    memset(at->local.scratch, 0, q->scratch);
}

/* J v + tau f_t as nodes of the model's graph. */
static uint32_t *along_roots(struct model_point *at, uint32_t *time)
{
    struct system *const system = &at->model->system;
    struct graph *const g = system->graph;
    uint32_t *const root = calloc(at->n, sizeof *root);
    struct derivative d = {.rows = 0};
    uint32_t const tau = graph_leaf(g, OP_VECTOR, (uint32_t)at->n);
    const uint32_t *const f = model_function(at->model);
    CHECK_EQUAL(differentiate_along(g, f, at->n, OP_STATE, at->n, root), TANSY_OK);
    CHECK_EQUAL(differentiate(g, f, at->n, OP_TIME, 1, &d), TANSY_OK);
    for (size_t i = 0; i < at->n; i++) {
        time[i] = d.start[i] < d.start[i + 1] ? d.node[d.start[i]] : 0;
        root[i] = graph_binary(g, OP_ADD, root[i], graph_binary(g, OP_MULTIPLY, tau, time[i]));
    }
    derivative_free(&d);
    return root;
}

static void check_functions(struct model_point *at)
{
    const tansy_problem *const q = &at->problem;
    size_t const n = at->n;
    struct random_source random = {.state = 3};
    struct model_lanes l = model_lanes_make(at, COLUMNS);
    double *const vector = calloc(n + 1, sizeof *vector);
    double *const ft = calloc(n, sizeof *ft), *const expected = calloc(n, sizeof *ft);
    uint32_t *const time = calloc(n, sizeof *time), *const root = along_roots(at, time);
    for (size_t i = 0; i <= n; i++) vector[i] = random_next(&random);
    at->vector = vector;
    CHECK_EQUAL(q->second(at->t, at->y, at->p, vector, vector[n], COLUMNS, LANES_LD, l.V, l.U, l.R,
                          &at->local),
                0);
    model_lanes_check(at, &l, root);
    CHECK_EQUAL(q->time_derivative(at->t, at->y, at->p, ft, &at->local), 0);
    model_point_step(at, model_function(at->model), n, NULL, NULL, 1, expected);
    bool moves = false;
    for (size_t i = 0; i < n; i++) {
        CHECK_CLOSE(ft[i], expected[i], 1e-10 * fabs(expected[i]));
        moves = moves || time[i] != 0;
    }
    CHECK(!(moves && q->autonomous)); /* and the other way round, but for break times */
    CHECK(moves || q->autonomous || q->breaks > 0);
    at->vector = NULL;
    free(vector);
    free(ft);
    free(expected);
    free(time);
    free(root);
    model_lanes_free(&l);
}

TEST(second_derivatives_of_every_model_as_a_solver_gets_them_are_exact)
{
    for (size_t k = 0; model_names[k]; k++) {
        struct model_point at;
        model_point_open(model_names[k], 1 + (unsigned)k, &at);
        complete(&at);
        check_functions(&at);
        model_point_close(&at);
    }
}

static tansy_model *parse(const char *words)
{
    tansy_model *const m = tansy_model_parse(words, strlen(words), "m");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

/* Of F, whatever y' is. */
TEST(second_derivatives_of_implicit_models_are_exact_where_B_is_constant)
{
    static const char *const example[] = {"batch_reactor", "pendulum", "robertson_dae",
                                          "transistor_amplifier", "akzo_nobel"};
    struct model_point at;
    for (unsigned k = 0; k < sizeof example / sizeof *example; k++) {
        model_point_open(example[k], 1 + k, &at);
        CHECK(at.problem.residual && at.problem.mass_constant);
        complete(&at);
        check_functions(&at);
        model_point_close(&at);
    }
    model_point_stand(parse("parameter k = 2, a = 3\nstate x = 1, y = 2\nalgebraic z = 1\n"
                            "k*x' + exp(a)*y' = x*y*sin(a*time)\nx' - a*y' = z^2\n"
                            "exp(k*z) = x*time\n"),
                      5, &at);
    for (int round = 0; round < 2; round++) {
        if (round == 0) complete(&at);
        check_functions(&at);
        at.p[0] *= 1.25;
        at.local.version++;
    }
    model_point_close(&at);
}

/* B of these is made of parameters, constants and conditions; of those not. */
TEST(a_model_knows_whether_B_is_constant)
{
    static const struct {
        const char *text;
        int constant;
    } cases[] = {{"parameter k = 1\nstate x = 1\nx' = -k*x\n", 0}, /* no B */
                 {"parameter k = 1\nstate x = 1\nalgebraic z = 1\nx' = -z\n0 = z - k*x\n", 1},
                 {"parameter k = 1\nstate x = 1, y = 2\nk*x' + exp(k)*y' = -x\nx' - y' = y\n", 1},
                 {"parameter k = 1\nstate x = 1, y = 2\n"
                  "x' + (if x > 1 then k else 2)*y' = -x\nx' - y' = y\n",
                  1},
                 {"parameter k = 1\nstate x = 1, y = 2\nx' + time*y' = -x\nx' - y' = y\n", 0},
                 {"parameter k = 1\nstate x = 1, y = 2\nx' + x*y' = -k*x\nx' - y' = y\n", 0},
                 {"parameter k = 1\nstate x = 1, y = 2\nx' + y'^2 = -k*x\nx' - y' = y\n", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tansy_problem q;
        tansy_model_summary summary;
        tansy_model *const m = parse(cases[k].text);
        CHECK_EQUAL(tansy_model_problem(m, &q), TANSY_OK);
        CHECK_EQUAL(q.mass_constant, cases[k].constant);
        if (q.residual) CHECK_EQUAL(q.complete != NULL, cases[k].constant);
        tansy_model_summarise(m, &summary);
        CHECK_EQUAL(strstr(summary.form, "linearly implicit, constant B") != NULL,
                    cases[k].constant);
        tansy_model_free(m);
    }
}

/* Time, an input, a control, exp(-k) of p alone, a condition, and outputs behind which the scratch memory goes on. */
static const char text[] = "parameter k = 1, c = 0.5\n"
                           "control u = {1, 2} piecewise constant at {0, 1, 2}\n"
                           "state x = 1 + k, y = 0\n"
                           "x' = if x > c then -k*x^2*cos(time) else u\n"
                           "y' = exp(-k)*x*y*sin(k*time)\n"
                           "output z = if y > 1 then x^2 else k*x\n"
                           "time 0 .. 3\n";

/* Values of p alone are kept for each thread until p changes; those of f and those of second derivatives apart. */
TEST(second_derivatives_follow_the_parameters)
{
    struct model_point at;
    model_point_stand(parse(text), 7, &at);
    complete(&at);
    double f[2], Q[1];
    for (int round = 0; round < 3; round++) {
        check_functions(&at);
        CHECK_EQUAL(at.problem.rhs(at.t, at.y, at.p, f, &at.local), 0);
        CHECK_EQUAL(at.problem.derived(at.t, at.y, at.y, at.p, Q, &at.local), 0);
        check_functions(&at);
        at.p[0] *= 1.25;
        at.local.version++;
    }
    model_point_close(&at);
}

TEST(a_model_knows_whether_time_is_in_it)
{
    static const struct {
        const char *text;
        int autonomous;
    } cases[] = {{"parameter k = 1\nstate x = 1\nx' = -k*x\n", 1},
                 {"parameter k = 1\nstate x = 1\nx' = -k*x*time\n", 0},
                 {"parameter k = 1\nstate x = 1\nx' = if x > 0.5 then -k*x else k\n", 1},
                 {"parameter k = 1\nstate x = 1\nx' = if time > 0.5 then -k*x else k\n", 0},
                 {"parameter k = 1\nstate x = 1\nalgebraic z = 1\nx' = -z\n0 = z - k*x\n", 1},
                 {"parameter k = 1\nstate x = 1\nalgebraic z = 1\nx' = -z\n0 = z - k*time\n", 0},
                 {"parameter k = 1\nstate x = 1, y = 2\nx' + x*y' = -k\nx' - y' = y\n", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tansy_problem q;
        tansy_model *const m = parse(cases[k].text);
        CHECK_EQUAL(tansy_model_problem(m, &q), TANSY_OK);
        CHECK_EQUAL(q.autonomous, cases[k].autonomous);
        tansy_model_free(m);
    }
}

/* d(x^n)/dn does not exist for x < 0 but is not asked for by a column of the initial value: d2(x^n)/dx2 v s = n (n-1) x^(n-2) v s. */
TEST(a_second_derivative_that_is_not_asked_for_need_not_exist)
{
    struct model_point at;
    model_point_stand(parse("parameter n = 3\nstate x = 1\nx' = x^n\n"), 7, &at);
    complete(&at);
    double const y[] = {-2}, p[] = {3, 0, 0}, v[] = {0.5}, V[] = {2, 1}, U[] = {0, 1};
    double R[2];
    CHECK_EQUAL(at.problem.second(0, y, p, v, 0, 1, 2, V, U, R, &at.local), 0);
    CHECK_CLOSE(R[0], -12, 1e-13);
    CHECK_EQUAL(at.problem.second(0, y, p, v, 0, 2, 2, V, U, R, &at.local), 0);
    CHECK_CLOSE(R[0], -12, 1e-13);
    CHECK(isnan(R[1]));
    model_point_close(&at);
}

static int other_rhs(double t, const double *y, const double *p, double *f, void *context)
{
    (void)t, (void)p, (void)context;
    f[0] = y[0];
    return 0;
}

TEST(a_problem_whose_functions_were_exchanged_is_left_as_it_is)
{
    tansy_problem q;
    tansy_model *const m = parse(text);
    CHECK_EQUAL(tansy_model_problem(m, &q), TANSY_OK);
    q.rhs = other_rhs;
    q.context = NULL;
    CHECK_EQUAL(q.complete(&q), 0);
    CHECK(!q.second && !q.time_derivative);
    tansy_model_free(m);
}

static void *complete_on_a_thread(void *problem)
{
    tansy_problem *const q = problem;
    return q->complete(q) == 0 && q->second ? problem : NULL;
}

TEST(solvers_on_several_threads_share_the_second_derivatives)
{
    enum { THREADS = 8 };
    tansy_problem q[THREADS];
    pthread_t thread[THREADS];
    void *done = NULL;
    tansy_model *const m = parse(text);
    for (int k = 0; k < THREADS; k++) CHECK_EQUAL(tansy_model_problem(m, &q[k]), TANSY_OK);
    for (int k = 0; k < THREADS; k++)
        CHECK_EQUAL(pthread_create(&thread[k], NULL, complete_on_a_thread, &q[k]), 0);
    for (int k = 0; k < THREADS; k++) {
        CHECK_EQUAL(pthread_join(thread[k], &done), 0);
        CHECK(done == &q[k]);
        CHECK_EQUAL(q[k].scratch, q[0].scratch);
    }
    tansy_model_free(m);
}
