/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of names and tables: blocks that grow, linked by their first word, so that 10^6 names cost few allocations. */
#include <string.h>

#include "base/heap.h"
#include "model/bind.h"

enum { BLOCK = 1 << 16, ALIGNMENT = 64 };

struct block {
    struct block *next;
    size_t size, used;
};

void *text_take(struct system *system, size_t size)
{
    struct block *block = system->texts;
    size = (size + 7) / 8 * 8;
    if (!block || block->size - block->used < size) {
        size_t const wanted = ALIGNMENT + (size > BLOCK ? size : BLOCK);
        struct block *const larger = heap_take(wanted);
        if (!larger) return NULL;
        *larger = (struct block){.next = block, .size = wanted, .used = ALIGNMENT};
        system->texts = block = larger;
    }
    void *const taken = (char *)block + block->used;
    block->used += size;
    return taken;
}

const char *text_keep(struct system *system, const char *text, size_t length)
{
    char *const kept = text_take(system, length + 1);
    if (kept) memcpy(kept, text, length);
    return kept;
}

void text_free(struct system *system)
{
    for (struct block *block = system->texts, *next; block; block = next) {
        next = block->next;
        heap_return(block);
    }
    system->texts = NULL;
}

/* The decimal digits of a number at `to`; returns how many. */
static size_t write_number(char *to, int64_t number)
{
    char digits[24];
    size_t count = 0, length = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (number < 0) to[length++] = '-';
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (count > 0) to[length++] = digits[--count];
    return length;
}

const char *text_entry(struct system *system, const char *name, const struct indices *indices,
                       size_t k)
{
    char subscript[MAX_INDICES * 24];
    size_t length = 0;
    size_t const letters = strlen(name);
    size_t below = indices->entries;
    for (uint32_t i = 0; i < indices->count; i++) {
        below /= indices->size[i];
        subscript[length++] = i == 0 ? '[' : ',';
        length += write_number(subscript + length,
                               indices->lower[i] + (int64_t)(k / below % indices->size[i]));
    }
    if (length > 0) subscript[length++] = ']';
    subscript[length] = 0;
    char *const text = text_take(system, letters + length + 1);
    if (!text) return NULL;
    memcpy(text, name, letters + 1);
    memcpy(text + letters, subscript, length + 1);
    return text;
}
