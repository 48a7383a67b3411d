/* SPDX-License-Identifier: Apache-2.0 */
/* What happens at a switching point T(p), where g(T, y(T), p) = 0 (docs/switches.md):
     dT/dp = -(g_y s- + g_p)/(g_t + g_y f-),   s+ = s- + (f- - f+) dT/dp,
   from s- + f- dT/dp = s+ + f+ dT/dp, as y is continuous; f- with the conditions before, f+ with those after. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"

enum {
    IDLE = 4
}; /* switching points at one time that are no cause for doubt, and two for each switch */

static const double same_delay = 1e-6; /* relative difference of two dT/dp, */
static const double same_time = 1e-8;  /* or, times the scale of p, in shares of a step */
/* Shares of a step that are no time: g has rounding errors of its own, which may be far above those of t. */
static const double at_once = 1e-10, back_at_once = 1e-8;
static const double no_height = 1e-6; /* of a g at rest, against its largest value */
static const double no_way = 1e-10;   /* of that, by which g moves in a step: it has come to rest */
static const double soon_there = 0.01;  /* of a step, in which a condition settles */
static const double not_at_zero = 1e-3; /* of a g, against its largest value */
static const double small_jump = 1e-3;  /* (f- - f+) over a step, in units of the tolerance */

/* A user function failed at the switching point. */
static tansy_status judge_code(struct tansy_solver *s, int code)
{
    return code != 0 ? solver_fail_here(s, code) : TANSY_OK;
}

/* g_j is at its surface as far as its values tell: its slope does not, where it is that of log(x) or 1/x just beside x = 0. */
static bool is_at_zero(const struct events *e, size_t j)
{
    return fabs(e->value[j]) <= not_at_zero * fmax(e->seen[j], events_size(e, j));
}

/* The leader crosses, and all that are on the wrong side at T or will be at once; one that is held, where it leaves its band. */
static void find_crossing(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    e->ahead = s->direction;
    e->soon = at_once * fabs(s->stats.h_last) + 4 * events_roundoff(t, 0);
    if (e->bridge != SIZE_MAX) e->soon = fmax(e->soon, events_time_across(e));
    double const settled = t + s->direction * 2 * e->soon;
    if (!e->within || s->direction * (e->settled - settled) < 0) e->settled = settled;
    for (size_t j = 0; j < e->switches; j++) {
        bool const waits =
            e->within && !events_is_apart(e, j, e->value[j]); /* for what it was turned before */
        double const v = events_side(e, j, e->value[j]) + e->band[j];
        double const moves = events_side(e, j, s->direction * e->rate[j]);
        bool const soon = moves < 0 && v <= -moves * e->soon && is_at_zero(e, j);
        e->crossing[j] = j == e->leader || (!waits && (v < 0 || soon));
        e->turned[j] = false;
    }
}

/* f- and f+ are so close that a whole step would not show it: a kink. */
static bool is_kink(const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) {
        double const w = tolerances_allow(&s->tolerances, i, s->y0[i]);
        if (events_counts(s, i) && !(fabs(e->f[i] - e->f_after[i]) * e->stride <= small_jump * w))
            return false;
    }
    return true;
}

int events_columns_of_g(struct tansy_solver *s, double t, const struct panel *q)
{
    struct events *const e = &s->events;
    struct point const at = {.t = t, .y = s->y0, .f = e->f};
    double *const V = s->stepper.panel_work[0].y;
    memset(V, 0, q->count * sizeof *V);
    panel_from_columns(q, s->n, s->sens0 + q->first * s->n, V);
    return derive_switch_columns(&s->derive, &at, q, V, e->value, e->G);
}

int events_find_delays(struct tansy_solver *s, double t, size_t j, double *size)
{
    struct events *const e = &s->events;
    *size = 0;
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct panel *const q = &s->shape[m];
        int const code = events_columns_of_g(s, t, q);
        if (code != 0) return code;
        for (size_t k = 0; k < q->columns; k++) {
            double const scale = s->tolerances.scale[q->first + k];
            double const delay = -e->G[j * q->lanes + k] / e->rate[j];
            e->delay[q->first + k] = delay;
            *size = fmax(*size, fabs(delay) * scale);
            for (size_t i = 0; i < e->switches; i++) {
                double const other = -e->G[i * q->lanes + k] / e->rate[i];
                double const apart = fabs(other - delay) * scale;
                if (!(apart <= e->apart[i])) e->apart[i] = apart; /* NaN too */
            }
        }
    }
    return 0;
}

void events_jump(struct tansy_solver *s, bool moves)
{
    struct events *const e = &s->events;
    if (moves) events_note_delays(e, s->ns);
    for (size_t k = 0; k < s->ns && moves; k++)
        for (size_t i = 0; i < s->n; i++) {
            double const step = e->f[i] - e->f_after[i];
            if (step != 0) s->sens0[k * s->n + i] += step * e->delay[k];
        }
    memcpy(e->f, e->f_after, s->n * sizeof *e->f);
}

/* f+ with the modes as they are, and the jump to it; j leads the surface that was turned, with its group. */
static tansy_status jump_here(struct tansy_solver *s, double t, size_t j, const bool *group)
{
    TRY(judge_code(s, events_slope(s, t, s->events.f_after)));
    if (s->events.bridge == SIZE_MAX && (j == SIZE_MAX || !s->events.rests[j]))
        TRY(judge_code(s, events_limit_after(s, t, j)));
    events_corner_stage(s, t, j, group);
    if (j != SIZE_MAX) events_judge_jump(s, t, j);
    if (j != SIZE_MAX) remains_look(s, t, j);
    if (group) events_corner_grazed(s, t, j);
    events_jump(s, true);
    return events_renew(s, t);
}

/* All that were turned together and whose dT/dp is that of j cross; true if there are others. */
static bool take_alike(struct events *e, size_t j, double size)
{
    double const alike = same_delay * size + same_time * e->stride;
    bool others = false;
    for (size_t i = 0; i < e->switches; i++) {
        e->crossing[i] = e->together[i] && (i == j || e->apart[i] <= alike);
        others = others || (e->together[i] && !e->crossing[i]);
    }
    return others;
}

/* The next of `together` whose mode is not yet what it will be, and that f drives across; or none. */
static size_t next_apart(struct tansy_solver *s, const double *final)
{
    struct events *const e = &s->events;
    size_t next = SIZE_MAX;
    for (size_t i = e->switches; i-- > 0;) {
        e->together[i] = e->together[i] && e->mode[i] != final[i];
        if (e->together[i] && events_side(e, i, e->ahead * e->rate[i]) < 0 &&
            !events_is_grazing(s, i, e->rate[i]))
            next = i;
    }
    return next;
}

/* Switches that stand at their surface after a turn, though that did not lead them here: not turned, or turned with another.
   With others yet to come (e->together) those are left out; at the last, those turned at surfaces of their own, or at the only one, alike. */
static void look_at_touched(struct tansy_solver *s, double t, const bool *yet)
{
    struct events *const e = &s->events;
    double size = 0;
    assert(e->together);
    for (size_t j = 0; j < e->switches && s->ns > 0; j++) {
        bool const here = e->rate[j] != 0 && fabs(e->value[j]) <= fabs(e->rate[j]) * e->soon;
        bool const led =
            yet ? yet[j] || e->stage[j] : e->turned[j] && (e->stages != 1 || e->together[j]);
        if (!here || j == e->first || led) continue;
        int const code = events_find_delays(s, t, j, &size);
        if (code < 0) e->refused = code;
        if (code == 0) events_corner_dropped(s, t, j, yet ? e->delay_last : e->delay_first);
    }
    memcpy(e->delay, e->delay_last, s->ns * sizeof *e->delay);
}

/* Tells of one of `together` that was to cross by itself, but not with what e->crossing had (e->alike), and that has its final
   mode because of that. */
static void tell_forestalled(struct tansy_solver *s, double t)
{
    const struct events *const e = &s->events;
    size_t i = 0;
    while (i < e->switches &&
           !(e->together[i] && !e->alike[i] && !e->stage[i] && e->mode[i] == e->mode_final[i]))
        i++;
    if (i < e->switches && s->ns > 0) events_corner_overtaken(s, t, i);
}

/* Switches of one surface whose dT/dp differ: surfaces that coincide at this p alone.  The modes are found already; S goes
   there one surface after the other, as long as f drives the solution on, each with what follows from it. */
static tansy_status jump_apart(struct tansy_solver *s, double t, size_t j, double size)
{
    struct events *const e = &s->events;
    memcpy(e->mode_final, e->mode, e->switches * sizeof *e->mode);
    memcpy(e->mode, e->mode_before, e->switches * sizeof *e->mode);
    while (j != SIZE_MAX) {
        derive_set_modes(&s->derive);
        TRY(judge_code(s, events_values(s, t, e->value)));
        memcpy(e->alike, e->crossing, e->switches * sizeof *e->alike);
        TRY(events_turn_surface(s, t, j, e->stage));
        TRY(jump_here(s, t, j, e->stage));
        tell_forestalled(s, t);
        TRY(judge_code(s, events_rates(s, t, e->f, e->value, e->rate)));
        look_at_touched(s, t, e->together);
        j = next_apart(s, e->mode_final);
        memset(e->apart, 0, e->switches * sizeof *e->apart);
        if (j != SIZE_MAX) TRY(judge_code(s, events_find_delays(s, t, j, &size)));
        (void)take_alike(e, j, size);
    }
    memcpy(e->mode, e->mode_final, e->switches * sizeof *e->mode);
    derive_set_modes(&s->derive);
    TRY(judge_code(s, events_values(s, t, e->value)));
    return jump_here(s, t, SIZE_MAX, NULL);
}

/* The jump of S at a surface whose switches are turned. */
static tansy_status jump_surface(struct tansy_solver *s, double t, size_t j, double size)
{
    struct events *const e = &s->events;
    size_t const bytes = e->switches * sizeof *e->crossing;
    memcpy(e->kept, e->crossing, bytes);
    bool const others = take_alike(e, j, size);
    if (others) {
        memcpy(e->kept + e->switches, e->turned, bytes);
        TRY(jump_apart(s, t, j, size));
        memcpy(e->turned, e->kept + e->switches, bytes);
    }
    memcpy(e->crossing, e->kept, bytes);
    return others ? TANSY_OK : jump_here(s, t, j, e->together);
}

/* One that was to cross by itself, at a time that moves otherwise, and was turned because of j; or SIZE_MAX. */
static size_t find_overtaken(const struct events *e, double size)
{
    double const alike = same_delay * size + same_time * e->stride;
    size_t i = 0;
    while (i < e->switches && !(e->kept[i] && e->mode[i] != e->mode_before[i] && !e->together[i] &&
                                e->apart[i] > alike))
        i++;
    return i < e->switches ? i : SIZE_MAX;
}

/* Tells of those that were to cross by themselves, at a time that moves otherwise, and whose g turning j has moved away, be it after
   they were turned with it. */
static void tell_evaded(struct tansy_solver *s, double t, size_t j, double size)
{
    const struct events *const e = &s->events;
    double const alike = same_delay * size + same_time * e->stride;
    for (size_t i = 0; i < e->switches && s->ns > 0; i++)
        if (e->kept[i] && !e->crossing[i] && e->apart[i] > alike &&
            e->mode[i] == e->mode_before[i] && fabs(e->value[i]) > fabs(e->rate[i]) * e->soon)
            events_corner_evaded(s, t, i, j);
}

/* Turns j, all of its surface and what follows. */
static tansy_status cross_one(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    bool const noise = events_is_noise(s, j);
    bool const touched = noise || events_is_grazing(s, j, e->rate[j]);
    double size = 0;
    memset(e->apart, 0, e->switches * sizeof *e->apart);
    memcpy(e->mode_before, e->mode, e->switches * sizeof *e->mode);
    if (!touched) TRY(judge_code(s, events_find_delays(s, t, j, &size)));
    if (!touched) events_doubt_rate(s, t, j);
    if (!touched) remains_find_slope(s, t, j);
    memcpy(e->kept, e->crossing, e->switches * sizeof *e->kept);
    TRY(events_turn_surface(s, t, j, e->together));
    size_t const overtaken = touched ? SIZE_MAX : find_overtaken(e, size);
    events_count(s, t);
    events_hold(s, t, j, noise);
    if (!touched) tell_evaded(s, t, j, size);
    if (!touched) TRY(jump_surface(s, t, j, size));
    if (overtaken != SIZE_MAX && s->ns > 0) events_corner_overtaken(s, t, overtaken);
    if (!touched) return TANSY_OK;
    TRY(judge_code(s, events_slope(s, t, e->f_after)));
    /* That S may be neither of its limits has been told of one that leaves its surface, where it stayed, by noise. */
    bool const may_vanish = noise ? !events_has_algebraic(s, t, j) : s->derive.form == FORM_ODE;
    bool const known = s->ns == 0 || (noise && e->flat[j] && e->told[j]) || is_kink(s) ||
                       (may_vanish && events_jump_vanishes(s, t, j, e->mode_before));
    if (!known) return noise ? events_refuse_noise(s, t, j) : events_refuse_grazing(s, t, j);
    events_jump(s, false);
    return events_renew(s, t);
}

/* The rates of those yet to be turned, with the f that the others have left. */
static int renew_rates(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    bool any = false;
    for (size_t j = 0; j < e->switches; j++) any = any || e->crossing[j];
    int const code = any ? events_rates(s, t, e->f, e->value, e->rate_after) : 0;
    for (size_t j = 0; j < e->switches && any && code == 0; j++)
        if (e->crossing[j] || !e->turned[j]) e->rate[j] = e->rate_after[j];
    return code;
}

/* g_j was turned where it is not quite at its surface yet, and the new f leaves it there: a tank that has run empty, but for
   rounding.  It is held in its new mode, in which it rests. */
static void rest(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double const v = events_side(e, j, e->value[j]);
    bool const still = e->rate_after[j] == 0 || events_is_grazing(s, j, e->rate_after[j]);
    if (e->turned[j] && v < -e->band[j] && still && -v <= no_height * e->seen[j])
        events_hold_still(s, t, j, -v);
}

/* Sliding: the new side leads straight back. */
static tansy_status check_sliding(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    double const soon = back_at_once * fabs(s->stats.h_last) + 16 * events_roundoff(t, 0);
    TRY(judge_code(s, events_rates(s, t, e->f, e->value, e->rate_after)));
    for (size_t j = 0; j < e->switches; j++) {
        double const v = events_side(e, j, e->value[j]);
        double const moves = events_side(e, j, s->direction * e->rate_after[j]);
        rest(s, t, j);
        if (!e->turned[j] || !(moves < 0) || v > -moves * soon || !is_at_zero(e, j)) continue;
        if (events_is_grazing(s, j, e->rate_after[j])) continue; /* if it does return, then later */
        if (events_returns_elsewhere(s, t, j) || events_hide(s, t, j, false)) continue;
        if (fabs(e->rate_after[j]) * e->stride <= no_way * e->seen[j]) {
            events_hold_still(s, t, j, fabs(e->value[j]) + fabs(e->rate_after[j]) * e->stride);
            continue;
        }
        events_withdraw_touch(e, t, j, e->stride);
        return events_refuse_sliding(s, t, j);
    }
    return TANSY_OK;
}

/* A root of the dense output is one of consistent values to the tolerance only: what was turned, and is not quite on its new
   side yet, but on the way there, has not settled before. */
static void wait_for_turned(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    for (size_t j = 0; j < e->switches && e->y_from; j++) {
        double const v = events_side(e, j, e->value[j]);
        double const moves = events_side(e, j, s->direction * e->rate_after[j]);
        if (!e->turned[j] || !(v < 0) || !(moves > 0)) continue;
        double const until = t - s->direction * 2 * v / moves;
        bool const later = s->direction * (until - e->settled) > 0;
        if (later && fabs(until - t) <= soon_there * e->stride) e->settled = until;
    }
}

static tansy_status cross_switches(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    TRY(judge_code(s, derive_switch(&s->derive, 0, t, s->y0, e->value)));
    if (e->idle > IDLE + 2 * e->switches && !events_hide(s, t, e->leader, false))
        return events_contradict(s, e->leader, t);
    if (!events_open_eyes(s)) return TANSY_OK;
    TRY(judge_code(s, events_rates_at_root(s)));
    find_crossing(s, t);
    events_lead_smoothly(s);
    if (events_stay_behind(s, t)) e->crossing[e->leader] = false;
    events_corner_begin(s, t);
    size_t surfaces = 0;
    for (size_t j = events_next_crossing(s, e->leader); j < e->switches;
         j = events_next_crossing(s, SIZE_MAX)) {
        if (surfaces++ > 2 * e->switches && !events_hide(s, t, j, false))
            return events_contradict(s, j, t);
        TRY(cross_one(s, t, j));
        TRY(judge_code(s, renew_rates(s, t)));
    }
    TRY(check_sliding(s, t));
    wait_for_turned(s, t);
    events_find_early(s);
    if (s->ns > 0) events_corner_flat_after(s, t);
    memcpy(e->rate, e->rate_after, e->switches * sizeof *e->rate);
    look_at_touched(s, t, NULL);
    return TANSY_OK;
}

/* The next piece: g may jump with it, at a time that no parameter moves. */
static tansy_status cross_break(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    double limit = 0;
    if (!events_next_break(s, &limit) || s->direction * (limit - t) > 0) return TANSY_OK;
    e->ahead = s->direction;
    e->soon = 0;
    memset(e->turned, 0, e->switches * sizeof *e->turned);
    memcpy(e->mode_before, e->mode, e->switches * sizeof *e->mode);
    if (e->switches > 0) TRY(events_renew(s, t));
    if (e->switches > 0) TRY(judge_code(s, derive_switch(&s->derive, 0, t, s->y0, e->value)));
    if (e->switches > 0) TRY(judge_code(s, events_slope(s, t, e->f)));
    events_corner_before_break(s, t);
    e->piece = s->direction > 0 ? e->piece + 1 : e->piece - 1;
    e->mode[e->switches] = (double)e->piece;
    derive_set_modes(&s->derive);
    activation_grow(s);
    e->soon = 0; /* columns have had theirs */
    if (e->switches > 0) TRY(events_follow(s, t));
    if (e->switches > 0) TRY(events_renew(s, t));
    events_count(s, t);
    events_corner_at_break(s, t);
    return TANSY_OK;
}

/* y, S and f- at a root.  Beyond it a frozen branch may have no values, sqrt(h) while h > 0: then just before it. */
static tansy_status approach(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    if (e->bridge != SIZE_MAX) return judge_code(s, events_arrive(s));
    int code = events_slope_at_root(s);
    if (code > 0 && e->near != e->at) {
        e->at = e->near;
        solver_output(s, e->at, 0, s->y0, s->sens0);
        events_set_out(s);
        code = events_slope(s, e->at, e->f);
    }
    if (code == 0) code = events_stop_at_rest(s);
    if (e->leader == SIZE_MAX) return judge_code(s, code);
    if (code == 0) code = events_go_across(s);
    if (code == 0 && !e->rests[e->leader]) code = events_limit_before(s, e->at, e->f);
    if (code == 0 && !e->rests[e->leader]) code = events_check_before(s, e->at);
    if (code == 0 && s->ns > 0 && s->consistent.multipliers > 0)
        return solver_consistent_columns(s, e->at); /* dense output of multipliers is rough */
    return judge_code(s, code);
}

/* All that happens at the event, where y and S before it are in y0 and sens0. */
static tansy_status cross_all(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    if (e->leader != SIZE_MAX) TRY(approach(s));
    double const t = e->at;
    if (e->leader != SIZE_MAX) TRY(cross_switches(s, t));
    TRY(cross_break(s, t));
    if (e->refused != 0) return solver_fail_here(s, e->refused);
    if (e->switches > 0) TRY(judge_code(s, events_find_blind(s, t)));
    if (e->switches > 0) TRY(judge_code(s, derive_switch(&s->derive, 0, t, s->y0, e->sample)));
    return judge_code(s, events_find_soft(s, t));
}

tansy_status events_cross(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    size_t const active = s->activation.active;
    bool const led = e->leader != SIZE_MAX, bridged = e->bridge != SIZE_MAX;
    solver_output(s, e->at, 0, s->y0, s->sens0);
    events_set_out(s);
    spike_meets_switch(s);
    events_begin_passage(s);
    jump_transient_before(s);
    for (size_t j = 0; j < e->switches; j++) {
        s->derive.doubted[j] = false;
        if (s->derive.far[j] < HUGE_VAL) s->derive.far[j] = not_at_zero * e->seen[j];
    }
    s->derive.lenient = true; /* modes on the way may be such that g has no value */
    events_begin_limits(s);
    int const code = e->leader != SIZE_MAX ? events_find_drift(s, e->at) : 0;
    tansy_status const crossed = code < 0 ? judge_code(s, code) : cross_all(s);
    if (crossed == TANSY_OK && e->drifts && e->leader != SIZE_MAX)
        events_wait_for_transient(s, e->at, e->leader);
    s->derive.lenient = e->drifts = false;
    if (crossed < 0) {
        if (s->activation.active != active) solver_stand_still(s); /* the panels are new */
        return s->error;
    }
    double t = e->at;
    e->due = false;
    if (e->pass > 0)
        TRY(events_go_beyond(s, &t));
    else if (e->apex == 0 && e->bridge == SIZE_MAX)
        TRY(events_leap(s, &t));
    int const left = events_leave(s, &t);
    e->due = left != 0; /* then it ends here */
    TRY(judge_code(s, left));
    TRY(judge_code(s, events_settle_columns(s, t)));
    events_end_passage(s, t);
    /* What is switched by the solution goes on in its own pace; a break time says nothing about steps. */
    if (e->leader == SIZE_MAX && method_is_one_step(s->stepper.method))
        e->stride = fmax(e->stride, fabs(s->stepper.h));
    double const stride = e->stride;
    e->leader = SIZE_MAX;
    jump_transient_look(s);
    tansy_status const status = solver_start_anew(s, t);
    if (bridged) e->stride = stride;       /* the pace is that of before */
    bool const beside = led || t != e->at; /* a condition, and not a break */
    return status == TANSY_NOT_FINITE && beside ? events_start_beside(s, t, stride) : status;
}
