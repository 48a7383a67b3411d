/* SPDX-License-Identifier: Apache-2.0 */
/* The partial derivatives of every operation. */
#include <assert.h>

#include "model/differentiate_rows.h"

/* exp(u) inside a product counts as u. */
static uint32_t look_through(const struct graph *g, const struct node *n, uint32_t a)
{
    bool const is_product = n->operation == OP_MULTIPLY && n->argument[0] != n->argument[1];
    return is_product && node_is(g, a, OP_EXP) ? node_at(g, a)->argument[0] : a;
}

static void add_child(const struct graph *g, uint32_t a, uint32_t mask, uint32_t *child,
                      size_t *count)
{
    bool known = !(g->leaves[a] & mask);
    for (size_t k = 0; k < *count; k++) known = known || child[k] == a;
    if (!known) child[(*count)++] = a;
}

/* Has a product a root among its factors?  Said at once for most.  Products of more nodes than 6 factors of 64 have no limits of
   their own, see product_children() and order_of(): behind these a root does not count, and a product of n factors costs no n^2. */
static bool has_root(const struct graph *g, const struct node *product)
{
    enum { DEPTH = 6, MOST = 6 * 64 };
    uint32_t stack[DEPTH + 2] = {product->argument[0], product->argument[1]};
    for (size_t count = 2, seen = 0; count > 0 && seen < MOST; seen++) {
        uint32_t const at = stack[--count];
        const struct node *const n = node_at(g, at);
        if (node_is_root(g, at)) return true;
        if (count >= DEPTH) return false;
        if (n->operation == OP_NEGATE || n->operation == OP_DIVIDE || n->operation == OP_MULTIPLY)
            stack[count++] = n->argument[0];
        if (n->operation == OP_MULTIPLY) stack[count++] = n->argument[1];
    }
    return false;
}

/* May it be one of quotient_children(), root_children() or product_children()?  Said at once for most nodes. */
static bool may_have_limits(const struct graph *g, uint32_t at, const struct node *n)
{
    if (n->operation == OP_MULTIPLY) return has_root(g, n);
    return n->operation == OP_DIVIDE || node_is_root(g, at);
}

static size_t special_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN])
{
    size_t count = 0;
    if (!quotient_children(g, at, child, &count) && !root_children(g, at, child, &count))
        (void)product_children(g, at, child, &count);
    return count;
}

size_t derivative_children(const struct graph *g, uint32_t at, uint32_t mask,
                           uint32_t child[MAX_CHILDREN])
{
    const struct node *const n = node_at(g, at);
    uint32_t special[MAX_CHILDREN];
    size_t count = 0;
    if (n->operation == OP_AT_LEAST || n->operation == OP_SELECT) return 0;
    size_t const many = may_have_limits(g, at, n) ? special_children(g, at, special) : 0;
    for (size_t k = 0; k < many; k++) add_child(g, special[k], mask, child, &count);
    if (many > 0) return count;
    for (unsigned k = 0; k < operation_arguments(n->operation); k++)
        add_child(g, look_through(g, n, n->argument[k]), mask, child, &count);
    return count;
}

bool derivative_is_steep(const struct graph *g, uint32_t at)
{
    uint32_t const operation = node_at(g, at)->operation;
    return (operation == OP_SQRT || operation == OP_POWER || operation == OP_ASIN ||
            operation == OP_ACOS) &&
           g->leaves[at] & CHOOSING;
}

uint32_t multiply_chosen(struct graph *g, uint32_t a, uint32_t b)
{
    uint32_t const product = multiply_quickly(g, a, b);
    return g->leaves[b] & CHOOSING ? graph_select(g, b, product, ZERO) : product;
}

static uint32_t square(struct graph *g, uint32_t a)
{
    return graph_binary(g, OP_MULTIPLY, a, a);
}

/* What is 0 where the slope of a steep node is infinite: sqrt(a) and a^b at a = 0, asin(a) and acos(a) at a^2 = 1. */
static uint32_t singular_where_zero(struct graph *g, uint32_t at)
{
    struct node const n = *node_at(g, at);
    if (n.operation == OP_SQRT || n.operation == OP_POWER) return n.argument[0];
    return graph_binary(g, OP_SUBTRACT, ONE, square(g, n.argument[0]));
}

uint32_t multiply_steep(struct graph *g, uint32_t at, uint32_t a, uint32_t b)
{
    uint32_t const product = multiply_quickly(g, a, b);
    if (!(g->leaves[b] & CHOOSING)) return product;
    uint32_t const is_taken = graph_select(g, singular_where_zero(g, at), ONE, b);
    return graph_select(g, is_taken, product, ZERO);
}

static uint32_t negate(struct graph *g, uint32_t a)
{
    return graph_unary(g, OP_NEGATE, a);
}

static uint32_t invert(struct graph *g, uint32_t a)
{
    return graph_binary(g, OP_DIVIDE, ONE, a);
}

/* d(a b): the sum over both factors that lead to the child. */
static uint32_t of_product(struct graph *g, uint32_t at, struct node n, uint32_t child)
{
    uint32_t sum = ZERO;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t const a = n.argument[k], other = n.argument[1 - k];
        uint32_t const reached = look_through(g, &n, a);
        if (reached == child) sum = graph_binary(g, OP_ADD, sum, reached == a ? other : at);
    }
    return sum;
}

/* d(a/b) = da/b - (a/b)/b db. */
static uint32_t of_quotient(struct graph *g, uint32_t at, struct node n, uint32_t child)
{
    uint32_t const inverse = invert(g, n.argument[1]);
    uint32_t const sum = n.argument[0] == child ? inverse : ZERO;
    if (n.argument[1] != child) return sum;
    return graph_binary(g, OP_SUBTRACT, sum, graph_binary(g, OP_MULTIPLY, at, inverse));
}

uint32_t slope_of_power(struct graph *g, uint32_t a, uint32_t b, bool again)
{
    uint32_t const lower = graph_binary(g, OP_SUBTRACT, b, ONE);
    uint32_t exponent = graph_select(g, b, lower, ZERO);
    if (again) exponent = graph_select(g, a, lower, exponent);
    return graph_binary(g, OP_MULTIPLY, b, graph_binary(g, OP_POWER, a, exponent));
}

/* d(a^b) = b a^(b-1) da + a^b log(a) db.  Where they exist, the values at the edges come out: a = 0 gives the limit 0 of the
   second. */
static uint32_t of_power(struct graph *g, uint32_t at, struct node n, uint32_t child, bool again)
{
    uint32_t const a = n.argument[0], b = n.argument[1];
    uint32_t sum = ZERO;
    if (a == child) sum = slope_of_power(g, a, b, again);
    if (b == child) {
        uint32_t const log = graph_unary(g, OP_LOG, a);
        uint32_t const product = graph_binary(g, OP_MULTIPLY, at, log);
        sum = graph_binary(g, OP_ADD, sum, graph_select(g, a, product, ZERO));
    }
    return sum;
}

/* d tanh(a) = 1 - tanh(a)^2 as 4/((1 + exp(2a)) (1 + exp(-2a))), which keeps its digits where tanh(a) is 1 to all of them. */
static uint32_t of_tanh(struct graph *g, uint32_t a)
{
    uint32_t product = graph_constant(g, 4);
    for (int sign = -1; sign <= 1; sign += 2) {
        uint32_t const power = graph_unary(g, OP_EXP, simplify_scale(g, 2 * sign, a));
        product =
            graph_binary(g, OP_MULTIPLY, product, invert(g, graph_binary(g, OP_ADD, ONE, power)));
    }
    return product;
}

/* f'(a) of a function f, at = f(a). */
static uint32_t of_function(struct graph *g, uint32_t at, enum operation operation, uint32_t a)
{
    switch (operation) {
    case OP_EXP:
        return at;
    case OP_LOG:
        return invert(g, a);
    case OP_SQRT:
        return graph_binary(g, OP_DIVIDE, graph_constant(g, 0.5), at);
    case OP_SIN:
        return graph_unary(g, OP_COS, a);
    case OP_COS:
        return negate(g, graph_unary(g, OP_SIN, a));
    case OP_TAN:
        return graph_binary(g, OP_ADD, ONE, square(g, at));
    case OP_ASIN:
    case OP_ACOS: {
        uint32_t const rest = graph_binary(g, OP_SUBTRACT, ONE, square(g, a));
        uint32_t const slope = invert(g, graph_unary(g, OP_SQRT, rest));
        return operation == OP_ASIN ? slope : negate(g, slope);
    }
    case OP_ATAN:
        return invert(g, graph_binary(g, OP_ADD, ONE, square(g, a)));
    case OP_SINH:
        return graph_unary(g, OP_COSH, a);
    case OP_COSH:
        return graph_unary(g, OP_SINH, a);
    default:
        assert(operation == OP_TANH);
        return of_tanh(g, a);
    }
}

uint32_t derivative_partial(struct graph *g, uint32_t at, uint32_t child, bool again)
{
    struct node const n = *node_at(g, at);
    uint32_t partial = ZERO;
    if (may_have_limits(g, at, &n) &&
        (quotient_partial(g, at, child, &partial) || root_partial(g, at, child, &partial) ||
         product_partial(g, at, child, again, &partial)))
        return partial;
    switch (n.operation) {
    case OP_NEGATE:
        return graph_constant(g, -1);
    case OP_ADD:
        return n.argument[0] == n.argument[1] ? graph_constant(g, 2) : ONE;
    case OP_SUBTRACT:
        return n.argument[0] == child ? ONE : graph_constant(g, -1);
    case OP_MULTIPLY:
        return of_product(g, at, n, child);
    case OP_DIVIDE:
        return of_quotient(g, at, n, child);
    case OP_POWER:
        return of_power(g, at, n, child, again);
    default:
        return of_function(g, at, n.operation, n.argument[0]);
    }
}
