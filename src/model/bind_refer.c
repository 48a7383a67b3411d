/* SPDX-License-Identifier: Apache-2.0 */
/* What a name in an expression stands for: a leaf of the graph, or a definition, which may have to be found first. */
#include <math.h>

#include "model/bind.h"
#include "model/bind_frames.h"

uint32_t bind_state_leaf(struct binder *b, uint32_t state)
{
    uint32_t *const leaf = &b->state_leaf.item[state];
    if (*leaf == UINT32_MAX) *leaf = graph_leaf(b->graph, OP_STATE, state);
    return *leaf;
}

static tansy_status wrong_count(struct binder *b, const struct symbol *s, struct place place,
                                uint32_t count)
{
    const char *const name = bind_name(b, s->name);
    if (count == 0)
        return BIND_ERROR(b, place,
                          "%s is a vector; write its entries with %u ind%s, such as %s[%s]", name,
                          (unsigned)s->indices.count, s->indices.count > 1 ? "ices" : "ex", name,
                          s->indices.count == 1   ? "i"
                          : s->indices.count == 2 ? "i,j"
                                                  : "i,j,k");
    if (s->indices.count == 0)
        return BIND_ERROR(b, place, "%s is no vector and has no index", name);
    return BIND_ERROR(b, place, "%s has %u ind%s, not %u", name, (unsigned)s->indices.count,
                      s->indices.count > 1 ? "ices" : "ex", (unsigned)count);
}

/* Index number k must be a constant whole number in its range. */
static tansy_status one_index(struct binder *b, uint32_t symbol, uint32_t k,
                              const struct value *index, size_t *entry, struct value *result)
{
    const struct indices *const indices = &b->symbol.item[symbol].indices;
    if (index->kind == VALUE_NODE || index->is_condition)
        return BIND_ERROR(b, index->place, "an index is made of constants and index names");
    if (index->kind == VALUE_POISON) {
        *result = *index;
        *entry = SIZE_MAX;
        return TANSY_OK;
    }
    TRY(value_is_plain(b, index, "an index has no dimension, but there are"));
    double const lower = (double)indices->lower[k], upper = lower + indices->size[k] - 1;
    bool const is_whole = index->number == floor(index->number);
    if (is_whole && index->number >= lower && index->number <= upper) {
        *entry = *entry * indices->size[k] + (size_t)(index->number - lower);
        return TANSY_OK;
    }
    *entry = SIZE_MAX;
    *result = value_poison(b, (struct poison){.kind = is_whole ? POISON_INDEX : POISON_NOT_INTEGER,
                                              .place = index->place,
                                              .symbol = symbol,
                                              .index = k,
                                              .value = index->number,
                                              .lower = lower,
                                              .upper = upper});
    return TANSY_OK;
}

tansy_status bind_entry(struct binder *b, uint32_t symbol, struct place place,
                        const struct value *index, uint32_t count, size_t *entry,
                        struct value *result)
{
    const struct symbol *const s = &b->symbol.item[symbol];
    if (!s->is_sized)
        return BIND_ERROR(b, place, "the size of %s is not known yet: declare it before",
                          bind_name(b, s->name));
    if (count != s->indices.count) return wrong_count(b, s, place, count);
    *entry = 0;
    for (uint32_t k = 0; k < count && *entry != SIZE_MAX; k++)
        TRY(one_index(b, symbol, k, &index[k], entry, result));
    return TANSY_OK;
}

/* The value of a definition, or the wish that it be found. */
static void define(struct binder *b, uint32_t symbol, size_t entry, struct place place,
                   struct value *result, struct wanted *wanted)
{
    const struct definition *const d = &b->definition.item[b->symbol.item[symbol].slot + entry];
    if (d->progress == DEFINITION_DONE) {
        *result = d->value;
        result->place = place;
        return;
    }
    *wanted = (struct wanted){.symbol = symbol, .entry = entry, .is_waiting = true};
}

static bool is_state(const struct symbol *s)
{
    return s->kind == SYMBOL_STATE || s->kind == SYMBOL_ALGEBRAIC || s->kind == SYMBOL_INTEGRAL;
}

/* Constants go everywhere; states do not go into initial values. */
static tansy_status check_mode(struct binder *b, const struct symbol *s, const struct term *term,
                               enum mode mode)
{
    const char *const name = bind_name(b, s->name);
    const char *const kind = symbol_kind_text(s->kind);
    if (mode == MODE_CONSTANT && s->kind != SYMBOL_CONSTANT)
        return BIND_ERROR(b, term->place, "only constants can be used here, but %s is a%s %s", name,
                          kind[0] == 'a' || kind[0] == 'i' || kind[0] == 'o' ? "n" : "", kind);
    if (mode == MODE_TIME && s->kind != SYMBOL_CONSTANT && s->kind != SYMBOL_PARAMETER)
        return BIND_ERROR(b, term->place,
                          "times here are made of constants and parameters, but %s is a%s "
                          "%s",
                          name, kind[0] == 'a' || kind[0] == 'i' || kind[0] == 'o' ? "n" : "",
                          kind);
    if (mode == MODE_INITIAL && is_state(s) && term->kind == TERM_NAME)
        return BIND_ERROR(b, term->place,
                          "an initial value is made of parameters and initial values; write %s(0)",
                          name);
    if (mode == MODE_INITIAL && s->kind == SYMBOL_INPUT)
        return BIND_ERROR(b, term->place, "an initial value cannot depend on time, but %s does",
                          name);
    if (mode == MODE_INITIAL && s->kind == SYMBOL_CONTROL && term->count == 0)
        return BIND_ERROR(b, term->place,
                          "an initial value cannot depend on time, but %s does; %s[1] is its first "
                          "level",
                          name, name);
    return TANSY_OK;
}

/* A definition is being evaluated: a let is the same wherever it is used. */
static bool is_defining(const struct binder *b)
{
    const struct evaluator *const v = b->evaluator;
    size_t k = 0;
    while (k < v->frame.count && v->frame.item[k].kind != FRAME_DEFINITION) k++;
    return k < v->frame.count;
}

bool bind_is_number(const struct binder *b, uint32_t name)
{
    bool const is_known = name == b->name_time || name == b->name_t || name == b->name_pi;
    return is_known && b->symbol_of[name] == NO_NAME;
}

/* name', name(0) or name[...] of a name that nothing declares. */
static tansy_status refuse_part(struct binder *b, const struct term *term)
{
    if (!bind_is_number(b, term->name)) return bind_unknown(b, term->name, term->place);
    return BIND_ERROR(b, term->place, "%s is %s has no %s", bind_name(b, term->name),
                      term->name == b->name_t ? "time unless it is declared, and" : "a number and",
                      term->count > 0              ? "index"
                      : term->kind == TERM_INITIAL ? "initial value"
                                                   : "derivative");
}

/* time, t, pi, reactions, where they are not declared. */
static tansy_status predefined(struct binder *b, const struct term *term, enum mode mode,
                               struct value *result)
{
    bool const is_whole = term->kind == TERM_NAME && term->count == 0;
    if (!is_whole && term->name != b->name_reactions) return refuse_part(b, term);
    if (term->name == b->name_pi) {
        *result = value_number(3.14159265358979323846, term->place);
        result->unit = UNIT_NONE;
        return TANSY_OK;
    }
    if (term->name == b->name_time || term->name == b->name_t) {
        if (mode != MODE_MODEL)
            return BIND_ERROR(b, term->place, "%s cannot depend on time",
                              mode == MODE_INITIAL ? "an initial value"
                              : mode == MODE_TIME  ? "a time of a grid"
                                                   : "a constant");
        *result = value_of(graph_leaf(b->graph, OP_TIME, 0), b->time_unit, term->place);
        return TANSY_OK;
    }
    if (term->name == b->name_reactions && is_whole && b->current_state != UINT32_MAX &&
        !is_defining(b)) {
        size_t count;
        b->reactions_used = true;
        *result = value_of(bind_shares_of(b, b->current_state, &count), UNIT_UNKNOWN, term->place);
        if (bind_is_species(b, b->current_state)) return TANSY_OK;
        return BIND_ERROR(b, term->place, "no reaction changes %s, and it stands in none",
                          b->system->state.item[b->current_state].name);
    }
    if (term->name == b->name_reactions)
        return BIND_ERROR(b, term->place,
                          "`reactions` stands for the reactions of x in x' = reactions + ... only");
    return bind_unknown(b, term->name, term->place);
}

static tansy_status refer_control(struct binder *b, const struct symbol *s, const struct term *term,
                                  const struct value *index, struct value *result)
{
    if (term->count == 0) {
        *result = value_of(s->node, s->unit, term->place);
        return TANSY_OK;
    }
    size_t entry = 0;
    TRY(bind_entry(b, b->symbol_of[term->name], term->place, index, term->count, &entry, result));
    if (entry == SIZE_MAX) return TANSY_OK;
    uint32_t const level = s->first + (uint32_t)entry;
    *result = value_of(graph_leaf(b->graph, OP_PARAMETER, level), s->unit, term->place);
    b->system->parameter.item[level].active_from = -HUGE_VAL; /* it acts where it stands */
    return TANSY_OK;
}

static tansy_status no_derivative(struct binder *b, const struct symbol *s, const struct term *term)
{
    return BIND_ERROR(b, term->place, "%s is no state (it is declared as %s) and has no derivative",
                      bind_name(b, s->name), symbol_kind_text(s->kind));
}

/* name[...]' and name[...](0). */
static tansy_status refer_state(struct binder *b, uint32_t symbol, const struct term *term,
                                size_t entry, enum mode mode, struct value *result,
                                struct wanted *wanted)
{
    const struct symbol *const s = &b->symbol.item[symbol];
    if (term->kind == TERM_INITIAL && s->kind == SYMBOL_INTEGRAL) {
        *result = value_number(0, term->place);
        result->unit = s->unit;
        return TANSY_OK;
    }
    if (term->kind == TERM_INITIAL && s->kind == SYMBOL_ALGEBRAIC && mode != MODE_INITIAL)
        return BIND_ERROR(b, term->place,
                          "%s(0) is not known: what the declaration of an algebraic variable gives "
                          "is a first guess; write what its equation makes of it at the start",
                          bind_name(b, s->name));
    if (term->kind == TERM_INITIAL) {
        define(b, symbol, entry, term->place, result, wanted);
        if (!wanted->is_waiting) b->system->state.item[s->first + entry].initial_is_used = true;
        return TANSY_OK;
    }
    if (mode == MODE_INITIAL)
        return BIND_ERROR(b, term->place, "an initial value cannot depend on a derivative");
    if (s->kind != SYMBOL_STATE) return no_derivative(b, s, term);
    uint32_t const unit = unit_multiply(&b->units, s->unit, b->time_unit, -1);
    *result =
        value_of(graph_leaf(b->graph, OP_RATE, s->first + (uint32_t)entry), unit, term->place);
    return TANSY_OK;
}

tansy_status bind_rate_of(struct binder *b, const struct term *term, const struct value *index,
                          uint32_t *state, uint32_t *unit, struct value *fault)
{
    uint32_t const symbol = b->symbol_of[term->name];
    size_t entry = SIZE_MAX;
    if (symbol == NO_NAME) return refuse_part(b, term);
    const struct symbol *const s = &b->symbol.item[symbol];
    if (s->kind != SYMBOL_STATE) return no_derivative(b, s, term);
    TRY(bind_entry(b, symbol, term->place, index, term->count, &entry, fault));
    if (entry == SIZE_MAX) return bind_poisoned(b, fault);
    *state = s->first + (uint32_t)entry;
    *unit = unit_multiply(&b->units, s->unit, b->time_unit, -1);
    return TANSY_OK;
}

tansy_status bind_refer(struct binder *b, const struct term *term, enum mode mode,
                        const struct value *index, struct value *result, struct wanted *wanted)
{
    uint32_t const symbol = b->symbol_of[term->name];
    size_t entry = 0;
    if (symbol == NO_NAME) return predefined(b, term, mode, result);
    const struct symbol *const s = &b->symbol.item[symbol];
    if (mode != MODE_MODEL) TRY(check_mode(b, s, term, mode));
    if (term->kind == TERM_RATE && !is_state(s)) return no_derivative(b, s, term);
    if (term->kind == TERM_INITIAL && !is_state(s))
        return BIND_ERROR(b, term->place,
                          "%s is no state (it is declared as %s) and has no initial value",
                          bind_name(b, s->name), symbol_kind_text(s->kind));
    if (s->kind == SYMBOL_CONTROL) return refer_control(b, s, term, index, result);
    TRY(bind_entry(b, symbol, term->place, index, term->count, &entry, result));
    if (entry == SIZE_MAX) return TANSY_OK;
    if (term->kind != TERM_NAME) return refer_state(b, symbol, term, entry, mode, result, wanted);
    if (s->kind == SYMBOL_PARAMETER || s->kind == SYMBOL_INPUT) {
        enum operation const leaf = s->kind == SYMBOL_INPUT ? OP_INPUT : OP_PARAMETER;
        *result =
            value_of(graph_leaf(b->graph, leaf, s->first + (uint32_t)entry), s->unit, term->place);
    } else if (is_state(s)) {
        *result = value_of(bind_state_leaf(b, s->first + (uint32_t)entry), s->unit, term->place);
    } else {
        define(b, symbol, entry, term->place, result, wanted);
    }
    return TANSY_OK;
}
