/* SPDX-License-Identifier: Apache-2.0 */
/* tansy_check(): the derivatives that the problem gives are compared where the run stands, and the run goes on as if nothing had been. */
#include "drive/solver.h"

#include <math.h>
#include <string.h>

/* y' at the current time, of an implicit problem; else NULL. */
static const double *current_slope(tansy_solver *s, double t)
{
    double *const yp = s->stepper.state_work.yp;
    if (yp && s->started) solver_output(s, t, 1, yp, NULL);
    return s->started ? yp : s->consistent.yp;
}

/* Times that checks may look at, as a length and a side: in a run those it came through, before it those ahead; 0: nothing is known.
   |t|, or 1 at 0, may be many of the model's own times: a hundred steps, or the whole run, where that is less. */
static double time_to_check(const struct tansy_solver *s, double t)
{
    const tansy_options *const o = &s->options;
    double const limit = o->max_step > 0 ? o->max_step : HUGE_VAL;
    double const length = fmin(limit, t != 0 ? fabs(t) : 1), rest = o->stop_time - t;
    if (s->started && t != s->t0)
        return copysign(fmin(fmin(length, 100 * fabs(s->stats.h_last)), fabs(t - s->t0)),
                        s->t0 - t);
    if (o->use_stop_time && rest != 0) return copysign(fmin(length, fabs(rest)), rest);
    if (!o->use_stop_time && !(o->max_step > 0)) return 0;
    return consistent_may_look(s, t, length) ? length : -length;
}

/* Puts J and M aside, or puts them back: Krylov iteration goes on to multiply by them. */
static void keep_matrices(struct tansy_solver *s, bool back)
{
    double *const of[] = {s->J.value, derive_is_implicit(&s->derive) ? s->M.value : NULL};
    size_t const count = matrix_size(&s->J);
    for (size_t k = 0; k < 2 && s->matrices_kept && of[k]; k++) {
        double *const kept = s->matrices_kept + k * count;
        memcpy(back ? of[k] : kept, back ? kept : of[k], count * sizeof *kept);
    }
}

tansy_status tansy_check(tansy_solver *s)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (s->error < 0) return s->error;
    const struct stepper *const st = &s->stepper;
    double *const y = st->state_work.y0;
    double const t = tansy_time(s);
    if (s->started)
        solver_output(s, t, 0, y, NULL);
    else
        memcpy(y, s->y0, s->n * sizeof *y);
    struct point const at = {.t = t, .y = y, .yp = current_slope(s, t)};
    keep_matrices(s, false);
    tansy_status const status = derive_check(&s->derive, &at, time_to_check(s, t),
                                             st->panels ? s->shape : NULL, &s->message);
    keep_matrices(s, true);
    return status;
}
