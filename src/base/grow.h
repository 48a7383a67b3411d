/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow while something is built (never in a solver).  A list is {item pointer, count, capacity}. */
#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for needed items of the given size: *items may move, *capacity grows at least by half.  False when
   there is no memory; then nothing has changed. */
bool grow(void **items, size_t *capacity, size_t needed, size_t size);

/* A list of TYPE: LIST(double) times; */
#define LIST(type)                                                                                 \
    struct {                                                                                       \
        type *item;                                                                                \
        size_t count, capacity;                                                                    \
    }

/* Room for `more` items at the end; false when there is no memory. */
#define LIST_ROOM(list, more)                                                                      \
    ((list)->count + (more) <= (list)->capacity ||                                                 \
     grow((void **)&(list)->item, &(list)->capacity, (list)->count + (more),                       \
          sizeof *(list)->item))

/* Appends a value; false when there is no memory. */
#define LIST_ADD(list, ...)                                                                        \
    (LIST_ROOM(list, 1) && ((list)->item[(list)->count++] = (__VA_ARGS__), true))

#define LIST_FREE(list)                                                                            \
    (heap_return((list)->item), (list)->item = NULL, (list)->count = (list)->capacity = 0)

#endif
