/* SPDX-License-Identifier: Apache-2.0 */
/* Signs that components must keep (tansy_problem.sign).  Where the corrected state breaks one by less than the corrector leaves
   open anyway, it is put on the border; else the step is repeated with a smaller h.  A solution that leaves for good would creep along the
   border by so much a step: after many of them in a row nothing is forgiven any more. */
#include <float.h>
#include <math.h>

#include "derive/names.h"
#include "drive/solver.h"

static const double forgiven = 0.1; /* of the error tolerance */
enum { MOST_FORGIVEN = 50 };        /* attempts in a row */

/* What v = sum_j z_j + e can be wrong by where the terms are added in another order, as the dense output does; of a one-step method,
   whose first rows are the values at both ends. */
static double rounding(const struct tansy_solver *s, size_t i)
{
    const struct part *const part = &s->stepper.state;
    int const last = method_is_one_step(s->stepper.method) ? 1 : part->order;
    double sum = fabs(part->e[part->now][i]);
    for (int j = 0; j <= last; j++) sum += fabs(part->history[(size_t)j * part->shape.count + i]);
    return 4 * (part->order + 2) * DBL_EPSILON * sum;
}

/* What has to be added to component i so that it has its sign, beyond rounding; 0: it has. */
static double missing(const struct tansy_solver *s, size_t i)
{
    const struct part *const part = &s->stepper.state;
    int const sign = s->problem.sign[i];
    if (sign == 0) return 0;
    double const side = sign > 0 ? 1 : -1, v = s->stepper.state_work.y[i];
    bool const is_strict = sign == 2 || sign == -2;
    double const noise = rounding(s, i);
    if (is_strict ? side * v > noise : side * v >= noise) return 0;
    double const tenth = is_strict ? 0.1 * fabs(part->history[i]) : 0; /* of the value before */
    return side * fmax(tenth, 2 * noise) - v;
}

bool solver_keep_signs(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct part *const part = &st->state;
    struct work *const w = &st->state_work;
    size_t worst = 0;
    double sum = 0, largest = 0;
    if (!s->problem.sign) return true;
    for (size_t i = 0; i < s->n; i++) {
        double const d = missing(s, i) * w->winv[i];
        sum += d * d;
        if (fabs(d) <= largest) continue;
        largest = fabs(d);
        worst = i;
    }
    s->signs_forced = sum > 0 ? s->signs_forced + 1 : 0;
    if (sum == 0) return true;
    if (st->formula.same * sqrt(sum * s->norms.share) <= forgiven &&
        s->signs_forced <= MOST_FORGIVEN) {
        for (size_t i = 0; i < s->n; i++) {
            double const d = missing(s, i);
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

/* Does y0[i] have its sign?  One that breaks it by what a step is forgiven is put on the border: -5.7e-41 is 0. */
static bool begins_right(struct tansy_solver *s, size_t i)
{
    int const sign = s->problem.sign[i];
    bool const is_strict = sign == 2 || sign == -2;
    double const side = sign > 0 ? s->y0[i] : -s->y0[i];
    if (sign == 0 || (is_strict ? side > 0 : side >= 0)) return true;
    if (is_strict || !(-side <= forgiven * tolerances_allow(&s->tolerances, i, s->y0[i])))
        return false;
    s->y0[i] = 0;
    return true;
}

tansy_status solver_check_given_signs(struct tansy_solver *s)
{
    const int *const sign = s->problem.sign;
    for (size_t i = 0; sign && !s->problem.initial && i < s->n; i++)
        if (!begins_right(s, i))
            return s->error = message_set(&s->message, TANSY_BAD_PROBLEM,
                                          "y0[%zu] = %g breaks its sign[%zu] = %d", i, s->y0[i], i,
                                          sign[i]);
    return TANSY_OK;
}

tansy_status solver_check_signs(struct tansy_solver *s)
{
    const int *const sign = s->problem.sign;
    for (size_t i = 0; sign && i < s->n; i++) {
        struct name name;
        if (begins_right(s, i)) continue;
        return s->error =
                   message_set(&s->message, TANSY_INCONSISTENT,
                               "the initial value of %s is %g at t0 = %.10g, which breaks the "
                               "sign it must keep (.sign[%zu] = %d)",
                               name_state(&s->problem, i, &name), s->y0[i], s->t0, i, sign[i]);
    }
    return TANSY_OK;
}
