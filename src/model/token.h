/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the model language, one after the other.  A line goes on inside brackets, after an operator or a comma,
   after a backslash, and when the next line begins with a word such as then, else or for; brackets that do not match are
   found here. */
#ifndef MODEL_TOKEN_H
#define MODEL_TOKEN_H

#include <stdbool.h>

#include "base/grow.h"
#include "model/source.h"

enum token_kind {
    TOKEN_END,  /* of the text */
    TOKEN_LINE, /* end of a statement: newline or ; */
    TOKEN_NUMBER,
    TOKEN_NAME,
    TOKEN_TEXT, /* "..."; the place is without the quotes */
    /* statements begin with */
    TOKEN_MODEL,
    TOKEN_PARAMETER,
    TOKEN_CONSTANT,
    TOKEN_STATE,
    TOKEN_ALGEBRAIC,
    TOKEN_LET,
    TOKEN_OUTPUT,
    TOKEN_INTEGRAL,
    TOKEN_CONTROL,
    TOKEN_INPUT,
    TOKEN_REACTION,
    TOKEN_TIME,
    /* other words */
    TOKEN_FOR,
    TOKEN_IN,
    TOKEN_IF,
    TOKEN_THEN,
    TOKEN_ELSE,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_SUM,
    TOKEN_PRODUCT,
    TOKEN_FROM,
    TOKEN_AT,
    TOKEN_ON,
    TOKEN_BY,
    TOKEN_SCALE,
    TOKEN_ATOL,
    TOKEN_PIECEWISE,
    TOKEN_LINEAR,
    TOKEN_COLUMN,
    /* signs */
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_OPEN_BRACKET,
    TOKEN_CLOSE_BRACKET,
    TOKEN_OPEN_BRACE,
    TOKEN_CLOSE_BRACE,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_POWER,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL, /* == */
    TOKEN_NOT_EQUAL,
    TOKEN_ASSIGN, /* = */
    TOKEN_COMMA,
    TOKEN_COLON,
    TOKEN_RANGE, /* .. */
    TOKEN_TICK,  /* ' */
    TOKEN_ARROW, /* -> */
    TOKEN_BOTH_ARROWS,
    TOKENS
};

struct token {
    enum token_kind kind;
    struct place place;
    double number; /* of TOKEN_NUMBER */
    bool glued;    /* a number with a letter right after it: 2x */
};

struct lexer {
    const struct source *source;
    struct diagnosis *diagnosis;
    size_t offset;            /* where the next token is looked for */
    enum token_kind previous; /* the last token handed out */
    LIST(struct place) open;  /* brackets not yet closed */
};

/* source_check() has passed.  The memory of `open` is the caller's to free. */
void token_begin(struct lexer *lexer, const struct source *source, struct diagnosis *d);
tansy_status token_next(struct lexer *lexer, struct token *token);

/* After TOKEN_OPEN_BRACKET: is there a `..` before the bracket closes? */
bool token_range_follows(const struct lexer *lexer);
/* After TOKEN_OPEN_BRACKET: reads the rest as a unit up to and with the bracket. */
tansy_status token_unit(struct lexer *lexer, struct place *unit);

/* Is the next character (after blanks) this one? */
bool token_followed_by(const struct lexer *lexer, char sign);
/* Is there nothing more on the line, or a `;`? */
bool token_line_ends(const struct lexer *lexer);
/* Is the next word `in`? */
bool token_in_follows(const struct lexer *lexer);

/* The words: "state" for TOKEN_STATE; signs: "("; "" for the others. */
const char *token_text(enum token_kind kind);

/* Does a statement begin with this word? */
static inline bool token_begins_statement(enum token_kind kind)
{
    return kind >= TOKEN_MODEL && kind <= TOKEN_TIME;
}

/* Is it a word of the language? */
static inline bool token_is_word(enum token_kind kind)
{
    return kind >= TOKEN_MODEL && kind <= TOKEN_COLUMN;
}

#endif
