/* SPDX-License-Identifier: Apache-2.0 */
/* Generated mass-action networks of any size with dense matrices: reactions A -> C and A + B -> C + D with rate constants
   log-uniform over 10^low .. 10^high. */
#ifndef BENCH_MADE_NETWORK_H
#define BENCH_MADE_NETWORK_H

#include "support/mass_action.h"

/* Fills the zeroed m: n species, so many reactions, the first `parameters` of their constants are parameters. */
void network_make(struct mass_action *m, size_t n, size_t reactions, size_t parameters, double low,
                  double high);

#endif
