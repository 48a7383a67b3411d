/* SPDX-License-Identifier: Apache-2.0 */
/* Exported C, compiled with all warnings as errors, against the plain evaluator of the graph: same operations in the same
   order, so that results agree to the roundings of libm's vector variants, if any: a few eps. */
#include "model/export_c.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "base/heap.h"
#include "model/oracle.h"
#include "support/random.h"
#include "support/shared_object.h"
#include "test.h"

enum { STATES = 40, PARAMETERS = 12, COLUMNS = 11, LD = 16 };

static const double row_time[] = {0, 1, 2.5}, row_value[] = {1, 3, 2};

struct setting {
    struct system system;
    struct state state[STATES];
    struct parameter parameter[PARAMETERS];
    struct output output[3];
    struct condition condition[6];
    struct table table[2];
    double break_time[3];
    uint32_t rhs[STATES], residual[STATES];
    double y[STATES], p[PARAMETERS + 3]; /* two watched conditions hold / do not, piece 2 */
    tansy_local local;
};

static uint32_t state(struct graph *g, size_t i)
{
    return graph_leaf(g, OP_STATE, (uint32_t)(i % STATES));
}

static uint32_t parameter(struct graph *g, size_t k)
{
    return graph_leaf(g, OP_PARAMETER, (uint32_t)(k % PARAMETERS));
}

/* Reactions with Arrhenius rates in a chain with a far jump, an input, a switch: `reactions` of them. */
static void make_rhs(struct setting *s, size_t reactions)
{
    struct graph *const g = s->system.graph;
    for (size_t r = 0; r < reactions; r++) {
        uint32_t const T = state(g, 0), b = parameter(g, r + 1);
        uint32_t const e = graph_binary(g, OP_DIVIDE, parameter(g, 5 * r + 2), T);
        uint32_t const k = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_POWER, T, b),
                                        graph_unary(g, OP_EXP, graph_unary(g, OP_NEGATE, e)));
        uint32_t const rate =
            graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_MULTIPLY, k, parameter(g, r)),
                         graph_binary(g, OP_MULTIPLY, state(g, r), state(g, 7 * r + 3)));
        s->rhs[r % STATES] = graph_binary(g, OP_SUBTRACT, s->rhs[r % STATES], rate);
        s->rhs[(r + 5) % STATES] = graph_binary(g, OP_ADD, s->rhs[(r + 5) % STATES], rate);
    }
    uint32_t const input =
        graph_binary(g, OP_ADD, graph_leaf(g, OP_INPUT, 0), graph_leaf(g, OP_INPUT, 1));
    s->rhs[1] =
        graph_binary(g, OP_ADD, s->rhs[1], graph_binary(g, OP_MULTIPLY, input, state(g, 2)));
    uint32_t const chosen =
        graph_select(g, graph_leaf(g, OP_SWITCH, 0), graph_unary(g, OP_SQRT, state(g, 3)),
                     graph_unary(g, OP_TANH, parameter(g, 1)));
    s->rhs[2] = graph_binary(g, OP_SUBTRACT, s->rhs[2], chosen);
}

static void make_parts(struct setting *s)
{
    struct graph *const g = s->system.graph;
    static const char *const name[] = {"A", "k*/[1]", "T"};
    for (size_t i = 0; i < STATES; i++) {
        s->state[i] = (struct state){.name = name[i % 3], .unit = i % 2 ? "mol" : ""};
        s->state[i].initial =
            i % 4 ? graph_constant(g, (double)i) : graph_unary(g, OP_EXP, parameter(g, i));
        s->y[i] = 1 + 0.25 * sin((double)i);
    }
    s->state[5].initial =
        graph_select(g, graph_leaf(g, OP_SWITCH, 5), parameter(g, 5), graph_constant(g, 5));
    s->state[6].initial =
        graph_select(g, graph_leaf(g, OP_SWITCH, 4), parameter(g, 5), graph_constant(g, 6));
    s->state[3].atol = 1e-9;
    for (size_t k = 0; k < PARAMETERS; k++) {
        s->p[k] = 0.5 + 0.1 * (double)k;
        s->parameter[k] = (struct parameter){.name = "k", .unit = "", .value = s->p[k]};
        s->parameter[k].lower = k == 2 ? 0 : -HUGE_VAL;
        s->parameter[k].upper = HUGE_VAL;
        s->parameter[k].scale = k == 1 ? 2 : 0;
    }
    s->p[PARAMETERS] = 1; /* y[0] >= 0.5 */
    s->p[PARAMETERS + 1] = 0;
    s->p[PARAMETERS + 2] = 2; /* break times passed */
    uint32_t const time = graph_leaf(g, OP_TIME, 0);
    s->condition[0].node = graph_binary(g, OP_SUBTRACT, state(g, 0), graph_constant(g, 0.5));
    s->condition[1].node =
        graph_binary(g, OP_SUBTRACT, graph_binary(g, OP_MULTIPLY, parameter(g, 0), state(g, 1)),
                     graph_binary(g, OP_MULTIPLY, time, time));
    s->condition[2].node = graph_binary(g, OP_SUBTRACT, graph_leaf(g, OP_SWITCH, 0), state(g, 3));
    s->condition[3].node = graph_binary(g, OP_SUBTRACT, state(g, 4), graph_leaf(g, OP_SWITCH, 2));
    /* of p alone, for initial values: p0 >= p1 fails, so 1/2 - 0 >= 0 holds */
    s->condition[4].node = graph_binary(g, OP_SUBTRACT, parameter(g, 0), parameter(g, 1));
    s->condition[5].node =
        graph_binary(g, OP_SUBTRACT, graph_constant(g, 0.5), graph_leaf(g, OP_SWITCH, 4));
    s->output[0].node = graph_binary(g, OP_DIVIDE, state(g, 1), state(g, 2));
    s->output[1].node =
        graph_select(g, graph_leaf(g, OP_SWITCH, 3), graph_leaf(g, OP_INPUT, 0), time);
    s->output[2].node =
        graph_binary(g, OP_AT_LEAST, graph_leaf(g, OP_PIECE, 0), graph_constant(g, 2));
    for (size_t k = 0; k < 3; k++) s->output[k].name = s->output[k].unit = "q";
}

static void prepare(struct setting *s, size_t reactions)
{
    memset(s, 0, sizeof *s);
    s->system.graph = graph_create();
    s->system.name = "3 tanks";
    s->system.title = "Test /* of */ export";
    make_parts(s);
    make_rhs(s, reactions);
    memcpy(s->break_time, row_time, sizeof row_time);
    for (size_t j = 0; j < 2; j++)
        s->table[j] = (struct table){row_time, row_value, 3, j == 0, s->break_time, 3};
    s->system.state.item = s->state;
    s->system.state.count = STATES;
    s->system.parameter.item = s->parameter;
    s->system.parameter.count = PARAMETERS;
    s->system.output.item = s->output;
    s->system.output.count = 3;
    s->system.condition.item = s->condition;
    s->system.condition.count = 6;
    s->system.watched = 2;
    s->system.break_time.item = s->break_time;
    s->system.break_time.count = 3;
    s->system.table.item = s->table;
    s->system.table.count = 2;
    s->system.rhs = s->rhs;
    s->system.residual = s->residual;
    s->system.t0 = (double)NAN;
}

/* The values of all nodes at (t, y, p). */
static double *evaluate(const struct setting *s, const struct graph *g, double t)
{
    double *const value = heap_take(graph_count(g) * sizeof *value);
    struct leaves const at = {
        .t = t, .y = s->y, .p = s->p, .table = s->table, .np = PARAMETERS, .switches = 2};
    oracle_run(g, &at, value);
    return value;
}

static void *compile(const struct setting *s, const char *compiler)
{
    size_t const length = export_c(&s->system, NULL, NULL, 0);
    char *const text = heap_take(length + 1);
    CHECK(length > 0);
    CHECK_EQUAL(export_c(&s->system, NULL, text, length + 1), length);
    CHECK_EQUAL(strlen(text), length);
    void *const handle = shared_object_make(text, compiler);
    if (!handle) (void)fputs(text, stderr);
    heap_return(text);
    CHECK(handle != NULL);
    return handle;
}

static tansy_problem load(struct setting *s, void *handle)
{
    void (*fill)(tansy_problem *) = NULL;
    void *const symbol = dlsym(handle, "m3_tanks_problem");
    CHECK(symbol != NULL);
    memcpy(&fill, &symbol, sizeof fill);
    tansy_problem problem;
    fill(&problem);
    CHECK(problem.scratch > 0);
    s->local = (tansy_local){.scratch = heap_take(problem.scratch), .version = 1};
    return problem;
}

static double close_to(double x)
{
    return 64 * DBL_EPSILON *
           (1 + fabs(x)); /* pow and exp may differ by an ulp, then 60 operations */
}

/* f, J, f_p and R = J V + f_p U, all at one point. */
static void check_functions(struct setting *s, const tansy_problem *problem)
{
    struct graph *const g = graph_copy(s->system.graph);
    struct derivative J, F;
    CHECK_EQUAL(differentiate(g, s->rhs, STATES, OP_STATE, STATES, &J), TANSY_OK);
    CHECK_EQUAL(differentiate(g, s->rhs, STATES, OP_PARAMETER, PARAMETERS, &F), TANSY_OK);
    double *const value = evaluate(s, g, 1.5);
    static double f[STATES], jacobian[STATES * STATES], entry[STATES * PARAMETERS];
    static double V[STATES * LD], U[PARAMETERS * LD], R[STATES * LD], expected[STATES * LD];
    struct random_source random = {5};
    for (size_t i = 0; i < STATES * LD; i++) V[i] = random_next(&random);
    for (size_t i = 0; i < PARAMETERS * LD; i++) U[i] = random_next(&random);
    memset(jacobian, 0, sizeof jacobian);
    memset(expected, 0, sizeof expected);
    memset(R, 0, sizeof R);
    CHECK_EQUAL(problem->rhs(1.5, s->y, s->p, f, &s->local), 0);
    CHECK_EQUAL(problem->jacobian(1.5, s->y, s->p, jacobian, &s->local), 0);
    CHECK_EQUAL(problem->parameter_jacobian(1.5, s->y, s->p, entry, &s->local), 0);
    CHECK_EQUAL(problem->tangent(1.5, s->y, s->p, COLUMNS, LD, V, U, R, &s->local), 0);
    CHECK_EQUAL(problem->parameter_pattern.entries, F.entries);
    for (size_t i = 0; i < STATES; i++) {
        CHECK_CLOSE(f[i], value[s->rhs[i]], close_to(f[i]));
        for (size_t e = J.start[i]; e < J.start[i + 1]; e++) {
            double *const found = &jacobian[i * STATES + J.column[e]];
            CHECK_CLOSE(*found, value[J.node[e]], close_to(*found));
            for (size_t k = 0; k < COLUMNS; k++)
                expected[i * LD + k] += *found * V[J.column[e] * LD + k];
            *found = 0;
        }
        for (size_t e = F.start[i]; e < F.start[i + 1]; e++) {
            CHECK_EQUAL(problem->parameter_pattern.row[e], i);
            CHECK_EQUAL(problem->parameter_pattern.column[e], F.column[e]);
            CHECK_CLOSE(entry[e], value[F.node[e]], close_to(entry[e]));
            for (size_t k = 0; k < COLUMNS; k++)
                expected[i * LD + k] += entry[e] * U[F.column[e] * LD + k];
        }
        for (size_t k = 0; k < LD; k++)
            CHECK_CLOSE(R[i * LD + k], expected[i * LD + k], 10 * close_to(10));
    }
    for (size_t i = 0; i < STATES * STATES; i++) CHECK(jacobian[i] == 0);
    heap_return(value);
    derivative_free(&J);
    derivative_free(&F);
    graph_free(g);
}

/* df/dt: of an input in f. */
static void check_time(struct setting *s, const tansy_problem *problem)
{
    struct graph *const g = graph_copy(s->system.graph);
    struct derivative d;
    double ft[STATES];
    CHECK_EQUAL(differentiate(g, s->rhs, STATES, OP_TIME, 1, &d), TANSY_OK);
    CHECK(d.entries > 0 && problem->time_derivative && !problem->autonomous);
    double *const value = evaluate(s, g, 1.5);
    CHECK_EQUAL(problem->time_derivative(1.5, s->y, s->p, ft, &s->local), 0);
    for (size_t i = 0; i < STATES; i++)
        CHECK_CLOSE(ft[i], d.start[i] < d.start[i + 1] ? value[d.node[d.start[i]]] : 0,
                    close_to(ft[i]));
    heap_return(value);
    derivative_free(&d);
    graph_free(g);
}

static void check_initial_values_and_switches(struct setting *s, const tansy_problem *problem)
{
    double *const value = evaluate(s, s->system.graph, 1.5);
    double y0[STATES], D[STATES * PARAMETERS] = {0}, g[2], gt[2], V[STATES] = {0},
                                  U[PARAMETERS] = {0}, G[2];
    CHECK_EQUAL(problem->initial(0, s->p, y0, &s->local), 0);
    CHECK_EQUAL(problem->initial_jacobian(0, s->p, D, &s->local), 0);
    CHECK_CLOSE(y0[5], s->p[5], 0);
    CHECK_CLOSE(y0[6], 6, 0);
    CHECK_CLOSE(D[5 * PARAMETERS + 5], 1, 0);
    D[5 * PARAMETERS + 5] = 0;
    for (size_t i = 0; i < STATES; i++) {
        if (i != 5 && i != 6) CHECK_CLOSE(y0[i], value[s->state[i].initial], close_to(y0[i]));
        for (size_t k = 0; k < PARAMETERS; k++)
            CHECK_CLOSE(D[i * PARAMETERS + k], i % 4 == 0 && i % PARAMETERS == k ? y0[i] : 0,
                        close_to(y0[i]));
    }
    CHECK_EQUAL(problem->switches, 2);
    CHECK_EQUAL(problem->switch_function(1.5, s->y, s->p, g, &s->local), 0);
    V[1] = 2;
    U[0] = 3;
    CHECK_EQUAL(problem->switch_tangent(1.5, s->y, s->p, 1, 1, V, U, gt, G, &s->local), 0);
    for (size_t j = 0; j < 2; j++) CHECK_CLOSE(g[j], value[s->condition[j].node], close_to(1));
    CHECK_CLOSE(gt[0], 0, 0);
    CHECK_CLOSE(gt[1], -3, 0);
    CHECK_CLOSE(G[0], 0, 0);
    CHECK_CLOSE(G[1], 2 * s->p[0] + 3 * s->y[1], close_to(5));
    heap_return(value);
}

static void check_outputs(const struct setting *s, void *handle)
{
    int (*outputs)(double, const double *, const double *, double *) = NULL;
    void *const symbol = dlsym(handle, "m3_tanks_outputs");
    CHECK(symbol != NULL);
    memcpy(&outputs, &symbol, sizeof outputs);
    double q[3];
    CHECK_EQUAL(outputs(1.5, s->y, s->p, q), 0);
    CHECK_CLOSE(q[0], s->y[1] / s->y[2], close_to(1));
    /* switch 2: 1 - y[3] >= 0 fails for y[3] > 1; then switch 3: y[4] - 0 >= 0; the ramp from 3 to 2 at 1.5 */
    CHECK_CLOSE(q[1], s->y[3] > 1 || s->y[4] >= 1 ? 3 - 0.5 / 1.5 : 1.5, close_to(3));
    CHECK_CLOSE(q[2], 1, 0);
    CHECK_EQUAL(outputs(0.5, s->y, s->p, q), 0);
    CHECK_CLOSE(q[2], 0, 0);
}

TEST(exported_c_equals_the_oracle)
{
    static struct setting s;
    prepare(&s, 60);
    void *const handle = compile(&s, "cc");
    tansy_problem const problem = load(&s, handle);
    CHECK_EQUAL(problem.n, STATES);
    CHECK_EQUAL(problem.np, PARAMETERS);
    CHECK_EQUAL(problem.breaks, 3);
    CHECK(problem.scale[1] == 2 && problem.bound[4] == 0 && isinf(problem.bound[0]));
    check_functions(&s, &problem);
    check_time(&s, &problem);
    check_initial_values_and_switches(&s, &problem);
    check_outputs(&s, handle);
    (void)dlclose(handle);
    heap_return(s.local.scratch);
    graph_free(s.system.graph);
}

TEST(long_functions_are_cut_into_chunks_and_still_equal)
{
    static struct setting s;
    prepare(&s, 1500); /* thousands of statements, values shared by chunks */
    void *const handle = compile(&s, "cc");
    tansy_problem const problem = load(&s, handle);
    check_functions(&s, &problem);
    (void)dlclose(handle);
    heap_return(s.local.scratch);
    graph_free(s.system.graph);
}

TEST(exported_text_is_cut_where_the_room_ends)
{
    static struct setting s;
    char text[100];
    prepare(&s, 3);
    size_t const length = export_c(&s.system, NULL, NULL, 0);
    CHECK_EQUAL(export_c(&s.system, NULL, text, sizeof text), length);
    CHECK_EQUAL(strlen(text), sizeof text - 1);
    CHECK_TEXT_CONTAINS(text, "/* Test");
    graph_free(s.system.graph);
}
