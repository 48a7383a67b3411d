/* SPDX-License-Identifier: Apache-2.0 */
/* The method starts with its lowest order, and is told so again before each step. */
#include "limex_rows.h"

tansy_solver *limex_rows_create(const tansy_problem *problem, int q, double h,
                                tansy_options options, struct method *fixed)
{
    options.method = TANSY_LIMEX;
    options.max_order = q;
    options.first_step = options.min_step = options.max_step = h;
    options.full_tableau = 1;
    *fixed = method_limex;
    fixed->lowest_order = q;
    tansy_solver *const s = tansy_create(problem, &options);
    if (tansy_error(s) == TANSY_OK) s->stepper.method = fixed;
    return s;
}

tansy_status limex_rows_step(tansy_solver *s, double t, double *y, double *sens)
{
    s->stepper.order = s->stepper.method->lowest_order;
    return tansy_step(s, t, y, sens);
}
