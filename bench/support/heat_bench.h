/* SPDX-License-Identifier: Apache-2.0 */
/* The benches of the heat equation on M x M points. */
#ifndef BENCH_HEAT_BENCH_H
#define BENCH_HEAT_BENCH_H

#include <stddef.h>

/* Fills the task "heat_M_sparse" with the exact solution at t = 0.01 * 2^n, n = 0, 1, .. 10, compares and prints; the last line
   is that of bench `name`. */
void heat_compare(const char *name, size_t M);

#endif
