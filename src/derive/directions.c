/* SPDX-License-Identifier: Apache-2.0 */
/* The directions of the columns in the space of the parameters, as lists: which parameters a column moves,
   and, for each panel, which entries of df/dp go with which factor to which place, so that f_p U is one loop. */
#include <stdint.h>

#include "derive/providers.h"

/* General direction k along parameter j. */
static double direction_of(const tansy_problem *problem, size_t k, size_t j)
{
    return problem->directions[k * (problem->n + problem->np) + problem->n + j];
}

size_t direction_columns(const tansy_problem *problem, size_t ns, size_t j)
{
    size_t count = 0;
    if (!problem->directions && !problem->columns) return j < ns ? 1 : 0;
    if (problem->directions)
        for (size_t k = 0; k < ns; k++) count += direction_of(problem, k, j) != 0;
    else
        for (size_t k = 0; k < ns; k++) count += problem->columns[k] == (int)j;
    return count;
}

/* The first parameter if the columns of the panel are consecutive parameters, else SIZE_MAX. */
static size_t find_consecutive(const struct derive *d, const struct panel *panel)
{
    const int *const columns = d->problem->columns;
    if (d->problem->directions || d->fp_pattern.row) return SIZE_MAX;
    if (!columns) return panel->first;
    int const first = columns[panel->first];
    for (size_t k = 0; k < panel->columns; k++)
        if (columns[panel->first + k] != first + (int)k) return SIZE_MAX;
    return first >= 0 ? (size_t)first : SIZE_MAX;
}

/* Entries of the scatter lists: each entry of a sparse df/dp once for each column it goes to; a dense one needs none, for lists would
   take three times its memory. */
static size_t count_scatter(const struct derive *d)
{
    size_t count = 0;
    for (size_t e = 0; e < d->fp_pattern.entries; e++)
        count += direction_columns(d->problem, d->ns, d->fp_pattern.column[e]);
    return count;
}

static size_t count_directions(const struct derive *d)
{
    size_t count = 0;
    for (size_t j = 0; j < d->np; j++) count += direction_columns(d->problem, d->ns, j);
    return count;
}

void directions_layout(struct derive *d, struct arena *arena, size_t panels)
{
    size_t const entries = count_directions(d), scatter = count_scatter(d);
    ARENA_TAKE(arena, d->touched, d->np);
    ARENA_TAKE(arena, d->acts, d->np);
    ARENA_TAKE(arena, d->direction_start, d->ns + 1);
    ARENA_TAKE(arena, d->direction_row, entries);
    ARENA_TAKE(arena, d->direction_value, entries);
    ARENA_TAKE(arena, d->consecutive, panels);
    ARENA_TAKE(arena, d->scatter_start, panels + 1);
    ARENA_TAKE(arena, d->scatter_place, scatter);
    ARENA_TAKE(arena, d->scatter_entry, scatter);
    ARENA_TAKE(arena, d->scatter_factor, scatter);
    if (d->fp_pattern.row) {
        ARENA_TAKE(arena, d->fp_start, d->np + 1);
        ARENA_TAKE(arena, d->fp_entry, d->fp_pattern.entries);
    }
}

static void add_direction(struct derive *d, size_t *end, size_t j, double value)
{
    if (value == 0) return;
    d->direction_row[*end] = j;
    d->direction_value[*end] = value;
    d->touched[j] = true;
    ++*end;
}

static void list_directions(struct derive *d)
{
    const tansy_problem *const problem = d->problem;
    size_t end = 0;
    for (size_t j = 0; j < d->np; j++) d->touched[j] = false;
    for (size_t k = 0; k < d->ns; k++) {
        d->direction_start[k] = end;
        if (problem->directions)
            for (size_t j = 0; j < d->np; j++)
                add_direction(d, &end, j, direction_of(problem, k, j));
        else if (!problem->columns)
            add_direction(d, &end, k, 1);
        else if (problem->columns[k] >= 0)
            add_direction(d, &end, (size_t)problem->columns[k], 1);
    }
    d->direction_start[d->ns] = end;
}

/* Sorts the entries of the pattern by column, in two passes: count, place. */
static void sort_pattern(struct derive *d)
{
    const tansy_pattern *const pattern = &d->fp_pattern;
    size_t *const start = d->fp_start;
    for (size_t j = 0; j <= d->np; j++) start[j] = 0;
    for (size_t e = 0; e < pattern->entries; e++) start[pattern->column[e]]++;
    for (size_t j = 1; j <= d->np; j++) start[j] += start[j - 1];
    for (size_t e = pattern->entries; e-- > 0;) d->fp_entry[--start[pattern->column[e]]] = e;
}

static void add_scatter(struct derive *d, size_t *end, size_t place, size_t entry, double factor)
{
    d->scatter_place[*end] = place;
    d->scatter_entry[*end] = entry;
    d->scatter_factor[*end] = factor;
    ++*end;
}

/* All entries of column j of a sparse df/dp for lane k. */
static void scatter_column(struct derive *d, size_t *end, size_t lanes, size_t k, size_t direction)
{
    size_t const j = d->direction_row[direction];
    double const factor = d->direction_value[direction];
    for (size_t x = d->fp_start[j]; x < d->fp_start[j + 1]; x++) {
        size_t const e = d->fp_entry[x];
        add_scatter(d, end, d->fp_pattern.row[e] * lanes + k, e, factor);
    }
}

/* Directions of the panel's columns that move parameter j make it one that acts. */
static void mark_acting(struct derive *d, const struct panel *panel)
{
    size_t const last = d->direction_start[panel->first + panel->columns];
    for (size_t e = d->direction_start[panel->first]; e < last; e++)
        d->acts[d->direction_row[e]] = true;
}

void directions_fill(struct derive *d, const struct panel *panel, size_t panels)
{
    list_directions(d);
    if (d->fp_pattern.row) sort_pattern(d);
    derive_divide(d, panel, panels);
}

void derive_divide(struct derive *d, const struct panel *panel, size_t panels)
{
    size_t end = 0;
    d->scatter_start[0] = 0;
    for (size_t j = 0; j < d->np; j++) d->acts[j] = false;
    for (size_t m = 0; m < panels; m++) {
        d->consecutive[m] = find_consecutive(d, &panel[m]);
        for (size_t k = 0; k < panel[m].columns && d->fp_pattern.row; k++) {
            size_t const column = panel[m].first + k;
            for (size_t e = d->direction_start[column]; e < d->direction_start[column + 1]; e++)
                scatter_column(d, &end, panel[m].lanes, k, e);
        }
        d->scatter_start[m + 1] = end;
        mark_acting(d, &panel[m]);
    }
}
