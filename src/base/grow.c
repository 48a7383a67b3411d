/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays on top of heap_take. */
#include "base/grow.h"

#include <stdint.h>
#include <string.h>

#include "base/heap.h"

bool grow(void **items, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity) return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed) wanted = needed;
    if (wanted < 8) wanted = 8;
    if (wanted > SIZE_MAX / 4 / size) return false;
    void *const larger = heap_take(wanted * size);
    if (!larger) return false;
    if (*items) memcpy(larger, *items, *capacity * size);
    heap_return(*items);
    *items = larger;
    *capacity = wanted;
    return true;
}
