/* SPDX-License-Identifier: Apache-2.0 */
/* Switches that stay at their surface, g_j = 0 with no rate: max(a, b) with a = b.  Their modes are a matter of taste as long as
   p is what it is, and S is one-sided if it depends on them.  Whether it does is seen from f at a point nearby,
   (y + d s, p + d u) with a little of every column: with all other modes frozen f is smooth, so that what is the same there with
   both modes is so everywhere on the piece.  The same for the g of what crosses later, if f jumps there. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum { MOST_AT_ONCE = 5 }; /* switches whose modes are tried in all combinations */

const double events_nearness = 1e-5;
static const double same = 1e-12;         /* relative difference of two f there, */
static const double same_implicit = 1e-9; /* and of two that Newton's method finds */
static const double no_rate = 1e-9;       /* of g_t + g_y |f| */
static const double of_small_columns =
    1e-2; /* what is promised of a small S (DESIGN 12) is 0.1 rtol |y|/p, or 100 atol/p */

void events_layout_flat(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    e->y_near = arena_doubles(arena, s->n);
    e->f_near = arena_doubles(arena, s->n);
    e->f_other = arena_doubles(arena, s->n);
    e->g_near = arena_doubles(arena, e->switches);
    e->g_other = arena_doubles(arena, e->switches);
    e->p_kept = arena_doubles(arena, s->derive.length);
    ARENA_TAKE(arena, e->flat, e->switches);
    ARENA_TAKE(arena, e->told, e->switches);
    ARENA_TAKE(arena, e->leaning, e->switches);
    e->f_before = arena_doubles(arena, s->n);
}

/* y_near, and p with the rest of it as it is; p_kept is what it was. */
static void move_away(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    const struct derive *const d = &s->derive;
    memcpy(e->p_kept, s->p, d->length * sizeof *s->p);
    memcpy(e->y_near, s->y0, s->n * sizeof *e->y_near);
    for (size_t k = 0; k < s->ns; k++) {
        double const x = (double)(k + 1) * 0.61803398874989485;
        double const part = events_nearness * s->tolerances.scale[k] * (0.5 + x - floor(x));
        for (size_t i = 0; i < s->n; i++) e->y_near[i] += part * s->sens0[k * s->n + i];
        for (size_t x1 = d->direction_start[k]; x1 < d->direction_start[k + 1]; x1++)
            s->p[d->direction_row[x1]] += part * d->direction_value[x1];
    }
}

static void move_back(struct tansy_solver *s)
{
    memcpy(s->p, s->events.p_kept, s->derive.length * sizeof *s->p);
    derive_set_parameters(&s->derive);
}

int events_look_nearby(struct tansy_solver *s, double t, const double *mode, double *f, double *g)
{
    struct events *const e = &s->events;
    move_away(s);
    if (mode != e->mode) memcpy(e->mode, mode, e->switches * sizeof *mode);
    derive_set_parameters(&s->derive);
    double *const here = s->y0;
    s->y0 = e->y_near;
    int code = solver_slope(s, t, f);
    s->y0 = here;
    for (size_t i = 0; i < s->n; i++)
        if (!events_counts(s, i)) f[i] = e->y_near[i];
    if (code == 0) code = derive_switch(&s->derive, 0, t, e->y_near, g);
    move_back(s);
    return code;
}

/* The same; false: they have no values there, or want to stop. */
static bool look_nearby(struct tansy_solver *s, double t, const double *mode, double *f, double *g)
{
    int const code = events_look_nearby(s, t, mode, f, g);
    return events_is_known(&s->events, code) && events_all_have_values(s);
}

static bool differ(const struct tansy_solver *s, double a, double b)
{
    double const rounding = s->events.y_from ? same_implicit : same;
    return !(fabs(a - b) <= rounding * (fabs(a) + fabs(b)));
}

/* Two f differ. */
static bool differ_rates(const struct tansy_solver *s, const double *f, const double *other)
{
    size_t i = 0;
    while (i < s->n && !(events_counts(s, i) && differ(s, f[i], other[i]))) i++;
    return i < s->n;
}

double events_bearable_nearby(const struct tansy_solver *s, size_t i, double of_y)
{
    static const double tolerances = 10;
    return tolerances * events_nearness * tolerances_allow(&s->tolerances, i, of_y * s->y0[i]);
}

/* So do two values of f_i, or of an algebraic component, by more than S shows in a hundred of the longest steps of late (cross_hidden.c): not where y and S have just begun to leave 0, as t^8 does. */
static bool differ_visibly(const struct tansy_solver *s, size_t i, double a, double b)
{
    double const longest = fmax(s->events.stride, s->events.pace), span = 100 * longest;
    double const time = events_counts(s, i) ? span : 1;
    double const most = events_bearable_nearby(s, i, of_small_columns);
    return differ(s, a, b) && (span == 0 || !(fabs(a - b) * time <= most));
}

/* f nearby, or an algebraic component, is another one with these modes. */
static bool matters(struct tansy_solver *s, double t, const double *mode)
{
    struct events *const e = &s->events;
    if (!look_nearby(s, t, mode, e->f_other, e->g_other)) return true;
    size_t i = 0;
    while (i < s->n && !differ_visibly(s, i, e->f_near[i], e->f_other[i])) i++;
    return i < s->n;
}

/* f depends on the mode of j, and of what jumps with it. */
static bool flat_matters(struct tansy_solver *s, double t, size_t j)
{
    double *const mode = s->events.mode_probe;
    return !events_flip(s, t, j, mode) || matters(s, t, mode);
}

/* Turns those that stay and whose bit is set; the rest is as it is. */
static void choose(struct events *e, unsigned bits)
{
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    for (size_t j = 0; j < e->switches; j++) {
        if (!e->flat[j] || e->told[j]) continue;
        if (bits & 1) e->mode_probe[j] = 1 - e->mode[j];
        bits >>= 1;
    }
}

/* Turns all of them. */
static void choose_all(struct events *e)
{
    for (size_t j = 0; j < e->switches; j++)
        e->mode_probe[j] = e->flat[j] && !e->told[j] ? 1 - e->mode[j] : e->mode[j];
}

/* The modes of some that stay, `untold` in all, matter together, though none does alone. */
static bool some_matter(struct tansy_solver *s, double t, size_t untold)
{
    bool found = false;
    for (unsigned bits = 1; bits < 1U << untold && !found; bits++) {
        if ((bits & (bits - 1)) == 0) continue;
        choose(&s->events, bits);
        found = matters(s, t, s->events.mode_probe);
    }
    return found;
}

static size_t count_untold(const struct events *e)
{
    size_t untold = 0;
    for (size_t j = 0; j < e->switches; j++) untold += e->flat[j] && !e->told[j];
    return untold;
}

static void tell(struct events *e, double t, size_t j, ptrdiff_t why)
{
    e->told[j] = true;
    events_note(e, t, j, why);
    if (e->corners <= REMEMBERED) e->corner[e->corners - 1].mixed = true;
}

/* Of many that stay: neither does one alone matter, nor do all together. */
static bool none_matters(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    choose_all(e);
    bool found = matters(s, t, e->mode_probe);
    for (size_t j = 0; j < e->switches && !found; j++)
        found = e->flat[j] && !e->told[j] && flat_matters(s, t, j);
    return !found;
}

/* Tells those on whose modes f depends: on one at a time, or on several (together). */
static void judge(struct tansy_solver *s, double t, ptrdiff_t why, bool together)
{
    struct events *const e = &s->events;
    size_t const untold = count_untold(e);
    if (untold == 0) return;
    bool const known = look_nearby(s, t, e->mode, e->f_near, e->g_near);
    e->untold = untold;
    if (known && untold > MOST_AT_ONCE && none_matters(s, t)) return;
    bool all = untold > MOST_AT_ONCE || !known;
    for (size_t j = 0; j < e->switches; j++)
        if (e->flat[j] && !e->told[j] && (all || flat_matters(s, t, j))) tell(e, t, j, why);
    all = !all && together && some_matter(s, t, count_untold(e));
    for (size_t j = 0; j < e->switches && all; j++)
        if (e->flat[j] && !e->told[j]) tell(e, t, j, why);
    e->untold = count_untold(e);
}

/* moves[j] > 0 too where the columns move dg_j/dt, which is zero. */
static int find_moved_rates(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    memcpy(e->f_other, s->y0, s->n * sizeof *s->y0);
    move_away(s);
    memcpy(s->y0, e->y_near, s->n * sizeof *s->y0);
    derive_set_parameters(&s->derive);
    int code = solver_slope(s, t, e->f_near);
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->g_near);
    if (code == 0) code = events_rates(s, t, e->f_near, e->g_near, e->trial);
    for (size_t i = 0; i < s->n; i++) e->f_near[i] = fabs(e->f_near[i]);
    if (code == 0) code = events_rates(s, t, e->f_near, e->g_near, e->g_other);
    memcpy(s->y0, e->f_other, s->n * sizeof *s->y0);
    move_back(s);
    for (size_t j = 0; j < e->switches && code == 0; j++)
        if (fabs(e->trial[j]) > no_rate * fabs(e->g_other[j])) e->moves[j] = 1;
    return code;
}

/* What roundings of y are worth in g, and this share of atol: into e->g_other; g in e->value. */
static bool find_blur(struct tansy_solver *s, double t, double share)
{
    static const double roundings = 64 * DBL_EPSILON;
    struct events *const e = &s->events;
    memset(e->f_near, 0, s->n * sizeof *e->f_near);
    if (!events_is_known(e, events_rates(s, t, e->f_near, e->value, e->rate_probe))) return false;
    for (size_t i = 0; i < s->n; i++) {
        double const x = (double)(i + 1) * 0.61803398874989485;
        e->f_near[i] =
            (share * s->tolerances.atol[i] + roundings * fabs(s->y0[i])) * (0.5 + x - floor(x));
    }
    if (!events_is_known(e, events_rates(s, t, e->f_near, e->value, e->g_other))) return false;
    for (size_t j = 0; j < e->switches; j++) e->g_other[j] = fabs(e->g_other[j] - e->rate_probe[j]);
    return true;
}

/* Those whose g is by now more than roundings, and a little of atol, so that f itself shows it no sooner, have left their surface. */
static void drop_those_that_left(struct tansy_solver *s, double t)
{
    static const double little = 1e-7;
    struct events *const e = &s->events;
    if (!find_blur(s, t, little)) return;
    for (size_t j = 0; j < e->switches; j++)
        if (!e->told[j] && fabs(e->value[j]) > fmax(e->band[j], e->g_other[j])) e->flat[j] = false;
}

/* Of those that stayed: one that was turned where g is but rounding, and would not leave that in a step, may stay on: true if there are such, to be looked at again after a step. */
static bool drop_those_that_leave(struct tansy_solver *s, double t, const double *rate,
                                  bool bounded)
{
    struct events *const e = &s->events;
    double const step = fmax(e->stride, e->pace);
    bool const known = count_untold(e) > 0 && find_blur(s, t, 0);
    bool any = false;
    for (size_t j = 0; j < e->switches; j++) {
        double const size = fmax(fabs(e->value[j]), fabs(rate[j]) * step);
        bool const here = known && e->turned[j] && !e->told[j] && size <= e->g_other[j];
        bool const stays = events_stays(e, j, rate, bounded);
        any = any || (e->flat[j] && here && !stays);
        e->flat[j] = e->flat[j] && (here || stays);
    }
    return any;
}

void events_corner_stays(struct tansy_solver *s, double t, const double *rate, ptrdiff_t why)
{
    struct events *const e = &s->events;
    bool const bounded = events_point_bounds(s, t);
    bool known = false;
    bool const waits = drop_those_that_leave(s, t, rate, bounded);
    for (size_t j = 0; j < e->switches; j++) {
        bool const flat = e->flat[j] || events_stays(e, j, rate, bounded);
        if (flat && !e->flat[j]) {
            if (!known && (!events_is_known(e, events_find_moves_either_way(s, t, rate)) ||
                           !events_is_known(e, find_moved_rates(s, t))))
                return;
            known = true;
            e->flat[j] = e->moves[j] != 0;
            e->told[j] = false;
        }
    }
    e->untold = waits ? count_untold(e) : 0;
    e->since = 0;
    if (!waits) judge(s, t, why, true);
}

/* At the first point y may have special values; and what jumps with a mode may do so later.  Together at steps 1, 2, 4, 8, ... */
void events_corner_flat_later(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const t = solver_now(s);
    e->since++;
    solver_output(s, t, 0, s->y0, s->sens0);
    events_set_out(s);
    if (!events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->value))) return;
    drop_those_that_left(s, t);
    judge(s, t, CORNER_FLAT, (e->since & (e->since - 1)) == 0);
}

/* The g of something that crosses is another one nearby with the modes in mode_probe. */
static bool leans(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    bool found = !look_nearby(s, t, e->mode_probe, e->f_other, e->g_other);
    for (size_t i = 0; i < e->switches && !found; i++)
        found = e->crossing[i] && differ(s, e->g_near[i], e->g_other[i]);
    return found;
}

/* Of many that stay: neither does it hang on one alone, nor on all together. */
static bool none_leans(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    choose_all(e);
    bool found = leans(s, t);
    for (size_t j = 0; j < e->switches && !found; j++) {
        if (!e->flat[j] || e->told[j]) continue;
        memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
        e->mode_probe[j] = 1 - e->mode[j];
        found = leans(s, t);
    }
    return !found;
}

void events_corner_flat_before(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    size_t const untold = count_untold(e);
    memset(e->leaning, 0, e->switches * sizeof *e->leaning);
    memcpy(e->f_before, e->f, s->n * sizeof *e->f);
    if (untold == 0) return;
    bool const known = look_nearby(s, t, e->mode, e->f_near, e->g_near);
    if (known && untold > MOST_AT_ONCE && none_leans(s, t)) return;
    bool const all = untold > MOST_AT_ONCE || !known;
    unsigned const end = all ? 2 : 1U << untold;
    for (unsigned bits = 1; bits < end; bits++) {
        choose(e, all ? ~0U : bits);
        if (!all && !leans(s, t)) continue;
        for (size_t j = 0; j < e->switches; j++)
            if (e->mode_probe[j] != e->mode[j] || (all && e->flat[j] && !e->told[j]))
                e->leaning[j] = true;
    }
}

void events_corner_flat_after(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    bool const jumps = differ_rates(s, e->f_before, e->f);
    for (size_t j = 0; j < e->switches && jumps; j++)
        if (e->leaning[j]) tell(e, t, j, CORNER_FLAT);
    events_corner_stays(s, t, e->rate_after, CORNER_FLAT);
}
