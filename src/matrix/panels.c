/* SPDX-License-Identifier: Apache-2.0 */
/* Division of columns into panels. */
#include "matrix/panels.h"

#include <stdbool.h>

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

/* Columns of tolerances that differ by no more than this share a panel. */
static const double alike = 10;

/* Half of the lanes and a quarter in two panels are less than all of them in one. */
static bool can_split(size_t lanes)
{
    return lanes / 4 >= MIN_LANES;
}

/* Columns of the panel that begins with column `first`. */
static size_t columns_from(size_t first, size_t ns, size_t lanes, const double *tolerance)
{
    size_t columns = 1;
    while (columns < lanes && first + columns < ns) {
        double const a = tolerance ? tolerance[first] : 0,
                     b = tolerance ? tolerance[first + columns] : 0;
        if (a > alike * b || b > alike * a) break;
        columns++;
    }
    bool const splits = can_split(lanes) && columns > lanes / 2 && columns <= lanes / 4 * 3;
    return splits ? lanes / 2 : columns;
}

size_t panels_number(size_t n, size_t ns, size_t rows, const double *tolerance)
{
    size_t const lanes = widest(n, rows);
    size_t number = 0;
    for (size_t first = 0; first < ns; number++) first += columns_from(first, ns, lanes, tolerance);
    return number;
}

void panels_divide(size_t n, size_t ns, size_t rows, const double *tolerance, struct panel *panel)
{
    size_t const lanes = widest(n, rows);
    for (size_t first = 0, m = 0; first < ns; m++) {
        struct panel *const q = &panel[m];
        q->number = m;
        q->first = first;
        q->columns = columns_from(first, ns, lanes, tolerance);
        q->lanes = lanes;
        while (q->lanes / 2 >= q->columns) q->lanes /= 2;
        q->count = lane_round(n * q->lanes);
        first += q->columns;
    }
}

/* Where a panel has more than half of the lanes, fewer of its columns may lie in two. */
size_t panels_widen(size_t n, size_t rows, size_t panels, struct panel *panel)
{
    size_t const lanes = widest(n, rows);
    size_t number = panels;
    if (!can_split(lanes)) return panels;
    for (size_t m = 0; m < panels; m++) {
        struct panel *const next = &panel[m + 1];
        if (panel[m].lanes < lanes) continue;
        if (m + 1 == panels) *next = (struct panel){.number = number++, .first = panel[m].first};
        if (next->lanes >= lanes / 4) continue;
        next->lanes = lanes / 4;
        next->count = lane_round(n * next->lanes);
    }
    return number;
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
