/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of constraints of index 2 are multiplied by the leading coefficient (Petzold and Lotstedt 1986, DASPK): see linear.h. */
#include "linear/linear.h"

void linear_scale_constraints(const struct linear *l, double re, size_t width, double *X)
{
    for (size_t i = 0; i < l->A->n; i++)
        for (size_t k = 0; k < width && l->constraint[i]; k++) X[i * width + k] *= re;
}
