/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the parser share.  Nothing here calls itself: expressions are read by operator precedence with a stack
   of frames on the heap. */
#ifndef MODEL_PARSE_H
#define MODEL_PARSE_H

#include "base/message.h"
#include "model/syntax.h"
#include "model/token.h"

/* What is open in an expression. */
enum frame_kind {
    FRAME_OPERATOR, /* its right operand is being read */
    FRAME_ELSE,     /* if c then a else ...: an operator that binds weakest */
    FRAME_GROUP,    /* ( ... */
    FRAME_CALL,     /* f( ... */
    FRAME_INDEX,    /* x[ ... */
    FRAME_IF,       /* if ... */
    FRAME_THEN,     /* if c then ... */
    FRAME_SUM_FROM, /* sum(i in ... */
    FRAME_SUM_TO,   /* sum(i in a .. ... */
    FRAME_SUM_BODY  /* sum(i in a .. b: ... */
};

struct frame {
    enum frame_kind kind;
    enum term_kind term; /* of FRAME_OPERATOR and sums */
    int precedence;      /* of FRAME_OPERATOR and FRAME_ELSE */
    uint32_t name;       /* of the function, vector or index */
    uint32_t count;      /* arguments, indices before the one being read */
    struct place place, name_place;
    size_t terms;  /* pending terms before the bound or body being read */
    size_t ranges; /* pending ranges before those of the sum */
};

struct parser {
    struct syntax *out;
    struct lexer lexer;
    struct token token; /* the one to be looked at */
    struct place last;  /* the token before */
    LIST(struct frame) frame;
    LIST(struct term) pending; /* of expressions not yet complete */
    LIST(struct range) pending_range;
    size_t depth, sums; /* frames that are not operators; sums among them */
    bool unit_ends;     /* a unit after the expression belongs to the statement */
    bool declares;      /* the statement is a list of declarations */
    bool only_group;    /* the expression ends with its first closing parenthesis */
};

/* Takes the token. */
tansy_status parse_advance(struct parser *p);

/* Takes a token of this kind, or says that `what` is expected. */
tansy_status parse_expect(struct parser *p, enum token_kind kind, const char *what);

/* An expression, up to the first token that cannot belong to it. */
tansy_status parse_expression(struct parser *p, struct expression *e);

/* `a .. b` */
tansy_status parse_bounds(struct parser *p, struct expression *from, struct expression *to);

/* `i in a .. b, j in c .. d`, or without names where has_names is false; up to the token after. */
tansy_status parse_ranges(struct parser *p, bool must_have_names, struct ranges *ranges);
tansy_status parse_for(struct parser *p, struct ranges *ranges);

/* A name that is not a word of the language. */
tansy_status parse_name(struct parser *p, const char *what, uint32_t *name);

/* The same where it is declared: nor is it a function. */
tansy_status parse_new_name(struct parser *p, const char *what, uint32_t *name);

/* Statements; parse_reaction begins at the label or the first species. */
tansy_status parse_statement(struct parser *p);
tansy_status parse_declarations(struct parser *p);
tansy_status parse_reaction(struct parser *p);
tansy_status parse_add(struct parser *p, struct statement statement);

/* Errors: all return TANSY_BAD_MODEL. */
#define PARSE_ERROR(p, at, ...)                                                                    \
    source_error(&(p)->out->source, &(p)->out->diagnosis, at, __VA_ARGS__)
tansy_status parse_unexpected(struct parser *p, const char *what);
tansy_status parse_refuse_operand(struct parser *p);  /* in place of a value */
tansy_status parse_refuse_operator(struct parser *p); /* after a value */
tansy_status parse_refuse_glued(struct parser *p);    /* 2x */
tansy_status parse_refuse_end(struct parser *p);      /* after a whole statement */
tansy_status parse_refuse_word(struct parser *p, struct place word);

/* The number of a name of the text; NO_NAME when there is no memory. */
uint32_t syntax_intern(struct syntax *syntax, struct place name);

/* Is it the name of a function? */
bool parse_is_function(const struct parser *p, struct place name);

/* From the beginning of one place to the end of the other. */
static inline struct place place_to(struct place from, struct place to)
{
    return (struct place){from.offset, to.offset + to.length - from.offset};
}

static inline tansy_status parse_no_memory(struct parser *p)
{
    return source_no_memory(&p->out->diagnosis);
}

#endif
