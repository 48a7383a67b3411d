/* SPDX-License-Identifier: Apache-2.0 */
/* A relay without hysteresis behind a lag turns ever faster, and no number of steps is enough: its last turns lie within a small part of the time that is yet to go. */
#include <math.h>
#include <stdio.h>

#include "derive/names.h"
#include "drive/solver.h"

static const double ever_faster = 0.01; /* of what is left of the way to t */

size_t chatter_describe(const struct tansy_solver *s, double t, char *text, size_t size)
{
    const struct events *const e = &s->events;
    size_t const turned = s->stats.switches, newest = (turned + REMEMBERED - 1) % REMEMBERED;
    struct name name;
    if (!e->any || turned < REMEMBERED) return 0;
    size_t const number = e->last[newest].number;
    double const from = e->last[turned % REMEMBERED].t, now = e->last[newest].t;
    size_t times = 0;
    for (size_t x = 0; x < REMEMBERED; x++) times += e->last[x].number == number;
    bool const often = times >= REMEMBERED / 4;
    if (!often || !(fabs(now - from) < ever_faster * fabs(t - now))) return 0;
    int const length = snprintf(
        text, size,
        "%s turns ever faster: the last %d turns were within %.1g of t = %.10g; give it two "
        "limits, one to turn on and one to turn off, or let what it switches change gradually",
        name_switch(&s->problem, number, &name), (int)REMEMBERED, fabs(now - from), now);
    return length > 0 ? (size_t)length : 0;
}
