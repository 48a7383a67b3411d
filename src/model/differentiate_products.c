/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of products a u^r, r < 1, where a vanishes with a factor x of u at least as fast as x does, as x/(K + x) sqrt(g x),
   (x/K)^2 sqrt(x), sqrt(x) (1 - exp(-x)):
     d(a u^r) = u^r da + a r u^(r-1) du,
   of which the second is 0 at x = 0, and not 0 times infinity: a u^r = O(|x|^(1 + k r)) there, u = O(|x|^k).  Where u is 0 for
   another reason its slope is what it is.  u^r need not stand beside what vanishes: (u^r b/c) a is one of these products, too. */
#include <math.h>

#include "model/differentiate_rows.h"
#include "model/monomial.h"
#include "model/vanishing.h"

enum { MAX_FACTORS = 6 }; /* longer products are left as they are */

/* A factor x^k of u with which all else vanishes, of that order. */
struct base {
    uint32_t x;
    double k;
    struct order rest;
};

/* One of the factors: itself, or u^r of which the slope in u is 0 at x = 0. */
struct part {
    uint32_t node;
    bool is_divisor;
    size_t bases; /* 0: itself */
    struct base base[MAX_BASES];
};
struct product {
    double number;
    size_t count;
    struct part part[MAX_FACTORS];
};

/* Looks through products and quotients, but not through squares, nor through quotients with limits of their own. */
static bool is_looked_through(const struct graph *g, uint32_t a)
{
    uint32_t child[MAX_CHILDREN];
    size_t count;
    const struct node *const n = node_at(g, a);
    if (n->operation == OP_MULTIPLY) return n->argument[0] != n->argument[1];
    return n->operation == OP_DIVIDE && !quotient_children(g, a, child, &count);
}

/* Appends the factors of a; false: too many. */
static bool add_parts(const struct graph *g, uint32_t a, struct product *p)
{
    uint32_t stack[MAX_FACTORS + 2] = {a};
    size_t left = 1;
    while (left > 0) {
        uint32_t const at = stack[--left];
        struct node const n = *node_at(g, at);
        bool const is_through = is_looked_through(g, at);
        if (left + p->count + 2 > MAX_FACTORS) return false;
        if (n.operation == OP_CONSTANT) p->number *= node_value(&n);
        if (n.operation == OP_NEGATE) p->number = -p->number;
        if (n.operation == OP_NEGATE || is_through) stack[left++] = n.argument[0];
        if (is_through && n.operation == OP_MULTIPLY) stack[left++] = n.argument[1];
        if (is_through && n.operation == OP_DIVIDE)
            p->part[p->count++] = (struct part){.node = n.argument[1], .is_divisor = true};
        if (n.operation != OP_CONSTANT && n.operation != OP_NEGATE && !is_through)
            p->part[p->count++] = (struct part){.node = at};
    }
    return true;
}

/* u^r with an infinite slope at u = 0, which has no limits of its own. */
static bool is_steep_root(const struct graph *g, uint32_t a)
{
    uint32_t child[MAX_CHILDREN];
    size_t count;
    if (!node_is_root(g, a)) return false;
    const struct node *const n = node_at(g, a);
    double const r = n->operation == OP_POWER ? node_value(node_at(g, n->argument[1])) : 0.5;
    bool const is_number = n->operation == OP_SQRT || node_is_constant(g, n->argument[1]);
    return (!is_number || (r > 0 && r < 1)) && !root_children(g, a, child, &count);
}

/* The order in x of the parts but `k`, from part `first` on. */
static struct order order_without(const struct graph *g, const struct product *p, size_t first,
                                  size_t k, uint32_t x)
{
    struct order sum = {.number = 0};
    for (size_t j = first; j < p->count; j++)
        if (j != k)
            sum = order_add(sum, order_of(g, p->part[j].node, x), p->part[j].is_divisor ? -1 : 1);
    return sum;
}

/* Can it be 1 or more? */
static bool is_enough(struct order a)
{
    return a.times > 0 ? isfinite(a.number) : a.times == 0 && a.number >= 1;
}

/* The factors x of u with which all else vanishes, while no condition holds another one at 0.  Whether the first part, which is the other
   side of the product, is needed for one of them. */
static bool find_bases(const struct graph *g, struct product *p, size_t k)
{
    struct monomial u;
    struct part *const part = &p->part[k];
    bool is_new = false;
    if (!monomial_of(g, node_at(g, part->node)->argument[0], &u)) return false;
    for (size_t j = 0; j < u.count; j++) {
        uint32_t const x = u.factor[j].base;
        bool is_fit = u.factor[j].exponent > 0;
        for (size_t i = 0; i < u.count; i++)
            is_fit = is_fit && (i == j || !(g->leaves[u.factor[i].base] & CHOOSING));
        struct order const rest = is_fit ? order_without(g, p, 0, k, x) : (struct order){0};
        if (!is_enough(rest)) continue;
        part->base[part->bases++] = (struct base){x, u.factor[j].exponent, rest};
        is_new = is_new || (k > 0 && !is_enough(order_without(g, p, 1, k, x)));
    }
    return is_new;
}

/* The product of part 0, one side of `at`, and the factors of the other side, which has a root. */
static bool find_product(const struct graph *g, const struct node *n, unsigned side,
                         struct product *p)
{
    *p = (struct product){.number = 1, .count = 1, .part = {{.node = n->argument[1 - side]}}};
    bool is_new = false;
    if (!add_parts(g, n->argument[side], p)) return false;
    for (size_t k = 0; k < p->count; k++)
        if (!p->part[k].is_divisor && is_steep_root(g, p->part[k].node))
            is_new = find_bases(g, p, k) || is_new;
    return is_new;
}

static bool find(const struct graph *g, uint32_t at, struct product *p)
{
    const struct node *const n = node_at(g, at);
    if (n->operation != OP_MULTIPLY || n->argument[0] == n->argument[1]) return false;
    return find_product(g, n, 0, p) || find_product(g, n, 1, p);
}

/* exp(u) counts as u. */
static uint32_t child_of(const struct graph *g, const struct part *part)
{
    const struct node *const n = node_at(g, part->node);
    bool const is_inner = part->bases > 0 || (n->operation == OP_EXP && !part->is_divisor);
    return is_inner ? n->argument[0] : part->node;
}

static uint32_t exponent_of(const struct graph *g, const struct part *part)
{
    const struct node *const n = node_at(g, part->node);
    bool const has_one = part->bases > 0 && n->operation == OP_POWER;
    return has_one && !node_is_constant(g, n->argument[1]) ? n->argument[1] : UINT32_MAX;
}

bool product_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN],
                      size_t *count)
{
    struct product p;
    if (!find(g, at, &p)) return false;
    *count = 0;
    for (size_t k = 0; k < p.count; k++) {
        uint32_t const exponent = exponent_of(g, &p.part[k]);
        child[(*count)++] = child_of(g, &p.part[k]);
        if (exponent != UINT32_MAX) child[(*count)++] = exponent;
    }
    return true;
}

/* The product of all parts but k. */
static uint32_t without(struct graph *g, const struct product *p, size_t k)
{
    uint32_t product = ONE;
    for (int divides = 0; divides < 2; divides++)
        for (size_t j = 0; j < p->count; j++)
            if (j != k && p->part[j].is_divisor == (divides == 1))
                product =
                    graph_binary(g, divides ? OP_DIVIDE : OP_MULTIPLY, product, p->part[j].node);
    return simplify_scale(g, p->number, product);
}

/* u^r with r <= 0 or r >= 1, an exponent that is no number: its slope is as it is. */
static uint32_t is_beyond(struct graph *g, uint32_t r, uint32_t otherwise)
{
    uint32_t const is_above = graph_binary(g, OP_AT_LEAST, r, ONE);
    uint32_t const is_below = graph_binary(g, OP_AT_LEAST, ZERO, r);
    return graph_select(g, is_below, ONE, graph_select(g, is_above, ONE, otherwise));
}

/* Not 0 where the slope in u is taken: for x not 0, and where exponents that are no numbers say that what is here does not hold. */
static uint32_t is_taken(struct graph *g, const struct part *part)
{
    uint32_t const exponent = exponent_of(g, part);
    uint32_t taken = ONE;
    for (size_t k = 0; k < part->bases; k++) {
        struct order const rest = part->base[k].rest;
        uint32_t otherwise = ZERO;
        if (rest.times != 0) {
            uint32_t const order =
                graph_binary(g, OP_ADD, simplify_scale(g, rest.times, rest.exponent),
                             graph_constant(g, rest.number));
            otherwise = graph_select(g, graph_binary(g, OP_AT_LEAST, order, ONE), ZERO, ONE);
        }
        if (exponent != UINT32_MAX) otherwise = is_beyond(g, exponent, otherwise);
        bool const is_x = k == 0 && otherwise == ZERO;
        taken = is_x ? part->base[k].x : graph_select(g, part->base[k].x, taken, otherwise);
    }
    return taken;
}

/* What has the value 0 of the slope at x = 0: 0 where its own slope is 0, too, the order of the whole being above 2; else, for what is
   differentiated again, u^r, of an infinite slope, as the order may be below 2. */
static uint32_t flat_value(const struct graph *g, const struct part *part, bool again)
{
    const struct node *const n = node_at(g, part->node);
    double const r = n->operation == OP_POWER ? node_value(node_at(g, n->argument[1])) : 0.5;
    bool is_flat = true;
    for (size_t k = 0; k < part->bases; k++) {
        struct base const b = part->base[k];
        is_flat = is_flat && b.rest.times == 0 && b.rest.number + r * b.k > 2;
    }
    return again && !is_flat ? part->node : ZERO;
}

/* What part k adds to the derivative in the child. */
static uint32_t of_part(struct graph *g, uint32_t at, const struct product *p, size_t k,
                        uint32_t child, bool again)
{
    const struct part *const part = &p->part[k];
    uint32_t sum = ZERO;
    if (child_of(g, part) == child) {
        if (part->bases > 0) {
            uint32_t const slope = derivative_partial(g, part->node, child, again);
            sum = graph_binary(g, OP_MULTIPLY, without(g, p, k), slope);
            sum = graph_select(g, is_taken(g, part), sum, flat_value(g, part, again));
        } else if (part->is_divisor) {
            sum = simplify_scale(g, -1, graph_binary(g, OP_DIVIDE, at, child));
        } else {
            sum = part->node == child ? without(g, p, k) : at;
        }
    }
    if (exponent_of(g, part) != child) return sum;
    uint32_t const slope = derivative_partial(g, part->node, child, again);
    return graph_binary(g, OP_ADD, sum, graph_binary(g, OP_MULTIPLY, without(g, p, k), slope));
}

bool product_partial(struct graph *g, uint32_t at, uint32_t child, bool again, uint32_t *partial)
{
    struct product p;
    if (!find(g, at, &p)) return false;
    *partial = ZERO;
    for (size_t k = 0; k < p.count; k++)
        *partial = graph_binary(g, OP_ADD, *partial, of_part(g, at, &p, k, child, again));
    return true;
}
