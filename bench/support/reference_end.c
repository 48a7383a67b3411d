/* SPDX-License-Identifier: Apache-2.0 */
#include "reference_end.h"

#include <math.h>

struct experiment reference_end_experiment(const struct reference *r, const tansy_problem *problem,
                                           const tansy_options *options, double *y, double *sens)
{
    return (struct experiment){.problem = *problem,
                               .options = *options,
                               .times = 1,
                               .t = r->t + r->times - 1,
                               .y = y,
                               .sens = sens};
}

struct end_errors reference_end_errors(const struct reference *r, size_t shown, const double *y,
                                       const double *sens, const double *scale)
{
    struct end_errors e = {0, 0};
    size_t const n = r->n, ns = r->ns, last = r->times - 1;
    for (size_t i = 0; i < shown; i++) {
        e.y = fmax(e.y, fabs(y[i] - r->y[last * n + i]));
        for (size_t k = 0; k < ns; k++) {
            double const wrong = sens[k * n + i] - r->sens[(last * ns + k) * n + i];
            e.sens = fmax(e.sens, fabs(wrong) * (scale ? scale[k] : 1));
        }
    }
    return e;
}
