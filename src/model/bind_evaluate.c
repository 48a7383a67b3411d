/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluator of postfix terms.  It keeps a stack of values and a stack of frames of its own: a frame is an expression
   under way, the definition of a name that another expression waits for, or a sum.  Nothing recurses. */
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "model/bind_frames.h"

void bind_evaluator_free(struct binder *b)
{
    if (!b->evaluator) return;
    LIST_FREE(&b->evaluator->stack);
    LIST_FREE(&b->evaluator->frame);
    heap_return(b->evaluator);
    b->evaluator = NULL;
}

static struct frame *top(struct evaluator *v)
{
    return &v->frame.item[v->frame.count - 1];
}

static tansy_status push_frame(struct binder *b, struct frame frame, struct expression e)
{
    frame.at = e.first;
    frame.end = e.first + e.count;
    frame.bindings = b->binding.count;
    return LIST_ADD(&b->evaluator->frame, frame) ? TANSY_OK : BIND_NO_MEMORY(b);
}

static void definition_name(const struct binder *b, uint32_t symbol, size_t entry,
                            char name[ENTRY_NAME])
{
    const struct symbol *const s = &b->symbol.item[symbol];
    bind_entry_name(b, s, entry, name);
    if (s->kind == SYMBOL_STATE || s->kind == SYMBOL_ALGEBRAIC)
        memcpy(name + strlen(name), "(0)", 4);
}

static bool is_definition(const struct frame *f)
{
    return f->kind == FRAME_DEFINITION || f->kind == FRAME_BACKWARD;
}

/* Takes the indices of the name that the frame stands at off the stack and puts its value there. */
static tansy_status answer(struct binder *b, struct frame *f, struct value value)
{
    struct evaluator *const v = b->evaluator;
    v->stack.count -= b->syntax->term.item[f->at++].count;
    return LIST_ADD(&v->stack, value) ? TANSY_OK : BIND_NO_MEMORY(b);
}

/* "a -> b -> a" of the definitions that wait for each other, from the one that is wanted again.  That is an error only if
   the value is used: if i == 1 then 0 else a[i-1]. */
static tansy_status cyclic(struct binder *b, const struct wanted *w, struct place place)
{
    enum { FULL = 200 };
    const struct evaluator *const v = b->evaluator;
    char text[FULL + 2 * ENTRY_NAME] = "", name[ENTRY_NAME];
    size_t used = 0, k = 0;
    while (!is_definition(&v->frame.item[k]) || v->frame.item[k].symbol != w->symbol ||
           v->frame.item[k].entry != w->entry)
        k++;
    for (; k < v->frame.count && used < FULL; k++) {
        const struct frame *const f = &v->frame.item[k];
        if (!is_definition(f)) continue;
        definition_name(b, f->symbol, f->entry, name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ", name);
    }
    if (k < v->frame.count) (void)snprintf(text + used, sizeof text - used, "... -> ");
    definition_name(b, w->symbol, w->entry, name);
    char message[2 * FULL + 4 * ENTRY_NAME];
    int const length =
        snprintf(message, sizeof message, "%s depends on itself: %s%s", name, text, name);
    struct poison const poison = {.kind = POISON_CYCLE,
                                  .place = place,
                                  .symbol = w->symbol,
                                  .entry = w->entry,
                                  .text = text_keep(b->system, message, (size_t)length)};
    if (!poison.text) return BIND_NO_MEMORY(b);
    struct value const value = value_poison(b, poison);
    if (b->no_memory) return BIND_NO_MEMORY(b);
    if (++b->evaluator->cycles > MAX_CYCLES) return bind_poisoned(b, &value);
    return answer(b, top(b->evaluator), value);
}

/* The expression of entry k: of the list, or the one for all. */
static struct expression definition_of(const struct binder *b, const struct statement *s, size_t k)
{
    return s->list.given ? b->syntax->item.item[s->list.first + k] : s->value;
}

/* Starts the definition that the current frame waits for. */
static tansy_status start_definition(struct binder *b, const struct wanted *w, struct place place)
{
    const struct symbol *const s = &b->symbol.item[w->symbol];
    struct definition *const d = &b->definition.item[s->slot + w->entry];
    if (d->progress == DEFINITION_STARTED) return cyclic(b, w, place);
    d->progress = DEFINITION_STARTED;
    bool const is_state = s->kind == SYMBOL_STATE || s->kind == SYMBOL_ALGEBRAIC;
    struct frame const frame = {.kind = FRAME_DEFINITION,
                                .mode = s->kind == SYMBOL_CONSTANT ? MODE_CONSTANT
                                        : is_state                 ? MODE_INITIAL
                                                                   : MODE_MODEL,
                                .scope = b->binding.count,
                                .symbol = w->symbol,
                                .entry = w->entry};
    TRY(push_frame(b, frame, definition_of(b, bind_statement(b, s), w->entry)));
    if (!LIST_ROOM(&b->binding, s->indices.count)) return BIND_NO_MEMORY(b);
    bind_binding(b, &s->indices, w->entry, b->binding.count);
    b->binding.count += s->indices.count;
    return TANSY_OK;
}

/* The next bound of a sum's ranges, or its body. */
static tansy_status next_bound(struct binder *b, struct frame *f)
{
    const struct body *const body = &b->syntax->body.item[b->syntax->term.item[f->sum].body];
    const struct range *const range =
        &b->syntax->range.item[body->ranges.first + f->range + f->done / 2];
    struct expression const e = f->done % 2 == 0 ? range->from : range->to;
    f->at = e.first;
    f->end = e.first + e.count;
    return TANSY_OK;
}

/* Of a sum: all of its ranges, or from number `range` on one by one. */
static tansy_status start_sum(struct binder *b, const struct frame *outer, uint32_t term,
                              uint32_t range)
{
    const struct body *const body = &b->syntax->body.item[b->syntax->term.item[term].body];
    bool const follows = range > 0 || bind_range_follows(b, body->ranges) != NO_NAME;
    struct frame const frame = {.kind = FRAME_BOUND,
                                .mode = outer->mode,
                                .scope = outer->scope,
                                .sum = term,
                                .range = range,
                                .nested = follows && range + 1 < body->ranges.count,
                                .indices.count = follows ? 1 : body->ranges.count};
    for (uint32_t k = 0; k < frame.indices.count; k++)
        TRY(bind_index_free(b, &b->syntax->range.item[body->ranges.first + range + k],
                            outer->scope));
    TRY(push_frame(b, frame, (struct expression){0}));
    return next_bound(b, top(b->evaluator));
}

static tansy_status too_large(struct binder *b, struct place place)
{
    return BIND_ERROR(b, place,
                      "the model is too large: up to here its loops and sums have more than %zu "
                      "terms",
                      b->most_terms);
}

/* Begins body number f->done; an empty sum is 0, an empty product 1. */
static tansy_status start_body(struct binder *b, struct frame *f)
{
    const struct term *const term = &b->syntax->term.item[f->sum];
    struct expression const e = b->syntax->body.item[term->body].value;
    f->kind = FRAME_BODY;
    f->done = 0;
    TRY(bind_range_finish(b, &f->indices, term->place));
    if (f->indices.entries == 0) {
        struct value const empty = value_number(term->kind == TERM_PRODUCT, term->place);
        b->evaluator->frame.count--;
        return LIST_ADD(&b->evaluator->stack, empty) ? TANSY_OK : BIND_NO_MEMORY(b);
    }
    if (!LIST_ROOM(&b->binding, f->indices.count)) return BIND_NO_MEMORY(b);
    bind_binding(b, &f->indices, 0, b->binding.count);
    b->binding.count += f->indices.count;
    f->at = e.first;
    f->end = f->nested ? e.first : e.first + e.count;
    return bind_terms_ahead(b) > (double)b->terms ? too_large(b, term->place) : TANSY_OK;
}

static tansy_status end_bound(struct binder *b, struct frame *f)
{
    struct value const v = b->evaluator->stack.item[--b->evaluator->stack.count];
    const struct term *const term = &b->syntax->term.item[f->sum];
    const struct body *const body = &b->syntax->body.item[term->body];
    uint32_t const which = (uint32_t)(f->done / 2);
    TRY(bind_poisoned(b, &v));
    if (v.kind != VALUE_NUMBER || v.is_condition)
        return BIND_ERROR(b, v.place, "the bound of a range is made of constants and index names");
    TRY(value_is_plain(b, &v, "the bound of a range has no dimension, but there are"));
    if (f->done % 2 == 0)
        f->lower = v.number;
    else
        TRY(bind_range_set(b, &f->indices, which,
                           &b->syntax->range.item[body->ranges.first + f->range + which], f->lower,
                           v.number));
    f->done++;
    return f->done < 2 * (size_t)f->indices.count ? next_bound(b, f) : start_body(b, f);
}

/* Adds (or multiplies) the two values on top of the stack. */
static tansy_status merge(struct binder *b, const struct term *sum)
{
    struct evaluator *const v = b->evaluator;
    v->stack.count--;
    struct value *const a = &v->stack.item[v->stack.count - 1];
    return value_operate(b, sum->kind == TERM_SUM ? TERM_ADD : TERM_MULTIPLY, sum->place, a, a + 1);
}

/* Sums run pairwise, as a tree: partial sums of 2^k terms stay on the stack until there are two of the same k.  The error
   grows with the logarithm of the number of terms, and so does the depth of the expression. */
static tansy_status end_body(struct binder *b, struct frame *f)
{
    const struct term *const term = &b->syntax->term.item[f->sum];
    struct expression const e = b->syntax->body.item[term->body].value;
    f->done++;
    for (size_t rest = f->done; rest % 2 == 0; rest /= 2) TRY(merge(b, term));
    if (f->done < f->indices.entries) {
        bind_binding(b, &f->indices, f->done, f->bindings);
        f->at = e.first;
        return TANSY_OK;
    }
    for (size_t rest = f->done & (f->done - 1); rest > 0; rest &= rest - 1) TRY(merge(b, term));
    b->evaluator->stack.item[b->evaluator->stack.count - 1].place = term->place;
    b->binding.count = f->bindings;
    b->evaluator->frame.count--;
    return TANSY_OK;
}

/* Units, and that an initial value is one of p alone: a `let` in it may have brought in more. */
static tansy_status check_definition(struct binder *b, const struct symbol *s, struct value *value)
{
    uint32_t unit = s->unit;
    if (s->kind == SYMBOL_INTEGRAL) {
        TRY(value_same_unit(b, value->place, unit,
                            unit_multiply(&b->units, value->unit, b->time_unit, 1),
                            "declaration and integral over time have"));
        unit = unit_multiply(&b->units, unit, b->time_unit, -1);
    } else {
        TRY(value_same_unit(b, value->place, unit, value->unit, "declaration and value have"));
    }
    if (unit != UNIT_UNKNOWN) value->unit = unit;
    if ((s->kind != SYMBOL_STATE && s->kind != SYMBOL_ALGEBRAIC) || value->kind != VALUE_NODE)
        return TANSY_OK;
    if (graph_failed(b->graph)) return BIND_NO_MEMORY(b);
    uint32_t const leaves = graph_leaves(b->graph, value->node);
    if (leaves & (1u << OP_STATE | 1u << OP_RATE))
        return BIND_ERROR(
            b, value->place,
            "this initial value depends on a state through a let; write x(0) for a state x");
    if (leaves & (1u << OP_TIME | 1u << OP_INPUT))
        return BIND_ERROR(b, value->place, "an initial value cannot depend on time");
    return TANSY_OK;
}

/* A value that needs a definition under way, further down, says nothing about the value without that way round. */
static bool is_within_cycle(const struct binder *b, const struct frame *f,
                            const struct value *value)
{
    if (value->kind != VALUE_POISON || b->no_memory) return false;
    const struct poison *const p = &b->poison.item[value->node];
    if (p->kind != POISON_CYCLE || f[-1].at == f[-1].end) return false;
    return p->symbol != f->symbol || p->entry != f->entry;
}

/* A reaction's value is its net rate, forward - backward. */
static tansy_status end_definition(struct binder *b, struct frame *f)
{
    struct evaluator *const v = b->evaluator;
    const struct symbol *const s = &b->symbol.item[f->symbol];
    const struct statement *const st = bind_statement(b, s);
    struct definition *const d = &b->definition.item[s->slot + f->entry];
    if (f->kind == FRAME_DEFINITION && s->kind == SYMBOL_REACTION && st->reversible) {
        f->kind = FRAME_BACKWARD;
        f->at = st->backward.first;
        f->end = f->at + st->backward.count;
        return TANSY_OK;
    }
    struct value *const result = &v->stack.item[v->stack.count - 1];
    if (f->kind == FRAME_BACKWARD) {
        TRY(value_operate(b, TERM_SUBTRACT, st->place, result - 1, result));
        v->stack.count--;
    }
    d->value = v->stack.item[--v->stack.count];
    b->binding.count = f->bindings;
    v->frame.count--;
    if (is_within_cycle(b, f, &d->value)) {
        d->progress = DEFINITION_OPEN;
        return answer(b, f - 1, d->value);
    }
    d->progress = DEFINITION_DONE;
    return check_definition(b, s, &d->value);
}

static tansy_status end_frame(struct binder *b, struct frame *f)
{
    struct frame outer;
    switch (f->kind) {
    case FRAME_BOUND:
        return end_bound(b, f);
    case FRAME_BODY:
        f->is_inside = f->nested && !f->is_inside;
        if (!f->is_inside) return end_body(b, f);
        outer = *f; /* frames move when there are more */
        return start_sum(b, &outer, f->sum, f->range + 1);
    default:
        return end_definition(b, f);
    }
}

/* An index name that is bound: its value. */
static bool bound(const struct binder *b, const struct frame *f, const struct term *t,
                  struct value *result)
{
    if (t->kind != TERM_NAME || t->count > 0) return false;
    for (size_t k = b->binding.count; k-- > f->scope;)
        if (b->binding.item[k].name == t->name) {
            *result = value_number(b->binding.item[k].value, t->place);
            return true;
        }
    return false;
}

/* A name pops its indices and pushes its value, which is made where it will stand; or it waits for a definition and is then
   met again. */
static tansy_status refer(struct binder *b, struct frame *f, const struct term *t)
{
    struct evaluator *const v = b->evaluator;
    struct wanted wanted = {0};
    if (!LIST_ROOM(&v->stack, 1)) return BIND_NO_MEMORY(b);
    struct value *const result = v->stack.item + v->stack.count;
    if (!bound(b, f, t, result)) {
        const struct value *const index = t->count > 0 ? result - t->count : NULL;
        TRY(bind_refer(b, t, f->mode, index, result, &wanted));
        if (wanted.is_waiting) {
            f->at--;
            return start_definition(b, &wanted, t->place);
        }
    }
    if (t->count > 0) result[-(ptrdiff_t)t->count] = *result;
    v->stack.count -= t->count;
    v->stack.count++;
    return TANSY_OK;
}

static tansy_status push_number(struct binder *b, const struct term *t)
{
    struct evaluator *const v = b->evaluator;
    if (!LIST_ROOM(&v->stack, 1)) return BIND_NO_MEMORY(b);
    struct value *const number = v->stack.item + v->stack.count++;
    *number = value_number(t->number, t->place);
    number->unit = t->body;
    return TANSY_OK;
}

/* Operators work on the end of the stack. */
static tansy_status operate(struct binder *b, const struct term *t)
{
    struct evaluator *const v = b->evaluator;
    struct value *const end = v->stack.item + v->stack.count;
    switch (t->kind) {
    case TERM_NEGATE:
        return value_negate(b, t->place, end - 1);
    case TERM_NOT:
        return value_not(b, t->place, end - 1);
    case TERM_SELECT:
        v->stack.count -= 2;
        return value_select(b, t->place, end - 3, end - 2, end - 1);
    case TERM_CALL:
        v->stack.count -= t->count - 1;
        return value_call(b, t, end - t->count);
    case TERM_AND:
    case TERM_OR:
        v->stack.count--;
        return value_combine(b, t->kind, end - 2, end - 1);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_POWER:
        v->stack.count--;
        return value_operate(b, t->kind, t->place, end - 2, end - 1);
    default:
        v->stack.count--;
        return value_compare(b, t->kind, t->place, end - 2, end - 1);
    }
}

static tansy_status step(struct binder *b, struct frame *f)
{
    uint32_t const at = f->at++;
    const struct term *const t = &b->syntax->term.item[at];
    if (b->terms-- == 0) return too_large(b, t->place);
    switch (t->kind) {
    case TERM_NUMBER:
        return push_number(b, t);
    case TERM_NAME:
    case TERM_RATE:
    case TERM_INITIAL:
        return refer(b, f, t);
    case TERM_SUM:
    case TERM_PRODUCT: {
        struct frame const outer = *f; /* frames move when there are more */
        return start_sum(b, &outer, at, 0);
    }
    default:
        return operate(b, t);
    }
}

static tansy_status run(struct binder *b)
{
    struct evaluator *const v = b->evaluator;
    for (;;) {
        struct frame *const f = top(v);
        size_t const depth = v->frame.count;
        while (v->frame.count == depth && f->at < f->end) /* frames move only when there are more */
            TRY(step(b, f));
        if (v->frame.count > depth) continue;
        if (f->kind == FRAME_TOP) break;
        TRY(end_frame(b, f));
    }
    return b->no_memory || graph_failed(b->graph) || b->units.failed ? BIND_NO_MEMORY(b) : TANSY_OK;
}

/* An empty stack, and a frame for e. */
static tansy_status begin(struct binder *b, struct expression e, enum mode mode)
{
    if (!b->evaluator) b->evaluator = heap_take(sizeof *b->evaluator);
    if (!b->evaluator) return BIND_NO_MEMORY(b);
    b->evaluator->stack.count = b->evaluator->frame.count = 0;
    if ((double)e.count * (double)b->loop_left > (double)b->terms)
        return too_large(b, b->syntax->term.item[e.first].place);
    return push_frame(b, (struct frame){.kind = FRAME_TOP, .mode = mode}, e);
}

tansy_status bind_evaluate(struct binder *b, struct expression e, enum mode mode,
                           struct value *value)
{
    TRY(begin(b, e, mode));
    TRY(run(b));
    *value = b->evaluator->stack.item[0];
    TRY(bind_poisoned(b, value));
    return value_needs_number(b, value);
}

/* The indices stand before the term that names the state. */
tansy_status bind_rate(struct binder *b, struct expression e, uint32_t *state, uint32_t *unit)
{
    struct value fault;
    TRY(begin(b, (struct expression){e.first, e.count - 1}, MODE_MODEL));
    TRY(run(b));
    return bind_rate_of(b, &b->syntax->term.item[e.first + e.count - 1], b->evaluator->stack.item,
                        state, unit, &fault);
}

tansy_status bind_number(struct binder *b, struct expression e, struct value *value)
{
    return bind_evaluate(b, e, MODE_CONSTANT, value);
}

tansy_status bind_definition(struct binder *b, uint32_t symbol, size_t k, struct value *value)
{
    const struct definition *d = &b->definition.item[b->symbol.item[symbol].slot + k];
    if (d->progress != DEFINITION_DONE) {
        struct wanted const wanted = {.symbol = symbol, .entry = k};
        TRY(begin(b, (struct expression){0}, MODE_MODEL));
        TRY(start_definition(b, &wanted, b->symbol.item[symbol].place));
        TRY(run(b));
    }
    *value = d->value;
    return bind_poisoned(b, value);
}
