/* SPDX-License-Identifier: Apache-2.0 */
/* Watches the switch functions along a step.  Where bounds of g do not tell at once that nothing happens, g is looked at in
   five points of the dense output, and at the lowest point of a parabola through three of them that comes near zero; then
   more closely, see watch_scan.c.  The first change of sign is closed in on by the Illinois method, with halving where that
   is slow, to roundoff. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "drive/solver.h"

enum { MOST_RETREATS = 30 };

static const double no_progress =
    1e-6; /* share of a step after which a switch turns back at once */

static const double lasting = 1000; /* times the mean of a g: no size that it has for long */

/* Two ends of an interval: no switch is on the wrong side at lo, some are at hi. */
struct bracket {
    double lo, hi;
    double weight_lo, weight_hi; /* of the Illinois method */
    bool near_is_start; /* g at lo is not to be trusted: there it has just been zero, perhaps */
};

int events_evaluate(struct tansy_solver *s, double t, double *g)
{
    struct stepper *const st = &s->stepper;
    const double *y = st->state_work.r;
    int code = 0;
    st->method->interpolate(st, &st->state, t, 0, st->state_work.r);
    s->derive.lenient = true;
    if (s->events.softs == 0) {
        code = derive_switch(&s->derive, 0, t, y, g);
    } else {
        memcpy(s->y0, y, s->n * sizeof *s->y0);
        events_set_out(s);
        code = events_values(s, t, g);
        y = s->y0;
    }
    s->derive.lenient = false;
    return code != 0 ? code : events_pass_missing(s, t, y, g);
}

size_t events_first_wrong(const struct events *e, const double *g)
{
    size_t j = 0;
    while (j < e->switches && !(events_side(e, j, g[j]) < -e->band[j])) j++;
    return j;
}

bool events_is_apart(const struct events *e, size_t j, double g)
{
    static const double well = 1e-5, far = 1e-2; /* of the largest g so far */
    double const beyond = -events_side(e, j, g), seen = e->seen[j];
    if (e->early[j]) return false;
    if (e->turned[j]) return beyond > far * seen; /* by more than any error of y */
    return beyond > well * seen || events_side(e, j, e->begin[j]) > well * seen;
}

/* g_j counts at t: not where it has been turned a little before its surface, and has not settled yet. */
static bool counts(const struct tansy_solver *s, size_t j, double t, double g)
{
    const struct events *const e = &s->events;
    if (e->within) return j == e->sought || events_is_apart(e, j, g);
    return !e->early[j] || s->direction * (t - e->settled) >= 0;
}

/* The first switch that counts at t and is on the wrong side; or their number. */
static size_t first_wrong_at(const struct tansy_solver *s, double t, const double *g)
{
    const struct events *const e = &s->events;
    size_t j = 0;
    while (j < e->switches && !(events_side(e, j, g[j]) < -e->band[j] && counts(s, j, t, g[j])))
        j++;
    return j;
}

bool events_have_root(struct tansy_solver *s, double t, const double *g)
{
    struct events *const e = &s->events;
    bool const within = e->within;
    size_t const sought = e->sought;
    e->within = s->direction * (t - e->settled) < 0;
    e->sought = e->switches;
    size_t const found = first_wrong_at(s, t, g);
    e->sought = found < e->switches ? found : sought;
    if (found == e->switches) e->within = within;
    return found < e->switches;
}

/* A switch function failed at `bad`: back to the last point where it did not, and on with smaller steps. */
static tansy_status retreat(struct tansy_solver *s, int code, double good, double bad)
{
    struct events *const e = &s->events;
    double const gap = fabs(bad - good);
    e->due = true;
    e->at = good;
    s->verdict = VERDICT_FAILED;
    s->failure = s->derive.worker[0].failure;
    if (code < 0) return solver_give_up(s, OUTCOME_STOP);
    if (gap <= events_roundoff(bad, 0) || ++e->failures >= MOST_RETREATS)
        return solver_give_up(s, OUTCOME_FAILED);
    e->gap = gap;
    e->failed_at = bad;
    return TANSY_OK;
}

/* Where the next trial goes: to the earliest root that straight lines from lo to hi give. */
static double propose(const struct tansy_solver *s, const struct bracket *b)
{
    const struct events *const e = &s->events;
    double share = 1;
    for (size_t j = 0; j < e->switches; j++) {
        double const far = -events_side(e, j, e->value[j]) * b->weight_hi;
        double const near = fmax(events_side(e, j, e->low[j]), 0) * b->weight_lo;
        if (far > 0 && counts(s, j, b->hi, e->value[j])) share = fmin(share, near / (near + far));
    }
    if (b->near_is_start) share = fmax(share, 0.125);
    return b->lo + (b->hi - b->lo) * share;
}

/* One trial at x, whose values are in e->trial. */
static void narrow(struct tansy_solver *s, struct bracket *b, double x)
{
    struct events *const e = &s->events;
    bool const wrong = first_wrong_at(s, x, e->trial) < e->switches;
    double **const end = wrong ? &e->value : &e->low;
    double *const old = *end;
    *end = e->trial;
    e->trial = old;
    if (wrong) {
        b->hi = x;
        b->weight_lo *= b->weight_hi == 1 ? 0.5 : 1; /* hi moved twice in a row */
        b->weight_hi = 1;
    } else {
        b->lo = x;
        b->weight_hi *= b->weight_lo == 1 ? 0.5 : 1;
        b->weight_lo = 1;
        b->near_is_start = false;
    }
}

/* Closes in on the first root in the bracket, e->low and e->value being g at its ends; ends the step there. */
static tansy_status locate(struct tansy_solver *s, struct bracket b)
{
    struct events *const e = &s->events;
    double const end = s->stepper.t, roundoff = events_roundoff(end, end - s->before);
    double width = 2 * fabs(b.hi - b.lo);
    bool const first = b.lo == s->before;
    b.weight_lo = b.weight_hi = 1;
    b.near_is_start = first;
    for (int trials = 1; fabs(b.hi - b.lo) > roundoff; trials++) {
        double x = propose(s, &b);
        double const least = copysign(roundoff / 2, b.hi - b.lo);
        if (fabs(x - b.lo) < roundoff / 2) x = b.lo + least;
        if (fabs(b.hi - x) < roundoff / 2) x = b.hi - least;
        if (trials % 3 == 0) {
            if (fabs(b.hi - b.lo) > 0.5 * width) x = b.lo + 0.5 * (b.hi - b.lo);
            width = fabs(b.hi - b.lo);
        }
        int const code = events_evaluate(s, x, e->trial);
        if (code != 0) return retreat(s, code, b.lo, x);
        narrow(s, &b, x);
    }
    e->due = true;
    e->leader = first_wrong_at(s, b.hi, e->value);
    if (e->leader == e->switches) e->leader = events_first_wrong(e, e->value);
    e->left = fmax(fabs(e->low[e->leader]), fabs(e->value[e->leader]));
    e->at = fabs(end - b.hi) <= roundoff ? end : b.hi;
    e->near = b.lo;
    if (first && b.near_is_start && !s->derive.blind[e->leader]) e->at = s->before;
    bool const moved = fabs(e->at - s->before) > no_progress * fabs(s->stats.h_last);
    e->idle = moved ? 0 : e->idle + 1;
    return TANSY_OK;
}

/* Where switch j may dip below zero between three rows that stand d apart, the middle one at *t: the lowest point
   of the parabola; false when that is not there, or not near zero.  The first row may be a switching point, where g is
   zero and perhaps below by rounding. */
static bool dips(const struct tansy_solver *s, size_t j, const double *rows, double d, double *t)
{
    const struct events *const e = &s->events;
    double v[3];
    for (size_t i = 0; i < 3; i++) v[i] = events_side(e, j, rows[i * e->switches + j]);
    if (s->direction * (*t - d - e->settled) < 0) v[0] = fmax(v[0], 0);
    double const bend = v[0] - 2 * v[1] + v[2], slope = (v[2] - v[0]) / 2;
    double const least = fmin(fmin(v[0], v[1]), v[2]);
    if (!(least >= 0) || !(fabs(slope) < bend)) return false;
    if (v[1] - slope * slope / (2 * bend) > 0.5 * least) return false;
    *t += -slope / bend * d;
    return s->direction * (*t - e->settled) >= 0;
}

/* Looks at the dips of all switches around row i; the earliest wrong one is left in *hi with its g in e->value. */
static int find_dip(struct tansy_solver *s, size_t i, double t, double d, double *hi)
{
    struct events *const e = &s->events;
    for (size_t j = 0; j < e->switches; j++) {
        double z = t;
        if (!dips(s, j, e->sample + (i - 1) * e->switches, d, &z)) continue;
        if (!isnan(*hi) && s->direction * (z - *hi) >= 0) continue;
        int const code = events_evaluate(s, z, e->trial);
        if (code != 0) return code;
        if (events_first_wrong(e, e->trial) == e->switches) continue;
        memcpy(e->value, e->trial, e->switches * sizeof *e->value);
        *hi = z;
    }
    return 0;
}

/* The roots up to row i, whose time is t[i]; *hi is NaN when there are none. */
static tansy_status look_at_row(struct tansy_solver *s, size_t i, const double *t, double *hi)
{
    struct events *const e = &s->events;
    double *const row = e->sample + i * e->switches;
    int code = events_evaluate(s, t[i], row);
    if (code != 0) return retreat(s, code, t[i - 1], t[i]);
    e->rows = i + 1;
    if (events_have_root(s, t[i], row)) {
        memcpy(e->value, row, e->switches * sizeof *row);
        *hi = t[i];
    }
    if (i < 2 || s->direction * (t[i] - e->settled) < 0) return TANSY_OK;
    code = find_dip(s, i - 1, t[i - 1], t[i - 1] - t[i - 2], hi);
    return code != 0 ? retreat(s, code, t[i - 2], t[i]) : TANSY_OK;
}

/* A step that is certain to have no root but perhaps one at its end: only that is looked at. */
static bool passes(struct tansy_solver *s, int *code)
{
    struct events *const e = &s->events;
    size_t const bytes = e->switches * sizeof *e->sample;
    bool certain = false;
    if (e->vagues == 0) *code = events_enclosed(s, s->before, s->stepper.t, &certain);
    if (*code != 0 || !certain) return false;
    *code = events_evaluate(s, s->stepper.t, e->trial);
    if (*code != 0 || events_first_wrong(e, e->trial) < e->switches) return false;
    memcpy(e->sample + e->switches, e->sample, bytes);
    memcpy(e->sample + (SAMPLES - 1) * e->switches, e->trial, bytes);
    e->rows = 2;
    return true;
}

/* Looks whether two more values of a step that shows no root tell that there is none.  A code: g failed at *at. */
static int look_at_probes(struct tansy_solver *s, double *at, bool *plain)
{
    struct events *const e = &s->events;
    double const h = s->stepper.t - s->before;
    *plain = false;
    bool certain = e->vagues > 0;
    *at = s->before;
    int const enclosed =
        e->bounds && certain ? events_enclosed(s, s->before, s->stepper.t, &certain) : 0;
    if (enclosed != 0) return enclosed;
    if (e->bounds && !certain) return 0; /* they know better */
    for (size_t i = 0; i < PROBES; i++) {
        *at = s->before + h * events_probe[i];
        int const code = events_evaluate(s, *at, e->sample + (SAMPLES + i) * e->switches);
        if (code != 0) return code;
    }
    *plain = events_plain(s, s->before, e->sample);
    return 0;
}

/* Looks for the first root between the beginning of the step and hi, and closes in on it. */
static tansy_status search(struct tansy_solver *s, double hi, bool found)
{
    struct events *const e = &s->events;
    double lo = s->before;
    int code = events_scan(s, &lo, &hi, &found);
    if (code != 0) return retreat(s, code, lo, hi);
    if (!found) return TANSY_OK;
    memcpy(e->low, e->sample, e->switches * sizeof *e->low);
    if (lo != s->before) code = events_evaluate(s, lo, e->low);
    return code != 0 ? retreat(s, code, s->before, lo)
                     : locate(s, (struct bracket){.lo = lo, .hi = hi});
}

/* The samples of a step, up to the first that is on the wrong side. */
static tansy_status sample(struct tansy_solver *s, double *hi)
{
    double const a = s->before, b = s->stepper.t;
    double t[SAMPLES] = {a};
    for (size_t i = 1; i < SAMPLES && isnan(*hi); i++) {
        t[i] = i == SAMPLES - 1 ? b : a + (b - a) * ((double)i / (SAMPLES - 1));
        TRY(look_at_row(s, i, t, hi));
        if (s->events.due) return TANSY_OK;
    }
    return TANSY_OK;
}

/* The sizes of g after a step, whose beginning is in e->low: the largest |g| so far, but no more than `lasting` times its mean over
   time, which a pole that is passed, 1/x, does not raise.  Rows: that, the largest, the integral (where g falls, as after
   a pole, by its ends), the time. */
static void remember(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const h = fabs(s->stepper.t - s->before);
    for (size_t j = 0; j < e->switches; j++) {
        if (s->derive.blind[j]) continue;
        double *const seen = e->seen + j, *const largest = seen + e->switches;
        double *const area = largest + e->switches, *const time = area + e->switches;
        double const size = fabs(e->sample[j]);
        *largest = fmax(*largest, size);
        *area += h * fmin(size, (size + fabs(e->low[j])) / 2);
        *time += h;
        *seen = *area > 0 ? fmin(*largest, lasting * (*area / *time)) : *largest;
    }
}

static tansy_status watch(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    double const b = s->stepper.t;
    double hi = nan("");
    int code = 0;
    memcpy(e->begin, e->sample, e->switches * sizeof *e->sample);
    e->within = false;
    bool const certain = passes(s, &code);
    if (code < 0) return retreat(s, code, s->before, b);
    if (!certain) {
        TRY(sample(s, &hi));
        if (e->due) return TANSY_OK;
        if (!isnan(hi)) return search(s, hi, true);
        bool plain = false;
        double at = b;
        code = look_at_probes(s, &at, &plain);
        if (code != 0) return retreat(s, code, s->before, at);
        if (!plain) TRY(search(s, b, false));
        if (e->due) return TANSY_OK;
    }
    e->within = false;
    events_corner_touched(s, certain);
    memcpy(e->low, e->sample, e->switches * sizeof *e->low);
    memcpy(e->sample, e->sample + (SAMPLES - 1) * e->switches, e->switches * sizeof *e->sample);
    TRY(events_look_again(s));
    remember(s);
    events_sharpen(e);
    if (e->failures > 0 && s->direction * (b - e->failed_at) >= 0) e->failures = 0;
    e->idle = 0;
    return TANSY_OK;
}

tansy_status events_look(struct tansy_solver *s)
{
    static const double lately = 0.999; /* a thousand steps */
    struct events *const e = &s->events;
    double limit = 0;
    e->stride = fmax(e->stride, fabs(s->stats.h_last));
    e->pace = fmax(lately * e->pace, fabs(s->stats.h_last));
    remains_note_step(s);
    if (e->switches > 0) TRY(watch(s));
    if (e->due && e->gap == 0 && e->leader != SIZE_MAX) events_corner_touched_before(s);
    if (!e->due && e->untold > 0) events_corner_flat_later(s);
    if (e->switches > 0) events_look_for_ties(s);
    if (!e->due && e->switches > 0) events_look_for_bridge(s);
    if (!e->due && e->hiddens > 0) events_look_at_hidden(s);
    if (e->refused != 0) return solver_fail_here(s, e->refused);
    if (e->due || e->breaks == 0 || !events_next_break(s, &limit)) return TANSY_OK;
    e->due = s->stepper.t == limit;
    e->at = limit;
    return TANSY_OK;
}

void events_look_back(struct tansy_solver *s)
{
    struct events *const e = &s->events;
    e->due = false;
    e->leader = e->bridge = SIZE_MAX;
    e->gap = 0;
    if (e->switches > 0) memcpy(e->sample, e->begin, e->switches * sizeof *e->sample);
}
