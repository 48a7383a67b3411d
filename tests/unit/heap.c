/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is kept: when the system is asked, what is in it, and what is left when there is none. */
#include "base/heap.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "support/allocations.h"
#include "test.h"

static bool is_all(const unsigned char *block, size_t size, int value)
{
    size_t i = 0;
    while (i < size && block[i] == value) i++;
    return i == size;
}

TEST(blocks_stand_on_a_cache_line_and_are_zero_behind_what_the_caller_sets)
{
    unsigned char *const block = heap_take_behind(100, 1000);
    CHECK_EQUAL((uintptr_t)block % CACHE_LINE, 0);
    CHECK(is_all(block + 100, 900, 0));
    heap_return(block);
    unsigned char *const short_one = heap_take_behind(100, 10);
    memset(short_one, 1, 10);
    heap_return(short_one);
    CHECK(heap_take(SIZE_MAX) == NULL);
}

TEST(a_kept_block_is_zeroed_and_taken_anew_only_when_it_is_too_small)
{
    struct kept kept = {0};
    unsigned char *const first = heap_reuse(&kept, 1000);
    memset(first, 7, 1000);
    allocations_fail(0);
    CHECK(heap_reuse(&kept, 600) == first);
    CHECK(is_all(first, 600, 0));
    CHECK_EQUAL(allocations.calls, 0);
    CHECK(is_all(heap_reuse(&kept, 2000), 2000, 0));
    CHECK_EQUAL(allocations.calls, 1);
    CHECK(heap_reuse(&kept, 2500) == kept.block);
    CHECK_EQUAL(allocations.calls, 1);
    heap_drop(&kept);
    CHECK(kept.block == NULL && kept.size == 0);
}

TEST(what_is_in_a_kept_block_stays_when_it_is_extended)
{
    struct kept kept = {0};
    memset(heap_extend(&kept, 0, 100), 7, 100);
    CHECK(is_all(heap_extend(&kept, 100, 5000), 100, 7));
    CHECK(is_all(heap_extend(&kept, 100, 50), 100, 7));
    heap_drop(&kept);
}

TEST(without_memory_nothing_is_kept)
{
    ptrdiff_t const live = allocations.live;
    struct kept kept = {0};
    CHECK(heap_reuse(&kept, 100) != NULL);
    allocations_fail(1);
    CHECK(heap_reuse(&kept, 1000) == NULL);
    allocations_fail(0);
    CHECK(kept.block == NULL && kept.size == 0);
    CHECK_EQUAL(allocations.live, live);
    CHECK(heap_extend(&kept, 0, 100) != NULL);
    allocations_fail(1);
    CHECK(heap_extend(&kept, 100, 1000) == NULL);
    allocations_fail(0);
    CHECK(kept.block == NULL && kept.size == 0);
    CHECK_EQUAL(allocations.live, live);
}
