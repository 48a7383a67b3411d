/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions by operator precedence (Dijkstra's shunting yard): values go to the terms at once, operators wait on the stack
   of frames until one that binds less follows. */
#include "base/heap.h"
#include "model/parse.h"

enum { ELSE = 0, OR, AND, NOT, COMPARE, ADD, MULTIPLY, NEGATE, POWER }; /* low to high */

struct binary {
    enum token_kind token;
    enum term_kind term;
    int precedence;
};

static const struct binary *binary_of(enum token_kind kind)
{
    static const struct binary table[] = {
        {TOKEN_OR, TERM_OR, OR},
        {TOKEN_AND, TERM_AND, AND},
        {TOKEN_PLUS, TERM_ADD, ADD},
        {TOKEN_MINUS, TERM_SUBTRACT, ADD},
        {TOKEN_TIMES, TERM_MULTIPLY, MULTIPLY},
        {TOKEN_DIVIDE, TERM_DIVIDE, MULTIPLY},
        {TOKEN_POWER, TERM_POWER, POWER},
        {TOKEN_LESS, TERM_LESS, COMPARE},
        {TOKEN_LESS_EQUAL, TERM_LESS_EQUAL, COMPARE},
        {TOKEN_GREATER, TERM_GREATER, COMPARE},
        {TOKEN_GREATER_EQUAL, TERM_GREATER_EQUAL, COMPARE},
        {TOKEN_EQUAL, TERM_EQUAL, COMPARE},
        {TOKEN_NOT_EQUAL, TERM_NOT_EQUAL, COMPARE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].token == kind) return &table[i];
    return NULL;
}

static tansy_status emit(struct parser *p, struct term term)
{
    return LIST_ADD(&p->pending, term) ? TANSY_OK : parse_no_memory(p);
}

static struct frame *top(struct parser *p)
{
    return p->frame.count > 0 ? &p->frame.item[p->frame.count - 1] : NULL;
}

static tansy_status push(struct parser *p, struct frame frame)
{
    if (frame.kind != FRAME_OPERATOR && ++p->depth > MAX_DEPTH)
        return PARSE_ERROR(
            p, frame.place,
            "more than %d brackets and ifs inside each other: name a part with `let`", MAX_DEPTH);
    return LIST_ADD(&p->frame, frame) ? TANSY_OK : parse_no_memory(p);
}

static void pop(struct parser *p)
{
    p->depth -= top(p)->kind != FRAME_OPERATOR;
    p->frame.count--;
}

/* Emits the operators that bind more than `precedence`, or as much and are not right associative. */
static tansy_status reduce(struct parser *p, int precedence)
{
    for (const struct frame *f = top(p); f && f->kind <= FRAME_ELSE; f = top(p)) {
        if (f->precedence < precedence || (f->precedence == precedence && precedence == POWER))
            break;
        enum term_kind const kind = f->kind == FRAME_ELSE ? TERM_SELECT : f->term;
        TRY(emit(p, (struct term){.kind = kind, .place = f->place}));
        pop(p);
    }
    return TANSY_OK;
}

/* The pending terms from `first` on become an expression. */
static tansy_status complete(struct parser *p, size_t first, struct expression *e)
{
    size_t const count = p->pending.count - first;
    if (!LIST_ROOM(&p->out->term, count)) return parse_no_memory(p);
    *e = (struct expression){(uint32_t)p->out->term.count, (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        p->out->term.item[p->out->term.count++] = p->pending.item[first + i];
    p->pending.count = first;
    return TANSY_OK;
}

static tansy_status read_number(struct parser *p)
{
    struct term term = {.kind = TERM_NUMBER, .number = p->token.number, .place = p->token.place};
    if (p->token.glued) return parse_refuse_glued(p);
    TRY(parse_advance(p));
    bool const ends = p->unit_ends && p->depth == 0;
    if (p->token.kind == TOKEN_OPEN_BRACKET && !ends) {
        TRY(token_unit(&p->lexer, &term.unit));
        TRY(parse_advance(p));
    }
    return emit(p, term);
}

/* What may follow a name with its indices: ' or (0). */
static tansy_status finish_name(struct parser *p, struct term term)
{
    term.kind = TERM_NAME;
    if (p->token.kind == TOKEN_TICK) {
        term.kind = TERM_RATE;
        term.place = place_to(term.place, p->token.place);
        TRY(parse_advance(p));
        if (p->token.kind == TOKEN_TICK)
            return PARSE_ERROR(p, place_to(term.place, p->token.place),
                               "no second derivatives: declare a state v with `x' = v` and write "
                               "its equation `v' = ...`");
    } else if (p->token.kind == TOKEN_OPEN && term.count > 0) {
        TRY(parse_advance(p));
        bool const zero = p->token.kind == TOKEN_NUMBER && p->token.number == 0;
        if (!zero || !token_followed_by(&p->lexer, ')'))
            return PARSE_ERROR(p, p->token.place,
                               "after an indexed name only `(0)` can follow, its initial value");
        TRY(parse_advance(p));
        term.kind = TERM_INITIAL;
        term.place = place_to(term.place, p->token.place);
        TRY(parse_advance(p));
    }
    return emit(p, term);
}

/* After `name(`: the arguments of a function, or 0) of an initial value. */
static tansy_status read_arguments(struct parser *p, struct term term, bool *want_value)
{
    TRY(parse_advance(p));
    bool const zero =
        p->token.kind == TOKEN_NUMBER && p->token.number == 0 && token_followed_by(&p->lexer, ')');
    *want_value = !zero || parse_is_function(p, term.place);
    if (*want_value)
        return push(p, (struct frame){.kind = FRAME_CALL, .name = term.name, .place = term.place});
    TRY(parse_advance(p));
    term.kind = TERM_INITIAL;
    term.place = place_to(term.place, p->token.place);
    TRY(parse_advance(p));
    return emit(p, term);
}

/* A name, the beginning of x[ or of f(, or x(0). */
static tansy_status read_name(struct parser *p, bool *want_value)
{
    struct place const at = p->token.place;
    uint32_t const name = syntax_intern(p->out, at);
    if (name == NO_NAME) return parse_no_memory(p);
    struct term const term = {.name = name, .place = at};
    TRY(parse_advance(p));
    if (p->token.kind == TOKEN_OPEN) return read_arguments(p, term, want_value);
    bool const adjoins = p->token.place.offset == at.offset + at.length;
    *want_value = p->token.kind == TOKEN_OPEN_BRACKET && (adjoins || !p->unit_ends || p->depth > 0);
    if (!*want_value) return finish_name(p, term);
    TRY(parse_advance(p));
    return push(p, (struct frame){.kind = FRAME_INDEX, .name = name, .place = at});
}

/* `i in` of a sum, up to its lower bound. */
static tansy_status read_index(struct parser *p, struct frame *f)
{
    f->kind = FRAME_SUM_FROM;
    f->name_place = p->token.place;
    TRY(parse_name(p, "an index, as in sum(i in 1..N: x[i])", &f->name));
    for (size_t k = f->ranges; k < p->pending_range.count; k++)
        if (p->pending_range.item[k].name == f->name)
            return PARSE_ERROR(p, f->name_place, "two indices are called %s",
                               p->out->name.item[f->name]);
    TRY(parse_expect(p, TOKEN_IN, "`in`, as in sum(i in 1..N: x[i])"));
    f->terms = p->pending.count;
    return TANSY_OK;
}

static tansy_status read_sum(struct parser *p)
{
    struct frame f = {.term = p->token.kind == TOKEN_SUM ? TERM_SUM : TERM_PRODUCT,
                      .place = p->token.place,
                      .ranges = p->pending_range.count};
    if (++p->sums > MAX_SUMS)
        return PARSE_ERROR(p, f.place, "more than %d sums inside each other", MAX_SUMS);
    TRY(parse_advance(p));
    TRY(parse_expect(p, TOKEN_OPEN, "`(`, as in sum(i in 1..N: x[i])"));
    TRY(read_index(p, &f));
    return push(p, f);
}

/* Takes a prefix; the value is still to come. */
static tansy_status read_prefix(struct parser *p, struct frame f)
{
    f.place = p->token.place;
    TRY(parse_advance(p));
    return push(p, f);
}

/* In place of a value. */
static tansy_status read_value(struct parser *p, bool *want_value)
{
    const struct frame *const f = top(p);
    switch (p->token.kind) {
    case TOKEN_NUMBER:
        *want_value = false;
        return read_number(p);
    case TOKEN_NAME:
    case TOKEN_TIME:
        return read_name(p, want_value);
    case TOKEN_PLUS:
        return parse_advance(p);
    case TOKEN_MINUS:
        return read_prefix(p, (struct frame){.term = TERM_NEGATE, .precedence = NEGATE});
    case TOKEN_NOT:
        if (f && f->kind == FRAME_OPERATOR && f->precedence > NOT)
            return PARSE_ERROR(p, p->token.place, "`not` needs parentheses here: (not ...)");
        return read_prefix(p, (struct frame){.term = TERM_NOT, .precedence = NOT});
    case TOKEN_OPEN:
        return read_prefix(p, (struct frame){.kind = FRAME_GROUP});
    case TOKEN_IF:
        return read_prefix(p, (struct frame){.kind = FRAME_IF});
    case TOKEN_SUM:
    case TOKEN_PRODUCT:
        return read_sum(p);
    default:
        return parse_refuse_operand(p);
    }
}

static tansy_status read_binary(struct parser *p, const struct binary *b)
{
    if (b->precedence == COMPARE) {
        TRY(reduce(p, COMPARE + 1));
        const struct frame *const f = top(p);
        if (f && f->kind == FRAME_OPERATOR && f->precedence == COMPARE)
            return PARSE_ERROR(p, p->token.place,
                               "comparisons do not chain: write `a %.*s b and b %s c`",
                               (int)f->place.length, p->out->source.text + f->place.offset,
                               token_text(p->token.kind));
    } else
        TRY(reduce(p, b->precedence));
    return read_prefix(p, (struct frame){.term = b->term, .precedence = b->precedence});
}

/* The upper bound of a sum's range is complete. */
static tansy_status finish_range(struct parser *p, struct frame *f)
{
    struct range *const range = &p->pending_range.item[p->pending_range.count - 1];
    range->place = place_to(range->place, p->last);
    return complete(p, f->terms, &range->to);
}

/* .. and : of a sum. */
static tansy_status separate_sum(struct parser *p, bool *want_value)
{
    struct frame *const f = top(p);
    if (p->token.kind == TOKEN_RANGE) {
        struct range range = {.name = f->name, .place = f->name_place};
        TRY(complete(p, f->terms, &range.from));
        if (!LIST_ADD(&p->pending_range, range)) return parse_no_memory(p);
        f->kind = FRAME_SUM_TO;
    } else {
        TRY(finish_range(p, f));
        f->kind = FRAME_SUM_BODY;
    }
    *want_value = true;
    return parse_advance(p);
}

/* A comma between arguments, indices or ranges. */
static tansy_status separate(struct parser *p, bool *want_value)
{
    struct frame *const f = top(p);
    *want_value = true;
    if (f->kind == FRAME_SUM_TO) {
        TRY(finish_range(p, f));
        TRY(parse_advance(p));
        return read_index(p, f);
    }
    if (f->kind == FRAME_INDEX && f->count + 1 == MAX_INDICES)
        return PARSE_ERROR(p, p->token.place, "at most %d indices", MAX_INDICES);
    f->count++;
    return parse_advance(p);
}

/* The ranges and the body of a sum leave the pending ones. */
static tansy_status finish_sum(struct parser *p, const struct frame *f)
{
    struct syntax *const out = p->out;
    struct body body = {
        .ranges = {(uint32_t)out->range.count, (uint32_t)(p->pending_range.count - f->ranges)}};
    TRY(complete(p, f->terms, &body.value));
    if (!LIST_ROOM(&out->range, body.ranges.count)) return parse_no_memory(p);
    for (size_t i = 0; i < body.ranges.count; i++)
        out->range.item[out->range.count++] = p->pending_range.item[f->ranges + i];
    p->pending_range.count = f->ranges;
    struct term const term = {.kind = f->term,
                              .count = body.ranges.count,
                              .body = (uint32_t)out->body.count,
                              .place = f->place};
    if (!LIST_ADD(&out->body, body)) return parse_no_memory(p);
    p->sums--;
    return emit(p, term);
}

/* A closing bracket. */
static tansy_status close(struct parser *p)
{
    struct frame const f = *top(p);
    pop(p);
    TRY(parse_advance(p));
    switch (f.kind) {
    case FRAME_CALL:
        return emit(p,
                    (struct term){
                        .kind = TERM_CALL, .name = f.name, .count = f.count + 1, .place = f.place});
    case FRAME_INDEX:
        return finish_name(p, (struct term){.name = f.name,
                                            .count = f.count + 1,
                                            .place = place_to(f.place, p->last)});
    case FRAME_SUM_BODY:
        return finish_sum(p, &f);
    default: /* FRAME_GROUP */
        return TANSY_OK;
    }
}

/* then, else: the frame goes on as the next part. */
static tansy_status turn(struct parser *p, enum frame_kind kind, bool *want_value)
{
    top(p)->kind = kind;
    *want_value = true;
    return parse_advance(p);
}

/* After a value: what the token does to the innermost frame, whose operators are all emitted. */
static tansy_status end_part(struct parser *p, bool *want_value)
{
    enum frame_kind const kind = top(p)->kind;
    switch (p->token.kind) {
    case TOKEN_THEN:
        if (kind == FRAME_IF) return turn(p, FRAME_THEN, want_value);
        break;
    case TOKEN_ELSE:
        if (kind == FRAME_THEN) return turn(p, FRAME_ELSE, want_value);
        break;
    case TOKEN_RANGE:
        if (kind == FRAME_SUM_FROM) return separate_sum(p, want_value);
        break;
    case TOKEN_COLON:
        if (kind == FRAME_SUM_TO) return separate_sum(p, want_value);
        break;
    case TOKEN_COMMA:
        if (kind == FRAME_CALL || kind == FRAME_INDEX || kind == FRAME_SUM_TO)
            return separate(p, want_value);
        break;
    case TOKEN_CLOSE:
        if (kind == FRAME_GROUP || kind == FRAME_CALL || kind == FRAME_SUM_BODY) return close(p);
        break;
    case TOKEN_CLOSE_BRACKET:
        if (kind == FRAME_INDEX) return close(p);
        break;
    default:
        break;
    }
    return parse_refuse_operator(p);
}

/* After a value; at the end of the expression *ended is set. */
static tansy_status read_operator(struct parser *p, bool *want_value, bool *ended)
{
    const struct binary *const b = binary_of(p->token.kind);
    if (b) {
        *want_value = true;
        return read_binary(p, b);
    }
    TRY(reduce(p, ELSE));
    *ended = p->frame.count == 0;
    if (*ended) return TANSY_OK;
    TRY(end_part(p, want_value));
    *ended = p->only_group && p->frame.count == 0;
    return TANSY_OK;
}

tansy_status parse_expression(struct parser *p, struct expression *e)
{
    bool want_value = true, ended = false;
    while (!ended)
        TRY(want_value ? read_value(p, &want_value) : read_operator(p, &want_value, &ended));
    return complete(p, 0, e);
}
