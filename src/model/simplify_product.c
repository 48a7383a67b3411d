/* SPDX-License-Identifier: Apache-2.0 */
/* Products and quotients in the form c * (P * R): c a number, P of p alone (computed once for a p), R the rest. */
#include <math.h>

#include "model/simplify.h"

/* a = c P R. */
struct parts {
    double c;
    uint32_t p, r; /* ONE where there is none */
};

static struct parts take_apart(const struct graph *g, uint32_t a)
{
    struct parts s = {.c = 1, .p = ONE, .r = ONE};
    uint32_t const base = split_coefficient(g, a, &s.c);
    const struct node *const n = node_at(g, base);
    if (node_is_fixed(g, base)) {
        s.p = base;
    } else if (n->operation == OP_MULTIPLY && node_is_fixed(g, n->argument[0])) {
        s.p = n->argument[0];
        s.r = n->argument[1];
    } else if (n->operation == OP_MULTIPLY && node_is_fixed(g, n->argument[1])) {
        s.p = n->argument[1];
        s.r = n->argument[0];
    } else {
        s.r = base;
    }
    double inner = 1;
    s.p = split_coefficient(g, s.p, &inner);
    s.c *= inner;
    return s;
}

/* c P R; the number goes into P, where it costs nothing, but its sign stays outside, where sums take it up. */
static uint32_t put_together(struct graph *g, struct parts s)
{
    if (s.p == ONE) return simplify_scale(g, s.c, s.r);
    if (s.r == ONE) return simplify_scale(g, s.c, s.p);
    uint32_t const p = simplify_scale(g, fabs(s.c), s.p);
    uint32_t const product = p == ONE ? s.r : node_make(g, OP_MULTIPLY, p, s.r, 0);
    return simplify_scale(g, s.c < 0 ? -1 : 1, product);
}

uint32_t simplify_multiply(struct graph *g, uint32_t a, uint32_t b)
{
    if (node_is_constant(g, a)) return simplify_scale(g, node_value(node_at(g, a)), b);
    if (node_is_constant(g, b)) return simplify_scale(g, node_value(node_at(g, b)), a);
    struct parts const x = take_apart(g, a), y = take_apart(g, b);
    double const c = x.c * y.c;
    if (!isnormal(c)) return node_make(g, OP_MULTIPLY, a, b, 0);
    uint32_t const p = simplify_factors(g, x.p, y.p);
    uint32_t const r = simplify_factors(g, x.r, y.r);
    return put_together(g, (struct parts){.c = c, .p = p, .r = r});
}

uint32_t simplify_divide(struct graph *g, uint32_t a, uint32_t b)
{
    if (b == ZERO) return node_make(g, OP_DIVIDE, a, b, 0);
    if (a == ZERO) return ZERO;
    if (a == b) return simplify_may_cancel(g, b) ? ONE : node_make(g, OP_DIVIDE, a, b, 0);
    struct parts const x = take_apart(g, a), y = take_apart(g, b);
    double const c = x.c / y.c;
    if (!isnormal(c)) return node_make(g, OP_DIVIDE, a, b, 0);
    uint32_t const p = simplify_quotient(g, x.p, y.p);
    uint32_t const r = simplify_quotient(g, x.r, y.r);
    return put_together(g, (struct parts){.c = c, .p = p, .r = r});
}
