/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters with bounds and scale, states with their initial values, and the time span. */
#include <math.h>

#include "model/bind.h"

/* A number in the unit of the symbol. */
static tansy_status read_number(struct binder *b, struct symbol *s, struct expression e,
                                const char *what, struct value *v)
{
    TRY(bind_number(b, e, v));
    return bind_take_unit(b, s, v->place, v->unit, what);
}

static tansy_status read_bounds(struct binder *b, struct symbol *s, struct parameter *p)
{
    static const char what[] = "the parameter and its bound have";
    const struct statement *const st = bind_statement(b, s);
    struct value v;
    p->lower = -HUGE_VAL;
    p->upper = HUGE_VAL;
    if (st->lower.count == 0) return TANSY_OK;
    TRY(read_number(b, s, st->lower, what, &v));
    p->lower = v.number;
    TRY(read_number(b, s, st->upper, what, &v));
    p->upper = v.number;
    if (p->lower > p->upper)
        return BIND_ERROR(b, v.place, "the bounds are reversed: write %g .. %g", p->upper,
                          p->lower);
    if (p->value >= p->lower && p->value <= p->upper) return TANSY_OK;
    return BIND_ERROR(b, s->place, "the bounds %g .. %g exclude the value %g of %s", p->lower,
                      p->upper, p->value, p->name);
}

static tansy_status read_scale(struct binder *b, struct symbol *s, struct parameter *p)
{
    const struct statement *const st = bind_statement(b, s);
    struct value v;
    if (st->scale.count == 0) return TANSY_OK;
    TRY(read_number(b, s, st->scale, "the parameter and its scale have", &v));
    p->scale = v.number;
    return p->scale > 0 ? TANSY_OK
                        : BIND_ERROR(b, v.place, "a scale is positive, not %g", p->scale);
}

tansy_status bind_parameter_add(struct binder *b, struct symbol *s, struct expression value,
                                struct parameter p)
{
    struct value v;
    TRY(read_number(b, s, value, "declaration and value have", &v));
    p.value = v.number;
    p.place = s->place;
    TRY(read_bounds(b, s, &p));
    TRY(read_scale(b, s, &p));
    return LIST_ADD(&b->system->parameter, p) ? TANSY_OK : BIND_NO_MEMORY(b);
}

void bind_parameter_units(struct binder *b, const struct symbol *s)
{
    for (size_t k = s->first; k < b->system->parameter.count; k++)
        b->system->parameter.item[k].unit = s->unit_text;
}

static tansy_status add_entries(struct binder *b, struct symbol *s)
{
    const struct statement *const st = bind_statement(b, s);
    TRY(bind_loop_begin(b, &s->indices));
    for (size_t k = 0; k < s->indices.entries; k++) {
        struct parameter const p = {
            .name = text_entry(b->system, bind_name(b, s->name), &s->indices, k),
            .active_from = -HUGE_VAL,
            .control = UINT32_MAX,
        };
        bind_loop_set(b, &s->indices, k);
        if (!p.name) return BIND_NO_MEMORY(b);
        TRY(bind_parameter_add(
            b, s, st->list.given ? b->syntax->item.item[st->list.first + k] : st->value, p));
    }
    bind_parameter_units(b, s);
    bind_loop_end(b);
    return TANSY_OK;
}

tansy_status bind_parameters(struct binder *b)
{
    for (size_t k = 0; k < b->symbol.count; k++)
        if (b->symbol.item[k].kind == SYMBOL_PARAMETER) TRY(add_entries(b, &b->symbol.item[k]));
    return TANSY_OK;
}

static tansy_status read_atol(struct binder *b, struct symbol *s, struct state *state)
{
    const struct statement *const st = bind_statement(b, s);
    struct value v;
    if (st->atol.count == 0) return TANSY_OK;
    TRY(read_number(b, s, st->atol, "the state and its tolerance have", &v));
    state->atol = v.number;
    if (v.number == 0)
        return BIND_ERROR(
            b, v.place,
            "a tolerance of 0 would be that of all states: leave it out, or give none "
            "where the model is solved (--atol NAME=0)");
    if (v.number > 0) return TANSY_OK;
    return BIND_ERROR(
        b, v.place,
        "a tolerance is not negative, but this is %g: write a number above 0, or leave it out, "
        "and it is automatic",
        v.number);
}

static tansy_status add_states(struct binder *b, const struct symbol *s, enum state_kind kind)
{
    if (!LIST_ROOM(&b->system->state, s->indices.entries)) return BIND_NO_MEMORY(b);
    for (size_t k = 0; k < s->indices.entries; k++) {
        struct state const state = {
            .name = text_entry(b->system, bind_name(b, s->name), &s->indices, k),
            .unit = s->unit_text,
            .kind = kind,
            .place = s->place};
        if (!state.name) return BIND_NO_MEMORY(b);
        b->system->state.item[b->system->state.count++] = state;
    }
    return TANSY_OK;
}

/* Integrals are the last states. */
static tansy_status add_all_states(struct binder *b)
{
    for (int integrals = 0; integrals < 2; integrals++)
        for (size_t k = 0; k < b->symbol.count; k++) {
            const struct symbol *const s = &b->symbol.item[k];
            if (!integrals && s->kind == SYMBOL_STATE) TRY(add_states(b, s, STATE_DIFFERENTIAL));
            if (!integrals && s->kind == SYMBOL_ALGEBRAIC) TRY(add_states(b, s, STATE_ALGEBRAIC));
            if (integrals && s->kind == SYMBOL_INTEGRAL) TRY(add_states(b, s, STATE_INTEGRAL));
        }
    return TANSY_OK;
}

/* The values of a constant, or the initial values of a state. */
static tansy_status find_values(struct binder *b, uint32_t symbol)
{
    struct symbol *const s = &b->symbol.item[symbol];
    for (size_t i = 0; i < s->indices.entries; i++) {
        struct value v;
        TRY(bind_definition(b, symbol, i, &v));
        TRY(value_needs_number(b, &v));
        if (s->kind == SYMBOL_CONSTANT) continue;
        TRY(bind_take_unit(b, s, v.place, v.unit, "declaration and value have"));
        b->system->state.item[s->first + i].initial = value_node(b, &v);
    }
    return TANSY_OK;
}

/* The tolerances of a state, which is in the unit of its initial value; then its unit is known. */
static tansy_status find_tolerances(struct binder *b, struct symbol *s)
{
    TRY(bind_loop_begin(b, &s->indices));
    for (size_t k = 0; k < s->indices.entries; k++) {
        bind_loop_set(b, &s->indices, k);
        TRY(read_atol(b, s, &b->system->state.item[s->first + k]));
    }
    bind_loop_end(b);
    for (size_t k = 0; k < s->indices.entries; k++)
        b->system->state.item[s->first + k].unit = s->unit_text;
    return bind_rate_unit(b, s);
}

/* All states are there before the first initial value is found. */
tansy_status bind_states(struct binder *b)
{
    TRY(add_all_states(b));
    for (uint32_t k = 0; k < b->symbol.count; k++) {
        enum symbol_kind const kind = b->symbol.item[k].kind;
        bool const is_state = kind == SYMBOL_STATE || kind == SYMBOL_ALGEBRAIC;
        if (is_state || kind == SYMBOL_CONSTANT) TRY(find_values(b, k));
        if (is_state) TRY(find_tolerances(b, &b->symbol.item[k]));
    }
    return graph_failed(b->graph) ? BIND_NO_MEMORY(b) : TANSY_OK;
}

/* The end of the time span: a number, or a parameter by itself. */
static tansy_status read_end(struct binder *b, struct expression e, struct value *v)
{
    TRY(bind_evaluate(b, e, MODE_TIME, v));
    if (v->kind == VALUE_NUMBER) return TANSY_OK;
    const struct node *const end = &graph_nodes(b->graph)[v->node];
    if (graph_failed(b->graph)) return BIND_NO_MEMORY(b);
    if (end->operation != OP_PARAMETER)
        return BIND_ERROR(b, v->place,
                          "the time span ends at a number or at a parameter, not at an expression "
                          "of parameters");
    b->system->end_parameter = end->index + 1;
    v->number = b->system->parameter.item[end->index].value;
    return TANSY_OK;
}

tansy_status bind_span(struct binder *b)
{
    struct value from, to;
    b->system->t0 = b->system->t1 = (double)NAN;
    for (size_t k = 0; k < b->syntax->statement.count; k++) {
        const struct statement *const s = &b->syntax->statement.item[k];
        if (s->kind != STATEMENT_TIME) continue;
        TRY(bind_number(b, s->lower, &from));
        TRY(read_end(b, s->upper, &to));
        TRY(bind_take_time_unit(b, &from, "the time span has"));
        TRY(bind_take_time_unit(b, &to, "the time span has"));
        if (from.number == to.number)
            return BIND_ERROR(b, s->place, "the time span %g .. %g is empty", from.number,
                              to.number);
        b->system->t0 = from.number;
        b->system->t1 = to.number;
    }
    return TANSY_OK;
}
