/* SPDX-License-Identifier: Apache-2.0 */
/* The parser from outside, and the table of names: open addressing by the hash of FNV-1a. */
#include "model/syntax.h"

#include <string.h>

#include "base/heap.h"
#include "model/parse.h"

enum { BLOCK = 1 << 15, FIRST_TABLE = 256 };

struct letters {
    LIST(char *) block; /* each holds names one after the other; names do not move */
    size_t used, size;  /* of the last block */
    uint32_t *table;    /* table[slots]: number of a name + 1, or 0 */
    size_t slots;       /* a power of two, at least twice the names */
};

static uint32_t hash_of(const char *text, size_t length)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619U;
    return hash ^ hash >> 15;
}

/* The slot of a name, or the empty one where it belongs. */
static uint32_t *find(const struct syntax *syntax, const char *text, size_t length)
{
    const struct letters *const l = syntax->letters;
    for (size_t i = hash_of(text, length);; i++) {
        uint32_t *const slot = &l->table[i & (l->slots - 1)];
        if (*slot == 0) return slot;
        const char *const name = syntax->name.item[*slot - 1];
        if (strncmp(name, text, length) == 0 && name[length] == '\0') return slot;
    }
}

/* A table of twice the size with the names so far. */
static bool grow_table(struct syntax *syntax)
{
    struct letters *const l = syntax->letters;
    size_t const slots = l->slots > 0 ? 2 * l->slots : FIRST_TABLE;
    uint32_t *const table = heap_take(slots * sizeof *table);
    if (!table) return false;
    heap_return(l->table);
    l->table = table;
    l->slots = slots;
    for (size_t i = 0; i < syntax->name.count; i++) {
        const char *const name = syntax->name.item[i];
        *find(syntax, name, strlen(name)) = (uint32_t)i + 1;
    }
    return true;
}

/* A copy of the name that ends with NUL, or NULL. */
static const char *keep(struct letters *l, const char *text, size_t length)
{
    if (l->size - l->used < length + 1) {
        size_t const size = length + 1 > BLOCK ? length + 1 : BLOCK;
        if (!LIST_ROOM(&l->block, 1)) return NULL;
        char *const block = heap_take(size);
        if (!block) return NULL;
        l->block.item[l->block.count++] = block;
        l->size = size;
        l->used = 0;
    }
    char *const copy = l->block.item[l->block.count - 1] + l->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    l->used += length + 1;
    return copy;
}

uint32_t syntax_intern(struct syntax *syntax, struct place name)
{
    struct letters *const l = syntax->letters;
    const char *const text = syntax->source.text + name.offset;
    if (2 * (syntax->name.count + 1) > l->slots && !grow_table(syntax)) return NO_NAME;
    uint32_t *const slot = find(syntax, text, name.length);
    if (*slot != 0) return *slot - 1;
    const char *const copy = keep(l, text, name.length);
    if (!copy || !LIST_ADD(&syntax->name, copy)) return NO_NAME;
    *slot = (uint32_t)syntax->name.count;
    return *slot - 1;
}

uint32_t syntax_name(const struct syntax *syntax, const char *name)
{
    if (!syntax->letters || syntax->letters->slots == 0) return NO_NAME;
    return *find(syntax, name, strlen(name)) - 1; /* 0 - 1 is NO_NAME */
}

static tansy_status parse_all(struct parser *p)
{
    TRY(source_check(&p->out->source, &p->out->diagnosis));
    p->out->letters = heap_take(sizeof *p->out->letters);
    if (!p->out->letters) return parse_no_memory(p);
    token_begin(&p->lexer, &p->out->source, &p->out->diagnosis);
    TRY(parse_advance(p));
    while (p->token.kind != TOKEN_END)
        TRY(p->token.kind == TOKEN_LINE ? parse_advance(p) : parse_statement(p));
    return TANSY_OK;
}

tansy_status syntax_parse(struct syntax *syntax, struct source source)
{
    syntax->source = source;
    struct parser p = {.out = syntax};
    tansy_status const status = parse_all(&p);
    LIST_FREE(&p.lexer.open);
    LIST_FREE(&p.frame);
    LIST_FREE(&p.pending);
    LIST_FREE(&p.pending_range);
    return status;
}

void syntax_free(struct syntax *syntax)
{
    if (syntax->letters) {
        for (size_t i = 0; i < syntax->letters->block.count; i++)
            heap_return(syntax->letters->block.item[i]);
        LIST_FREE(&syntax->letters->block);
        heap_return(syntax->letters->table);
        heap_return(syntax->letters);
        syntax->letters = NULL;
    }
    LIST_FREE(&syntax->name);
    LIST_FREE(&syntax->term);
    LIST_FREE(&syntax->item);
    LIST_FREE(&syntax->range);
    LIST_FREE(&syntax->body);
    LIST_FREE(&syntax->species);
    LIST_FREE(&syntax->statement);
}
