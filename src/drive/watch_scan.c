/* SPDX-License-Identifier: Apache-2.0 */
/* The first change of sign of any g in a stretch, however many there are.  From left to right, parts that are certain to have
   at most one are passed, others halved.  Certain they are by the bounds of g and g' where the problem has .switch_range,
   else when the polynomial through five values foretells two more so well that it keeps its sign, or rises or falls throughout. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "drive/solver.h"

enum {
    DEEPEST = 64,
    MOST_BOUNDS = 4096, /* evaluations of bounds in a step */
    LEAST_BOUNDS = 64,  /* however large the problem is */
    WORK = 2000000, /* entries of y times (order + 1)^2, and of g, that all of them may come to */
    FEW = 8,        /* after which it is asked what bounds can tell at all */
    MOST_IN_VAIN = 6,
    MOST_STRETCHES = 48, /* of seven values each, without bounds */
    FINE = 2 * SAMPLES - 1
};

static const double shortest_bound =
    1e-9; /* parts of a step that are not halved again: an excursion so */
static const double shortest_sample =
    1e-4; /* short is no matter for y, or not to be found by values */

static const double rounding =
    1e-13; /* of g, against its largest value so far: nothing to be seen */

const double events_probe[PROBES] = {0.0869, 0.6047}; /* no step with the five */

/* The polynomial of degree four through v[0..4] at 0, 1, .., 4. */
static double through_five(const double *v, double x)
{
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double weight = 1;
        for (int j = 0; j < SAMPLES; j++)
            if (j != i) weight *= (x - j) / (i - j);
        sum += weight * v[i];
    }
    return sum;
}

/* g_j is sure to have at most one root: v at five points and two more, counted from the side its mode is for. */
static bool is_plain(const double *v)
{
    double miss = 0;
    for (int i = 0; i < PROBES; i++)
        miss = fmax(miss, fabs(v[SAMPLES + i] - through_five(v, (SAMPLES - 1) * events_probe[i])));
    miss *= 4;
    double fine[FINE], least = HUGE_VAL;
    bool rises = true, falls = true;
    for (int i = 0; i < FINE; i++) {
        fine[i] = i % 2 == 0 ? v[i / 2] : through_five(v, 0.5 * i);
        least = fmin(least, fine[i]);
        rises = rises && (i == 0 || fine[i] - fine[i - 1] >= miss);
        falls = falls && (i == 0 || fine[i] - fine[i - 1] <= -miss);
    }
    return least >= miss || rises || falls;
}

bool events_plain(const struct tansy_solver *s, double from, const double *rows)
{
    const struct events *const e = &s->events;
    for (size_t j = 0; j < e->switches; j++) {
        double v[LOOKS], size = 0;
        if (e->bounds && e->vague[j] == 0) continue;
        for (size_t i = 0; i < LOOKS; i++) {
            v[i] = events_side(e, j, rows[i * e->switches + j]) + e->band[j];
            size = fmax(size, fabs(rows[i * e->switches + j]));
        }
        if (size <= fmax(rounding * e->seen[j], e->noise[j])) continue;
        if (s->direction * (from - e->settled) < 0) v[0] = fmax(v[0], 0);
        if (!is_plain(v)) return false;
    }
    return true;
}

/* Bounds that are hardly wider than over the shortest stretch will tell no more over shorter ones, nor will values; infinite ones
   are no noise. */
static int measure_noise(struct tansy_solver *s, double shortest)
{
    struct events *const e = &s->events;
    bool certain = false;
    double const end = s->before + s->direction * shortest;
    int const code = events_enclosed(s, s->before, end, &certain);
    if (code != 0 || (certain && e->vagues == 0)) return code;
    for (size_t j = 0; j < e->switches; j++) {
        double const width = e->bounds[e->switches + j] - e->bounds[j];
        e->noise[j] = isfinite(width) ? 4 * width : 0;
    }
    return 0;
}

/* Looks at the bounds over a stretch, and at seven values where they do not count; a code other than 0: g failed at *at. */
static int judge(struct tansy_solver *s, double a, double b, double *at, bool *certain)
{
    struct events *const e = &s->events;
    *certain = true;
    *at = a;
    int const enclosed = e->bounds ? events_enclosed(s, a, b, certain) : 0;
    if (enclosed != 0) return enclosed;
    if (!*certain || (e->bounds && e->vagues == 0)) return 0;
    for (size_t i = 0; i < LOOKS; i++) {
        double const share = i < SAMPLES ? (double)i / (SAMPLES - 1) : events_probe[i - SAMPLES];
        *at = a + (b - a) * share;
        int const code = events_evaluate(s, *at, e->scan + i * e->switches);
        if (code != 0) return code;
    }
    *certain = events_plain(s, a, e->scan);
    return 0;
}

/* Evaluations of bounds for a step. */
static size_t budget_of(const struct tansy_solver *s)
{
    double const rows = (double)s->stepper.state.order + 1;
    double const each = (double)s->n * rows * rows + 20 * (double)s->events.switches;
    return (size_t)fmin(fmax(WORK / each, LEAST_BOUNDS), MOST_BOUNDS);
}

/* Those of which the last bounds did not tell are looked at by values for 1, 2, 4, .. steps. */
static void give_up_bounds(struct events *e)
{
    for (size_t j = 0; j < e->switches; j++) {
        if (!e->loose[j] || e->vague[j] > 0) continue;
        if (e->in_vain[j] < MOST_IN_VAIN) e->in_vain[j]++;
        e->vague[j] = 1U << e->in_vain[j];
        e->vagues++;
    }
}

void events_sharpen(struct events *e)
{
    for (size_t j = 0; j < e->switches; j++) {
        if (e->vague[j] == 0 && e->in_vain[j] > 0) e->in_vain[j]--;
        if (e->vague[j] == UINT_MAX) continue;
        if (e->vague[j] > 0 && --e->vague[j] == 0) e->vagues--;
    }
}

/* The halving of events_scan: ends of stretches that are yet to be looked at, the nearest last. */
struct halving {
    double end[DEEPEST];
    int depth; /* of the nearest; below 0: all are done */
    double shortest;
    size_t bounds, values; /* stretches that may yet be judged by them */
    bool measured, spent;
};

/* Halves the nearest stretch, which begins at lo; what lies behind a root is dropped. */
static int halve(struct tansy_solver *s, struct halving *h, double lo, bool *found)
{
    struct events *const e = &s->events;
    double const middle = lo + 0.5 * (h->end[h->depth] - lo);
    int const code = events_evaluate(s, middle, e->trial);
    h->depth++;
    if (code == 0 && events_have_root(s, middle, e->trial)) {
        memcpy(e->value, e->trial, e->switches * sizeof *e->value);
        *found = true;
        h->depth = 0;
    }
    h->end[h->depth] = middle;
    return code;
}

/* Takes one from the budgets.  When that for bounds is gone, values count for those that it was spent on; when that for values
   is gone, all counts as certain. */
static int spend(struct tansy_solver *s, struct halving *h, size_t most)
{
    struct events *const e = &s->events;
    int code = 0;
    if (h->spent) return 0;
    if (e->bounds && !h->measured && (h->bounds + FEW < most || e->vagues > 0)) {
        code = measure_noise(s, h->shortest);
        h->measured = true;
    }
    if (e->bounds && h->bounds-- == 0) {
        give_up_bounds(e);
        h->bounds = LEAST_BOUNDS;
    }
    if ((!e->bounds || e->vagues > 0) && h->values-- == 0) {
        h->spent = true;
        e->unsure++;
    }
    return code;
}

/* Passes the parts of a stretch, the halves of those that are not certain one after the other. */
static int pass(struct tansy_solver *s, struct halving *h, double *lo, double *hi, bool *found)
{
    struct events *const e = &s->events;
    size_t const most = h->bounds;
    while (h->depth >= 0) {
        double const to = h->end[h->depth];
        bool certain = h->depth + 1 == DEEPEST || fabs(to - *lo) <= h->shortest;
        int code = certain ? 0 : spend(s, h, most);
        bool const resolved = !certain && !h->spent;
        *hi = to;
        if (code == 0 && resolved) code = judge(s, *lo, to, hi, &certain);
        if (code == 0 && !certain && !h->spent) {
            code = halve(s, h, *lo, found);
            *hi = h->end[h->depth];
            if (code == 0) continue;
        }
        if (code != 0) return code;
        e->resolved = resolved && !(e->bounds && e->blurred);
        if (h->depth == 0 && *found) break;
        *lo = to;
        h->depth--;
    }
    *hi = h->end[0];
    return 0;
}

int events_scan(struct tansy_solver *s, double *lo, double *hi, bool *found)
{
    struct events *const e = &s->events;
    double const length = fabs(s->stepper.t - s->before);
    struct halving h = {.end = {*hi}, .bounds = budget_of(s), .values = MOST_STRETCHES};
    h.shortest = fmax((e->bounds ? shortest_bound : shortest_sample) * length,
                      events_roundoff(s->stepper.t, length));
    int const code = pass(s, &h, lo, hi, found);
    memset(e->noise, 0, e->switches * sizeof *e->noise);
    return code;
}
