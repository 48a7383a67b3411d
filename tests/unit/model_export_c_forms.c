/* SPDX-License-Identifier: Apache-2.0 */
/* Exported C of models that are banded, implicit, without parameters, or very large. */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tansy/tansy.h>

#include "base/heap.h"
#include "model/export_c.h"
#include "support/shared_object.h"
#include "test.h"

static char *text_of(const struct system *s)
{
    size_t const length = export_c(s, NULL, NULL, 0);
    CHECK(length > 0);
    char *const text = heap_take(length + 1);
    CHECK_EQUAL(export_c(s, NULL, text, length + 1), length);
    return text;
}

/* A system of n states without parameters; the caller fills rhs or residual. */
static struct system begin(size_t n)
{
    struct system s = {.graph = graph_create(), .t0 = 2};
    s.state.item = heap_take(n * sizeof *s.state.item);
    s.state.count = n;
    for (size_t i = 0; i < n; i++) s.state.item[i] = (struct state){.name = "u", .initial = 1};
    return s;
}

static void end(struct system *s)
{
    heap_return(s->state.item);
    heap_return(s->rhs);
    heap_return(s->residual);
    graph_free(s->graph);
}

static void *symbol_of(void *handle, const char *name)
{
    void *const symbol = dlsym(handle, name);
    CHECK(symbol != NULL);
    return symbol;
}

/* u_i' = u_(i-1) - 2 u_i + u_(i+1)^2 with gcc and clang, where there is one. */
static void check_band(const char *compiler)
{
    enum { N = 30 };
    struct system s = begin(N);
    struct graph *const g = s.graph;
    s.rhs = heap_take(N * sizeof *s.rhs);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t sum =
            graph_binary(g, OP_MULTIPLY, graph_constant(g, -2), graph_leaf(g, OP_STATE, i));
        if (i > 0) sum = graph_binary(g, OP_ADD, sum, graph_leaf(g, OP_STATE, i - 1));
        uint32_t const next = graph_leaf(g, OP_STATE, i + 1);
        if (i + 1 < N) sum = graph_binary(g, OP_ADD, sum, graph_binary(g, OP_MULTIPLY, next, next));
        s.rhs[i] = sum;
    }
    char *const text = text_of(&s);
    void *const handle = shared_object_make(text, compiler);
    CHECK(handle != NULL);
    void (*fill)(tansy_problem *) = NULL;
    void *const symbol = symbol_of(handle, "model_problem");
    memcpy(&fill, &symbol, sizeof fill);
    tansy_problem problem;
    fill(&problem);
    CHECK_EQUAL(problem.structure, TANSY_BANDED);
    CHECK_EQUAL(problem.lower, 1);
    CHECK_EQUAL(problem.upper, 1);
    CHECK_EQUAL(problem.np, 0);
    CHECK_CLOSE(problem.t0, 2, 0);
    double y[N], J[3 * N] = {0};
    for (int i = 0; i < N; i++) y[i] = i;
    CHECK_EQUAL(problem.jacobian(0, y, NULL, J, NULL), 0);
    for (int i = 0; i < N; i++) {
        CHECK_CLOSE(J[3 * i], i > 0 ? 1 : 0, 0);
        CHECK_CLOSE(J[3 * i + 1], -2, 0);
        CHECK_CLOSE(J[3 * i + 2], i + 1 < N ? 2 * (i + 1) : 0, 0);
    }
    (void)dlclose(handle);
    heap_return(text);
    end(&s);
}

TEST(a_narrow_jacobian_is_written_as_a_band)
{
    check_band("cc");
    FILE *const clang = popen("command -v clang", "r");
    char path[200] = "";
    if (clang && fgets(path, sizeof path, clang)) check_band("clang");
    if (clang) (void)pclose(clang);
}

/* F_0 = y_0' - y_1, F_1 = y_0^2 + y_1^2 - 1. */
TEST(an_implicit_model_is_written_as_its_residual)
{
    struct system s = begin(2);
    struct graph *const g = s.graph;
    uint32_t const a = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_STATE, 1);
    uint32_t const squares = graph_binary(g, OP_ADD, graph_binary(g, OP_MULTIPLY, a, a),
                                          graph_binary(g, OP_MULTIPLY, b, b));
    struct output output[] = {
        {.name = "radius", .unit = "m", .node = graph_unary(g, OP_SQRT, squares)}};
    s.name = "pendulum";
    s.form = FORM_IMPLICIT;
    s.output.item = output;
    s.output.count = 1;
    s.residual = heap_take(2 * sizeof *s.residual);
    s.residual[0] = graph_binary(g, OP_SUBTRACT, graph_leaf(g, OP_RATE, 0), b);
    s.residual[1] = graph_binary(g, OP_SUBTRACT, squares, graph_constant(g, 1));
    char *const text = text_of(&s);
    void *const handle = shared_object_make(text, "cc");
    CHECK(handle != NULL);
    int (*residual)(double, const double *, const double *, const double *, double *, void *) =
        NULL;
    int (*outputs)(double, const double *, const double *, double *) = NULL;
    void *symbol = symbol_of(handle, "pendulum_residual");
    memcpy(&residual, &symbol, sizeof residual);
    symbol = symbol_of(handle, "pendulum_outputs");
    memcpy(&outputs, &symbol, sizeof outputs);
    double const y[] = {3, 4}, rate[] = {7, 0};
    double F[2], q[1];
    CHECK_EQUAL(residual(0, y, rate, NULL, F, NULL), 0);
    CHECK_CLOSE(F[0], 3, 0);
    CHECK_CLOSE(F[1], 24, 0);
    CHECK_EQUAL(outputs(0, y, NULL, q), 0);
    CHECK_CLOSE(q[0], 5, 0);
    (void)dlclose(handle);
    heap_return(text);
    end(&s);
}

/* sin(y_i) is needed by two equations far apart: 40,000 values go from chunk to chunk, too many for the stack. */
TEST(very_large_models_take_their_memory_from_the_heap)
{
    enum { N = 40000 };
    struct system s = begin(N);
    struct graph *const g = s.graph;
    s.rhs = heap_take(N * sizeof *s.rhs);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t const sine = graph_unary(g, OP_SIN, graph_leaf(g, OP_STATE, i));
        uint32_t const far = graph_unary(g, OP_SIN, graph_leaf(g, OP_STATE, (i + N / 2) % N));
        s.rhs[i] =
            graph_binary(g, OP_MULTIPLY, sine, far == sine ? 1 : graph_unary(g, OP_EXP, far));
    }
    char *const text = text_of(&s);
    CHECK_TEXT_CONTAINS(text, "double *const s = malloc(");
    CHECK_TEXT_CONTAINS(text, "free(s);");
    CHECK_TEXT_CONTAINS(text, "double *const c = malloc(");
    CHECK_TEXT_CONTAINS(text, "... and so on");
    heap_return(text);
    end(&s);
}

TEST(numbers_are_written_so_that_they_come_back)
{
    struct system s = begin(1);
    struct graph *const g = s.graph;
    struct parameter parameter[] = {
        {.name = "a", .value = 0.1, .lower = -HUGE_VAL, .upper = 3},
        {.name = "b", .value = (double)NAN, .lower = 1e300, .upper = HUGE_VAL}};
    s.parameter.item = parameter;
    s.parameter.count = 2;
    s.rhs = heap_take(sizeof *s.rhs);
    s.rhs[0] = graph_constant(g, 1.0 / 3);
    char *const text = text_of(&s);
    CHECK_TEXT_CONTAINS(text, "0.33333333333333331");
    CHECK_TEXT_CONTAINS(text, "-HUGE_VAL, 3.0, 1e+300, HUGE_VAL");
    CHECK_TEXT_CONTAINS(text, "0.1, NAN");
    heap_return(text);
    end(&s);
}
