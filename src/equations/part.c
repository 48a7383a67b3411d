/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and work vectors of parts. */
#include "equations/part.h"

void part_collect(struct part *part, struct derive_worker *worker)
{
    struct derive_counts *const sum = &part->counts.derive, *const more = &worker->counts;
    sum->rhs += more->rhs;
    sum->tangent += more->tangent;
    sum->jacobian += more->jacobian;
    sum->parameter += more->parameter;
    sum->second += more->second;
    *more = (struct derive_counts){0};
}

void work_layout(struct work *w, struct arena *arena, size_t count, bool implicit)
{
    w->y0 = arena_doubles(arena, count);
    w->d0 = arena_doubles(arena, count);
    w->y = arena_doubles(arena, count);
    w->r = arena_doubles(arena, count);
    w->winv = arena_doubles(arena, count);
    w->yp = implicit ? arena_doubles(arena, count) : NULL;
    w->masked = implicit ? arena_doubles(arena, count) : NULL;
}
