/* SPDX-License-Identifier: Apache-2.0 */
/* The arena: counts, then places. */
#include "base/arena.h"

#include <stdint.h>

double *arena_matrix(struct arena *a, size_t count1, size_t count2)
{
    if (count1 != 0 && count2 > SIZE_MAX / 8 / count1) a->overflow = true;
    if (a->overflow) return NULL;
    return arena_doubles(a, count1 * count2);
}
