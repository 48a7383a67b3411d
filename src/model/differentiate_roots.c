/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of roots and powers u^r, 0 < r < 1, of products u = c x^k, by the relative ones of their factors, so that there is no 0
   times infinity at x = 0 where the slope there is 0:
     d(x^m u^r) = (m + k r) x^(m-1) u^r dx + r x^m u^r/c dc,  m >= 1,  of which the second is r x^m u^(r-1) x^k dc, 0 at x = 0, where
     r may be 1 or more, so that c = 0 has its slope, too,
     d(u^r) = k r u^r/x dx + r u^r/c dc,  0 at x = 0,  where k r > 1. */
#include <math.h>

#include "model/differentiate_rows.h"
#include "model/monomial.h"

/* x^m u^r, or u^r alone with m = 0. */
struct root {
    struct rooted of;
    uint32_t inside, r;
    double number; /* r where it is a constant; else 0 */
};

static void set_inside(const struct graph *g, struct root *s)
{
    const struct node *const n = node_at(g, s->of.root);
    s->inside = n->argument[0];
    s->r = n->operation == OP_POWER ? n->argument[1] : UINT32_MAX;
    s->number = n->operation == OP_POWER ? node_value(node_at(g, s->r)) : 0.5;
}

/* Has u^r no slope at base = 0? */
static bool is_flat(const struct root *s, size_t k)
{
    return s->of.m > 0 ? k == s->of.which : s->number * s->of.inside.factor[k].exponent > 1;
}

/* Whether some factor is flat, and no other one may be held at 0 by a condition: there 0/0 would stand. */
static bool is_fit(const struct graph *g, const struct root *s)
{
    size_t flat = 0;
    for (size_t k = 0; k < s->of.inside.count; k++) {
        if (is_flat(s, k))
            flat++;
        else if (g->leaves[s->of.inside.factor[k].base] & CHOOSING)
            return false;
    }
    return flat > 0;
}

/* w becomes x: dw/w = dx/x, or u^r is 0.  Where x itself is a factor too their exponents are one. */
static bool rename_core(struct root *s)
{
    struct monomial *const m = &s->of.inside;
    size_t const w = s->of.which;
    size_t k = 0;
    m->factor[w].base = s->of.x;
    while (k < m->count && (k == w || m->factor[k].base != s->of.x)) k++;
    if (k == m->count) return true;
    m->factor[w].exponent += m->factor[k].exponent;
    m->factor[k] = m->factor[--m->count];
    if (w == m->count) s->of.which = k;
    return m->factor[s->of.which].exponent > 0;
}

static bool find_root(const struct graph *g, uint32_t at, struct root *s)
{
    const struct node *const n = node_at(g, at);
    if (n->operation == OP_MULTIPLY) {
        if (!is_rooted(g, n->argument, 0, &s->of) && !is_rooted(g, n->argument, 1, &s->of))
            return false;
        set_inside(g, s);
        return rename_core(s) && is_fit(g, s);
    }
    if (!node_is_root(g, at)) return false;
    s->of = (struct rooted){.x = UINT32_MAX, .root = at};
    set_inside(g, s);
    if (!(s->number > 0 && s->number < 1)) return false;
    return monomial_of(g, s->inside, &s->of.inside) && is_fit(g, s);
}

bool root_children(const struct graph *g, uint32_t at, uint32_t child[MAX_CHILDREN], size_t *count)
{
    struct root s;
    if (!find_root(g, at, &s)) return false;
    *count = 0;
    for (size_t k = 0; k < s.of.inside.count; k++) child[(*count)++] = s.of.inside.factor[k].base;
    if (s.r != UINT32_MAX) child[(*count)++] = s.r;
    return true;
}

static bool is_even(double x)
{
    return x == 2 * rint(x / 2);
}

/* c of u = c x^k. */
static uint32_t rest_of(struct graph *g, const struct monomial *m, uint32_t x)
{
    uint32_t c = graph_constant(g, m->number);
    for (size_t k = 0; k < m->count; k++)
        if (m->factor[k].base != x)
            c = graph_binary(g, OP_MULTIPLY, c,
                             simplify_constant_power(g, m->factor[k].base, m->factor[k].exponent));
    return c;
}

/* d(u^r)/dx where k r = q > 1: q u^r/x, and 0 at x = 0; for even k and q it is q c^r x^(q-1), whose own slope at 0 is no limit. */
static uint32_t of_flat(struct graph *g, uint32_t at, const struct root *s, struct factor f)
{
    double const q = s->number * f.exponent;
    if (is_even(q) && is_even(f.exponent) && isfinite(s->of.inside.number)) {
        uint32_t const c = rest_of(g, &s->of.inside, f.base);
        uint32_t const root = graph_binary(g, OP_POWER, c, graph_constant(g, s->number));
        return simplify_scale(
            g, q, graph_binary(g, OP_MULTIPLY, root, simplify_constant_power(g, f.base, q - 1)));
    }
    uint32_t const slope = simplify_scale(g, q, graph_binary(g, OP_DIVIDE, at, f.base));
    return graph_select(g, f.base, slope, ZERO);
}

/* du/dc of u = n c^j .., all exponents whole, without a quotient by c; ZERO: there is none. */
static uint32_t of_inside(struct graph *g, const struct root *s, uint32_t c)
{
    struct monomial m; /* not s->of.inside: there x stands for |x|, and the sign is lost */
    double exponent = 0;
    if (!monomial_of(g, s->inside, &m) || !isfinite(m.number)) return ZERO;
    for (size_t k = 0; k < m.count; k++) {
        if (m.factor[k].exponent != rint(m.factor[k].exponent)) return ZERO;
        if (m.factor[k].base == c) exponent = m.factor[k].exponent;
    }
    uint32_t const power = simplify_constant_power(g, c, exponent - 1);
    return simplify_scale(g, exponent, graph_binary(g, OP_MULTIPLY, rest_of(g, &m, c), power));
}

/* d(x^m u^r)/dc where r is not a number below 1, so that the slope at c = 0 may be finite; ZERO: there is no such form. */
static uint32_t of_coefficient(struct graph *g, const struct root *s, uint32_t c)
{
    if (s->r == UINT32_MAX || (s->number != 0 && s->number < 1)) return ZERO;
    uint32_t const inside = of_inside(g, s, c);
    if (inside == ZERO) return ZERO;
    uint32_t const power = simplify_constant_power(g, s->of.x, s->of.m);
    uint32_t const product = graph_binary(g, OP_MULTIPLY, power, inside);
    uint32_t const outside = slope_of_power(g, s->inside, s->r, true);
    return graph_select(g, s->of.x, graph_binary(g, OP_MULTIPLY, outside, product), ZERO);
}

static uint32_t of_factor(struct graph *g, uint32_t at, const struct root *s, struct factor f)
{
    uint32_t const r = s->r == UINT32_MAX ? graph_constant(g, 0.5) : s->r;
    uint32_t const power = simplify_scale(g, f.exponent, r);
    if (s->of.m == 0 && s->number * f.exponent > 1) return of_flat(g, at, s, f);
    uint32_t const whole_slope =
        s->of.m > 0 && f.base != s->of.x ? of_coefficient(g, s, f.base) : ZERO;
    if (whole_slope != ZERO) return whole_slope;
    if (s->of.m == 0 || f.base != s->of.x)
        return graph_binary(g, OP_MULTIPLY, power, graph_binary(g, OP_DIVIDE, at, f.base));
    uint32_t const whole = graph_binary(g, OP_ADD, power, graph_constant(g, s->of.m));
    uint32_t const lower = simplify_constant_power(g, f.base, s->of.m - 1);
    return graph_binary(g, OP_MULTIPLY, whole, graph_binary(g, OP_MULTIPLY, lower, s->of.root));
}

bool root_partial(struct graph *g, uint32_t at, uint32_t child, uint32_t *partial)
{
    struct root s;
    if (!find_root(g, at, &s)) return false;
    *partial = ZERO;
    for (size_t k = 0; k < s.of.inside.count; k++)
        if (s.of.inside.factor[k].base == child)
            *partial =
                graph_binary(g, OP_ADD, *partial, of_factor(g, at, &s, s.of.inside.factor[k]));
    if (s.r == child) {
        uint32_t const log = graph_unary(g, OP_LOG, s.inside);
        uint32_t const product = graph_binary(g, OP_MULTIPLY, at, log);
        *partial = graph_binary(g, OP_ADD, *partial, graph_select(g, s.inside, product, ZERO));
    }
    return true;
}
