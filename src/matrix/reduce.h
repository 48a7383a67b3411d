/* SPDX-License-Identifier: Apache-2.0 */
/* Every norm, dot product and any/all decision goes through here, so that vectors may be distributed later:
   n is then the local length and combine() sums or maximises over the processes. */
#ifndef MATRIX_REDUCE_H
#define MATRIX_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

enum reduce_kind { REDUCE_SUM, REDUCE_MAX };

struct reduce {
    void (*combine)(void *context, enum reduce_kind kind, double *value, size_t count);
    void *context; /* combine == NULL: one process, nothing to do */
};

/* Sums, or the largest, of each value over all processes. */
static inline void reduce_all(const struct reduce *r, enum reduce_kind kind, double *value,
                              size_t count)
{
    if (r->combine) r->combine(r->context, kind, value, count);
}

/* True on all processes if true on any. */
static inline bool reduce_any(const struct reduce *r, bool here)
{
    double flag = here ? 1 : 0;
    reduce_all(r, REDUCE_MAX, &flag, 1);
    return flag > 0;
}

#endif
