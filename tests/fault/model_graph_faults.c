/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of the graph, of differentiation and of the export fails once: no crash, no leak, the failure is told. */
#include "model/differentiate.h"
#include "model/export_c.h"
#include "support/allocations.h"
#include "test.h"

#include <string.h>

/* A few equations with all that needs memory: many nodes, a condition, shared rates. */
static void build(struct graph *g, uint32_t *root, size_t roots)
{
    for (uint32_t i = 0; i < roots; i++) {
        uint32_t const x = graph_leaf(g, OP_STATE, i), k = graph_leaf(g, OP_PARAMETER, i % 3);
        uint32_t const rate =
            graph_binary(g, OP_MULTIPLY, k,
                         graph_binary(g, OP_MULTIPLY, x, graph_leaf(g, OP_STATE, (i + 1) % 20)));
        uint32_t const choice =
            graph_select(g, graph_leaf(g, OP_SWITCH, 0), rate, graph_unary(g, OP_EXP, x));
        root[i] = graph_binary(g, OP_ADD, root[i], choice);
        root[(i + 1) % roots] = graph_binary(g, OP_SUBTRACT, root[(i + 1) % roots], rate);
        root[(i + 2) % roots] = graph_binary(g, OP_SUBTRACT, root[(i + 2) % roots], rate);
        root[(i + 3) % roots] = graph_binary(g, OP_ADD, root[(i + 3) % roots], rate);
    }
}

enum { ROOTS = 200 }; /* more than the first tables hold */

/* Everything on one graph; false when any part said there was no memory. */
static bool use_graph(void)
{
    static uint32_t root[ROOTS], other[ROOTS];
    memset(root, 0, sizeof root);
    struct graph *const g = graph_create();
    if (!g) return false;
    build(g, root, ROOTS);
    struct derivative d = {0};
    struct tangent t = {0};
    uint32_t const replacement[] = {root[1]};
    bool good = differentiate(g, root, ROOTS, OP_STATE, ROOTS, &d) == TANSY_OK;
    derivative_free(&d);
    good = good && differentiate_along(g, root, ROOTS, OP_STATE, ROOTS, other) == TANSY_OK;
    good = good && differentiate_tangent(g, root, ROOTS, ROOTS, 3, &t) == TANSY_OK;
    tangent_free(&t);
    graph_substitute(g, &(struct substitution){OP_STATE, replacement, 1}, root, ROOTS, other);
    graph_merge_exponentials(g, root, ROOTS, other);
    struct graph *const copy = graph_copy(g);
    good = good && copy && !graph_failed(g);
    if (graph_failed(g)) {
        CHECK_EQUAL(graph_constant(g, 3), 0);
        CHECK_EQUAL(graph_unary(g, OP_SIN, 0), 0);
        CHECK_EQUAL(graph_binary(g, OP_ADD, 0, 1), 0);
        CHECK_EQUAL(graph_select(g, 1, 1, 0), 0);
        CHECK_EQUAL(other[5], 0);
        CHECK_EQUAL(differentiate(g, root, ROOTS, OP_STATE, ROOTS, &d), TANSY_OUT_OF_MEMORY);
        CHECK_EQUAL(differentiate_tangent(g, root, ROOTS, ROOTS, 3, &t), TANSY_OUT_OF_MEMORY);
    }
    graph_free(copy);
    graph_free(g);
    return good;
}

TEST(failing_the_kth_allocation_of_a_graph_leaks_nothing)
{
    bool good = false;
    for (size_t k = 1; !good; k++) {
        allocations_begin(k, k);
        good = use_graph();
        CHECK_EQUAL(allocations.live, 0);
        CHECK_EQUAL(good, allocations.calls < k);
    }
    allocations_begin(0, 0);
}

TEST(failing_the_kth_allocation_of_an_export_leaks_nothing)
{
    enum { STATES = 20 };
    static uint32_t root[STATES];
    static struct state state[STATES];
    struct parameter parameter[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    struct condition condition[] = {{.node = 0}};
    struct output output[] = {{.name = "q", .unit = ""}};
    allocations_begin(0, 0);
    struct system s = {.graph = graph_create()};
    build(s.graph, root, STATES);
    for (size_t i = 0; i < STATES; i++) state[i].name = "x";
    condition[0].node = root[0];
    output[0].node = root[1];
    s.state.item = state;
    s.state.count = STATES;
    s.parameter.item = parameter;
    s.parameter.count = 3;
    s.condition.item = condition;
    s.condition.count = s.watched = 1;
    s.output.item = output;
    s.output.count = 1;
    s.rhs = root;
    ptrdiff_t const live = allocations.live;
    size_t length = 0;
    for (size_t k = 1; !length; k++) {
        allocations_fail(k);
        length = export_c(&s, NULL, NULL, 0);
        CHECK_EQUAL(allocations.live, live);
        CHECK_EQUAL(length > 0, allocations.calls < k);
    }
    allocations_fail(0);
    graph_free(s.graph);
    CHECK_EQUAL(allocations.live, 0);
}
