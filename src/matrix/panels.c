/* SPDX-License-Identifier: Apache-2.0 */
/* Division of columns into panels. */
#include "matrix/panels.h"

#include "matrix/kernels.h"

enum {
    MIN_LANES = 8, /* narrower ones only where fewer columns are left */
    CACHE_DOUBLES =
        96 * 1024 /* 768 kB: second-level cache of the machines of today, less a little */
};

static size_t widest(size_t n, size_t rows)
{
    size_t lanes = MAX_LANES;
    while (lanes > MIN_LANES && n * rows > CACHE_DOUBLES / lanes) lanes /= 2;
    return lanes;
}

size_t panels_number(size_t n, size_t ns, size_t rows)
{
    size_t const lanes = widest(n, rows);
    return (ns + lanes - 1) / lanes;
}

void panels_divide(size_t n, size_t ns, size_t rows, struct panel *panel)
{
    size_t const lanes = widest(n, rows);
    size_t const number = panels_number(n, ns, rows);
    for (size_t m = 0; m < number; m++) {
        struct panel *const q = &panel[m];
        q->number = m;
        q->first = m * lanes;
        q->columns = ns - q->first < lanes ? ns - q->first : lanes;
        q->lanes = lanes;
        while (q->lanes / 2 >= q->columns) q->lanes /= 2;
        q->count = lane_round(n * q->lanes);
    }
}

void panel_from_columns(const struct panel *panel, size_t n, const double *S, double *V)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < panel->columns; k++) V[i * panel->lanes + k] = S[k * n + i];
}

void panel_to_columns(const struct panel *panel, size_t n, const double *V, double *S)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < panel->columns; k++) S[k * n + i] = V[i * panel->lanes + k];
}
