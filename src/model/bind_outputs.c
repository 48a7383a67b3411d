/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs and integrals; and every `let`, used or not, so that its errors are found. */
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"

/* Entry k of any symbol as a node. */
static tansy_status entry_node(struct binder *b, uint32_t symbol, size_t k, uint32_t *node)
{
    const struct symbol *const s = &b->symbol.item[symbol];
    uint32_t const number = s->first + (uint32_t)k;
    struct value v;
    switch (s->kind) {
    case SYMBOL_STATE:
    case SYMBOL_ALGEBRAIC:
    case SYMBOL_INTEGRAL:
        *node = bind_state_leaf(b, number);
        return TANSY_OK;
    case SYMBOL_PARAMETER:
        *node = graph_leaf(b->graph, OP_PARAMETER, number);
        return TANSY_OK;
    case SYMBOL_INPUT:
        *node = graph_leaf(b->graph, OP_INPUT, number);
        return TANSY_OK;
    case SYMBOL_CONTROL:
        *node = s->node;
        return TANSY_OK;
    default:
        TRY(bind_definition(b, symbol, k, &v));
        TRY(value_needs_number(b, &v));
        *node = value_node(b, &v);
        return TANSY_OK;
    }
}

static tansy_status add_outputs(struct binder *b, uint32_t symbol, struct place place,
                                const char *unit)
{
    const struct symbol *const s = &b->symbol.item[symbol];
    static const struct indices scalar = {.entries = 1};
    const struct indices *const indices = s->kind == SYMBOL_CONTROL ? &scalar : &s->indices;
    for (size_t k = 0; k < indices->entries; k++) {
        struct output output = {.name = text_entry(b->system, bind_name(b, s->name), indices, k),
                                .unit = unit,
                                .place = place};
        if (!output.name) return BIND_NO_MEMORY(b);
        TRY(entry_node(b, symbol, k, &output.node));
        if (!LIST_ADD(&b->system->output, output)) return BIND_NO_MEMORY(b);
    }
    return TANSY_OK;
}

/* The bracket of `output NAME[...]`: the unit that NAME has.  Indices are meant for an entry, which needs a name. */
static tansy_status check_bracket(struct binder *b, const struct statement *st,
                                  const struct symbol *s)
{
    enum { SHOWN = 20 };
    const char *const text = b->syntax->source.text + st->unit.offset;
    const char *const name = bind_name(b, s->name);
    bool const is_one = st->unit.length == 1 && text[0] == '1';
    bool const is_index = strspn(text, "0123456789, ") >= st->unit.length;
    uint32_t unit;
    char digits[SHOWN + 1] = "";
    for (size_t i = 0, k = 0; i < st->unit.length && k < SHOWN; i++)
        if (text[i] >= '0' && text[i] <= '9') digits[k++] = text[i];
    if (is_index && s->indices.count > 0)
        return BIND_ERROR(b, st->unit,
                          "an entry has a name of its own as an output: output %s%s = %s[%.*s]",
                          name, digits, name, (int)st->unit.length, text);
    if (is_index && !is_one)
        return BIND_ERROR(b, st->unit, "%s is no vector and has no index", name);
    TRY(bind_unit(b, st->unit, &unit, NULL));
    return value_same_unit(b, st->unit, unit, s->unit, "the output and what it names have");
}

/* output NAME of something declared elsewhere, once. */
static tansy_status add_named(struct binder *b, const struct statement *st, bool *is_output)
{
    uint32_t const symbol = b->symbol_of[st->name];
    if (symbol == NO_NAME) return bind_unknown(b, st->name, st->place);
    if (is_output[symbol])
        return BIND_ERROR(b, st->place, "%s is an output already", bind_name(b, st->name));
    is_output[symbol] = true;
    bool const is_named = st->value.count == 0 && !st->list.given;
    if (is_named && st->unit.length > 0) TRY(check_bracket(b, st, &b->symbol.item[symbol]));
    return add_outputs(b, symbol, st->place, b->symbol.item[symbol].unit_text);
}

static tansy_status add_all(struct binder *b, bool *is_output)
{
    for (size_t k = 0; k < b->syntax->statement.count; k++) {
        const struct statement *const st = &b->syntax->statement.item[k];
        if (st->kind == STATEMENT_OUTPUT || st->kind == STATEMENT_INTEGRAL)
            TRY(add_named(b, st, is_output));
    }
    return TANSY_OK;
}

static tansy_status find_lets(struct binder *b)
{
    struct value v;
    for (uint32_t k = 0; k < b->symbol.count; k++)
        for (size_t i = 0;
             b->symbol.item[k].kind == SYMBOL_LET && i < b->symbol.item[k].indices.entries; i++)
            TRY(bind_definition(b, k, i, &v));
    return TANSY_OK;
}

static tansy_status find_integrands(struct binder *b)
{
    struct value v;
    for (uint32_t k = 0; k < b->symbol.count; k++) {
        if (b->symbol.item[k].kind != SYMBOL_INTEGRAL) continue;
        TRY(bind_definition(b, k, 0, &v));
        TRY(value_needs_number(b, &v));
        TRY(bind_take_integral_unit(b, &b->symbol.item[k], &v));
        b->system->state.item[b->symbol.item[k].first].unit = b->symbol.item[k].unit_text;
        if (!LIST_ADD(&b->integrand, value_node(b, &v))) return BIND_NO_MEMORY(b);
    }
    return TANSY_OK;
}

tansy_status bind_outputs(struct binder *b)
{
    TRY(find_integrands(b));
    TRY(find_lets(b)); /* and their units, where they use integrals */
    bool *const is_output = heap_take(b->symbol.count + 1);
    if (!is_output) return BIND_NO_MEMORY(b);
    tansy_status const status = add_all(b, is_output);
    heap_return(is_output);
    TRY(status);
    return graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}
