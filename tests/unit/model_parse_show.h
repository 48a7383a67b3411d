/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of the parser: parses a text and writes expressions in postfix order as a line of words. */
#ifndef MODEL_PARSE_SHOW_H
#define MODEL_PARSE_SHOW_H

#include "model/syntax.h"
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOW_SIZE = 2000 };

struct shown {
    char text[SHOW_SIZE];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static inline void show(struct shown *s, const char *format,
                                                              ...)
{
    va_list values;
    va_start(values, format);
    int const length = vsnprintf(s->text + s->used, SHOW_SIZE - s->used, format, values);
    va_end(values);
    CHECK(length >= 0 && s->used + (size_t)length < SHOW_SIZE);
    s->used += (size_t)length;
}

static void show_terms(struct shown *s, const struct syntax *syntax, struct expression e);

/* {i: 1..N; j: 1..M}; a range without a name has none. */
static inline void show_ranges(struct shown *s, const struct syntax *syntax, struct ranges ranges)
{
    for (uint32_t k = 0; k < ranges.count; k++) {
        const struct range *const r = &syntax->range.item[ranges.first + k];
        show(s, "%s%s: ", k > 0 ? "; " : "", r->name == NO_NAME ? "" : syntax->name.item[r->name]);
        show_terms(s, syntax, r->from);
        show(s, " .. ");
        show_terms(s, syntax, r->to);
    }
}

static inline void show_term(struct shown *s, const struct syntax *syntax, const struct term *t)
{
    static const char *const words[] = {
        [TERM_NEGATE] = "neg",       [TERM_ADD] = "+",         [TERM_SUBTRACT] = "-",
        [TERM_MULTIPLY] = "*",       [TERM_DIVIDE] = "/",      [TERM_POWER] = "^",
        [TERM_LESS] = "<",           [TERM_LESS_EQUAL] = "<=", [TERM_GREATER] = ">",
        [TERM_GREATER_EQUAL] = ">=", [TERM_EQUAL] = "==",      [TERM_NOT_EQUAL] = "!=",
        [TERM_NOT] = "not",          [TERM_AND] = "and",       [TERM_OR] = "or",
        [TERM_SELECT] = "select",    [TERM_SUM] = "sum",       [TERM_PRODUCT] = "product"};
    const struct body *body = NULL;
    switch (t->kind) {
    case TERM_NUMBER:
        show(s, "%.17g", t->number);
        if (t->unit.offset > 0)
            show(s, "[%.*s]", (int)t->unit.length, syntax->source.text + t->unit.offset);
        return;
    case TERM_NAME:
    case TERM_RATE:
    case TERM_INITIAL:
    case TERM_CALL:
        show(s, "%s", syntax->name.item[t->name]);
        if (t->kind == TERM_CALL) {
            show(s, "(%u)", t->count);
            return;
        }
        if (t->count > 0) show(s, "[%u]", t->count);
        if (t->kind == TERM_RATE) show(s, "'");
        if (t->kind == TERM_INITIAL) show(s, "(0)");
        return;
    case TERM_SUM:
    case TERM_PRODUCT:
        body = &syntax->body.item[t->body];
        show(s, "%s{", words[t->kind]);
        CHECK_EQUAL(t->count, body->ranges.count);
        show_ranges(s, syntax, body->ranges);
        show(s, " | ");
        show_terms(s, syntax, body->value);
        show(s, "}");
        return;
    default:
        show(s, "%s", words[t->kind]);
    }
}

static inline void show_terms(struct shown *s, const struct syntax *syntax, struct expression e)
{
    for (uint32_t i = 0; i < e.count; i++) {
        if (i > 0) show(s, " ");
        show_term(s, syntax, &syntax->term.item[e.first + i]);
    }
}

/* The text of a place is this one. */
static inline void check_place(const struct syntax *syntax, struct place at, const char *expected)
{
    char text[200];
    (void)snprintf(text, sizeof text, "%.*s", (int)at.length, syntax->source.text + at.offset);
    if (strcmp(text, expected) != 0) fprintf(stderr, "\"%s\" and \"%s\"\n", text, expected);
    CHECK(strcmp(text, expected) == 0);
}

static inline void check_terms(const struct syntax *syntax, struct expression e,
                               const char *expected)
{
    struct shown s = {.used = 0};
    show_terms(&s, syntax, e);
    if (strcmp(s.text, expected) != 0) fprintf(stderr, "\"%s\" and \"%s\"\n", s.text, expected);
    CHECK(strcmp(s.text, expected) == 0);
}

static inline void check_ranges(const struct syntax *syntax, struct ranges ranges,
                                const char *expected)
{
    struct shown s = {.used = 0};
    show_ranges(&s, syntax, ranges);
    if (strcmp(s.text, expected) != 0) fprintf(stderr, "\"%s\" and \"%s\"\n", s.text, expected);
    CHECK(strcmp(s.text, expected) == 0);
}

/* Parses a text that is right. */
static inline void parse_good(struct syntax *syntax, const char *text)
{
    *syntax = (struct syntax){0};
    tansy_status const status = syntax_parse(syntax, (struct source){"m", text, strlen(text)});
    if (status != TANSY_OK) fprintf(stderr, "%s", syntax->diagnosis.text);
    CHECK_EQUAL(status, TANSY_OK);
    CHECK_EQUAL(syntax->diagnosis.status, TANSY_OK);
}

/* Parses a text that is wrong; the whole diagnosis is as expected. */
static inline void check_error(const char *text, size_t length, const char *expected)
{
    struct syntax syntax = {0};
    CHECK_EQUAL(syntax_parse(&syntax, (struct source){"m", text, length}), TANSY_BAD_MODEL);
    CHECK_EQUAL(syntax.diagnosis.status, TANSY_BAD_MODEL);
    if (strcmp(syntax.diagnosis.text, expected) != 0)
        fprintf(stderr, "found\n%sexpected\n%s", syntax.diagnosis.text, expected);
    CHECK(strcmp(syntax.diagnosis.text, expected) == 0);
    syntax_free(&syntax);
}

#endif
