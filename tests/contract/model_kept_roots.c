/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose roots stay in the work space have the values of the plain evaluator there, on every engine. */
#include <math.h>

#include "base/heap.h"
#include "model/engine.h"
#include "support/engine_cases.h"
#include "test.h"

enum { NODES = 400, ROOTS = 150, GRAPHS = 20 };

/* Every root on every engine agrees with the oracle. */
static void check_kept(const struct graph *g, const struct leaves *at, const uint32_t *root,
                       size_t roots)
{
    const struct engine *engine[3];
    size_t const engines = engine_list(engine), count = graph_count(g);
    double *const value = heap_take(count * sizeof *value);
    double *const bound = heap_take(count * sizeof *bound);
    uint32_t *const slot = heap_take(roots * sizeof *slot);
    struct program *p = NULL;
    CHECK_EQUAL(program_create_kept(g, NULL, root, roots, slot, &p), TANSY_OK);
    double *const work = heap_take(program_work(p) * sizeof *work);
    oracle_run(g, at, value);
    engine_bounds(g, value, bound);
    for (size_t k = 0; k < engines; k++) {
        p->engine = engine[k];
        program_run(p, at, work, NULL);
        for (size_t i = 0; i < roots; i++)
            if (!engine_agrees(work[slot[i]], value[root[i]], bound[root[i]]))
                CHECK_CLOSE(work[slot[i]], value[root[i]], bound[root[i]]);
    }
    program_free(p);
    heap_return(value);
    heap_return(bound);
    heap_return(slot);
    heap_return(work);
}

TEST(random_expressions_stay_where_they_are_said_to)
{
    struct random_source source = {77};
    for (int n = 0; n < GRAPHS; n++) {
        struct graph *const g = graph_create();
        uint32_t node[NODES], root[ROOTS];
        for (uint32_t k = 0; k < NODES; k++) node[k] = engine_random_node(g, &source, node, k);
        for (uint32_t i = 0; i < ROOTS; i++) root[i] = node[random_below(&source, NODES)];
        root[0] = 0; /* constants and leaves may be roots, too */
        root[1] = graph_leaf(g, OP_TIME, 0);
        root[2] = root[3] = node[NODES - 1];
        struct engine_leaves leaves;
        engine_leaves_fill(&leaves, &source);
        check_kept(g, &leaves.at, root, ROOTS);
        graph_free(g);
    }
}

static uint32_t state(struct graph *g, size_t i)
{
    return graph_leaf(g, OP_STATE, (uint32_t)i);
}

/* y_i for any number of states. */
static double *many_states(size_t n)
{
    double *const y = heap_take((n + 1) * sizeof *y);
    struct random_source source = {n};
    for (size_t i = 0; i < n; i++) y[i] = 1.5 + random_next(&source);
    return y;
}

/* Values, their negatives and multiples: neighbours, and now and then one that is not wanted, or far from the others. */
TEST(kept_roots_have_the_oracles_values_and_signs)
{
    enum { COUNT = 60, KINDS = 4 };
    struct graph *const g = graph_create();
    uint32_t root[KINDS * COUNT];
    size_t roots = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
        uint32_t const x = graph_binary(g, OP_MULTIPLY, state(g, k), state(g, (k * 7 + 1) % COUNT));
        uint32_t const other = graph_unary(g, OP_SIN, state(g, k));
        root[roots++] = x;
        if (k % 20 != 3) root[roots++] = graph_unary(g, OP_NEGATE, k % 13 ? x : other);
        root[roots++] = graph_binary(g, OP_MULTIPLY, x, graph_constant(g, 1.5 + k));
        root[roots++] = graph_unary(g, OP_NEGATE, k % 2 ? state(g, k) : other);
    }
    double *const y = many_states(COUNT);
    check_kept(g, &(struct leaves){.y = y}, root, roots);
    heap_return(y);
    graph_free(g);
}
