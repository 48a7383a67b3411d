/* SPDX-License-Identifier: Apache-2.0 */
/* Products with the transposed matrices last evaluated, for adjoints: r += J^T v, r += f_p^T v. */
#include "derive/providers.h"

void transposed_jacobian(struct derive *d, const double *v, double *r)
{
    matrix_multiply_transposed(d->J, v, r);
}

void transposed_parameter(struct derive *d, const double *v, double *r)
{
    const tansy_pattern *const pattern = &d->fp_pattern;
    for (size_t e = 0; e < pattern->entries; e++)
        r[pattern->column[e]] += d->fp[e] * v[pattern->row[e]];
    if (pattern->row) return;
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < d->np; k++) r[k] += d->fp[i * d->np + k] * v[i];
}
