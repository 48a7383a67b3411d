/* SPDX-License-Identifier: Apache-2.0 */
/* The tableau (8) and its error estimates. */
#include "method/limex.h"

#include <math.h>
#include <string.h>

void limex_extrapolate(struct part *part, int first, int j)
{
    size_t const count = part->shape.count;
    double *const entry = one_step_row(part, ROW_SPARE);
    for (int m = 1; m <= j; m++) { /* `entry` is T_jm, row first + m - 1 is T_(j-1,m) or nothing */
        double *const old = one_step_row(part, first + m - 1);
        if (m == j) {
            memcpy(old, entry, count * sizeof *entry);
            return;
        }
        double const share = 1 / ((double)j / (double)(j - m) - 1);
        for (size_t x = 0; x < count; x++) {
            double const here = entry[x], before = old[x];
            old[x] = here;
            entry[x] = here + (here - before) * share;
        }
    }
}

void limex_measure(struct stepper *s, struct part *part, struct work *w, int j, double *square)
{
    const struct equations *const q = s->equations;
    size_t const count = part->shape.count;
    const double *const end = one_step_row(part, ROW_T + j - 1);
    memcpy(one_step_row(part, ROW_END), end, count * sizeof *end);
    q->kernels->combine(count, 1, end, -1, one_step_row(part, ROW_T + j - 2), part->e[0]);
    one_step_weigh(s, part, w);
    norms_squares(q->norms, part, part->e[0], norms_weigh_tests(q->norms, part, w), square);
}

double limex_error(const struct stepper *s, const struct part *part, const double *square)
{
    return sqrt(square[norms_worst(square, part->shape.columns)] * s->equations->norms->share);
}
