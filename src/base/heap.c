/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned memory from the system.  malloc plus an offset kept in front of the block: aligned_alloc would do,
   but is slower for the small blocks of small problems and cannot be replaced by the fault tests. */
#include "base/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void *heap_take(size_t size)
{
    if (size > SIZE_MAX / 2) return NULL;
    char *const raw = malloc(size + CACHE_LINE + sizeof(void *));
    if (!raw) return NULL;
    uintptr_t const first = (uintptr_t)(raw + sizeof(void *));
    size_t const shift = (CACHE_LINE - first % CACHE_LINE) % CACHE_LINE;
    char *const block = raw + sizeof(void *) + shift;
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    memset(block, 0, size);
    return block;
}

void heap_return(void *block)
{
    if (!block) return;
    void *raw = NULL;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    free(raw);
}
