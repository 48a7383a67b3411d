/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions: a comparison of numbers is decided here; of `time` with a number it is a break time; any other is a switch,
   1 where g >= 0, which the solver watches.  a > b is not (b >= a), so that a tie is decided as it is written. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/bind_frames.h"

/* The text of a condition, widened until its brackets match. */
static struct place balance(const struct binder *b, struct place place)
{
    const char *const text = b->syntax->source.text;
    uint32_t from = place.offset, end = place.offset + place.length;
    int open = 0, closed = 0; /* brackets that are not matched inside */
    for (uint32_t k = from; k < end; k++) {
        if (text[k] == '(' || text[k] == '[') open++;
        if (text[k] != ')' && text[k] != ']') continue;
        if (open > 0)
            open--;
        else
            closed++;
    }
    while (closed > 0 && from > 0 && strchr("([ ", text[from - 1])) closed -= text[--from] != ' ';
    while (open > 0 && end < b->syntax->source.length && strchr(")] ", text[end]))
        open -= text[end++] != ' ';
    return (struct place){from, end - from};
}

/* The indices that the expression at hand sees. */
static struct condition_entry entry_of(const struct binder *b)
{
    struct condition_entry entry = {0};
    const struct evaluator *const e = b->evaluator;
    size_t length = 0;
    if (!e || e->frame.count == 0) return entry;
    for (size_t k = e->frame.item[e->frame.count - 1].scope; k < b->binding.count; k++) {
        const struct binding *const at = &b->binding.item[k];
        if (at->name == NO_NAME) continue; /* of a vector with a range alone */
        int const more =
            snprintf(entry.text + length, sizeof entry.text - length, "%s%s = %g",
                     length > 0 ? ", " : "", b->syntax->name.item[at->name], at->value);
        if (more < 0 || (size_t)more >= sizeof entry.text - length) {
            entry.text[length] = '\0'; /* no half of an index */
            break;
        }
        length += (size_t)more;
    }
    return entry;
}

static uint32_t add_switch(struct binder *b, uint32_t node, struct place place)
{
    if (graph_failed(b->graph)) return 0;
    while (b->switching_of.count <= node && !b->no_memory)
        b->no_memory = !LIST_ADD(&b->switching_of, 0);
    if (b->no_memory) return 0;
    if (b->switching_of.item[node] == 0) {
        b->no_memory =
            !LIST_ADD(&b->switching, (struct switching){node, balance(b, place), entry_of(b)});
        b->switching_of.item[node] = (uint32_t)b->switching.count;
    }
    if (b->no_memory) return 0;
    return graph_leaf(b->graph, OP_SWITCH, b->switching_of.item[node] - 1);
}

/* Where g cancels to a constant (x + 1 >= x) the condition is decided: such a g must not reach the list, in which a
   constant means a time. */
uint32_t bind_switch(struct binder *b, uint32_t node, struct place place)
{
    const struct node *const g = &graph_nodes(b->graph)[node];
    if (g->operation == OP_CONSTANT) return graph_constant(b->graph, node_value(g) >= 0 ? 1 : 0);
    return add_switch(b, node, place);
}

uint32_t bind_time_switch(struct binder *b, double T, struct place place)
{
    return add_switch(b, graph_constant(b->graph, T), place);
}

/* node = c0 + c1 t with constants, c1 != 0?  Taken apart from the outside. */
static bool is_linear_in_time(const struct binder *b, uint32_t node, double *c0, double *c1)
{
    const struct node *const all = graph_nodes(b->graph);
    *c0 = 0;
    *c1 = 1;
    for (const struct node *n = &all[node]; n->operation != OP_TIME; n = &all[node]) {
        if (n->operation < OP_ADD || n->operation > OP_DIVIDE) return false;
        bool const left = all[n->argument[0]].operation == OP_CONSTANT;
        bool const right = all[n->argument[1]].operation == OP_CONSTANT;
        if (left == right || (left && n->operation == OP_DIVIDE)) return false;
        double const number = node_value(&all[n->argument[left ? 0 : 1]]);
        node = n->argument[left ? 1 : 0];
        if (n->operation == OP_ADD) *c0 += *c1 * number;
        if (n->operation == OP_SUBTRACT) *c0 += *c1 * (left ? number : -number);
        if (n->operation == OP_SUBTRACT && left) *c1 = -*c1;
        if (n->operation == OP_MULTIPLY) *c1 *= number;
        if (n->operation == OP_DIVIDE) *c1 /= number;
    }
    return *c1 != 0;
}

/* left >= right as a switch (of which `flip` is the negation); both are nodes. */
static uint32_t at_least(struct binder *b, uint32_t left, uint32_t right, struct place place,
                         bool *flip)
{
    uint32_t const g = graph_binary(b->graph, OP_SUBTRACT, left, right);
    double c0, c1;
    *flip = false;
    if (graph_failed(b->graph)) return 0;
    if (graph_leaves(b->graph, g) != 1u << OP_TIME || !is_linear_in_time(b, g, &c0, &c1))
        return bind_switch(b, g, place);
    double const T = -c0 / c1;
    *flip = c1 < 0;
    return isfinite(T) ? bind_time_switch(b, T, place) : bind_switch(b, g, place);
}

static bool holds(enum term_kind kind, double x, double y)
{
    switch (kind) {
    case TERM_LESS:
        return x < y;
    case TERM_LESS_EQUAL:
        return x <= y;
    case TERM_GREATER:
        return x > y;
    case TERM_GREATER_EQUAL:
        return x >= y;
    case TERM_EQUAL:
        return x == y;
    default:
        return x != y;
    }
}

static struct value decided(bool is_true, struct place place)
{
    struct value v = value_number(is_true, place);
    v.is_condition = true;
    return v;
}

tansy_status value_compare(struct binder *b, enum term_kind kind, struct place place,
                           struct value *a, const struct value *c)
{
    struct place const span = place_span(a->place, c->place);
    TRY(value_needs_number(b, a));
    TRY(value_needs_number(b, c));
    if (a->kind == VALUE_POISON || c->kind == VALUE_POISON) {
        if (a->kind != VALUE_POISON) *a = *c;
        a->is_condition = true;
        return TANSY_OK;
    }
    TRY(value_same_unit(b, place, a->unit, c->unit, "the two sides of this comparison have"));
    if (a->kind == VALUE_NUMBER && c->kind == VALUE_NUMBER) {
        *a = decided(holds(kind, a->number, c->number), span);
        return TANSY_OK;
    }
    if (kind == TERM_EQUAL || kind == TERM_NOT_EQUAL)
        return BIND_ERROR(
            b, place,
            "%s compares constants and indices only; for values that change write >= or <=",
            kind == TERM_EQUAL ? "==" : "!=");
    bool const swapped = kind == TERM_LESS_EQUAL || kind == TERM_GREATER;
    bool flip;
    uint32_t const x = value_node(b, a), y = value_node(b, c);
    uint32_t const node = swapped ? at_least(b, y, x, span, &flip) : at_least(b, x, y, span, &flip);
    *a = value_of(node, UNIT_NONE, span);
    a->is_condition = true;
    a->is_negated = (kind == TERM_LESS || kind == TERM_GREATER) != flip;
    value_fold(b, a);
    return TANSY_OK;
}

static tansy_status needs_condition(struct binder *b, const struct value *v)
{
    if (v->is_condition) return TANSY_OK;
    return BIND_ERROR(b, v->place, "a condition is expected here, such as x > 0");
}

/* a and c = a c;  a or c = not ((not a) and (not c)).  A decided side decides, or leaves the other. */
tansy_status value_combine(struct binder *b, enum term_kind kind, struct value *a,
                           const struct value *c)
{
    struct place const span = place_span(a->place, c->place);
    TRY(needs_condition(b, a));
    TRY(needs_condition(b, c));
    double const deciding = kind == TERM_OR;
    for (int side = 0; side < 2; side++) {
        const struct value *const one = side ? c : a, *const other = side ? a : c;
        if (one->kind != VALUE_NUMBER) continue;
        struct value const result = one->number == deciding ? *one : *other;
        *a = result;
        a->place = span;
        return TANSY_OK;
    }
    if (a->kind == VALUE_POISON || c->kind == VALUE_POISON) {
        if (a->kind != VALUE_POISON) *a = *c;
        return TANSY_OK;
    }
    struct value left = *a, right = *c;
    left.is_negated = left.is_negated != (kind == TERM_OR);
    right.is_negated = right.is_negated != (kind == TERM_OR);
    *a = value_of(graph_binary(b->graph, OP_MULTIPLY, value_node(b, &left), value_node(b, &right)),
                  UNIT_NONE, span);
    a->is_condition = true;
    a->is_negated = kind == TERM_OR;
    value_fold(b, a);
    return TANSY_OK;
}

tansy_status value_not(struct binder *b, struct place place, struct value *a)
{
    TRY(needs_condition(b, a));
    a->place = place_span(place, a->place);
    if (a->kind == VALUE_NUMBER)
        a->number = 1 - a->number;
    else
        a->is_negated = !a->is_negated;
    return TANSY_OK;
}

tansy_status value_select(struct binder *b, struct place place, struct value *a,
                          const struct value *then, const struct value *otherwise)
{
    TRY(needs_condition(b, a));
    if (a->kind == VALUE_POISON) {
        a->is_condition = then->is_condition;
        return TANSY_OK;
    }
    if (a->kind == VALUE_NUMBER) {
        *a = a->number != 0 ? *then : *otherwise;
        return TANSY_OK;
    }
    TRY(value_needs_number(b, then));
    TRY(value_needs_number(b, otherwise));
    if (then->kind == VALUE_POISON || otherwise->kind == VALUE_POISON) {
        *a = then->kind == VALUE_POISON ? *then : *otherwise;
        return TANSY_OK;
    }
    TRY(value_same_unit(b, place, then->unit, otherwise->unit, "the two branches have"));
    uint32_t const unit = then->unit == UNIT_UNKNOWN ? otherwise->unit : then->unit;
    uint32_t const x = value_node(b, a->is_negated ? otherwise : then);
    uint32_t const y = value_node(b, a->is_negated ? then : otherwise);
    *a = value_of(graph_select(b->graph, a->node, x, y), unit, place_span(place, otherwise->place));
    value_fold(b, a);
    return TANSY_OK;
}
