/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a value is known where conditions have none, log(k) > 1 with k < 0: a graph beside that of the value, by three-valued logic (Kleene
   1938).  A condition g >= 0 is known where g is a number; `and` where both sides are, or one is and does not hold; a choice where its
   condition is, and the branch that it takes; all else where its arguments are. */
#include <math.h>

#include "model/bind_guard.h"
#include "model/simplify.h"

/* Sums of leaves and numbers, with factors that are numbers: g is one where they are. */
static bool is_surely_a_number(const struct graph *g, uint32_t node)
{
    enum { MOST = 32 }; /* open at once; more are not looked at */
    uint32_t todo[MOST + 2] = {node};
    size_t count = 1;
    while (count > 0 && count <= MOST) {
        const struct node *const n = node_at(g, todo[--count]);
        bool const scales = n->operation == OP_MULTIPLY && (node_is_constant(g, n->argument[0]) ||
                                                            node_is_constant(g, n->argument[1]));
        if (n->operation < OP_NEGATE) continue;
        if (n->operation != OP_NEGATE && n->operation != OP_ADD && n->operation != OP_SUBTRACT &&
            !scales)
            return false;
        for (unsigned k = 0; k < operation_arguments(n->operation); k++)
            todo[count++] = n->argument[k];
    }
    return count == 0;
}

static uint32_t both(struct graph *g, uint32_t a, uint32_t b)
{
    return a == b ? a : graph_binary(g, OP_MULTIPLY, a, b);
}

/* `and` of conditions a and b: where a is not known, b must be and not hold; where a holds, b must be known. */
static uint32_t known_and(struct graph *g, const uint32_t a[2], const uint32_t known[2])
{
    if (known[0] == ONE && known[1] == ONE) return ONE;
    uint32_t const denies = graph_select(g, a[1], ZERO, known[1]);
    return graph_select(g, known[0], graph_select(g, a[0], known[1], ONE), denies);
}

/* A condition, 0 or 1: a switch, not a condition, two of them. */
static bool is_condition(const struct graph *g, const uint8_t *truth, const struct node *n)
{
    const uint32_t *const a = n->argument;
    if (n->operation == OP_SWITCH) return true;
    if (n->operation == OP_SUBTRACT) return a[0] == ONE && truth[a[1]];
    return n->operation == OP_MULTIPLY && truth[a[0]] && truth[a[1]] && !node_is_constant(g, a[0]);
}

static uint32_t known_switch(struct knowing *k, uint32_t number)
{
    uint32_t const g = k->switching[number].node, image = k->image[g];
    if (k->final[number].is_time) return ONE;
    if (is_surely_a_number(k->to, image)) return k->known[g];
    return both(k->to, k->known[g],
                graph_binary(k->to, OP_AT_LEAST, image, graph_constant(k->to, -HUGE_VAL)));
}

static uint32_t known_of(struct knowing *k, uint32_t i)
{
    const struct node *const n = node_at(k->from, i);
    const uint32_t *const a = n->argument, *const known = k->known;
    if (n->operation == OP_SWITCH) return known_switch(k, n->index);
    switch (operation_arguments(n->operation)) {
    case 0:
        return ONE;
    case 1:
        return known[a[0]];
    case 2:
        if (k->truth[i] && n->operation == OP_MULTIPLY)
            return known_and(k->to, (uint32_t[]){k->image[a[0]], k->image[a[1]]},
                             (uint32_t[]){known[a[0]], known[a[1]]});
        return both(k->to, known[a[0]], known[a[1]]);
    default:
        return both(k->to, known[a[0]],
                    graph_select(k->to, k->image[a[0]], known[a[1]], known[a[2]]));
    }
}

void bind_find_known(struct knowing *k, const uint8_t *mark, unsigned marks)
{
    for (uint32_t i = 0; i < graph_count(k->from); i++) {
        if (!(mark[i] & marks)) continue;
        k->truth[i] = is_condition(k->from, k->truth, node_at(k->from, i));
        k->known[i] = k->from->leaves[i] & 1u << OP_SWITCH ? known_of(k, i) : ONE;
    }
}

uint32_t output_value(struct graph *g, const struct output *output)
{
    if (output->known == ZERO) return output->node;
    return graph_select(g, output->known, output->node, graph_constant(g, (double)NAN));
}
