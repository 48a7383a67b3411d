/* SPDX-License-Identifier: Apache-2.0 */
/* Dense output: the polynomial of the last step, of the full order of the method, for y and S. */
#include "drive/automatic.h"

#include <math.h>
#include <string.h>

void solver_output(struct tansy_solver *s, double t, int derivative, double *y, double *sens)
{
    struct stepper *const st = &s->stepper;
    if (y) {
        st->method->interpolate(st, &st->state, t, derivative, st->state_work.r);
        memcpy(y, st->state_work.r, s->n * sizeof *y);
    }
    if (!sens) return;
    double *const v = st->panel_work[0].r;
    for (size_t m = 0; m < st->panels; m++) {
        st->method->interpolate(st, &st->panel[m], t, derivative, v);
        panel_to_columns(&s->shape[m], s->n, v, sens + s->shape[m].first * s->n);
    }
}

/* Adds `weight` times the dense output of S at t in the user's order. */
static void add_columns(struct tansy_solver *s, double t, int derivative, double weight,
                        double *sens)
{
    struct stepper *const st = &s->stepper;
    double *const v = st->panel_work[0].r;
    for (size_t m = 0; m < st->panels; m++) {
        const struct panel *const q = &s->shape[m];
        st->method->interpolate(st, &st->panel[m], t, derivative, v);
        for (size_t k = 0; k < q->columns; k++) {
            double *const column = sens + activation_number(s, q->first + k) * s->n;
            for (size_t i = 0; i < s->n; i++) column[i] += weight * v[i * q->lanes + k];
        }
    }
}

/* Within a leap (cross_leap.c) S = S_b - x S'_b + x^2/2 S''_b, x = b - t back from b, where the step after it begins: that step may be far shorter than the
   leap, and its polynomial is not prolonged.  S'' is a difference of S' in the step over the length of the leap; a step that is much shorter
   does not tell it, and for S' itself it is too rough. */
static void output_columns_leap(struct tansy_solver *s, double t, int derivative, double *sens)
{
    static const double enough = 0.25; /* of a leap */
    const struct events *const e = &s->events;
    double const back = s->before - t, leap = fabs(e->leap_to - e->leap_from);
    double const step = fmin(leap, fabs(s->stepper.t - s->before));
    bool const bends = derivative == 0 && step >= enough * leap;
    double const bend = bends ? s->direction * back * back / 2 / step : 0;
    memset(sens, 0, s->ns * s->n * sizeof *sens);
    if (derivative == 0) add_columns(s, s->before, 0, 1, sens);
    add_columns(s, s->before, 1, derivative == 0 ? -back - bend : 1, sens);
    if (bends) add_columns(s, s->before + s->direction * step, 1, bend, sens);
}

void solver_output_all(struct tansy_solver *s, double t, int derivative, double *y, double *sens)
{
    const struct activation *const a = &s->activation;
    bool const apart = a->from || a->order, leap = events_is_in_leap(s, t);
    if (!leap && events_is_in_passage(s, t)) {
        events_output_passage(s, t, derivative, y, sens);
        if (y && derivative == 0) stepper_clip_signs(&s->stepper, y);
        return;
    }
    if (leap && y)
        events_output_leap(s, t, derivative, y);
    else if (!leap)
        solver_output(s, t, derivative, y, apart ? NULL : sens);
    if (y && derivative == 0) stepper_clip_signs(&s->stepper, y);
    if (!sens || (!apart && !leap)) return;
    if (leap) {
        output_columns_leap(s, t, derivative, sens);
        return;
    }
    memset(sens, 0, s->ns * s->n * sizeof *sens);
    add_columns(s, t, derivative, 1, sens);
}

/* Before the first step there is only the initial point. */
static void output_start(const struct tansy_solver *s, double *y, double *sens)
{
    if (y) memcpy(y, s->y0, s->n * sizeof *y);
    if (sens) activation_give(s, s->sens0, sens);
}

/* Where the last step begins, or what has led to it. */
static double beginning(const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    double const leap = s->before == e->leap_to ? e->leap_from : s->before;
    return s->before == e->passage.to ? e->passage.from : leap;
}

/* True when t lies within the last step, whose far end has been reached. */
static bool inside(const struct tansy_solver *s, double t)
{
    return s->direction * (t - beginning(s)) >= 0 && s->direction * (solver_now(s) - t) >= 0;
}

/* t, or the end of the last step that it is but for rounding: of t + h, of h and of what is asked for. */
static double round_into_step(const struct tansy_solver *s, double t)
{
    double const from = beginning(s), to = solver_now(s);
    double const rounding = events_roundoff(t, s->stats.h_last);
    if (s->direction * (from - t) > 0 && fabs(from - t) <= rounding) return from;
    return s->direction * (t - to) > 0 && fabs(t - to) <= rounding ? to : t;
}

static tansy_status refuse(struct tansy_solver *s, double t)
{
    return message_set(&s->message, TANSY_BAD_CALL,
                       "t = %.10g lies outside the last step, %.10g .. %.10g: use tansy_restart to "
                       "go back",
                       t, s->before, solver_now(s));
}

/* Checks a target time of solve or step. */
static tansy_status check_target(struct tansy_solver *s, double t)
{
    if (!isfinite(t)) return message_set(&s->message, TANSY_BAD_CALL, "t is not finite");
    double const direction = s->started ? s->direction : (t > s->t0) - (t < s->t0);
    if (s->options.use_stop_time && direction * (t - s->options.stop_time) > 0)
        return message_set(&s->message, TANSY_BAD_CALL, "t = %.10g lies beyond the stop time %.10g",
                           t, s->options.stop_time);
    if (s->started && s->direction * (t - solver_now(s)) < 0 && !inside(s, t)) return refuse(s, t);
    return TANSY_OK;
}

/* An error sticks, but for a run that was only too long: that goes on where it stopped. */
static tansy_status resume(struct tansy_solver *s)
{
    if (s->error == TANSY_TOO_MANY_STEPS) s->error = TANSY_OK;
    return s->error;
}

static bool differences_are_lost(const struct tansy_solver *s)
{
    bool lost = false;
    for (size_t k = 0; k < s->ns; k++) lost = lost || derive_noise_lost(&s->derive, k);
    return lost;
}

/* Columns, some of algebraic variables, ask for steps as short as they are, not the state. */
static bool are_for_algebraic_columns(const struct tansy_solver *s)
{
    static const double much_less = 0.1;
    if (s->ns == 0 || s->consistent.algebraic == 0 || s->options.suppress_algebraic) return false;
    return s->state_attempt.estimates.candidate[SAME].error < much_less * s->candidate[SAME].error;
}

/* What the many steps may come from, NULL: nothing is known. */
static const char *advice(const struct tansy_solver *s)
{
    if (s->stepper.method == &method_adams) return "; use bdf if the problem is stiff";
    if (s->consistent.helds > 0 && method_is_one_step(s->stepper.method))
        return "; columns need the derivative of an algebraic variable, as the report tells: "
               "choose "
               "dassl";
    if (differences_are_lost(s))
        return "; internal differences of f are too noisy for this tolerance: use "
               "sensitivities = tangent";
    if (s->stepper.method->tableau) return "; use rosenbrock or bdf if the problem is stiff";
    if (s->ns > 0 && s->stepper.method->matrices &&
        s->options.second_derivatives == TANSY_SECOND_NEGLECTED)
        return "; second_derivatives = neglected costs S its order: leave it at auto";
    if (s->ns > 0 && s->derive.tangent_source != SOURCE_GIVEN &&
        s->derive.jacobian_source == SOURCE_DIFFERENCES)
        return s->derive.difference == TANSY_FOURTH_ORDER
                   ? "; differences may be too noisy for this tolerance: give df/dy and df/dp"
                   : "; differences may be too noisy for this tolerance: give df/dy and df/dp, or "
                     "try difference = fourth";
    if (are_for_algebraic_columns(s))
        return "; steps may be short for columns of algebraic variables, where their tolerance is "
               "far below what errors of other components leave in them: give these variables a "
               "larger atol, or set suppress_algebraic";
    return NULL;
}

static tansy_status explain_steps(struct tansy_solver *s, size_t steps, double t)
{
    enum { MANY = 1000 }; /* steps: some users ask for a few at a time */
    char rough[MESSAGE_SIZE] = "; ";
    bool const chatters = steps >= MANY && chatter_describe(s, t, rough + 2, sizeof rough - 2) > 0;
    bool const is_rough = chatters || (steps >= MANY && !differences_are_lost(s) &&
                                       noise_stop_describe(s, rough + 2, sizeof rough - 2) > 0);
    const char *known = is_rough ? rough : advice(s);
    if (!known && noise_leap_describe(s, rough, sizeof rough) > 0) known = rough;
    return message_set(&s->message, TANSY_TOO_MANY_STEPS,
                       "%zu steps were taken and t = %.10g is reached, not %.10g; call "
                       "again to go on, or raise max_steps%s%s%s",
                       steps, solver_now(s), t, known ? known : "; is the tolerance too small",
                       known ? "" : solver_doubt_preconditioner(s), known ? "" : "?");
}

/* Steps shorter than the spacing of t go on below it (t_low): where t + h is rounded up to what is asked for, the step need not have come
   there, and its polynomial would be asked for more than it knows. */
static bool is_short_of(const struct tansy_solver *s, double t)
{
    static const double a_little = 1e-3; /* of a step */
    const struct stepper *const st = &s->stepper;
    return s->direction * ((t - st->t) - st->t_low) > a_little * fabs(s->stats.h_last);
}

/* t is inside the last step, or, where there are conditions, no more than rounding behind it: one may turn between them, and the limit from before it is
   wanted. */
static bool has_reached(const struct tansy_solver *s, double t)
{
    double const rest = s->direction * (t - solver_now(s));
    if (rest <= 0 && !s->events.due && is_short_of(s, t)) return false;
    if (rest <= 0 || s->events.switches == 0) return rest <= 0;
    return rest <= 16 * events_roundoff(t, s->stats.h_last);
}

/* S of the panels, as solver_output_all() gives it, is sens, and zero in columns that wait. */
static bool has_columns(struct tansy_solver *s, double t, const double *sens)
{
    struct stepper *const st = &s->stepper;
    double *const v = st->panel_work[0].r;
    bool same = true;
    for (size_t m = 0; m < st->panels; m++) {
        const struct panel *const q = &s->shape[m];
        st->method->interpolate(st, &st->panel[m], t, 0, v);
        for (size_t k = 0; k < q->columns; k++) {
            const double *const column = sens + activation_number(s, q->first + k) * s->n;
            for (size_t i = 0; i < s->n; i++) same = same && column[i] == v[i * q->lanes + k];
        }
    }
    for (size_t k = s->activation.active; k < s->ns; k++)
        for (size_t i = 0; i < s->n; i++)
            same = same && sens[activation_number(s, k) * s->n + i] == 0;
    return same;
}

bool solver_stands_before_event(struct tansy_solver *s, double t, const double *y,
                                const double *sens)
{
    const struct events *const e = &s->events;
    if (!s->started || s->error < 0 || !e->due || e->gap > 0 || e->switches == 0) return false;
    double const now = solver_now(s), ahead = s->direction * (t - now);
    if (fabs(ahead) > 16 * events_roundoff(t, s->stats.h_last)) return false;
    if (!y || (s->ns > 0 && !sens)) return false;
    double const at = ahead > 0 ? now : t; /* as tansy_solve() has it */
    bool same = true;
    solver_output_all(s, at, 0, s->y0, NULL);
    for (size_t i = 0; i < s->n; i++) same = same && s->y0[i] == y[i];
    return same && (s->ns == 0 || has_columns(s, at, sens));
}

/* Steps until t is inside the last step. */
static tansy_status reach(struct tansy_solver *s, double t)
{
    size_t const most = s->options.max_steps ? s->options.max_steps : 100000;
    for (size_t steps = 0; !s->started || !has_reached(s, t); steps++) {
        if (steps == most) return s->error = explain_steps(s, most, t);
        TRY(solver_take_step(s, t));
    }
    return TANSY_OK;
}

/* The last point reached, for the results of a call that failed. */
static void output_here(struct tansy_solver *s, double *y, double *sens)
{
    if (s->started)
        solver_output_all(s, solver_now(s), 0, y, sens);
    else
        output_start(s, y, sens);
}

/* y and S at t0, before a run: right, or an error, where they are known less well than a run may begin with. */
static tansy_status give_start(struct tansy_solver *s, double *y, double *sens)
{
    output_start(s, y, sens);
    return s->consistent.is_doubtful ? tansy_initialise(s, y, NULL, sens, NULL) : TANSY_OK;
}

/* A call to go on to t, or towards it, makes sense; if not, y and sens are those of the last point reached, where there is one. */
static tansy_status prepare(struct tansy_solver *s, double t, double *y, double *sens)
{
    tansy_status status = resume(s);
    if (status == TANSY_OK) status = check_target(s, t);
    if (status < 0 && (s->started || s->error == TANSY_OK)) output_here(s, y, sens);
    return status;
}

/* A function of the user's wanted to stop at a stage of dense output since this was last cleared. */
static tansy_status judge_stages(struct tansy_solver *s)
{
    const struct part *const stops = s->stepper.stages.stops;
    if (!stops) return TANSY_OK;
    s->failure = stops->failure;
    return solver_give_up(s, OUTCOME_STOP);
}

/* A function of the user's may not have been defined at a stage of dense output alone, or wanted to stop there; or dense output is
   bad, at the border of stability.  Then the step is made anew, to end at t; where there are switches, not for the first reason, of which the report warns. */
static tansy_status deliver(struct tansy_solver *s, double t, double *y, double *sens)
{
    struct stages *const stages = &s->stepper.stages;
    stages->was_rough = stages->was_doubtful = false;
    stages->stops = NULL;
    solver_output_all(s, t, 0, y, sens);
    TRY(judge_stages(s));
    bool const rough = stages->was_rough && s->events.switches == 0;
    bool const between = events_is_in_leap(s, t) || events_is_in_passage(s, t);
    if ((!rough && !stages->was_doubtful) || between) return TANSY_OK;
    TRY(solver_step_again(s, t));
    solver_output_all(s, t, 0, y, sens);
    return TANSY_OK;
}

/* A run that has failed: auto may start over, and come to t.  Where it does not even come as far again, the first failure is told. */
static tansy_status try_again(struct tansy_solver *s, double t, tansy_status status)
{
    struct message const why = s->message;
    double const reached = s->started ? solver_now(s) : s->t0;
    if (!automatic_start_over(s)) return status;
    tansy_status const again = reach(s, t);
    bool const is_farther = s->started && s->direction * (solver_now(s) - reached) > 0;
    if (again >= 0 || again == TANSY_USER_STOPPED || is_farther) return again;
    s->message = why;
    return s->error = status;
}

tansy_status tansy_solve(tansy_solver *s, double t, double *y, double *sens)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    TRY(prepare(s, t, y, sens));
    if (!s->started && t == s->t0) return give_start(s, y, sens);
    tansy_status status = reach(s, t);
    if (status < 0) status = try_again(s, t, status);
    if (s->started && s->direction * (t - solver_now(s)) > 0) t = solver_now(s);
    if (status >= 0) status = deliver(s, t, y, sens);
    if (status >= 0) remains_judge(s, t, y, sens);
    if (status < 0) output_here(s, y, sens);
    return status;
}

/* Where there were doubts at t0, y and S there anew, for a run that is known to go so far. */
static tansy_status settle_start(struct tansy_solver *s, double run)
{
    struct consistent *const c = &s->consistent;
    if (s->started || !c->is_doubtful || !isfinite(run) || run == 0) return TANSY_OK;
    c->run = run;
    TRY(solver_begin_at(s, s->t0));
    c->is_doubtful = false;
    return TANSY_OK;
}

tansy_status tansy_solve_grid(tansy_solver *s, size_t count, const double *times, double *y,
                              double *sens, size_t *reached)
{
    if (reached) *reached = 0;
    if (!s) return TANSY_OUT_OF_MEMORY;
    TRY(resume(s));
    if (count > 0 && !times) return message_set(&s->message, TANSY_BAD_CALL, "times is NULL");
    if (count > 1 && times[0] == s->t0) TRY(settle_start(s, times[count - 1] - s->t0));
    for (size_t j = 0; j < count; j++) {
        TRY(tansy_solve(s, times[j], y ? y + j * s->n : NULL,
                        sens ? sens + j * s->ns * s->n : NULL));
        if (reached) *reached = j + 1;
    }
    return TANSY_OK;
}

/* A step towards t; where auto starts over, the first one of bdf that leads beyond what was given out before. */
static tansy_status make_step(struct tansy_solver *s, double t)
{
    tansy_status const status = solver_take_step(s, t);
    double const given = s->started ? solver_now(s) : s->t0;
    if (status >= 0) return status;
    tansy_status const again = try_again(s, given, status);
    return again >= 0 && solver_now(s) == given ? solver_take_step(s, t) : again;
}

tansy_status tansy_step(tansy_solver *s, double t, double *y, double *sens)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    TRY(prepare(s, t, y, sens));
    if (!s->started && t == s->t0) {
        output_start(s, y, sens);
        return message_set(&s->message, TANSY_BAD_CALL, "t = t0: there is no direction to step in");
    }
    bool const there =
        s->options.use_stop_time && s->started && solver_now(s) == s->options.stop_time;
    s->stepper.may_ask_inside = true;
    tansy_status const status = there ? TANSY_OK : make_step(s, t);
    s->stepper.may_ask_inside = false;
    output_here(s, y, sens);
    if (status >= 0) remains_judge(s, solver_now(s), y, sens);
    return status;
}

tansy_status tansy_at(tansy_solver *s, double t, double *y, double *yp, double *sens, double *sensp)
{
    if (!s) return TANSY_OUT_OF_MEMORY;
    if (!s->usable) return s->error;
    if (!s->started) {
        if (t != s->t0 || yp || sensp)
            return message_set(&s->message, TANSY_BAD_CALL,
                               "no step has been made yet: only y and S at t0 are known");
        return give_start(s, y, sens);
    }
    if (s->direction * (t - solver_now(s)) > 0 && has_reached(s, t))
        t = solver_now(s); /* as tansy_solve() has it */
    t = round_into_step(s, t);
    if (s->error < 0 && t != solver_now(s))
        return TANSY_BAD_CALL; /* the last step's polynomial is gone */
    if (!inside(s, t)) return refuse(s, t);
    s->stepper.stages.stops = NULL;
    solver_output_all(s, t, 0, y, sens);
    solver_output_all(s, t, 1, yp, sensp);
    remains_judge(s, t, y, sens);
    return judge_stages(s);
}
