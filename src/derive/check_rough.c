/* SPDX-License-Identifier: Apache-2.0 */
/* Whether f is but rounding at the point of a check, (1 - cos(x))/x^2 near 0: neither the given derivative nor differences are known there.
   The fourth difference along the line, f(4) - 4 f(3) + 6 f(2) - 4 f(1) + f(0), of a smooth f is h^4 f'''' or a few roundings, and grows 16
   times as h is doubled; that of a kink twice; what does not grow is an error of f(0), or a jump. */
#include <float.h>
#include <math.h>

#include "derive/check.h"
#include "derive/names.h"

static const double visible = 1e4 * DBL_EPSILON; /* of the largest term: no rounding of a sum */
static const double steady = 2; /* over four doublings, in which sqrt(x) at 0 grows 4 times */

void check_scale_steps(const struct derive *d, struct line *line, double by)
{
    const struct derive_worker *const w = &d->worker[0];
    line->factor *= by;
    line->t_step *= by;
    for (size_t i = 0; i < d->n; i++) {
        w->step[i] *= by;
        if (w->rate_step) w->rate_step[i] *= by;
    }
}

bool check_is_rough(struct check *c, const struct line *along, size_t i)
{
    enum { LEVELS = 7, EACH = 3 };
    struct derive *const d = c->d;
    struct line line = *along;
    double near = 0, far = 0; /* the largest of three: one of them may be small by chance */
    bool known = true;
    line.difference = (tansy_difference)LINE_FOURTH_DIFFERENCE;
    check_scale_steps(d, &line, ldexp(1, 1 - LEVELS));
    for (int k = 0; k < LEVELS; k++) {
        known = known && line_difference(d, 0, &line, d->worker[0].f) == 0;
        double const size = fabs(d->worker[0].f[i]);
        if (k < EACH) near = fmax(near, size);
        if (k >= LEVELS - EACH) far = fmax(far, size);
        check_scale_steps(d, &line, 2);
    }
    check_scale_steps(d, &line, 0.5);
    /* What f_i moves by when y, y' or p moves by itself is one of its terms: of F = 0 the only one that is known. */
    double const term = fmax(c->size[i], fabs(c->value[i]) / c->Delta);
    return known && near > visible * term && far <= steady * near;
}

void check_leave_open(struct check *c, size_t i, const struct name *entry, double h)
{
    if (c->open.text[0]) return;
    (void)message_set(
        &c->open, TANSY_OK,
        "not decided: %s: %s is given as %.9g, differences say %.9g (t = %g), but the "
        "function is but rounding there, as 0/0 is, or jumps",
        c->function, entry->text, c->sign * c->given[i], c->sign * c->value[i] / h, c->t);
}
