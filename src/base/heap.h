/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the system's memory.  Tests count the calls and make the k-th one fail. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stddef.h>

/* size zeroed bytes on a cache line, or NULL. */
void *heap_take(size_t size);

/* The same, but for the first bytes, which the caller sets. */
void *heap_take_behind(size_t first, size_t size);

void heap_return(void *block);

/* A block that is used again and again: the system is asked only when more is wanted than it has. */
struct kept {
    void *block; /* NULL: none */
    size_t size;
};

/* size zeroed bytes, or NULL, and then nothing is kept. */
void *heap_reuse(struct kept *kept, size_t size);

/* The first `used` bytes as they are, and room for size; or NULL, and then nothing is kept. */
void *heap_extend(struct kept *kept, size_t used, size_t size);

void heap_drop(struct kept *kept);

#endif
