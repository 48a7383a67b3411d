/* SPDX-License-Identifier: Apache-2.0 */
/* Newton's interpolation by divided differences. */
#include "support/order_history.h"

/* c[j], the coefficients of the polynomial through v[i] at x[i], i <= q; v is overwritten. */
static void interpolate(int q, const long double *x, long double *v, long double *c)
{
    for (int k = 1; k <= q; k++)
        for (int i = q; i >= k; i--) v[i] = (v[i - 1] - v[i]) / (x[i - k] - x[i]);
    for (int j = 0; j <= q; j++) c[j] = 0;
    for (int k = q; k >= 0; k--) {
        for (int j = q; j > 0; j--) c[j] = c[j - 1] - x[k] * c[j];
        c[0] = v[k] - x[k] * c[0];
    }
}

void order_history(bool adams, int q, const long double *x, long double *value, long double *slope,
                   long double *z)
{
    if (!adams) {
        interpolate(q, x, value, z);
        return;
    }
    interpolate(q - 1, x, slope, z + 1);
    z[0] = value[0];
    for (int j = 2; j <= q; j++) z[j] /= j;
}
