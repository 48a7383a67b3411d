/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on values: numbers at once, expressions through the graph, units beside them.  An error in a value that may
   not be used after all (the branch not taken) is carried on as poison. */
#include <math.h>
#include <stdio.h>

#include "model/bind.h"

struct place place_span(struct place a, struct place b)
{
    uint32_t const from = a.offset < b.offset ? a.offset : b.offset;
    uint32_t const end_a = a.offset + a.length, end_b = b.offset + b.length;
    return (struct place){from, (end_a > end_b ? end_a : end_b) - from};
}

struct value value_poison(struct binder *b, struct poison poison)
{
    struct value v = {.kind = VALUE_POISON, .place = poison.place};
    v.node = (uint32_t)b->poison.count;
    b->no_memory |= !LIST_ADD(&b->poison, poison);
    return v;
}

tansy_status bind_poisoned(struct binder *b, const struct value *value)
{
    if (value->kind != VALUE_POISON) return TANSY_OK;
    const struct poison *const p = &b->poison.item[value->node];
    switch (p->kind) {
    case POISON_INDEX:
        return BIND_ERROR(b, p->place, "index %u of %s is %.0f, outside %.0f .. %.0f",
                          (unsigned)p->index + 1, bind_name(b, b->symbol.item[p->symbol].name),
                          p->value, p->lower, p->upper);
    case POISON_NOT_INTEGER:
        return BIND_ERROR(b, p->place, "index %u of %s is %g, not a whole number",
                          (unsigned)p->index + 1, bind_name(b, b->symbol.item[p->symbol].name),
                          p->value);
    case POISON_CYCLE:
        return BIND_ERROR(b, p->place, "%s", p->text);
    case POISON_ZERO:
        return BIND_ERROR(b, p->place, "division by zero");
    default:
        return BIND_ERROR(b, p->place, "the value of this is %s",
                          isnan(p->value) ? "not a number" : "infinite");
    }
}

uint32_t value_node(struct binder *b, const struct value *v)
{
    if (v->kind == VALUE_NUMBER) return graph_constant(b->graph, v->number);
    return v->is_negated ? graph_binary(b->graph, OP_SUBTRACT, 1, v->node) : v->node;
}

/* A node that has become a constant is a number. */
void value_fold(struct binder *b, struct value *v)
{
    if (v->kind != VALUE_NODE || graph_failed(b->graph)) return;
    const struct node *const n = &graph_nodes(b->graph)[v->node];
    if (n->operation != OP_CONSTANT) return;
    v->kind = VALUE_NUMBER;
    v->number = v->is_negated ? 1 - node_value(n) : node_value(n);
    v->is_negated = false;
}

tansy_status value_needs_number(struct binder *b, const struct value *v)
{
    if (!v->is_condition) return TANSY_OK;
    return BIND_ERROR(b, v->place,
                      "this is a condition, not a number; write `if ... then 1 else 0`");
}

/* What the units of the names at a place of the text are, `Ea [kJ/mol], R [J/mol/K]`, as far as there is room. */
static void list_units(const struct binder *b, struct place place, size_t size, char *text)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t k = 0; k < b->syntax->term.count; k++) {
        const struct term *const t = &b->syntax->term.item[k];
        bool const inside = t->place.offset >= place.offset &&
                            t->place.offset + t->place.length <= place.offset + place.length;
        if (t->kind != TERM_NAME || !inside || b->symbol_of[t->name] == NO_NAME) continue;
        const struct symbol *const s = &b->symbol.item[b->symbol_of[t->name]];
        uint32_t const number = s->kind == SYMBOL_CONSTANT && s->unit == UNIT_UNKNOWN
                                    ? b->definition.item[s->slot].value.unit
                                    : s->unit;
        if (number == UNIT_UNKNOWN || number == UNIT_NONE) continue;
        char unit[UNIT_TEXT];
        bind_unit_text(b, number, unit);
        int const more = snprintf(text + length, size - length, "%s%.40s [%s]",
                                  length > 0 ? ", " : "", bind_name(b, s->name), unit);
        if (more < 0 || (size_t)more >= size - length) {
            text[length] = '\0';
            return;
        }
        length += (size_t)more;
    }
}

tansy_status value_same_unit(struct binder *b, struct place place, uint32_t x, uint32_t y,
                             const char *what)
{
    if (x == y || x == UNIT_UNKNOWN || y == UNIT_UNKNOWN) return TANSY_OK;
    const struct unit *const p = unit_of(&b->units, x), *const q = unit_of(&b->units, y);
    char left[UNIT_TEXT], right[UNIT_TEXT];
    bind_unit_text(b, x, left);
    bind_unit_text(b, y, right);
    double const ratio = p->factor / q->factor;
    if (unit_same_dimension(p, q) && y == UNIT_NONE) {
        char units[200];
        list_units(b, place, sizeof units, units);
        return BIND_ERROR(
            b, place,
            "%s units left that differ from 1 by a factor of %.10g%s%s: values are never "
            "converted",
            what, ratio > 1 ? ratio : 1 / ratio, units[0] ? ", of " : "", units);
    }
    if (unit_same_dimension(p, q))
        return BIND_ERROR(
            b, place,
            "%s units that differ by a factor of %.10g, %s and %s: values are never converted",
            what, ratio > 1 ? ratio : 1 / ratio, left, right);
    return BIND_ERROR(b, place, "%s different units: %s and %s", what, left, right);
}

tansy_status value_is_plain(struct binder *b, const struct value *v, const char *what)
{
    return value_same_unit(b, v->place, v->unit, UNIT_NONE, what);
}

static struct value finite(struct binder *b, double number, struct place place)
{
    if (isfinite(number)) return value_number(number, place);
    return value_poison(
        b, (struct poison){.kind = POISON_NOT_FINITE, .place = place, .value = number});
}

static tansy_status unit_of_result(struct binder *b, enum term_kind kind, struct place place,
                                   const struct value *a, const struct value *c, uint32_t *unit)
{
    switch (kind) {
    case TERM_MULTIPLY:
        *unit = unit_multiply(&b->units, a->unit, c->unit, 1);
        return TANSY_OK;
    case TERM_DIVIDE:
        *unit = unit_multiply(&b->units, a->unit, c->unit, -1);
        return TANSY_OK;
    case TERM_POWER:
        *unit = UNIT_UNKNOWN;
        TRY(value_is_plain(b, c, "an exponent has no dimension, but there are"));
        if (c->kind == VALUE_NUMBER && a->unit != UNIT_UNKNOWN)
            *unit = unit_multiply(&b->units, UNIT_NONE, a->unit, c->number);
        else if (a->unit == UNIT_NONE)
            *unit = UNIT_NONE;
        return TANSY_OK;
    default:
        *unit = a->unit == UNIT_UNKNOWN ? c->unit : a->unit;
        return value_same_unit(b, place, a->unit, c->unit, "the two sides of this have");
    }
}

static double number_of(enum term_kind kind, double x, double y)
{
    switch (kind) {
    case TERM_ADD:
        return x + y;
    case TERM_SUBTRACT:
        return x - y;
    case TERM_MULTIPLY:
        return x * y;
    case TERM_DIVIDE:
        return x / y;
    default:
        return pow(x, y);
    }
}

tansy_status value_operate(struct binder *b, enum term_kind kind, struct place place,
                           struct value *a, const struct value *c)
{
    static const enum operation operation[] = {[TERM_ADD] = OP_ADD,
                                               [TERM_SUBTRACT] = OP_SUBTRACT,
                                               [TERM_MULTIPLY] = OP_MULTIPLY,
                                               [TERM_DIVIDE] = OP_DIVIDE,
                                               [TERM_POWER] = OP_POWER};
    struct place const span = place_span(a->place, c->place);
    uint32_t unit;
    TRY(value_needs_number(b, a));
    TRY(value_needs_number(b, c));
    if (a->kind == VALUE_POISON) return TANSY_OK;
    if (c->kind == VALUE_POISON) {
        *a = *c;
        return TANSY_OK;
    }
    TRY(unit_of_result(b, kind, place, a, c, &unit));
    if (kind == TERM_DIVIDE && c->kind == VALUE_NUMBER && c->number == 0) {
        *a = value_poison(b, (struct poison){.kind = POISON_ZERO, .place = place});
    } else if (a->kind == VALUE_NUMBER && c->kind == VALUE_NUMBER) {
        *a = finite(b, number_of(kind, a->number, c->number), span);
        a->unit = unit;
    } else {
        uint32_t const left = value_node(b, a), right = value_node(b, c);
        *a = value_of(graph_binary(b->graph, operation[kind], left, right), unit, span);
        value_fold(b, a);
    }
    return TANSY_OK;
}

tansy_status value_negate(struct binder *b, struct place place, struct value *a)
{
    TRY(value_needs_number(b, a));
    a->place = place_span(place, a->place);
    if (a->kind == VALUE_NUMBER) a->number = -a->number;
    if (a->kind == VALUE_NODE) a->node = graph_unary(b->graph, OP_NEGATE, a->node);
    return TANSY_OK;
}

uint32_t value_sum(struct binder *b, uint32_t *node, size_t count)
{
    for (size_t step = 1; step < count; step *= 2)
        for (size_t k = 0; k + step < count; k += 2 * step)
            node[k] = graph_binary(b->graph, OP_ADD, node[k], node[k + step]);
    return count > 0 ? node[0] : 0;
}
