/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that are only touched: g comes to zero with no rate and turns back, where f jumps.  For p to one side there are two
   switching points more, 2 sqrt(2 d/g'') apart where g would reach d beyond zero, so that dT/dp and S are infinite towards there; for p
   to the other there are none.  Nothing is turned.  Zero means what errors of y leave of g, or 1e-9 of its size in the step.
   A kink, f(g) continuous at g = 0, does no harm. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum { MOST_TRIALS = 48 }; /* of the golden section: 0.618^48 = 1e-10 */

static const double golden = 0.61803398874989485;
static const double may_be_near =
    0.1; /* of the size of g in the step, at the nearest of five values, or by bounds; */
static const double at_the_end = 1e-3; /* where the step ends */
static const double added_up = 10;     /* error weights: what a run may leave in y (9 were found) */
static const double rounding = 1e-9;   /* of it: zero */
static const double no_rate = 1e-4;    /* of it, over the step */
static const double at_an_end = 1e-6;  /* of the step */
static const double like_a_kink = 10;  /* times the share of f that g has */
static const double clear = 0.1;       /* of the size of g in the step: a slope, over the step */
static const double same_touch = 1e-3; /* of the step */
static const double steeper =
    64; /* times half-way from a touch: no parabola, where that is 4, but a pole */

/* A stretch of the last step, and five values of g_j at equal distances, from the side its mode is for. */
struct stretch {
    double from, to;
    double v[SAMPLES], size;
};

/* g_j at t, from the side its mode is for; NaN: it has no value. */
static double side_at(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    return events_is_known(e, events_evaluate(s, t, e->trial)) ? events_side(e, j, e->trial[j])
                                                               : nan("");
}

/* The bounds of the step say that g_j stays away from zero, or comes near it at the end only, and does not. */
static bool is_far(const struct tansy_solver *s, size_t j, const struct stretch *x)
{
    const struct events *const e = &s->events;
    size_t const count = e->switches;
    double const least = e->mode[j] != 0 ? e->bounds[j] : -e->bounds[count + j];
    bool const steady = e->bounds[2 * count + j] >= 0 || e->bounds[3 * count + j] <= 0;
    return x->v[SAMPLES - 1] > at_the_end * x->size && (steady || least > may_be_near * x->size);
}

/* The lowest of five values is at an end, where the parabola through three has a clear slope: g begins or ends there on its way. */
static bool is_on_its_way(const struct stretch *x)
{
    const double *const v = x->v;
    double const begins = 2 * (-3 * v[0] + 4 * v[1] - v[2]),
                 ends = 2 * (3 * v[4] - 4 * v[3] + v[2]);
    bool const first = v[0] <= v[1] && v[0] <= v[4], last = v[4] <= v[3] && v[4] <= v[0];
    return (first && begins > clear * x->size) || (last && ends < -clear * x->size);
}

/* The lowest point of g_j by golden section around the lowest of the values, or in all of the stretch. */
static double find_lowest(struct tansy_solver *s, size_t j, const struct stretch *x, bool all)
{
    size_t low = 0;
    for (size_t i = 1; i < SAMPLES; i++)
        if (x->v[i] < x->v[low]) low = i;
    double const width = (x->to - x->from) / (SAMPLES - 1);
    double a = low == 0 || all ? x->from : x->from + width * (double)(low - 1);
    double b = low == SAMPLES - 1 || all ? x->to : x->from + width * (double)(low + 1);
    double c = b - golden * (b - a), d = a + golden * (b - a);
    double at_c = side_at(s, c, j), at_d = side_at(s, d, j);
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        bool const left = at_c < at_d;
        if (left) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - golden * (b - a);
            at_c = side_at(s, c, j);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + golden * (b - a);
            at_d = side_at(s, d, j);
        }
    }
    double const best = at_c < at_d ? c : d;
    return fabs(x->to - best) <= at_an_end * fabs(x->to - x->from) ? x->to : best;
}

/* y, S, f, g and the rates at t. */
static bool go_to(struct tansy_solver *s, double t)
{
    struct events *const e = &s->events;
    solver_output(s, t, 0, s->y0, s->sens0);
    events_set_out(s);
    return events_is_known(e, events_slope(s, t, e->f)) &&
           events_is_known(e, derive_switch(&s->derive, 0, t, s->y0, e->value)) &&
           events_is_known(e, events_rates(s, t, e->f, e->value, e->rate));
}

/* Components from .. from + count - 1, and g_t + g_y v of them without: alone. */
struct some {
    size_t from, count;
    double alone;
    enum { WEIGHTS, ROUNDINGS, ATOLS } of; /* what is asked for */
};

static double size_of(const struct tansy_solver *s, const struct some *c, size_t i)
{
    if (c->of == ROUNDINGS) return DBL_EPSILON * fabs(s->y0[i]);
    return c->of == ATOLS ? s->tolerances.atol[i] : tolerances_allow(&s->tolerances, i, s->y0[i]);
}

/* Their part in g_y v, v_i = w_i (1 + x_i) with shares x_i of no special position, or w_i of one alone, into *part. */
static bool measure(struct tansy_solver *s, double t, size_t j, const struct some *c, double *part)
{
    struct events *const e = &s->events;
    memset(e->probe, 0, s->n * sizeof *e->probe);
    for (size_t i = c->from; i < c->from + c->count; i++) {
        double const x = c->count > 1 ? golden * (double)(i + 1) : 0;
        e->probe[i] = size_of(s, c, i) * (1 + x - floor(x));
    }
    if (!events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_probe))) return false;
    *part = fabs(e->rate_probe[j] - c->alone);
    return true;
}

/* The sum of |dg_j/dy_i| w_i. */
static double sum_up(struct tansy_solver *s, double t, size_t j, int of)
{
    enum { MOST_PARTS = 64 }; /* then stretches count as a whole: signs may cancel in them */
    struct some c = {.of = of};
    double sum = 0, part = 0;
    size_t parts = 0;
    if (!measure(s, t, j, &c, &part)) return 0;
    c.alone = s->events.rate_probe[j];
    for (c.count = s->n; c.from < s->n;) {
        if (!measure(s, t, j, &c, &part)) return 0;
        bool const split = part != 0 && c.count > 1 && parts < MOST_PARTS;
        if (!split) {
            parts += part != 0;
            sum += part;
            c.from += c.count;
        }
        c.count = split ? (c.count + 1) / 2 : 2 * c.count;
        if (c.count > s->n - c.from) c.count = s->n - c.from;
    }
    return sum;
}

double events_tolerance_of(struct tansy_solver *s, double t, size_t j)
{
    return added_up * sum_up(s, t, j, WEIGHTS);
}

double events_rounding_of(struct tansy_solver *s, double t, size_t j)
{
    return sum_up(s, t, j, ROUNDINGS);
}

double events_atol_of(struct tansy_solver *s, double t, size_t j)
{
    return sum_up(s, t, j, ATOLS);
}

/* The size of g_j around t, where it is lowest: away from a pole at the far end. */
static double size_around(struct tansy_solver *s, double t, double far, size_t j,
                          const struct stretch *x)
{
    return fmin(x->size, steeper * side_at(s, t + (far - t) / 2, j));
}

/* At t, where g_j is lowest, it is zero as far as can be known, and has no rate, which errors of y move as they do g. */
static bool is_touched(struct tansy_solver *s, double t, size_t j, double h, double size)
{
    const struct events *const e = &s->events;
    double const v = fabs(e->value[j]), moves = fabs(e->rate[j] * h);
    if (v <= rounding * size && moves <= no_rate * size) return true;
    if (v > may_be_near * size || moves > may_be_near * size) return false;
    double const tolerance = events_tolerance_of(s, t, j);
    return v <= fmax(rounding * size, tolerance) && moves <= fmax(no_rate * size, tolerance);
}

/* f jumps with the condition of j at t, and not just as g does between there and `far`. */
static bool is_jump(struct tansy_solver *s, double t, double far, size_t j)
{
    struct events *const e = &s->events;
    struct break_side *const here = &e->near_side, *const there = &e->far_side;
    size_t const bytes = e->switches * sizeof *e->mode;
    double const v = fabs(e->value[j]);
    here->piece = there->piece = e->piece;
    memcpy(here->mode, e->mode, bytes);
    memcpy(there->mode, e->mode, bytes);
    if (!events_find_jump(s, t, j, here)) return true;
    if (!go_to(s, far) || !events_find_jump(s, far, j, there)) return true;
    double const share = like_a_kink * v / fabs(e->value[j]);
    size_t i = 0;
    while (i < s->n && !(fabs(here->jump[i]) > share * fabs(there->jump[i]))) i++;
    return i < s->n;
}

/* Once for a touch, which may be seen from the step before it and from that after it. */
static void tell(struct events *e, double t, size_t j, double h)
{
    if (!(fabs(t - e->touched_at[j]) <= same_touch * h)) events_note(e, t, j, CORNER_TOUCH);
    e->touched_at[j] = t;
}

void events_withdraw_touch(struct events *e, double t, size_t j, double earlier)
{
    while (e->corners > 0 && e->corners <= REMEMBERED) {
        size_t const last = e->corners - 1;
        bool const touch = e->corner[last].other == CORNER_TOUCH && e->corner[last].number == j;
        if (!touch || !(fabs(t - e->corner[last].t) <= earlier)) return;
        e->corners--;
    }
}

/* Looks whether g_j only touches zero within the stretch, or at its end. */
static void judge(struct tansy_solver *s, size_t j, const struct stretch *x, bool all)
{
    struct events *const e = &s->events;
    double const t = find_lowest(s, j, x, all);
    double const far = x->v[0] > x->v[SAMPLES - 1] ? x->from : x->to;
    if (fabs(t - x->from) <= at_an_end * fabs(x->to - x->from)) return;
    double const size = size_around(s, t, far, j, x);
    if (s->direction * (t - e->settled) < 0 || !go_to(s, t)) return;
    if (!is_touched(s, t, j, x->to - x->from, size)) return;
    if (!events_is_known(e, events_find_moves(s, t)) || e->moves[j] == 0) return;
    if (is_jump(s, t, far, j)) tell(e, t, j, fabs(x->to - x->from));
}

/* A condition at which nothing is to be seen: it stays at zero, is noise, or has no value. */
static bool is_idle(const struct tansy_solver *s, size_t j, const struct stretch *x)
{
    const struct events *const e = &s->events;
    return e->flat[j] || e->band[j] > 0 || s->derive.blind[j] || x->size <= rounding * e->seen[j];
}

/* The values of g_j at the five points from rows; the least of them. */
static double take(const struct events *e, size_t j, const double *rows, struct stretch *x)
{
    double least = HUGE_VAL;
    x->size = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        x->v[i] = events_side(e, j, rows[i * e->switches + j]);
        x->size = fmax(x->size, fabs(x->v[i]));
        least = fmin(least, x->v[i]);
    }
    return least;
}

void events_corner_touched(struct tansy_solver *s, bool certain)
{
    struct events *const e = &s->events;
    struct stretch x = {.from = s->before, .to = s->stepper.t};
    if (s->ns == 0) return;
    for (size_t i = 1; i < SAMPLES - 1 && certain; i++)
        memcpy(e->sample + i * e->switches, e->sample, e->switches * sizeof *e->sample);
    for (size_t j = 0; j < e->switches; j++) {
        double const least = take(e, j, e->sample, &x);
        if (is_idle(s, j, &x)) continue;
        bool const near = least <= may_be_near * x.size && !is_on_its_way(&x);
        if (certain ? !is_far(s, j, &x) : near) judge(s, j, &x, certain);
    }
}

void events_corner_touched_before(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    struct stretch x = {.from = s->before, .to = e->near};
    if (s->ns == 0 || e->switches < 2 || e->near == s->before) return;
    for (size_t i = 0; i < SAMPLES; i++) {
        double const t = x.from + (x.to - x.from) * ((double)i / (SAMPLES - 1));
        if (!events_is_known(e, events_evaluate(s, t, e->scan + i * e->switches))) return;
    }
    for (size_t j = 0; j < e->switches; j++) {
        double const least = take(e, j, e->scan, &x);
        if (j == e->leader || is_idle(s, j, &x) || least == x.v[SAMPLES - 1]) continue;
        if (least <= may_be_near * x.size && !is_on_its_way(&x)) judge(s, j, &x, false);
    }
}

/* What the crossing adds to S, (f- - f+) dT/dp, is more than S may be off anyway: whether it is there matters. */
static bool moves_columns(const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) {
        double const step = events_counts(s, i) ? fabs(e->f[i] - e->f_after[i]) : 0;
        double const allowed = tolerances_allow(&s->tolerances, i, s->y0[i]);
        for (size_t k = 0; k < s->ns && step > 0; k++)
            if (!(step * fabs(e->delay[k]) * s->tolerances.scale[k] <= allowed)) return true;
    }
    return false;
}

/* What turning j does to the others: it sets some going towards their surfaces, and sends back that one which had set j going, be it that this has just been crossed: a heater
   that its thermostat turns off.  Its way beyond the surface is short, but it was crossed with full speed. */
static void note_causes(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double *const after = e->trial;
    if (e->switches < 2 || !events_is_known(e, events_rates(s, t, e->f_after, e->value, after)))
        return;
    for (size_t i = 0; i < e->switches; i++) {
        if (i == j) continue;
        bool const was_driven = events_side(e, i, s->direction * e->rate[i]) < 0;
        bool const is_driven = events_side(e, i, s->direction * after[i]) < 0;
        if (!was_driven && is_driven && e->driven_by[j] == i) e->sent_back[i] = true;
        if (!was_driven && is_driven) e->driven_by[i] = j;
    }
}

void events_corner_grazed(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    double const time = fabs(t - e->turned_at[j]);
    bool const sent_back = e->sent_back[j];
    e->turned_at[j] = t;
    e->sent_back[j] = false;
    if (s->ns > 0) note_causes(s, t, j);
    if (s->ns == 0 || !(time <= e->stride) || e->was_bent[j] || sent_back) return;
    if (fabs(e->rate[j]) * time / 4 > events_tolerance_of(s, t, j)) return;
    if (moves_columns(s)) tell(e, t, j, e->stride);
}
