/* SPDX-License-Identifier: Apache-2.0 */
/* Signs that components must keep (tansy_problem.sign).  Where the corrected state breaks one by less than the corrector leaves
   open anyway, it is put on the border; else the step is repeated with a smaller h. */
#include <math.h>

#include "derive/names.h"
#include "drive/solver.h"

static const double forgiven = 0.1; /* of the error tolerance */

/* What has to be added to v so that it has its sign; 0: it has. */
static double missing(int sign, double v, double before)
{
    double const side = sign > 0 ? 1 : -1;
    bool const is_strict = sign == 2 || sign == -2;
    bool const holds = is_strict ? side * v > 0 : side * v >= 0;
    if (sign == 0 || holds) return 0;
    return (is_strict ? 0.1 * before : 0) - v; /* a tenth of the value before, which had its sign */
}

bool solver_keep_signs(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct part *const part = &st->state;
    struct work *const w = &st->state_work;
    const int *const sign = s->problem.sign;
    size_t worst = 0;
    double sum = 0, largest = 0;
    if (!sign) return true;
    for (size_t i = 0; i < s->n; i++) {
        double const d = missing(sign[i], w->y[i], part->history[i]) * w->winv[i];
        sum += d * d;
        if (fabs(d) <= largest) continue;
        largest = fabs(d);
        worst = i;
    }
    if (sum == 0) return true;
    if (st->formula.same * sqrt(sum * s->norms.share) <= forgiven) {
        for (size_t i = 0; i < s->n; i++) {
            double const d = missing(sign[i], w->y[i], part->history[i]);
            part->e[part->now][i] += d;
            w->y[i] += d;
        }
        part->squares_known = false;
        return true;
    }
    part->failure =
        (struct failure){.kind = FAILURE_SIGN, .row = worst, .value = w->y[worst], .t = st->end};
    return false;
}
