/* SPDX-License-Identifier: Apache-2.0 */
/* How fast expressions vanish, from their leading powers: those of products add up, the smallest of a sum is its own. */
#include "model/vanishing.h"

#include <math.h>

#include "model/monomial.h"

enum { MAX_SEEN = 64 }; /* larger expressions are not looked at */

/* The nodes of an expression, in rising order, with their orders. */
struct seen {
    const struct graph *g;
    size_t count;
    uint32_t node[MAX_SEEN];
    struct order order[MAX_SEEN];
};

static const struct order none = {.number = 0}, endless = {.number = HUGE_VAL},
                          unknown = {.number = -HUGE_VAL};

static bool is_plain(struct order a)
{
    return a.times == 0;
}

/* Adds a node in its place; false: no room. */
static bool see(struct seen *s, uint32_t a)
{
    size_t at = s->count;
    while (at > 0 && s->node[at - 1] >= a) at--;
    if (at < s->count && s->node[at] == a) return true;
    if (s->count == MAX_SEEN) return false;
    for (size_t k = s->count++; k > at; k--) s->node[k] = s->node[k - 1];
    s->node[at] = a;
    return true;
}

/* All nodes of a down to leaves and x: from the largest on, for arguments have smaller numbers. */
static bool see_all(struct seen *s, uint32_t a, uint32_t core)
{
    bool has_room = see(s, a);
    for (uint32_t below = a + 1; has_room;) {
        size_t k = s->count;
        while (k > 0 && s->node[k - 1] >= below) k--;
        if (k == 0) return true;
        below = s->node[k - 1];
        if (core_of(s->g, below) == core) continue;
        const struct node *const n = node_at(s->g, below);
        unsigned const first = n->operation == OP_SELECT ? 1 : 0;
        for (unsigned j = first; has_room && j < operation_arguments(n->operation); j++)
            has_room = see(s, n->argument[j]);
    }
    return false;
}

static struct order order_at(const struct seen *s, uint32_t a)
{
    size_t k = 0;
    while (k < s->count && s->node[k] != a) k++;
    return k < s->count ? s->order[k] : unknown; /* below x */
}

struct order order_add(struct order a, struct order b, double sign)
{
    if (!is_plain(a) && !is_plain(b) && a.exponent != b.exponent) return unknown;
    if (a.number == unknown.number || b.number == unknown.number) return unknown;
    struct order sum = is_plain(a) ? b : a;
    sum.times = a.times + sign * b.times;
    sum.number = a.number + sign * b.number;
    return isnan(sum.number) ? unknown : sum;
}

/* Of a sum, or one of several branches: an exponent that is no number is known to be no less than 0 at most. */
static struct order smaller(struct order a, struct order b)
{
    if (is_plain(a) && is_plain(b)) return a.number < b.number ? a : b;
    if ((is_plain(a) && a.number == 0) || (is_plain(b) && b.number == 0)) return none;
    return unknown;
}

/* a^b. */
static struct order of_power(const struct seen *s, const struct node *n)
{
    struct order const a = order_at(s, n->argument[0]);
    if (is_plain(a) && a.number == 0) return none;
    if (!is_plain(a) || a.number == unknown.number) return unknown;
    if (node_is_constant(s->g, n->argument[1]))
        return (struct order){.number = a.number * node_value(node_at(s->g, n->argument[1]))};
    return isfinite(a.number) ? (struct order){.times = a.number, .exponent = n->argument[1]}
                              : unknown;
}

/* exp(v) - 1 and 1 - exp(v) vanish as v does, and so does log(1 + v), with `sum` = 1 + v: that v; else UINT32_MAX. */
static uint32_t beside_one(const struct graph *g, const struct node *sum, bool is_exponential)
{
    for (unsigned k = 0; k < 2; k++) {
        double const one = sum->operation == OP_ADD && is_exponential ? -1 : 1;
        const struct node *const other = node_at(g, sum->argument[1 - k]);
        if (!graph_is(g, sum->argument[k], one)) continue;
        if (!is_exponential) return sum->argument[1 - k];
        if (other->operation == OP_EXP) return other->argument[0];
    }
    return UINT32_MAX;
}

static struct order of_sum(const struct seen *s, const struct node *n)
{
    uint32_t const v = beside_one(s->g, n, true);
    if (v != UINT32_MAX) return order_at(s, v);
    return smaller(order_at(s, n->argument[0]), order_at(s, n->argument[1]));
}

static struct order of_logarithm(const struct seen *s, const struct node *n)
{
    const struct node *const sum = node_at(s->g, n->argument[0]);
    bool const is_sum = sum->operation == OP_ADD || sum->operation == OP_SUBTRACT;
    uint32_t const v = is_sum ? beside_one(s->g, sum, false) : UINT32_MAX;
    return v != UINT32_MAX ? order_at(s, v) : none;
}

static struct order find_order(const struct seen *s, const struct node *n)
{
    switch (n->operation) {
    case OP_CONSTANT:
        return node_value(n) == 0 ? endless : none;
    case OP_NEGATE:
    case OP_SIN:
    case OP_TAN:
    case OP_ASIN:
    case OP_ATAN:
    case OP_SINH:
    case OP_TANH:
        return order_at(s, n->argument[0]);
    case OP_SQRT: {
        struct order const a = order_at(s, n->argument[0]);
        return (struct order){a.number / 2, a.times / 2, a.exponent};
    }
    case OP_LOG:
        return of_logarithm(s, n);
    case OP_ADD:
    case OP_SUBTRACT:
        return of_sum(s, n);
    case OP_MULTIPLY:
        return order_add(order_at(s, n->argument[0]), order_at(s, n->argument[1]), 1);
    case OP_DIVIDE:
        return order_add(order_at(s, n->argument[0]), order_at(s, n->argument[1]), -1);
    case OP_POWER:
        return of_power(s, n);
    case OP_SELECT:
        return smaller(order_at(s, n->argument[1]), order_at(s, n->argument[2]));
    default:
        return none;
    }
}

struct order order_of(const struct graph *g, uint32_t a, uint32_t x)
{
    struct seen s = {.g = g};
    uint32_t const core = core_of(g, x);
    if (!see_all(&s, a, core)) return unknown;
    for (size_t k = 0; k < s.count; k++)
        s.order[k] = core_of(g, s.node[k]) == core ? (struct order){.number = 1}
                                                   : find_order(&s, node_at(g, s.node[k]));
    return order_at(&s, a);
}
