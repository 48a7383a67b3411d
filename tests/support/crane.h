/* SPDX-License-Identifier: Apache-2.0 */
/* The container crane of Schlegel, Marquardt, Ehrig and Nowak 2002, 5.3, with N intervals of both controls over 0 .. 9 and the levels
   u1_k = 1.5 cos(2 pi (k - 1/2)/N), u2_k = -0.6 sin(2 pi (k - 1/2)/N) at p[2k - 2], p[2k - 1]. */
#ifndef TEST_CRANE_H
#define TEST_CRANE_H

#include "problems.h"

enum { CRANE_STATES = 7, CRANE_MOST = 32 };

/* The problem "crane_N" for N of 2 .. 32, with break times and with the times from which the levels act; that of 8 intervals
   has a reference.  Made when first asked for and kept. */
const struct test_problem *crane_problem(size_t intervals);

/* The same by its name; NULL if it is not such a name. */
const struct test_problem *crane_find(const char *name);

#endif
