/* SPDX-License-Identifier: Apache-2.0 */
/* The modes of the switches and the piece between break times: at the start, and when one change brings another. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"

static const double off = 16;        /* roundings: four times what counts as at the surface */
static const double no_scale = 1e-8; /* a time, where neither t0 nor y0 tells one */

void events_layout(struct tansy_solver *s, struct arena *arena, size_t lanes)
{
    struct events *const e = &s->events;
    e->switches = s->problem.switches;
    e->breaks = s->problem.breaks;
    e->break_times = s->problem.break_times;
    e->any = e->switches > 0 || e->breaks > 0;
    e->leader = SIZE_MAX;
    if (!e->any) return;
    if (s->p) e->mode = s->p + s->np;
    e->f = arena_doubles(arena, s->n);
    e->f_after = arena_doubles(arena, s->n);
    e->drift = s->derive.form == FORM_ODE ? arena_doubles(arena, s->n) : NULL;
    e->slope_error = s->derive.form == FORM_ODE ? arena_doubles(arena, s->n) : NULL;
    e->drifts = false;
    e->y_start = arena_doubles(arena, s->n);
    e->sample = arena_matrix(arena, LOOKS, e->switches);
    e->begin = arena_doubles(arena, e->switches);
    e->value = arena_doubles(arena, e->switches);
    e->low = arena_doubles(arena, e->switches);
    e->trial = arena_doubles(arena, e->switches);
    e->rate = arena_doubles(arena, e->switches);
    e->rate_after = arena_doubles(arena, e->switches);
    e->rate_probe = arena_doubles(arena, e->switches);
    e->G = arena_matrix(arena, e->switches, lanes);
    e->delay = arena_doubles(arena, s->ns);
    e->apart = arena_doubles(arena, e->switches);
    e->mode_final = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->together, e->switches);
    ARENA_TAKE(arena, e->stage, e->switches);
    ARENA_TAKE(arena, e->alike, e->switches);
    ARENA_TAKE(arena, e->kept, 2 * e->switches);
    e->scan = arena_matrix(arena, LOOKS, e->switches);
    e->band = arena_doubles(arena, e->switches);
    e->seen = arena_matrix(arena, SEEN, e->switches);
    e->noise = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->noisy, e->switches);
    e->shaky = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->vague, e->switches);
    ARENA_TAKE(arena, e->in_vain, e->switches);
    ARENA_TAKE(arena, e->unseen, e->switches);
    e->touched_at = arena_doubles(arena, e->switches);
    e->turned_at = arena_doubles(arena, e->switches);
    events_layout_surface(s, arena);
    e->G_alone = arena_matrix(arena, e->switches, lanes);
    events_layout_range(s, arena);
    events_layout_consistent(s, arena);
    events_layout_tie(s, arena);
    events_layout_corner(s, arena);
    events_layout_limit(s, arena);
    ARENA_TAKE(arena, e->bridged, e->switches);
    e->rounding = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->rests, e->switches);
    events_layout_hidden(s, arena);
    remains_layout(s, arena);
    ARENA_TAKE(arena, e->crawls, e->switches);
    events_layout_passage(s, arena);
    events_layout_rest(s, arena);
    e->bridge = SIZE_MAX;
}

double events_roundoff(double t, double h)
{
    return 4 * DBL_EPSILON * fmax(fabs(t), fabs(h));
}

size_t events_piece_at(const struct events *e, double t, double direction)
{
    size_t below = 0, above = e->breaks; /* break_times[below - 1] <= t < break_times[above] */
    while (below < above) {
        size_t const middle = below + (above - below) / 2;
        bool const passed =
            direction < 0 ? e->break_times[middle] < t : e->break_times[middle] <= t;
        if (passed)
            below = middle + 1;
        else
            above = middle;
    }
    return below;
}

bool events_break_towards(const struct tansy_solver *s, double direction, double *limit)
{
    const struct events *const e = &s->events;
    bool const forward = direction > 0;
    if (forward ? e->piece == e->breaks : e->piece == 0) return false;
    *limit = e->break_times[forward ? e->piece : e->piece - 1];
    return true;
}

bool events_next_break(const struct tansy_solver *s, double *limit)
{
    return events_break_towards(s, s->direction, limit);
}

void events_count(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    for (size_t j = 0; j < e->switches; j++) {
        if (e->mode[j] == e->mode_before[j]) continue;
        size_t const place = s->stats.switches++ % REMEMBERED;
        e->last[place].t = t;
        e->last[place].number = j;
    }
}

tansy_status events_contradict(struct tansy_solver *s, size_t j, double t)
{
    struct name name;
    return s->error = message_set(&s->message, TANSY_SLIDING,
                                  "%s turns over and over at t = %.10g: its condition "
                                  "contradicts itself; does it depend on its own mode, or on "
                                  "those of switches above?",
                                  name_switch(&s->problem, j, &name), t);
}

/* Modes by the signs of g in e->value: all of them, or the lowest that is wrong; false: they are so already. */
static bool take_signs(struct events *e, bool all)
{
    bool changed = false;
    for (size_t j = 0; j < e->switches && (all || !changed); j++) {
        double const holds = e->value[j] >= 0;
        changed = changed || holds != e->mode[j];
        e->mode[j] = holds;
    }
    return changed;
}

/* No modes agree with the signs of g; of an implicit problem perhaps because there is no y with those that would. */
static tansy_status refuse_modes(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    (void)take_signs(e, true);
    derive_set_modes(&s->derive);
    int const code = e->y_from ? events_slope(s, s->t0, e->f) : 0;
    if (code != 0) return solver_fail_here(s, code);
    return s->error = message_set(&s->message, TANSY_BAD_PROBLEM,
                                  "the switches contradict each other at t0 = %g: no modes agree "
                                  "with the signs of g; may g_j depend on modes above j?",
                                  s->t0);
}

/* Modes by the signs of g, those of lower switches first; e->value is g with them.  Of an implicit problem first at y0 as it is
   given, then at values that are consistent with the modes, until the two agree. */
static tansy_status settle(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    bool consistent = false;
    for (size_t pass = 0; pass <= 3 * (e->switches + 1); pass++) {
        derive_set_modes(&s->derive);
        int code = consistent ? events_search(s, s->t0) : 0;
        if (code == 0) code = derive_switch(&s->derive, 0, s->t0, s->y0, e->value);
        if (code != 0) return solver_fail_here(s, code);
        bool const changed = take_signs(e, pass <= 2 * e->switches);
        memset(e->turned, 0, e->switches * sizeof *e->turned); /* by no crossing */
        if (!changed && (consistent || !e->y_from)) return TANSY_OK;
        consistent = consistent || (!changed && e->y_from);
    }
    return refuse_modes(s);
}

/* f and the rates of all switches at the initial point with the modes as they are; zero where they cannot be had. */
static tansy_status find_rates(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    derive_set_modes(&s->derive);
    int code = events_slope(s, s->t0, e->f);
    if (code == 0) code = derive_switch(&s->derive, 0, s->t0, s->y0, e->value);
    if (code != 0) return solver_fail_here(s, code);
    code = events_rates(s, s->t0, e->f, e->value, e->rate);
    if (code > 0) memset(e->rate, 0, e->switches * sizeof *e->rate);
    return code < 0 ? solver_fail_here(s, code) : TANSY_OK;
}

/* A length of time in which the solution changes: the shortest |y_i|/|f_i|, or |t0|.  At rest f is rounding, or zero, and tells nothing: it is not
   above the way that the run is to go, or where that is not known, a unit of time. */
static double time_scale(const struct tansy_solver *s)
{
    double const reach = s->events.reach > 0 ? s->events.reach : 1;
    double shortest = HUGE_VAL;
    for (size_t i = 0; i < s->n; i++)
        if (s->y0[i] != 0 && s->events.f[i] != 0)
            shortest = fmin(shortest, fabs(s->y0[i] / s->events.f[i]));
    return fmax(isinf(shortest) ? 0 : fmin(shortest, reach), fabs(s->t0));
}

/* g_j is zero at t0, or its mode has just been turned in vain, and f drives it to the side its mode is not for. */
static bool leaves_at_once(const struct events *e, size_t j)
{
    double const moves = events_side(e, j, e->ahead * e->rate[j]);
    double const v = events_side(e, j, e->value[j]);
    return moves < 0 && (e->turned[j] ? v : fabs(v)) <= -moves * e->soon;
}

static tansy_status refuse_sliding(struct tansy_solver *s, size_t j)
{
    struct name name;
    return s->error = message_set(&s->message, TANSY_SLIDING,
                                  "%s stands at its surface at t0 = %.10g and both sides drive the "
                                  "solution back to it: there is no solution beyond",
                                  name_switch(&s->problem, j, &name), s->t0);
}

/* Switches that stand at their surface: their modes are those of the side they move to.  One that leads back as soon as it is turned
   slides; what another has turned since may lead it back. */
static tansy_status look_ahead(struct tansy_solver *s, double direction)
{
    struct events *const e = &s->events;
    memcpy(e->mode_before, e->mode, e->switches * sizeof *e->mode);
    TRY(find_rates(s));
    e->ahead = direction;
    e->soon = events_roundoff(4 * time_scale(s), 0);
    e->settled = s->t0 + direction * 2 * e->soon;
    for (size_t pass = 0;; pass++) {
        size_t first = e->switches;
        for (size_t j = e->switches; j-- > 0;) {
            e->crossing[j] = leaves_at_once(e, j);
            bool const back = e->turned[j] && e->mode[j] != e->mode_before[j];
            if (e->crossing[j] && (back || pass == 2 * e->switches)) return refuse_sliding(s, j);
            if (e->crossing[j]) first = j;
        }
        if (first == e->switches) return TANSY_OK;
        memcpy(e->mode_before, e->mode, e->switches * sizeof *e->mode);
        TRY(events_turn_surface(s, s->t0, first, e->together));
        TRY(find_rates(s));
    }
}

/* The modes at t0, and whether S is one-sided there. */
static tansy_status find_modes(struct tansy_solver *s, double direction)
{
    TRY(settle(s));
    if (direction == 0) return TANSY_OK;
    TRY(look_ahead(s, direction));
    events_corner_at_start(s);
    return TANSY_OK;
}

/* All that a run has left behind. */
static void forget(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    e->due = false;
    e->pass = e->apex = 0;
    e->bridge = SIZE_MAX;
    e->leader = SIZE_MAX;
    e->gap = e->stride = e->span = e->leap = 0;
    e->leap_from = e->leap_to = e->passage.from = e->passage.to = nan("");
    e->losses = 0;
    e->rounded.wrong = 0;
    if (e->calm) memset(e->calm, 0, e->switches * sizeof *e->calm);
    e->steps = s->stats.steps;
    e->cold = false;
    e->idle = 0;
    e->rows = 0;
    e->failures = 0;
    e->unsure = e->corners = 0;
    e->several_at = nan("");
    e->untold = 0;
    e->vagues = e->softs = 0;
    memset(e->bridged, 0, e->switches * sizeof *e->bridged);
    memset(e->rests, 0, e->switches * sizeof *e->rests);
    memset(e->crawls, 0, e->switches * sizeof *e->crawls);
    memset(e->vague, 0, e->switches * sizeof *e->vague);
    memset(e->in_vain, 0, e->switches * sizeof *e->in_vain);
    e->refused = 0;
    events_forget_ties(e);
    e->held = 0;
    e->pace = 0;
    memset(e->noisy, 0, e->switches * sizeof *e->noisy);
    memset(e->shaky, 0, e->switches * sizeof *e->shaky);
    memset(e->seen, 0, SEEN * e->switches * sizeof *e->seen);
    memset(e->band, 0, e->switches * sizeof *e->band);
    events_forget_hidden(e);
    remains_forget(s);
    memset(e->bent, 0, e->switches * sizeof *e->bent);
    memset(e->was_bent, 0, e->switches * sizeof *e->was_bent);
    memset(e->early, 0, e->switches * sizeof *e->early);
    memset(e->sent_back, 0, e->switches * sizeof *e->sent_back);
    for (size_t j = 0; j < e->switches; j++) {
        e->touched_at[j] = e->turned_at[j] = nan("");
        e->driven_by[j] = j;
    }
}

/* The modes at (t0, y0), and those that are blind; *code: something depends on one that has no value. */
static tansy_status find_all(struct tansy_solver *s, double direction, int *code)
{
    struct events *const e = &s->events;
    memset(e->mode, 0, e->switches * sizeof *e->mode);
    derive_set_modes(&s->derive);
    memset(e->turned, 0, e->switches * sizeof *e->turned);
    memset(s->derive.blind, 0, e->switches * sizeof *s->derive.blind);
    memset(s->derive.doubted, 0, e->switches * sizeof *s->derive.doubted);
    memset(s->derive.far, 0,
           e->switches * sizeof *s->derive.far); /* sqrt(x) - 1 at 0 needs no slope */
    events_set_out(s);
    s->derive.lenient = true; /* outer conditions may have no value until inner ones are set */
    tansy_status const status = find_modes(s, direction);
    s->derive.lenient = false;
    for (size_t j = 0; j < e->switches; j++) s->derive.far[j] = HUGE_VAL;
    TRY(status);
    *code = events_find_blind(s, s->t0);
    return TANSY_OK;
}

/* Some had no value while modes were looked for. */
static bool has_doubts(const struct tansy_solver *s)
{
    size_t j = 0;
    while (j < s->events.switches && !s->derive.doubted[j]) j++;
    return j < s->events.switches;
}

/* y0 at an edge, x = 0 in `x > 0 and log(x) > c`, goes beyond it along f, by a few roundings in so much time; 0: that is no way. */
static double step_off(struct tansy_solver *s, double direction)
{
    struct events *const e = &s->events;
    double const time = direction * off * events_roundoff(fmax(time_scale(s), no_scale), 0);
    bool moves = false;
    memcpy(e->y_start, e->y_from ? e->y_from : s->y0, s->n * sizeof *s->y0);
    if (direction == 0 || events_slope(s, s->t0, e->f) != 0) return 0;
    for (size_t i = 0; i < s->n; i++) {
        s->y0[i] = e->y_start[i] + time * e->f[i];
        moves = moves || s->y0[i] != e->y_start[i];
    }
    return moves ? time : 0;
}

/* A vessel that fills from empty, c = A/V while V > 0, else 0: the mode of the side that V moves to has no f at V = 0, that of the
   point itself has, and leads off it. */
static bool has_turned_in_vain(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    size_t const bytes = e->switches * sizeof *e->mode;
    if (memcmp(e->mode, e->mode_before, bytes) == 0) return false;
    memcpy(e->mode_probe, e->mode, bytes);
    memcpy(e->mode, e->mode_before, bytes);
    derive_set_modes(&s->derive);
    return true;
}

/* find_all(), at y0 or, where that is an edge at which something has no value, just beyond it. */
static tansy_status find_beside(struct tansy_solver *s, double direction, int *code)
{
    tansy_status const given = find_all(s, direction, code);
    bool const edge = given == TANSY_OK           ? *code > 0
                      : given == TANSY_NOT_FINITE ? has_turned_in_vain(s)
                                                  : given == TANSY_SLIDING && has_doubts(s);
    double const time = edge ? step_off(s, direction) : 0;
    if (time == 0) return given;
    s->error = message_clear(&s->message);
    if (given == TANSY_NOT_FINITE && !derive_is_implicit(&s->derive))
        events_settle_direction(s, s->t0, time, s->events.mode_probe);
    tansy_status const status = find_all(s, direction, code);
    if (status == TANSY_OK && *code == 0) return TANSY_OK;
    s->events.apex = 0;
    memcpy(s->y0, s->events.y_start, s->n * sizeof *s->y0);
    s->error = TANSY_OK;
    return find_all(s, direction, code);
}

tansy_status events_begin(struct tansy_solver *s, double direction, double reach)
{
    struct events *const e = &s->events;
    int code = 0;
    if (!e->any) return TANSY_OK;
    e->piece = events_piece_at(e, s->t0, direction);
    e->reach = reach;
    memset(e->mode, 0, e->switches * sizeof *e->mode);
    e->mode[e->switches] = (double)e->piece;
    derive_set_modes(&s->derive);
    activation_begin(s, direction);
    forget(s);
    if (e->switches == 0) return TANSY_OK;
    TRY(find_beside(s, direction, &code));
    if (code == 0 && direction != 0) code = events_find_soft(s, s->t0);
    if (code != 0) e->refused = code;
    if (e->refused != 0) return solver_fail_here(s, e->refused);
    if (e->y_from) memcpy(s->y0, e->y_from, s->n * sizeof *s->y0); /* it goes with sens0 */
    memcpy(e->sample, e->value, e->switches * sizeof *e->sample);
    for (size_t j = 0; j < e->switches; j++) e->from_zero[j] = e->value[j] == 0;
    return TANSY_OK;
}

tansy_status events_begin_unasked(struct tansy_solver *s)
{
    bool const forward = !s->options.use_stop_time || s->options.stop_time > s->t0;
    if (s->problem.vanishing && events_begin(s, forward ? 1 : -1, 0) == TANSY_OK) return TANSY_OK;
    s->error = message_clear(&s->message);
    return events_begin(s, 0, 0);
}

tansy_status events_begin_either_way(struct tansy_solver *s)
{
    tansy_status const forward = events_begin(s, 1, 0);
    if (forward != TANSY_SLIDING) return forward;
    s->error = message_clear(&s->message);
    return events_begin(s, -1, 0);
}
