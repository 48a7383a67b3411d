/* SPDX-License-Identifier: Apache-2.0 */
/* Statements but declarations and reactions: equations, model, time. */
#include <string.h>

#include "model/parse.h"

tansy_status parse_advance(struct parser *p)
{
    p->last = p->token.place;
    return token_next(&p->lexer, &p->token);
}

tansy_status parse_expect(struct parser *p, enum token_kind kind, const char *what)
{
    return p->token.kind == kind ? parse_advance(p) : parse_unexpected(p, what);
}

tansy_status parse_name(struct parser *p, const char *what, uint32_t *name)
{
    if (token_is_word(p->token.kind))
        return PARSE_ERROR(p, p->token.place,
                           "expected %s; `%s` is a word of the language and cannot be a name", what,
                           token_text(p->token.kind));
    if (p->token.kind != TOKEN_NAME) return parse_unexpected(p, what);
    *name = syntax_intern(p->out, p->token.place);
    return *name == NO_NAME ? parse_no_memory(p) : parse_advance(p);
}

tansy_status parse_new_name(struct parser *p, const char *what, uint32_t *name)
{
    if (p->token.kind == TOKEN_NAME && parse_is_function(p, p->token.place))
        return PARSE_ERROR(p, p->token.place, "`%.*s` is a function and cannot be a name",
                           (int)p->token.place.length, p->out->source.text + p->token.place.offset);
    return parse_name(p, what, name);
}

tansy_status parse_bounds(struct parser *p, struct expression *from, struct expression *to)
{
    TRY(parse_expression(p, from));
    if (p->token.kind == TOKEN_COLON || p->token.kind == TOKEN_COMMA)
        return parse_unexpected(p, "`..` between the bounds");
    TRY(parse_expect(p, TOKEN_RANGE, "`..` and the upper bound"));
    return parse_expression(p, to);
}

/* One range, with or without a name. */
static tansy_status read_range(struct parser *p, bool must_have_names, struct range *range)
{
    struct place const first = p->token.place;
    range->name = NO_NAME;
    if (must_have_names || (p->token.kind == TOKEN_NAME && token_in_follows(&p->lexer))) {
        TRY(parse_new_name(p, "an index", &range->name));
        TRY(parse_expect(p, TOKEN_IN, "`in`, as in `i in 1..N`"));
    }
    TRY(parse_bounds(p, &range->from, &range->to));
    range->place = place_to(first, p->last);
    return TANSY_OK;
}

tansy_status parse_ranges(struct parser *p, bool must_have_names, struct ranges *ranges)
{
    struct range list[MAX_INDICES];
    size_t count = 0;
    for (bool more = true; more;) {
        if (count == MAX_INDICES)
            return PARSE_ERROR(p, p->token.place, "at most %d ranges", MAX_INDICES);
        TRY(read_range(p, must_have_names, &list[count++]));
        more = p->token.kind == TOKEN_COMMA;
        if (more) TRY(parse_advance(p));
    }
    *ranges = (struct ranges){(uint32_t)p->out->range.count, (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        if (!LIST_ADD(&p->out->range, list[i])) return parse_no_memory(p);
    return TANSY_OK;
}

tansy_status parse_for(struct parser *p, struct ranges *ranges)
{
    if (p->token.kind != TOKEN_FOR) return TANSY_OK;
    TRY(parse_advance(p));
    return parse_ranges(p, true, ranges);
}

tansy_status parse_add(struct parser *p, struct statement statement)
{
    return LIST_ADD(&p->out->statement, statement) ? TANSY_OK : parse_no_memory(p);
}

static tansy_status parse_model(struct parser *p)
{
    TRY(parse_advance(p));
    struct statement s = {.kind = STATEMENT_MODEL, .place = p->token.place};
    TRY(parse_name(p, "the name of the model", &s.name));
    if (p->token.kind == TOKEN_TEXT) {
        s.text = p->token.place;
        TRY(parse_advance(p));
    } else if (p->token.kind != TOKEN_LINE && p->token.kind != TOKEN_END)
        return parse_unexpected(p, "the title in quotes or the end of the statement");
    return parse_add(p, s);
}

/* An arrow stands in the rest of the line. */
static bool has_arrow(const struct source *source, uint32_t from)
{
    const char *const text = source->text;
    for (size_t k = from; k + 1 < source->length && text[k] != '\n' && text[k] != '#'; k++)
        if (text[k] == '-' && text[k + 1] == '>') return true;
    return false;
}

/* The left side is not followed by `=`. */
static tansy_status refuse_equation(struct parser *p, const struct statement *s,
                                    const struct term *last)
{
    enum token_kind const found = p->token.kind;
    bool const ends = found == TOKEN_LINE || found == TOKEN_END;
    bool const value = found == TOKEN_NAME || found == TOKEN_TEXT || found == TOKEN_NUMBER;
    bool const is_name = last->kind == TERM_NAME && s->left.count == 1;
    if (last->kind == TERM_EQUAL)
        return PARSE_ERROR(p, last->place, "an equation is written with one `=`");
    bool const is_reaction =
        found == TOKEN_NAME && has_arrow(&p->out->source, p->token.place.offset); /* 2 A -> B */
    if (found == TOKEN_ARROW || found == TOKEN_BOTH_ARROWS || is_reaction)
        return PARSE_ERROR(p, is_reaction ? s->place : p->token.place,
                           "a reaction begins with a label or `reaction`: r1: A -> B, rate");
    if (found == TOKEN_TICK) return parse_refuse_operator(p);
    char const first = p->out->source.text[s->place.offset];
    if ((ends || found == TOKEN_FOR) && (first == '+' || first == '-'))
        return PARSE_ERROR(p, s->place,
                           "`=` is missing; for the line before to go on, the operator stands at "
                           "its end");
    if (is_name && (ends || value)) return parse_refuse_word(p, s->place);
    if (ends || value)
        return PARSE_ERROR(p, s->place, "`=` is missing: an equation is `left = right`");
    return parse_unexpected(p, "`=`");
}

static tansy_status parse_equation(struct parser *p)
{
    struct statement s = {.kind = STATEMENT_EQUATION, .name = NO_NAME};
    struct token const first = p->token;
    TRY(parse_expression(p, &s.left));
    s.place = place_to(first.place, p->last);
    const struct term *const last = &p->out->term.item[s.left.first + s.left.count - 1];
    if (p->token.kind != TOKEN_ASSIGN) return refuse_equation(p, &s, last);
    TRY(parse_advance(p));
    TRY(parse_expression(p, &s.value));
    TRY(parse_for(p, &s.ranges));
    return parse_add(p, s);
}

/* `time a .. b [unit]`; the word is taken. */
static tansy_status parse_time(struct parser *p, struct place word)
{
    struct statement s = {.kind = STATEMENT_TIME, .place = word, .name = NO_NAME};
    TRY(parse_expression(p, &s.lower));
    TRY(parse_expect(p, TOKEN_RANGE, "`..` and the end of the time span"));
    p->unit_ends = true;
    TRY(parse_expression(p, &s.upper));
    p->unit_ends = false;
    if (p->token.kind == TOKEN_OPEN_BRACKET) {
        TRY(token_unit(&p->lexer, &s.unit));
        TRY(parse_advance(p));
    } else if (p->token.kind == TOKEN_NAME)
        return parse_unexpected(p, "the unit of time in brackets, as in `[s]`");
    return parse_add(p, s);
}

/* `time` begins a time span, or an equation when an operator follows that cannot be a sign. */
static bool equation_follows(const struct parser *p)
{
    static const char signs[] = "+*/^=<>'";
    for (size_t i = 0; i < sizeof signs - 1; i++)
        if (token_followed_by(&p->lexer, signs[i])) return true;
    return false;
}

static tansy_status parse_one(struct parser *p)
{
    struct place const first = p->token.place;
    switch (p->token.kind) {
    case TOKEN_MODEL:
        return parse_model(p);
    case TOKEN_REACTION:
        TRY(parse_advance(p));
        return parse_reaction(p);
    case TOKEN_TIME:
        if (equation_follows(p)) return parse_equation(p);
        TRY(parse_advance(p));
        return parse_time(p, first);
    case TOKEN_NAME:
        return token_followed_by(&p->lexer, ':') ? parse_reaction(p) : parse_equation(p);
    default:
        return token_begins_statement(p->token.kind) ? parse_declarations(p) : parse_equation(p);
    }
}

tansy_status parse_statement(struct parser *p)
{
    p->declares = false;
    TRY(parse_one(p));
    if (p->token.kind == TOKEN_END) return TANSY_OK;
    return p->token.kind == TOKEN_LINE ? parse_advance(p) : parse_refuse_end(p);
}
