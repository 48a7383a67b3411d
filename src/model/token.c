/* SPDX-License-Identifier: Apache-2.0 */
/* The lexer: one token a call, no list of them. */
#include "model/token.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "model/token_letters.h"
#include "model/token_number.h"

enum { LONGEST_WORD = 9 }; /* algebraic, parameter, piecewise */

static const char *const texts[TOKENS] = {
    [TOKEN_MODEL] = "model",
    [TOKEN_PARAMETER] = "parameter",
    [TOKEN_CONSTANT] = "constant",
    [TOKEN_STATE] = "state",
    [TOKEN_ALGEBRAIC] = "algebraic",
    [TOKEN_LET] = "let",
    [TOKEN_OUTPUT] = "output",
    [TOKEN_INTEGRAL] = "integral",
    [TOKEN_CONTROL] = "control",
    [TOKEN_INPUT] = "input",
    [TOKEN_REACTION] = "reaction",
    [TOKEN_TIME] = "time",
    [TOKEN_FOR] = "for",
    [TOKEN_IN] = "in",
    [TOKEN_IF] = "if",
    [TOKEN_THEN] = "then",
    [TOKEN_ELSE] = "else",
    [TOKEN_AND] = "and",
    [TOKEN_OR] = "or",
    [TOKEN_NOT] = "not",
    [TOKEN_SUM] = "sum",
    [TOKEN_PRODUCT] = "product",
    [TOKEN_FROM] = "from",
    [TOKEN_AT] = "at",
    [TOKEN_ON] = "on",
    [TOKEN_BY] = "by",
    [TOKEN_SCALE] = "scale",
    [TOKEN_ATOL] = "atol",
    [TOKEN_PIECEWISE] = "piecewise",
    [TOKEN_LINEAR] = "linear",
    [TOKEN_COLUMN] = "column",
    [TOKEN_OPEN] = "(",
    [TOKEN_CLOSE] = ")",
    [TOKEN_OPEN_BRACKET] = "[",
    [TOKEN_CLOSE_BRACKET] = "]",
    [TOKEN_OPEN_BRACE] = "{",
    [TOKEN_CLOSE_BRACE] = "}",
    [TOKEN_PLUS] = "+",
    [TOKEN_MINUS] = "-",
    [TOKEN_TIMES] = "*",
    [TOKEN_DIVIDE] = "/",
    [TOKEN_POWER] = "^",
    [TOKEN_LESS] = "<",
    [TOKEN_LESS_EQUAL] = "<=",
    [TOKEN_GREATER] = ">",
    [TOKEN_GREATER_EQUAL] = ">=",
    [TOKEN_EQUAL] = "==",
    [TOKEN_NOT_EQUAL] = "!=",
    [TOKEN_ASSIGN] = "=",
    [TOKEN_COMMA] = ",",
    [TOKEN_COLON] = ":",
    [TOKEN_RANGE] = "..",
    [TOKEN_TICK] = "'",
    [TOKEN_ARROW] = "->",
    [TOKEN_BOTH_ARROWS] = "<->",
};

const char *token_text(enum token_kind kind)
{
    return texts[kind] ? texts[kind] : "";
}

void token_begin(struct lexer *lexer, const struct source *source, struct diagnosis *d)
{
    *lexer = (struct lexer){.source = source, .diagnosis = d, .previous = TOKEN_LINE};
    if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) lexer->offset = 3;
}

#define REFUSE(lexer, at, ...) source_error((lexer)->source, (lexer)->diagnosis, at, __VA_ARGS__)

static struct place place_of(size_t offset, size_t length)
{
    return (struct place){(uint32_t)offset, (uint32_t)length};
}

static const char *here(const struct lexer *lexer)
{
    return lexer->source->text + lexer->offset;
}

static size_t left(const struct lexer *lexer)
{
    return lexer->source->length - lexer->offset;
}

/* Blanks and comments, from an offset on. */
static size_t skip_blanks(const struct source *source, size_t at)
{
    const char *const text = source->text;
    while (at < source->length) {
        if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
            at++;
        } else if (text[at] == '#') {
            const char *const end = memchr(text + at, '\n', source->length - at);
            at = end ? (size_t)(end - text) : source->length;
        } else
            break;
    }
    return at;
}

/* Does a line that ends after this token go on? */
static bool goes_on_after(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_LINE: /* nothing has begun: an empty line */
    case TOKEN_IF:
    case TOKEN_THEN:
    case TOKEN_ELSE:
    case TOKEN_AND:
    case TOKEN_OR:
    case TOKEN_NOT:
    case TOKEN_COMMA:
    case TOKEN_COLON:
    case TOKEN_RANGE:
    case TOKEN_ARROW:
    case TOKEN_BOTH_ARROWS:
        return true;
    default:
        return kind >= TOKEN_PLUS && kind <= TOKEN_ASSIGN;
    }
}

/* The kind of a name: a word of the language or TOKEN_NAME. */
static enum token_kind kind_of_name(const char *text, size_t length)
{
    for (int kind = TOKEN_MODEL; kind <= TOKEN_COLUMN && length <= LONGEST_WORD; kind++)
        if (texts[kind][0] == *text && strlen(texts[kind]) == length &&
            memcmp(texts[kind], text, length) == 0)
            return (enum token_kind)kind;
    return TOKEN_NAME;
}

/* Does the next line that is not empty begin with a word that cannot begin a statement: then, else, for, in, ...? */
static bool goes_on_at(const struct source *source, size_t at)
{
    at = skip_blanks(source, at);
    while (at < source->length && source->text[at] == '\n') at = skip_blanks(source, at + 1);
    size_t const length = token_letters_length(source->text + at, source->length - at);
    if (length == 0) return false;
    switch (kind_of_name(source->text + at, length)) {
    case TOKEN_FOR:
    case TOKEN_IN:
    case TOKEN_THEN:
    case TOKEN_ELSE:
    case TOKEN_AND:
    case TOKEN_OR:
    case TOKEN_FROM:
    case TOKEN_AT:
    case TOKEN_ON:
    case TOKEN_BY:
    case TOKEN_SCALE:
    case TOKEN_ATOL:
    case TOKEN_PIECEWISE:
    case TOKEN_COLUMN:
        return true;
    default:
        return false;
    }
}

/* Goes to the next token; true when it is a newline that ends the statement. */
static bool skip(struct lexer *lexer)
{
    const struct source *const source = lexer->source;
    for (;;) {
        size_t const at = lexer->offset = skip_blanks(source, lexer->offset);
        if (at == source->length) return false;
        char const c = source->text[at];
        if (c == '\n') {
            bool const goes_on = lexer->open.count > 0 || goes_on_after(lexer->previous);
            if (!goes_on && !goes_on_at(source, at + 1)) return true;
            lexer->offset++;
        } else if (c == '\\') {
            size_t const end = skip_blanks(source, at + 1);
            if (end < source->length && source->text[end] != '\n') return false;
            lexer->offset = end < source->length ? end + 1 : end;
        } else
            return false;
    }
}

/* A name or a word of the language. */
static tansy_status read_name(struct lexer *lexer, struct token *token)
{
    size_t const length = token_letters_length(here(lexer), left(lexer));
    token->kind = kind_of_name(here(lexer), length);
    token->place = place_of(lexer->offset, length);
    lexer->offset += length;
    bool const new_statement = token->kind >= TOKEN_MODEL && token->kind <= TOKEN_REACTION;
    if (new_statement && lexer->open.count > 0) {
        struct place const open = lexer->open.item[lexer->open.count - 1];
        (void)REFUSE(lexer, open, "`%c` is not closed", lexer->source->text[open.offset]);
        source_note(lexer->source, lexer->diagnosis, token->place, "here a new statement begins");
        return lexer->diagnosis->status;
    }
    return TANSY_OK;
}

/* The first byte of a number that is not 0 or a point: a digit, an e or what follows the number (a zero). */
static size_t skip_zeros(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && (text[at] == '0' || text[at] == '.')) at++;
    return at;
}

static tansy_status read_number(struct lexer *lexer, struct token *token)
{
    const char *const text = here(lexer);
    size_t const rest = left(lexer), length = token_number_length(text, rest);
    token->kind = TOKEN_NUMBER;
    token->place = place_of(lexer->offset, length);
    token->number = token_number_value(text, length);
    token->glued = token_letters_length(text + length, rest - length) > 0;
    bool const range = length + 1 < rest && text[length + 1] == '.';
    if (length < rest && text[length] == '.' && !range) {
        size_t const more = token_number_length(text + length, rest - length);
        return REFUSE(lexer, place_of(lexer->offset, length + (more > 0 ? more : 1)),
                      "a number has only one point");
    }
    if (isinf(token->number))
        return REFUSE(lexer, token->place, "this number is too large: numbers go up to 1.797e308");
    size_t const digit = skip_zeros(text, length);
    if (token->number == 0 && digit < length && text[digit] <= '9')
        source_warn(lexer->source, lexer->diagnosis, token->place,
                    "this number is smaller than 4.9e-324 and counts as 0");
    lexer->offset += length;
    return TANSY_OK;
}

static tansy_status read_text(struct lexer *lexer, struct token *token)
{
    const char *const text = here(lexer) + 1;
    size_t const rest = left(lexer) - 1;
    const char *const line = memchr(text, '\n', rest);
    size_t const room = line ? (size_t)(line - text) : rest;
    const char *const end = memchr(text, '"', room);
    if (!end)
        return REFUSE(lexer, place_of(lexer->offset, 1),
                      "the closing `\"` is missing on this line");
    token->kind = TOKEN_TEXT;
    token->place = place_of(lexer->offset + 1, (size_t)(end - text));
    lexer->offset += token->place.length + 2;
    return TANSY_OK;
}

/* Signs that other languages have, and what is written here; first those that begin like a sign of ours. */
static const struct {
    const char *sign, *advice;
} foreign[] = {
    {"...", "write `..` with spaces, as in `0 .. 1`"},
    {"<=>", "write `<->`"},
    {"=>", "write `>=` to compare or `->` in a reaction"},
    {"=<", "write `<=`"},
    {":=", "write `=`"},
    {"<>", "write `<` or `>`, of constants and indices `!=`"},
    {"+=", "write an equation `x' = ...`"},
    {"-=", "write an equation `x' = ...`"},
    {"//", "a comment begins with `#`"},
    {"/*", "a comment begins with `#`"},
    {"&&", "write `and`"},
    {"&", "write `and`"},
    {"||", "write `or`"},
    {"|", "write `or`; `abs(x)` is the absolute value"},
    {"~=", "write `<` or `>`, of constants and indices `!=`"},
    {"!", "write `not`"},
    {"%", "a comment begins with `#`"},
    {"\\", "a `\\` that continues a line is its last character"},
    {"?", "write `if c then a else b`"},
    {"\xe2\x88\x92", "write `-`"},                                       /* minus sign */
    {"\xe2\x80\x93", "write `-`"},                                       /* dash */
    {"\xc3\x97", "write `*`"},                                           /* multiplication sign */
    {"\xc2\xb7", "write `*`"},                                           /* middle dot */
    {"\xe2\x8b\x85", "write `*`"},                                       /* dot operator */
    {"\xc3\xb7", "write `/`"},                                           /* division sign */
    {"\xe2\x89\xa4", "write `<=`"},                                      /* less or equal */
    {"\xe2\x89\xa5", "write `>=`"},                                      /* greater or equal */
    {"\xe2\x89\xa0", "write `<` or `>`, of constants and indices `!=`"}, /* not equal */
    {"\xe2\x86\x92", "write `->`"},                                      /* arrow */
    {"\xe2\x87\x8c", "write `<->`"},                                     /* harpoons */
    {"\xc2\xb2", "write `^2`"},                                          /* superscripts */
    {"\xc2\xb3", "write `^3`"},
    {"\xe2\x81\xb4", "write `^4`"},
    {"\xe2\x81\xbb\xc2\xb9", "write `^-1`"},
    {"\xe2\x81\xbb\xc2\xb2", "write `^-2`"},
    {"\xe2\x80\x9c", "write a straight `\"`"},
    {"\xe2\x80\x9d", "write a straight `\"`"},
    {"\xe2\x80\x99", "write a straight `'`"},
    {"\xe2\x80\xb2", "write a straight `'`"}, /* prime */
    {"\xc2\xa0", "this is a no-break space: write a plain one"},
};
enum { FOREIGN = sizeof foreign / sizeof *foreign, FOREIGN_LONGER = 10 };

static bool begins_with(const struct lexer *lexer, const char *sign)
{
    if (sign[0] != *here(lexer)) return false;
    size_t const length = strlen(sign);
    return left(lexer) >= length && memcmp(sign, here(lexer), length) == 0;
}

/* Refuses the sign if it is one of foreign[from .. to). */
static tansy_status refuse_foreign(const struct lexer *lexer, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (begins_with(lexer, foreign[i].sign))
            return REFUSE(lexer, place_of(lexer->offset, strlen(foreign[i].sign)),
                          "`%s` is not a sign of the language: %s", foreign[i].sign,
                          foreign[i].advice);
    return TANSY_OK;
}

static tansy_status open_bracket(struct lexer *lexer, struct place at)
{
    return LIST_ADD(&lexer->open, at) ? TANSY_OK : source_no_memory(lexer->diagnosis);
}

static tansy_status close_bracket(struct lexer *lexer, const struct token *token)
{
    char const open = *token_text((enum token_kind)(token->kind - 1));
    if (lexer->open.count == 0)
        return REFUSE(lexer, token->place, "`%s` without `%c` before it", token_text(token->kind),
                      open);
    struct place const at = lexer->open.item[--lexer->open.count];
    char const found = lexer->source->text[at.offset];
    if (found == open) return TANSY_OK;
    (void)REFUSE(lexer, token->place, "`%s` cannot close `%c`", token_text(token->kind), found);
    source_note(lexer->source, lexer->diagnosis, at, "`%c` was opened here", found);
    return lexer->diagnosis->status;
}

/* The sign at the offset and its bytes; TOKENS when it is none of ours. */
static enum token_kind sign_here(const struct lexer *lexer, size_t *length)
{
    static const unsigned char longer[] = {TOKEN_BOTH_ARROWS,  TOKEN_ARROW, TOKEN_RANGE,
                                           TOKEN_LESS_EQUAL,   TOKEN_EQUAL, TOKEN_NOT_EQUAL,
                                           TOKEN_GREATER_EQUAL};
    *length = 2;
    if (begins_with(lexer, "**")) return TOKEN_POWER;
    for (size_t i = 0; i < sizeof longer; i++) {
        *length = strlen(texts[longer[i]]);
        if (begins_with(lexer, texts[longer[i]])) return longer[i];
    }
    *length = 1;
    int kind = TOKEN_OPEN;
    while (kind < TOKENS && !(texts[kind][0] == *here(lexer) && texts[kind][1] == '\0')) kind++;
    return (enum token_kind)kind;
}

static tansy_status read_sign(struct lexer *lexer, struct token *token)
{
    TRY(refuse_foreign(lexer, 0, FOREIGN_LONGER));
    size_t length = 1;
    enum token_kind const kind = sign_here(lexer, &length);
    if (kind == TOKENS) {
        TRY(refuse_foreign(lexer, FOREIGN_LONGER, FOREIGN));
        int32_t const code = source_character(here(lexer), left(lexer), &length);
        const char *const invisible = source_invisible(code);
        if (invisible)
            return REFUSE(lexer, place_of(lexer->offset, length),
                          "an invisible character, a %s (U+%04X): delete it", invisible,
                          (unsigned)code);
        return REFUSE(lexer, place_of(lexer->offset, length), "`%.*s` has no meaning here",
                      (int)length, here(lexer));
    }
    token->kind = kind;
    token->place = place_of(lexer->offset, length);
    lexer->offset += length;
    if (kind > TOKEN_CLOSE_BRACE) return TANSY_OK;
    return (kind - TOKEN_OPEN) % 2 == 0 ? open_bracket(lexer, token->place)
                                        : close_bracket(lexer, token);
}

/* The end of the text, with all brackets closed. */
static tansy_status read_end(struct lexer *lexer, struct token *token)
{
    token->kind = TOKEN_END;
    token->place = place_of(lexer->offset, 0);
    if (lexer->open.count == 0) return TANSY_OK;
    struct place const at = lexer->open.item[lexer->open.count - 1];
    return REFUSE(lexer, at, "`%c` is not closed", lexer->source->text[at.offset]);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static tansy_status read_token(struct lexer *lexer, struct token *token)
{
    bool const line_ends = skip(lexer);
    if (left(lexer) == 0) return read_end(lexer, token);
    char const c = *here(lexer);
    if (line_ends || c == ';') {
        token->kind = TOKEN_LINE;
        token->place = place_of(lexer->offset++, 1);
        return TANSY_OK;
    }
    if (is_digit(c) || (c == '.' && left(lexer) > 1 && is_digit(here(lexer)[1])))
        return read_number(lexer, token);
    if (c == '"') return read_text(lexer, token);
    if (token_letters_length(here(lexer), left(lexer)) > 0) return read_name(lexer, token);
    return read_sign(lexer, token);
}

tansy_status token_next(struct lexer *lexer, struct token *token)
{
    *token = (struct token){0};
    TRY(read_token(lexer, token));
    lexer->previous = token->kind;
    return TANSY_OK;
}

bool token_range_follows(const struct lexer *lexer)
{
    const char *const text = here(lexer);
    size_t const rest = left(lexer);
    for (size_t i = 0; i < rest && text[i] != ']' && text[i] != ';'; i++)
        if (text[i] == '[' || (text[i] == '.' && i + 1 < rest && text[i + 1] == '.')) return true;
    return false;
}

tansy_status token_unit(struct lexer *lexer, struct place *unit)
{
    const char *const text = here(lexer);
    size_t const rest = left(lexer);
    size_t length = 0;
    while (length < rest && !strchr("]\n[{=\"", text[length])) length++;
    if (length == rest || text[length] != ']')
        return REFUSE(lexer, lexer->open.item[lexer->open.count - 1],
                      "the closing `]` of the unit is missing");
    *unit = place_of(lexer->offset, length);
    lexer->offset += length + 1;
    lexer->open.count--;
    lexer->previous = TOKEN_CLOSE_BRACKET;
    return TANSY_OK;
}

bool token_followed_by(const struct lexer *lexer, char sign)
{
    size_t const at = skip_blanks(lexer->source, lexer->offset);
    return at < lexer->source->length && lexer->source->text[at] == sign;
}

bool token_line_ends(const struct lexer *lexer)
{
    size_t const at = skip_blanks(lexer->source, lexer->offset);
    return at == lexer->source->length || strchr("\n;", lexer->source->text[at]);
}

bool token_in_follows(const struct lexer *lexer)
{
    const struct source *const source = lexer->source;
    size_t at = skip_blanks(source, lexer->offset);
    while (at < source->length && source->text[at] == '\n') at = skip_blanks(source, at + 1);
    size_t const length = token_letters_length(source->text + at, source->length - at);
    return length == 2 && kind_of_name(source->text + at, length) == TOKEN_IN;
}
