/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a problem through all correctors and tolerances and holds every run against its bound. */
#ifndef TEST_PROMISE_H
#define TEST_PROMISE_H

#include "accuracy.h"

#include <stddef.h>

enum { CORRECTORS = 3 };
extern const tansy_sensitivities all_correctors[CORRECTORS];

/* The number of runs, over all correctors and rtol = 1e-4, 1e-5, ..., smallest, whose error of y or of a
   column is above oracle_bound(); each is told on stderr. */
size_t promises_broken(const char *problem, tansy_method method, enum derivatives derivatives,
                       double smallest);

/* The same for rtol = largest, largest/10, ..., smallest, with the method dassl and all else as in base; `what` names the runs. */
size_t promises_broken_by(const char *what, const char *problem, enum derivatives derivatives,
                          const tansy_options *base, double largest, double smallest);

#endif
