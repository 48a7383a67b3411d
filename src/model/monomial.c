/* SPDX-License-Identifier: Apache-2.0 */
/* Products of powers, taken apart without recursion. */
#include "model/monomial.h"

#include <math.h>

static bool add_factor(struct monomial *m, struct factor f)
{
    size_t k = 0;
    while (k < m->count && m->factor[k].base != f.base) k++;
    if (k == MAX_BASES) return false;
    if (k == m->count) m->factor[m->count++] = (struct factor){f.base, 0};
    m->factor[k].exponent += f.exponent;
    return true;
}

bool monomial_of(const struct graph *g, uint32_t a, struct monomial *m)
{
    struct factor stack[MAX_BASES + 2] = {{a, 1}};
    size_t count = 1;
    m->count = 0;
    m->number = 1;
    while (count > 0) {
        struct factor f = stack[--count];
        double exponent = 1;
        f.base = split_power(g, f.base, &exponent);
        f.exponent *= exponent;
        struct node const n = *node_at(g, f.base);
        if (n.operation == OP_CONSTANT) m->number *= pow(node_value(&n), f.exponent);
        if (n.operation == OP_CONSTANT) continue;
        if (count >= MAX_BASES) return false;
        if (n.operation == OP_NEGATE || n.operation == OP_MULTIPLY || n.operation == OP_DIVIDE) {
            stack[count++] = (struct factor){n.argument[0], f.exponent};
            if (n.operation == OP_NEGATE) m->number *= pow(-1, f.exponent);
            if (n.operation == OP_NEGATE) continue;
            double const sign = n.operation == OP_DIVIDE ? -1 : 1;
            stack[count++] = (struct factor){n.argument[1], sign * f.exponent};
        } else if (!add_factor(m, f)) {
            return false;
        }
    }
    return true;
}

uint32_t core_of(const struct graph *g, uint32_t a)
{
    enum { DEPTH = 8 };
    uint32_t stack[DEPTH + 2] = {a}, core = ZERO;
    size_t count = 1;
    while (count > 0) {
        uint32_t const at = stack[--count];
        const struct node *const n = node_at(g, at);
        if (n->operation == OP_NEGATE) {
            stack[count++] = n->argument[0];
        } else if (n->operation == OP_SELECT) {
            if (count >= DEPTH) return a;
            stack[count++] = n->argument[1];
            stack[count++] = n->argument[2];
        } else if (at != ZERO) {
            if (core != ZERO && core != at) return a;
            core = at;
        }
    }
    return core;
}

bool is_rooted(const struct graph *g, const uint32_t product[2], unsigned k, struct rooted *r)
{
    r->root = product[1 - k];
    if (!node_is_root(g, r->root)) return false;
    r->x = split_power(g, product[k], &r->m);
    if (!(r->m >= 1) || !monomial_of(g, node_at(g, r->root)->argument[0], &r->inside)) return false;
    uint32_t const core = core_of(g, r->x);
    for (r->which = 0; r->which < r->inside.count; r->which++)
        if (core_of(g, r->inside.factor[r->which].base) == core)
            return r->inside.factor[r->which].exponent > 0;
    return false;
}
