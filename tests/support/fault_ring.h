/* SPDX-License-Identifier: Apache-2.0 */
/* Many parameters for many panels: channel k leads from state a = k mod n to another one, b, at the rate
   p_k y_a^2.  The functions can watch who calls them, and can fail in the column of one parameter. */
#ifndef TEST_FAULT_RING_H
#define TEST_FAULT_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <tansy/tansy.h>

enum { RING_N = 10, RING_NP = 300, RING_SENS = RING_N * RING_NP }; /* ten panels of up to 32 */

/* What the problem gives. */
enum ring_source { RING_TANGENT, RING_MATRICES, RING_NOTHING };

/* The context; NULL: nothing is watched, nothing fails. */
struct ring_user {
    pthread_t owner;            /* the thread that solves */
    atomic_size_t inside, most; /* calls going on at this moment, and the most ever */
    atomic_size_t foreign;      /* calls by other threads */
    bool slow;                  /* linger in a call, so that another thread meets it */
    atomic_size_t lingered;     /* calls that did */
    bool awaits;                /* tangents wait a while for the first call of another thread */
    size_t column[2];           /* two parameters: */
    double from, to;            /* tangents with a column of theirs fail for from <= t < to, */
    double period;              /* or, if this is not 0, for t modulo it */
    enum { RING_NOT_HERE, RING_STOP, RING_NAN } how;
    double jumps; /* not 0: their channels open and close so many times in a unit of time */
};

/* With all derivatives (both tangent and matrices), matrices alone or none; np columns. */
tansy_problem ring_problem(enum ring_source source, struct ring_user *user);

#endif
