/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of implicit problems.  Algebraic variables, and what constraints fix of the others, follow the modes and the piece
   at once: at a switching point or a break g_j is a function of what does not jump,
     G_j(t, x; modes, piece) = g_j(t, y),   y consistent with x, the modes and the piece,
   and everything that is decided there is decided by G.  So a g that jumps to its other side because an algebraic variable does
   is turned with what made it jump, and moves with p as that does. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

static const double same_values = 1e-4; /* of the error weight: what Newton's method leaves */
static const double same_slopes = 1e-6; /* relative noise of slopes by differences */
static const double moved = 1e-3;       /* of a multiplier, to see which g depend on it */

void events_layout_consistent(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    if (!derive_is_implicit(&s->derive)) return;
    e->y_from = arena_doubles(arena, s->n);
    e->y_given = arena_doubles(arena, s->n);
    e->y_last = arena_doubles(arena, s->n);
    e->y_kept = arena_doubles(arena, s->n);
    e->f_here = arena_doubles(arena, s->n);
    ARENA_TAKE(arena, e->soft, e->switches);
}

void events_set_out(struct tansy_solver *s)
{
    if (s->events.y_from) memcpy(s->events.y_from, s->y0, s->n * sizeof *s->y0);
}

/* y0 is what it was but for rounding. */
static bool is_same(const struct tansy_solver *s)
{
    size_t i = 0;
    while (i < s->n &&
           fabs(s->y0[i] - s->events.y_last[i]) <= same_values * consistent_weight(s, i))
        i++;
    return i == s->n;
}

int events_slope(struct tansy_solver *s, double t, double *f)
{
    struct events *const e = &s->events;
    size_t const bytes = s->n * sizeof *s->y0;
    if (!e->y_from) {
        int const code = solver_slope(s, t, f);
        for (size_t i = 0; e->drifts && i < s->n; i++) f[i] += e->drift[i];
        return code;
    }
    memcpy(e->y_last, s->y0, bytes);
    memcpy(s->y0, e->y_from, bytes);
    int const code = solver_slope(s, t, f);
    if (code != 0 || is_same(s)) memcpy(s->y0, e->y_last, bytes);
    return code;
}

/* y' of the modes before the surface, a little before it, into e->f_near; *known: it is. */
static int look_before(struct tansy_solver *s, double t, double distance, bool *known)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double const before = t - s->direction * distance;
    events_keep(s);
    solver_output(s, before, 0, s->y0, NULL);
    int code = solver_slope(s, before, e->f_near);
    *known = code == 0;
    events_put_back(s);
    if (code >= 0) code = events_slope(s, t, e->f_here); /* matrices are those at t again */
    if (code < 0) return code;
    s->derive.worker[0].failure = failure;
    return 0;
}

/* y' at the surface, a little before it and ten times as far before it: what changes no more on the longer way than on the shorter one is rounding near the
   surface, and not y' of a stiff component. */
static bool is_noise(double at, double near, double far)
{
    return fabs(at - near) > fabs(near - far);
}

/* y' of dense output at the surface into e->f_here, and how far y' is off it well before the surface into e->f_near: there it is as exact as f is, which
   for stiff components is not very. */
static int look_well_before(struct tansy_solver *s, double t, double distance, bool *known)
{
    struct events *const e = &s->events;
    int const code = look_before(s, t, distance, known);
    solver_output(s, t - s->direction * distance, 1, e->f_here, NULL);
    for (size_t i = 0; i < s->n; i++) e->f_near[i] = fabs(e->f_near[i] - e->f_here[i]);
    solver_output(s, t, 1, e->f_here, NULL);
    return code;
}

static const double close_by = 1e-6; /* of a step: how near to the surface y' is looked at, */
static const double rough = 1e-5;    /* and what smoothness allows it to change by there */
static const double matters = 1e-2;  /* error weights, in a step */

/* Whether y' before the surface may be but rounding, by one solution with K at the surface, where y' is f:
     K (dy', dz) = r(t - d, y - d y'(dense), f) - r(t, y, f)
   is what y' changes by on the way there.  True where that cannot be had, too. */
static int may_be_rough(struct tansy_solver *s, double t, double h, bool *may)
{
    struct events *const e = &s->events;
    struct consistent *const c = &s->consistent;
    struct failure const failure = s->derive.worker[0].failure;
    double const before = t - s->direction * close_by * h;
    size_t const bytes = s->n * sizeof *e->f_near;
    *may = true;
    if (c->coupled.n > 0 || memcmp(c->yp, e->f, bytes) != 0) return 0;
    solver_output(s, t, 0, e->f_probe, NULL);
    solver_output(s, before, 0, e->f_near, NULL);
    for (size_t i = 0; i < s->n; i++) e->f_near[i] += s->y0[i] - e->f_probe[i];
    struct point const at = {.t = t, .y = s->y0, .yp = e->f};
    struct point const near = {.t = before, .y = e->f_near, .yp = e->f};
    int code = derive_value(&s->derive, 0, &at, e->f_first);
    if (code == 0) code = derive_value(&s->derive, 0, &near, c->delta);
    for (size_t i = 0; i < s->n; i++) c->delta[i] -= e->f_first[i];
    memset(c->dy, 0, bytes);
    if (code == 0) code = consistent_solve_finely(s, NULL, c->delta, NULL, c->dy);
    s->derive.worker[0].failure = failure;
    if (code != 0) return code < 0 ? code : 0;
    *may = false;
    for (size_t i = 0; i < s->n; i++) {
        double const jump = 2 * fabs(c->dy[i]); /* linear, and so to a factor of 2 */
        if (!events_counts(s, i) || jump * h <= matters * consistent_weight(s, i)) continue;
        if (!(jump <= rough * fabs(e->f_here[i]))) *may = true;
    }
    return 0;
}

/* y' before the surface, in e->f, is far off that of dense output, in e->f_here. */
static bool is_far_off(const struct tansy_solver *s, size_t i, double h)
{
    static const double most = 20; /* error weights, in a step: dense output is better than that */
    static const double other = 1e-2;
    const struct events *const e = &s->events;
    double const off = fabs(e->f[i] - e->f_here[i]);
    return off > other * fabs(e->f_here[i]) && off * h > most * consistent_weight(s, i);
}

/* Nearly everywhere y' is near that of dense output, and changes as it should: that is told by two values of F. */
static int is_suspicious(struct tansy_solver *s, double t, double h, bool *suspicious)
{
    *suspicious = false;
    solver_output(s, t, 1, s->events.f_here, NULL);
    for (size_t i = 0; i < s->n; i++)
        if (events_counts(s, i) && is_far_off(s, i, h)) *suspicious = true;
    return *suspicious ? 0 : may_be_rough(s, t, h, suspicious);
}

int events_check_before(struct tansy_solver *s, double t)
{
    static const double well_before = 1e-2, better = 0.1;
    struct events *const e = &s->events;
    double const h = fabs(s->stepper.t - s->before);
    bool strange = false, near = false, far = false, well = false, suspicious = false;
    if (!e->y_from || s->ns == 0 || s->consistent.multipliers > 0) return 0;
    int code = is_suspicious(s, t, h, &suspicious);
    if (code != 0 || !suspicious) return code;
    code = look_before(s, t, close_by * h, &near);
    memcpy(e->f_probe, e->f_near, s->n * sizeof *e->f_probe);
    if (code == 0) code = look_before(s, t, 10 * close_by * h, &far);
    memcpy(e->f_first, e->f_near, s->n * sizeof *e->f_first);
    if (code == 0) code = look_well_before(s, t, well_before * h, &well);
    if (code != 0) return code;
    for (size_t i = 0; i < s->n; i++) {
        double const w = consistent_weight(s, i), off = fabs(e->f[i] - e->f_here[i]);
        double const jump = fabs(e->f[i] - e->f_probe[i]);
        bool const is_rough = jump > rough * fabs(e->f_here[i]) && jump * h > matters * w;
        bool const noise =
            near && far && is_rough && is_noise(e->f[i], e->f_probe[i], e->f_first[i]);
        if (!events_counts(s, i) || !(is_far_off(s, i, h) || noise)) continue;
        if (!well || e->f_near[i] > better * off) continue; /* it is as far off as ever */
        strange = true;
        e->f[i] = e->f_here[i];
    }
    if (strange) events_note_loss(e, t, e->leader);
    return 0;
}

int events_values(struct tansy_solver *s, double t, double *g)
{
    struct events *const e = &s->events;
    int const code = e->y_from ? events_slope(s, t, e->f_here) : 0;
    if (code < 0) return code;
    s->derive.worker[0].failure.kind = FAILURE_NONE; /* modes on the way may have no y */
    return derive_switch(&s->derive, 0, t, s->y0, g);
}

tansy_status events_renew(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    if (!e->y_from) return TANSY_OK;
    int const code = events_slope(s, t, e->f_here);
    if (code != 0) return solver_fail_here(s, code);
    if (s->ns > 0) TRY(solver_consistent_columns(s, t));
    events_set_out(s);
    return TANSY_OK;
}

void events_keep(struct tansy_solver *s)
{
    if (s->events.y_from) memcpy(s->events.y_kept, s->y0, s->n * sizeof *s->y0);
}

void events_put_back(struct tansy_solver *s)
{
    if (s->events.y_from) memcpy(s->y0, s->events.y_kept, s->n * sizeof *s->y0);
}

int events_tangent(struct tansy_solver *s, double t, double *v)
{
    return s->events.y_from ? consistent_tangent(s, t, v) : 0;
}

bool events_differ(const struct tansy_solver *s, double a, double b)
{
    if (!s->events.y_from) return a != b;
    return !(fabs(a - b) <= same_slopes * (fabs(a) + fabs(b)));
}

/* Of g_j that depends on multipliers values count for as long as it does; then bounds again. */
static void set_soft(struct tansy_solver *s, size_t j, bool soft)
{
    struct events *const e = &s->events;
    e->soft[j] = soft;
    e->softs += soft;
    events_by_values(e, j, soft || s->derive.blind[j]);
}

int events_find_soft(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    e->softs = 0;
    if (!e->y_from || e->switches == 0) return 0;
    if (s->consistent.multipliers == 0) {
        for (size_t j = 0; j < e->switches; j++) set_soft(s, j, false);
        return 0;
    }
    events_keep(s);
    int code = derive_switch(&s->derive, 0, t, s->y0, e->low);
    for (size_t i = 0; i < s->n; i++)
        if (s->consistent.kind[i] == TANSY_INDEX_2) s->y0[i] += moved * (1 + fabs(s->y0[i]));
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->trial);
    events_put_back(s);
    for (size_t j = 0; j < e->switches && code >= 0; j++)
        set_soft(s, j, code > 0 || e->low[j] != e->trial[j]);
    return code < 0 ? code : 0;
}

bool events_counts(const struct tansy_solver *s, size_t i)
{
    return !s->events.y_from || s->consistent.kind[i] == TANSY_DIFFERENTIAL;
}
