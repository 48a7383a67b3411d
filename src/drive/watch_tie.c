/* SPDX-License-Identifier: Apache-2.0 */
/* Ties: a g_j of an implicit problem that stays within what the errors of algebraic variables are worth in it, step after step, with
   no rate: x <= z where the equations make z equal to x.  Its sign is that of those errors, be it that it turns with them or that it
   began on one side and stays there.  Where f is another one on the other side y is a matter of chance; the report says so. */
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum { PATIENCE = 2 }; /* steps in a row that end so */

static const double golden = 0.61803398874989485;
static const double added_up = 10; /* error weights: what a step may leave in its dense output */
static const double consistent = 0.01; /* of one: what Newton's method may leave */
static const double other = 100;       /* error weights that y would differ by: no kink */

void events_layout_tie(struct tansy_solver *s, struct arena *arena)
{
    struct events *const e = &s->events;
    if (!derive_is_implicit(&s->derive)) return;
    e->worth = arena_doubles(arena, e->switches);
    ARENA_TAKE(arena, e->tied, e->switches);
}

void events_forget_ties(struct events *e)
{
    e->ties = e->looks = e->next_look = 0;
    if (!e->y_from) return;
    memset(e->worth, 0, e->switches * sizeof *e->worth);
    memset(e->tied, 0, e->switches * sizeof *e->tied);
}

/* worth[j] = |g_j(y + d) - g_j(y)|, d_i an error weight of algebraic variable i, or up to two, so that those of several do not
   cancel; y is in y0, g there in `g`. */
static bool find_worth(struct tansy_solver *s, double t, const double *g)
{
    struct events *const e = &s->events;
    events_keep(s);
    for (size_t i = 0; i < s->n; i++) {
        double const x = golden * (double)(i + 1);
        if (!events_counts(s, i))
            s->y0[i] += tolerances_allow(&s->tolerances, i, s->y0[i]) * (1 + x - floor(x));
    }
    bool const known = events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->trial));
    events_put_back(s);
    for (size_t j = 0; j < e->switches; j++) {
        double const moved = known ? fabs(e->trial[j] - g[j]) : 0;
        e->worth[j] = isfinite(moved) ? moved : 0;
    }
    return known;
}

/* How far the run goes, as far as that is known. */
static double length_of_run(const struct tansy_solver *s, double t)
{
    return s->events.reach > 0 ? s->events.reach : fabs(t - s->t0);
}

/* g_j is zero at consistent values and stays so, e->rate being the rates at t, and y depends on its side. */
static bool is_tie(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    struct break_side *const here = &e->near_side;
    double const time = length_of_run(s, t);
    if (!(fabs(e->value[j]) <= consistent * e->worth[j]) ||
        !(fabs(e->rate[j]) * time <= e->worth[j]))
        return false;
    here->piece = e->piece;
    memcpy(here->mode, e->mode, e->switches * sizeof *e->mode);
    if (!events_find_jump(s, t, j, here)) return false;
    size_t i = 0;
    while (i < s->n &&
           !(fabs(here->jump[i]) * time > other * tolerances_allow(&s->tolerances, i, s->y0[i])))
        i++;
    return i < s->n;
}

/* Those that have been near zero for long enough, at the end of the last step; once for each. */
static void judge(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    solver_output(s, t, 0, s->y0, s->ns > 0 ? s->sens0 : NULL);
    events_set_out(s);
    bool const known = events_is_known(e, events_slope(s, t, e->f)) &&
                       events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->value)) &&
                       events_is_known(e, events_rates(s, t, e->f, e->value, e->rate)) &&
                       find_worth(s, t, e->value);
    for (size_t j = 0; j < e->switches; j++) {
        if (e->tied[j] != PATIENCE) continue;
        bool const tells = known && is_tie(s, t, j);
        if (tells && e->ties++ == 0) {
            e->tie_at = t;
            e->tie = j;
        }
        e->tied[j] = tells ? PATIENCE + 1 : 0;
    }
}

/* A g that is zero to the bit is decided, >= 0: such steps do not count. */
void events_look_for_ties(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    const double *const g = e->due ? e->value : e->sample;
    bool due = false;
    if (!e->y_from || e->gap > 0) return;
    e->looks++;
    if (!e->due && (e->looks & (e->looks - 1)) == 0) { /* at steps 1, 2, 4, 8, ... */
        double const t = solver_now(s);
        solver_output(s, t, 0, s->y0, NULL);
        (void)find_worth(s, t, g);
    }
    for (size_t j = 0; j < e->switches; j++) {
        if (e->tied[j] > PATIENCE) continue;
        bool const is_near = e->worth[j] > 0 && fabs(g[j]) <= added_up * e->worth[j];
        e->tied[j] = is_near ? e->tied[j] + (e->tied[j] < PATIENCE && g[j] != 0) : 0;
        due = due || e->tied[j] == PATIENCE;
    }
    if (!due || e->due || e->looks < e->next_look) return;
    judge(s, solver_now(s));
    e->next_look = e->looks + e->looks / 8; /* a kink may stay for long */
}
