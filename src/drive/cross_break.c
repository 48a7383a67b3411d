/* SPDX-License-Identifier: Apache-2.0 */
/* Corners at break times.  Where g_j passes zero as time passes a break, T(p) is on the piece before it for p to one side, and on the
   piece after it for p to the other (docs/switches.md).  With r = dg/dt, G = g_y s + g_p and d = f before the switch less f after it,
   all on the piece before (-) or after (+), S jumps by
     -d- G-/r-   or   -d+ G+/r+,
   which must be the same.  Where the signs of r- and r+ differ g only touches zero, and passes it twice or not at all; where g is zero
   on one piece alone it passes it for p to one side only: then d G must be 0. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

static const double same_f = 1e-9;    /* relative: no difference between two f */
static const double same_jump = 1e-6; /* relative difference of two jumps */
static const double stands = 1e-8;    /* of (dg/dy) s + dg/dp, against dg/dp */

static void lay_out(struct tansy_solver *s, struct arena *arena, struct break_side *side)
{
    size_t const switches = s->events.switches;
    side->mode = arena_doubles(arena, switches);
    side->rate = arena_doubles(arena, switches);
    side->G = arena_matrix(arena, switches, s->ns);
    side->jump = arena_doubles(arena, s->n);
    ARENA_TAKE(arena, side->here, switches);
}

void events_layout_break(struct tansy_solver *s, struct arena *arena)
{
    lay_out(s, arena, &s->events.near_side);
    lay_out(s, arena, &s->events.far_side);
}

/* Columns of G; what is left of dg/dp by cancellation is none. */
static int find_columns(struct tansy_solver *s, double t, struct break_side *side)
{
    struct events *const e = &s->events;
    struct point const at = {.t = t, .y = s->y0, .f = e->f};
    double *const V = s->stepper.panel_work[0].y;
    memset(side->G, 0, e->switches * s->ns * sizeof *side->G);
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct panel *const q = &s->shape[m];
        memset(V, 0, q->count * sizeof *V);
        int code = derive_switch_columns(&s->derive, &at, q, V, e->value, e->G_alone);
        panel_from_columns(q, s->n, s->sens0 + q->first * s->n, V);
        if (code == 0) code = derive_switch_columns(&s->derive, &at, q, V, e->value, e->G);
        if (code != 0) return code;
        for (size_t j = 0; j < e->switches; j++)
            for (size_t k = 0; k < q->columns; k++) {
                double const G = e->G[j * q->lanes + k];
                if (fabs(G) > stands * fabs(e->G_alone[j * q->lanes + k]))
                    side->G[j * s->ns + q->first + k] = G;
            }
    }
    return 0;
}

/* All of a side but jump, at (t, y0) with the modes and the piece as they are; g is in e->value. */
static void look_at_side(struct tansy_solver *s, double t, struct break_side *side)
{
    struct events *const e = &s->events;
    size_t const bytes = e->switches * sizeof *side->mode;
    e->soon = 4 * events_roundoff(t, s->stats.h_last);
    side->piece = e->piece;
    side->any = false;
    memcpy(side->mode, e->mode, bytes);
    side->known = events_is_known(e, events_slope(s, t, e->f)) &&
                  events_is_known(e, events_rates(s, t, e->f, e->value, e->rate));
    if (!side->known) return;
    memcpy(side->rate, e->rate, bytes);
    for (size_t j = 0; j < e->switches; j++) {
        side->here[j] = events_passes(e, j, e->rate);
        side->any = side->any || side->here[j];
    }
    if (side->any) side->known = events_is_known(e, find_columns(s, t, side));
}

void events_corner_before_break(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    e->near_side.known = false;
    if (s->ns > 0 && e->switches > 0) look_at_side(s, t, &e->near_side);
}

bool events_find_jump(struct tansy_solver *s, double t, size_t j, struct break_side *side)
{
    struct events *const e = &s->events;
    double const sign = side->mode[j] != 0 ? -1 : 1;
    if (!events_slope_with(s, t, side->mode, side->piece, e->f_first)) return false;
    if (!events_flip_on(s, t, j, side->mode, side->piece, e->mode_probe) ||
        !events_slope_with(s, t, e->mode_probe, side->piece, e->f_probe))
        return false;
    for (size_t i = 0; i < s->n; i++) {
        double const jump = sign * (e->f_first[i] - e->f_probe[i]);
        double const size = fabs(e->f_first[i]) + fabs(e->f_probe[i]);
        side->jump[i] = events_counts(s, i) && !(fabs(jump) <= same_f * size) ? jump : 0;
    }
    return true;
}

/* Some column moves g_j. */
static bool is_moved(const struct tansy_solver *s, size_t j, const struct break_side *side)
{
    size_t k = 0;
    while (k < s->ns && side->G[j * s->ns + k] == 0) k++;
    return k < s->ns;
}

/* A column moves g_j, which is zero on this side, and f depends on it there, or is not known. */
static bool jumps(struct tansy_solver *s, double t, size_t j, struct break_side *side)
{
    if (!is_moved(s, j, side)) return false;
    if (!events_find_jump(s, t, j, side)) return true;
    size_t i = 0;
    while (i < s->n && side->jump[i] == 0) i++;
    return i < s->n;
}

/* d- G-/r- = d+ G+/r+ in all columns, as far as rounding lets know. */
static bool same_jumps(const struct tansy_solver *s, size_t j)
{
    const struct break_side *const a = &s->events.near_side, *const b = &s->events.far_side;
    for (size_t k = 0; k < s->ns; k++)
        for (size_t i = 0; i < s->n; i++) {
            double const before = a->jump[i] * a->G[j * s->ns + k] / a->rate[j];
            double const after = b->jump[i] * b->G[j * s->ns + k] / b->rate[j];
            if (!(fabs(before - after) <= same_jump * (fabs(before) + fabs(after)))) return false;
        }
    return true;
}

/* g_j passes zero on one side of the break or on both, and S depends on which. */
static bool depends_on_order(struct tansy_solver *s, double t, size_t j)
{
    struct break_side *const a = &s->events.near_side, *const b = &s->events.far_side;
    bool const before = a->known && a->here[j] && jumps(s, t, j, a);
    bool const after = b->here[j] && jumps(s, t, j, b);
    if (!a->known || !a->here[j] || !b->here[j]) return before || after;
    if (!before && !after) return false;
    if ((a->rate[j] > 0) != (b->rate[j] > 0)) return true;
    return !events_find_jump(s, t, j, a) || !events_find_jump(s, t, j, b) || !same_jumps(s, j);
}

void events_corner_at_break(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    struct break_side *const a = &e->near_side, *const b = &e->far_side;
    if (s->ns == 0 || e->switches == 0) return;
    look_at_side(s, t, b);
    if (!b->known) return;
    e->standing = events_count_standing(e, e->rate, events_point_bounds(s, t));
    events_corner_stays(s, t, e->rate, CORNER_FLAT);
    for (size_t j = 0; j < e->switches; j++)
        if (((a->known && a->here[j]) || b->here[j]) && depends_on_order(s, t, j))
            events_note(e, t, j, CORNER_BREAK);
}
