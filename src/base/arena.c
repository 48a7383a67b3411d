/* SPDX-License-Identifier: Apache-2.0 */
/* The arena: counts, then places. */
#include "base/arena.h"

#include <stdint.h>

void *arena_take(struct arena *a, size_t count, size_t size)
{
    size_t const start = (a->used + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (size != 0 && count > (SIZE_MAX / 4 - start) / size) a->overflow = true;
    if (a->overflow) return NULL;
    a->used = start + count * size;
    return a->block ? a->block + start : NULL;
}

double *arena_doubles(struct arena *a, size_t count)
{
    return arena_take(a, count, sizeof(double));
}

double *arena_matrix(struct arena *a, size_t count1, size_t count2)
{
    if (count1 != 0 && count2 > SIZE_MAX / 8 / count1) a->overflow = true;
    if (a->overflow) return NULL;
    return arena_doubles(a, count1 * count2);
}
