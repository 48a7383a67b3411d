/* SPDX-License-Identifier: Apache-2.0 */
/* Order and size of the first step after a break time or a switching point, from the derivatives on the new side of it; and what stands in for one that failed. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"
#include "method/starter.h"

/* A step of this length, or a shorter one that ends where the next has to: f is not looked at beyond the stop time. */
static double within_reach(const struct tansy_solver *s, double length)
{
    double const t = s->stepper.t;
    double limit = 0;
    if (events_next_break(s, &limit)) length = fmin(length, fabs(limit - t));
    if (s->options.use_stop_time) length = fmin(length, fabs(s->options.stop_time - t));
    return fmin(length, s->control.max_step);
}

/* Starts with order 4 and most of the longest step of the piece before, where that has so many steps that six more evaluations
   pay.  True when it did, with that step in *h; false: as it was.  *code is that of a function that failed. */
static bool start_warm(struct tansy_solver *s, double *h, int *code)
{
    enum { PAYS = 4 };
    static const double careful = 0.8;
    struct stepper *const st = &s->stepper;
    struct events *const e = &s->events;
    double const length = within_reach(s, careful * e->stride);
    bool const pays = s->stats.steps - e->steps >= PAYS && e->gap == 0 && !e->cold;
    if (!pays || !starter_is_possible(st)) return false;
    double const error = starter_run(st, s->direction * length, code);
    part_collect(&st->state, &s->derive.worker[0]);
    e->cold = !(error <= 1);
    if (!e->cold) *h = length;
    return !e->cold;
}

/* y'' and S'' of histories that have begun, seen in a step h; 0: they are not known. */
static struct bend find_bend(struct tansy_solver *s, double h, int *code)
{
    struct stepper *const st = &s->stepper;
    struct bend b = {0};
    if (derive_is_implicit(&s->derive)) {
        *code = consistent_bend(s, st->t);
        starter_bend_by(st, s->consistent.ypp, h, &b);
    } else
        *code = starter_bend(st, s->direction * h, &b);
    part_collect(&st->state, &s->derive.worker[0]);
    return b;
}

/* Order and step of a cold start of a multistep method, from y', y'' and S'': the step in which order 1 has the error it aims at (`usual` is that from y'
   alone), which order 2 allows all the more where the terms of the series fall, |h^2 y''/2| <= |h y'|; else with order 1. */
static double start_bent(struct tansy_solver *s, double usual, int *code)
{
    static const double most = 100, least = 0.1; /* as far as one look may be believed */
    struct stepper *const st = &s->stepper;
    double const h = within_reach(s, usual);
    if (!starter_can_bend(st) || !(h > 0)) return usual;
    struct bend const b = find_bend(s, h, code);
    if (!(b.second > 0 && isfinite(b.second))) return usual;
    double const aim = 1 / sqrt(st->method->bias[SAME] * b.second);
    double const ratio = fmax(fmin(aim, most), least);
    if (ratio * b.second <= b.first) starter_raise(st);
    return h * ratio;
}

double solver_choose_first(struct tansy_solver *s, double proposed, double usual, bool *warm,
                           int *code)
{
    size_t const often = 4 + s->events.switches; /* more, and the run would end (cross.c) */
    static const double shorter =
        0.1; /* where time did not move: dense output may dip at its beginning */
    double h = 0;
    bool const goes_on = method_is_one_step(s->stepper.method);
    *warm = start_warm(s, &h, code);
    if (*warm || *code < 0) return h;
    if (goes_on) proposed = fmin(proposed, jump_transient_first_step(s));
    h = fmin(goes_on ? proposed : start_bent(s, usual, code), s->events.stride);
    if (s->events.idle > often && !derive_is_implicit(&s->derive))
        h *= pow(shorter, (double)(s->events.idle - often));
    return s->events.gap > 0 ? fmin(h, 0.3 * s->events.gap) : h;
}

void solver_stand_still(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct work *w = &st->state_work;
    memcpy(w->y, s->y0, s->n * sizeof *w->y);
    memset(w->r, 0, st->state.shape.count * sizeof *w->r);
    st->method->start(st, &st->state, w->y, w->r);
    w = &st->panel_work[0];
    for (size_t m = 0; m < st->panels; m++) {
        struct part *const part = &st->panel[m];
        memset(w->y, 0, part->shape.count * sizeof *w->y);
        memset(w->r, 0, part->shape.count * sizeof *w->r);
        panel_from_columns(&part->shape, s->n, s->sens0 + part->shape.first * s->n, w->y);
        st->method->start(st, part, w->y, w->r);
    }
}
