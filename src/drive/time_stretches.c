/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that pass no pulse of time.  Where f is at rest, or as it always is, up to a pulse a(t), steps grow, and one of them ends beyond it, or
   has all its stages beside it: no error estimate sees what f was not asked for.  So the terms of f that depend on time alone are
   looked at by interval arithmetic (time_ranges.c) over a window ahead, which is halved where one of them moves by more than a
   little of its range, and the step is shortened so that none moves by more than STRETCH_MOST of its range between two times at
   which the step looks at f.  It lands inside the pulse, or the edge, and the error test does the rest.  A pulse of
   width w costs log2(window/w) halvings; sin(t) allows rk8 steps of 0.9 periods and multistep methods those of a quarter, more
   than their errors do.  What moves by little in a gap of the longest step asked for so far needs no halving, so that where steps are short
   beside the scale of f, one look does for the whole window.  Windows double, as the end of the run is not known.
   A movement is counted against the range over the past and 8 steps ahead at least: one that goes on evenly is small there. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

/* Steps of the length at hand; so much longer they may become until the next look. */
static const double ahead = 8;

/* How exact the sum of movements is kept, in ranges, and the length of a step. */
static const double exact = 0.02;

/* At each term in a window: 40 for a pulse of 1e-5 of it, which has five knots and more.  After them cells are taken as they are. */
enum { MOST_LOOKS = 8 * STRETCH_KNOTS };

enum { NO_ROOM = 1 }; /* for a knot */

void stretches_layout(struct tansy_solver *s, struct arena *arena)
{
    struct stretches *const x = &s->stretches;
    size_t const probes = s->options.time_probes > 0 ? 1 : 0;
    x->terms = s->problem.time_terms + probes;
    if (x->terms == 0) return;
    x->mode_count = s->problem.time_modes ? derive_length(&s->problem) - s->np : 0;
    ARENA_TAKE(arena, x->range, x->terms);
    ARENA_TAKE(arena, x->active, x->terms);
    x->u = arena_doubles(arena, STRETCH_KNOTS);
    x->moved = arena_doubles(arena, STRETCH_KNOTS);
    x->modes = arena_doubles(arena, x->mode_count);
    probes_layout(s, arena);
}

void stretches_forget(struct tansy_solver *s)
{
    struct stretches *const x = &s->stretches;
    x->knots = 0;
    x->probes.u = nan("");
    ranges_forget(x->range, x->terms);
    if (x->probes.count > 0) ranges_forget(x->probes.range, s->n);
}

/* The last knot is not needed: without it the sum is off by less than it may be. */
static bool is_flat(struct stretches *x, double u, double moved)
{
    size_t const k = x->knots;
    if (k < 2) return false;
    double const share = (x->u[k - 1] - x->u[k - 2]) / (u - x->u[k - 2]);
    double const there = x->moved[k - 2] + share * (moved - x->moved[k - 2]);
    double const off = fabs(there - x->moved[k - 1]);
    bool const small = x->slack + off <= exact;
    x->slack = small ? x->slack + off : 0;
    return small;
}

/* False: there is no room for it. */
static bool add_knot(struct stretches *x, double u, double moved)
{
    if (is_flat(x, u, moved)) x->knots--;
    if (x->knots == STRETCH_KNOTS) return false;
    x->u[x->knots] = u;
    x->moved[x->knots++] = moved;
    return true;
}

/* Terms that move by little over the cell, or in the longest gap, leave the active ones; a cell without is a knot. */
static int look_at_cell(struct tansy_solver *s, struct cell *cell, bool is_least)
{
    struct stretches *const x = &s->stretches;
    double const length = cell->to - cell->from;
    for (size_t i = cell->active; i-- > 0;) {
        size_t const k = x->active[i];
        struct movement m = {0};
        int const code = ranges_move(s, k, cell->from, cell->to, &m);
        if (code != 0) return code;
        if (is_least) m.share = fmin(m.share, 1); /* a jump, or no bounds */
        bool const little = m.share <= STRETCH_LITTLE || m.rate * x->longest <= STRETCH_MOST;
        if (!little && !is_least) continue;
        cell->rate = fmax(cell->rate, m.share / length);
        x->active[i] = x->active[--cell->active];
        x->active[cell->active] = k;
    }
    if (cell->active > 0) return 0;
    return add_knot(x, cell->to, x->moved[x->knots - 1] + cell->rate * length) ? 0 : NO_ROOM;
}

int stretches_halve(struct tansy_solver *s, struct cell window, stretch_look *look)
{
    double const least =
        fmax(ldexp(window.to - window.from, -STRETCH_HALVINGS), s->control.min_step);
    struct cell stack[STRETCH_HALVINGS + 2] = {window};
    size_t looks =
        window.active * MOST_LOOKS + 4 * s->stretches.probes.count; /* halves of halves */
    size_t cells = 1;
    while (cells > 0) {
        struct cell cell = stack[--cells];
        bool const is_least = looks < cell.active || cell.to - cell.from <= least;
        looks -= is_least ? 0 : cell.active;
        int const code = look(s, &cell, is_least);
        if (code != 0) return code;
        if (cell.active == 0) continue;
        struct cell half = cell;
        cell.from = half.to = half.from + (cell.to - half.from) / 2;
        stack[cells++] = cell.is_backward ? half : cell;
        stack[cells++] = cell.is_backward ? cell : half;
    }
    return 0;
}

/* From its beginning on, until the window ends or the knots are used up; a code. */
static int divide(struct tansy_solver *s, double from, double to)
{
    struct stretches *const x = &s->stretches;
    for (size_t k = 0; k < x->terms; k++) x->active[k] = k;
    x->knots = 0;
    x->slack = 0;
    (void)add_knot(x, from, 0);
    int const code =
        stretches_halve(s, (struct cell){.from = from, .to = to, .active = x->terms}, look_at_cell);
    return code == NO_ROOM ? 0 : code;
}

/* Where the next piece or the end makes what is beyond another matter. */
static double border(const struct tansy_solver *s)
{
    double end = HUGE_VAL, limit = 0;
    if (s->options.use_stop_time) end = s->direction * s->options.stop_time;
    if (s->problem.time_modes && s->events.breaks > 0 && events_next_break(s, &limit))
        end = fmin(end, s->direction * limit);
    return end;
}

/* All that is known is of other modes. */
static void compare_modes(struct tansy_solver *s)
{
    struct stretches *const x = &s->stretches;
    size_t const bytes = x->mode_count * sizeof *x->modes;
    if (bytes == 0 || memcmp(x->modes, s->p + s->np, bytes) == 0) return;
    memcpy(x->modes, s->p + s->np, bytes);
    x->knots = 0;
}

/* Looks at a window from u on, in which steps are h and somewhat longer; a code. */
static int look(struct tansy_solver *s, double u, double h, double target)
{
    struct stretches *const x = &s->stretches;
    double const run = u - s->direction * s->t0;
    double const beyond = x->probes.count > 0 ? 0 : ahead * h; /* these are for what is asked */
    double const length = fmax(fmax(beyond, run), s->direction * target - u);
    double const end = fmin(u + length, border(s));
    int const code = ranges_widen(s, u, end);
    x->longest = ahead * x->gap * h;
    return code == 0 ? divide(s, u, end) : code;
}

/* The knot at or before u, which is not before the first nor behind the last, but the last. */
static size_t knot_before(const struct stretches *x, const double *row, double value)
{
    size_t low = 0, high = x->knots - 1;
    while (high - low > 1) {
        size_t const middle = low + (high - low) / 2;
        *(row[middle] <= value ? &low : &high) = middle;
    }
    return low;
}

static double moved_to(const struct stretches *x, double u)
{
    size_t const k = knot_before(x, x->u, u);
    double const share = (u - x->u[k]) / (x->u[k + 1] - x->u[k]);
    return x->moved[k] + fmin(fmax(share, 0), 1) * (x->moved[k + 1] - x->moved[k]);
}

/* The movement in the stretch [from, to], cut where it leaves [u, end]. */
static double movement(const struct stretches *x, double u, double end, double from, double to)
{
    return moved_to(x, fmin(to, end)) - moved_to(x, fmax(from, u));
}

/* In no gap of a step from u to end do they move by too much: the sum is linear between knots, so it is largest in a gap that begins or
   ends at one, or at an end of the step. */
static bool passes(const struct stretches *x, double u, double end)
{
    double const gap = x->gap * (end - u);
    double most = fmax(movement(x, u, end, u, u + gap), movement(x, u, end, end - gap, end));
    for (size_t k = knot_before(x, x->u, u) + 1; k < x->knots && x->u[k] < end; k++) {
        most = fmax(most, movement(x, u, end, x->u[k], x->u[k] + gap));
        most = fmax(most, movement(x, u, end, x->u[k] - gap, x->u[k]));
    }
    return most <= STRETCH_MOST;
}

/* Where they have moved by as much as they may in all. */
static double reach(const struct stretches *x, double u)
{
    double const moved = moved_to(x, u) + STRETCH_MOST;
    size_t const k = knot_before(x, x->moved, moved);
    double const share = (moved - x->moved[k]) / (x->moved[k + 1] - x->moved[k]);
    return x->u[k] + share * (x->u[k + 1] - x->u[k]);
}

/* The end of the longest step that passes. */
static double farthest(const struct stretches *x, double u, double end)
{
    double near = reach(x, u), far = end;
    for (int k = 0; k < STRETCH_HALVINGS && far - near > exact * (near - u); k++) {
        double const middle = near + (far - near) / 2;
        *(passes(x, u, middle) ? &near : &far) = middle;
    }
    return near;
}

tansy_status stretches_bound(struct tansy_solver *s, double target, double *h)
{
    struct stretches *const x = &s->stretches;
    double const u = s->direction * s->stepper.t;
    if (x->terms == 0) return TANSY_OK;
    if (x->method != s->stepper.method || x->order != s->stepper.order) {
        x->method = s->stepper.method;
        x->order = s->stepper.order;
        x->gap = method_widest_gap(x->method, x->order);
    }
    compare_modes(s);
    double const end = fmin(u + *h, border(s));
    if (!(end > u)) return TANSY_OK;
    bool const known = x->knots > 1 && u >= x->u[0] && end <= x->u[x->knots - 1] &&
                       x->gap * (end - u) <= x->longest;
    int const code = known ? 0 : look(s, u, *h, target);
    if (code != 0) return solver_fail_here(s, code);
    double const last = fmin(end, x->u[x->knots - 1]); /* where knots were used up, no farther */
    if (moved_to(x, last) - moved_to(x, u) <= STRETCH_MOST || passes(x, u, last)) {
        if (last < end) *h = last - u;
        return TANSY_OK;
    }
    *h = fmax(farthest(x, u, last) - u, s->control.min_step);
    return TANSY_OK;
}
