/* SPDX-License-Identifier: Apache-2.0 */
/* Text of expressions.  What is left to write stands on a list, so that deep expressions need no recursion. */
#include "model/export_c_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void write_text(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t const room = w->used < w->size ? w->size - w->used : 0;
    int const length = vsnprintf(room ? w->text + w->used : NULL, room, format, arguments);
    va_end(arguments);
    w->used += length > 0 ? (size_t)length : 0;
}

void write_number(struct writer *w, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        write_text(w, isnan(value) ? "NAN" : value > 0 ? "HUGE_VAL" : "-HUGE_VAL");
        return;
    }
    (void)snprintf(digits, sizeof digits, "%.15g", value);
    if (strtod(digits, NULL) != value) (void)snprintf(digits, sizeof digits, "%.17g", value);
    char *const comma = strchr(digits, ','); /* a locale may have made one of the point */
    if (comma) *comma = '.';
    write_text(w, strpbrk(digits, ".e") ? "%s" : "%s.0", digits);
}

void write_comment(struct writer *w, const char *text)
{
    for (; *text; text++) {
        unsigned char const c = (unsigned char)*text;
        bool const is_safe = c >= ' ' && c != 127 && !(c == '/' && text[1] == '*') &&
                             !(c == '*' && text[1] == '/') && c != '\\';
        write_text(w, "%c", is_safe ? *text : ' ');
    }
}

/* Signs that mean something in a string, a question mark for the sake of trigraphs too, as octal numbers. */
void write_string(struct writer *w, const char *text)
{
    write_text(w, "\"");
    for (; text && *text; text++) {
        unsigned char const c = (unsigned char)*text;
        bool const is_plain = c >= ' ' && c != 127 && !strchr("\"\\?", c);
        write_text(w, is_plain ? "%c" : "\\%03o", c);
    }
    write_text(w, "\"");
}

enum { NEGATED = -1, SUM = 1, PRODUCT, SIGN, ATOM }; /* negated: a number without its sign */

static int precedence_of(const struct graph *g, uint32_t node)
{
    const struct node *const n = node_at(g, node);
    switch (n->operation) {
    case OP_ADD:
    case OP_SUBTRACT:
        return SUM;
    case OP_MULTIPLY:
    case OP_DIVIDE:
        return PRODUCT;
    case OP_NEGATE:
        return SIGN;
    case OP_CONSTANT:
        return node_value(n) < 0 ? SIGN : ATOM;
    default:
        return ATOM;
    }
}

static void push(struct writer *w, const char *text, uint32_t node, int precedence)
{
    if (!LIST_ADD(&w->piece, (struct piece){text, node, precedence})) w->failed = true;
}

static void write_leaf(struct writer *w, const struct naming *names, const struct node *n)
{
    size_t const index = n->index;
    switch (n->operation) {
    case OP_TIME:
        write_text(w, "t");
        return;
    case OP_STATE:
        write_text(w, "y[%zu]", index);
        return;
    case OP_RATE:
        write_text(w, "rate[%zu]", index);
        return;
    case OP_PARAMETER:
        write_text(w, "p[%zu]", index);
        return;
    case OP_SWITCH:
        write_text(w, "p[%zu]", names->np + index);
        return;
    case OP_PIECE:
        write_text(w, "p[%zu]", names->np + names->switches);
        return;
    case OP_INPUT:
    case OP_INPUT_SLOPE:
        write_text(w, "%s_input(%zu, t, p[%zu], %d)", names->model, index,
                   names->np + names->switches, n->operation == OP_INPUT_SLOPE);
        return;
    default:
        write_number(w, node_value(n));
    }
}

static const char *function_name(uint32_t operation)
{
    static const char *const name[] = {
        [OP_EXP] = "exp(",   [OP_LOG] = "log(",   [OP_SQRT] = "sqrt(", [OP_SIN] = "sin(",
        [OP_COS] = "cos(",   [OP_TAN] = "tan(",   [OP_ASIN] = "asin(", [OP_ACOS] = "acos(",
        [OP_ATAN] = "atan(", [OP_SINH] = "sinh(", [OP_COSH] = "cosh(", [OP_TANH] = "tanh(",
    };
    return name[operation];
}

/* Puts the parts of an operation on the list, the last first. */
static void push_operation(struct writer *w, const struct graph *g, const struct node *n)
{
    static const char *const sign[] = {
        [OP_ADD] = " + ", [OP_SUBTRACT] = " - ", [OP_MULTIPLY] = " * ", [OP_DIVIDE] = " / "};
    const uint32_t *const a = n->argument;
    switch (n->operation) {
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_DIVIDE: {
        int const precedence = n->operation <= OP_SUBTRACT ? SUM : PRODUCT;
        bool const is_minus = n->operation == OP_ADD && node_value(node_at(g, a[1])) < 0;
        push(w, NULL, a[1], is_minus ? NEGATED : precedence + 1);
        push(w, is_minus ? " - " : sign[n->operation], 0, 0);
        push(w, NULL, a[0], precedence);
        return;
    }
    case OP_NEGATE:
        push(w, NULL, a[0], ATOM);
        push(w, "-", 0, 0);
        return;
    case OP_POWER:
    case OP_AT_LEAST:
        push(w, n->operation == OP_POWER ? ")" : " ? 1.0 : 0.0)", 0, 0);
        push(w, NULL, a[1], n->operation == OP_POWER ? SUM : SIGN);
        push(w, n->operation == OP_POWER ? ", " : " >= ", 0, 0);
        push(w, NULL, a[0], n->operation == OP_POWER ? SUM : SIGN);
        push(w, n->operation == OP_POWER ? "pow(" : "(", 0, 0);
        return;
    case OP_SELECT:
        push(w, ")", 0, 0);
        push(w, NULL, a[2], SUM);
        push(w, " : ", 0, 0);
        push(w, NULL, a[1], SUM);
        push(w, " != 0.0 ? ", 0, 0);
        push(w, NULL, a[0], SIGN);
        push(w, "(", 0, 0);
        return;
    default:
        push(w, ")", 0, 0);
        push(w, NULL, a[0], SUM);
        push(w, function_name(n->operation), 0, 0);
    }
}

static void write_node(struct writer *w, const struct naming *names, struct piece p, bool define)
{
    const struct node *const n = node_at(names->g, p.node);
    if (names->name[p.node] != UNNAMED && !define) {
        uint8_t const kind = names->kind[p.node];
        const char *const array = kind == NODE_SHARED    ? "s"
                                  : kind == NODE_HOISTED ? "h"
                                                         : names->target;
        if (kind == NODE_LOCAL)
            write_text(w, "w%u", names->name[p.node]);
        else
            write_text(w, "%s[%u]", array, names->name[p.node]);
        return;
    }
    if (p.precedence == NEGATED) {
        write_number(w, -node_value(n));
        return;
    }
    bool const inside = precedence_of(names->g, p.node) < p.precedence;
    if (inside) write_text(w, "(");
    if (inside) push(w, ")", 0, 0);
    if (n->operation < OP_NEGATE)
        write_leaf(w, names, n);
    else
        push_operation(w, names->g, n);
}

void write_expression(struct writer *w, const struct naming *names, uint32_t node, bool define)
{
    w->piece.count = 0;
    write_node(w, names, (struct piece){NULL, node, 0}, define);
    while (w->piece.count && !w->failed) {
        struct piece const p = w->piece.item[--w->piece.count];
        if (p.text)
            write_text(w, "%s", p.text);
        else
            write_node(w, names, p, false);
    }
}
