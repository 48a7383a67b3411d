/* SPDX-License-Identifier: Apache-2.0 */
/* Sums: constants gathered at the end, like terms joined, signs carried by subtraction and by the coefficient. */
#include "model/simplify.h"

#include <assert.h>
#include <math.h>

#define NONE UINT32_MAX

double operation_value(enum operation operation, double a, double b)
{
    switch (operation) {
    case OP_NEGATE:
        return -a;
    case OP_EXP:
        return exp(a);
    case OP_LOG:
        return log(a);
    case OP_SQRT:
        return sqrt(a);
    case OP_SIN:
        return sin(a);
    case OP_COS:
        return cos(a);
    case OP_TAN:
        return tan(a);
    case OP_ASIN:
        return asin(a);
    case OP_ACOS:
        return acos(a);
    case OP_ATAN:
        return atan(a);
    case OP_SINH:
        return sinh(a);
    case OP_COSH:
        return cosh(a);
    case OP_TANH:
        return tanh(a);
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_POWER:
        return pow(a, b);
    default:
        assert(operation == OP_AT_LEAST);
        return a >= b ? 1 : 0;
    }
}

uint32_t split_coefficient(const struct graph *g, uint32_t a, double *coefficient)
{
    const struct node *const n = node_at(g, a);
    *coefficient = 1;
    if (n->operation == OP_CONSTANT) {
        *coefficient = node_value(n);
        return ONE;
    }
    if (n->operation == OP_NEGATE) {
        *coefficient = -1;
        return n->argument[0];
    }
    if (n->operation != OP_MULTIPLY || !node_is_constant(g, n->argument[1])) return a;
    *coefficient = node_value(node_at(g, n->argument[1]));
    return n->argument[0];
}

uint32_t simplify_scale(struct graph *g, double c, uint32_t a)
{
    double inner = 1;
    uint32_t const base = split_coefficient(g, a, &inner);
    double const whole = c * inner;
    if (c == 0 || inner == 0) return ZERO;
    if (!isnormal(whole)) /* out of range, which x may bring back */
        return node_make(g, OP_MULTIPLY, a, graph_constant(g, c), 0);
    if (base == ONE) return graph_constant(g, whole);
    if (whole == 1) return base;
    if (whole != -1) return node_make(g, OP_MULTIPLY, base, graph_constant(g, whole), 0);
    struct node const n = *node_at(g, base);
    if (n.operation == OP_SUBTRACT && node_is_constant(g, n.argument[0]))
        return node_make(g, OP_ADD, n.argument[1],
                         graph_constant(g, -node_value(node_at(g, n.argument[0]))), 0);
    if (n.operation == OP_SUBTRACT)
        return node_make(g, OP_SUBTRACT, n.argument[1], n.argument[0], 0);
    return node_make(g, OP_NEGATE, base, 0, 0);
}

/* x + c, where x may end with a constant too. */
static uint32_t add_constant(struct graph *g, uint32_t x, double c)
{
    struct node const n = *node_at(g, x);
    bool const ends = n.operation == OP_ADD && node_is_constant(g, n.argument[1]);
    double const whole = ends ? node_value(node_at(g, n.argument[1])) + c : c;
    uint32_t const rest = ends ? n.argument[0] : x;
    if (!isfinite(whole)) return node_make(g, OP_ADD, x, graph_constant(g, c), 0);
    if (whole == 0) return rest;
    if (n.operation == OP_SUBTRACT && node_is_constant(g, n.argument[0])) {
        double const first = node_value(node_at(g, n.argument[0])) + c;
        if (first == 0) return node_make(g, OP_NEGATE, n.argument[1], 0, 0);
        if (isfinite(first))
            return node_make(g, OP_SUBTRACT, graph_constant(g, first), n.argument[1], 0);
    }
    return node_make(g, OP_ADD, rest, graph_constant(g, whole), 0);
}

/* What is left of a + sign b when b stands at the end of the sum a with the other sign, as a species does that a reaction
   takes and gives back; else NONE. */
static uint32_t cancel(const struct graph *g, uint32_t a, uint32_t b, int sign)
{
    const struct node *const n = node_at(g, a);
    if (sign > 0) return n->operation == OP_SUBTRACT && n->argument[1] == b ? n->argument[0] : NONE;
    if (n->operation != OP_ADD) return NONE;
    return n->argument[0] == b ? n->argument[1] : n->argument[1] == b ? n->argument[0] : NONE;
}

/* a + sign b, neither a constant. */
static uint32_t add_bare(struct graph *g, uint32_t a, uint32_t b, int sign)
{
    double ca = 1, cb = 1;
    uint32_t const x = split_coefficient(g, a, &ca), y = split_coefficient(g, b, &cb);
    cb *= sign;
    if (x == y && isfinite(ca + cb)) return simplify_scale(g, ca + cb, x);
    uint32_t rest = cancel(g, a, b, sign);
    if (rest == NONE && sign > 0) rest = cancel(g, b, a, sign);
    if (rest != NONE) return rest;
    if (cb < 0) return node_make(g, OP_SUBTRACT, a, simplify_scale(g, -cb, y), 0);
    uint32_t const second = sign > 0 ? b : simplify_scale(g, cb, y);
    if (ca < 0) return node_make(g, OP_SUBTRACT, second, simplify_scale(g, -ca, x), 0);
    return node_make(g, OP_ADD, a, second, 0);
}

/* x of x + c, and c. */
static uint32_t split_constant(const struct graph *g, uint32_t a, double *c)
{
    const struct node *const n = node_at(g, a);
    *c = 0;
    if (n->operation != OP_ADD || !node_is_constant(g, n->argument[1])) return a;
    *c = node_value(node_at(g, n->argument[1]));
    return n->argument[0];
}

/* The same; two constants become one, (x + c) - x becomes c. */
static uint32_t add_terms(struct graph *g, uint32_t a, uint32_t b, int sign)
{
    double c = 0, d = 0;
    uint32_t const x = split_constant(g, a, &c), y = split_constant(g, b, &d);
    double const whole = c + sign * d;
    if (((c == 0 || d == 0) && x != y) || !isfinite(whole)) return add_bare(g, a, b, sign);
    uint32_t const sum = add_bare(g, x, y, sign);
    return sum == ZERO ? graph_constant(g, whole) : add_constant(g, sum, whole);
}

/* c - b. */
static uint32_t subtract_from(struct graph *g, double c, uint32_t b)
{
    struct node const n = *node_at(g, b);
    double whole = c, cb = 1;
    uint32_t rest = b;
    if (n.operation == OP_ADD && node_is_constant(g, n.argument[1])) { /* c - (x + d) */
        whole = c - node_value(node_at(g, n.argument[1]));
        rest = n.argument[0];
    }
    if (!isfinite(whole)) return node_make(g, OP_SUBTRACT, graph_constant(g, c), b, 0);
    split_coefficient(g, rest, &cb);
    if (whole == 0) return simplify_scale(g, -1, rest);
    if (cb < 0 || node_is(g, rest, OP_SUBTRACT))
        return add_constant(g, simplify_scale(g, -1, rest), whole);
    return node_make(g, OP_SUBTRACT, graph_constant(g, whole), rest, 0);
}

uint32_t simplify_add(struct graph *g, uint32_t a, uint32_t b)
{
    bool const first = node_is_constant(g, a), second = node_is_constant(g, b);
    if (!first && !second) return add_terms(g, a, b, 1);
    double const c = node_value(node_at(g, first ? a : b));
    uint32_t const x = first ? b : a;
    if (c != 0 && node_is(g, x, OP_NEGATE)) return subtract_from(g, c, node_at(g, x)->argument[0]);
    return add_constant(g, x, c);
}

uint32_t simplify_subtract(struct graph *g, uint32_t a, uint32_t b)
{
    if (node_is_constant(g, b))
        return simplify_add(g, a, graph_constant(g, -node_value(node_at(g, b))));
    if (node_is_constant(g, a)) return subtract_from(g, node_value(node_at(g, a)), b);
    return add_terms(g, a, b, -1);
}
