/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what a test program and the static library in it ask of malloc, calloc and realloc, and refuses some of it.  The linker sends
   their calls here (watch_allocations() of tests/CMakeLists.txt); shared libraries it leaves alone. */
#ifndef SUPPORT_ALLOCATIONS_H
#define SUPPORT_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

extern struct allocations {
    size_t calls, first, last; /* requests first .. last fail, counted from 1; 0, 0: none */
    ptrdiff_t live;            /* blocks taken and not yet returned, */
    ptrdiff_t bytes, most;     /* what they hold, and what they held at most */
} allocations;

/* Requests and blocks are counted anew, requests first .. last of them fail. */
void allocations_begin(size_t first, size_t last);

/* Requests alone are counted anew, the k-th of them fails; k = 0: none. */
void allocations_fail(size_t k);

/* Counts a request; whether it is refused. */
bool allocations_refuse(size_t size);

/* Of a run since allocations_begin(k, ..), which has this status: all blocks are back, and it is out of memory if it has made
   request k, else well and k > least.  Whether it has made it. */
bool allocations_check(size_t k, size_t least, tansy_status status);

/* Creates a solver, solves to t and frees it, while the k-th allocation fails, or all from the k-th on, until the run is untouched.
   for_good: only its creation allocates, and a restart cannot help. */
void allocations_fail_solver(const tansy_problem *problem, const tansy_options *options, double t,
                             bool for_good);

#endif
