/* SPDX-License-Identifier: Apache-2.0 */
/* Step size and order after Gear and ODESSA (4.16): the ratio a candidate allows is
     (bias error)^(-1/(order+1)),
   and the candidate with the largest ratio per cost wins. The error is the largest over state and columns. */
#include "drive/control.h"

#include <math.h>

enum {
    FIRST_GROWTH = 10000, /* the first step is chosen carefully small: let h find its size at once */
    GROWTH = 10,
    GROWTH_AFTER_FAILURE = 2,
    SHORT_WAIT = 3,  /* steps until the next look when the last one changed nothing */
    TRUSTED_ERRORS = 2 /* failed tests after which the history is not believed any more */
};

static const double RETREAT = 0.25, SECOND_ERROR_LIMIT = 0.2, DISTRUST = 0.1;

void control_start(struct control *c, const struct method *method)
{
    c->growth = FIRST_GROWTH;
    c->wait = 1 + method->patience;
    c->errors = c->failures = 0;
}

bool control_considers(const struct control *c)
{
    return c->wait == 1;
}

/* The ratio that a candidate allows; 0 when it is not offered. */
static double allowed(const struct candidate *candidate)
{
    if (candidate->order == 0) return 0;
    double const error = pow(candidate->bias * candidate->error, 1.0 / (candidate->order + 1));
    return 1 / (error + 1e-6);
}

/* The best of the slots first .. last. */
static struct decision best(const struct candidate *candidate, int first, int last)
{
    struct decision d = {.order = candidate[SAME].order, .ratio = allowed(&candidate[SAME])};
    double value = d.ratio / candidate[SAME].cost;
    for (int slot = first; slot <= last; slot++) {
        if (slot == SAME || candidate[slot].order == 0) continue;
        double const ratio = allowed(&candidate[slot]);
        if (!(ratio / candidate[slot].cost > value)) continue;
        value = ratio / candidate[slot].cost;
        d = (struct decision){.order = candidate[slot].order, .ratio = ratio};
    }
    return d;
}

/* Keeps abs(h) within the user's limits. */
static double limit(const struct control *c, double h, double ratio)
{
    double const size = fabs(h);
    if (size * ratio > c->max_step) ratio = c->max_step / size;
    if (size * ratio < c->min_step) ratio = c->min_step / size;
    return ratio;
}

static void changed(struct control *c, const struct method *method, int order)
{
    c->wait = order + method->patience;
}

void control_cut(struct control *c, const struct method *method, int order)
{
    changed(c, method, order);
}

struct decision control_accept(struct control *c, const struct method *method, double h, int order,
                               const struct candidate *candidate)
{
    struct decision const stay = {.order = order, .ratio = 1};
    c->errors = c->failures = 0;
    if (--c->wait > 0) return stay;
    struct decision d = best(candidate, LOWER, HIGHER);
    d.ratio = limit(c, h, fmin(d.ratio, c->growth));
    c->growth = GROWTH;
    if (d.ratio < method->dead_band) {
        c->wait = SHORT_WAIT;
        return stay;
    }
    changed(c, method, d.order);
    return d;
}

struct decision control_reject(struct control *c, const struct method *method, double h, int order,
                               const struct candidate *candidate)
{
    c->errors++;
    c->growth = GROWTH_AFTER_FAILURE;
    struct decision d = {.order = 1, .ratio = DISTRUST};
    if (c->errors <= TRUSTED_ERRORS) {
        d = best(candidate, LOWER, SAME);
        d.ratio = fmin(d.ratio, 1);
        if (c->errors > 1) d.ratio = fmin(d.ratio, SECOND_ERROR_LIMIT);
        /* A column that failed by nothing but NaN, or by a hair at a lower order, must still move. */
        if (!(d.ratio < 1) && d.order == order) d.ratio = SECOND_ERROR_LIMIT;
    }
    d.ratio = limit(c, h, d.ratio);
    changed(c, method, d.order);
    return d;
}

struct decision control_retreat(struct control *c, const struct method *method, double h, int order)
{
    c->failures++;
    c->growth = GROWTH_AFTER_FAILURE;
    changed(c, method, order);
    return (struct decision){.order = order, .ratio = limit(c, h, RETREAT)};
}
