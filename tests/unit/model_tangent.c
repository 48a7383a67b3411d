/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows the tangent map keeps. */
#include "model/differentiate.h"

#include "support/random.h"
#include "test.h"

static uint32_t binary(struct graph *g, enum operation operation, uint32_t a, uint32_t b)
{
    return graph_binary(g, operation, a, b);
}

/* r = k a b in four equations: a row of 3 terms and 4 uses beat 4 times 3 terms. */
TEST(a_rate_that_many_equations_use_keeps_its_row)
{
    struct graph *const g = graph_create();
    uint32_t const a = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_STATE, 1);
    uint32_t const k = graph_leaf(g, OP_PARAMETER, 0);
    uint32_t const rate = binary(g, OP_MULTIPLY, k, binary(g, OP_MULTIPLY, a, b));
    uint32_t const minus = graph_unary(g, OP_NEGATE, rate);
    uint32_t const twice = binary(g, OP_MULTIPLY, graph_constant(g, 2), rate);
    uint32_t const root[] = {minus, minus, rate, twice};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 4, 4, 1, &t), TANSY_OK);
    CHECK_EQUAL(t.rows, 5);
    CHECK_EQUAL(t.terms, 3 + 4);
    CHECK_EQUAL(t.source[0], 0);
    CHECK_EQUAL(t.source[1], 1);
    CHECK_EQUAL(t.source[2], 4);                                         /* n + 0: the parameter */
    for (size_t r = 1; r < 5; r++) CHECK_EQUAL(t.source[t.start[r]], 5); /* n + np + row 0 */
    CHECK(graph_is(g, t.coefficient[t.start[1]], -1));
    CHECK(graph_is(g, t.coefficient[t.start[3]], 1));
    CHECK(graph_is(g, t.coefficient[t.start[4]], 2));
    tangent_free(&t);
    graph_free(g);
}

/* Two uses of a row with two terms are no fewer terms than none: it is multiplied out. */
TEST(a_row_that_saves_nothing_is_eliminated)
{
    struct graph *const g = graph_create();
    uint32_t const a = graph_leaf(g, OP_STATE, 0), b = graph_leaf(g, OP_STATE, 1);
    uint32_t const product = binary(g, OP_MULTIPLY, a, b);
    uint32_t const root[] = {graph_unary(g, OP_SIN, product), graph_unary(g, OP_COS, product), a,
                             0};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 4, 2, 0, &t), TANSY_OK);
    CHECK_EQUAL(t.rows, 4);
    CHECK_EQUAL(t.terms, 2 + 2 + 1);
    tangent_free(&t);
    graph_free(g);
}

/* sin(u) with u = a b: its row is worth keeping, what it is made of is not; and where two uses cancel there is no term. */
TEST(rows_that_cancel_leave_nothing)
{
    struct graph *const g = graph_create();
    uint32_t y[4];
    for (uint32_t i = 0; i < 4; i++) y[i] = graph_leaf(g, OP_STATE, i);
    uint32_t const u = binary(g, OP_MULTIPLY, y[0], y[1]), s = graph_unary(g, OP_SIN, u);
    uint32_t const sum = binary(g, OP_ADD, s, y[2]), other = binary(g, OP_ADD, s, y[3]);
    uint32_t const root[] = {binary(g, OP_SUBTRACT, sum, other), sum, other};
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, 3, 4, 0, &t), TANSY_OK);
    size_t const first = t.start[t.rows - 3];
    CHECK_EQUAL(t.start[t.rows - 2] - first, 2); /* y2 - y3, without sin(u) */
    CHECK_EQUAL(t.source[first], 2);
    CHECK_EQUAL(t.source[first + 1], 3);
    tangent_free(&t);
    graph_free(g);
}

/* 300 rates of a sum over 300 states: the sum keeps its row, or there would be 90,000 terms. */
TEST(a_third_body_keeps_its_row)
{
    struct graph *const g = graph_create();
    enum { MANY = 300 };
    uint32_t sum = 0, root[MANY];
    for (uint32_t i = 0; i < MANY; i++) sum = binary(g, OP_ADD, sum, graph_leaf(g, OP_STATE, i));
    for (uint32_t i = 0; i < MANY; i++)
        root[i] = binary(g, OP_MULTIPLY, sum, graph_unary(g, OP_SIN, graph_leaf(g, OP_STATE, i)));
    struct tangent t;
    CHECK_EQUAL(differentiate_tangent(g, root, MANY, MANY, 0, &t), TANSY_OK);
    CHECK_EQUAL(t.rows, MANY + 1);
    CHECK_EQUAL(t.terms, MANY + 2 * MANY);
    tangent_free(&t);
    graph_free(g);
}
