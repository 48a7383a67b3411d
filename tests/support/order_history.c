/* SPDX-License-Identifier: Apache-2.0 */
/* Newton's interpolation by backward differences, P(x) = sum_k (nabla^k v/k!) x (x+1) ... (x+k-1). */
#include "support/order_history.h"

/* c[j], the coefficients of the polynomial through v[i] at x = -i, i <= q; v is overwritten. */
static void interpolate(int q, long double *v, long double *c)
{
    for (int k = 1; k <= q; k++)
        for (int i = q; i >= k; i--) v[i] = (v[i - 1] - v[i]) / k;
    for (int j = 0; j <= q; j++) c[j] = 0;
    for (int k = q; k >= 0; k--) {
        for (int j = q; j > 0; j--) c[j] = c[j] * k + c[j - 1];
        c[0] = c[0] * k + v[k];
    }
}

void order_history(bool adams, int q, long double *value, long double *slope, long double *z)
{
    if (!adams) {
        interpolate(q, value, z);
        return;
    }
    interpolate(q - 1, slope, z + 1);
    z[0] = value[0];
    for (int j = 2; j <= q; j++) z[j] /= j;
}
