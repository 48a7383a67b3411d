/* SPDX-License-Identifier: Apache-2.0 */
/* The one door to the system's memory.  Tests count the calls and make the k-th one fail. */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stddef.h>

/* size zeroed bytes on a cache line, or NULL. */
void *heap_take(size_t size);
void heap_return(void *block);

#endif
