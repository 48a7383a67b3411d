/* SPDX-License-Identifier: Apache-2.0 */
/* Powers and what products and quotients make of them: x^n by products that share squares, x^-n = (1/x)^n, x^a x^b =
   x^(a+b), and x^b exp(g) = exp(b log x + g) where g divides by x (Arrhenius), so that log x is shared by all reactions. */
#include <math.h>

#include "model/monomial.h"

enum { MAX_PRODUCT_POWER = 64 }; /* 12 products at most */

/* x^exponent, 1 <= exponent: even powers are squares, odd ones x times the power before. */
static uint32_t multiply_out(struct graph *g, uint32_t x, unsigned exponent)
{
    uint32_t power = x;
    unsigned bit = 1;
    while (2 * bit <= exponent) bit *= 2;
    for (bit /= 2; bit; bit /= 2) {
        power = node_make(g, OP_MULTIPLY, power, power, 0);
        if (exponent & bit) power = node_make(g, OP_MULTIPLY, power, x, 0);
    }
    return power;
}

uint32_t simplify_constant_power(struct graph *g, uint32_t x, double exponent)
{
    if (exponent == 0 || x == ONE) return ONE;
    if (exponent == 0.5) return node_make(g, OP_SQRT, x, 0, 0);
    if (exponent == -0.5) return node_make(g, OP_DIVIDE, ONE, node_make(g, OP_SQRT, x, 0, 0), 0);
    if (exponent != rint(exponent) || fabs(exponent) > MAX_PRODUCT_POWER)
        return node_make(g, OP_POWER, x, graph_constant(g, exponent), 0);
    uint32_t const base = exponent > 0 ? x : node_make(g, OP_DIVIDE, ONE, x, 0);
    return multiply_out(g, base, (unsigned)fabs(exponent));
}

/* A power base^exponent; the exponent is a number, or a node when it is none. */
struct power {
    uint32_t base;
    double exponent; /* when `node` is ZERO */
    uint32_t node;
};

/* 1/x, sqrt(x), x^b; else x^1. */
static struct power as_root(const struct graph *g, uint32_t a)
{
    struct node const n = *node_at(g, a);
    if (n.operation == OP_SQRT) return (struct power){n.argument[0], 0.5, ZERO};
    if (n.operation == OP_DIVIDE && n.argument[0] == ONE) {
        struct node const divisor = *node_at(g, n.argument[1]);
        if (divisor.operation == OP_SQRT) return (struct power){divisor.argument[0], -0.5, ZERO};
        return (struct power){n.argument[1], -1, ZERO};
    }
    if (n.operation != OP_POWER) return (struct power){a, 1, ZERO};
    if (node_is_constant(g, n.argument[1]))
        return (struct power){n.argument[0], node_value(node_at(g, n.argument[1])), ZERO};
    return (struct power){n.argument[0], 1, n.argument[1]};
}

/* Undoes multiply_out: walks down squares and products with the base, which has the lowest number. */
static struct power as_power(const struct graph *g, uint32_t a)
{
    uint32_t at = a, base = UINT32_MAX;
    double factor = 1, sum = 0; /* the exponent is factor * (that of at) + sum */
    while (node_is(g, at, OP_MULTIPLY)) {
        const struct node *const n = node_at(g, at);
        if (n->argument[0] == n->argument[1]) {
            factor *= 2;
        } else if (base == UINT32_MAX || base == n->argument[0]) {
            base = n->argument[0];
            sum += factor;
        } else {
            break;
        }
        at = n->argument[1];
    }
    if (base != UINT32_MAX && at != base) return (struct power){a, 1, ZERO};
    struct power whole = as_root(g, at);
    if (whole.node != ZERO) return at == a ? whole : (struct power){at, factor + sum, ZERO};
    whole.exponent *= factor + sum;
    return whole;
}

uint32_t split_power(const struct graph *g, uint32_t a, double *exponent)
{
    struct power const x = as_power(g, a);
    *exponent = x.node == ZERO ? x.exponent : 1;
    return x.node == ZERO ? x.base : a;
}

static uint32_t exponent_node(struct graph *g, struct power x)
{
    return x.node != ZERO ? x.node : graph_constant(g, x.exponent);
}

/* base^(a + sign b) for two powers of one base. */
static uint32_t join(struct graph *g, struct power a, struct power b, int sign)
{
    if (a.node == ZERO && b.node == ZERO)
        return simplify_constant_power(g, a.base, a.exponent + sign * b.exponent);
    uint32_t const x = exponent_node(g, a), y = exponent_node(g, b);
    uint32_t const sum = sign > 0 ? simplify_add(g, x, y) : simplify_subtract(g, x, y);
    if (node_is_constant(g, sum))
        return simplify_constant_power(g, a.base, node_value(node_at(g, sum)));
    return node_make(g, OP_POWER, a.base, sum, 0);
}

/* Is base^(a + sign b) the same where the base is 0, where that may be?  Not if one is a pole there and the result is none; a product of
   powers that are no numbers is one power. */
static bool may_join(const struct graph *g, struct power a, struct power b, int sign)
{
    bool const known = a.node == ZERO && b.node == ZERO;
    double const y = sign * b.exponent, sum = a.exponent + y;
    bool const keeps = known ? (a.exponent > 0 && y > 0) || sum < 0 : sign > 0;
    return keeps || simplify_may_cancel(g, a.base);
}

/* Does g, as far as it is made of sums and products, divide by x? */
static bool divides_by(const struct graph *g, uint32_t a, uint32_t x)
{
    enum { DEPTH = 16 };
    uint32_t stack[DEPTH + 2] = {a};
    size_t count = 1;
    while (count) {
        struct node const n = *node_at(g, stack[--count]);
        if (n.operation == OP_DIVIDE && n.argument[1] == x) return true;
        if (count >= DEPTH) return false;
        if (n.operation == OP_NEGATE) stack[count++] = n.argument[0];
        if (n.operation == OP_ADD || n.operation == OP_SUBTRACT || n.operation == OP_MULTIPLY) {
            stack[count++] = n.argument[0];
            stack[count++] = n.argument[1];
        }
    }
    return false;
}

/* x^b exp(e) = exp(b log x + e) where e divides by x: there x = 0 is excluded already, and one exponential is saved. */
static bool merge_arrhenius(struct graph *g, uint32_t power, uint32_t exponential, uint32_t *result)
{
    struct node const x = *node_at(g, power), e = *node_at(g, exponential);
    if (x.operation != OP_POWER || e.operation != OP_EXP) return false;
    if (!node_is_fixed(g, x.argument[1]) || !divides_by(g, e.argument[0], x.argument[0]))
        return false;
    uint32_t const logarithm = node_make(g, OP_LOG, x.argument[0], 0, 0);
    uint32_t term = ZERO;
    if (node_is_constant(g, x.argument[1]))
        term = simplify_scale(g, node_value(node_at(g, x.argument[1])), logarithm);
    else
        term = node_make(g, OP_MULTIPLY, x.argument[1], logarithm, 0);
    uint32_t const sum = simplify_add(g, term, e.argument[0]);
    if (g->failed) return false;
    *result = node_make(g, OP_EXP, sum, 0, 0);
    return true;
}

/* x |x|^b = sign(x) |x|^(b + 1), whose derivative is finite at 0, not 0 times infinity; |x| = c ? x : -x, b no integer. */
static bool merge_absolute(struct graph *g, uint32_t a, uint32_t b, uint32_t *result)
{
    struct power const power = as_root(g, a);
    struct node const n = *node_at(g, power.base);
    if (n.operation != OP_SELECT || (power.node == ZERO && power.exponent == rint(power.exponent)))
        return false;
    uint32_t const y = n.argument[1], z = n.argument[2];
    if ((b != y && b != z) || simplify_scale(g, -1, y) != z) return false;
    if (!may_join(g, power, (struct power){power.base, 1, ZERO}, 1)) return false;
    uint32_t const sign = graph_select(g, n.argument[0], graph_constant(g, b == y ? 1 : -1),
                                       graph_constant(g, b == y ? -1 : 1));
    uint32_t const whole = join(g, power, (struct power){power.base, 1, ZERO}, 1);
    *result = node_make(g, OP_MULTIPLY, sign, whole, 0);
    return true;
}

/* x^m (c x^k)^r stay beside each other, whatever else the product has, so that its derivative finds them. */
static bool merge_root(struct graph *g, uint32_t a, uint32_t b, uint32_t *result)
{
    struct rooted r;
    uint32_t const product[2] = {a, b};
    if (!node_is_root(g, a) && !node_is_root(g, b)) return false;
    if (!is_rooted(g, product, 0, &r) && !is_rooted(g, product, 1, &r)) return false;
    *result = node_make(g, OP_MULTIPLY, a, b, 0);
    return true;
}

/* a*b when both are powers of one base, or T^b exp(-E/T). */
static bool merge(struct graph *g, uint32_t a, uint32_t b, uint32_t *result)
{
    struct power const x = as_power(g, a), y = as_power(g, b);
    if (x.base == y.base && may_join(g, x, y, 1)) {
        *result = join(g, x, y, 1);
        return true;
    }
    if (merge_absolute(g, a, b, result) || merge_absolute(g, b, a, result)) return true;
    return merge_arrhenius(g, a, b, result) || merge_arrhenius(g, b, a, result) ||
           merge_root(g, a, b, result);
}

/* The same with one factor of the product a. */
static bool merge_inside(struct graph *g, uint32_t a, uint32_t b, uint32_t *result)
{
    struct node const n = *node_at(g, a);
    if (n.operation != OP_MULTIPLY) return false;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t merged = ZERO;
        if (!merge(g, n.argument[k], b, &merged)) continue;
        uint32_t const other = n.argument[1 - k];
        *result = merged == ONE ? other : node_make(g, OP_MULTIPLY, merged, other, 0);
        return true;
    }
    return false;
}

uint32_t simplify_factors(struct graph *g, uint32_t a, uint32_t b)
{
    uint32_t result = ZERO;
    if (a == ONE) return b;
    if (b == ONE) return a;
    if (merge(g, a, b, &result)) return result;
    struct node const x = *node_at(g, a), y = *node_at(g, b);
    bool const cancels_b = x.operation == OP_DIVIDE && x.argument[1] == b;
    bool const cancels_a = y.operation == OP_DIVIDE && y.argument[1] == a;
    if (cancels_b && simplify_may_cancel(g, b)) return x.argument[0];
    if (cancels_a && simplify_may_cancel(g, a)) return y.argument[0];
    if (merge_inside(g, a, b, &result) || merge_inside(g, b, a, &result)) return result;
    return node_make(g, OP_MULTIPLY, a, b, 0);
}

uint32_t simplify_quotient(struct graph *g, uint32_t a, uint32_t b)
{
    if (b == ONE) return a;
    struct power const x = as_power(g, a), y = as_power(g, b);
    if (x.base == y.base && may_join(g, x, y, -1)) return join(g, x, y, -1);
    if (a == ONE && y.node == ZERO) return simplify_constant_power(g, y.base, -y.exponent);
    struct node const n = *node_at(g, a);
    if (n.operation == OP_MULTIPLY) {
        for (unsigned k = 0; k < 2; k++) {
            struct power const factor = as_power(g, n.argument[k]);
            if (factor.base != y.base || !may_join(g, factor, y, -1)) continue;
            uint32_t const rest = join(g, factor, y, -1), other = n.argument[1 - k];
            return rest == ONE ? other : node_make(g, OP_MULTIPLY, rest, other, 0);
        }
    }
    return node_make(g, OP_DIVIDE, a, b, 0);
}
