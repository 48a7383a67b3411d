/* SPDX-License-Identifier: Apache-2.0 */
/* DETEST C1 as Franz and Kiehl print it, with y10' = y9 - y10: y1' = -y1, yi' = y(i-1) - yi, and the columns of all initial values.
   (The original has y10' = y9; that one is in tests/support.) */
#ifndef BENCH_DECAY_CHAIN_H
#define BENCH_DECAY_CHAIN_H

#include <tansy/problem.h>

/* Ten equations. */
tansy_problem decay_chain_make(void);

#endif
