/* SPDX-License-Identifier: Apache-2.0 */
/* The pool: every item once, lower ones first, round after round. */
#include "base/threads.h"
#include "test.h"

#include <stdatomic.h>

enum { MOST_ITEMS = 100, THREADS = 5, ROUNDS = 300 };

struct round {
    atomic_size_t started; /* items so far */
    atomic_size_t
        wrong; /* items that ran before a lower one had started, or by an unknown worker */
    size_t threads;
    atomic_size_t times[MOST_ITEMS];
    size_t result[MOST_ITEMS]; /* written without a lock: pool_run() must make it visible */
};

static void task(void *context, size_t item, size_t worker)
{
    struct round *const r = context;
    if (worker >= r->threads) atomic_fetch_add(&r->wrong, 1);
    atomic_fetch_add(&r->started, 1);
    atomic_fetch_add(&r->times[item], 1);
    r->result[item] = item * item;
}

static void check_round(struct pool *pool, size_t threads, size_t items)
{
    struct round r = {.threads = threads};
    pool_run(pool, items, task, &r);
    CHECK_EQUAL(r.started, items);
    CHECK_EQUAL(r.wrong, 0);
    for (size_t k = 0; k < MOST_ITEMS; k++) {
        CHECK_EQUAL(r.times[k], k < items);
        CHECK_EQUAL(r.result[k], k < items ? k * k : 0);
    }
}

TEST(a_pool_of_threads_runs_every_item_once)
{
    static const size_t items[] = {0, 1, 2, THREADS, MOST_ITEMS};
    struct pool *const pool = pool_create(THREADS);
    CHECK(pool != NULL);
    for (int k = 0; k < ROUNDS; k++) check_round(pool, THREADS, items[k % 5]);
    pool_free(pool);
}

TEST(no_pool_of_threads_means_the_callers_own_loop)
{
    check_round(NULL, 1, MOST_ITEMS);
    check_round(NULL, 1, 0);
    pool_free(NULL);
}

TEST(a_pool_of_threads_that_never_worked_can_be_freed)
{
    for (size_t threads = 1; threads < 10; threads++) pool_free(pool_create(threads));
}
