/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: those of the graph; log10, log2 and pow through them; abs, sign, min and max by a choice at a switch. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/bind.h"
#include "model/spelling.h"

enum function {
    FUNCTION_GRAPH,
    FUNCTION_LOG,
    FUNCTION_SQRT,
    FUNCTION_ABS,
    FUNCTION_SIGN,
    FUNCTION_MIN,
    FUNCTION_MAX,
    FUNCTION_POW,
    FUNCTION_STEPS
};

static const struct known {
    const char *name;
    enum function function;
    enum operation operation;
    double factor;            /* of FUNCTION_LOG */
    double (*number)(double); /* of numbers */
    uint32_t arguments, most; /* most: UINT32_MAX */
} known[] = {
    {"exp", FUNCTION_GRAPH, OP_EXP, 1, exp, 1, 1},
    {"log", FUNCTION_LOG, OP_LOG, 1, log, 1, 1},
    {"ln", FUNCTION_LOG, OP_LOG, 1, log, 1, 1},
    {"log10", FUNCTION_LOG, OP_LOG, 0.43429448190325182765, log10, 1, 1}, /* 1/log(10) */
    {"log2", FUNCTION_LOG, OP_LOG, 1.4426950408889634074, log2, 1, 1},    /* 1/log(2) */
    {"sqrt", FUNCTION_SQRT, OP_SQRT, 1, sqrt, 1, 1},
    {"sin", FUNCTION_GRAPH, OP_SIN, 1, sin, 1, 1},
    {"cos", FUNCTION_GRAPH, OP_COS, 1, cos, 1, 1},
    {"tan", FUNCTION_GRAPH, OP_TAN, 1, tan, 1, 1},
    {"asin", FUNCTION_GRAPH, OP_ASIN, 1, asin, 1, 1},
    {"acos", FUNCTION_GRAPH, OP_ACOS, 1, acos, 1, 1},
    {"atan", FUNCTION_GRAPH, OP_ATAN, 1, atan, 1, 1},
    {"sinh", FUNCTION_GRAPH, OP_SINH, 1, sinh, 1, 1},
    {"cosh", FUNCTION_GRAPH, OP_COSH, 1, cosh, 1, 1},
    {"tanh", FUNCTION_GRAPH, OP_TANH, 1, tanh, 1, 1},
    {"abs", FUNCTION_ABS, OP_CONSTANT, 1, fabs, 1, 1},
    {"sign", FUNCTION_SIGN, OP_CONSTANT, 1, NULL, 1, 1},
    {"min", FUNCTION_MIN, OP_CONSTANT, 1, NULL, 2, UINT32_MAX},
    {"max", FUNCTION_MAX, OP_CONSTANT, 1, NULL, 2, UINT32_MAX},
    {"pow", FUNCTION_POW, OP_CONSTANT, 1, NULL, 2, 2},
    {"floor", FUNCTION_STEPS, OP_CONSTANT, 1, NULL, 1, 1},
    {"ceil", FUNCTION_STEPS, OP_CONSTANT, 1, NULL, 1, 1},
    {"round", FUNCTION_STEPS, OP_CONSTANT, 1, NULL, 1, 1},
    {"mod", FUNCTION_STEPS, OP_CONSTANT, 1, NULL, 2, 2},
};
enum { KNOWN = sizeof known / sizeof *known };

/* What is declared is called like a function. */
static tansy_status refuse_call(struct binder *b, const struct term *term, const struct symbol *s)
{
    const char *const name = bind_name(b, term->name);
    const char *const entry = s->indices.count > 0 ? "[1]" : "";
    char initial[ENTRY_NAME] = "";
    if (s->kind == SYMBOL_STATE || s->kind == SYMBOL_ALGEBRAIC)
        (void)snprintf(initial, sizeof initial, ", its initial value %.80s%s(0)", name, entry);
    if (s->indices.count > 0 && s->kind != SYMBOL_CONTROL)
        return BIND_ERROR(b, term->place, "%s is no function; its entries are written %s%s%s", name,
                          name, entry, initial);
    return BIND_ERROR(b, term->place, "%s is no function; a product is written %s*(...)%s", name,
                      name, initial);
}

/* Functions of other languages, and what is written here; NULL: none of them. */
static const char *otherwise(const char *name)
{
    static const char *const derivative = "the derivative of a state x is written x'";
    const struct {
        const char *name, *advice;
    } foreign[] = {
        {"d", derivative},
        {"D", derivative},
        {"der", derivative},
        {"diff", derivative},
        {"ddt", derivative},
        {"atan2", "for x > 0 it is atan(y/x)"},
        {"arcsin", "write asin(x)"},
        {"arccos", "write acos(x)"},
        {"arctan", "write atan(x)"},
        {"cbrt", "write x^(1/3)"},
        {"hypot", "write sqrt(x^2 + y^2)"},
        {"log1p", "write log(1 + x)"},
        {"expm1", "write exp(x) - 1"},
    };
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        if (strcmp(name, foreign[k].name) == 0) return foreign[k].advice;
    return NULL;
}

static tansy_status unknown(struct binder *b, uint32_t number, struct place place)
{
    const char *const name = bind_name(b, number);
    const char *const advice = otherwise(name);
    if (advice) return BIND_ERROR(b, place, "there is no function %s; %s", name, advice);
    const char *names[KNOWN];
    for (size_t k = 0; k < KNOWN; k++) names[k] = known[k].name;
    size_t const nearest = spelling_nearest(name, names, KNOWN);
    if (nearest != SIZE_MAX)
        return BIND_ERROR(b, place, "there is no function %s; did you mean %s?", name,
                          names[nearest]);
    char list[200] = "";
    for (size_t k = 0, used = 0; k < KNOWN && known[k].function != FUNCTION_STEPS; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", names[k]);
    return BIND_ERROR(b, place, "there is no function %.60s%s; there are %s", name,
                      strlen(name) > 60 ? "..." : "", list);
}

static const struct known *known_of(const char *name)
{
    for (size_t k = 0; k < KNOWN; k++)
        if (known[k].name[0] == name[0] && strcmp(known[k].name, name) == 0) return &known[k];
    return NULL;
}

static tansy_status refuse_steps(struct binder *b, const struct known *f, struct place place)
{
    return BIND_ERROR(b, place, "%s cannot be used: it has no derivative and no end of jumps",
                      f->name);
}

tansy_status bind_refuse_function(struct binder *b, uint32_t name, struct place place)
{
    const char *const text = bind_name(b, name);
    const struct known *const f = known_of(text);
    if (f && f->function == FUNCTION_STEPS) return refuse_steps(b, f, place);
    if (f) return BIND_ERROR(b, place, "%s is a function: write %s(...)", text, text);
    bool const is_taken = /* their names cannot be declared */
        strcmp(text, "atan2") == 0 || strcmp(text, "cbrt") == 0 || strcmp(text, "hypot") == 0;
    return is_taken ? unknown(b, name, place) : TANSY_OK;
}

static tansy_status find(struct binder *b, const struct term *term, const struct known **found)
{
    const struct known *const f = *found = known_of(bind_name(b, term->name));
    uint32_t const symbol = b->symbol_of[term->name];
    if (!f && symbol != NO_NAME) return refuse_call(b, term, &b->symbol.item[symbol]);
    if (!f && bind_is_number(b, term->name))
        return BIND_ERROR(b, term->place, "%s is no function; a product is written %s*(...)",
                          bind_name(b, term->name), bind_name(b, term->name));
    if (!f) return unknown(b, term->name, term->place);
    if (f->function == FUNCTION_STEPS) return refuse_steps(b, f, term->place);
    if (term->count < f->arguments || term->count > f->most)
        return BIND_ERROR(b, term->place, "%s takes %u%s argument%s, not %u", f->name,
                          (unsigned)f->arguments, f->most > f->arguments ? " or more" : "",
                          f->arguments > 1 ? "s" : "", (unsigned)term->count);
    return TANSY_OK;
}

/* abs(x) = x >= 0 ? x : -x;  sign(x) = x >= 0 ? 1 : -1.  The text of the condition is that of the call. */
static void choose(struct binder *b, const struct known *f, struct place call, struct value *a)
{
    if (a->kind == VALUE_NUMBER) {
        a->number = f->number ? f->number(a->number) : a->number >= 0 ? 1 : -1;
        return;
    }
    uint32_t const positive = bind_switch(b, a->node, place_span(call, a->place));
    uint32_t const above = f->number ? a->node : 1, below = graph_unary(b->graph, OP_NEGATE, above);
    a->node = graph_select(b->graph, positive, above, below);
}

/* a = x >= y ? (max: x, min: y) : the other. */
static tansy_status take_larger(struct binder *b, const struct term *term, bool is_max,
                                struct place call, struct value *a, const struct value *c)
{
    struct value condition = *a;
    struct value const larger = is_max ? *a : *c, smaller = is_max ? *c : *a;
    condition.place = call;
    TRY(value_compare(b, TERM_GREATER_EQUAL, term->place, &condition, c));
    condition.place = term->place;
    TRY(value_select(b, term->place, &condition, &larger, &smaller));
    *a = condition;
    return TANSY_OK;
}

static tansy_status call_graph(struct binder *b, const struct known *f, struct place place,
                               struct value *a)
{
    if (f->function == FUNCTION_SQRT && a->unit != UNIT_UNKNOWN)
        a->unit = unit_multiply(&b->units, UNIT_NONE, a->unit, 0.5);
    else
        TRY(value_is_plain(b, a, "the argument of a function has no dimension, but there are"));
    if (a->kind == VALUE_NUMBER) {
        double const number = f->number(a->number);
        uint32_t const unit = a->unit;
        *a = isfinite(number)
                 ? value_number(number, a->place)
                 : value_poison(b, (struct poison){
                                       .kind = POISON_NOT_FINITE, .place = place, .value = number});
        a->unit = unit;
        return TANSY_OK;
    }
    a->node = graph_unary(b->graph, f->operation, a->node);
    if (f->factor != 1)
        a->node = graph_binary(b->graph, OP_MULTIPLY, graph_constant(b->graph, f->factor), a->node);
    value_fold(b, a);
    return TANSY_OK;
}

static tansy_status call(struct binder *b, const struct known *f, const struct term *term,
                         struct value *argument)
{
    struct place const whole = place_span(term->place, argument[term->count - 1].place);
    switch (f->function) {
    case FUNCTION_SIGN:
        choose(b, f, term->place, argument);
        argument->unit = UNIT_NONE;
        return TANSY_OK;
    case FUNCTION_ABS:
        choose(b, f, term->place, argument);
        return TANSY_OK;
    case FUNCTION_MIN:
    case FUNCTION_MAX:
        for (uint32_t k = 1; k < term->count; k++)
            TRY(take_larger(b, term, f->function == FUNCTION_MAX, whole, argument, &argument[k]));
        return TANSY_OK;
    case FUNCTION_POW:
        return value_operate(b, TERM_POWER, term->place, argument, &argument[1]);
    default:
        return call_graph(b, f, term->place, argument);
    }
}

tansy_status value_call(struct binder *b, const struct term *term, struct value *argument)
{
    const struct known *f;
    struct place span = term->place;
    const struct value *poisoned = NULL;
    TRY(find(b, term, &f));
    for (uint32_t k = term->count; k-- > 0;) {
        TRY(value_needs_number(b, &argument[k]));
        span = place_span(span, argument[k].place);
        if (argument[k].kind == VALUE_POISON) poisoned = &argument[k];
    }
    if (poisoned)
        *argument = *poisoned;
    else
        TRY(call(b, f, term, argument));
    argument->place = span;
    return TANSY_OK;
}
