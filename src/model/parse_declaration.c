/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations: parameter, constant, state, algebraic, let, output, integral, control, input. */
#include <string.h>

#include "model/parse.h"

/* What may follow the value. */
enum {
    MAY_BOUND = 1, /* in lo .. hi */
    MAY_SCALE = 2,
    MAY_ATOL = 4,
    MAY_PIECEWISE = 8,
    MAY_GRID = 16,   /* at {...}, on a .. b by N */
    MAY_COLUMN = 32, /* column 3 */
    MAY_RANGES = 64, /* be a vector */
    MAY_LACK = 128   /* have no value */
};

static unsigned may(enum statement_kind kind)
{
    switch (kind) {
    case STATEMENT_PARAMETER:
        return MAY_BOUND | MAY_SCALE | MAY_RANGES;
    case STATEMENT_STATE:
    case STATEMENT_ALGEBRAIC:
        return MAY_ATOL | MAY_RANGES;
    case STATEMENT_OUTPUT:
        return MAY_LACK | MAY_RANGES;
    case STATEMENT_CONTROL:
        return MAY_BOUND | MAY_SCALE | MAY_PIECEWISE | MAY_GRID;
    case STATEMENT_INPUT:
        return MAY_PIECEWISE | MAY_COLUMN;
    case STATEMENT_INTEGRAL:
        return 0;
    default: /* constant, let */
        return MAY_RANGES;
    }
}

static enum statement_kind kind_of(enum token_kind kind)
{
    return STATEMENT_PARAMETER + (enum statement_kind)(kind - TOKEN_PARAMETER);
}

static const char *word_of(enum statement_kind kind)
{
    return token_text(TOKEN_PARAMETER + (enum token_kind)(kind - STATEMENT_PARAMETER));
}

/* {a, b, c} */
static tansy_status parse_list(struct parser *p, struct items *list)
{
    *list = (struct items){.first = (uint32_t)p->out->item.count, .given = true};
    do {
        TRY(parse_advance(p)); /* the brace or a comma */
        struct expression e;
        TRY(parse_expression(p, &e));
        if (!LIST_ADD(&p->out->item, e)) return parse_no_memory(p);
        list->count++;
    } while (p->token.kind == TOKEN_COMMA);
    return parse_expect(p, TOKEN_CLOSE_BRACE, "`,` or `}`");
}

/* A unit that is a whole number above 1 was meant to be a length. */
static tansy_status check_unit(struct parser *p, const struct statement *s)
{
    const char *const text = p->out->source.text + s->unit.offset;
    if (s->unit.length == 0 || strspn(text, "0123456789") != s->unit.length) return TANSY_OK;
    if (s->unit.length == 1 && text[0] == '1') return TANSY_OK;
    bool const is_named = s->kind == STATEMENT_OUTPUT && !token_followed_by(&p->lexer, '=');
    if (is_named) return TANSY_OK; /* something declared elsewhere: the binder knows what */
    int const length = s->unit.length < 20 ? (int)s->unit.length : 20;
    return PARSE_ERROR(p, s->unit, "a vector is declared by its range: [1..%.*s]", length, text);
}

/* [ranges] and [unit] after the name. */
static tansy_status parse_brackets(struct parser *p, struct statement *s)
{
    if (p->token.kind == TOKEN_OPEN_BRACKET && token_range_follows(&p->lexer)) {
        if (!(may(s->kind) & MAY_RANGES))
            return PARSE_ERROR(p, p->token.place, "`%s` cannot declare a vector", word_of(s->kind));
        TRY(parse_advance(p));
        TRY(parse_ranges(p, false, &s->ranges));
        TRY(parse_expect(p, TOKEN_CLOSE_BRACKET, "`,` or `]`"));
    }
    if (p->token.kind == TOKEN_OPEN_BRACKET) {
        TRY(token_unit(&p->lexer, &s->unit));
        TRY(check_unit(p, s));
        return parse_advance(p);
    }
    return TANSY_OK;
}

static tansy_status parse_value(struct parser *p, struct statement *s)
{
    if (p->token.kind != TOKEN_ASSIGN) {
        bool const ends = p->token.kind == TOKEN_LINE || p->token.kind == TOKEN_END ||
                          p->token.kind == TOKEN_COMMA;
        if (ends && (may(s->kind) & MAY_LACK)) return TANSY_OK;
        if (ends)
            return PARSE_ERROR(p, s->place, "a value is missing: %s %s = ...", word_of(s->kind),
                               p->out->name.item[s->name]);
        return parse_unexpected(p, "`=`");
    }
    TRY(parse_advance(p));
    if (p->token.kind == TOKEN_OPEN_BRACE) {
        struct place const brace = p->token.place;
        TRY(parse_list(p, &s->list));
        if (s->ranges.count > 0 || s->kind == STATEMENT_CONTROL) return TANSY_OK;
        return PARSE_ERROR(p, brace, "a list is the value of a vector: %s %s[1..%u] = {...}",
                           word_of(s->kind), p->out->name.item[s->name], s->list.count);
    }
    return parse_expression(p, &s->value);
}

/* from "file.csv" */
static tansy_status parse_file(struct parser *p, struct statement *s)
{
    s->is_linear = true;
    TRY(parse_expect(p, TOKEN_FROM, "`from \"FILE.csv\"`"));
    s->text = p->token.place;
    return parse_expect(p, TOKEN_TEXT, "the name of a file in quotes");
}

static tansy_status parse_column(struct parser *p, struct statement *s)
{
    if (p->token.kind == TOKEN_TEXT) {
        s->column = p->token.place;
        return parse_advance(p);
    }
    double const number = p->token.number;
    if (p->token.kind != TOKEN_NUMBER)
        return parse_unexpected(p, "the number of a column or its name in quotes");
    if (!(number >= 1 && number <= 1e6) || number != (double)(uint32_t)number)
        return PARSE_ERROR(p, p->token.place, "columns are counted 1, 2, 3, ...");
    s->column_number = (uint32_t)number;
    return parse_advance(p);
}

static tansy_status parse_piecewise(struct parser *p, struct statement *s)
{
    if (p->token.kind != TOKEN_LINEAR && p->token.kind != TOKEN_CONSTANT)
        return parse_unexpected(p, "`constant` or `linear`");
    s->is_linear = p->token.kind == TOKEN_LINEAR;
    return parse_advance(p);
}

static tansy_status parse_grid(struct parser *p, enum token_kind word, struct statement *s)
{
    if (word == TOKEN_AT) {
        if (p->token.kind != TOKEN_OPEN_BRACE) return parse_unexpected(p, "`{`: at {t0, t1, ...}");
        return parse_list(p, &s->grid);
    }
    TRY(parse_bounds(p, &s->from, &s->to));
    TRY(parse_expect(p, TOKEN_BY, "`by` and the number of intervals"));
    return parse_expression(p, &s->by);
}

/* The clause that begins with this word; 0: none does. */
static unsigned clause_of(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_IN:
        return MAY_BOUND;
    case TOKEN_SCALE:
        return MAY_SCALE;
    case TOKEN_ATOL:
        return MAY_ATOL;
    case TOKEN_PIECEWISE:
        return MAY_PIECEWISE;
    case TOKEN_AT:
    case TOKEN_ON:
        return MAY_GRID;
    case TOKEN_COLUMN:
        return MAY_COLUMN;
    default:
        return 0;
    }
}

static tansy_status parse_clause(struct parser *p, unsigned clause, struct statement *s)
{
    enum token_kind const word = p->token.kind;
    TRY(parse_advance(p));
    switch (clause) {
    case MAY_BOUND:
        return parse_bounds(p, &s->lower, &s->upper);
    case MAY_SCALE:
        return parse_expression(p, &s->scale);
    case MAY_ATOL:
        return parse_expression(p, &s->atol);
    case MAY_PIECEWISE:
        return parse_piecewise(p, s);
    case MAY_COLUMN:
        return parse_column(p, s);
    default: /* MAY_GRID */
        return parse_grid(p, word, s);
    }
}

static tansy_status parse_clauses(struct parser *p, struct statement *s)
{
    unsigned seen = 0;
    for (unsigned clause; (clause = clause_of(p->token.kind)) != 0; seen |= clause) {
        if (!(may(s->kind) & clause))
            return PARSE_ERROR(p, p->token.place, "`%s` does not belong to `%s`",
                               token_text(p->token.kind), word_of(s->kind));
        if (seen & clause)
            return PARSE_ERROR(p, p->token.place, "`%s`: this has been said before",
                               token_text(p->token.kind));
        TRY(parse_clause(p, clause, s));
    }
    if (s->kind != STATEMENT_CONTROL || (seen & MAY_PIECEWISE && seen & MAY_GRID)) return TANSY_OK;
    bool const ends =
        p->token.kind == TOKEN_LINE || p->token.kind == TOKEN_END || p->token.kind == TOKEN_COMMA;
    if (!ends) return TANSY_OK; /* what is wrong stands there */
    return PARSE_ERROR(p, s->place, "a control needs %s",
                       seen & MAY_PIECEWISE ? "its grid: `at {t0, t1, ...}` or `on a .. b by N`"
                                            : "`piecewise constant` or `piecewise linear`");
}

static tansy_status parse_declaration(struct parser *p, enum statement_kind kind)
{
    struct statement s = {.kind = kind, .place = p->token.place};
    TRY(parse_new_name(p, "a name", &s.name));
    if (p->token.kind == TOKEN_TICK)
        return PARSE_ERROR(p, p->token.place,
                           "`%s` declares the name alone; the equation for its derivative is a "
                           "statement of its own",
                           word_of(kind));
    TRY(parse_brackets(p, &s));
    TRY(kind == STATEMENT_INPUT ? parse_file(p, &s) : parse_value(p, &s));
    TRY(parse_clauses(p, &s));
    return parse_add(p, s);
}

tansy_status parse_declarations(struct parser *p)
{
    enum statement_kind const kind = kind_of(p->token.kind);
    p->declares = true;
    do {
        TRY(parse_advance(p)); /* the word or a comma */
        TRY(parse_declaration(p, kind));
    } while (p->token.kind == TOKEN_COMMA);
    return TANSY_OK;
}
