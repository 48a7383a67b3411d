/* SPDX-License-Identifier: Apache-2.0 */
/* Reactions: x' is the sum over all reactions of (stoichiometry on the right - on the left) times the net rate. */
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"
#include "model/simplify.h"

struct change {
    uint32_t state, unit; /* of x' */
    double by;
    struct place place;
};
struct changes {
    LIST(struct change) list;
};

/* Which state a species is, and the unit of its derivative. */
static tansy_status find_species(struct binder *b, const struct species *species,
                                 struct change *change)
{
    struct value index[MAX_INDICES], fault;
    uint32_t const symbol = b->symbol_of[species->name];
    uint32_t count = 0;
    size_t entry;
    if (symbol == NO_NAME) return bind_unknown(b, species->name, species->place);
    if (b->symbol.item[symbol].kind != SYMBOL_STATE)
        return BIND_ERROR(b, species->place, "the species of a reaction are states, but %s is not",
                          bind_name(b, species->name));
    while (count < MAX_INDICES && species->index[count].count > 0) {
        TRY(bind_number(b, species->index[count], &index[count]));
        count++;
    }
    TRY(bind_entry(b, symbol, species->place, index, count, &entry, &fault));
    if (entry == SIZE_MAX) return bind_poisoned(b, &fault);
    change->state = b->symbol.item[symbol].first + (uint32_t)entry;
    change->unit = unit_multiply(&b->units, b->symbol.item[symbol].unit, b->time_unit, -1);
    change->place = species->place;
    return TANSY_OK;
}

/* Adds sign times the molecules of one side; a species on both sides changes by the difference. */
static tansy_status add_side(struct binder *b, uint32_t first, uint32_t count, double sign,
                             struct changes *changes)
{
    for (uint32_t k = 0; k < count; k++) {
        const struct species *const species = &b->syntax->species.item[first + k];
        struct value molecules = value_number(1, species->place);
        struct change change = {0};
        size_t at = 0;
        TRY(find_species(b, species, &change));
        if (species->stoichiometry.count > 0)
            TRY(bind_number(b, species->stoichiometry, &molecules));
        TRY(value_is_plain(b, &molecules,
                           "the number of molecules has no dimension, but there are"));
        while (at < changes->list.count && changes->list.item[at].state != change.state) at++;
        if (at == changes->list.count && !LIST_ADD(&changes->list, change))
            return BIND_NO_MEMORY(b);
        changes->list.item[at].by += sign * molecules.number;
    }
    return TANSY_OK;
}

/* One reaction, of the indices that are bound. */
static tansy_status add_reaction(struct binder *b, const struct statement *st,
                                 const struct value *rate, struct changes *changes)
{
    changes->list.count = 0;
    TRY(add_side(b, st->left_first, st->left_count, -1, changes));
    TRY(add_side(b, st->right_first, st->right_count, 1, changes));
    uint32_t const node = value_node(b, rate);
    for (size_t k = 0; k < changes->list.count; k++) {
        const struct change *const c = &changes->list.item[k];
        TRY(value_same_unit(b, c->place, c->unit, rate->unit,
                            "the species and the rate of this reaction have"));
        uint32_t const share =
            graph_binary(b->graph, OP_MULTIPLY, graph_constant(b->graph, c->by), node);
        if (!LIST_ADD(&b->share, (struct share){c->state, c->by != 0 ? share : ZERO}))
            return BIND_NO_MEMORY(b); /* a catalyst has 0, and so an equation */
    }
    return TANSY_OK;
}

static tansy_status add_reactions(struct binder *b, uint32_t symbol, struct changes *changes)
{
    const struct symbol *const s = &b->symbol.item[symbol];
    for (size_t k = 0; k < s->indices.entries; k++) {
        struct value rate;
        bind_loop_end(b);
        TRY(bind_definition(b, symbol, k, &rate));
        TRY(value_needs_number(b, &rate));
        TRY(bind_loop_begin(b, &s->indices));
        bind_loop_set(b, &s->indices, k);
        TRY(add_reaction(b, bind_statement(b, s), &rate, changes));
    }
    bind_loop_end(b);
    return TANSY_OK;
}

/* By state; shares of a state in the order of the reactions. */
static tansy_status sort_shares(struct binder *b)
{
    size_t const states = b->first_integral, count = b->share.count;
    struct share *const sorted = heap_take(count * sizeof *sorted);
    size_t *const start = heap_take((states + 1) * sizeof *start);
    bool const good = sorted && start;
    if (good) {
        for (size_t k = 0; k < count; k++) start[b->share.item[k].state + 1]++;
        for (size_t i = 0; i < states; i++) start[i + 1] += start[i];
        for (size_t k = 0; k < count; k++)
            sorted[start[b->share.item[k].state]++] = b->share.item[k];
        memcpy(b->share.item, sorted, count * sizeof *sorted);
    }
    heap_return(sorted);
    heap_return(start);
    return good ? TANSY_OK : BIND_NO_MEMORY(b);
}

tansy_status bind_reactions(struct binder *b)
{
    struct changes changes = {0};
    tansy_status status = TANSY_OK;
    for (uint32_t k = 0; k < b->symbol.count && status == TANSY_OK; k++)
        if (b->symbol.item[k].kind == SYMBOL_REACTION) status = add_reactions(b, k, &changes);
    LIST_FREE(&changes.list);
    TRY(status);
    return b->share.count > 0 ? sort_shares(b) : TANSY_OK;
}

/* The first share of the state, or where it would stand. */
static size_t first_share(const struct binder *b, uint32_t state)
{
    size_t from = 0, to = b->share.count;
    while (from < to) {
        size_t const middle = (from + to) / 2;
        if (b->share.item[middle].state < state)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool bind_is_species(const struct binder *b, uint32_t state)
{
    size_t const at = first_share(b, state);
    return at < b->share.count && b->share.item[at].state == state;
}

uint32_t bind_shares_of(struct binder *b, uint32_t state, size_t *count)
{
    size_t k = first_share(b, state);
    b->scratch.count = 0;
    for (; k < b->share.count && b->share.item[k].state == state; k++)
        if (b->share.item[k].node != ZERO)
            b->no_memory |= !LIST_ADD(&b->scratch, b->share.item[k].node);
    *count = b->scratch.count;
    return value_sum(b, b->scratch.item, b->scratch.count);
}
