/* SPDX-License-Identifier: Apache-2.0 */
/* The pattern of df/dy (or of dF/dy and dF/dy' together) by trial.  What vanishes at the initial point, as sin(t) y_j or
   max(y_j - 1, 0) may, must show at another: the points differ in y, y', p and t.  What none of them shows is noticed in the run
   (drive/pattern_watch.c). */
#include "drive/probe.h"

#include <math.h>
#include <string.h>

#include "base/heap.h"

/* How far a point lies from the initial one. */
struct distance {
    double y;     /* of its size, and in the unit; the same of y' */
    double p;     /* of its size */
    double ahead; /* in t: of the way to the stop time, or in units of t */
    double beyond;
};

/* clang-format off */
static const struct distance distances[] = {
    {1e-3, 0,    0,     0},
    {1e-3, 1e-3, 0.037, 0.0371},
    {0.1,  0.01, 0.41,  0.6181},
    {2,    0.1,  0.87,  7.3891},
};
/* clang-format on */
enum { POINTS = sizeof distances / sizeof *distances };

/* What probing works with. */
struct probe {
    const tansy_problem *q;
    double t;
    double unit; /* of y: 1, or what values near the initial ones allow */
    double *y0, *y, *yp, *p, *before, *after; /* p with the modes behind it */
    bool *all;                                /* all[j*n + i]: equation i depends on component j */
};

double probe_scramble(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return 0.5 + (double)(*state >> 9) * 0x1p-24;
}

static bool evaluate(const struct probe *p, double *value)
{
    const tansy_problem *const q = p->q;
    int const code = q->residual ? q->residual(p->t, p->y, p->yp, p->p, value, q->context)
                                 : q->rhs(p->t, p->y, p->p, value, q->context);
    return code == 0;
}

static bool is_finite(const double *v, size_t n)
{
    size_t i = 0;
    while (i < n && isfinite(v[i])) i++;
    return i == n;
}

/* Where y, y' and p are moved away from what they are, so that nothing is zero by chance; with .breaks the piece at t is told. */
static void place_point(struct probe *p, const tansy_options *o, int point)
{
    const tansy_problem *const q = p->q;
    struct distance const far = distances[point];
    uint32_t state = (uint32_t)point + 1;
    double piece = 0;
    for (size_t j = 0; j < q->n; j++) {
        double const yp = q->yp0 ? q->yp0[j] : 0;
        p->y[j] = p->y0[j] * (1 + far.y * probe_scramble(&state)) +
                  far.y * p->unit * probe_scramble(&state);
        p->yp[j] = yp * (1 + far.y * probe_scramble(&state)) + far.y * probe_scramble(&state);
    }
    for (size_t k = 0; k < q->np; k++) p->p[k] = q->p[k] * (1 + far.p * probe_scramble(&state));
    p->t = o->use_stop_time ? q->t0 + far.ahead * (o->stop_time - q->t0) : q->t0 + far.beyond;
    for (size_t b = 0; b < q->breaks; b++) piece += q->break_times[b] <= p->t;
    if (q->breaks > 0) p->p[q->np] = piece;
}

/* Which equations change with component *v of y or y'.  A function that fails says nothing. */
static void move(const struct probe *p, double *v, bool *moves)
{
    double const kept = *v;
    *v = kept + 1e-3 * (fabs(kept) + 1e-3 * p->unit);
    bool const fine = evaluate(p, p->after);
    for (size_t i = 0; fine && i < p->q->n; i++) moves[i] = moves[i] || p->after[i] != p->before[i];
    *v = kept;
}

/* The functions have values at the point.  Beside values of y far below 1 they may have none: the first point comes nearer, to the values
   themselves but for a share of each. */
static bool has_values(struct probe *p, const tansy_options *o, int point)
{
    static const double units[] = {1, 1e-4, 1e-8, 1e-16, 0};
    size_t const count = point == 0 ? sizeof units / sizeof *units : 1;
    for (size_t k = 0; k < count; k++) {
        p->unit = units[k];
        place_point(p, o, point);
        if (evaluate(p, p->before) && is_finite(p->before, p->q->n)) return true;
    }
    return false;
}

/* False when the functions fail at all points. */
static bool probe_all(struct probe *p, const tansy_options *o)
{
    size_t const n = p->q->n;
    bool some = false;
    for (int point = 0; point < POINTS; point++) {
        if (!has_values(p, o, point)) continue;
        some = true;
        for (size_t j = 0; j < n; j++) {
            move(p, &p->y[j], p->all + j * n);
            if (p->q->residual) move(p, &p->yp[j], p->all + j * n);
        }
    }
    return some;
}

static bool list(const struct probe *p, struct probed *found)
{
    size_t const n = p->q->n;
    for (size_t x = 0; x < n * n; x++)
        if (p->all[x] && !(LIST_ADD(&found->row, x % n) && LIST_ADD(&found->column, x / n)))
            return false;
    return true;
}

/* y(t0) as the run will have it. */
static bool start(struct probe *p)
{
    const tansy_problem *const q = p->q;
    if (q->np > 0) memcpy(p->p, q->p, q->np * sizeof *p->p);
    if (q->initial)
        return q->initial(q->t0, p->p, p->y0, q->context) == 0 && is_finite(p->y0, q->n);
    memcpy(p->y0, q->y0, q->n * sizeof *p->y0);
    return true;
}

tansy_status probe_pattern(struct tansy_solver *s, struct probed *found)
{
    const tansy_problem *const q = &s->problem;
    size_t const n = s->n;
    double *const room = heap_take((5 * n + derive_length(q) + 1) * sizeof *room);
    bool *const all = heap_take(n * n);
    struct probe p = {.q = q, .all = all, .t = q->t0};
    tansy_status status = TANSY_OK;
    if (room) {
        p.y0 = room;
        p.y = room + n;
        p.yp = room + 2 * n;
        p.before = room + 3 * n;
        p.after = room + 4 * n;
        p.p = room + 5 * n;
    }
    bool const told = q->scratch > 0 || q->switches > 0; /* what the functions get is not known */
    if (room && all && (told || !start(&p) || !probe_all(&p, &s->options)))
        status = message_set(
            &s->message, TANSY_BAD_PROBLEM,
            "the pattern of df/dy could not be found by probing near the initial values: "
            "give .jacobian_pattern");
    else if (!room || !all || !list(&p, found))
        status = message_set(&s->message, TANSY_OUT_OF_MEMORY, "no memory to find the pattern");
    heap_return(all);
    heap_return(room);
    return status;
}

void probe_free(struct probed *found)
{
    LIST_FREE(&found->row);
    LIST_FREE(&found->column);
}
