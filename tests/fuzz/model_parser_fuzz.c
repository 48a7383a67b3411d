/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a model: parsed or refused with a message, nothing else.  Run by libFuzzer (make fuzz) and, on the files of
   corpus/model, by every build (replay.c). */
#include "base/heap.h"
#include "model/syntax.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

/* Every expression lies within the terms, and takes off its stack no more than is there. */
static void check_expression(const struct syntax *s, struct expression e)
{
    size_t depth = 0;
    if (e.count > s->term.count || e.first > s->term.count - e.count) abort();
    for (uint32_t i = 0; i < e.count; i++) {
        const struct term *const t = &s->term.item[e.first + i];
        size_t pops = 2; /* binary operators */
        if (t->kind == TERM_NUMBER || t->kind == TERM_SUM || t->kind == TERM_PRODUCT) pops = 0;
        if (t->kind == TERM_NEGATE || t->kind == TERM_NOT) pops = 1;
        if (t->kind == TERM_SELECT) pops = 3;
        if (t->kind == TERM_NAME || t->kind == TERM_RATE || t->kind == TERM_INITIAL ||
            t->kind == TERM_CALL) {
            pops = t->count;
            if (t->name >= s->name.count) abort();
        }
        if ((t->kind == TERM_SUM || t->kind == TERM_PRODUCT) && t->body >= s->body.count) abort();
        if (pops > depth || t->place.offset + (size_t)t->place.length > s->source.length) abort();
        depth += 1 - pops;
    }
    if (e.count > 0 && depth != 1) abort();
}

static void check_ranges(const struct syntax *s, struct ranges r)
{
    if (r.count > s->range.count || r.first > s->range.count - r.count) abort();
    for (uint32_t i = 0; i < r.count; i++) {
        check_expression(s, s->range.item[r.first + i].from);
        check_expression(s, s->range.item[r.first + i].to);
    }
}

static void check_statement(const struct syntax *s, const struct statement *t)
{
    struct expression const list[] = {t->left, t->value, t->lower, t->upper, t->scale,
                                      t->atol, t->from,  t->to,    t->by,    t->backward};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) check_expression(s, list[i]);
    check_ranges(s, t->ranges);
    if (t->list.first + (size_t)t->list.count > s->item.count) abort();
    if (t->grid.first + (size_t)t->grid.count > s->item.count) abort();
    if (t->left_first + (size_t)t->left_count > s->species.count) abort();
    if (t->right_first + (size_t)t->right_count > s->species.count) abort();
}

static void check_syntax(const struct syntax *s)
{
    for (size_t i = 0; i < s->statement.count; i++) check_statement(s, &s->statement.item[i]);
    for (size_t i = 0; i < s->item.count; i++) check_expression(s, s->item.item[i]);
    for (size_t i = 0; i < s->body.count; i++) {
        check_ranges(s, s->body.item[i].ranges);
        check_expression(s, s->body.item[i].value);
    }
    for (size_t i = 0; i < s->species.count; i++) {
        check_expression(s, s->species.item[i].stoichiometry);
        for (int k = 0; k < MAX_INDICES; k++) check_expression(s, s->species.item[i].index[k]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = malloc(size + 1); /* of just this size, for the sanitizer */
    struct syntax *const syntax = heap_take(sizeof *syntax);
    if (!text || !syntax) abort();
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    tansy_status const status = syntax_parse(syntax, (struct source){"m", text, size});
    if (status != syntax->diagnosis.status) abort();
    if (status == TANSY_OK)
        check_syntax(syntax);
    else if (status != TANSY_BAD_MODEL || strncmp(syntax->diagnosis.text, "m:", 2) != 0)
        abort();
    syntax_free(syntax);
    heap_return(syntax);
    free(text);
    return 0;
}
