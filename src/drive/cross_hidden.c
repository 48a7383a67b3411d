/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions whose sign is not known, and on which nothing hangs (docs/switches.md): behind n lags c leaves 0 like t^n, what is computed of it first has either sign, and max(c, 0) never turns.  A g
   that was exactly 0 at the beginning, or (y' = f) is to be refused, and stays below what errors of y as large as atol are worth in it all over a step is held on its side, if y and S, over a hundred of the longest steps of late, would not show which branch it is:
     f+ - f- falls with g as g becomes 0 (a jump does not, however small: what is below atol may grow),
     |f+ - f-| 100 h <= 10 w at y, and at y off by such an error (not so at the root of sqrt(c)); 1e-4 w at y itself,
     |f+ - f-| 100 h <= what is promised of a small S, times d, at (y + d s, p + d u) with a little of every column, cross_flat.c.
   After every step the first and the last are asked for again, of all that are held together. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

static const double far_below = 1e-3;
static const double many_steps = 100, vanishing = 1e-4, bearable = 10, usual = 0.1;

void events_layout_hidden(struct tansy_solver *s, struct arena *arena)
{
    ARENA_TAKE(arena, s->events.hidden, s->events.switches);
    ARENA_TAKE(arena, s->events.from_zero, s->events.switches);
    s->events.mode_alone = arena_doubles(arena, s->events.switches);
    if (derive_is_implicit(&s->derive)) s->events.y_set_out = arena_doubles(arena, s->n);
}

void events_forget_hidden(struct events *e)
{
    memset(e->hidden, 0, e->switches * sizeof *e->hidden);
    e->hiddens = 0;
}

/* y0 with all components moved by this share of atol, in no special direction; y_near is what it was. */
static void shake(struct tansy_solver *s, double share)
{
    struct events *const e = &s->events;
    memcpy(e->y_near, s->y0, s->n * sizeof *s->y0);
    for (size_t i = 0; i < s->n; i++) {
        double const x = 0.61803398874989485 * (double)(i + 1), r = 0.5 + x - floor(x);
        s->y0[i] += (i % 2 == 0 ? r : -r) * share * s->tolerances.atol[i];
    }
}

/* What errors of y as large as atol are worth in g_j, by its slopes here and where the step began (beside a pole they say nothing); or by a move of y, where g_j is the product of two that are as small. */
static double worth_of_atol(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double largest = 0, worth = events_atol_of(s, t, j);
    memcpy(e->y_near, s->y0, s->n * sizeof *s->y0);
    solver_output(s, s->before, 0, s->y0, NULL);
    worth = fmin(worth, events_atol_of(s, s->before, j));
    memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
    for (size_t i = 0; i < s->n; i++) largest = fmax(largest, s->tolerances.atol[i]);
    if (events_size(e, j) > largest) return worth;
    shake(s, 1);
    bool const known = events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->g_near));
    memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
    return known ? fmax(worth, fabs(e->g_near[j] - e->value[j])) : worth;
}

/* The step begins at g = 0 and is on its side in all samples, and dips below by no more than *dip: what leaves 0 like t^2 seems to do so, as the dense output of a one-step method has not quite the
   slope of y where it begins. */
static bool only_dips(struct tansy_solver *s, size_t j, double *dip)
{
    enum { PLACES = 40 };
    static const double between = 2; /* the places */
    struct events *const e = &s->events;
    bool const begins = fabs(e->begin[j]) <= DBL_EPSILON * events_size(e, j);
    size_t others = 0;
    for (size_t k = 0; k < e->switches; k++) others += k != j && e->begin[k] == 0;
    if (others > 0 && !derive_is_implicit(&s->derive)) return false; /* they wait for each other */
    if (e->softs > 0 || e->rows < 2 || !begins) return false;
    for (size_t i = 1; i < e->rows; i++)
        if (!(events_side(e, j, e->sample[i * e->switches + j]) > 0)) return false;
    double most = fabs(e->value[j]);
    for (int k = 1; k <= PLACES; k++) {
        double const t = s->before + ldexp(s->stepper.t - s->before, -k);
        if (events_evaluate(s, t, e->g_near) != 0) return false;
        most = fmax(most, -between * events_side(e, j, e->g_near[j]));
    }
    *dip = most;
    return true;
}

/* By how much f_near[i] and f_other[i] differ over many steps, or two values of an algebraic component. */
static double apart(const struct tansy_solver *s, size_t i)
{
    const struct events *const e = &s->events;
    double const time = events_counts(s, i) ? many_steps * fmax(e->stride, e->pace) : 1;
    return fabs(e->f_near[i] - e->f_other[i]) * time;
}

/* With the modes as they are and with those of mode_probe y is, with y off by this share of atol. */
static bool is_same_state(struct tansy_solver *s, double t, double share, double tolerances)
{
    struct events *const e = &s->events;
    if (e->y_from) memcpy(e->y_set_out, e->y_from, s->n * sizeof *e->y_from);
    shake(s, share);
    events_set_out(s);
    bool const known = events_solution_with(s, t, e->mode, e->f_near) &&
                       events_solution_with(s, t, e->mode_probe, e->f_other);
    memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
    if (e->y_from) memcpy(e->y_from, e->y_set_out, s->n * sizeof *e->y_from);
    size_t i = 0;
    while (i < s->n && apart(s, i) <= tolerances * tolerances_allow(&s->tolerances, i, s->y0[i]))
        i++;
    return known && i == s->n;
}

/* The same of S. */
static bool are_same_columns(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    if (s->ns == 0) return true;
    bool const known =
        events_is_known(e, events_look_nearby(s, t, e->mode, e->f_near, e->g_near)) &&
        events_is_known(e, events_look_nearby(s, t, e->mode_probe, e->f_other, e->g_near));
    size_t i = 0;
    while (i < s->n && apart(s, i) <= events_bearable_nearby(s, i, usual)) i++;
    return known && i == s->n;
}

/* Of `z > 0 and x > 0`, both at 0, each alone does nothing, and both do: g_j is turned with those turned that are at 0, too. */
static bool hangs_with_others(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    size_t others = 0;
    memcpy(e->mode_alone, e->mode, e->switches * sizeof *e->mode);
    for (size_t k = 0; k < e->switches; k++) {
        if (k == j || !e->from_zero[k] || !(fabs(e->value[k]) <= events_atol_of(s, t, k))) continue;
        e->mode[k] = 1 - e->mode[k];
        others++;
    }
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    e->mode_probe[j] = 1 - e->mode[j];
    bool const hangs = others > 0 && !is_same_state(s, t, 0, vanishing);
    memcpy(e->mode, e->mode_alone, e->switches * sizeof *e->mode);
    derive_set_modes(&s->derive);
    return hangs;
}

bool events_hide(struct tansy_solver *s, double t, size_t j, bool far)
{
    struct events *const e = &s->events;
    bool const implicit = derive_is_implicit(&s->derive);
    if (!s->started || e->stride == 0) return false;
    if ((far || implicit) && !e->from_zero[j])
        return false; /* x < c with c far below atol is a crossing, and x may grow */
    double const worth = worth_of_atol(s, t, j);
    double size = events_size(e, j);
    bool const dips = only_dips(s, j, &size);
    double const band = fmax(far_below * worth, size);
    if (!(size <= (far && !dips ? far_below : 1) * worth) || band <= e->band[j]) return false;
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    e->mode_probe[j] = 1 - e->mode[j];
    if (!events_jump_vanishes(s, t, j, e->mode_probe)) return false;
    double const most = dips ? many_steps : bearable; /* it is held for this step alone */
    if (!is_same_state(s, t, 0, vanishing) || !is_same_state(s, t, band / worth, most) ||
        !are_same_columns(s, t) || hangs_with_others(s, t, j))
        return false;
    e->band[j] = band;
    e->hiddens += !e->hidden[j];
    e->hidden[j] = true;
    return true;
}

/* The leader crosses in the dense output, by no more than that is wrong, but consistent values drive it back to its side: of an
   algebraic variable that is equal to another but for errors, z > x with 0 = z - x; of y' = f, where all that was seen of g are errors far below atol. */
static bool is_unfounded(struct tansy_solver *s, double t)
{
    static const double no_height = 1e-6; /* against its largest value */
    const struct events *const e = &s->events;
    size_t const j = e->leader;
    if (events_is_grazing(s, j, e->rate[j])) return false;
    double const moves = events_side(e, j, s->direction * e->rate[j]), size = fabs(e->value[j]);
    if (!(moves > 0)) return false;
    if (size <= no_height * e->seen[j]) return true;
    return s->derive.form == FORM_ODE &&
           fmax(size, events_size(e, j)) <= far_below * worth_of_atol(s, t, j);
}

bool events_stay_behind(struct tansy_solver *s, double t)
{
    static const double no_more = 0.25; /* of one that is held: else its band outgrows it */
    struct events *const e = &s->events;
    size_t const j = e->leader;
    bool const unfounded = is_unfounded(s, t), hidden = events_hide(s, t, j, !unfounded);
    if (hidden || !unfounded) return hidden;
    bool const again = e->band[j] > 0 && !derive_is_implicit(&s->derive);
    double const size = fmax(e->left, fabs(e->value[j]));
    events_hold_still(s, t, j, again ? no_more * size : size);
    return true;
}

static void release(struct events *e, size_t j)
{
    e->band[j] = 0;
    e->hidden[j] = false;
    e->hiddens--;
}

void events_look_at_hidden(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const t = solver_now(s);
    for (size_t j = 0; j < e->switches; j++) {
        if (e->hidden[j] && !(fabs(e->sample[j]) <= e->band[j])) release(e, j);
        e->mode_probe[j] = e->hidden[j] ? 1 - e->mode[j] : e->mode[j];
    }
    if (e->hiddens == 0) return;
    solver_output(s, t, 0, s->y0, s->sens0);
    events_set_out(s);
    if (is_same_state(s, t, 0, bearable) && are_same_columns(s, t)) return;
    for (size_t j = 0; j < e->switches; j++)
        if (e->hidden[j]) release(e, j);
}
