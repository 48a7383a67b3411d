/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on p alone is computed once: the plan finds all of it, and nothing else. */
#include <math.h>

#include "base/heap.h"
#include "model/program_code.h"
#include "model/simplify.h"
#include "support/engine_cases.h"
#include "test.h"

enum { NODES = 300, ROOTS = 60 };

static uint32_t parameter(struct graph *g, uint32_t k)
{
    return graph_leaf(g, OP_PARAMETER, k);
}

TEST(parts_of_p_alone_are_hoisted_and_run_no_more)
{
    struct graph *const g = graph_create();
    uint32_t const y = graph_leaf(g, OP_STATE, 0);
    uint32_t const rate =
        graph_unary(g, OP_EXP, graph_binary(g, OP_DIVIDE, parameter(g, 0), parameter(g, 1)));
    uint32_t const root[] = {graph_binary(g, OP_MULTIPLY, rate, y), graph_unary(g, OP_SIN, rate),
                             parameter(g, 1)};
    struct hoist plan;
    CHECK_EQUAL(hoist_plan(g, root, 3, &plan), TANSY_OK);
    CHECK_EQUAL(plan.count, 2); /* exp(p0/p1) and its sine; a leaf is not */
    CHECK(plan.slot[rate] != UINT32_MAX && plan.slot[root[1]] != UINT32_MAX);
    CHECK_EQUAL(plan.slot[root[2]], UINT32_MAX);
    struct program *program = NULL;
    CHECK_EQUAL(program_create(g, &plan, root, 3, &program), TANSY_OK);
    for (size_t k = 0; k < program->instruction.count; k++)
        CHECK(program->instruction.item[k].code != CODE_FUNCTION);
    double const p[] = {2, 4, 0}, state[] = {3};
    double hoisted[2], out[3];
    double *const work =
        heap_take((program_work(program) + program_work(plan.program)) * sizeof *work);
    struct leaves at = {.y = state, .p = p, .np = 2};
    program_run(plan.program, &at, work, hoisted);
    at.hoisted = hoisted;
    program_run(program, &at, work, out);
    CHECK_CLOSE(out[0], 3 * exp(0.5), 4e-15); /* three roundings of 5 */
    CHECK_CLOSE(out[1], sin(exp(0.5)), 1e-15);
    CHECK(out[2] == 4);
    heap_return(work);
    program_free(program);
    hoist_free(&plan);
    graph_free(g);
}

TEST(a_plan_holds_all_that_is_fixed_and_used_by_what_moves)
{
    struct graph *const g = graph_create();
    struct random_source source = {7};
    uint32_t node[NODES], root[ROOTS];
    for (uint32_t k = 0; k < NODES; k++) node[k] = engine_random_node(g, &source, node, k);
    for (uint32_t i = 0; i < ROOTS; i++) root[i] = node[NODES - 1 - i];
    struct hoist plan;
    CHECK_EQUAL(hoist_plan(g, root, ROOTS, &plan), TANSY_OK);
    CHECK_EQUAL(plan.nodes, graph_count(g));
    CHECK(plan.count > 5);
    for (size_t k = 0; k < plan.count; k++) {
        CHECK(node_is_fixed(g, plan.node[k]));
        CHECK(node_is(g, plan.node[k], OP_PARAMETER) ||
              node_at(g, plan.node[k])->operation >= OP_NEGATE);
        CHECK_EQUAL(plan.slot[plan.node[k]], k);
    }
    uint8_t *const needed = heap_take(graph_count(g));
    for (uint32_t i = 0; i < ROOTS; i++) needed[root[i]] = 1;
    for (size_t v = graph_count(g); v-- > 0;) {
        const struct node *const n = node_at(g, (uint32_t)v);
        if (!needed[v]) continue;
        bool const hoistable = node_is_fixed(g, (uint32_t)v) && n->operation >= OP_NEGATE;
        bool const is_used_parameter = n->operation == OP_PARAMETER && needed[v] == 2;
        CHECK_EQUAL(plan.slot[v] != UINT32_MAX, hoistable || is_used_parameter);
        for (unsigned k = 0; k < operation_arguments(n->operation) && !hoistable; k++)
            needed[n->argument[k]] = 2;
    }
    heap_return(needed);
    hoist_free(&plan);
    graph_free(g);
}

/* b_k log y - E_k/y with p = (b_0, E_0, b_1, E_1, ..): the b stand together, and so do the E. */
TEST(parameters_used_alike_become_an_array)
{
    enum { RATES = 20 };
    struct graph *const g = graph_create();
    uint32_t const y = graph_leaf(g, OP_STATE, 0), logarithm = graph_unary(g, OP_LOG, y);
    uint32_t root[RATES];
    for (uint32_t k = 0; k < RATES; k++) {
        uint32_t const b = parameter(g, 2 * k), E = parameter(g, 2 * k + 1);
        root[k] = graph_binary(g, OP_SUBTRACT, graph_binary(g, OP_MULTIPLY, b, logarithm),
                               graph_binary(g, OP_DIVIDE, E, y));
    }
    struct hoist plan;
    CHECK_EQUAL(hoist_plan(g, root, RATES, &plan), TANSY_OK);
    CHECK_EQUAL(plan.count, 2 * RATES);
    for (uint32_t k = 1; k < RATES; k++)
        for (uint32_t j = 0; j < 2; j++)
            CHECK_EQUAL(plan.slot[parameter(g, 2 * k + j)],
                        plan.slot[parameter(g, 2 * k + j - 2)] + 1);
    hoist_free(&plan);
    graph_free(g);
}

TEST(without_parts_of_p_the_plan_is_empty)
{
    struct graph *const g = graph_create();
    uint32_t const root = graph_leaf(g, OP_STATE, 0);
    struct hoist plan;
    CHECK_EQUAL(hoist_plan(g, &root, 1, &plan), TANSY_OK);
    CHECK_EQUAL(plan.count, 0);
    double work[64], none = 7;
    CHECK(program_work(plan.program) <= 64);
    program_run(plan.program, &(struct leaves){0}, work, &none);
    CHECK(none == 7);
    hoist_free(&plan);
    graph_free(g);
}
