/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives that are infinite where a condition stands at its root, as that of sqrt(abs(x)) at x = 0.  Where the solution
   crosses it with a speed, x ~ t, S' ~ t^-1/2 and S goes on: a few roundings beside the root J is finite. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"

enum {
    OFTEN = 3,      /* times at one place; more do not help */
    MOST_TRIALS = 6 /* to go across a root, twice as far each time */
};
static const double aside = 16;  /* roundings of t, or of y */
static const double wide = 1000; /* smallest steps: in so many S' ~ t^-1/2 is too steep for them */
static const double beside = 1e-3; /* of a step */
static const double at_once = 1e-10;
static const double at_rest = 1e-6; /* of the size of g in a step: it stands at its root */

/* A derivative failed to be finite, and not f. */
static bool is_derivative(const struct tansy_solver *s)
{
    const struct failure *const failure = &s->derive.worker[0].failure;
    return failure->kind == FAILURE_NOT_FINITE && failure->column != SIZE_MAX;
}

/* The condition nearest to its root at (t, y0), or SIZE_MAX; g and its rate along f. */
static size_t find_edge(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    size_t edge = SIZE_MAX;
    double least = at_rest;
    struct failure const failure = s->derive.worker[0].failure;
    bool const known = e->switches > 0 && derive_switch(&s->derive, 0, t, s->y0, e->value) == 0;
    for (size_t j = 0; j < e->switches && known; j++) {
        double const size = e->seen[j] > 0 ? e->seen[j] : 1;
        if (!(fabs(e->value[j]) <= least * size)) continue;
        least = fabs(e->value[j]) / size;
        edge = j;
    }
    s->derive.worker[0].failure = failure;
    return edge;
}

/* A time in which y moves along f, and g_j by its rate, by more than rounding. */
static double short_time(const struct tansy_solver *s, size_t j, double unit)
{
    const struct events *const e = &s->events;
    double largest = 0;
    for (size_t i = 0; i < s->n; i++) largest = fmax(largest, fabs(s->y0[i]));
    return aside * DBL_EPSILON * fmax(unit, largest / fabs(e->rate[j]));
}

/* The part of J that is infinite is c phi'(g) g_y, so that over a short time S gains
     c (phi(g+) - phi(g-)) (g_y s + g_p)/(g_t + g_y f) = (f- - f+) dT/dp,
   as in a jump. */
static int move_aside(struct tansy_solver *s, double t, size_t j, double time)
{
    struct events *const e = &s->events;
    double size = 0;
    int code = s->ns > 0 ? events_find_delays(s, t, j, &size) : 0;
    for (size_t i = 0; i < s->n && code == 0; i++) s->y0[i] += time * e->f[i];
    if (code == 0) code = solver_slope(s, t, e->f_after);
    if (code == 0) events_jump(s, s->ns > 0);
    return code;
}

bool events_step_aside(struct tansy_solver *s, double t, double direction, double unit)
{
    struct events *const e = &s->events;
    if (!is_derivative(s) || derive_is_implicit(&s->derive)) return false;
    struct failure const failure = s->derive.worker[0].failure;
    size_t const j = find_edge(s, t);
    bool good = j != SIZE_MAX && solver_slope(s, t, e->f) == 0 &&
                events_rates(s, t, e->f, e->value, e->rate) == 0;
    good = good && e->rate[j] != 0 && !events_is_grazing(s, j, e->rate[j]);
    good = good && move_aside(s, t, j, direction * short_time(s, j, unit)) == 0;
    s->derive.worker[0].failure = failure;
    if (good) s->error = message_clear(&s->message);
    return good;
}

/* Slopes are finite a little before, or after, e->at in the last step. */
static bool is_finite_beside(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const away = beside * (s->stepper.t - s->before);
    double const t = fabs(e->at - s->before) > fabs(away) ? e->at - away : e->at + away;
    memcpy(e->probe, s->y0, s->n * sizeof *s->y0);
    solver_output(s, t, 0, s->y0, NULL);
    bool const finite = derive_switch(&s->derive, 0, t, s->y0, e->trial) == 0 &&
                        events_rates(s, t, e->f, e->trial, e->rate_after) == 0;
    memcpy(s->y0, e->probe, s->n * sizeof *s->y0);
    return finite;
}

int events_rates_at_root(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    int const code = events_rates(s, e->at, e->f, e->value, e->rate);
    struct failure const failure = s->derive.worker[0].failure;
    if (code <= 0 || failure.kind != FAILURE_NOT_FINITE) return code;
    bool const finite = is_finite_beside(s);
    s->derive.worker[0].failure = failure;
    for (size_t j = 0; j < e->switches && finite; j++)
        s->derive.far[j] = fmin(s->derive.far[j], at_rest * e->seen[j]);
    return finite ? events_rates(s, e->at, e->f, e->value, e->rate) : code;
}

int events_slope_at_root(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    int code = events_slope(s, e->at, e->f);
    if (code != 0 || e->near == e->at || !derive_is_implicit(&s->derive)) return code;
    code = derive_switch(&s->derive, 0, e->at, s->y0, e->value);
    for (size_t j = 0; j < e->switches && code == 0; j++) code = s->derive.missing[j];
    return code;
}

/* A stop time or a break is on the way to t. */
static bool is_barred(const struct tansy_solver *s, double t)
{
    double limit = 0;
    if (events_next_break(s, &limit) && s->direction * (t - limit) >= 0) return true;
    return s->options.use_stop_time && s->direction * (t - s->options.stop_time) >= 0;
}

/* Some g have no value, and the leader, or one that crosses at once, has not passed its root, but is on its way there along e->f, for
   so much *time; else *waits is false.  A code: that is not known. */
static int find_way(struct tansy_solver *s, double *time, bool *waits)
{
    struct events *const e = &s->events;
    double const soon = at_once * fabs(s->stats.h_last) + 4 * events_roundoff(e->at, 0);
    bool missing = false;
    *time = 0;
    *waits = false;
    int code = derive_switch(&s->derive, 0, e->at, s->y0, e->value);
    for (size_t j = 0; j < e->switches && code == 0; j++) missing = missing || s->derive.missing[j];
    if (missing) code = events_rates_at_root(s);
    for (size_t j = 0; j < e->switches && missing && code == 0; j++) {
        double const v = events_side(e, j, e->value[j]);
        double const moves = events_side(e, j, s->direction * e->rate[j]);
        if (!(moves < 0) || v < 0 || (j != e->leader && v > -moves * soon)) continue;
        *time = fmax(*time, -v / moves);
        *waits = true;
    }
    return code;
}

int events_go_across(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double time = 0, least = events_roundoff(e->at, 0);
    bool waits = true;
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        int code = find_way(s, &time, &waits);
        if (code == 0 && trial == 0 && events_is_apex(s)) return events_leave_apex(s);
        if (code != 0 || !waits) return code < 0 ? code : 0;
        double const t = e->at + s->direction * (2 * time + least);
        if (is_barred(s, t) || !(time <= beside * fabs(s->stats.h_last))) return 0;
        least *= 2;
        e->at = t;
        solver_output(s, t, 0, s->y0, s->sens0);
        events_set_out(s);
        code = events_slope(s, t, e->f);
        if (code != 0) return code;
    }
    return 0;
}

/* The condition whose root is passed, or was, within a time that is none and with a speed; else SIZE_MAX. */
static size_t find_passed(struct tansy_solver *s, double t, double none)
{
    struct events *const e = &s->events;
    solver_output(s, t, 0, s->y0, s->sens0);
    int code = solver_slope(s, t, e->f);
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->value);
    if (code == 0) code = events_rates(s, t, e->f, e->value, e->rate);
    for (size_t j = 0; j < e->switches && code == 0; j++)
        if (fabs(e->value[j]) <= fabs(e->rate[j]) * none && !events_is_grazing(s, j, e->rate[j]))
            return j;
    return SIZE_MAX;
}

/* No break, and no time to stop at, is that near. */
static bool is_free(const struct tansy_solver *s, double t, double time)
{
    double limit = 0;
    if (events_next_break(s, &limit) && fabs(limit - t) <= 2 * time) return false;
    return !s->options.use_stop_time || fabs(s->options.stop_time - t) > 2 * time;
}

bool events_pass_edge(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const t = solver_now(s), none = wide * events_shrunk(s);
    if (e->switches == 0 || e->idle > OFTEN || derive_is_implicit(&s->derive)) return false;
    size_t const j = find_passed(s, t, none);
    if (j == SIZE_MAX || !is_free(s, t, 3 * none)) return false;
    e->due = true;
    e->at = e->near = t;
    e->leader = events_side(e, j, s->direction * e->rate[j]) < 0 ? j : SIZE_MAX;
    e->resolved = true;
    e->idle++;
    e->edge = j;
    e->pass = 2 * fabs(e->value[j] / e->rate[j]) + none;
    return true;
}

tansy_status events_go_beyond(struct tansy_solver *s, double *t)
{
    struct events *const e = &s->events;
    double const time = s->direction * e->pass;
    e->stride = fmax(e->stride, e->pass);
    e->pass = 0;
    int code = derive_switch(&s->derive, 0, *t, s->y0, e->value);
    if (code == 0) code = solver_slope(s, *t, e->f);
    if (code == 0) code = events_rates(s, *t, e->f, e->value, e->rate);
    if (code == 0) code = move_aside(s, *t, e->edge, time);
    if (code != 0) return solver_fail_here(s, code);
    *t += time;
    return TANSY_OK;
}

bool events_name_edge(struct tansy_solver *s, double t, struct name *name)
{
    size_t const j = is_derivative(s) ? find_edge(s, t) : SIZE_MAX;
    if (j != SIZE_MAX) (void)name_switch(&s->problem, j, name);
    return j != SIZE_MAX;
}
