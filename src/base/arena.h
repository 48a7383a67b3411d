/* SPDX-License-Identifier: Apache-2.0 */
/* One block of memory laid out by a function that runs twice: on an empty arena it counts, on the block it
   places.  Every piece starts on a cache line.  Sizes that overflow make the arena too large to allocate. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_LINE = 64 };

struct arena {
    char *block; /* NULL while counting */
    size_t used;
    bool overflow;
};

/* The next count*size bytes, aligned to a cache line; NULL while counting.  Inline: creating a small solver is
   hardly more than this. */
static inline void *arena_take(struct arena *a, size_t count, size_t size)
{
    size_t const start = (a->used + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (__builtin_mul_overflow(count, size, &count) || count > SIZE_MAX / 4 - start)
        a->overflow = true;
    if (a->overflow) return NULL;
    a->used = start + count;
    return a->block ? a->block + start : NULL;
}

/* count doubles. */
static inline double *arena_doubles(struct arena *a, size_t count)
{
    return arena_take(a, count, sizeof(double));
}

/* count1*count2 doubles, the product checked. */
double *arena_matrix(struct arena *a, size_t count1, size_t count2);

#define ARENA_TAKE(arena, pointer, count)                                                          \
    ((pointer) = arena_take((arena), (count), sizeof *(pointer)))

#endif
