/* SPDX-License-Identifier: Apache-2.0 */
#include "support/kinetics.h"

#include <math.h>

#include "base/heap.h"
#include "support/random.h"

static int below(struct random_source *source, int count)
{
    return (int)((random_next(source) + 1) / 2 * count);
}

static void make_reaction(struct reaction *r, int species, struct random_source *source)
{
    r->reactants = 1 + (below(source, 10) < 7);
    for (int j = 0; j < r->reactants; j++) r->reactant[j] = below(source, species);
    r->products = 1 + below(source, MOST_PRODUCTS - 1) + (below(source, 10) == 0);
    for (int j = 0; j < r->products; j++) r->product[j] = below(source, species);
    r->A = pow(10, 4 + 3 * random_next(source));
    r->E = 8e4 + 6e4 * random_next(source);
    r->heat = 40 * random_next(source);
}

void kinetics_make(struct kinetics *k, int n, int reactions, int hot)
{
    struct random_source source = {(uint64_t)n};
    *k = (struct kinetics){.n = n, .species = n - (hot != 0), .reactions = reactions, .hot = hot};
    k->reaction = heap_take((size_t)reactions * sizeof *k->reaction);
    k->y = heap_take((size_t)n * sizeof *k->y);
    k->p = heap_take(2 * (size_t)reactions * sizeof *k->p + sizeof *k->p);
    for (int i = 0; i < k->species; i++) k->y[i] = 1 + 0.9 * random_next(&source);
    if (hot) k->y[n - 1] = FIXED_T;
    for (int r = 0; r < reactions; r++) {
        make_reaction(&k->reaction[r], k->species, &source);
        k->p[2 * r] = k->reaction[r].A;
        k->p[2 * r + 1] = k->reaction[r].E;
    }
}

void kinetics_free(struct kinetics *k)
{
    heap_return(k->reaction);
    heap_return(k->y);
    heap_return(k->p);
}

static uint32_t add_to(struct graph *g, uint32_t sum, uint32_t term, enum operation operation)
{
    return graph_binary(g, operation, sum, term);
}

/* r = A exp(-E/(R T)) y_a y_b */
static uint32_t rate_of(const struct kinetics *k, struct graph *g, uint32_t T, int r)
{
    uint32_t const A = graph_leaf(g, OP_PARAMETER, (uint32_t)(2 * r));
    uint32_t const E = graph_leaf(g, OP_PARAMETER, (uint32_t)(2 * r + 1));
    uint32_t const RT = graph_binary(g, OP_MULTIPLY, graph_constant(g, GAS_CONSTANT), T);
    uint32_t const power = graph_unary(g, OP_NEGATE, graph_binary(g, OP_DIVIDE, E, RT));
    uint32_t rate = graph_binary(g, OP_MULTIPLY, A, graph_unary(g, OP_EXP, power));
    for (int j = 0; j < k->reaction[r].reactants; j++)
        rate = graph_binary(g, OP_MULTIPLY, rate,
                            graph_leaf(g, OP_STATE, (uint32_t)k->reaction[r].reactant[j]));
    return rate;
}

void kinetics_rhs(const struct kinetics *k, struct graph *g, uint32_t *rhs)
{
    for (int i = 0; i < k->n; i++) {
        rhs[i] = graph_constant(g, 0);
        graph_leaf(g, OP_STATE, (uint32_t)i);
    }
    uint32_t const T =
        k->hot ? graph_leaf(g, OP_STATE, (uint32_t)(k->n - 1)) : graph_constant(g, FIXED_T);
    for (int r = 0; r < k->reactions; r++) {
        const struct reaction *const reaction = &k->reaction[r];
        uint32_t const rate = rate_of(k, g, T, r);
        for (int j = 0; j < reaction->reactants; j++)
            rhs[reaction->reactant[j]] = add_to(g, rhs[reaction->reactant[j]], rate, OP_SUBTRACT);
        for (int j = 0; j < reaction->products; j++)
            rhs[reaction->product[j]] = add_to(g, rhs[reaction->product[j]], rate, OP_ADD);
        if (k->hot)
            rhs[k->n - 1] = add_to(
                g, rhs[k->n - 1],
                graph_binary(g, OP_MULTIPLY, graph_constant(g, reaction->heat), rate), OP_ADD);
    }
    if (!k->hot) return;
    uint32_t const warm = graph_binary(g, OP_SUBTRACT, T, graph_constant(g, AMBIENT));
    rhs[k->n - 1] =
        add_to(g, rhs[k->n - 1], graph_binary(g, OP_MULTIPLY, graph_constant(g, COOLING), warm),
               OP_SUBTRACT);
}
