/* SPDX-License-Identifier: Apache-2.0 */
/* Which expressions a condition g >= 0 decides the sign of: multiples of g, as sums of terms; and what holds them on a side. */
#include "model/bind_guard.h"

#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "model/simplify.h"

enum { MAX_SUM = 24 }; /* terms of a sum; longer ones are not compared */

/* sum of c_k atom_k, atoms rising; a number is the atom ONE. */
struct sum {
    size_t count;
    uint32_t atom[MAX_SUM];
    double c[MAX_SUM];
};

static bool add_term(struct sum *s, uint32_t atom, double c)
{
    size_t at = 0;
    while (at < s->count && s->atom[at] < atom) at++;
    if (at < s->count && s->atom[at] == atom) {
        s->c[at] += c;
        return true;
    }
    if (s->count == MAX_SUM) return false;
    for (size_t k = s->count++; k > at; k--) {
        s->atom[k] = s->atom[k - 1];
        s->c[k] = s->c[k - 1];
    }
    s->atom[at] = atom;
    s->c[at] = c;
    return true;
}

/* False: it is too long. */
static bool take_apart(const struct graph *g, uint32_t node, struct sum *s)
{
    uint32_t todo[MAX_SUM + 2] = {node};
    double factor[MAX_SUM + 2] = {1};
    size_t count = 1;
    s->count = 0;
    while (count > 0) {
        double inner = 1;
        uint32_t const at = split_coefficient(g, todo[--count], &inner);
        double const c = factor[count] * inner;
        const struct node *const n = node_at(g, at);
        if (n->operation != OP_ADD && n->operation != OP_SUBTRACT) {
            if (!add_term(s, at, c)) return false;
            continue;
        }
        if (count >= MAX_SUM) return false;
        todo[count] = n->argument[0];
        factor[count++] = c;
        todo[count] = n->argument[1];
        factor[count++] = n->operation == OP_ADD ? c : -c;
    }
    return true;
}

double guard_ratio(const struct graph *g, uint32_t node, uint32_t condition)
{
    struct sum a, b;
    double const same = 8 * DBL_EPSILON; /* of coefficients: products of a few numbers */
    if (!take_apart(g, node, &a) || !take_apart(g, condition, &b) || a.count != b.count) return 0;
    size_t const last = a.count - 1; /* not the number, unless that is all */
    double const ratio = a.c[last] / b.c[last];
    if (!isfinite(ratio) || a.atom[last] == ONE) return 0;
    for (size_t k = 0; k < a.count; k++)
        if (a.atom[k] != b.atom[k] || !(fabs(a.c[k] - ratio * b.c[k]) <= same * fabs(a.c[k])))
            return 0;
    return ratio;
}

uint32_t guard_key(const struct graph *g, uint32_t node)
{
    struct sum s;
    if (!take_apart(g, node, &s)) return UINT32_MAX;
    for (size_t k = 0; k < s.count; k++)
        if (s.atom[k] != ONE) return s.atom[k];
    return UINT32_MAX;
}

enum under guard_kind(const struct graph *g, const struct node *n)
{
    if (n->operation == OP_LOG) return UNDER_LOG;
    if (n->operation == OP_SQRT) return UNDER_POWER;
    if (n->operation != OP_POWER) return UNDER_NOTHING;
    const struct node *const exponent = node_at(g, n->argument[1]);
    bool const is_whole =
        exponent->operation == OP_CONSTANT && node_value(exponent) == rint(node_value(exponent));
    return is_whole ? UNDER_NOTHING : UNDER_POWER;
}

/* 1 - a, as `not` is written. */
static bool is_opposite(const struct graph *g, const struct node *n)
{
    return n->operation == OP_SUBTRACT && graph_is(g, n->argument[0], 1);
}

size_t guard_literals(const struct graph *g, uint32_t condition, bool holds,
                      struct literal literal[MAX_LITERALS])
{
    struct literal todo[MAX_LITERALS + 2] = {{condition, holds}};
    size_t count = 1, found = 0;
    while (count > 0 && found < MAX_LITERALS) {
        struct literal const at = todo[--count];
        const struct node *const n = node_at(g, at.number);
        if (n->operation == OP_SWITCH) {
            literal[found++] = (struct literal){n->index, at.holds};
        } else if (is_opposite(g, n)) {
            todo[count++] = (struct literal){n->argument[1], !at.holds};
        } else if (count < MAX_LITERALS && n->operation == OP_MULTIPLY && at.holds) {
            todo[count++] = (struct literal){n->argument[0], at.holds};
            todo[count++] = (struct literal){n->argument[1], at.holds};
        }
    }
    return found;
}

/* Through products and quotients alone, whose sign is that of their factors. */
static bool is_product(const struct node *n)
{
    return (n->operation == OP_MULTIPLY && n->argument[0] != n->argument[1]) ||
           n->operation == OP_DIVIDE || n->operation == OP_NEGATE;
}

/* The base and the factors below it; from[k]: which of them has factor k as an argument. */
static size_t list_factors(const struct graph *g, uint32_t base, uint32_t factor[MAX_FACTORS],
                           size_t from[MAX_FACTORS])
{
    size_t count = 1;
    factor[0] = base;
    from[0] = SIZE_MAX;
    for (size_t k = 0; k < count; k++) {
        const struct node *const n = node_at(g, factor[k]);
        if (!is_product(n) || count + 2 > MAX_FACTORS) continue;
        for (unsigned a = 0; a < operation_arguments(n->operation); a++) {
            from[count] = k;
            factor[count++] = n->argument[a];
        }
    }
    return count;
}

size_t guard_factors(const struct graph *g, uint32_t base, uint32_t factor[MAX_FACTORS])
{
    size_t from[MAX_FACTORS];
    return list_factors(g, base, factor, from);
}

/* max(x, floor), or min(x, -floor).  The floor is taken where x is at most the number below it, so that x at the floor has its
   slope, and an x that is not a number, abs(log(c)) with c < 0, stays so: no comparison with it is true. */
static uint32_t hold(struct graph *g, uint32_t x, int sign, enum under under)
{
    double const least = under == UNDER_LOG ? DBL_MIN : 0;
    uint32_t const floor = graph_constant(g, least);
    uint32_t const below = graph_constant(g, nextafter(least, -1));
    uint32_t const up = sign > 0 ? x : graph_unary(g, OP_NEGATE, x);
    uint32_t const held = graph_select(g, graph_binary(g, OP_AT_LEAST, below, up), floor, up);
    return sign > 0 ? held : graph_unary(g, OP_NEGATE, held);
}

/* Node n with argument `before` replaced. */
static uint32_t replace(struct graph *g, struct node n, uint32_t before, uint32_t now)
{
    if (n.operation == OP_NEGATE) return graph_unary(g, OP_NEGATE, now);
    uint32_t const a = n.argument[0] == before ? now : n.argument[0];
    uint32_t const b = n.argument[1] == before ? now : n.argument[1];
    return graph_binary(g, n.operation, a, b);
}

bool guard_is_whole(const struct graph *g, uint32_t base, const struct promises *promises)
{
    bool whole = false;
    for (size_t j = 0; j < promises->count; j++)
        whole = whole || guard_ratio(g, base, promises->item[j].g) != 0;
    return whole;
}

uint32_t guard_base(struct graph *g, uint32_t base, const struct promises *promises,
                    enum under under)
{
    uint32_t factor[MAX_FACTORS];
    size_t from[MAX_FACTORS];
    size_t const count = list_factors(g, base, factor, from);
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < promises->count; j++) {
            const struct promise *const promise = &promises->item[j];
            double const ratio = guard_ratio(g, factor[k], promise->g);
            if (ratio == 0) continue;
            uint32_t now = hold(g, factor[k], ratio > 0 ? promise->sign : -promise->sign, under);
            for (size_t at = k; from[at] != SIZE_MAX; at = from[at])
                now = replace(g, *node_at(g, factor[from[at]]), factor[at], now);
            return now;
        }
    return base;
}

static uint32_t image_of(const struct guard_room *room, uint32_t node)
{
    uint32_t const image = room->image.item[node];
    return image ? image - 1 : node;
}

/* The node with the images of its arguments; a root with its base guarded. */
static uint32_t rebuild(struct graph *g, uint32_t at, const struct promises *promises,
                        const struct guard_room *room)
{
    struct node const n = *node_at(g, at);
    uint32_t argument[3] = {ZERO, ZERO, ZERO};
    unsigned const arguments = operation_arguments(n.operation);
    enum under const under = guard_kind(g, &n);
    bool changed = false;
    for (unsigned k = 0; k < arguments; k++) {
        argument[k] = image_of(room, n.argument[k]);
        if (k == 0 && under != UNDER_NOTHING)
            argument[k] = guard_base(g, argument[k], promises, under);
        changed = changed || argument[k] != n.argument[k];
    }
    if (!changed) return at;
    if (arguments == 1) return graph_unary(g, n.operation, argument[0]);
    if (arguments == 2) return graph_binary(g, n.operation, argument[0], argument[1]);
    return graph_select(g, argument[0], argument[1], argument[2]);
}

#define ROOM_ADD(g, room, list, value)                                                             \
    do {                                                                                           \
        if (!LIST_ADD(&(room)->list, value)) (g)->failed = true;                                   \
    } while (0)

/* Arguments first, none below the lowest root. */
static void walk(struct graph *g, const struct promises *promises, uint32_t lowest,
                 struct guard_room *room)
{
    while (room->stack.count > 0 && !g->failed) {
        uint32_t const at = room->stack.item[room->stack.count - 1];
        const struct node *const n = node_at(g, at);
        size_t const before = room->stack.count;
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            if (n->argument[k] >= lowest && !room->image.item[n->argument[k]])
                ROOM_ADD(g, room, stack, n->argument[k]);
        if (room->stack.count > before) continue;
        room->stack.count--;
        if (room->image.item[at]) continue; /* met by two ways */
        room->image.item[at] = rebuild(g, at, promises, room) + 1;
        ROOM_ADD(g, room, seen, at);
    }
}

uint32_t guard_branch(struct graph *g, uint32_t branch, const struct promises *promises,
                      struct guard_room *room)
{
    uint32_t lowest = UINT32_MAX;
    for (size_t j = 0; j < promises->count; j++)
        if (promises->item[j].first < lowest) lowest = promises->item[j].first;
    if (g->failed || branch < lowest) return branch;
    while (room->image.count < g->node.count && !g->failed) ROOM_ADD(g, room, image, 0);
    ROOM_ADD(g, room, stack, branch);
    walk(g, promises, lowest, room);
    uint32_t const result = g->failed ? ZERO : image_of(room, branch);
    for (size_t k = 0; k < room->seen.count; k++) room->image.item[room->seen.item[k]] = 0;
    room->seen.count = room->stack.count = 0;
    return result;
}

void guard_room_free(struct guard_room *room)
{
    LIST_FREE(&room->image);
    LIST_FREE(&room->stack);
    LIST_FREE(&room->seen);
}
