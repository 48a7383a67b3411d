/* SPDX-License-Identifier: Apache-2.0 */
/* The graph: equal expressions are one node, arguments come first, leaves are known, substitution and copies. */
#include "model/expression.h"

#include <math.h>

#include "test.h"

static uint32_t binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b)
{
    return graph_binary(g, operation, a, b);
}

TEST(equal_expressions_are_one_node)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), y = graph_leaf(g, OP_STATE, 1);
    CHECK_EQUAL(graph_leaf(g, OP_STATE, 1), y);
    CHECK(graph_leaf(g, OP_PARAMETER, 1) != y);
    CHECK_EQUAL(binary(g, OP_MULTIPLY, x, y), binary(g, OP_MULTIPLY, y, x));
    CHECK_EQUAL(binary(g, OP_ADD, x, y), binary(g, OP_ADD, y, x));
    CHECK(binary(g, OP_SUBTRACT, x, y) != binary(g, OP_SUBTRACT, y, x));
    CHECK_EQUAL(graph_unary(g, OP_SIN, x), graph_unary(g, OP_SIN, x));
    CHECK(graph_unary(g, OP_SIN, x) != graph_unary(g, OP_COS, x));
    CHECK_EQUAL(graph_constant(g, -0.0), 0);
    CHECK_EQUAL(graph_constant(g, 1), 1);
    CHECK(graph_is(g, graph_constant(g, 2.5), 2.5));
    CHECK(!graph_is(g, x, 0));
    graph_free(g);
}

/* Through several doublings of both arrays: one number a node, arguments below it. */
TEST(a_hundred_thousand_nodes_keep_their_numbers)
{
    struct graph *const g = graph_create();
    enum { MANY = 100000 };
    uint32_t last = graph_leaf(g, OP_TIME, 0);
    for (uint32_t i = 0; i < MANY; i++)
        last = binary(g, OP_ADD, last, graph_unary(g, OP_SIN, graph_leaf(g, OP_STATE, i)));
    size_t const count = graph_count(g);
    CHECK(count > 3 * (size_t)MANY);
    uint32_t again = graph_leaf(g, OP_TIME, 0);
    for (uint32_t i = 0; i < MANY; i++)
        again = binary(g, OP_ADD, again, graph_unary(g, OP_SIN, graph_leaf(g, OP_STATE, i)));
    CHECK_EQUAL(again, last);
    CHECK_EQUAL(graph_count(g), count);
    const struct node *const node = graph_nodes(g);
    for (size_t i = 0; i < count; i++)
        if (node[i].operation == OP_ADD) CHECK(node[i].argument[0] < i && node[i].argument[1] < i);
    CHECK(!graph_failed(g));
    graph_free(g);
}

TEST(leaves_of_an_expression_are_known)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 3), k = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const s = graph_leaf(g, OP_SWITCH, 0), t = graph_leaf(g, OP_TIME, 0);
    CHECK_EQUAL(graph_leaves(g, graph_constant(g, 4)), 0);
    CHECK_EQUAL(graph_leaves(g, binary(g, OP_MULTIPLY, x, k)), 1u << OP_STATE | 1u << OP_PARAMETER);
    CHECK_EQUAL(graph_leaves(g, graph_select(g, s, t, k)),
                1u << OP_SWITCH | 1u << OP_TIME | 1u << OP_PARAMETER);
    graph_free(g);
}

TEST(substitution_replaces_and_simplifies)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), y = graph_leaf(g, OP_STATE, 1);
    uint32_t const z = graph_leaf(g, OP_STATE, 2), s = graph_leaf(g, OP_SWITCH, 0);
    uint32_t const k = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const difference = binary(g, OP_SUBTRACT, x, y);
    uint32_t const root[] = {
        difference,
        binary(g, OP_MULTIPLY, graph_unary(g, OP_EXP, x), z),
        graph_select(g, s, x, z),
        k,
        x,
    };
    uint32_t const replacement[] = {y, UINT32_MAX};
    uint32_t result[5];
    graph_substitute(g, &(struct substitution){OP_STATE, replacement, 2}, root, 5, result);
    CHECK_EQUAL(result[0], 0);
    CHECK_EQUAL(result[1], binary(g, OP_MULTIPLY, graph_unary(g, OP_EXP, y), z));
    CHECK_EQUAL(result[2], graph_select(g, s, y, z));
    CHECK_EQUAL(result[3], k);
    CHECK_EQUAL(result[4], y);
    graph_free(g);
}

TEST(a_copy_has_the_same_numbers_and_grows_alone)
{
    struct graph *const g = graph_create();
    uint32_t const x = graph_leaf(g, OP_STATE, 0), sine = graph_unary(g, OP_SIN, x);
    struct graph *const copy = graph_copy(g);
    size_t const count = graph_count(g);
    CHECK_EQUAL(graph_unary(copy, OP_SIN, x), sine);
    CHECK_EQUAL(graph_unary(copy, OP_COS, x), count);
    CHECK_EQUAL(graph_count(g), count);
    graph_free(copy);
    graph_free(g);
    graph_free(NULL);
}
