/* SPDX-License-Identifier: Apache-2.0 */
/* A vessel that fills from empty, c = A/V while V > 0, else 0: beyond the surface V = 0 f has no value at the point itself, and near it
   one that depends on the direction alone, f+(y* + tau v) = F(v).  The solution leaves along v = F(v), which is looked for a little
   beyond, y = y* + tau f+(y); there f+ is its limit, and so is the jump of S, (f- - f+) dT/dp. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "derive/names.h"
#include "drive/solver.h"

enum { MOST_LOOKS = 100 }; /* at f+; half of them where v is reached by small steps only */
static const double at_root = 4 * DBL_EPSILON; /* of the size of g in a step */
static const double little =
    1e-9; /* of a step: rounding errors of v are 1e-7 of it, its own change 1e-9 */
static const double wide =
    1e-7; /* where f+ has a limit, (1 - exp(-x))/x, with rounding errors of 1e-16/x in it and J */
static const double differs = 1e-6;  /* relative, of f in two directions */
static const double settled = 1e-14; /* relative, of y - y* */
static const double slow = 0.7;      /* a look that leaves more of the distance goes too far */

/* y0 = y_start + time f. */
static void go_along(struct tansy_solver *s, double time, const double *f)
{
    for (size_t i = 0; i < s->n; i++) s->y0[i] = s->events.y_start[i] + time * f[i];
}

/* The largest |time f - (y0 - y_start)|, in units of the way along f before it. */
static double distance(const struct tansy_solver *s, double time, const double *f)
{
    const struct events *const e = &s->events;
    double largest = 0, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        largest = fmax(largest, fabs(e->y_start[i] + time * f[i] - s->y0[i]));
        size = fmax(size, fabs(time * e->f[i]));
    }
    return largest / fmax(size, DBL_MIN);
}

void events_settle_direction(struct tansy_solver *s, double t, double time, const double *mode)
{
    struct events *const e = &s->events;
    size_t const bytes = s->n * sizeof *s->y0;
    double least = HUGE_VAL;
    e->apex = time;
    e->share = 1;
    go_along(s, time, e->f);
    for (int look = 0; look < MOST_LOOKS && least > settled; look++) {
        bool const known = events_slope_with(s, t, mode, e->piece, e->f_probe);
        double const apart = known ? distance(s, time, e->f_probe) : HUGE_VAL;
        if (!(apart <= slow * least)) e->share /= 2;
        if (apart < least) {
            memcpy(e->f_first, s->y0, bytes);
            memcpy(e->f_after, e->f_probe, bytes);
            least = apart;
        }
        if (isinf(least)) break;
        for (size_t i = 0; i < s->n; i++)
            s->y0[i] =
                e->f_first[i] + e->share * (e->y_start[i] + time * e->f_after[i] - e->f_first[i]);
    }
    if (least <= differs) memcpy(s->y0, e->f_first, bytes);
    if (!(least <= differs)) go_along(s, time, e->f);
}

/* V moves to V* + time S' by a share of the way, column by column; the largest distance there was, against the whole way of its column. */
static double approach(const struct panel *q, size_t n, double time, double share,
                       const double *from, const double *rate, double *V)
{
    double worst = 0;
    for (size_t k = 0; k < q->columns; k++) {
        double largest = 0, size = 0;
        for (size_t i = 0; i < n; i++) {
            size_t const x = i * q->lanes + k;
            double const left = from[x] + time * rate[x] - V[x];
            largest = fmax(largest, fabs(left));
            size = fmax(size, fabs(time * rate[x]));
            V[x] += share * left;
        }
        worst = fmax(worst, largest / fmax(size, DBL_MIN));
    }
    return worst;
}

/* The columns of a panel, S = S* + time S'(y, S), where J is as large as 1/time; by the same shares as y. */
static int settle_panel(struct tansy_solver *s, const struct panel *q, const struct point *at)
{
    const struct events *const e = &s->events;
    struct work *const w = &s->stepper.panel_work[0];
    double least = HUGE_VAL;
    memset(w->y, 0, q->count * sizeof *w->y);
    panel_from_columns(q, s->n, s->sens0 + q->first * s->n, w->y);
    memcpy(w->d0, w->y, q->count * sizeof *w->y);
    if (s->derive.is_internal) derive_choose_increments(&s->derive, q, at->y, w->y, NULL);
    for (int look = 0; look < MOST_LOOKS && least > settled; look++) {
        memset(w->r, 0, q->count * sizeof *w->r);
        int const code = s->derive.tangent(&s->derive, 0, at, q, w->y, NULL, w->r);
        if (code != 0) return code;
        double const apart = approach(q, s->n, e->apex, e->share, w->d0, w->r, w->y);
        if (!(apart < least)) break; /* rounding errors are left */
        least = apart;
    }
    if (least < 1) panel_to_columns(q, s->n, w->y, s->sens0 + q->first * s->n);
    return 0;
}

int events_settle_columns(struct tansy_solver *s, double t)
{
    struct stepper *const st = &s->stepper;
    struct events *const e = &s->events;
    if (e->apex == 0) return 0;
    struct point at = {.t = t, .y = st->state_work.y};
    int code = 0;
    memcpy(st->state_work.y, s->y0, s->n * sizeof *s->y0);
    if (st->panels > 0) code = equations_linearise(&s->equations, &at, false);
    at.f = s->equations.f;
    for (size_t m = 0; m < st->panels && code == 0; m++)
        code = settle_panel(s, &st->panel[m].shape, &at);
    s->equations.c = 0;
    e->apex = 0;
    return code;
}

/* How much f beyond the surface differs, relative, along f- and along what it is there, after this time; 0 where it has no value. */
static double direction_counts(struct tansy_solver *s, double time)
{
    struct events *const e = &s->events;
    double most = 0;
    go_along(s, time, e->f);
    bool known = events_slope_with(s, e->at, e->mode_probe, e->piece, e->f_first);
    if (known) go_along(s, time, e->f_first);
    known = known && events_slope_with(s, e->at, e->mode_probe, e->piece, e->f_probe);
    for (size_t i = 0; i < s->n && known; i++) {
        double const size = fabs(e->f_first[i]) + fabs(e->f_probe[i]);
        if (size > 0) most = fmax(most, fabs(e->f_first[i] - e->f_probe[i]) / size);
    }
    memcpy(s->y0, e->y_start, s->n * sizeof *s->y0);
    return most;
}

/* A time in which so much of a step is gone beyond e->at. */
static double way_beyond(const struct tansy_solver *s, double part)
{
    return s->direction * fmax(events_roundoff(s->events.at, 0), part * fabs(s->stats.h_last));
}

/* f beyond the surface depends on the direction alone, however near: what is but smooth, and stiff, differs by J (f+ - f-) time, the less the nearer. */
static bool depends_on_direction(struct tansy_solver *s)
{
    static const double as_much = 0.5;
    double const afar = direction_counts(s, way_beyond(s, wide));
    return afar > differs && direction_counts(s, way_beyond(s, little)) > as_much * afar;
}

bool events_is_apex(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    size_t const j = e->leader;
    double const size = fabs(e->value[j]);
    bool const rested = e->begin[j] == 0 && size <= at_root * fmax(e->seen[j], events_size(e, j));
    if ((!rested && size != 0) || derive_is_implicit(&s->derive)) return false;
    memcpy(e->y_start, s->y0, s->n * sizeof *s->y0);
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    e->mode_probe[j] = 1 - e->mode[j];
    bool const known = events_slope_with(s, e->at, e->mode_probe, e->piece, e->f_probe);
    if (known && !rested) return false;
    bool const depends = depends_on_direction(s);
    e->apex = way_beyond(s, depends ? little : wide);
    if (known && !depends) e->apex = 0;
    return e->apex != 0;
}

int events_leave_apex(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const time = e->apex, t = e->at + time;
    double limit = 0;
    e->apex = 0;
    if (events_next_break(s, &limit) && s->direction * (t - limit) >= 0) return 0;
    if (s->options.use_stop_time && s->direction * (t - s->options.stop_time) >= 0) return 0;
    e->at = t;
    events_set_out(s);
    events_settle_direction(s, t, time, e->mode_probe);
    return events_slope(s, t, e->f);
}

/* g_j stands at zero, and with j turned f has a value. */
static bool is_other_branch(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    memcpy(e->mode_probe, e->mode, e->switches * sizeof *e->mode);
    e->mode_probe[j] = 1 - e->mode[j];
    return fabs(e->value[j]) <= differs * (e->seen[j] > 0 ? e->seen[j] : 1) &&
           events_slope_with(s, t, e->mode_probe, e->piece, e->f_probe);
}

bool events_name_branch(struct tansy_solver *s, double t, struct name *name)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    size_t j = 0;
    if (e->switches == 0 || failure.column != SIZE_MAX || derive_is_implicit(&s->derive))
        return false;
    bool const known = derive_switch(&s->derive, 0, t, s->y0, e->value) == 0;
    while (j < e->switches && known && !is_other_branch(s, t, j)) j++;
    s->derive.worker[0].failure = failure;
    if (!known || j == e->switches) return false;
    (void)name_switch(&s->problem, j, name);
    return true;
}
