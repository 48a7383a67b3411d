/* SPDX-License-Identifier: Apache-2.0 */
/* Implicit problems: modes for which there are consistent values.  Algebraic variables follow the modes and the piece, and a guess, or
   the values before a break, may be on the other side of a condition than the values to be found, where its branch has none:
     0 = a + p,  0 = z - sqrt(max(a, 0) + 0.01)   with a = 0 to begin with.
   Then Newton's method goes on from where it failed, a = -p, with the modes that are right there; if that leads nowhere some modes are
   turned, fewest first, until y exists and what was turned agrees with its g there. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "drive/solver.h"

enum { MOST_TURNED = 6, MOST_TRIALS = 400, MOST_ROUNDS = 8 }; /* each is a Newton iteration */

/* The modes mode_kept with those of `turn` turned: y exists, and their g agree with it.  A code below 0: stop. */
static int try_modes(struct tansy_solver *s, double t, size_t count, const size_t *turn, bool *good)
{
    struct events *const e = &s->events;
    memcpy(e->mode, e->mode_kept, e->switches * sizeof *e->mode);
    for (size_t k = 0; k < count; k++) e->mode[turn[k]] = 1 - e->mode[turn[k]];
    derive_set_modes(&s->derive);
    int code = events_slope(s, t, e->f_here);
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->g_other);
    *good = code == 0;
    for (size_t k = 0; k < count && *good; k++)
        *good = (e->g_other[turn[k]] >= 0) == (e->mode[turn[k]] != 0);
    return code < 0 ? code : 0;
}

/* The next `count` numbers that rise, below end; false: these were the last. */
static bool next_set(size_t count, size_t end, size_t *turn)
{
    size_t k = count;
    while (k > 0 && turn[k - 1] == end - (count - k) - 1) k--;
    if (k == 0) return false;
    turn[k - 1]++;
    for (; k < count; k++) turn[k] = turn[k - 1] + 1;
    return true;
}

/* Algebraic components begin where Newton's method has come to, in y0; false: nowhere. */
static bool begin_there(struct tansy_solver *s)
{
    double *const from = s->events.y_from;
    for (size_t i = 0; i < s->n; i++)
        if (!isfinite(s->y0[i])) return false;
    for (size_t i = 0; i < s->n; i++)
        if (s->consistent.kind[i] != TANSY_DIFFERENTIAL) from[i] = s->y0[i];
    return true;
}

/* The modes are those of g_other; false: they are so already. */
static bool take_modes(struct events *e)
{
    bool changed = false;
    for (size_t j = 0; j < e->switches; j++) {
        double const holds = e->g_other[j] >= 0;
        changed = changed || holds != e->mode[j];
        e->mode[j] = holds;
    }
    return changed;
}

/* Newton's method, and again from where it fails as long as modes are other ones there; *good: to the end. */
static int follow_iterates(struct tansy_solver *s, double t, bool *good)
{
    struct events *const e = &s->events;
    size_t const bytes = s->n * sizeof *s->y0;
    bool goes_on = true;
    memcpy(e->y_given, e->y_from, bytes);
    for (int round = 0; round < MOST_ROUNDS && goes_on; round++) {
        memcpy(s->y0, e->y_from, bytes);
        derive_set_modes(&s->derive);
        int code = solver_slope(s, t, e->f_here);
        *good = code == 0;
        if (code > 0) code = derive_switch(&s->derive, 0, t, s->y0, e->g_other);
        if (code < 0) return code;
        goes_on = !*good && code == 0 && begin_there(s) && take_modes(e);
    }
    if (!*good) memcpy(e->y_from, e->y_given, bytes);
    return 0;
}

/* Turns some, fewest first, until it is *good. */
static int turn_some(struct tansy_solver *s, double t, bool *good)
{
    struct events *const e = &s->events;
    size_t trials = 0;
    for (size_t count = 1; count <= MOST_TURNED && count <= e->switches && !*good; count++) {
        size_t turn[MOST_TURNED] = {0, 1, 2, 3, 4, 5};
        do {
            events_put_back(s);
            int const code = try_modes(s, t, count, turn, good);
            if (code < 0) return code;
        } while (!*good && ++trials < MOST_TRIALS && next_set(count, e->switches, turn));
    }
    return 0;
}

int events_search(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    if (!e->y_from) return 0;
    int code = events_slope(s, t, e->f_here);
    bool good = code == 0;
    if (code < 0 || good) return code;
    events_keep(s);
    memcpy(e->mode_kept, e->mode, e->switches * sizeof *e->mode);
    code = follow_iterates(s, t, &good);
    if (code == 0 && !good) code = turn_some(s, t, &good);
    if (code < 0) return code;
    for (size_t j = 0; j < e->switches && good; j++)
        e->turned[j] = e->turned[j] || e->mode[j] != e->mode_kept[j];
    if (!good) {
        memcpy(e->mode, e->mode_kept, e->switches * sizeof *e->mode);
        events_put_back(s);
    }
    derive_set_modes(&s->derive);
    s->derive.worker[0].failure.kind = FAILURE_NONE; /* modes on the way may have no y */
    return 0;
}
