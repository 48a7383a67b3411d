/* SPDX-License-Identifier: Apache-2.0 */
/* Nordsieck arrays from past data on equal steps, in long double. */
#ifndef SUPPORT_ORDER_HISTORY_H
#define SUPPORT_ORDER_HISTORY_H

#include <stdbool.h>

/* z[j] = h^j P^(j)/j! at x = 0, j <= q, of the polynomial P of degree q that a formula of order q keeps:
   BDF     through value[i] at x = -i, i <= q,
   Adams   through value[0] at x = 0 with the slopes slope[i] = h y' at x = -i, i < q.
   The arrays are overwritten. */
void order_history(bool adams, int q, long double *value, long double *slope, long double *z);

#endif
