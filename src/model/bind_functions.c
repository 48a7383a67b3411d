/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: those of the graph; log10, log2 and pow through them; abs, sign, min and max by a choice at a switch. */
#include <math.h>
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

static tansy_status unknown(struct binder *b, const struct term *term)
{
    const char *const name = bind_name(b, term->name);
    if (b->symbol_of[term->name] != NO_NAME)
        return BIND_ERROR(b, term->place,
                          "%s is no function; entries are written %s[1], initial values %s(0)",
                          name, name, name);
    static const char *const derivatives[] = {"d", "D", "der", "diff", "ddt"};
    for (size_t k = 0; k < sizeof derivatives / sizeof *derivatives; k++)
        if (strcmp(name, derivatives[k]) == 0)
            return BIND_ERROR(b, term->place,
                              "there is no function %s; the derivative of a state x is written x'",
                              name);
    const char *names[KNOWN];
    for (size_t k = 0; k < KNOWN; k++) names[k] = known[k].name;
    size_t const nearest = spelling_nearest(name, names, KNOWN);
    if (nearest != SIZE_MAX)
        return BIND_ERROR(b, term->place, "there is no function %s; did you mean %s?", name,
                          names[nearest]);
    return BIND_ERROR(b, term->place, "there is no function %s", name);
}

static tansy_status find(struct binder *b, const struct term *term, const struct known **found)
{
    const char *const name = bind_name(b, term->name);
    *found = NULL;
    for (size_t k = 0; k < KNOWN && !*found; k++)
        if (known[k].name[0] == name[0] && strcmp(known[k].name, name) == 0) *found = &known[k];
    if (!*found) return unknown(b, term);
    const struct known *const f = *found;
    if (f->function == FUNCTION_STEPS)
        return BIND_ERROR(b, term->place,
                          "%s cannot be used: it has no derivative and no end of jumps", f->name);
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
        TRY(value_same_unit(b, a->place, a->unit, UNIT_NONE,
                            "the argument of a function has no dimension, but there are"));
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
