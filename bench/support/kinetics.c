/* SPDX-License-Identifier: Apache-2.0 */
#include "support/kinetics.h"

#include <math.h>
#include <stdlib.h>

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
    r->b = 2 * random_next(source);
}

void kinetics_make(struct kinetics *k, struct kinetics_kind kind)
{
    struct random_source source = {(uint64_t)kind.n};
    *k = (struct kinetics){.n = kind.n,
                           .species = kind.n - kind.hot,
                           .reactions = kind.reactions,
                           .hot = kind.hot,
                           .each = kind.has_power ? 3 : 2};
    k->np = k->each * k->reactions + !kind.hot;
    k->reaction = heap_take((size_t)k->reactions * sizeof *k->reaction);
    k->y = heap_take((size_t)k->n * sizeof *k->y);
    k->p = heap_take((size_t)k->np * sizeof *k->p);
    if (!k->reaction || !k->y || !k->p) exit(EXIT_FAILURE);
    for (int i = 0; i < k->species; i++) k->y[i] = 1 + 0.9 * random_next(&source);
    *(kind.hot ? &k->y[k->n - 1] : &k->p[k->np - 1]) = TEMPERATURE;
    for (int r = 0; r < k->reactions; r++) {
        struct reaction *const reaction = &k->reaction[r];
        make_reaction(reaction, k->species, &source);
        k->p[index_A(k, r)] = reaction->A;
        k->p[index_E(k, r)] = reaction->E;
        if (!kind.has_power) continue;
        k->p[index_A(k, r)] = reaction->A * pow(TEMPERATURE, -reaction->b);
        k->p[index_b(k, r)] = reaction->b;
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

/* r = A T^b exp(-E/(R T)) y_a y_b */
static uint32_t rate_of(const struct kinetics *k, struct graph *g, uint32_t T, int r)
{
    uint32_t const A = graph_leaf(g, OP_PARAMETER, (uint32_t)index_A(k, r));
    uint32_t const E = graph_leaf(g, OP_PARAMETER, (uint32_t)index_E(k, r));
    uint32_t const RT = graph_binary(g, OP_MULTIPLY, graph_constant(g, GAS_CONSTANT), T);
    uint32_t const power = graph_unary(g, OP_NEGATE, graph_binary(g, OP_DIVIDE, E, RT));
    uint32_t rate = A;
    if (k->each == 3) {
        uint32_t const b = graph_leaf(g, OP_PARAMETER, (uint32_t)index_b(k, r));
        rate = graph_binary(g, OP_MULTIPLY, rate, graph_binary(g, OP_POWER, T, b));
    }
    rate = graph_binary(g, OP_MULTIPLY, rate, graph_unary(g, OP_EXP, power));
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
    uint32_t const T = k->hot ? graph_leaf(g, OP_STATE, (uint32_t)(k->n - 1))
                              : graph_leaf(g, OP_PARAMETER, (uint32_t)(k->np - 1));
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
