/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of plans, programs and lane programs fails once: no crash, no leak, the failure is told. */
#include "model/program.h"
#include "support/allocations.h"
#include "test.h"

enum { N = 40 };

/* All kinds of rows: long sums with and without weights, products, functions of values that are no neighbours, copies. */
static void build(struct graph *g, uint32_t *root)
{
    uint32_t sum = graph_constant(g, 1), weighted = graph_constant(g, 2);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t const x = graph_leaf(g, OP_STATE, i), p = graph_leaf(g, OP_PARAMETER, i % 5);
        uint32_t const other = graph_leaf(g, OP_STATE, (i * 7 + 3) % N);
        uint32_t const rate =
            graph_unary(g, OP_EXP,
                        graph_binary(g, OP_SUBTRACT, graph_unary(g, OP_SIN, other),
                                     graph_binary(g, OP_DIVIDE, p, graph_leaf(g, OP_TIME, 0))));
        uint32_t const product =
            graph_binary(g, OP_MULTIPLY, graph_binary(g, OP_MULTIPLY, rate, x), other);
        root[i] = graph_binary(g, OP_SUBTRACT, product, graph_binary(g, OP_POWER, p, x));
        sum = graph_binary(g, i % 3 ? OP_ADD : OP_SUBTRACT, sum, rate);
        uint32_t const scaled = graph_binary(g, OP_MULTIPLY, graph_constant(g, 1.5 + i), rate);
        weighted = graph_binary(g, OP_ADD, weighted, scaled);
    }
    root[0] = graph_unary(g, OP_NEGATE, root[1]);
    root[2] = sum;
    root[3] = weighted;
}

/* What is made of the graph; false when any part said there was no memory. */
static bool use(const struct graph *g, const uint32_t *root, const struct derivative *J,
                const struct derivative *P, const struct tangent *t)
{
    struct hoist plan;
    struct program *program = NULL;
    struct lane_program *lanes = NULL, *direct = NULL, *either = NULL;
    tansy_status const planned = hoist_plan(g, root, N, &plan);
    tansy_status const made =
        program_create(g, planned == TANSY_OK ? &plan : NULL, root, N, &program);
    tansy_status const laned = lane_program_create(g, NULL, t, &lanes);
    tansy_status const directed = lane_program_create_direct(g, NULL, J, P, &direct);
    tansy_status const chosen = lane_program_create_either(g, NULL, t, J, &either);
    CHECK((made == TANSY_OK) == (program != NULL));
    CHECK((chosen == TANSY_OK) == (either != NULL));
    CHECK((laned == TANSY_OK) == (lanes != NULL));
    CHECK((directed == TANSY_OK) == (direct != NULL));
    hoist_free(&plan);
    program_free(program);
    lane_program_free(lanes);
    lane_program_free(direct);
    lane_program_free(either);
    return planned == TANSY_OK && made == TANSY_OK && laned == TANSY_OK && directed == TANSY_OK &&
           chosen == TANSY_OK;
}

TEST(failing_the_kth_allocation_leaks_nothing)
{
    allocations_begin(0, 0);
    struct graph *const g = graph_create();
    uint32_t root[N];
    struct derivative J, P;
    struct tangent t;
    build(g, root);
    CHECK_EQUAL(differentiate(g, root, N, OP_STATE, N, &J), TANSY_OK);
    CHECK_EQUAL(differentiate(g, root, N, OP_PARAMETER, 5, &P), TANSY_OK);
    CHECK_EQUAL(differentiate_tangent(g, root, N, N, 5, &t), TANSY_OK);
    ptrdiff_t const live = allocations.live;
    bool done = false;
    for (size_t k = 1; !done; k++) {
        allocations_fail(k);
        done = use(g, root, &J, &P, &t);
        CHECK_EQUAL(allocations.live, live);
        CHECK(done == (allocations.calls < k)); /* each failure is told */
    }
    allocations_fail(0);
    tangent_free(&t);
    derivative_free(&J);
    derivative_free(&P);
    graph_free(g);
    CHECK_EQUAL(allocations.live, 0);
}

/* More sources than the first cache holds: rows are put in order. */
TEST(failing_the_kth_allocation_of_a_large_map_leaks_nothing)
{
    enum { LARGE = 150 };
    allocations_begin(0, 0);
    struct graph *const g = graph_create();
    uint32_t column[2 * LARGE], node[2 * LARGE];
    size_t start[LARGE + 1];
    for (uint32_t i = 0; i < LARGE; i++) {
        start[i] = 2 * (size_t)i;
        column[2 * i] = i;
        column[2 * i + 1] = (i * 31 + 7) % LARGE;
        node[2 * i] = node[2 * i + 1] = graph_leaf(g, OP_STATE, i);
    }
    start[LARGE] = 2 * LARGE;
    struct derivative const J = {.rows = LARGE,
                                 .columns = LARGE,
                                 .entries = 2 * LARGE,
                                 .start = start,
                                 .column = column,
                                 .node = node};
    ptrdiff_t const live = allocations.live;
    bool done = false;
    for (size_t k = 1; !done; k++) {
        struct lane_program *p = NULL;
        allocations_fail(k);
        done = lane_program_create_direct(g, NULL, &J, NULL, &p) == TANSY_OK;
        lane_program_free(p);
        CHECK_EQUAL(allocations.live, live);
        CHECK(done == (allocations.calls < k));
    }
    allocations_fail(0);
    graph_free(g);
    CHECK_EQUAL(allocations.live, 0);
}
