/* SPDX-License-Identifier: Apache-2.0 */
/* STIFF DETEST E3 copied side by side, as Franz and Kiehl did, with the columns of all initial values. */
#ifndef BENCH_E3_COPIES_H
#define BENCH_E3_COPIES_H

#include <tansy/problem.h>

enum { E3_STATES = 3, E3_MOST_COPIES = 10, E3_MOST_STATES = E3_STATES * E3_MOST_COPIES };

struct e3_copies {
    size_t copies;
    int dense; /* not 0: the structure of the matrices is not used; else they are banded */
    double y0[E3_MOST_STATES];
    int columns[E3_MOST_STATES];
};

/* *it is the context of the problem and has to stay where it is. */
tansy_problem e3_copies_make(size_t copies, int dense, struct e3_copies *it);

#endif
