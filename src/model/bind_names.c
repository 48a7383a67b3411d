/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a model: who declares them, how many entries they have, which numbers their entries get. */
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"
#include "model/spelling.h"

const char *symbol_kind_text(enum symbol_kind kind)
{
    static const char *const text[] = {"parameter", "constant", "state",  "algebraic variable",
                                       "integral",  "let",      "output", "reaction",
                                       "control",   "input"};
    return text[kind];
}

/* The kind of symbol a statement declares; false: none. */
static bool declares(const struct statement *s, enum symbol_kind *kind)
{
    static const struct {
        enum statement_kind statement;
        enum symbol_kind symbol;
    } kinds[] = {
        {STATEMENT_PARAMETER, SYMBOL_PARAMETER},
        {STATEMENT_CONSTANT, SYMBOL_CONSTANT},
        {STATEMENT_STATE, SYMBOL_STATE},
        {STATEMENT_ALGEBRAIC, SYMBOL_ALGEBRAIC},
        {STATEMENT_LET, SYMBOL_LET},
        {STATEMENT_OUTPUT, SYMBOL_OUTPUT},
        {STATEMENT_INTEGRAL, SYMBOL_INTEGRAL},
        {STATEMENT_CONTROL, SYMBOL_CONTROL},
        {STATEMENT_INPUT, SYMBOL_INPUT},
        {STATEMENT_REACTION, SYMBOL_REACTION},
    };
    if (s->kind == STATEMENT_OUTPUT && s->value.count == 0 && !s->list.given) return false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        *kind = kinds[k].symbol;
        if (kinds[k].statement == s->kind) return true;
    }
    return false;
}

static tansy_status declare_twice(struct binder *b, const struct statement *s, uint32_t first)
{
    const struct symbol *const other = &b->symbol.item[first];
    const char *const name = bind_name(b, s->name);
    size_t line, column;
    source_locate(&b->syntax->source, other->place.offset, &line, &column);
    return BIND_ERROR(b, s->place, "%s is declared twice: it is already a%s %s in line %zu", name,
                      strchr("aio", *symbol_kind_text(other->kind)) ? "n" : "",
                      symbol_kind_text(other->kind), line);
}

static tansy_status declare(struct binder *b, uint32_t number, enum symbol_kind kind)
{
    const struct statement *const s = &b->syntax->statement.item[number];
    if (s->name != NO_NAME) {
        if (s->name == b->name_pi || s->name == b->name_time || s->name == b->name_reactions)
            return BIND_ERROR(b, s->place, "%s has a meaning of its own; take another name",
                              bind_name(b, s->name));
        if (b->symbol_of[s->name] != NO_NAME) return declare_twice(b, s, b->symbol_of[s->name]);
        b->symbol_of[s->name] = (uint32_t)b->symbol.count;
    }
    if (!LIST_ADD(&b->symbol, (struct symbol){.kind = kind,
                                              .name = s->name,
                                              .statement = number,
                                              .place = s->place,
                                              .unit_text = "",
                                              .node = UINT32_MAX,
                                              .is_sized = s->ranges.count == 0,
                                              .indices.entries = 1}))
        return BIND_NO_MEMORY(b);
    return TANSY_OK;
}

static const char *keep(struct binder *b, struct place place)
{
    return text_keep(b->system, b->syntax->source.text + place.offset, place.length);
}

/* model NAME "title": once. */
static tansy_status name_model(struct binder *b, const struct statement *s)
{
    if (b->system->name) return BIND_ERROR(b, s->place, "the model has a name already");
    const char *const name = s->name == NO_NAME ? "" : bind_name(b, s->name);
    b->system->name = text_keep(b->system, name, strlen(name));
    b->system->title = keep(b, s->text);
    return b->system->name && b->system->title ? TANSY_OK : BIND_NO_MEMORY(b);
}

tansy_status bind_declare(struct binder *b)
{
    size_t const names = b->syntax->name.count;
    enum symbol_kind kind;
    b->symbol_of = heap_take((names + 1) * sizeof *b->symbol_of);
    if (!b->symbol_of) return BIND_NO_MEMORY(b);
    for (size_t k = 0; k < names; k++) b->symbol_of[k] = NO_NAME;
    b->name_time = syntax_name(b->syntax, "time");
    b->name_t = syntax_name(b->syntax, "t");
    b->name_pi = syntax_name(b->syntax, "pi");
    b->name_reactions = syntax_name(b->syntax, "reactions");
    for (uint32_t k = 0; k < b->syntax->statement.count; k++) {
        const struct statement *const s = &b->syntax->statement.item[k];
        if (s->kind == STATEMENT_MODEL) TRY(name_model(b, s));
        if (declares(s, &kind)) TRY(declare(b, k, kind));
    }
    return TANSY_OK;
}

/* Numbers with units are few: every one is looked up before anything is evaluated, and its number kept in the term's
   `body`, which numbers do not use. */
static tansy_status read_number_units(struct binder *b)
{
    for (size_t k = 0; k < b->syntax->term.count; k++) {
        struct term *const t = &b->syntax->term.item[k];
        if (t->kind == TERM_NUMBER) TRY(bind_unit(b, t->unit, &t->body, NULL));
    }
    return TANSY_OK;
}

static bool has_definition(enum symbol_kind kind)
{
    return kind != SYMBOL_PARAMETER && kind != SYMBOL_CONTROL && kind != SYMBOL_INPUT;
}

static tansy_status size_symbol(struct binder *b, size_t k)
{
    const struct statement *const st = bind_statement(b, &b->symbol.item[k]);
    struct indices indices = {.entries = 1};
    TRY(bind_ranges(b, st->ranges, &indices));
    struct symbol *const s = &b->symbol.item[k];
    s->indices = indices;
    s->is_sized = true;
    TRY(bind_unit(b, st->unit, &s->unit, &s->unit_text));
    if (st->list.given && s->kind != SYMBOL_CONTROL && st->list.count != indices.entries)
        return BIND_ERROR(b, s->place, "%s has %zu entries, but the list has %u values",
                          bind_name(b, s->name), indices.entries, (unsigned)st->list.count);
    return TANSY_OK;
}

/* Numbers for the entries of a symbol: `*next` of its kind, and definitions. */
static tansy_status number_entries(struct binder *b, struct symbol *s, size_t *next)
{
    size_t const entries = s->indices.entries;
    s->first = (uint32_t)*next;
    *next += entries;
    if (*next > MAX_TOTAL)
        return BIND_ERROR(b, s->place, "the model is too large: there are %zu entries up to here",
                          *next);
    if (!has_definition(s->kind)) return TANSY_OK;
    s->slot = (uint32_t)b->definition.count;
    if (!LIST_ROOM(&b->definition, entries)) return BIND_NO_MEMORY(b);
    memset(b->definition.item + b->definition.count, 0, entries * sizeof *b->definition.item);
    b->definition.count += entries;
    return TANSY_OK;
}

/* How many entries there are of each kind. */
struct entries {
    size_t parameters, states, inputs, others;
};

static size_t *entries_of(struct entries *entries, enum symbol_kind kind)
{
    switch (kind) {
    case SYMBOL_PARAMETER:
        return &entries->parameters;
    case SYMBOL_STATE:
    case SYMBOL_ALGEBRAIC:
    case SYMBOL_INTEGRAL:
        return &entries->states;
    case SYMBOL_INPUT:
        return &entries->inputs;
    default:
        return &entries->others;
    }
}

/* In which round a symbol gets its size: constants that are no vectors first, since sizes are made of them; integrals
   last, so that they are the last states. */
static int round_of(const struct binder *b, const struct symbol *s)
{
    if (s->kind == SYMBOL_CONSTANT && bind_statement(b, s)->ranges.count == 0) return 0;
    return s->kind == SYMBOL_INTEGRAL ? 2 : 1;
}

static tansy_status size_round(struct binder *b, int round, struct entries *entries)
{
    for (size_t k = 0; k < b->symbol.count; k++) {
        struct symbol *const s = &b->symbol.item[k];
        if (round_of(b, s) != round) continue;
        TRY(size_symbol(b, k));
        TRY(number_entries(b, s, entries_of(entries, s->kind)));
    }
    return TANSY_OK;
}

tansy_status bind_size(struct binder *b)
{
    struct entries entries = {0};
    TRY(read_number_units(b));
    TRY(size_round(b, 0, &entries));
    TRY(size_round(b, 1, &entries));
    b->first_integral = entries.states;
    TRY(size_round(b, 2, &entries));
    if (!LIST_ROOM(&b->state_leaf, entries.states)) return BIND_NO_MEMORY(b);
    for (size_t i = 0; i < entries.states; i++) b->state_leaf.item[i] = UINT32_MAX;
    b->state_leaf.count = entries.states;
    return TANSY_OK;
}

tansy_status bind_time(struct binder *b)
{
    const struct statement *first = NULL;
    b->system->time_unit = "";
    for (size_t k = 0; k < b->syntax->statement.count; k++) {
        const struct statement *const s = &b->syntax->statement.item[k];
        if (s->kind != STATEMENT_TIME) continue;
        if (first) return BIND_ERROR(b, s->place, "the time span is given twice");
        first = s;
        TRY(bind_unit(b, s->unit, &b->time_unit, &b->system->time_unit));
        TRY(bind_is_time(b, s->unit, b->time_unit));
    }
    return TANSY_OK;
}

/* The nearest name that means something. */
static const char *suggestion(struct binder *b, uint32_t name)
{
    LIST(const char *) known = {0};
    const char *found = NULL;
    for (size_t k = 0; k < b->symbol.count; k++)
        if (b->symbol.item[k].name != NO_NAME &&
            !LIST_ADD(&known, bind_name(b, b->symbol.item[k].name)))
            break;
    for (size_t k = 0; k < b->binding.count; k++)
        if (b->binding.item[k].name != NO_NAME &&
            !LIST_ADD(&known, bind_name(b, b->binding.item[k].name)))
            break;
    if (LIST_ADD(&known, "pi") && LIST_ADD(&known, "time")) {
        size_t const nearest = spelling_nearest(bind_name(b, name), known.item, known.count);
        if (nearest != SIZE_MAX) found = known.item[nearest];
    }
    LIST_FREE(&known);
    return found;
}

/* The state x of dx, dxdt or dx_dt; NULL: none. */
static const char *state_of_derivative(struct binder *b, const char *name)
{
    char x[ENTRY_NAME];
    size_t const length = strlen(name);
    if (name[0] != 'd' || length < 2 || length > sizeof x) return NULL;
    memcpy(x, name + 1, length);
    for (int suffix = 0; suffix < 3; suffix++) {
        static const char *const suffixes[] = {"", "_dt", "dt"};
        size_t const rest = strlen(x), skip = strlen(suffixes[suffix]);
        if (rest <= skip || strcmp(x + rest - skip, suffixes[suffix]) != 0) continue;
        x[rest - skip] = 0;
        uint32_t const number = syntax_name(b->syntax, x);
        uint32_t const symbol = number == NO_NAME ? NO_NAME : b->symbol_of[number];
        if (symbol != NO_NAME && b->symbol.item[symbol].kind == SYMBOL_STATE)
            return bind_name(b, number);
    }
    return NULL;
}

tansy_status bind_unknown(struct binder *b, uint32_t name, struct place place)
{
    enum { SHOWN = 60 };
    const char *const word = bind_name(b, name);
    const char *const rest = strlen(word) > SHOWN ? "..." : "";
    const char *const state = state_of_derivative(b, word);
    TRY(bind_refuse_function(b, name, place));
    if (state)
        return BIND_ERROR(b, place, "%.*s%s is not declared; the derivative of %s is written %s'",
                          SHOWN, word, rest, state, state);
    const char *const nearest = suggestion(b, name);
    if (nearest && strcmp(nearest, word) == 0)
        return BIND_ERROR(b, place, "%s is a constant of the language: give it a name, a = %s",
                          word, word);
    if (nearest)
        return BIND_ERROR(b, place, "%.*s%s is not declared; did you mean %s?", SHOWN, word, rest,
                          nearest);
    return BIND_ERROR(b, place, "%.*s%s is not declared", SHOWN, word, rest);
}

void bind_entry_name(const struct binder *b, const struct symbol *s, size_t k,
                     char text[ENTRY_NAME])
{
    int used = snprintf(text, ENTRY_NAME, "%.80s", bind_name(b, s->name));
    size_t below = s->indices.entries;
    for (uint32_t i = 0; i < s->indices.count; i++) {
        below /= s->indices.size[i];
        used +=
            snprintf(text + used, (size_t)(ENTRY_NAME - used), "%s%lld%s", i == 0 ? "[" : ",",
                     (long long)s->indices.lower[i] + (long long)(k / below % s->indices.size[i]),
                     i + 1 == s->indices.count ? "]" : "");
    }
}
