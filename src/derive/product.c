/* SPDX-License-Identifier: Apache-2.0 */
/* The tangent of a panel as matrix times panel, R = J V - M V_rate + r_p U, with the matrices evaluated before.  r_p U is
   copied row by row when the columns are consecutive parameters, else added column by column of a dense r_p, or scattered by lists
   made once of a sparse one. */
#include <stdint.h>
#include <string.h>

#include "derive/providers.h"

static void copy_rows(const struct derive *d, const double *fp, const struct panel *panel,
                      size_t first, double *R)
{
    size_t const lanes = panel->lanes, columns = panel->columns;
    if (columns < lanes || panel->count > d->n * lanes) memset(R, 0, panel->count * sizeof(double));
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < columns; k++) R[i * lanes + k] = fp[i * d->np + first + k];
}

static void add_columns(const struct derive *d, const double *fp, const struct panel *panel,
                        double *R)
{
    size_t const lanes = panel->lanes;
    memset(R, 0, panel->count * sizeof(double));
    for (size_t k = 0; k < panel->columns; k++) {
        size_t const column = panel->first + k;
        for (size_t e = d->direction_start[column]; e < d->direction_start[column + 1]; e++) {
            double const factor = d->direction_value[e];
            const double *const from = fp + d->direction_row[e];
            for (size_t i = 0; i < d->n; i++) R[i * lanes + k] += factor * from[i * d->np];
        }
    }
}

static void scatter(const struct derive *d, const double *fp, const struct panel *panel, double *R)
{
    memset(R, 0, panel->count * sizeof(double));
    size_t const end = d->scatter_start[panel->number + 1];
    for (size_t x = d->scatter_start[panel->number]; x < end; x++)
        R[d->scatter_place[x]] += d->scatter_factor[x] * fp[d->scatter_entry[x]];
}

int product_tangent(struct derive *d, size_t worker, const struct point *at,
                    const struct panel *panel, const double *V, double *V_rate, double *R)
{
    const double *const fp = at->fp ? at->fp : d->fp;
    size_t const first = d->consecutive[panel->number];
    d->worker[worker].counts.tangent += panel->columns;
    if (first != SIZE_MAX)
        copy_rows(d, fp, panel, first, R);
    else if (!d->fp_pattern.row)
        add_columns(d, fp, panel, R);
    else
        scatter(d, fp, panel, R);
    matrix_multiply(at->J ? at->J : d->J, d->kernels, panel->lanes, V, R);
    if (!d->M) return 0;
    d->kernels->combine(panel->count, -1, V_rate, 0, V_rate, V_rate);
    matrix_multiply(at->M ? at->M : d->M, d->kernels, panel->lanes, V_rate, R);
    return 0;
}
