/* SPDX-License-Identifier: Apache-2.0 */
/* Exponentials that nothing else uses are merged; shared ones are not; values stay. */
#include "model/expression.h"

#include <math.h>

#include "base/heap.h"
#include "support/random_expression.h"
#include "test.h"

static uint32_t exponential(struct graph *g, uint32_t i)
{
    return graph_unary(g, OP_EXP, graph_leaf(g, OP_STATE, i));
}

/* How many exponentials a root needs. */
static size_t count_exponentials(const struct graph *g, uint32_t root)
{
    size_t const count = graph_count(g);
    char *const needed = heap_take(count);
    size_t found = 0;
    needed[root] = 1;
    for (size_t i = count; i-- > 0;) {
        const struct node *const n = &graph_nodes(g)[i];
        if (!needed[i] || n->operation < OP_NEGATE) continue;
        found += n->operation == OP_EXP;
        for (int k = 0; k < (n->operation < OP_ADD ? 1 : n->operation < OP_SELECT ? 2 : 3); k++)
            needed[n->argument[k]] = 1;
    }
    heap_return(needed);
    return found;
}

TEST(private_exponentials_become_one)
{
    struct graph *const g = graph_create();
    uint32_t const k = graph_leaf(g, OP_PARAMETER, 0), z = graph_leaf(g, OP_STATE, 9);
    uint32_t e[5], root[4], result[4];
    for (uint32_t i = 0; i < 5; i++) e[i] = exponential(g, i);
    root[0] = graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_MULTIPLY, k, e[0]),
                           graph_binary(g, OP_MULTIPLY, z, e[1]));
    root[1] = graph_binary(g, OP_DIVIDE,
                           graph_unary(g, OP_NEGATE, graph_binary(g, OP_MULTIPLY, e[2], z)), e[3]);
    root[2] = graph_binary(g, OP_MULTIPLY, e[4], graph_unary(g, OP_SIN, e[4])); /* used twice */
    root[3] = graph_select(g, graph_leaf(g, OP_SWITCH, 0), root[2], graph_unary(g, OP_EXP, k));
    graph_merge_exponentials(g, root, 4, result);
    CHECK_EQUAL(count_exponentials(g, root[0]), 2);
    CHECK_EQUAL(count_exponentials(g, result[0]), 1);
    CHECK_EQUAL(count_exponentials(g, result[1]), 1);
    CHECK_EQUAL(result[2], root[2]);
    CHECK_EQUAL(result[3], root[3]);
    uint32_t const three =
        graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_MULTIPLY, e[0], e[1]), e[2]);
    graph_merge_exponentials(g, &three, 1, result);
    CHECK_EQUAL(count_exponentials(g, result[0]), 1);
    graph_free(g);
}

/* Exponentials of parameters are computed once for a p: merging them with others would spoil that. */
TEST(exponentials_of_parameters_stay)
{
    struct graph *const g = graph_create();
    uint32_t const fixed = graph_unary(g, OP_EXP, graph_leaf(g, OP_PARAMETER, 0));
    uint32_t root = graph_binary(g, OP_MULTIPLY, fixed, exponential(g, 0));
    uint32_t const before = root;
    graph_merge_exponentials(g, &root, 1, &root);
    CHECK_EQUAL(root, before);
    graph_free(g);
}

/* 60 operations of 2 eps on values up to 20. */
TEST(merging_keeps_the_values)
{
    struct random_source random = {6};
    for (int k = 0; k < 300; k++) {
        struct graph *const g = graph_create();
        struct tape tape;
        uint32_t root[TAPE_LENGTH], result[TAPE_LENGTH];
        tape_make(&tape, g, &random);
        for (size_t i = 0; i < tape.count; i++) root[i] = tape.step[i].node;
        size_t const first = tape.count - 6; /* few roots, or all would be used twice */
        graph_merge_exponentials(g, &root[first], 6, &result[first]);
        double complex *const value = heap_take(graph_count(g) * sizeof *value);
        tape_run_graph(g, &tape.at, value);
        for (size_t i = first; i < tape.count; i++)
            CHECK_CLOSE(creal(value[result[i]]), creal(value[root[i]]), 1e-13 * 20);
        heap_return(value);
        graph_free(g);
    }
}
