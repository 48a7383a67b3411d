/* SPDX-License-Identifier: Apache-2.0 */
/* See start_kept.h.  S(t0) goes to corrections, which no step has used yet. */
#include "drive/start_kept.h"

#include <string.h>

#include "drive/sizes.h"
#include "drive/solver.h"

void start_keep(struct tansy_solver *s)
{
    size_t const n = s->n;
    double *const room = s->start_kept;
    if (!room) return;
    memcpy(room, s->y0, n * sizeof *room);
    if (s->consistent.yp) memcpy(room + n, s->consistent.yp, n * sizeof *room);
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct part *const part = &s->stepper.panel[m];
        memcpy(part->e[0], s->sens0 + part->shape.first * n,
               part->shape.columns * n * sizeof *room);
    }
}

void start_put_back(struct tansy_solver *s)
{
    size_t const n = s->n;
    const double *const room = s->start_kept;
    if (!room) return;
    memcpy(s->y0, room, n * sizeof *room);
    if (s->consistent.yp) memcpy(s->consistent.yp, room + n, n * sizeof *room);
    for (size_t m = 0; m < s->stepper.panels; m++) {
        const struct part *const part = &s->stepper.panel[m];
        size_t const bytes = part->shape.columns * n * sizeof *room;
        memcpy(s->sens0 + part->shape.first * n, part->e[0], bytes);
        memset(part->e[0], 0, bytes);
    }
}

void start_as_given(struct tansy_solver *s)
{
    if (!s->consistent.is_kept) return;
    start_put_back(s);
    sizes_begin(s);
    s->consistent.is_kept = false;
}
