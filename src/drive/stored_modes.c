/* SPDX-License-Identifier: Apache-2.0 */
/* Modes by the signs of the switch functions, those of lower switches first.  A g_j that is zero but for rounding, as it is where
   a run ended its step at a root, has the sign of g_j a little before along y'.  One that has no value there, sqrt(x) > 1 while x < 0,
   does not hold, if neither Q nor another g depends on it: so does a run (watch_blind.c). */
#include "drive/stored_modes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "derive/names.h"

static const double roundings = 64 * DBL_EPSILON; /* a root is located to a few */
static const double little = 1e-6;                /* for differences */

struct search {
    const tansy_problem *q;
    const tansy_stored *at;
    tansy_local *local;
    void *context;
    double *p, *mode;                /* mode[switches]: in p */
    double *y, *g, *other, *blurred; /* room; blurred[switches]: |g| below this is rounding */
    double *Q, *Q_other;             /* room for derived quantities */
    double back;                     /* times y': a little way to where the run came from */
    struct message *message;
};

/* The number of break times below the piece. */
static double find_piece(const tansy_problem *q, double t)
{
    size_t piece = 0;
    while (piece < q->breaks &&
           (t > q->t0 ? q->break_times[piece] < t : q->break_times[piece] <= t))
        piece++;
    return (double)piece;
}

/* A length of time in which the solution changes by `little` of itself, with the sign of the way back. */
static double way_back(const struct search *w)
{
    const tansy_stored *const at = w->at;
    double shortest = HUGE_VAL;
    for (size_t i = 0; i < w->q->n; i++)
        if (at->y[i] != 0 && at->yp[i] != 0) shortest = fmin(shortest, fabs(at->y[i] / at->yp[i]));
    double const scale = isinf(shortest) ? fabs(at->t) : fmax(shortest, fabs(at->t));
    return (at->t > w->q->t0 ? -little : little) * (scale > 0 ? scale : 1);
}

static int evaluate(const struct search *w, double t, const double *y, double *g)
{
    return w->q->switch_function(t, y, w->p, g, w->context);
}

/* g at (t + time, y (1 + share) + time y'), as far as it can be had: else as it is at the point itself. */
static int look(const struct search *w, double time, double share, double *g)
{
    const tansy_stored *const at = w->at;
    for (size_t i = 0; i < w->q->n; i++) w->y[i] = at->y[i] * (1 + share) + time * at->yp[i];
    int const code = evaluate(w, at->t + time, w->y, g);
    if (code > 0) memcpy(g, w->g, w->q->switches * sizeof *g);
    return code < 0 ? code : 0;
}

/* Adds to blurred what g changes by, in `other`, times this. */
static void blur(const struct search *w, double times)
{
    for (size_t j = 0; j < w->q->switches; j++)
        w->blurred[j] += times * fabs(w->other[j] - w->g[j]);
}

/* g of every switch from the side the run came from. */
static int find_sides(const struct search *w)
{
    double const t = w->at->t;
    int code = evaluate(w, t, w->at->y, w->g);
    if (code != 0) return code;
    memset(w->blurred, 0, w->q->switches * sizeof *w->blurred);
    code = look(w, 0, little, w->other);
    if (code != 0) return code;
    blur(w, roundings / little);
    code = evaluate(w, t * (1 + little), w->at->y, w->other);
    if (code < 0) return code;
    if (code == 0) blur(w, roundings / little);
    code = look(w, w->back, 0, w->other);
    if (code != 0) return code;
    blur(w, roundings * fabs(t / w->back));
    for (size_t j = 0; j < w->q->switches; j++)
        if (fabs(w->g[j]) <= w->blurred[j] || !isfinite(w->g[j])) w->g[j] = w->other[j];
    return 0;
}

static tansy_status fail(const struct search *w, int code)
{
    if (code == 0)
        return message_set(w->message, TANSY_NOT_FINITE,
                           "switch_function gave a value that is not finite at t = %.10g",
                           w->at->t);
    return message_set(w->message, code < 0 ? TANSY_USER_STOPPED : TANSY_USER_FAILED,
                       "switch_function could not be evaluated at t = %.10g (it returned %d)",
                       w->at->t, code);
}

static tansy_status refuse(const struct search *w, size_t j)
{
    struct name name;
    return message_set(w->message, TANSY_BAD_CALL,
                       "%s: its mode at t = %.10g depends on how the run came there, which a "
                       "stored solution does not tell; use tansy_derived_at()",
                       name_switch(w->q, j, &name), w->at->t);
}

/* Modes that agree with the signs: after pass k those of switches below k do, if none depends on modes above. */
static tansy_status settle(const struct search *w)
{
    size_t wrong = w->q->switches;
    for (size_t pass = 0; pass <= w->q->switches + 1; pass++) {
        w->local->version++;
        int const code = find_sides(w);
        if (code != 0) return fail(w, code);
        wrong = w->q->switches;
        for (size_t j = w->q->switches; j-- > 0;) {
            double const holds = isfinite(w->g[j]) && w->g[j] >= 0;
            if (holds != w->mode[j]) wrong = j;
            w->mode[j] = holds;
        }
        if (wrong == w->q->switches) return TANSY_OK;
    }
    return refuse(w, wrong);
}

static void turn(const struct search *w, size_t from, size_t end)
{
    for (size_t j = from; j < end; j++) w->mode[j] = 1 - w->mode[j];
    w->local->version++;
}

/* g with the modes of switches from .. end - 1 turned over, into other. */
static int try_turned(const struct search *w, size_t from, size_t end)
{
    turn(w, from, end);
    int const code = evaluate(w, w->at->t, w->at->y, w->other);
    turn(w, from, end);
    return code;
}

/* g of a condition with hysteresis may agree with its other mode, too.  One evaluation tells if there is any that depends on modes. */
static tansy_status check_alone(const struct search *w)
{
    size_t const switches = w->q->switches;
    int code = evaluate(w, w->at->t, w->at->y, w->g);
    if (code == 0) code = try_turned(w, 0, switches);
    if (code < 0) return fail(w, code);
    bool const depend = code > 0 || memcmp(w->g, w->other, switches * sizeof *w->g) != 0;
    for (size_t j = 0; j < switches && depend; j++) {
        code = try_turned(w, j, j + 1);
        if (code < 0) return fail(w, code);
        double const holds = w->other[j] >= 0;
        bool const known = code == 0 && isfinite(w->other[j]) && w->other[j] != w->g[j];
        if (known && holds != w->mode[j]) return refuse(w, j);
    }
    return TANSY_OK;
}

/* Q at the point with the modes as they are; false: it has none, which is for others to say. */
static bool derive_there(const struct search *w, double *Q)
{
    const tansy_stored *const at = w->at;
    return w->q->derived(at->t, at->y, at->yp, w->p, Q, w->context) == 0;
}

/* Q depends on the mode of j. */
static bool tells(const struct search *w, size_t j)
{
    if (!derive_there(w, w->Q)) return false;
    turn(w, j, j + 1);
    bool const same =
        derive_there(w, w->Q_other) && memcmp(w->Q, w->Q_other, w->q->nq * sizeof *w->Q) == 0;
    turn(w, j, j + 1);
    return !same;
}

/* Neither Q nor another g depends on those that have no value; g at the point is in w->g. */
static tansy_status check_missing(const struct search *w)
{
    size_t const switches = w->q->switches;
    for (size_t j = 0; j < switches; j++) {
        if (isfinite(w->g[j])) continue;
        int const code = try_turned(w, j, j + 1);
        if (code < 0) return fail(w, code);
        bool const same = code == 0 && memcmp(w->g, w->other, switches * sizeof *w->g) == 0;
        if (!same || tells(w, j)) return fail(w, 0);
    }
    return TANSY_OK;
}

tansy_status stored_modes(const tansy_problem *q, const tansy_stored *at, tansy_local *local,
                          void *context, double *p, struct message *message)
{
    if (q->switches == 0 && q->breaks == 0) return TANSY_OK;
    p[q->np + q->switches] = find_piece(q, at->t);
    local->version++;
    if (q->switches == 0) return TANSY_OK;
    double *const room = heap_take((q->n + 3 * q->switches + 2 * q->nq) * sizeof *room);
    if (!room) return message_set(message, TANSY_OUT_OF_MEMORY, "no memory for derived quantities");
    struct search w = {.q = q,
                       .at = at,
                       .local = local,
                       .context = context,
                       .p = p,
                       .mode = p + q->np,
                       .y = room,
                       .g = room + q->n,
                       .other = room + q->n + q->switches,
                       .blurred = room + q->n + 2 * q->switches,
                       .Q = room + q->n + 3 * q->switches,
                       .Q_other = room + q->n + 3 * q->switches + q->nq,
                       .message = message};
    w.back = way_back(&w);
    tansy_status status = settle(&w);
    if (status == TANSY_OK) status = check_alone(&w);
    if (status == TANSY_OK) status = check_missing(&w);
    heap_return(room);
    return status;
}
