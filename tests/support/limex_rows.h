/* SPDX-License-Identifier: Apache-2.0 */
/* limex on equal steps with a given number of rows, which the method does not offer, for its orders. */
#ifndef SUPPORT_LIMEX_ROWS_H
#define SUPPORT_LIMEX_ROWS_H

#include <tansy/tansy.h>

#include "drive/solver.h"

/* Steps of size h with q + 1 rows each, no column leaves the tableau; the tolerances of the options must let every step pass.
   `fixed` is filled in and must live as long as the solver. */
tansy_solver *limex_rows_create(const tansy_problem *problem, int q, double h,
                                tansy_options options, struct method *fixed);

/* One step towards t, as tansy_step(). */
tansy_status limex_rows_step(tansy_solver *s, double t, double *y, double *sens);

#endif
