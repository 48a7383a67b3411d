/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule of simplification: two ways to write an expression give one node. */
#include "model/expression.h"

#include <math.h>

#include "test.h"

/* A graph with the leaves that most rules need. */
static struct {
    struct graph *g;
    uint32_t x, y, z, k, q, T, one, two;
} a;

static void begin(void)
{
    a.g = graph_create();
    a.x = graph_leaf(a.g, OP_STATE, 0);
    a.y = graph_leaf(a.g, OP_STATE, 1);
    a.z = graph_leaf(a.g, OP_STATE, 2);
    a.T = graph_leaf(a.g, OP_STATE, 3);
    a.k = graph_leaf(a.g, OP_PARAMETER, 0);
    a.q = graph_leaf(a.g, OP_PARAMETER, 1);
    a.one = graph_constant(a.g, 1);
    a.two = graph_constant(a.g, 2);
}

static void end(void)
{
    graph_free(a.g);
}

static uint32_t number(double value)
{
    return graph_constant(a.g, value);
}

static uint32_t add(uint32_t u, uint32_t v)
{
    return graph_binary(a.g, OP_ADD, u, v);
}

static uint32_t sub(uint32_t u, uint32_t v)
{
    return graph_binary(a.g, OP_SUBTRACT, u, v);
}

static uint32_t mul(uint32_t u, uint32_t v)
{
    return graph_binary(a.g, OP_MULTIPLY, u, v);
}

static uint32_t quotient(uint32_t u, uint32_t v)
{
    return graph_binary(a.g, OP_DIVIDE, u, v);
}

static uint32_t raise(uint32_t u, uint32_t v)
{
    return graph_binary(a.g, OP_POWER, u, v);
}

static uint32_t neg(uint32_t u)
{
    return graph_unary(a.g, OP_NEGATE, u);
}

static uint32_t call(enum operation operation, uint32_t u)
{
    return graph_unary(a.g, operation, u);
}

static uint32_t kind(uint32_t u)
{
    return graph_nodes(a.g)[u].operation;
}

TEST(constants_fold_unless_the_result_is_not_finite)
{
    begin();
    CHECK(graph_is(a.g, add(number(2), number(3)), 5));
    CHECK(graph_is(a.g, raise(number(2), number(-2)), 0.25));
    CHECK(graph_is(a.g, call(OP_SQRT, number(9)), 3));
    CHECK(graph_is(a.g, graph_binary(a.g, OP_AT_LEAST, number(2), number(2)), 1));
    CHECK(graph_is(a.g, graph_binary(a.g, OP_AT_LEAST, number(1), number(2)), 0));
    CHECK_EQUAL(kind(quotient(a.one, 0)), OP_DIVIDE);
    CHECK_EQUAL(kind(quotient(0, 0)), OP_DIVIDE);
    CHECK_EQUAL(kind(quotient(a.x, 0)), OP_DIVIDE);
    CHECK_EQUAL(kind(call(OP_LOG, number(-1))), OP_LOG);
    CHECK_EQUAL(kind(raise(0, number(-1))), OP_POWER);
    CHECK_EQUAL(kind(mul(mul(number(1e300), a.x), number(1e300))), OP_MULTIPLY);
    CHECK_EQUAL(kind(add(add(a.x, number(1e308)), number(1e308))), OP_ADD);
    CHECK_EQUAL(kind(sub(number(1e308), add(a.x, number(-1e308)))), OP_SUBTRACT);
    CHECK_EQUAL(kind(mul(mul(number(1e-300), a.x), mul(number(1e-300), a.y))), OP_MULTIPLY);
    CHECK_EQUAL(kind(quotient(mul(number(1e300), a.x), mul(number(1e-300), a.y))), OP_DIVIDE);
    CHECK_EQUAL(kind(add(sub(number(1e308), a.x), number(1e308))), OP_ADD);
    end();
}

TEST(sums_join_like_terms_and_constants)
{
    begin();
    CHECK_EQUAL(add(a.x, 0), a.x);
    CHECK_EQUAL(add(0, a.x), a.x);
    CHECK_EQUAL(sub(a.x, 0), a.x);
    CHECK_EQUAL(sub(0, a.x), neg(a.x));
    CHECK_EQUAL(sub(a.x, a.x), 0);
    CHECK_EQUAL(add(a.x, a.x), mul(a.two, a.x));
    CHECK_EQUAL(add(mul(a.two, a.x), mul(a.x, number(3))), mul(a.x, number(5)));
    CHECK_EQUAL(sub(mul(a.two, a.x), a.x), a.x);
    CHECK_EQUAL(add(add(a.x, a.two), a.two), add(a.x, number(4)));
    CHECK_EQUAL(sub(add(a.x, a.two), a.two), a.x);
    CHECK_EQUAL(sub(a.two, sub(a.two, a.x)), a.x);
    CHECK_EQUAL(add(a.two, sub(number(3), a.x)), sub(number(5), a.x));
    CHECK_EQUAL(add(a.two, sub(number(-2), a.x)), neg(a.x));
    CHECK_EQUAL(sub(a.two, add(a.x, a.two)), neg(a.x));
    CHECK_EQUAL(sub(a.two, add(a.x, a.one)), sub(a.one, a.x));
    CHECK_EQUAL(add(sub(a.x, a.y), a.y), a.x);
    CHECK_EQUAL(add(a.y, sub(a.x, a.y)), a.x);
    CHECK_EQUAL(sub(add(a.x, a.y), a.y), a.x);
    CHECK_EQUAL(sub(add(a.x, a.y), a.x), a.y);
    CHECK_EQUAL(sub(add(a.x, a.two), a.x), a.two);
    CHECK_EQUAL(add(add(a.x, a.two), sub(a.y, a.one)), add(add(a.x, a.y), a.one));
    CHECK_EQUAL(add(a.two, neg(a.x)), sub(a.two, a.x));
    CHECK_EQUAL(sub(a.two, neg(a.x)), add(a.x, a.two));
    CHECK_EQUAL(sub(a.two, sub(a.x, a.y)), add(sub(a.y, a.x), a.two));
    end();
}

TEST(signs_move_outward)
{
    begin();
    CHECK_EQUAL(neg(neg(a.x)), a.x);
    CHECK_EQUAL(neg(sub(a.x, a.y)), sub(a.y, a.x));
    CHECK_EQUAL(neg(sub(a.one, a.x)), sub(a.x, a.one));
    CHECK_EQUAL(add(a.x, neg(a.y)), sub(a.x, a.y));
    CHECK_EQUAL(add(neg(a.x), a.y), sub(a.y, a.x));
    CHECK_EQUAL(sub(neg(a.x), neg(a.y)), sub(a.y, a.x));
    CHECK_EQUAL(sub(a.x, neg(a.y)), add(a.x, a.y));
    CHECK_EQUAL(mul(neg(a.x), a.y), neg(mul(a.x, a.y)));
    CHECK_EQUAL(mul(neg(a.x), neg(a.y)), mul(a.x, a.y));
    CHECK_EQUAL(mul(number(-1), a.x), neg(a.x));
    CHECK_EQUAL(mul(mul(neg(a.k), a.x), a.y), neg(mul(a.k, mul(a.x, a.y))));
    CHECK_EQUAL(add(a.x, mul(number(-2), a.y)), sub(a.x, mul(a.two, a.y)));
    CHECK_EQUAL(call(OP_COS, neg(a.x)), call(OP_COS, a.x));
    CHECK_EQUAL(call(OP_SIN, neg(a.x)), neg(call(OP_SIN, a.x)));
    CHECK_EQUAL(call(OP_EXP, neg(a.x)), call(OP_EXP, neg(a.x)));
    end();
}

TEST(products_gather_numbers_and_parameters)
{
    begin();
    CHECK_EQUAL(mul(0, a.x), 0);
    CHECK_EQUAL(mul(a.x, a.one), a.x);
    CHECK_EQUAL(mul(a.two, mul(number(3), a.x)), mul(number(6), a.x));
    CHECK_EQUAL(mul(mul(a.k, a.x), a.y), mul(a.k, mul(a.x, a.y)));
    CHECK_EQUAL(mul(a.x, mul(a.y, a.k)), mul(a.k, mul(a.y, a.x)));
    CHECK_EQUAL(mul(mul(a.k, a.x), mul(a.q, a.y)), mul(mul(a.k, a.q), mul(a.x, a.y)));
    uint32_t const p = mul(mul(a.two, a.k), a.x); /* (2 k) x: 2 k is computed once for a p */
    const struct node *const n = &graph_nodes(a.g)[p];
    uint32_t const moving = 1u << OP_STATE;
    CHECK(!(graph_leaves(a.g, n->argument[0]) & moving) !=
          !(graph_leaves(a.g, n->argument[1]) & moving));
    CHECK_EQUAL(quotient(a.x, number(4)), mul(number(0.25), a.x));
    CHECK_EQUAL(quotient(a.x, a.k), mul(quotient(a.one, a.k), a.x));
    CHECK_EQUAL(quotient(a.k, a.x), mul(a.k, quotient(a.one, a.x)));
    CHECK_EQUAL(quotient(0, a.x), 0);
    CHECK_EQUAL(quotient(a.x, a.x), 1);
    CHECK_EQUAL(quotient(a.x, neg(a.x)), number(-1));
    CHECK_EQUAL(quotient(mul(a.x, a.y), a.x), a.y);
    CHECK_EQUAL(quotient(mul(a.x, a.y), mul(a.x, a.x)),
                quotient(a.y, a.x) == 0 ? 0 : mul(a.y, quotient(a.one, a.x)));
    CHECK_EQUAL(mul(quotient(a.x, a.y), a.y), a.x);
    CHECK_EQUAL(mul(a.y, quotient(a.x, a.y)), a.x);
    CHECK_EQUAL(quotient(mul(a.k, a.x), mul(a.k, a.y)), quotient(a.x, a.y));
    end();
}

TEST(powers_share_their_squares)
{
    begin();
    uint32_t const square = mul(a.x, a.x), cube = mul(square, a.x);
    CHECK_EQUAL(raise(a.x, a.two), square);
    CHECK_EQUAL(raise(a.x, number(3)), cube);
    CHECK_EQUAL(raise(a.x, number(4)), mul(square, square));
    CHECK_EQUAL(mul(mul(mul(a.x, a.x), a.x), a.x), mul(square, square));
    CHECK_EQUAL(mul(square, cube), raise(a.x, number(5)));
    CHECK_EQUAL(quotient(raise(a.x, number(5)), square), cube);
    CHECK_EQUAL(raise(a.x, number(-1)), quotient(a.one, a.x));
    CHECK_EQUAL(mul(raise(a.x, number(-2)), cube), a.x);
    CHECK_EQUAL(mul(raise(a.x, number(-2)), square), 1);
    CHECK_EQUAL(mul(mul(a.x, a.y), quotient(a.one, a.x)), a.y);
    CHECK_EQUAL(raise(a.x, 0), 1);
    CHECK_EQUAL(raise(a.x, a.one), a.x);
    CHECK_EQUAL(raise(a.one, a.x), 1);
    CHECK_EQUAL(raise(a.x, number(0.5)), call(OP_SQRT, a.x));
    CHECK_EQUAL(raise(a.x, number(-0.5)), quotient(a.one, call(OP_SQRT, a.x)));
    CHECK_EQUAL(mul(call(OP_SQRT, a.x), call(OP_SQRT, a.x)), a.x);
    CHECK_EQUAL(mul(a.x, call(OP_SQRT, a.x)), raise(a.x, number(1.5)));
    CHECK_EQUAL(mul(raise(a.x, number(-0.5)), a.x), call(OP_SQRT, a.x));
    CHECK_EQUAL(mul(raise(a.x, a.k), raise(a.x, a.q)), raise(a.x, add(a.k, a.q)));
    CHECK_EQUAL(mul(raise(a.x, a.k), a.x), raise(a.x, add(a.k, a.one)));
    CHECK_EQUAL(quotient(raise(a.x, add(a.k, a.two)), raise(a.x, a.k)), square);
    CHECK_EQUAL(kind(raise(a.x, number(2.5))), OP_POWER);
    CHECK_EQUAL(kind(raise(a.x, number(200))), OP_POWER);
    CHECK_EQUAL(kind(raise(a.two, a.x)), OP_POWER);
    CHECK_EQUAL(mul(mul(raise(a.x, a.k), raise(a.x, a.k)), a.y),
                mul(raise(a.x, mul(a.two, a.k)), a.y));
    end();
}

TEST(exponentials_and_logarithms_cancel)
{
    begin();
    CHECK_EQUAL(call(OP_EXP, call(OP_LOG, a.x)), a.x);
    CHECK_EQUAL(call(OP_LOG, call(OP_EXP, a.x)), a.x);
    CHECK_EQUAL(raise(call(OP_EXP, a.x), a.k), call(OP_EXP, mul(a.k, a.x)));
    end();
}

/* A T^b exp(-E/T) = A exp(b log T - E/T), in whichever order it is written; without 1/T it stays a power. */
TEST(arrhenius_rates_need_one_exponential)
{
    begin();
    uint32_t const A = graph_leaf(a.g, OP_PARAMETER, 2), E = graph_leaf(a.g, OP_PARAMETER, 3);
    uint32_t const boltzmann = call(OP_EXP, quotient(neg(E), mul(number(8.314), a.T)));
    uint32_t const power = raise(a.T, a.k);
    uint32_t const sum = sub(mul(a.k, call(OP_LOG, a.T)), quotient(E, mul(number(8.314), a.T)));
    uint32_t const whole = mul(A, call(OP_EXP, sum));
    CHECK_EQUAL(mul(mul(A, power), boltzmann), whole);
    CHECK_EQUAL(mul(A, mul(boltzmann, power)), whole);
    CHECK_EQUAL(mul(mul(mul(A, power), a.x), boltzmann), mul(mul(A, a.x), call(OP_EXP, sum)));
    CHECK_EQUAL(kind(mul(power, call(OP_EXP, neg(E)))), OP_MULTIPLY);
    CHECK_EQUAL(kind(mul(power, call(OP_EXP, neg(a.x)))), OP_MULTIPLY);
    CHECK_EQUAL(kind(mul(raise(a.T, number(1.7)), boltzmann)), OP_EXP);
    CHECK_EQUAL(kind(mul(raise(a.T, a.x), boltzmann)), OP_MULTIPLY); /* the exponent moves */
    uint32_t deep = a.x;
    for (int i = 0; i < 40; i++) deep = add(call(OP_SIN, deep), mul(deep, deep));
    CHECK_EQUAL(kind(mul(power, call(OP_EXP, deep))), OP_MULTIPLY);
    end();
}

TEST(a_selection_with_a_known_outcome_is_its_branch)
{
    begin();
    uint32_t const s = graph_leaf(a.g, OP_SWITCH, 0);
    CHECK_EQUAL(graph_select(a.g, a.one, a.x, a.y), a.x);
    CHECK_EQUAL(graph_select(a.g, 0, a.x, a.y), a.y);
    CHECK_EQUAL(graph_select(a.g, s, a.x, a.x), a.x);
    CHECK_EQUAL(kind(graph_select(a.g, s, a.x, a.y)), OP_SELECT);
    CHECK_EQUAL(graph_binary(a.g, OP_AT_LEAST, a.k, a.k), 1);
    end();
}
