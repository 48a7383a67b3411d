/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned memory from the system.  malloc plus an offset kept in front of the block: aligned_alloc would do,
   but is slower for the small blocks of small problems and cannot be replaced by the fault tests. */
#include "base/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void *heap_take_behind(size_t first, size_t size)
{
    if (size > SIZE_MAX / 2) return NULL;
    size_t const all = size + CACHE_LINE + sizeof(void *);
    char *const raw = first == 0 ? calloc(all, 1) : malloc(all); /* new pages are zero already */
    if (!raw) return NULL;
    uintptr_t const from = (uintptr_t)(raw + sizeof(void *));
    size_t const shift = (CACHE_LINE - from % CACHE_LINE) % CACHE_LINE;
    char *const block = raw + sizeof(void *) + shift;
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    if (first > 0 && first < size) memset(block + first, 0, size - first);
    return block;
}

void *heap_take(size_t size)
{
    return heap_take_behind(0, size);
}

void heap_return(void *block)
{
    if (!block) return;
    void *raw = NULL;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    free(raw);
}

void heap_drop(struct kept *kept)
{
    heap_return(kept->block);
    *kept = (struct kept){0};
}

/* A quarter more than is asked for when it was not enough once. */
static size_t with_reserve(const struct kept *kept, size_t size)
{
    return kept->block && size < SIZE_MAX / 4 ? size + size / 4 : size;
}

void *heap_reuse(struct kept *kept, size_t size)
{
    if (kept->block && size <= kept->size) return memset(kept->block, 0, size);
    size_t const all = with_reserve(kept, size);
    heap_drop(kept);
    kept->block = heap_take(all);
    kept->size = kept->block ? all : 0;
    return kept->block;
}

void *heap_extend(struct kept *kept, size_t used, size_t size)
{
    if (kept->block && size <= kept->size) return kept->block;
    size_t const all = with_reserve(kept, size);
    void *const block = heap_take(all);
    if (block && kept->block) memcpy(block, kept->block, used);
    heap_drop(kept);
    if (block) *kept = (struct kept){block, all};
    return block;
}
