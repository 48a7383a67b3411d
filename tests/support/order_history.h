/* SPDX-License-Identifier: Apache-2.0 */
/* Nordsieck arrays from past data at any points, in long double. */
#ifndef SUPPORT_ORDER_HISTORY_H
#define SUPPORT_ORDER_HISTORY_H

#include <stdbool.h>

/* z[j] = P^(j)(0)/j!, j <= q, of the polynomial P of degree q that a formula of order q keeps:
   BDF     through value[i] at x[i], i <= q,
   Adams   through value[0] at x[0] = 0 with the slopes slope[i] at x[i], i < q.
   value and slope are overwritten. */
void order_history(bool adams, int q, const long double *x, long double *value, long double *slope,
                   long double *z);

#endif
