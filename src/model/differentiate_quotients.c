/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of quotients a/b whose denominators have factors that grow beyond all numbers, exp, cosh, sinh, 10^u, or powers of sums
   with such terms: by the relative derivative of b, d(a/b) = da/b - (a/b) (db/b), in which nothing is infinite,
     d exp(u)/exp(u) = du,  d cosh(u)/cosh(u) = tanh(u) du,  d(s^q)/s^q = q ds/s,  ds/s = sum of (dt_i/s),
   so that the slope is 0 where b is out of range, and not 0 times infinity. */
#include <float.h>
#include <math.h>

#include "model/differentiate_rows.h"

enum { MAX_TERMS = 8, MAX_PARTS = 4, MAX_LEGS = 12 }; /* what is longer is left as it is */

/* A way from b down to a child: its part of db/b is weight times
   PLAIN 1/sum, DIRECT 1, TANH tanh(child), COTH 1/tanh(child), GROWTH (d term/d child)/sum.  */
struct leg {
    enum { PLAIN, DIRECT, TANH, COTH, GROWTH } kind;
    uint32_t child, sum, term;
    size_t part, which; /* of the term: the part on the way, and the one that grows */
    double weight;
    double sign; /* of the term in the sum: 1 or -1; the weight has the exponent of the sum, too */
};

struct weighted {
    uint32_t node;
    double weight;
    double sign; /* of terms */
};

struct legs {
    const struct graph *g;
    uint32_t numerator;
    size_t count;
    bool grows, is_long;
    struct leg item[MAX_LEGS];
};

static void add_leg(struct legs *l, struct leg leg)
{
    l->is_long = l->is_long || l->count == MAX_LEGS;
    if (!l->is_long) l->item[l->count++] = leg;
}

/* Is there no E/T in u, as far as it is made of sums and products?  exp(-E/T) is not out of range at any temperature. */
static bool is_unbounded(const struct graph *g, uint32_t u)
{
    enum { DEPTH = 16 };
    uint32_t stack[DEPTH + 2] = {u};
    size_t count = 1;
    while (count > 0) {
        struct node const n = *node_at(g, stack[--count]);
        if (n.operation < OP_NEGATE) continue;
        if (n.operation == OP_DIVIDE && node_is_fixed(g, n.argument[0]) &&
            !node_is_fixed(g, n.argument[1]))
            return false;
        if (count >= DEPTH) return false;
        if (n.operation == OP_NEGATE) stack[count++] = n.argument[0];
        if (n.operation == OP_ADD || n.operation == OP_SUBTRACT || n.operation == OP_MULTIPLY) {
            stack[count++] = n.argument[0];
            stack[count++] = n.argument[1];
        }
    }
    return true;
}

/* exp(u), cosh(u), sinh(u), c^u with a number c > 0. */
static bool is_growing(const struct graph *g, uint32_t f)
{
    const struct node *const n = node_at(g, f);
    if (n->operation == OP_POWER)
        return node_value(node_at(g, n->argument[0])) > 0 && is_unbounded(g, n->argument[1]);
    return (n->operation == OP_EXP || n->operation == OP_COSH || n->operation == OP_SINH) &&
           is_unbounded(g, n->argument[0]);
}

static uint32_t argument_of(const struct graph *g, uint32_t f)
{
    return node_at(g, f)->argument[node_is(g, f, OP_POWER) ? 1 : 0];
}

/* A term as a product c part_0 part_1 .., of which part_which grows. */
struct parts {
    double c;
    uint32_t part[MAX_PARTS];
    size_t count, which;
};

/* False: too many. */
static bool find_parts(const struct graph *g, uint32_t term, struct parts *s)
{
    uint32_t stack[MAX_PARTS + 2] = {term};
    size_t left = 1;
    *s = (struct parts){.c = 1};
    while (left > 0) {
        uint32_t const at = stack[--left];
        struct node const n = *node_at(g, at);
        if (n.operation == OP_CONSTANT) {
            s->c *= node_value(&n);
        } else if (n.operation == OP_NEGATE || n.operation == OP_MULTIPLY) {
            if (n.operation == OP_NEGATE) s->c = -s->c;
            if (left + s->count + 2 > MAX_PARTS + 1) return false;
            stack[left++] = n.argument[0];
            if (n.operation == OP_MULTIPLY) stack[left++] = n.argument[1];
        } else if (s->count == MAX_PARTS) {
            return false;
        } else {
            s->part[s->count++] = at;
        }
    }
    return true;
}

/* c exp(u) with a number c. */
static bool is_scaled_exponential(const struct graph *g, uint32_t term)
{
    double c;
    return node_is(g, split_coefficient(g, term, &c), OP_EXP);
}

static bool term_grows(const struct graph *g, uint32_t term, bool is_whole, struct parts *s)
{
    if (!find_parts(g, term, s)) return false;
    if (is_whole && is_scaled_exponential(g, term)) return true;
    while (s->which < s->count && !is_growing(g, s->part[s->which])) s->which++;
    return s->which < s->count;
}

static bool is_sum(const struct graph *g, uint32_t a)
{
    return node_is(g, a, OP_ADD) || node_is(g, a, OP_SUBTRACT);
}

/* Is there a term that grows?  Terms of `sum` itself may be c exp(u) with any u. */
static bool sum_grows(const struct graph *g, uint32_t sum, uint32_t at)
{
    uint32_t stack[MAX_TERMS] = {at};
    struct parts s;
    size_t count = 1, terms = 1;
    while (count > 0) {
        uint32_t const a = stack[--count];
        const struct node *const n = node_at(g, a), *const top = node_at(g, sum);
        if (is_sum(g, a) && terms < MAX_TERMS) {
            stack[count++] = n->argument[0];
            stack[count++] = n->argument[1];
            terms++;
        } else if (term_grows(g, a, top->argument[0] == a || top->argument[1] == a, &s)) {
            return true;
        }
    }
    return false;
}

/* One term of the sum: where something grows in it, all its factors; else itself. */
static void add_term(struct legs *l, uint32_t sum, struct weighted at)
{
    const struct node *const n = node_at(l->g, sum);
    uint32_t const term = at.node;
    struct leg leg = {
        .child = term, .sum = sum, .term = term, .weight = at.weight, .sign = at.sign};
    struct parts s;
    if (!term_grows(l->g, term, n->argument[0] == term || n->argument[1] == term, &s)) {
        add_leg(l, leg);
        return;
    }
    leg.kind = GROWTH;
    leg.which = s.which;
    for (leg.part = 0; leg.part < s.count; leg.part++) {
        leg.child = s.part[leg.part];
        if (leg.part == s.which) leg.child = argument_of(l->g, leg.child);
        add_leg(l, leg);
    }
}

/* The terms of a sum, and those of the sums in it where something grows. */
static void add_sum(struct legs *l, uint32_t sum, double weight)
{
    struct weighted stack[MAX_TERMS] = {{sum, weight, 1}};
    size_t count = 1, terms = 1;
    while (count > 0 && !l->is_long) {
        struct weighted const at = stack[--count];
        struct node const n = *node_at(l->g, at.node);
        if (is_sum(l->g, at.node) && terms < MAX_TERMS && sum_grows(l->g, sum, at.node)) {
            double const sign = n.operation == OP_SUBTRACT ? -1 : 1;
            stack[count++] = (struct weighted){n.argument[0], at.weight, at.sign};
            stack[count++] = (struct weighted){n.argument[1], sign * at.weight, sign * at.sign};
            terms++;
        } else if (n.operation != OP_CONSTANT) {
            add_term(l, sum, at);
        }
    }
}

/* The way through exp(u)^q and the like. */
static void add_growing(struct legs *l, struct weighted at)
{
    const struct node *const n = node_at(l->g, at.node);
    struct leg leg = {DIRECT, .child = argument_of(l->g, at.node), .weight = at.weight};
    if (n->operation == OP_COSH) leg.kind = TANH;
    if (n->operation == OP_SINH) leg.kind = COTH;
    if (n->operation == OP_POWER) leg.weight *= log(node_value(node_at(l->g, n->argument[0])));
    l->grows = true;
    add_leg(l, leg);
}

/* The ways through the factors of b, weights being exponents. */
static void add_factors(struct legs *l, struct weighted b)
{
    struct weighted stack[MAX_PARTS + 2] = {b};
    size_t count = 1;
    while (count > 0 && !l->is_long) {
        struct weighted const at = stack[--count];
        struct node const n = *node_at(l->g, at.node);
        bool const is_power = n.operation == OP_POWER && node_is_constant(l->g, n.argument[1]);
        if (is_growing(l->g, at.node)) {
            add_growing(l, at);
        } else if (n.operation == OP_MULTIPLY && count + 2 <= MAX_PARTS) {
            stack[count++] = (struct weighted){.node = n.argument[0], .weight = at.weight};
            stack[count++] = (struct weighted){.node = n.argument[1], .weight = at.weight};
        } else if (is_sum(l->g, at.node) && sum_grows(l->g, at.node, at.node)) {
            l->grows = true;
            add_sum(l, at.node, at.weight);
        } else if (n.operation == OP_SQRT || is_power) {
            double const q = is_power ? node_value(node_at(l->g, n.argument[1])) : 0.5;
            stack[count++] = (struct weighted){.node = n.argument[0], .weight = q * at.weight};
        } else if (n.operation != OP_CONSTANT) {
            add_leg(l, (struct leg){.child = at.node, .sum = at.node, .weight = at.weight});
        }
    }
}

/* a and b of a quotient a/b, or of b^-q = 1/b^q with the weight q. */
static bool split_quotient(const struct graph *g, uint32_t at, uint32_t *a, struct weighted *b)
{
    const struct node *const n = node_at(g, at);
    bool const is_power = n->operation == OP_POWER;
    double const exponent = is_power ? node_value(node_at(g, n->argument[1])) : -1;
    if (!(exponent < 0) || (!is_power && n->operation != OP_DIVIDE)) return false;
    *a = is_power ? ONE : n->argument[0];
    *b = (struct weighted){.node = n->argument[is_power ? 0 : 1], .weight = -exponent};
    return true;
}

/* The ways from a quotient to its children; false: there is nothing in b that grows. */
static bool find_legs(const struct graph *g, uint32_t at, struct legs *l)
{
    struct weighted b;
    uint32_t a;
    if (!split_quotient(g, at, &a, &b)) return false;
    l->g = g;
    l->numerator = a;
    l->count = 0;
    l->grows = l->is_long = false;
    add_factors(l, b);
    return l->grows && !l->is_long;
}

bool quotient_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN],
                       size_t *count)
{
    struct legs l;
    if (!find_legs(g, at, &l)) return false;
    *count = 0;
    child[(*count)++] = l.numerator;
    for (size_t k = 0; k < l.count; k++) child[(*count)++] = l.item[k].child;
    return true;
}

static uint32_t invert(struct graph *g, uint32_t a)
{
    return graph_binary(g, OP_DIVIDE, ONE, a);
}

/* f'(u) of a function that grows. */
static uint32_t slope_of(struct graph *g, uint32_t f)
{
    struct node const n = *node_at(g, f);
    if (n.operation == OP_EXP) return f;
    if (n.operation == OP_COSH) return graph_unary(g, OP_SINH, n.argument[0]);
    if (n.operation == OP_SINH) return graph_unary(g, OP_COSH, n.argument[0]);
    return simplify_scale(g, log(node_value(node_at(g, n.argument[0]))), f);
}

/* c exp(u)/s with a number c: 1 or -1 where the exponential is infinite, and not inf/inf.  All finite ones are divided, however large:
   another term of s may be as large as this one. */
static uint32_t share_of(struct graph *g, const struct leg *leg, double c)
{
    uint32_t const size = c > 0 ? leg->term : simplify_scale(g, -1, leg->term);
    uint32_t const share = graph_binary(g, OP_DIVIDE, leg->term, leg->sum);
    uint32_t const is_finite = graph_binary(g, OP_AT_LEAST, graph_constant(g, DBL_MAX), size);
    return graph_select(g, is_finite, share, graph_constant(g, leg->sign));
}

/* (d term/d child)/s; 1 for it where s is out of range, for a/b is 0 there. */
static uint32_t growth_of(struct graph *g, const struct leg *leg)
{
    struct parts s;
    (void)find_parts(g, leg->term, &s);
    if (s.count == 1 && node_is(g, s.part[0], OP_EXP)) return share_of(g, leg, s.c);
    uint32_t product = ONE;
    for (size_t k = 0; k < s.count; k++)
        if (k != leg->part) product = graph_binary(g, OP_MULTIPLY, product, s.part[k]);
    if (leg->part == leg->which)
        product = graph_binary(g, OP_MULTIPLY, product, slope_of(g, s.part[leg->which]));
    uint32_t const inverse = invert(g, leg->sum);
    uint32_t const share = graph_binary(g, OP_MULTIPLY, simplify_scale(g, s.c, product), inverse);
    return graph_select(g, inverse, share, ONE);
}

/* (a/b) times the part of db/b that the leg has, but for its weight. */
static uint32_t of_leg(struct graph *g, uint32_t at, const struct leg *leg)
{
    switch (leg->kind) {
    case PLAIN:
        return graph_binary(g, OP_MULTIPLY, at, invert(g, leg->sum));
    case DIRECT:
        return at;
    case TANH:
        return graph_binary(g, OP_MULTIPLY, at, graph_unary(g, OP_TANH, leg->child));
    case COTH:
        return graph_binary(g, OP_DIVIDE, at, graph_unary(g, OP_TANH, leg->child));
    default:
        return graph_binary(g, OP_MULTIPLY, at, growth_of(g, leg));
    }
}

bool quotient_partial(struct graph *g, uint32_t at, uint32_t child, uint32_t *partial)
{
    struct legs l;
    if (!find_legs(g, at, &l)) return false;
    *partial = l.numerator == child ? invert(g, node_at(g, at)->argument[1]) : ZERO;
    for (size_t k = 0; k < l.count; k++) {
        if (l.item[k].child != child) continue;
        uint32_t const part = simplify_scale(g, l.item[k].weight, of_leg(g, at, &l.item[k]));
        *partial = graph_binary(g, OP_SUBTRACT, *partial, part);
    }
    return true;
}
