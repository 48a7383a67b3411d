/* SPDX-License-Identifier: Apache-2.0 */
/* Bridges over a root where the slope of f is infinite: f = a + c phi(g), phi = sign(g) sqrt(|g|), as the flow between two tanks has it where
   their levels are equal.  S' ~ phi'(g) is infinite there, S is not; steps would shrink until g, a difference of two levels, is but their rounding.  With the
   delay dT/dp = -(g_y s + g_p)/(g_t + g_y f) the sum Z = s + f dT/dp, how y at a given g moves, has no such part:
     d/dt (s + f dT/dp) - f d/dt dT/dp = J Z + f_p + f_t dT/dp,   phi'(g) being multiplied by g_y Z + g_p + g_t dT/dp = 0.
   So over a short time h, before the root or behind it,
     s+ = s- + (f- - f+) dT/dp + h (J Z + f_p + f_t dT/dp),   with an error of h (f- - f+);
   y itself is followed in steps that shrink towards the root.  Where the rate of g is zero at the root, g stays there, held on the side where phi = 0, and
   s has lost its part across the surface. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum {
    CRAWLS = 8,      /* steps in a row that hardly come nearer */
    MOST_LOOKS = 10, /* at one condition since the last start */
    HALVINGS = 16,   /* of the way from the root */
    MOST_STEPS = 64, /* to the root, */
    FARTHEST = 4,    /* times as far as it seems: 2 to rest by sqrt(g), 10/3 by g^0.7 */
    PUSHES = 12,     /* across it, each twice as far */
    SHORTENINGS = 6  /* of a way beyond, where something else turns on it */
};
static const double near_root = 1e-5, faint = 1e-9; /* of the largest g so far */
static const double crept = 1e-4;                   /* of the longest step */
static const double stuck = 0.01;                   /* the same, of one that is held */
static const double at_zero = 4;                    /* roundings of g; one at rest has more */
static const double crawl = 0.01;                   /* of the way to the root */
static const double longest = 1e-3;                 /* the same, of a bridge */
static const double vague = 256;    /* roundings of g: there it is but noise for S' */
static const double too_far = 0.1;  /* of the longest step: a root so far ahead is none */
static const double without = 0.01; /* of the longest step: a bridge of y alone */
/* Half the way to a root leaves 0.6 (g^a, a < 1) to 1 of the rate of g.  Another rate is that of steps which are not stable: g follows a small value of its own. */
static const double least_left = 0.4, most_left = 2;
static const double certain = 16;   /* roundings of g, where its rate tells that */
static const double stands = 0.01;  /* of the rate before: g has none at its root */
static const double far_off = 1000; /* times the band of one that was held at rest */
static const double concave =
    0.3; /* of the change of f on the last quarter of the way; 1/4: it is smooth */
static const double no_change = 1e-10; /* of f */

/* Whether what is here can be done: y' = f, with room. */
static bool is_possible(const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    return e->switches > 0 && e->beside && s->derive.form == FORM_ODE;
}

/* The error of S is that of a step in which S' changes as f does, h^(3/2); where J Z is not known, of h. */
static double length_of(const struct tansy_solver *s)
{
    double const small = bridge_negligible * s->derive.y0_tolerance;
    double const share = s->derive.is_internal ? small : pow(small, 2. / 3);
    if (s->ns == 0) return without * s->events.stride;
    return s->events.stride * fmin(share, longest);
}

/* The largest |g_j| of which rounding leaves too little for S, see vague: a step in which |g| is halved adds (rounding/g) (f - f_root) dT/dp to it, of which
   g^-1/2 is left where g comes to rest. */
static double noise_of(const struct tansy_solver *s, size_t j, double rounding)
{
    const struct events *const e = &s->events;
    double const share = rounding / (e->seen[j] * s->derive.y0_tolerance);
    double const tight = s->ns > 0 ? 2 * e->seen[j] * share * share : 0;
    double const most = cbrt(e->seen[j]) * pow(rounding, 2. / 3); /* as g itself is lost to S */
    return fmax(vague * rounding, fmin(tight, most));
}

/* A stop time or a break comes within this time. */
static bool is_barred(const struct tansy_solver *s, double t, double time)
{
    double limit = 0;
    if (events_next_break(s, &limit) && fabs(limit - t) <= time) return true;
    return s->options.use_stop_time && fabs(s->options.stop_time - t) <= time;
}

/* f, g and its rate at (t, y0), with the modes as they are. */
static int look_here(struct tansy_solver *s, double t, double *f)
{
    struct events *const e = &s->events;
    int code = derive_rhs(&s->derive, 0, t, s->y0, f);
    if (code == 0) code = derive_switch(&s->derive, 0, t, s->y0, e->value);
    return code == 0 ? events_rates(s, t, f, e->value, e->rate) : code;
}

/* f a time ahead of (t, y0) on the straight line along f. */
static int look_ahead(struct tansy_solver *s, double t, double time, const double *f, double *ahead)
{
    struct events *const e = &s->events;
    for (size_t i = 0; i < s->n; i++) e->y_near[i] = s->y0[i] + time * f[i];
    return derive_rhs(&s->derive, 0, t + time, e->y_near, ahead);
}

/* Between the root and a distance, f changes by more than a third in the first quarter of it: as sqrt(g) and g^0.8 do. */
static bool is_concave(const struct tansy_solver *s, const double *root, const double *quarter,
                       const double *far)
{
    for (size_t i = 0; i < s->n; i++) {
        double const all = fabs(far[i] - root[i]), first = fabs(quarter[i] - root[i]);
        double const size = fabs(far[i]) + fabs(root[i]);
        if (all > no_change * size && first > concave * all) return true;
    }
    return false;
}

/* The same ahead of (t, y0), where f is in e->f, up to the root of g_j: time to go, and a little more for what is beyond it. */
static bool is_steep_before(struct tansy_solver *s, double t, double time, double more)
{
    struct events *const e = &s->events;
    double *const root = e->f_other, *const quarter = e->f_near;
    return look_ahead(s, t, time + more, e->f, root) == 0 &&
           look_ahead(s, t, 0.75 * (time + more), e->f, quarter) == 0 &&
           is_concave(s, root, quarter, e->f);
}

/* g, v on its side, leads to no root soon, as far as rounding lets its rate tell: it follows a small value of its own, that of a flow in and out, and may rest
   where that is but rounding. */
static bool stays(const struct events *e, double moves, double v, double rounding)
{
    return v <= at_zero * rounding || !(moves < 0 && v <= -moves * without * e->stride);
}

/* g_j is on its way to a root that is so near, or so faint, that steps no longer lead there. */
static bool begins(struct tansy_solver *s, size_t j)
{
    struct events *const e = &s->events;
    double const t = s->stepper.t;
    solver_output(s, t, 0, s->y0, s->ns > 0 ? s->sens0 : NULL);
    if (!events_is_known(e, look_here(s, t, e->f))) return false;
    double const v = events_side(e, j, e->value[j]);
    double const moves = events_side(e, j, s->direction * e->rate[j]);
    if (!(v > 0)) return false;
    double const time = -v / moves, rounding = events_rounding_of(s, t, j);
    if (e->crawls[j] >= CRAWLS && stays(e, moves, v, rounding))
        return v <= 2 * noise_of(s, j, rounding);
    if (!(moves < 0)) return false;
    bool close = time <= 2 * length_of(s);
    if (s->ns == 0) close = close && v <= events_tolerance_of(s, t, j);
    if (e->crawls[j] >= CRAWLS) close = true;
    if ((!close && !(v <= 2 * noise_of(s, j, rounding))) || is_barred(s, t, 4 * time)) return false;
    double const more = fmax(1e-3 * time, 4 * rounding / -moves);
    bool const steep = is_steep_before(s, t, s->direction * time, s->direction * more);
    if (!steep) e->bridged[j] = MOST_LOOKS; /* it is a smooth one */
    return steep;
}

/* |g_j| = `now` is no more than a few roundings; these are found once after a start. */
static bool is_vague(struct tansy_solver *s, size_t j, double now)
{
    struct events *const e = &s->events;
    if (e->bridged[j] == 0) {
        solver_output(s, s->stepper.t, 0, s->y0, NULL);
        memcpy(e->value, e->sample, e->switches * sizeof *e->value);
        e->rounding[j] = events_rounding_of(s, s->stepper.t, j);
        e->bridged[j] = 1;
    }
    return now <= noise_of(s, j, e->rounding[j]);
}

/* After a step h: g_j is to be led to its root, or off it where it is held. */
static bool is_due(struct tansy_solver *s, size_t j, double h)
{
    struct events *const e = &s->events;
    double const now = fabs(e->sample[j]), before = fabs(e->low[j]);
    bool const held = e->band[j] > 0;
    double const slow = (held ? stuck : crept) * e->pace;
    if (!(now <= near_root * e->seen[j])) return false;
    bool const lost = h <= slow && is_vague(s, j, fmax(before, now));
    double const nothing = e->bridged[j] > 0 ? at_zero * e->rounding[j] : 0;
    bool const alike = lost || fabs(before - now) <= fmax(crawl * now, nothing);
    e->crawls[j] = h <= slow && alike ? e->crawls[j] + 1 : 0;
    size_t const n = e->crawls[j];
    bool const crawls = n >= CRAWLS && (n & (n - 1)) == 0; /* looks in vain ever more seldom */
    if (s->derive.blind[j] || (e->bridged[j] >= MOST_LOOKS && !crawls)) return false;
    if (held) return crawls && lost;
    if (!(before - now > nothing) && !crawls) return false;
    bool const close = now * h <= length_of(s) * (before - now);
    bool const small = now <= faint * e->seen[j] || h <= crept * e->pace;
    if (!close && !crawls && !(small && is_vague(s, j, now))) return false;
    e->bridged[j]++;
    return begins(s, j);
}

void events_look_for_bridge(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    if (!is_possible(s)) return;
    struct failure const failure = s->derive.worker[0].failure;
    for (size_t j = 0; j < e->switches && !e->due; j++) {
        if (e->rests[j] && fabs(e->sample[j]) > far_off * e->band[j]) {
            e->rests[j] = false;
            e->band[j] = 0;
        }
        if (!is_due(s, j, fabs(s->stats.h_last))) continue;
        e->due = true;
        e->at = e->near = s->stepper.t;
        e->leader = e->bridge = j;
        e->resolved = true;
    }
    s->derive.worker[0].failure = failure;
}

bool events_rest_at_edge(struct tansy_solver *s)
{
    enum { OFTEN = 4 }; /* at one time */
    struct events *const e = &s->events;
    double const t = solver_now(s);
    if (!is_possible(s) || e->idle > OFTEN) return false;
    struct failure const failure = s->derive.worker[0].failure;
    solver_output(s, t, 0, s->y0, s->ns > 0 ? s->sens0 : NULL);
    bool const known = events_is_known(e, look_here(s, t, e->f));
    for (size_t j = 0; j < e->switches && known && !e->due; j++) {
        if (s->derive.blind[j] || !(fabs(e->value[j]) <= near_root * e->seen[j])) continue;
        if (!(fabs(e->value[j]) <= vague * events_rounding_of(s, t, j))) continue;
        e->crawls[j] = CRAWLS;
        e->due = e->resolved = true;
        e->at = e->near = t;
        e->leader = e->bridge = j;
        e->idle++;
    }
    s->derive.worker[0].failure = failure;
    return e->due;
}

/* One step of the classical Runge-Kutta formula from (t, y0), f there in k1. */
static int step(struct tansy_solver *s, double t, double h, double *k1)
{
    static const double share[] = {0.5, 0.5, 1};
    struct events *const e = &s->events;
    double *const y = e->y_near, *const k = e->beside + s->n, *const sum = e->beside + 2 * s->n;
    const double *last = k1;
    int code = 0;
    memcpy(sum, k1, s->n * sizeof *sum);
    for (int x = 0; x < 3 && code == 0; x++) {
        for (size_t i = 0; i < s->n; i++) y[i] = s->y0[i] + share[x] * h * last[i];
        code = derive_rhs(&s->derive, 0, t + share[x] * h, y, k);
        for (size_t i = 0; i < s->n; i++) sum[i] += (x < 2 ? 2 : 1) * k[i];
        last = k;
    }
    for (size_t i = 0; i < s->n && code == 0; i++) s->y0[i] += h / 6 * sum[i];
    return code;
}

/* Another condition than j has turned, as e->value says. */
static bool another_turns(const struct tansy_solver *s, size_t j)
{
    const struct events *const e = &s->events;
    for (size_t k = 0; k < e->switches; k++)
        if (k != j && !s->derive.blind[k] && events_side(e, k, e->value[k]) < -e->band[k])
            return true;
    return false;
}

/* y0 at b->t goes on to the root of g_j, and a few roundings across it; b->time is how long it takes.  1: it does not get there, g relaxes to its root, or another
   condition turns on the way. */
static int go_to_root(struct tansy_solver *s, struct bridge *b)
{
    struct events *const e = &s->events;
    double *const f = e->beside;
    double first = 0, left = 0, v = 0, moves = 0;
    int code = 0;
    for (int k = 0; k < MOST_STEPS && code == 0; k++) {
        double const before = moves;
        code = look_here(s, b->t + b->time, f);
        v = events_side(e, b->j, e->value[b->j]);
        moves = events_side(e, b->j, s->direction * e->rate[b->j]);
        bool const alike = moves < least_left * before && moves > most_left * before;
        if (code == 0 && k > 0 && !alike && fabs(v) > certain * b->rounding) return 1;
        if (code != 0 || !(moves < 0) || v <= 2 * b->rounding) break;
        left = -v / moves;
        if (k == 0) first = left;
        if (left <= ldexp(first, -HALVINGS)) break;
        if (fabs(b->time) > FARTHEST * first || (k > 0 && another_turns(s, b->j))) return 1;
        code = step(s, b->t + b->time, s->direction * left / 2, f);
        b->time += s->direction * left / 2;
    }
    double beyond = 2 * b->rounding;
    for (int k = 0; k < PUSHES && code == 0 && !(v < 0); k++) {
        if (!(moves < 0)) return 1;
        double const time = s->direction * (v + beyond) / -moves;
        for (size_t i = 0; i < s->n; i++) s->y0[i] += time * f[i];
        if (k == 0) b->time += time;
        beyond *= 2;
        code = derive_switch(&s->derive, 0, b->t + b->time, s->y0, e->value);
        v = events_side(e, b->j, e->value[b->j]);
    }
    return code;
}

/* g_j has come to rest, g ~ (T - t)^(1/(1 - a)) with phi = g^a, so that phi and all that vanishes with it amount to their value at the beginning for the time
   g/g', and not for T - t.  What does not vanish goes on as before: T may be taken to be earlier, and y goes back along f. */
static void count_back(struct tansy_solver *s, struct bridge *b, double straight)
{
    double const more = b->time - straight;
    for (size_t i = 0; i < s->n; i++) s->y0[i] -= more * b->to[i];
    b->time = straight;
}

/* Nothing crosses here: steps go on, and no more is tried at g_j. */
static void give_way(struct events *e, size_t j)
{
    e->leader = SIZE_MAX;
    memset(e->turned, 0, e->switches * sizeof *e->turned);
    e->bridged[j] = MOST_LOOKS;
}

static int arrive(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    size_t const j = e->bridge;
    double size = 0, off = 0;
    bool rests = false;
    size_t const crept_for = e->crawls[j];
    e->drifts = false;
    int code = look_here(s, e->at, e->leap_f);
    double const rate = e->rate[j], straight = -e->value[j] / rate;
    double const rounding = code == 0 ? events_rounding_of(s, e->at, j) : 0;
    bool const crawls = crept_for >= CRAWLS;
    double const noise = fmax(2 * noise_of(s, j, rounding), crawls ? 4 * fabs(e->value[j]) : 0);
    double const moves = events_side(e, j, s->direction * rate);
    e->crawls[j] = 0;
    e->rounding[j] = rounding;
    bool const held = e->band[j] > 0; /* and steps are as short as it is near to its root: */
    double const v = events_side(e, j, e->value[j]);
    bool const far = !(moves < 0 && v <= -moves * too_far * e->stride);
    bool const still = held || (crawls ? stays(e, moves, v, rounding) : far);
    bool const alone = held || (still && crawls);
    if (code == 0 && (alone || fabs(e->value[j]) <= noise))
        code = events_rest_together(s, e->at, noise / rounding, alone ? 1 : 2, crawls, &rests);
    bool const leads = !held && crawls && moves < 0 && v <= -moves * without * e->stride;
    bool const waits = still && !leads; /* else a root is just ahead, though g is but rounding */
    if (code == 0 && waits && !rests) { /* it leaves at once, see events_leave(), or goes on */
        give_way(e, j);
        e->crawls[j] = held ? 0 : crept_for;
    }
    if (code != 0 || rests || waits) return code;
    memcpy(e->f, e->leap_f, s->n * sizeof *e->f);
    if (s->ns > 0) code = events_find_delays(s, e->at, j, &size);
    if (code != 0) return code;
    events_note_delays(e, s->ns);
    memcpy(e->leap_y, s->y0, s->n * sizeof *s->y0);
    struct bridge b = {.j = j,
                       .t = e->at,
                       .from = e->leap_f,
                       .to = e->f,
                       .at = e->leap_y,
                       .f = e->leap_f,
                       .t_at = e->at,
                       .rounding = rounding};
    code = go_to_root(s, &b);
    if (code == 0) code = look_here(s, b.t + b.time, e->f);
    if (code == 0 && fabs(e->rate[j]) <= stands * fabs(rate)) {
        count_back(s, &b, straight);
        code = look_here(s, b.t + b.time, e->f);
    }
    if (code == 0 && s->ns > 0) code = events_bridge_columns(s, &b, HUGE_VAL, &off);
    if (code != 0) return code;
    e->at = e->near = b.t + b.time;
    return events_rest_together(s, e->at, vague, 1, false, &rests);
}

/* S has a value in all columns: none, where the rate of g is so small that dT/dp is infinite. */
static bool is_finite(const struct tansy_solver *s)
{
    bool all = true;
    for (size_t x = 0; x < s->n * s->ns; x++) all = all && isfinite(s->sens0[x]);
    return all;
}

/* Where it does not get there, or a function has no value on the way, the bridge is undone. */
int events_arrive(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    struct failure const failure = s->derive.worker[0].failure;
    double const from = e->at;
    int code = arrive(s);
    if (code == 0 && !is_finite(s)) code = 1;
    if (code == 0 && e->bridged[e->bridge] < MOST_LOOKS)
        memset(e->bridged, 0, e->switches * sizeof *e->bridged);
    if (code <= 0) return code;
    solver_output(s, from, 0, s->y0, s->sens0);
    e->at = e->near = from;
    give_way(e, e->bridge);
    s->derive.worker[0].failure = failure;
    return 0;
}

double events_time_across(const struct events *e)
{
    double const rate = fabs(e->rate[e->bridge]);
    return rate > 0 ? fmin(16 * e->rounding[e->bridge] / rate, longest * e->stride) : 0;
}

/* y0 from the root at b->t on for b->time: first a little along f, in e->f, to beyond it, then in steps that grow. */
static int go_from_root(struct tansy_solver *s, const struct bridge *b, double beyond)
{
    double *const f = s->events.beside;
    double passed = beyond + ldexp(b->time, -HALVINGS);
    int code = 0;
    for (size_t i = 0; i < s->n; i++) s->y0[i] += passed * s->events.f[i];
    while (code == 0 && fabs(passed) < fabs(b->time)) {
        double const rest = b->time - passed;
        double const h = fabs(rest) <= 1.5 * fabs(passed) ? rest : passed;
        code = derive_rhs(&s->derive, 0, b->t + passed, s->y0, f);
        if (code == 0) code = step(s, b->t + passed, h, f);
        passed = h == rest ? b->time : passed + h;
    }
    return code;
}

/* g_j leaves its root at *t, where y0, sens0 and f in e->f are those behind it: at a time where S' is no longer infinite. *made: it did; it must where steps do not. */
static int leave(struct tansy_solver *s, double *t, size_t j, double time, bool must, bool *made)
{
    struct events *const e = &s->events;
    struct bridge b = {.j = j, .t = *t, .from = e->f, .to = e->leap_f, .at = s->y0, .f = e->leap_f};
    double const v = events_side(e, j, e->value[j]);
    double const moves = events_side(e, j, s->direction * e->rate[j]);
    double const beyond = v < 0 ? -v / moves : 0;
    double off = 0, most = 1;
    memcpy(e->leap_y, s->y0, s->n * sizeof *s->y0);
    int code = 0;
    *made = false;
    for (int k = 0; k < SHORTENINGS && code == 0 && !*made; k++) {
        double const part = ldexp(time, -3 * k);
        if (part <= 8 * beyond || part <= 16 * events_roundoff(*t, 0)) break;
        if (is_barred(s, *t, 2 * part)) continue;
        b.time = s->direction * part;
        b.t_at = b.t + b.time;
        memcpy(s->y0, e->leap_y, s->n * sizeof *s->y0);
        code = go_from_root(s, &b, s->direction * beyond);
        if (code == 0) code = derive_rhs(&s->derive, 0, b.t_at, s->y0, e->leap_f);
        if (code == 0) code = derive_switch(&s->derive, 0, b.t_at, s->y0, e->trial);
        if (code != 0 || events_first_wrong(e, e->trial) < e->switches) {
            code = code < 0 ? code : 0;
            continue;
        }
        if (k == SHORTENINGS - 1 || (must && part / 8 <= 8 * beyond)) most = HUGE_VAL;
        if (s->ns > 0) code = events_bridge_columns(s, &b, most, &off);
        *made = code == 0 && off <= most;
    }
    if (!*made) {
        memcpy(s->y0, e->leap_y, s->n * sizeof *s->y0);
        return code < 0 ? code : 0;
    }
    memcpy(e->sample, e->trial, e->switches * sizeof *e->sample);
    *t = b.t_at;
    return 0;
}

/* g_j stands at its root at (t, y0), is driven from it to the side of its mode, and f there is steep. */
static bool is_leaving(struct tansy_solver *s, double t, size_t j, double time)
{
    struct events *const e = &s->events;
    double const v = events_side(e, j, e->value[j]);
    double const moves = events_side(e, j, s->direction * e->rate[j]);
    if (!(moves > 0) || !(fabs(v) <= 0.01 * moves * time)) return false;
    double const past = s->direction * fmax(-v / moves, 0);
    double *const far = e->f_other, *const quarter = e->f_near;
    return look_ahead(s, t, past + s->direction * time, e->f, far) == 0 &&
           look_ahead(s, t, past + s->direction * time / 4, e->f, quarter) == 0 &&
           is_concave(s, e->f, quarter, far);
}

int events_leave(struct tansy_solver *s, double *t)
{
    struct events *const e = &s->events;
    size_t const only = e->leader != SIZE_MAX ? e->bridge : SIZE_MAX;
    size_t const released = e->leader == SIZE_MAX ? e->bridge : SIZE_MAX;
    double const usual = length_of(s);
    double size = 0;
    bool made = false, any = only != SIZE_MAX;
    e->bridge = SIZE_MAX;
    if (!is_possible(s) || s->ns == 0 || !(usual > 0)) return 0;
    for (size_t j = 0; j < e->switches; j++) {
        any = any || e->band[j] > 0;
        if (e->rests[j] && e->turned[j]) e->band[j] = 0;
    }
    if (!any) return 0;
    struct failure const failure = s->derive.worker[0].failure;
    int code = look_here(s, *t, e->f);
    for (size_t j = 0; j < e->switches && code == 0 && !made; j++) {
        bool const stood = e->band[j] > 0 || (e->rests[j] && e->turned[j]);
        e->rests[j] = e->rests[j] && e->band[j] > 0;
        if (j != only && !stood) continue;
        double time = usual;
        if (j == released) time = fmax(time, vague * e->rounding[j] / fabs(e->rate[j]));
        if (!is_leaving(s, *t, j, time)) continue;
        code = events_find_delays(s, *t, j, &size);
        if (code == 0) code = leave(s, t, j, time, j == released, &made);
        if (made) events_note_delays(e, s->ns);
        if (made) e->bridged[j] = 0; /* it may come back */
    }
    s->derive.worker[0].failure = failure;
    return code < 0 ? code : 0;
}
