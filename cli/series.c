/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a run in memory, and the norms of its columns. */
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 25, MOST_ROWS = 4001 }; /* 256 MB; more points no picture shows */

static size_t width(const struct series *series)
{
    return series->nx * (1 + series->ns);
}

void series_make(struct series *series, const struct study *s)
{
    *series = (struct series){.nx = s->nx, .ns = s->ns};
    size_t rows = MOST_NUMBERS / (s->nx * (1 + s->ns));
    if (rows > MOST_ROWS) rows = MOST_ROWS;
    if (rows < 3) rows = 3;
    if (rows > s->count + 1) rows = s->count + 1;
    series->room = rows;
    bool const all = s->count <= rows;
    series->every = all ? 1 : s->count / (rows - 1) + (s->count % (rows - 1) > 0);
    series->largest = take(s->nx, sizeof *series->largest);
    series->biggest = take(s->nx * s->ns, sizeof *series->biggest);
    series->squares = take(s->nx * s->ns, sizeof *series->squares);
    series->valued = take(s->nx * s->ns, sizeof *series->valued);
    series->t = take(rows, sizeof *series->t);
    series->switches = take(rows, sizeof *series->switches);
    series->data = take(rows * width(series), sizeof *series->data);
}

/* Adds a row to the sums of squares, as biggest^2 times squares: the square of a number may be too large for any. */
static void add_squares(struct series *series, const double *sens)
{
    for (size_t a = 0; a < series->nx * series->ns; a++) {
        double const size = fabs(sens[a]);
        if (!isfinite(size)) continue;
        series->valued[a]++;
        if (size == 0) continue;
        double const big = series->biggest[a], ratio = size > big ? big / size : size / big;
        series->squares[a] = size > big ? 1 + series->squares[a] * ratio * ratio
                                        : series->squares[a] + ratio * ratio;
        if (size > big) series->biggest[a] = size;
    }
}

/* The row after the kept ones is the latest; it counts as kept when its turn has come, or nothing follows. */
void series_add(struct series *series, const struct row *row)
{
    bool const replaces = series->seen > 0 && (series->seen - 1) % series->every != 0;
    if (replaces) series->count--;
    if (series->count == series->room) series->count--; /* never so, by the choice of every */
    double *const to = series->data + series->count * width(series);
    memcpy(to, row->x, series->nx * sizeof *to);
    if (series->ns > 0) memcpy(to + series->nx, row->sens, series->nx * series->ns * sizeof *to);
    add_squares(series, row->sens);
    for (size_t i = 0; i < series->nx; i++)
        if (isfinite(row->x[i])) series->largest[i] = fmax(series->largest[i], fabs(row->x[i]));
    series->switches[series->count] = row->switches;
    series->t[series->count++] = row->t;
    series->seen++;
}

void series_move_last(struct series *series, size_t count)
{
    if (count == series->count) return;
    memcpy(series->data + (count - 1) * width(series),
           series->data + (series->count - 1) * width(series), width(series) * sizeof(double));
    series->t[count - 1] = series->t[series->count - 1];
    series->switches[count - 1] = series->switches[series->count - 1];
    series->count = count;
}

void series_clear(struct series *series)
{
    size_t const entries = series->nx * series->ns;
    if (!series->data) return;
    series->count = series->seen = 0;
    memset(series->largest, 0, series->nx * sizeof *series->largest);
    memset(series->biggest, 0, entries * sizeof *series->biggest);
    memset(series->squares, 0, entries * sizeof *series->squares);
    memset(series->valued, 0, entries * sizeof *series->valued);
}

void series_free(struct series *series)
{
    free(series->t);
    free(series->switches);
    free(series->data);
    free(series->largest);
    free(series->biggest);
    free(series->squares);
    free(series->valued);
    *series = (struct series){0};
}

const double *series_row(const struct series *series, size_t j)
{
    return series->data + j * width(series);
}

double series_x(const struct series *series, size_t j, size_t i)
{
    return series->data[j * width(series) + i];
}

double series_sens(const struct series *series, size_t j, size_t k, size_t i)
{
    return series->data[j * width(series) + (k + 1) * series->nx + i];
}

double series_largest(const struct series *series, size_t i)
{
    return series->largest[i];
}

double series_norm(const struct series *series, const struct study *s, size_t k, size_t i)
{
    size_t const at = k * series->nx + i;
    double const largest = series_largest(series, i);
    if (series->valued[at] == 0) return (double)NAN;
    if (series->biggest[at] == 0) return 0;
    if (!(largest > 0)) return (double)NAN;
    return s->size[k] * (series->biggest[at] / largest) *
           sqrt(series->squares[at] / (double)series->valued[at]);
}
