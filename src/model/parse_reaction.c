/* SPDX-License-Identifier: Apache-2.0 */
/* Reactions: LABEL: 2 A + B -> C, rate  or  A <-> B, forward, backward, for all i of a range. */
#include "model/parse.h"

static tansy_status add_number(struct parser *p, struct expression *e, double number,
                               struct place place)
{
    struct term const term = {.kind = TERM_NUMBER, .number = number, .place = place};
    *e = (struct expression){(uint32_t)p->out->term.count, 1};
    return LIST_ADD(&p->out->term, term) ? TANSY_OK : parse_no_memory(p);
}

static tansy_status negate(struct parser *p, struct expression *e, struct place sign)
{
    e->count++;
    return LIST_ADD(&p->out->term, ((struct term){.kind = TERM_NEGATE, .place = sign}))
               ? TANSY_OK
               : parse_no_memory(p);
}

/* 2, (n + 1), or 1 for the species behind a sign. */
static tansy_status parse_molecules(struct parser *p, struct expression *e, struct place sign)
{
    if (p->token.kind == TOKEN_NUMBER) {
        TRY(add_number(p, e, p->token.number, p->token.place));
        return parse_advance(p);
    }
    if (p->token.kind != TOKEN_OPEN) return add_number(p, e, 1, sign);
    p->only_group = true;
    TRY(parse_expression(p, e));
    p->only_group = false;
    return TANSY_OK;
}

/* 2 or (n + 1), with or without a * after it; with or without a - before it, which a species alone may have too. */
static tansy_status parse_stoichiometry(struct parser *p, struct expression *e)
{
    struct place const place = p->token.place;
    bool const negative = p->token.kind == TOKEN_MINUS;
    if (!negative && p->token.kind != TOKEN_NUMBER && p->token.kind != TOKEN_OPEN) return TANSY_OK;
    if (negative) TRY(parse_advance(p));
    TRY(parse_molecules(p, e, place));
    if (negative) TRY(negate(p, e, place));
    return p->token.kind == TOKEN_TIMES ? parse_advance(p) : TANSY_OK;
}

static tansy_status parse_indices(struct parser *p, struct species *s)
{
    for (size_t i = 0; p->token.kind == TOKEN_OPEN_BRACKET || p->token.kind == TOKEN_COMMA; i++) {
        if (i == MAX_INDICES)
            return PARSE_ERROR(p, p->token.place, "at most %d indices", MAX_INDICES);
        TRY(parse_advance(p));
        TRY(parse_expression(p, &s->index[i]));
    }
    return parse_expect(p, TOKEN_CLOSE_BRACKET, "`,` or `]`");
}

static tansy_status parse_species(struct parser *p)
{
    struct species s = {.place = p->token.place};
    TRY(parse_stoichiometry(p, &s.stoichiometry));
    TRY(parse_name(p, "a species", &s.name));
    if (p->token.kind == TOKEN_OPEN_BRACKET) TRY(parse_indices(p, &s));
    s.place = place_to(s.place, p->last);
    return LIST_ADD(&p->out->species, s) ? TANSY_OK : parse_no_memory(p);
}

/* A + 2 B, or 0. */
static tansy_status parse_side(struct parser *p, uint32_t *first, uint32_t *count)
{
    *first = (uint32_t)p->out->species.count;
    *count = 0;
    bool const zero = p->token.kind == TOKEN_NUMBER && p->token.number == 0 && !p->token.glued;
    if (zero && (token_followed_by(&p->lexer, '-') || token_followed_by(&p->lexer, '<') ||
                 token_followed_by(&p->lexer, ',') || token_line_ends(&p->lexer)))
        return parse_advance(p);
    for (;;) {
        TRY(parse_species(p));
        ++*count;
        if (p->token.kind != TOKEN_PLUS) return TANSY_OK;
        TRY(parse_advance(p));
    }
}

static tansy_status parse_rate(struct parser *p, const char *what, struct expression *rate)
{
    TRY(parse_expect(p, TOKEN_COMMA, what));
    return parse_expression(p, rate);
}

/* LABEL: where there is one. */
static tansy_status parse_label(struct parser *p, struct statement *s)
{
    if (!token_followed_by(&p->lexer, ':')) return TANSY_OK;
    TRY(parse_new_name(p, "the name of the reaction", &s->name));
    return parse_advance(p);
}

tansy_status parse_reaction(struct parser *p)
{
    struct statement s = {.kind = STATEMENT_REACTION, .place = p->token.place, .name = NO_NAME};
    TRY(parse_label(p, &s));
    TRY(parse_side(p, &s.left_first, &s.left_count));
    s.reversible = p->token.kind == TOKEN_BOTH_ARROWS;
    if (!s.reversible && p->token.kind != TOKEN_ARROW)
        return parse_unexpected(p, "`+`, `->` or `<->`");
    struct place const arrow = p->token.place;
    TRY(parse_advance(p));
    TRY(parse_side(p, &s.right_first, &s.right_count));
    TRY(parse_rate(p, "`,` and the rate of the reaction", &s.value));
    if (s.reversible) TRY(parse_rate(p, "`,` and the rate backward", &s.backward));
    if (!s.reversible && p->token.kind == TOKEN_COMMA)
        return PARSE_ERROR(p, arrow, "a reaction with `->` has one rate; two rates need `<->`");
    TRY(parse_for(p, &s.ranges));
    return parse_add(p, s);
}
