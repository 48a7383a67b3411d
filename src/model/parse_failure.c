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
            source_note(source, &p->out->diagnosis, open, "`%c` was opened here",
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

/* A value is missing between the token before and this one, which is on another line or the end. */
static bool value_is_missing(const struct parser *p)
{
    if (p->last.length == 0 || *text_at(p, p->last) == '\n') return false;
    if (p->token.kind == TOKEN_LINE || p->token.kind == TOKEN_END) return true;
    size_t const between = p->token.place.offset - p->last.offset;
    return token_begins_statement(p->token.kind) && memchr(text_at(p, p->last), '\n', between);
}

/* A word that was meant as a name: not one that joins expressions. */
static bool meant_as_name(enum token_kind kind)
{
    return token_is_word(kind) && kind != TOKEN_THEN && kind != TOKEN_ELSE && kind != TOKEN_AND &&
           kind != TOKEN_OR && kind != TOKEN_FOR;
}

tansy_status parse_refuse_operand(struct parser *p)
{
    enum token_kind const token = p->token.kind;
    if (value_is_missing(p))
        return PARSE_ERROR(p, p->last, "a value is missing after `%.*s`", shown(p, p->last),
                           text_at(p, p->last));
    if (meant_as_name(token))
        return PARSE_ERROR(p, p->token.place,
                           "expected a value; `%s` is a word of the language and cannot be a name",
                           token_text(token));
    if (token == TOKEN_OPEN_BRACE)
        return PARSE_ERROR(p, p->token.place,
                           "a list {...} can only be the whole value of a vector or a control");
    bool const first = *text_at(p, p->last) == '\n';
    if (first && (token == TOKEN_TIMES || token == TOKEN_DIVIDE || token == TOKEN_POWER))
        return PARSE_ERROR(p, p->token.place,
                           "a line cannot begin with `%s`: for the line before to go on, the "
                           "operator stands at its end",
                           token_text(token));
    return parse_unexpected(p, "a value");
}

/* What stands right behind a number makes it one of other languages: 0x1f, 1_000; NULL: it does not. */
static const char *other_number(const struct parser *p, struct place number, struct place rest)
{
    const char *const text = text_at(p, rest);
    if (*text == '_' && strspn(text, "_0123456789") >= rest.length)
        return "digits are written without underscores";
    bool const is_zero = number.length == 1 && *text_at(p, number) == '0';
    bool const is_hexadecimal =
        rest.length > 1 && strspn(text + 1, "0123456789abcdefABCDEF") >= rest.length - 1;
    if (is_zero && (*text == 'x' || *text == 'X') && is_hexadecimal)
        return "numbers are written in decimals";
    return NULL;
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
    const char *const other = other_number(p, number, p->token.place);
    if (other)
        return PARSE_ERROR(p, both, "`%.*s` is no number: %s", shown(p, both), text_at(p, both),
                           other);
    return PARSE_ERROR(p, both, "write `%.*s*%.*s` for a product", shown(p, number),
                       text_at(p, number), shown(p, p->token.place), text_at(p, p->token.place));
}

/* A name with `=` behind it: the next one of a list of declarations. */
static bool is_declared_here(const struct parser *p)
{
    const char *at = text_at(p, p->token.place) + p->token.place.length;
    at += strspn(at, " \t");
    return p->declares && p->token.kind == TOKEN_NAME && at[0] == '=' && at[1] != '=';
}

/* Two values side by side. */
static tansy_status refuse_neighbours(struct parser *p)
{
    char found[SHOWN + 40];
    describe(p, found, sizeof found);
    if (is_declared_here(p) && p->frame.count == 0)
        return PARSE_ERROR(p, p->token.place, "a comma is missing before %s", found);
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
        return PARSE_ERROR(
            p, p->token.place,
            "`=` inside an expression: compare by `<=` or `>=`, constants and indices by `==`");
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
                           "a second `=`: an equation has one; compare inside `if`, by `<=` or "
                           "`>=`, constants and indices by `==`");
    bool const said = token == TOKEN_THEN || token == TOKEN_ELSE || token == TOKEN_TICK ||
                      token == TOKEN_NAME || token == TOKEN_NUMBER || token == TOKEN_OPEN ||
                      token == TOKEN_OPEN_BRACKET;
    return said ? parse_refuse_operator(p)
                : parse_unexpected(p, "an operator or the end of the statement");
}

tansy_status parse_refuse_word(struct parser *p, struct place word)
{
    const char *names[TOKEN_TIME - TOKEN_MODEL + 1];
    for (int kind = TOKEN_MODEL; kind <= TOKEN_TIME; kind++)
        names[kind - TOKEN_MODEL] = token_text((enum token_kind)kind);
    char written[SHOWN + 1], lower[SHOWN + 1];
    (void)snprintf(written, sizeof written, "%.*s", shown(p, word), text_at(p, word));
    for (size_t i = 0; i < sizeof written; i++) {
        bool const is_upper = written[i] >= 'A' && written[i] <= 'Z';
        lower[i] = is_upper ? (char)(written[i] - 'A' + 'a') : written[i];
        if (!written[i]) break;
    }
    size_t const near = spelling_nearest(lower, names, sizeof names / sizeof *names);
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
