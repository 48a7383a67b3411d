/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser says when a token does not fit: what was found, what was expected and, for the usual slips, what to
   write. */
#include <stdio.h>
#include <string.h>

#include "model/parse.h"
#include "model/spelling.h"

enum { SHOWN = 40 }; /* bytes of a name in a message */

static const char *text_at(const struct parser *p, struct place at)
{
    return p->out->source.text + at.offset;
}

/* Bytes of a place to show: whole characters. */
static int shown(const struct parser *p, struct place at)
{
    if (at.length < SHOWN) return (int)at.length;
    int length = SHOWN;
    while (((unsigned char)text_at(p, at)[length] & 0xc0) == 0x80) length--;
    return length;
}

/* A token in words. */
static void describe(const struct parser *p, char *text, size_t size)
{
    const struct token *const t = &p->token;
    if (t->kind == TOKEN_END)
        (void)snprintf(text, size, "the end of the file");
    else if (t->kind == TOKEN_LINE)
        (void)snprintf(text, size, *text_at(p, t->place) == ';' ? "`;`" : "the end of the line");
    else if (t->kind == TOKEN_TEXT)
        (void)snprintf(text, size, "the text \"%.*s\"", shown(p, t->place), text_at(p, t->place));
    else
        (void)snprintf(text, size, "%s`%.*s`", token_is_word(t->kind) ? "the word " : "",
                       shown(p, t->place), text_at(p, t->place));
}

/* Points at an open bracket of an earlier line too: the mistake may be there. */
static tansy_status note_open(struct parser *p)
{
    const struct source *const source = &p->out->source;
    size_t const count = p->lexer.open.count;
    if (count > 0) {
        struct place const open = p->lexer.open.item[count - 1];
        bool const earlier = open.offset < p->token.place.offset;
        size_t const between = earlier ? p->token.place.offset - open.offset : 0;
        if (memchr(source->text + open.offset, '\n', between))
            source_note(source, &p->out->diagnosis, open, "`%c` was opened here and is not closed",
                        *text_at(p, open));
    }
    return p->out->diagnosis.status;
}

tansy_status parse_unexpected(struct parser *p, const char *what)
{
    char found[SHOWN + 40];
    describe(p, found, sizeof found);
    (void)PARSE_ERROR(p, p->token.place, "expected %s, found %s", what, found);
    return note_open(p);
}

tansy_status parse_refuse_operand(struct parser *p)
{
    if (p->token.kind == TOKEN_TIMES || p->token.kind == TOKEN_DIVIDE)
        return parse_unexpected(p, "a value before the operator");
    bool const ends = p->token.kind == TOKEN_LINE || p->token.kind == TOKEN_END;
    if (ends && p->last.length > 0)
        return PARSE_ERROR(p, p->last, "a value is missing after `%.*s`", shown(p, p->last),
                           text_at(p, p->last));
    if (p->token.kind == TOKEN_OPEN_BRACE)
        return PARSE_ERROR(p, p->token.place,
                           "a list {...} can only be the whole value of a vector or a control");
    return parse_unexpected(p, "a value");
}

tansy_status parse_refuse_glued(struct parser *p)
{
    struct place const number = p->token.place;
    TRY(parse_advance(p));
    struct place const both = place_to(number, p->token.place);
    char const first = *text_at(p, p->token.place);
    if (p->token.place.length == 1 && (first == 'e' || first == 'E'))
        return PARSE_ERROR(p, both, "the exponent of `%.*s` has no digits", shown(p, both),
                           text_at(p, both));
    return PARSE_ERROR(p, both, "write `%.*s*%.*s` for a product", shown(p, number),
                       text_at(p, number), shown(p, p->token.place), text_at(p, p->token.place));
}

/* Two values side by side. */
static tansy_status refuse_neighbours(struct parser *p)
{
    char found[SHOWN + 40];
    describe(p, found, sizeof found);
    (void)PARSE_ERROR(p, p->token.place,
                      "an operator is missing before %s; a product is written with `*`", found);
    return note_open(p);
}

tansy_status parse_refuse_operator(struct parser *p)
{
    enum frame_kind const kind =
        p->frame.count > 0 ? p->frame.item[p->frame.count - 1].kind : FRAME_OPERATOR;
    enum token_kind const token = p->token.kind;
    if (token == TOKEN_TICK)
        return PARSE_ERROR(p, p->token.place, "only a state has a derivative: `x'` or `x[i]'`");
    if (token == TOKEN_ASSIGN)
        return PARSE_ERROR(p, p->token.place,
                           "`=` inside an expression: compare by `==`, `<=` or `>=`");
    if (token == TOKEN_OPEN_BRACKET)
        return PARSE_ERROR(p, p->token.place, "`[` follows a name (indices) or a number (unit)");
    if (kind == FRAME_IF) return parse_unexpected(p, "`then`, as in `if c then a else b`");
    if (kind == FRAME_THEN) return parse_unexpected(p, "`else`, as in `if c then a else b`");
    if (token == TOKEN_NAME || token == TOKEN_NUMBER || token == TOKEN_OPEN)
        return refuse_neighbours(p);
    if (token == TOKEN_THEN || token == TOKEN_ELSE)
        return PARSE_ERROR(p, p->token.place, "`%s` without `if` before it", token_text(token));
    if (kind == FRAME_SUM_FROM)
        return parse_unexpected(p, "`..` and the upper bound, as in sum(i in 1..N: x[i])");
    if (kind == FRAME_SUM_TO)
        return parse_unexpected(p, "`:` and what is added up, as in sum(i in 1..N: x[i])");
    return parse_unexpected(p, kind == FRAME_INDEX ? "`]`" : "`)`");
}

tansy_status parse_refuse_end(struct parser *p)
{
    enum token_kind const token = p->token.kind;
    if (token == TOKEN_COMMA)
        return PARSE_ERROR(p, p->token.place,
                           "statements are separated by `;` or a new line, not by `,`");
    if (token == TOKEN_ASSIGN)
        return PARSE_ERROR(p, p->token.place,
                           "a second `=`: an equation has one; compare by `==` inside `if`");
    bool const operand = token == TOKEN_OPEN_BRACE || token == TOKEN_TEXT || token_is_word(token);
    if (operand || token == TOKEN_COLON || token == TOKEN_RANGE)
        return parse_unexpected(p, "an operator or the end of the statement");
    return parse_refuse_operator(p);
}

tansy_status parse_refuse_word(struct parser *p, struct place word)
{
    const char *names[TOKEN_TIME - TOKEN_MODEL + 1];
    for (int kind = TOKEN_MODEL; kind <= TOKEN_TIME; kind++)
        names[kind - TOKEN_MODEL] = token_text((enum token_kind)kind);
    char written[SHOWN + 1];
    (void)snprintf(written, sizeof written, "%.*s", shown(p, word), text_at(p, word));
    size_t const near = spelling_nearest(written, names, sizeof names / sizeof *names);
    if (near != SIZE_MAX)
        return PARSE_ERROR(p, word, "`%s` begins no statement; did you mean `%s`?", written,
                           names[near]);
    return PARSE_ERROR(p, word,
                       "neither an equation `x' = ...` nor a statement that begins with a word of "
                       "the language (parameter, state, let, ...)");
}

bool parse_is_function(const struct parser *p, struct place name)
{
    static const char *const names[] = {"exp",   "log",  "ln",    "log10", "log2",  "sqrt", "cbrt",
                                        "sin",   "cos",  "tan",   "asin",  "acos",  "atan", "sinh",
                                        "cosh",  "tanh", "abs",   "min",   "sign",  "max",  "pow",
                                        "floor", "ceil", "round", "mod",   "hypot", "atan2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == name.length && memcmp(names[i], text_at(p, name), name.length) == 0)
            return true;
    return false;
}
