/* SPDX-License-Identifier: Apache-2.0 */
/* Step size and order after Gear and ODESSA (4.16): the ratio a candidate allows is
     (bias error)^(-1/(order+1)),
   and the candidate with the largest ratio per cost wins. The error is the largest over state and columns. */
#include "drive/control.h"

#include <math.h>

enum {
    FIRST_GROWTH =
        10000, /* the first step is chosen carefully small: let h find its size at once */
    START_GROWTH = 100,
    GROWTH = 10,
    GROWTH_AFTER_FAILURE = 2,
    SHORT_WAIT =
        4, /* steps until the next look at other orders when the last one changed nothing */
    TRUSTED_ERRORS = 2 /* failed tests after which the history is not believed any more */
};

static const double worth_raising = 1.5; /* growth at which a start goes on to the next order */
static const double retreat =
                        0.3, /* not 1/4: four such steps would end where the long one failed */
    second_error_limit = 0.2, distrust = 0.1;
static const double least_error = 0.01; /* smaller ones say nothing about the next step */

static void changed(struct control *c, const struct method *method)
{
    c->wait = method->patience;
}

static void failed(struct control *c, const struct method *method)
{
    c->starting = false;
    c->growth = method_is_one_step(method) ? 1 : GROWTH_AFTER_FAILURE;
    c->equal = 0;
    changed(c, method);
}

void control_start(struct control *c, const struct method *method, int max_order)
{
    c->max_order = max_order;
    c->growth = FIRST_GROWTH;
    c->starting = true;
    c->errors = c->failures = c->equal = 0;
    c->last_error = 0;
    changed(c, method);
}

bool control_considers(const struct control *c)
{
    return c->wait <= 1;
}

/* x^(1/k): a call of pow costs as much as the rest of the choice, roots do not. */
static double root(double x, int k)
{
    switch (k) {
    case 2:
        return sqrt(x);
    case 4:
        return sqrt(sqrt(x));
    case 8:
        return sqrt(sqrt(sqrt(x)));
    default:
        return pow(x, 1.0 / k);
    }
}

/* The order by which a step is chosen for which the error is `excess` times what it should be. */
static int order_for(const struct candidate *candidate, double excess)
{
    bool const limited = candidate->limit > 0 && candidate->order > candidate->limit && excess > 1;
    return limited ? candidate->limit : candidate->order;
}

/* The ratio that a candidate allows; 0 when it is not offered. */
static double allowed(const struct candidate *candidate)
{
    double const excess = candidate->bias * candidate->error;
    if (candidate->order == 0) return 0;
    return 1 / (root(excess, order_for(candidate, excess) + 1) + 1e-6);
}

/* The ratio that a candidate allows is below `band`; without a call of pow. */
static bool too_large(const struct candidate *candidate, double band)
{
    double power = band;
    for (int j = 0; j < candidate->order; j++) power *= band;
    return candidate->bias * candidate->error * power > 1;
}

/* What a step of this ratio is worth: where a piece of so many present steps begins, it counts how many are needed for it. */
static double worth(double ratio, double piece)
{
    return piece > 0 ? piece / fmax(ceil(piece / ratio - 1e-6), 1) : ratio;
}

/* The best of the slots first .. last. */
static struct decision best(const struct candidate *candidate, int first, int last, double piece)
{
    struct decision d = {.order = candidate[SAME].order, .ratio = allowed(&candidate[SAME])};
    double value = worth(d.ratio, piece) / candidate[SAME].cost;
    for (int slot = first; slot <= last; slot++) {
        if (slot == SAME || candidate[slot].order == 0) continue;
        double const ratio = allowed(&candidate[slot]);
        double const other = worth(ratio, piece) / candidate[slot].cost;
        if (!(other > value)) continue;
        value = other;
        d = (struct decision){.order = candidate[slot].order, .ratio = ratio};
    }
    return d;
}

/* No order allows a growth out of the dead band, nor does the lower one allow the same step: nothing changes. */
static bool none_is_worth(const struct candidate *candidate, double band)
{
    for (int slot = LOWER; slot <= HIGHER; slot++)
        if (candidate[slot].order != 0 && !too_large(&candidate[slot], band)) return false;
    return candidate[LOWER].order == 0 || too_large(&candidate[LOWER], 1);
}

/* Keeps abs(h) within the user's limits. */
static double limit(const struct control *c, double h, double ratio)
{
    double const size = fabs(h);
    if (size * ratio > c->max_step) ratio = c->max_step / size;
    if (size * ratio < c->min_step) ratio = c->min_step / size;
    return ratio;
}

void control_cut(struct control *c, const struct method *method)
{
    changed(c, method);
}

/* A start from one point: nothing speaks against the next order as long as the step may grow a lot. */
static bool start_goes_on(struct control *c, const struct method *method, double h, int order,
                          const struct candidate *candidate, struct decision *d)
{
    double const ratio = fmin(allowed(&candidate[SAME]), c->growth);
    bool const at_once = order == 1 && method->raises_at_once;
    if (!(ratio > worth_raising || at_once) || order >= c->max_order) {
        c->starting = false;
        return false;
    }
    *d = (struct decision){.order = order + 1, .ratio = limit(c, h, ratio)};
    c->growth = START_GROWTH;
    changed(c, method);
    return true;
}

/* One-step methods: what the error allows, or what it will allow if it goes on changing as between the last two steps, when that is
   less (Gustafsson 1991). */
static struct decision accept_one_step(struct control *c, double h,
                                       const struct candidate *candidate)
{
    double const error = candidate[SAME].error;
    bool const orders = candidate[LOWER].order != 0 || candidate[HIGHER].order != 0;
    struct decision d = best(candidate, LOWER, HIGHER, c->piece / fabs(h));
    double ratio = d.ratio;
    if (c->last_error > 0 && !orders) {
        struct candidate expected = candidate[SAME];
        expected.error = error * error / c->last_error;
        ratio = fmin(ratio, fabs(h) / c->last_h * allowed(&expected));
    }
    c->last_error = fmax(error, least_error);
    c->last_h = fabs(h);
    ratio = fmin(ratio, c->growth);
    c->growth = GROWTH;
    return (struct decision){.order = d.order, .ratio = limit(c, h, ratio)};
}

struct decision control_accept(struct control *c, const struct method *method, double h, int order,
                               const struct candidate *candidate)
{
    struct decision d = {.order = order, .ratio = 1};
    c->errors = c->failures = 0;
    if (method_is_one_step(method)) return accept_one_step(c, h, candidate);
    if (c->starting && start_goes_on(c, method, h, order, candidate, &d)) return d;
    bool const any_order = --c->wait <= 0;
    bool const recovering = c->growth == GROWTH_AFTER_FAILURE;
    bool const steady = ++c->equal > order;
    if (!any_order && (recovering || too_large(&candidate[SAME], method->dead_band))) return d;
    if (any_order && fabs(h) > c->min_step && none_is_worth(candidate, method->dead_band)) {
        c->growth = GROWTH;
        c->wait = SHORT_WAIT;
        return d;
    }
    d = any_order ? best(candidate, LOWER, HIGHER, 0) : best(candidate, SAME, SAME, 0);
    d.ratio = limit(c, h, fmin(d.ratio, c->growth));
    c->growth = GROWTH;
    if (!steady && method->steady_growth) d.ratio = fmin(d.ratio, method->steady_growth[order]);
    if (d.ratio < method->dead_band) { /* only a lower order is worth it then, and no change of h */
        d.order = d.ratio >= 1 && d.order < order ? d.order : order;
        d.ratio = 1;
        if (d.order == order && any_order) c->wait = SHORT_WAIT;
    }
    if (d.order != order) changed(c, method);
    if (d.ratio != 1) c->equal = 0;
    return d;
}

struct decision control_reject(struct control *c, const struct method *method, double h, int order,
                               const struct candidate *candidate)
{
    bool const first =
        c->starting && order == method->lowest_order; /* only the guess of h was wrong */
    c->errors++;
    failed(c, method);
    c->starting = first;
    struct decision d = {.order = method->lowest_order, .ratio = distrust};
    if (c->errors <= TRUSTED_ERRORS || method_is_one_step(method)) {
        d = best(candidate, LOWER, SAME, 0);
        d.ratio = fmin(fmax(d.ratio, distrust), 1); /* also when the error is infinite */
        /* One-step methods believe their estimate longer; but where it is flat in h (stiff components of formulas that are not
           stiffly accurate) it would lead nowhere. */
        if (c->errors > (method_is_one_step(method) ? TRUSTED_ERRORS : 1))
            d.ratio = fmin(d.ratio, second_error_limit);
        /* A column that failed by nothing but NaN, or by a hair at a lower order, must still move. */
        if (!(d.ratio < 1) && d.order == order) d.ratio = second_error_limit;
    }
    d.ratio = limit(c, h, d.ratio);
    return d;
}

struct decision control_retreat(struct control *c, const struct method *method, double h, int order)
{
    c->failures++;
    failed(c, method);
    return (struct decision){.order = order, .ratio = limit(c, h, retreat)};
}
