/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of multipliers, see levers.h. */
#include "equations/levers.h"

#include <math.h>

#include "equations/equations.h"

/* The component whose rate gives way in a row of M: that of the largest |M_ik|/winv_k, as lever of a unit of the residual. */
static struct lever partner(const struct matrix_row *row, const double *winv, double c)
{
    struct lever best = {0, 0};
    double most = 0;
    for (size_t e = 0; e < row->count; e++) {
        size_t const k = matrix_row_column(row, e);
        double const m = fabs(row->value[e]);
        if (!(m > most * winv[k])) continue;
        most = m / winv[k];
        best = (struct lever){k, 1 / (c * m)};
    }
    return best;
}

void levers_find(const struct equations *q, const double *winv, double c)
{
    const struct norms *const norms = q->norms;
    const struct matrix *const J = q->derive->J, *const M = q->derive->M;
    if (!norms->lever) return;
    for (size_t j = 0; j < q->n; j++) norms->lever[j] = (struct lever){0, 0};
    for (size_t i = 0; i < q->n; i++) {
        struct matrix_row const mass = matrix_row(M, i), row = matrix_row(J, i);
        struct lever const unit = partner(&mass, winv, fabs(c));
        for (size_t e = 0; e < row.count && unit.size > 0; e++) {
            size_t const j = matrix_row_column(&row, e);
            struct lever *const lever = &norms->lever[j];
            double const size = fabs(row.value[e]) * unit.size;
            if (norms->iterated[j] != 0) continue;
            if (size * winv[unit.component] > lever->size * winv[lever->component])
                *lever = (struct lever){unit.component, size};
        }
    }
}
