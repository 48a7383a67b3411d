/* SPDX-License-Identifier: Apache-2.0 */
/* Extrapolation: dense output. */
#include "method/limex.h"

#include <string.h>

void limex_interpolate(struct stepper *s, struct part *part, double t, int derivative, double *out)
{
    size_t const count = part->shape.count;
    double const h = s->last_h, x = t == s->t ? 1 : 1 + ((t - s->t) - s->t_low) / h;
    if (!part->pending) {
        memcpy(out, one_step_row(part, derivative ? ROW_SLOPE : ROW_BEGIN), count * sizeof *out);
        return;
    }
    if (x == 1) {
        memcpy(out, one_step_row(part, derivative ? ROW_D + s->last_order : ROW_END),
               count * sizeof *out);
        return;
    }
    struct cubic const c = one_step_cubic(x, derivative);
    unsigned char const row[] = {ROW_BEGIN, ROW_END, ROW_SLOPE,
                                 (unsigned char)(ROW_D + s->last_order)};
    double const weight[] = {(derivative ? 0 : 1) - c.end, c.end, h * c.first, h * c.last};
    struct row_task const task = {.count = count,
                                  .stride = count,
                                  .rows = part->history,
                                  .factor = derivative ? 1 / h : 1,
                                  .terms = 4,
                                  .row = row,
                                  .weight = weight};
    s->equations->kernels->step->sum_rows(&task, out);
}
