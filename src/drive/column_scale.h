/* SPDX-License-Identifier: Apache-2.0 */
/* The scale of a parameter that is 0 and has none of its own: the value at which it would, over the run,
   move some component as far as the component moves without it, or by its size, as far as the start
   tells:  scale = min over i of (size_i + T |y_i'|)/|ds_i|, T the length of the run and ds = s where the
   column begins with some, whose s' = J s may be far larger than what becomes of it, else T s' = T f_p.
   It is that of other parameters in any units; a parameter that moves nothing at the start keeps 1. */
#ifndef DRIVE_COLUMN_SCALE_H
#define DRIVE_COLUMN_SCALE_H

#include "drive/solver.h"

/* Histories begin at t0 with y' in yp[n]; S and S' of the panel are in w->y and w->r. */
void column_scale_begin(struct tansy_solver *s, const struct panel *panel, const double *yp,
                        const struct work *w);

#endif
