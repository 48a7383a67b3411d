/* SPDX-License-Identifier: Apache-2.0 */
/* Corners: points where S has one-sided limits only, because an infinitesimal change of p makes other things happen, or the same
   in another order.  A switch at its surface at t0, or at a break time; two surfaces at one time.  Nothing is changed here: S is
   one of its limits already, the report says so.  docs/switches.md has the tests. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "drive/solver.h"

static const double same_f = 1e-9;     /* relative difference of two sums of f */
static const double stands = 1e-8;     /* of (dg/dy) s + dg/dp, against dg/dp */
static const double same_delay = 1e-6; /* relative difference of two dT/dp */
static const double no_side = 1e-13;   /* of a g that jumped: it may be on either side */

/* Switches at their surfaces that are turned in all combinations; one by one, and one after the other. */
enum { MOST_COMBINED = 5, MOST_STANDING = 16 };

void events_layout_corner(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    e->f_first = arena_doubles(arena, s->n);
    e->f_last = arena_doubles(arena, s->n);
    e->f_probe = arena_doubles(arena, s->n);
    e->mode_first = arena_doubles(arena, e->switches);
    e->mode_last = arena_doubles(arena, e->switches);
    e->mode_kept = arena_doubles(arena, e->switches);
    e->mode_probe = arena_doubles(arena, e->switches);
    e->delay_first = arena_doubles(arena, s->ns);
    e->delay_last = arena_doubles(arena, s->ns);
    e->g_from = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->asked, e->switches);
    e->moves = arena_doubles(arena, e->switches);
    events_layout_flat(s, arena);
    events_layout_break(s, arena);
}

/* A code above 0 tells that nothing is known; below 0, that the run is to stop. */
bool events_is_known(struct events *e, int code)
{
    if (code < 0) e->refused = code;
    return code == 0;
}

/* Surfaces that meet at one time are told once. */
void events_note(struct events *e, double t, size_t j, ptrdiff_t other)
{
    if (other >= 0 && e->several_at == t) return;
    if (other >= 0) e->several_at = t;
    if (e->corners < REMEMBERED) {
        e->corner[e->corners].t = t;
        e->corner[e->corners].number = j;
        e->corner[e->corners].other = other;
        e->corner[e->corners].mixed = other >= 0 || other == CORNER_FLAT || e->standing > 1;
    }
    e->corners++;
}

/* Puts these modes and this piece in place, or back. */
static void set_modes(struct tansy_solver *s, const double *mode, size_t piece)
{
    struct events *const e = &s->events;
    memcpy(e->mode, mode, e->switches * sizeof *e->mode);
    e->mode[e->switches] = (double)piece;
    derive_set_modes(&s->derive);
}

/* y' with these modes and this piece; values: of algebraic components their values instead. */
static bool look_with(struct tansy_solver *s, double t, const double *mode, size_t piece,
                      bool values, double *f)
{
    struct events *const e = &s->events;
    memcpy(e->mode_kept, e->mode, e->switches * sizeof *e->mode);
    set_modes(s, mode, piece);
    events_keep(s);
    int const code = events_slope(s, t, f);
    for (size_t i = 0; values && i < s->n; i++)
        if (!events_counts(s, i)) f[i] = s->y0[i];
    events_put_back(s);
    set_modes(s, e->mode_kept, e->piece);
    return events_is_known(e, code);
}

bool events_slope_with(struct tansy_solver *s, double t, const double *mode, size_t piece,
                       double *f)
{
    return look_with(s, t, mode, piece, false, f);
}

bool events_solution_with(struct tansy_solver *s, double t, const double *mode, double *f)
{
    return look_with(s, t, mode, s->events.piece, true, f);
}

/* Turns in `mode` those that are on another side when the modes are these instead of `from`; false: that is not known. */
static bool settle(struct tansy_solver *s, double t, const double *from, size_t piece, double *mode)
{
    struct events *const e = &s->events;
    bool changed = true;
    memcpy(e->mode_kept, e->mode, e->switches * sizeof *e->mode);
    for (size_t i = 0; i < e->switches; i++) e->asked[i] = mode[i] != from[i];
    set_modes(s, from, piece);
    events_keep(s);
    bool known = events_is_known(e, events_values(s, t, e->g_from)) && events_all_have_values(s);
    for (size_t pass = 0; pass <= e->switches && changed && known; pass++) {
        set_modes(s, mode, piece);
        known = events_is_known(e, events_values(s, t, e->trial)) && events_all_have_values(s);
        changed = false;
        for (size_t i = 0; i < e->switches && known; i++) {
            double const holds = e->trial[i] >= 0;
            if (e->asked[i] || e->trial[i] == e->g_from[i]) continue;
            known = fabs(e->trial[i]) > no_side * fabs(e->g_from[i]);
            changed = changed || holds != mode[i];
            mode[i] = holds;
        }
    }
    events_put_back(s);
    set_modes(s, e->mode_kept, e->piece);
    return known;
}

bool events_flip_on(struct tansy_solver *s, double t, size_t j, const double *from, size_t piece,
                    double *mode)
{
    memcpy(mode, from, s->events.switches * sizeof *mode);
    mode[j] = 1 - mode[j];
    return settle(s, t, from, piece, mode);
}

bool events_flip(struct tansy_solver *s, double t, size_t j, double *mode)
{
    return events_flip_on(s, t, j, s->events.mode, s->events.piece, mode);
}

/* a - b = c - d but for rounding. */
static bool same_steps(const struct tansy_solver *s, const double *a, const double *b,
                       const double *c, const double *d)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!events_counts(s, i)) continue;
        double const size = fabs(a[i]) + fabs(b[i]) + fabs(c[i]) + fabs(d[i]);
        if (!(fabs((a[i] - b[i]) - (c[i] - d[i])) <= same_f * size)) return false;
    }
    return true;
}

/* g_j changes at the same rate along two f. */
static bool same_rate(struct tansy_solver *s, double t, size_t j, const double *f, const double *h)
{
    struct events *const e = &s->events;
    if (!events_is_known(e, events_rates(s, t, f, e->value, e->rate_after))) return false;
    double const rate = e->rate_after[j];
    if (!events_is_known(e, events_rates(s, t, h, e->value, e->rate_after))) return false;
    return fabs(rate - e->rate_after[j]) <= same_delay * (fabs(rate) + fabs(e->rate_after[j]));
}

/* moves[j] > 0: some column moves g_j at (t, y0), where f is in e->f.  What is left of dg/dp by cancellation does not. */
int events_find_moves(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct point const at = {.t = t, .y = s->y0, .f = e->f};
    double *const V = s->stepper.panel_work[0].y;
    memset(e->moves, 0, e->switches * sizeof *e->moves);
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct panel *const q = &s->shape[m];
        size_t const count = e->switches * q->lanes;
        memset(V, 0, q->count * sizeof *V);
        int code = derive_switch_columns(&s->derive, &at, q, V, e->value, e->G);
        memcpy(e->G_alone, e->G, count * sizeof *e->G);
        panel_from_columns(q, s->n, s->sens0 + q->first * s->n, V);
        if (code == 0) code = derive_switch_columns(&s->derive, &at, q, V, e->value, e->G);
        if (code != 0) return code;
        for (size_t x = 0; x < count; x++) {
            bool const counts = x % q->lanes < q->columns;
            if (counts && fabs(e->G[x]) > stands * fabs(e->G_alone[x])) e->moves[x / q->lanes] = 1;
        }
    }
    return 0;
}

bool events_passes(const struct events *e, size_t j, const double *rate)
{
    return rate[j] != 0 && fabs(e->value[j]) <= fabs(rate[j]) * e->soon;
}

/* g_j is zero at (t, y0) and has no rate to speak of: as far as its bounds, or it itself, can tell. */
bool events_stays(const struct events *e, size_t j, const double *rate, bool bounded)
{
    if (events_passes(e, j, rate)) return false;
    if (e->value[j] == 0) return true;
    if (!bounded) return false;
    /* Beside where g has no value, as sqrt(x) at x = 1e-17, bounds tell nothing. */
    if (isinf(e->bounds[j]) || isinf(e->bounds[e->switches + j])) return false;
    return e->bounds[j] <= 0 && e->bounds[e->switches + j] >= 0;
}

/* Bounds of g at a point: wide as its rounding errors. */
bool events_point_bounds(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    size_t const count = e->switches;
    tansy_box const box = {t, t, s->y0, s->y0, e->f, e->f};
    tansy_bounds const g = {e->bounds, e->bounds + count, e->bounds + 2 * count,
                            e->bounds + 3 * count};
    return e->bounds && events_is_known(e, derive_switch_range(&s->derive, &box, &g));
}

size_t events_count_standing(const struct events *e, const double *rate, bool bounded)
{
    size_t standing = 0;
    for (size_t j = 0; j < e->switches; j++)
        standing += events_passes(e, j, rate) || events_stays(e, j, rate, bounded);
    return standing;
}

/* How many trials with some of those that stand turned: of few all combinations; else each alone and, of those that stay, the first,
   the first two and so on; of many all at once. */
static size_t count_trials(size_t standing)
{
    if (standing < 2) return 0;
    if (standing <= MOST_COMBINED) return ((size_t)1 << standing) - 1;
    return standing > MOST_STANDING ? 1 : 2 * standing;
}

/* The modes mode_last with those turned of trial number x that stand, mode_probe being theirs. */
static void turn_some(struct tansy_solver *s, const double *rate, size_t standing, size_t x)
{
    struct events *const e = &s->events;
    size_t number = 0;
    set_modes(s, e->mode_last, e->piece);
    for (size_t j = 0; j < e->switches; j++) {
        if (e->mode_probe[j] == e->mode_last[j]) continue;
        bool turns = !events_passes(e, j, rate);
        if (standing <= MOST_COMBINED)
            turns = (x + 1) >> number & 1;
        else if (standing <= MOST_STANDING)
            turns = x < standing ? number == x : turns && number <= x - standing;
        if (turns) e->mode[j] = e->mode_probe[j];
        number++;
    }
    derive_set_modes(&s->derive);
}

/* moves[] with the modes as they are, and with those of what stands at its surface turned, as far as that leaves g_j zero:
   min(min(a, 1), 1) depends on a with the first turned only. */
int events_find_moves_either_way(struct tansy_solver *s, double t, const double *rate)
{
    struct events *const e = &s->events;
    bool const bounded = events_point_bounds(s, t);
    int code = events_find_moves(s, t);
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    memcpy(e->mode_last, e->mode, e->switches * sizeof *e->mode);
    memcpy(e->low, e->moves, e->switches * sizeof *e->low);
    for (size_t j = 0; j < e->switches; j++) {
        bool const here = events_passes(e, j, rate) || events_stays(e, j, rate, bounded);
        e->mode_probe[j] = here ? 1 - e->mode[j] : e->mode[j];
    }
    size_t const standing = events_count_standing(e, rate, bounded);
    events_keep(s);
    for (size_t x = 0; x < count_trials(standing) && code == 0; x++) {
        turn_some(s, rate, standing, x);
        code = events_values(s, t, e->trial);
        if (code == 0) code = events_find_moves(s, t);
        for (size_t i = 0; i < e->switches; i++)
            if (e->trial[i] == e->value[i] || e->trial[i] == 0)
                e->low[i] = fmax(e->low[i], e->moves[i]);
    }
    events_put_back(s);
    set_modes(s, e->mode_last, e->piece);
    memcpy(e->moves, e->low, e->switches * sizeof *e->low);
    return code;
}

/* f, which is in e->f, is another one on the other side of g_j, or not known there. */
static bool sides_differ(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    return !events_flip(s, t, j, e->mode_first) ||
           !events_slope_with(s, t, e->mode_first, e->piece, e->f_probe) ||
           !same_steps(s, e->f, e->f_probe, e->f, e->f);
}

void events_corner_at_start(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const t = s->t0;
    bool known = false;
    memset(e->flat, 0, e->switches * sizeof *e->flat);
    if (s->ns == 0) return;
    e->standing = events_count_standing(e, e->rate, events_point_bounds(s, t));
    events_corner_stays(s, t, e->rate, CORNER_START);
    for (size_t j = 0; j < e->switches; j++) {
        if (!events_passes(e, j, e->rate)) continue;
        if (!known && !events_is_known(e, events_find_moves_either_way(s, t, e->rate))) return;
        known = true;
        if (e->moves[j] == 0) continue;
        if (sides_differ(s, t, j)) events_note(e, t, j, CORNER_START);
    }
}

void events_corner_begin(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    e->stages = 0;
    if (s->ns > 0) events_corner_flat_before(s, t);
    memcpy(e->mode_last, e->mode, e->switches * sizeof *e->mode);
}

/* The first surface: what the later ones are compared with. */
static void keep_first(struct tansy_solver *s, size_t j)
{
    struct events *const e = &s->events;
    e->first = j;
    memcpy(e->f_first, e->f, s->n * sizeof *e->f);
    memcpy(e->mode_first, e->mode_last, e->switches * sizeof *e->mode);
    memcpy(e->delay_first, e->delay, s->ns * sizeof *e->delay);
}

/* dT/dp is this one in every column. */
static bool moves_with(const struct tansy_solver *s, const double *other)
{
    const struct events *const e = &s->events;
    double apart = 0, size = 0;
    for (size_t k = 0; k < s->ns; k++) {
        double const scale = s->tolerances.scale[k];
        apart = fmax(apart, fabs(e->delay[k] - other[k]) * scale);
        size = fmax(size, (fabs(e->delay[k]) + fabs(other[k])) * scale);
    }
    return apart <= same_delay * size;
}

/* This surface, of these switches, before the first: the same jump of f, and both g run as before. */
static bool order_is_free(struct tansy_solver *s, double t, size_t j, const bool *group)
{
    struct events *const e = &s->events;
    memcpy(e->mode_probe, e->mode_first, e->switches * sizeof *e->mode);
    for (size_t i = 0; i < e->switches; i++)
        if (group[i]) e->mode_probe[i] = 1 - e->mode_first[i];
    return settle(s, t, e->mode_first, e->piece, e->mode_probe) &&
           events_slope_with(s, t, e->mode_probe, e->piece, e->f_probe) &&
           same_steps(s, e->f_probe, e->f_first, e->f_after, e->f) &&
           same_rate(s, t, j, e->f_first, e->f) &&
           same_rate(s, t, e->first, e->f_first, e->f_probe);
}

void events_corner_stage(struct tansy_solver *s, double t, size_t j, const bool *group)
{
    struct events *const e = &s->events;
    bool const turns = memcmp(e->mode, e->mode_last, e->switches * sizeof *e->mode) != 0;
    memcpy(e->delay_last, e->delay, s->ns * sizeof *e->delay);
    if (s->ns == 0 || !turns || !group) return;
    if (e->stages++ == 0)
        keep_first(s, j);
    else if (!moves_with(s, e->delay_first) && !order_is_free(s, t, j, group))
        events_note(e, t, j, (ptrdiff_t)e->first);
    memcpy(e->mode_last, e->mode, e->switches * sizeof *e->mode);
}

void events_corner_dropped(struct tansy_solver *s, double t, size_t j, const double *delay)
{
    struct events *const e = &s->events;
    if (e->stages == 0 || moves_with(s, delay)) return;
    if (!events_flip(s, t, j, e->mode_probe) ||
        !events_slope_with(s, t, e->mode_probe, e->piece, e->f_probe) ||
        !same_steps(s, e->f, e->f_probe, e->f, e->f))
        events_note(e, t, j, (ptrdiff_t)e->first);
}

/* j, which had a surface of its own here, was turned because of another: if f jumped. */
void events_corner_overtaken(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    if (!same_steps(s, e->f, e->f_before, e->f, e->f)) events_note(e, t, j, (ptrdiff_t)e->first);
}

/* j was to cross by itself, with another dT/dp, but what was turned has moved its g away from zero: for p to one side it crosses
   before, for a short while.  That matters if f differs between its two sides, with the modes from before. */
void events_corner_evaded(struct tansy_solver *s, double t, size_t j, size_t leader)
{
    struct events *const e = &s->events;
    memcpy(e->mode_probe, e->mode_before, e->switches * sizeof *e->mode);
    e->mode_probe[j] = 1 - e->mode_probe[j];
    if (!settle(s, t, e->mode_before, e->piece, e->mode_probe) ||
        !events_slope_with(s, t, e->mode_probe, e->piece, e->f_probe) ||
        !same_steps(s, e->f, e->f_probe, e->f, e->f))
        events_note(e, t, j, (ptrdiff_t)leader);
}
