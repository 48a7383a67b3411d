/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that have no value, sqrt(x) > 1.1 in `x > 0 and sqrt(x) > 1.1` while x < 0.  Where all modes are as they should be and
   f and the other g are the same whether such a condition holds or not, nothing depends on it: it is blind, does not hold, and
   is watched again when it has a value.  Else the run ends there.  While modes are being decided one that has no value does not
   hold either: those below it may not be known yet. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/providers.h"
#include "drive/solver.h"

static const double near = 1e-6; /* of the size of g: at its surface */

void events_by_values(struct events *e, size_t j, bool only)
{
    bool const was = e->vague[j] == UINT_MAX;
    if (only && e->vague[j] == 0) e->vagues++;
    if (!only && was) e->vagues--;
    if (only || was) e->vague[j] = only ? UINT_MAX : 0;
}

bool events_all_have_values(const struct tansy_solver *s)
{
    const struct derive *const d = &s->derive;
    size_t j = 0;
    while (j < d->switches && (!d->missing[j] || d->blind[j])) j++;
    return j == d->switches;
}

/* y', and g, with the modes as they are; or at a point nearby. */
static int look(struct tansy_solver *s, double t, bool nearby, double *f, double *g)
{
    if (nearby) return events_look_nearby(s, t, s->events.mode, f, g);
    derive_set_modes(&s->derive);
    int const code = events_slope(s, t, f);
    return code != 0 ? code : derive_switch(&s->derive, 0, t, s->y0, g);
}

/* All modes of e->asked. */
static void set_asked(struct events *e, double mode)
{
    for (size_t j = 0; j < e->switches; j++)
        if (e->asked[j]) e->mode[j] = mode;
}

/* *free: y' and g are the same whether all of e->asked hold or none.  A code: they have no value, or want to stop. */
static int try_both(struct tansy_solver *s, double t, bool nearby, bool *free)
{
    struct events *const e = &s->events;
    set_asked(e, 0);
    int code = look(s, t, nearby, e->f_first, e->g_from);
    set_asked(e, 1);
    if (code == 0) code = look(s, t, nearby, e->f_probe, e->g_other);
    set_asked(e, 0);
    *free = code == 0;
    for (size_t i = 0; i < s->n && *free; i++)
        *free = !events_differ(s, e->f_first[i], e->f_probe[i]);
    for (size_t i = 0; i < e->switches && *free; i++)
        *free = !events_differ(s, e->g_from[i], e->g_other[i]);
    return code;
}

/* *free: nothing depends on the modes of e->asked at (t, y0).  A code as above.  Columns may, where y' does not, as k w with k = 0 does: that is
   seen at a point nearby, if y' has values there. */
static int find_free(struct tansy_solver *s, double t, bool *free)
{
    int code = try_both(s, t, false, free);
    if (code == 0 && *free && s->ns > 0) {
        int const other = try_both(s, t, true, free);
        *free = *free || other > 0;
        if (other < 0) code = other;
        if (other > 0) s->derive.worker[0].failure.kind = FAILURE_NONE;
    }
    return code;
}

/* e->asked of trial k of those of e->unseen: one after the other, then several of them, as `sqrt(x) > 1 and log(x) < 2` depends on none alone. Of
   MANY and fewer all sets are tried; of more all together and those whose number has some binary digit, 1 or 0, so that any two of them
   are tried with all four modes.  False: there are no more. */
static bool next_trial(struct events *e, size_t count, size_t k)
{
    enum { MANY = 4 };
    size_t const sets = (size_t)1 << (count < MANY ? count : MANY);
    bool const few = count <= MANY;
    size_t rank = 0, digits = 0;
    while ((count - 1) >> digits > 0) digits++;
    if (k >= count + (count < 2 ? 0 : few ? sets : 1 + 2 * digits)) return false;
    for (size_t j = 0; j < e->switches; j++) {
        e->asked[j] = false;
        if (!e->unseen[j]) continue;
        size_t const set = k - count; /* from the ones alone on */
        if (k < count)
            e->asked[j] = rank == k;
        else if (few)
            e->asked[j] = set >> rank & 1;
        else
            e->asked[j] = set == 0 || (rank >> (set - 1) / 2 & 1) == (set - 1) % 2;
        rank++;
    }
    return true;
}

/* All sets of those that have no value, until something depends on one. */
static int try_missing(struct tansy_solver *s, double t, bool *free)
{
    struct events *const e = &s->events;
    size_t count = 0;
    int code = 0;
    for (size_t j = 0; j < e->switches; j++) count += e->unseen[j];
    if (count == 0) return 0;
    memcpy(e->mode_kept, e->mode, e->switches * sizeof *e->mode);
    events_keep(s);
    for (size_t k = 0; *free && code >= 0 && next_trial(e, count, k); k++) {
        code = find_free(s, t, free);
        events_put_back(s);
    }
    memcpy(e->mode, e->mode_kept, e->switches * sizeof *e->mode);
    derive_set_modes(&s->derive);
    return code;
}

/* Nothing depends on those that have no value at (t, y0), which e->unseen then are; else a code, with what is wrong: the first of e->asked. */
static int check_missing(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct derive *const d = &s->derive;
    bool free = true;
    size_t const bytes = e->switches * sizeof *e->unseen;
    memcpy(e->unseen, d->missing, bytes);
    d->lenient = true;
    int code = try_missing(s, t, &free);
    d->lenient = false;
    if (free || code < 0) return code;
    for (size_t j = 0; j < e->switches; j++) {
        e->wanted[j] = d->blind[j] && !e->asked[j];
        d->blind[j] = !e->asked[j];
    }
    code = derive_switch(d, 0, t, s->y0, e->g_from);
    memcpy(d->blind, e->wanted, bytes);
    return code;
}

/* What had no value on the way to these modes has one now, in e->g_from, on the side of its mode. */
static int check_doubted(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct derive *const d = &s->derive;
    for (size_t j = 0; j < e->switches; j++) {
        double const least = fmax(e->band[j], near * e->seen[j]);
        bool const wrong = events_side(e, j, e->g_from[j]) < -least;
        bool const leaves = e->turned[j] && e->seen[j] == 0; /* from where it starts */
        if (d->doubted[j] && !d->missing[j] && wrong && !leaves) e->g_from[j] = nan("");
        d->doubted[j] = false;
    }
    return judge(&d->worker[0], "switch_function", t, 0, e->switches, e->g_from);
}

int events_find_blind(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct derive *const d = &s->derive;
    bool turned = false;
    d->lenient = true;
    int code = derive_switch(d, 0, t, s->y0, e->g_from);
    if (code == 0) code = check_doubted(s, t);
    if (code == 0) code = check_missing(s, t);
    d->lenient = false;
    e->missed = false;
    e->blinds = 0;
    for (size_t j = 0; j < e->switches && code == 0; j++) {
        d->blind[j] = e->unseen[j];
        e->blinds += d->blind[j];
        turned = turned || (d->blind[j] && e->mode[j] != 0);
        if (d->blind[j]) e->mode[j] = 0;
        if (d->blind[j]) d->far[j] = 0; /* where it begins to have a value it may have no slope */
        events_by_values(e, j, d->blind[j] || (e->softs > 0 && e->soft[j]));
    }
    if (turned) derive_set_modes(d);
    return code;
}

int events_pass_missing(struct tansy_solver *s, double t, const double *y, double *g)
{
    struct events *const e = &s->events;
    const struct derive *const d = &s->derive;
    bool edge = false;
    if (events_all_have_values(s)) return 0;
    for (size_t j = 0; j < e->switches; j++) {
        e->unseen[j] = d->missing[j] && !d->blind[j];
        edge = edge || g[j] == 0;
        if (e->unseen[j]) g[j] = 0; /* on no side */
    }
    e->missed = true;
    if (edge || events_first_wrong(e, g) < e->switches)
        return 0; /* where another turns, or beyond */
    memcpy(s->y0, y, s->n * sizeof *y);
    events_set_out(s);
    return check_missing(s, t);
}

tansy_status events_look_again(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const t = solver_now(s);
    if (e->blinds == 0 && !e->missed) return TANSY_OK;
    solver_output(s, t, 0, s->y0, NULL);
    events_set_out(s);
    int const code = events_find_blind(s, t);
    if (code != 0) return solver_fail_here(s, code);
    for (size_t j = 0; j < e->switches; j++)
        if (s->derive.blind[j]) e->sample[j] = NO_SWITCH;
    return TANSY_OK;
}

bool events_open_eyes(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    struct derive *const d = &s->derive;
    bool turned = false;
    for (size_t j = 0; j < e->switches; j++) {
        if (!d->blind[j] || d->missing[j]) continue;
        double const holds = e->value[j] >= 0;
        turned = turned || holds != e->mode[j];
        d->blind[j] = false;
        e->mode[j] = holds;
    }
    if (!turned) return true;
    derive_set_modes(d);
    if (events_side(e, e->leader, e->value[e->leader]) < -e->band[e->leader]) return true;
    e->leader = events_first_wrong(e, e->value);
    if (e->leader == e->switches) e->leader = SIZE_MAX;
    if (e->leader == SIZE_MAX) return false;
    e->left = fmax(fabs(e->low[e->leader]), fabs(e->value[e->leader]));
    return true;
}
