/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a run in memory, and the norms that rank parameters. */
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
    series->t = take(rows, sizeof *series->t);
    series->data = take(rows * width(series), sizeof *series->data);
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
    for (size_t i = 0; i < series->nx; i++)
        series->largest[i] = fmax(series->largest[i], fabs(row->x[i]));
    series->t[series->count++] = row->t;
    series->seen++;
}

void series_move_last(struct series *series, size_t count)
{
    if (count == series->count) return;
    memcpy(series->data + (count - 1) * width(series),
           series->data + (series->count - 1) * width(series), width(series) * sizeof(double));
    series->t[count - 1] = series->t[series->count - 1];
    series->count = count;
}

void series_free(struct series *series)
{
    free(series->t);
    free(series->data);
    free(series->largest);
    *series = (struct series){0};
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
    double const largest = series_largest(series, i);
    if (!(largest > 0) || series->count == 0) return 0;
    double const factor = s->size[k] / largest;
    double sum = 0;
    for (size_t j = 0; j < series->count; j++) {
        double const value = factor * series_sens(series, j, k, i);
        sum += value * value;
    }
    return sqrt(sum / (double)series->count);
}

/* Largest first, equal ones as declared; the shell sort by Ciura's gaps is enough for thousands. */
static void sort_by_norm(size_t count, size_t *order, const double *norm)
{
    static const size_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t a = gaps[g]; a < count; a++) {
            size_t const item = order[a];
            size_t b = a;
            for (; b >= gaps[g]; b -= gaps[g]) {
                size_t const other = order[b - gaps[g]];
                if (norm[other] > norm[item] || (norm[other] == norm[item] && other < item)) break;
                order[b] = other;
            }
            order[b] = item;
        }
}

void ranking_make(struct ranking *r, const struct series *series, const struct study *s,
                  size_t count, const size_t *of)
{
    *r = (struct ranking){
        .ns = s->ns, .order = take(s->ns, sizeof *r->order), .norm = take(s->ns, sizeof *r->norm)};
    for (size_t k = 0; k < s->ns; k++) {
        double sum = 0;
        for (size_t a = 0; a < count; a++) {
            double const one = series_norm(series, s, k, of[a]);
            if (isfinite(one)) sum += one * one;
        }
        r->norm[k] = count > 0 ? sqrt(sum / (double)count) : 0;
        r->order[k] = k;
    }
    sort_by_norm(s->ns, r->order, r->norm);
}

void ranking_free(struct ranking *r)
{
    free(r->order);
    free(r->norm);
    *r = (struct ranking){0};
}
