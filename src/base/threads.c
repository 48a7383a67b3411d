/* SPDX-License-Identifier: Apache-2.0 */
/* The pool: workers sleep on a condition until a round begins, take items from one counter, and the last to
   finish wakes the caller.  A worker that wakes when nothing is left goes back to sleep, and the caller does not wait for
   it: with more threads than free cores a round would else last until the system has run every one of them.  Everything
   but the item counter is guarded by one mutex. */
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/heap.h"

struct thread {
    pthread_t id;
    struct pool *pool;
    size_t number;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    size_t round;   /* of work, counted up */
    size_t working; /* threads at work in this round, without the caller */
    bool leave;
    pool_task *task;
    void *context;
    size_t items;
    atomic_size_t next;
    size_t threads; /* started, without the caller */
    struct thread thread[];
};

static void work(struct pool *pool, size_t worker)
{
    for (;;) {
        size_t const item = atomic_fetch_add(&pool->next, 1);
        if (item >= pool->items) return;
        pool->task(pool->context, item, worker);
    }
}

static void *live(void *argument)
{
    struct thread *const self = argument;
    struct pool *const pool = self->pool;
    size_t seen = 0;
    (void)pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->leave)
            (void)pthread_cond_wait(&pool->begin, &pool->lock);
        if (pool->leave) break;
        seen = pool->round;
        if (atomic_load(&pool->next) >= pool->items) continue;
        pool->working++;
        (void)pthread_mutex_unlock(&pool->lock);
        work(pool, self->number);
        (void)pthread_mutex_lock(&pool->lock);
        if (--pool->working == 0) (void)pthread_cond_signal(&pool->end);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_create(size_t threads)
{
    struct pool *const pool = heap_take(sizeof *pool + threads * sizeof(struct thread));
    if (!pool) return NULL;
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->begin, NULL);
    (void)pthread_cond_init(&pool->end, NULL);
    for (size_t k = 1; k < threads; k++) {
        struct thread *const thread = &pool->thread[pool->threads];
        *thread = (struct thread){.pool = pool, .number = k};
        if (pthread_create(&thread->id, NULL, live, thread) != 0) {
            pool_free(pool);
            return NULL;
        }
        pool->threads++;
    }
    return pool;
}

void pool_free(struct pool *pool)
{
    if (!pool) return;
    (void)pthread_mutex_lock(&pool->lock);
    pool->leave = true;
    (void)pthread_cond_broadcast(&pool->begin);
    (void)pthread_mutex_unlock(&pool->lock);
    for (size_t k = 0; k < pool->threads; k++) (void)pthread_join(pool->thread[k].id, NULL);
    (void)pthread_cond_destroy(&pool->end);
    (void)pthread_cond_destroy(&pool->begin);
    (void)pthread_mutex_destroy(&pool->lock);
    heap_return(pool);
}

void pool_run(struct pool *pool, size_t items, pool_task *task, void *context)
{
    if (!pool || items < 2) {
        for (size_t item = 0; item < items; item++) task(context, item, 0);
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->context = context;
    pool->items = items;
    atomic_store(&pool->next, 0);
    pool->round++;
    (void)pthread_cond_broadcast(&pool->begin);
    (void)pthread_mutex_unlock(&pool->lock);
    work(pool, 0);
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->working > 0) (void)pthread_cond_wait(&pool->end, &pool->lock);
    (void)pthread_mutex_unlock(&pool->lock);
}
