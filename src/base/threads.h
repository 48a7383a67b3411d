/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of threads that share the items of a loop.  Worker 0 is the caller.  Items are handed out in rising
   order, so that when an item runs, all lower ones have been started. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stdbool.h>
#include <stddef.h>

typedef void pool_task(void *context, size_t item, size_t worker);

struct pool;

/* Starts threads - 1 threads; NULL when there is no memory or no thread to be had.  threads = 1 needs no
   pool: pool_run(NULL, ...) runs the loop in the caller. */
struct pool *pool_create(size_t threads);
void pool_free(struct pool *pool);

/* Runs task(context, item, worker) for all items; returns when all are done. */
void pool_run(struct pool *pool, size_t items, pool_task *task, void *context);

#endif
