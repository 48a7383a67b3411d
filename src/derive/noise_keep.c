/* SPDX-License-Identifier: Apache-2.0 */
/* What noise.c knows of a column, put back where an attempt has failed: panels above the one that failed may or may not have been at work,
   as threads come along, and runs must not depend on that. */
#include <string.h>

#include "derive/providers.h"

void noise_keep_layout(struct derive *d, struct arena *arena)
{
    struct internal *const in = &d->internal;
    if (d->workers == 1) return; /* panel after panel: those above have not been at work */
    in->noise_kept = arena_doubles(arena, d->ns);
    in->still_kept = arena_doubles(arena, d->ns);
    ARENA_TAKE(arena, in->since_kept, d->ns);
    ARENA_TAKE(arena, in->looks_kept, d->ns);
}

void derive_noise_keep(struct derive *d)
{
    struct internal *const in = &d->internal;
    if (!in->noise_kept) return;
    memcpy(in->noise_kept, in->noise, d->ns * sizeof *in->noise);
    memcpy(in->still_kept, in->still, d->ns * sizeof *in->still);
    memcpy(in->since_kept, in->since, d->ns * sizeof *in->since);
    memcpy(in->looks_kept, in->looks, d->ns * sizeof *in->looks);
}

void derive_noise_put_back(struct derive *d, const struct panel *panel)
{
    struct internal *const in = &d->internal;
    size_t const first = panel->first, count = panel->columns;
    if (!in->noise_kept) return;
    memcpy(in->noise + first, in->noise_kept + first, count * sizeof *in->noise);
    memcpy(in->still + first, in->still_kept + first, count * sizeof *in->still);
    memcpy(in->since + first, in->since_kept + first, count * sizeof *in->since);
    memcpy(in->looks + first, in->looks_kept + first, count * sizeof *in->looks);
}
