/* SPDX-License-Identifier: Apache-2.0 */
/* One accepted step: attempt after attempt with smaller steps until one passes, then the choice of the next
   order and step size. */
#include "drive/automatic.h"
#include "drive/sizes.h"
#include "method/limex.h"

#include <float.h>
#include <math.h>

enum { MOST_FAILURES = 30 }; /* of one step: by then h has shrunk by 0.3^30 = 2e-16 or more */
/* Columns that fail their error test in one step of ten or more fail whatever h is, by what the iteration leaves of the state, which the second derivatives of F (transistors) multiply by
   thousands: the attempts that follow solve closer. */
enum { CLOSER = 200 };
static const double often = 4, forgets = 0.98; /* 1/(1 - forgets) steps count, as a sum */
static const double least_retreat = 1e-3;

/* Below this h is lost in t. */
static double smallest_step(const struct tansy_solver *s)
{
    double const roundoff = 4 * DBL_EPSILON * fabs(s->stepper.t);
    return fmax(fmax(s->options.min_step, roundoff), 1e16 * DBL_MIN);
}

static void change(struct tansy_solver *s, struct decision d)
{
    s->stepper.order = d.order;
    if (d.ratio != 1) s->stepper.h *= d.ratio;
}

/* The stop time, the break time or, of a method without dense output, the target that comes first; false: there is none. */
static bool next_stop(const struct tansy_solver *s, double target, double *stop)
{
    const struct stages *const stages = &s->stepper.stages;
    /* At the border of stability the polynomials of rk8 are far worse than the ends of its steps. */
    bool const ahead = s->direction * (target - solver_now(s)) > 0;
    bool const ends = ahead && (s->stepper.method->ends_at_output || stages->substeps > 1 ||
                                stages->stiff > 0 || s->ends_at_target);
    bool has = s->options.use_stop_time;
    double limit = 0;
    *stop = s->options.stop_time;
    if (s->events.breaks > 0 && events_next_break(s, &limit)) {
        if (!has || s->direction * (*stop - limit) > 0) *stop = limit;
        has = true;
    }
    if (ends && (!has || s->direction * (*stop - target) > 0)) *stop = target;
    return has || ends;
}

static void set_step(struct tansy_solver *s, double h)
{
    struct stepper *const st = &s->stepper;
    if (st->h != h) control_cut(&s->control, st->method);
    if (fabs(h) < fabs(st->h)) s->uncut = st->h;
    st->h = h;
}

/* Shortens a step that would pass a pulse of time unseen. */
static tansy_status bound_step(struct tansy_solver *s, double target)
{
    double h = fabs(s->stepper.h);
    TRY(stretches_bound(s, target, &h));
    if (h < fabs(s->stepper.h)) set_step(s, s->direction * h);
    return TANSY_OK;
}

/* Shortens a step that would pass a time where it must stop; true when the step ends there.  No tiny step remains: where the step may not be so much
   longer (max_step), the rest is made in two. */
static bool cut_at_stop(struct tansy_solver *s, double target, double *end)
{
    static const double little_more = 1.001;
    struct stepper *const st = &s->stepper;
    double stop = 0;
    if (!next_stop(s, target, &stop)) return false;
    *end = stop;
    double rest = (stop - st->t) - st->t_low;
    double const longer = little_more * fabs(st->h);
    if (fabs(rest) > longer) return false;
    if (fabs(rest) > fmax(s->control.max_step, fabs(st->h))) {
        set_step(s, rest / 2);
        return false;
    }
    while (s->direction * (st->t + (rest + st->t_low) - stop) > 0)
        rest = nextafter(rest, 0); /* was rounded up */
    set_step(s, rest);
    return true;
}

/* The step about to be made goes beyond t. */
static bool passes(const struct tansy_solver *s, double t)
{
    return s->direction * ((t - s->stepper.t) - s->stepper.h) < 0;
}

/* The error of dense output is part of the test of the step, where output inside it is wanted, or may be asked for after tansy_step(), or conditions are looked at there.  After so many
   failed attempts, h being less by 1e5 at least, what stands still inside it is an error of the step before (along the null space of B), which
   no shorter step mends.  Where a Rosenbrock formula, which evaluates f there, could not, h being less by 100, it is y itself that is near the
   border of its domain. */
static void look_inside(struct tansy_solver *s, double t)
{
    enum { VAIN = 10, OUTSIDE = 4 };
    bool const outside = s->stepper.method->matrices && s->control.failures >= OUTSIDE;
    bool const helps = s->control.errors < VAIN && !outside;
    bool const asks = s->stepper.may_ask_inside || s->events.switches > 0 || passes(s, t);
    s->stepper.wants_inside = helps && asks;
}

/* f is looked at where a step ends before it is accepted (limex_end.c).  At a border of its domain it may have no value there. */
static void look_at_end(struct tansy_solver *s, double t, bool at_stop)
{
    bool const over = s->direction * ((t - s->stepper.t) - s->stepper.h) <= 0;
    s->stepper.may_end_there = at_stop || over || s->events.switches > 0;
}

/* The length of the piece that begins at t, where that is a break time; 0 where it is none, or the last. */
static double next_piece(const struct tansy_solver *s, double t)
{
    const struct events *const e = &s->events;
    double limit = 0;
    if (e->breaks == 0 || !events_next_break(s, &limit) || limit != t) return 0;
    if (s->direction < 0) return e->piece < 2 ? 0 : t - e->break_times[e->piece - 2];
    return e->piece + 1 == e->breaks ? 0 : e->break_times[e->piece + 1] - t;
}

/* A piece that is nothing beside the first step it cuts short says nothing about the steps behind it. */
static void note_stub(struct tansy_solver *s)
{
    static const double nothing = 1e-6;
    struct events *const e = &s->events;
    bool const only = e->breaks > 0 && s->stats.steps == e->steps + 1;
    if (only && fabs(s->stats.h_last) < nothing * fabs(s->uncut))
        e->stride = fmax(e->stride, fabs(s->uncut));
}

/* The step is good; end is its end, known better than by adding h. */
static void accept(struct tansy_solver *s, double end)
{
    struct stepper *const st = &s->stepper;
    st->method->accept(st);
    s->before = st->t;
    s->before_low = st->t_low;
    s->stats.h_last = st->h;
    s->stats.order_last = st->order + st->method->gain;
    double const advanced = st->h + st->t_low;
    st->t_low = advanced - (end - st->t);
    st->t = end;
    s->stats.steps++;
    s->equations.age++;
    int const order = st->order;
    s->control.piece = next_piece(s, end);
    change(s, control_accept(&s->control, st->method, st->h, st->order, s->candidate));
    if (method_is_one_step(st->method)) {
        if (fabs(st->h) < fabs(s->uncut) && st->order == order) st->h = s->uncut;
        if (fabs(st->h) < smallest_step(s)) st->h = copysign(smallest_step(s), st->h);
    }
    note_stub(s);
    s->uncut = 0;
}

/* A panel did not converge with factors older than this step: new ones may do at the same h. */
static bool only_stale(const struct tansy_solver *s)
{
    const struct equations *const q = &s->equations;
    return s->verdict == VERDICT_NOT_CONVERGED && !q->fresh && q->age > 0 &&
           !equations_functional(q);
}

/* Corrections are of order h^(order+1), and Newton's iteration with new factors diverges in proportion to them: the step at which
   it would converge at the rate 1/2. */
static struct decision retreat(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    struct decision d = control_retreat(&s->control, st->method, st->h, st->order);
    double const rate = st->state.rate; /* its square */
    bool const diverged = s->verdict == VERDICT_NOT_CONVERGED && s->equations.fresh && rate > 1;
    if (!diverged || !isfinite(rate)) return d;
    double const ratio = pow(0.25 / rate, 0.5 / (st->order + 1));
    d.ratio = fmin(d.ratio, fmax(ratio, least_retreat));
    return d;
}

/* As many failures of this kind as the user allows in one step, this one included. */
static bool is_one_too_many(const struct tansy_solver *s, enum outcome outcome)
{
    bool const error = outcome == OUTCOME_ERROR;
    int const most = error ? s->options.max_error_failures : s->options.max_convergence_failures;
    int const so_far = error ? s->control.errors : s->control.failures;
    return most > 0 && so_far + 1 >= most && (error || !only_stale(s));
}

/* A column has failed its error test. */
static void count_column(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    double const since = (double)(s->stats.steps - st->failed_at);
    st->failing = st->failing * pow(forgets, since) + 1;
    st->failed_at = s->stats.steps;
    if (st->failing > often) st->closer = CLOSER;
}

/* What a failed attempt says of all that follow, and the statistics. */
static void note_failure(struct tansy_solver *s, enum outcome outcome)
{
    struct stepper *const st = &s->stepper;
    bool const direct = st->corrector == &corrector_direct && !s->linear.table->iterate;
    s->krylov.is_probed = false; /* errors of its solves may be larger than they seem by now */
    if (outcome != OUTCOME_ERROR) {
        st->closer = 0; /* rounding may not allow it */
        st->failing = 0;
        s->stats.rejected_newton++;
        return;
    }
    s->stats.rejected_error++;
    s->repeated[s->culprit < 0 ? 0 : activation_number(s, (size_t)s->culprit) + 1]++;
    if (s->culprit < 0) return;
    s->krylov.columns_jump = true;
    if (direct) count_column(s);
}

/* Makes the next attempt smaller; an error when there is no smaller step. */
static tansy_status retry(struct tansy_solver *s, enum outcome outcome)
{
    struct stepper *const st = &s->stepper;
    struct control *const c = &s->control;
    int const order = st->order;
    double const h = st->h;
    st->method->settle(st);
    s->uncut = 0;
    note_failure(s, outcome);
    double const smallest = smallest_step(s);
    bool const shrunk =
        fabs(st->h) <= smallest * (1 + 1e-9) || c->errors + c->failures >= MOST_FAILURES;
    bool const bends = outcome == OUTCOME_ERROR && bends_failed(s);
    bool const hopeless = !bends && (shrunk || is_one_too_many(s, outcome));
    bool const undefined = outcome == OUTCOME_FAILED && s->verdict == VERDICT_FAILED;
    if (shrunk && undefined && events_at_edge(s)) return TANSY_OK;
    bool const steep = undefined || outcome == OUTCOME_ERROR;
    if (shrunk && !bends && steep && (events_pass_edge(s) || events_rest_at_edge(s)))
        return TANSY_OK;
    if (shrunk && outcome == OUTCOME_ERROR && sizes_allow_rounding(s)) return TANSY_OK;
    if (outcome == OUTCOME_STOP || hopeless) return solver_give_up(s, outcome);
    if (outcome == OUTCOME_ERROR)
        change(s, control_reject(c, st->method, st->h, st->order, s->candidate));
    else {
        if (!only_stale(s)) change(s, retreat(s));
        s->equations.c = 0; /* new factors */
    }
    TRY(noise_leap_consider(s, outcome, order, h));
    if (fabs(st->h) < smallest) st->h = copysign(smallest, st->h);
    return TANSY_OK;
}

/* Before a step: the first one is chosen, or others than those of the last may be the right methods by now. */
static tansy_status prepare(struct tansy_solver *s, double t)
{
    if (!s->started) TRY(solver_start(s, t));
    solver_watch_costs(s);
    tansy_status const status =
        s->automatic.is_on && !s->events.due ? automatic_consider(s) : TANSY_OK;
    if (s->tightness.level > 0 && method_is_one_step(s->stepper.method)) tightness_begin(s);
    return status;
}

/* Back to where the last step began. */
static void step_back(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    one_step_undo(st);
    events_look_back(s);
    st->t = s->before;
    st->t_low = s->before_low;
}

/* A root was found in the last step, on a polynomial of the state or of a column that may be worse there than the ends of steps are, as its last
   term counts: back, and the step is to end there.  It may be found elsewhere then, or not at all.  Errors of y make errors of dT/dp and S
   there that are greater by p f_y/f. */
static bool comes_nearer(struct tansy_solver *s)
{
    struct stepper *const st = &s->stepper;
    const struct events *const e = &s->events;
    double const at = e->at;
    if (!e->due || e->leader == SIZE_MAX || !method_is_one_step(st->method)) return false;
    if (s->noise_leap.was_made) return false;
    st->stages.last_term = 0;
    solver_output(s, at, 0, s->y0, s->sens0);
    if (st->stages.last_term <= 1) return false;
    double const rough = events_rough_before(s, at);
    if (rough > 0 && fabs(at - s->before) <= 2 * rough) return false;
    step_back(s);
    st->h = (at - st->t) - st->t_low - s->direction * rough;
    return true;
}

/* At a break the limit of the solution from before it is asked for: there algebraic components of limex are put right. */
static tansy_status end_piece(struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    struct stepper *const st = &s->stepper;
    if (!e->due || e->leader != SIZE_MAX || e->gap > 0 || st->method != &method_limex)
        return TANSY_OK;
    int const code = limex_end_piece(st);
    solver_count_parts(s);
    s->failure = s->derive.worker[0].failure;
    if (code < 0) return solver_give_up(s, OUTCOME_STOP);
    s->derive.worker[0].failure.kind = FAILURE_NONE; /* else they are as good as the step */
    return TANSY_OK;
}

/* *done: the step just accepted is the one; else it is to be made anew, or a switching point was found where it began. */
static tansy_status look_for_events(struct tansy_solver *s, bool *done)
{
    TRY(events_look(s));
    *done = !comes_nearer(s);
    if (!*done) return TANSY_OK;
    TRY(end_piece(s));
    *done = solver_now(s) != s->before;
    return TANSY_OK;
}

/* The attempt that has passed is made again with the sizes of components that were 0 before it. */
static tansy_status leave_zero(struct tansy_solver *s, bool *anew)
{
    if (sizes_leave_zero(s, anew) < 0) {
        s->failure = s->derive.worker[0].failure;
        return solver_give_up(s, OUTCOME_STOP);
    }
    if (!*anew) return TANSY_OK;
    s->stepper.method->settle(&s->stepper);
    s->equations.c = 0;
    return TANSY_OK;
}

/* The step is good, as far as the error test sees it. */
static tansy_status finish(struct tansy_solver *s, double end, bool *done)
{
    bool anew = false;
    TRY(leave_zero(s, &anew));
    if (anew) return TANSY_OK;
    *done = true;
    accept(s, end);
    TRY(noise_leap_accept(s));
    TRY(jump_transient_goes_on(s));
    spike_watch(s);
    bends_accepted(s);
    sizes_follow(s, s->stepper.state_work.y);
    return s->events.any ? look_for_events(s, done) : TANSY_OK;
}

/* One attempt towards t; *done: it is the step. */
static tansy_status try_step(struct tansy_solver *s, double t, bool *done)
{
    double stop = 0;
    if (s->events.due) TRY(events_cross(s));
    TRY(bound_step(s, t));
    bool const at_stop = cut_at_stop(s, t, &stop);
    look_inside(s, t);
    look_at_end(s, t, at_stop);
    enum outcome const outcome = solver_attempt(s);
    tightness_watch(s, outcome);
    if (outcome == OUTCOME_ACCEPTED) return finish(s, at_stop ? stop : s->stepper.end, done);
    jump_transient_failed(s);
    spike_failed(s);
    return retry(s, outcome);
}

tansy_status solver_take_step(struct tansy_solver *s, double t)
{
    bool done = false;
    TRY(prepare(s, t));
    while (!done) TRY(try_step(s, t, &done));
    return TANSY_OK;
}

tansy_status solver_step_again(struct tansy_solver *s, double t)
{
    tansy_status status = TANSY_OK;
    step_back(s);
    s->ends_at_target = true;
    while (status >= 0 && s->direction * (t - solver_now(s)) > 0) status = solver_take_step(s, t);
    s->ends_at_target = false;
    return status;
}
