/* SPDX-License-Identifier: Apache-2.0 */
/* Which parameters matter, by the norms of their columns. */
#include "series.h"

#include <math.h>
#include <stdlib.h>

/* Has x_i no size to which its changes could be relative?  It is always 0, and moves with some parameter. */
static bool has_no_size(const struct series *series, size_t i)
{
    bool moves = false;
    for (size_t k = 0; k < series->ns; k++)
        moves = moves || series->biggest[k * series->nx + i] > 0;
    return moves && !(series_largest(series, i) > 0);
}

/* At how many times of output some column of x_i has no value. */
static size_t without_value(const struct series *series, size_t i)
{
    size_t least = series->seen;
    for (size_t k = 0; k < series->ns; k++)
        if (series->valued[k * series->nx + i] < least) least = series->valued[k * series->nx + i];
    return series->seen - least;
}

/* Does a come before b?  What is not known comes last, equal ones come as declared. */
static bool is_before(const double *norm, size_t a, size_t b)
{
    double const x = isnan(norm[a]) ? -1 : norm[a], y = isnan(norm[b]) ? -1 : norm[b];
    return x > y || (x == y && a < b);
}

/* Largest first; the shell sort by Ciura's gaps is enough for thousands. */
static void sort_by_norm(size_t count, size_t *order, const double *norm)
{
    static const size_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t a = gaps[g]; a < count; a++) {
            size_t const item = order[a];
            size_t b = a;
            for (; b >= gaps[g]; b -= gaps[g]) {
                size_t const other = order[b - gaps[g]];
                if (is_before(norm, other, item)) break;
                order[b] = other;
            }
            order[b] = item;
        }
}

static void make(struct ranking *r, const struct series *series, const struct study *s,
                 size_t count, const size_t *of)
{
    *r = (struct ranking){.ns = s->ns,
                          .count = count,
                          .of = of,
                          .order = take(s->ns, sizeof *r->order),
                          .norm = take(s->ns, sizeof *r->norm)};
    size_t counted = 0;
    for (size_t k = 0; k < s->ns; k++) r->order[k] = k;
    for (size_t a = 0; a < count; a++) {
        bool const is_known = without_value(series, of[a]) < series->seen;
        if (!is_known || has_no_size(series, of[a])) continue;
        counted++;
        for (size_t k = 0; k < s->ns; k++)
            r->norm[k] = hypot(r->norm[k], series_norm(series, s, k, of[a]));
    }
    for (size_t k = 0; k < s->ns; k++)
        r->norm[k] = counted > 0 ? r->norm[k] / sqrt((double)counted) : (double)NAN;
    sort_by_norm(s->ns, r->order, r->norm);
}

void rankings_make(struct rankings *all, const struct series *series, const struct study *s,
                   size_t count, const size_t *of)
{
    if (!of) count = s->n;
    *all = (struct rankings){.of = take(count, sizeof *all->of)};
    for (size_t a = 0; a < count; a++) all->of[a] = of ? of[a] : a;
    if (series->count == 0 || s->ns == 0) return;
    all->count = s->request->each ? 1 + count : 1;
    all->one = take(all->count, sizeof *all->one);
    make(&all->one[0], series, s, count, all->of);
    for (size_t a = 1; a < all->count; a++) make(&all->one[a], series, s, 1, &all->of[a - 1]);
}

void rankings_free(struct rankings *all)
{
    for (size_t a = 0; a < all->count; a++) {
        free(all->one[a].order);
        free(all->one[a].norm);
    }
    free(all->one);
    free(all->of);
    *all = (struct rankings){0};
}

void ranking_name(struct text *text, const struct study *s, const struct ranking *r, size_t most)
{
    bool states = r->count == s->n;
    for (size_t a = 0; a < r->count; a++) states = states && r->of[a] == a;
    if (states && r->count > 1) text_put(text, "all states");
    for (size_t a = 0; a < r->count && a < most && !(states && r->count > 1); a++)
        text_add(text, "%s%s", a > 0 ? ", " : "", study_name(s, r->of[a]));
    if (!states && r->count > most) text_add(text, ", ... (%zu in all)", r->count);
}

void ranking_notes(struct text *notes, const struct series *series, const struct study *s,
                   const struct ranking *r)
{
    size_t const count = r->count, *const of = r->of;
    enum { NAMED = 10 };
    size_t zero = 0;
    for (size_t a = 0; a < count; a++) {
        if (!has_no_size(series, of[a])) continue;
        if (zero < NAMED)
            text_add(notes, "%s%s", zero > 0 ? ", " : "left out: ", study_name(s, of[a]));
        zero++;
    }
    if (zero > NAMED) text_add(notes, ", ... (%zu in all)", zero);
    if (zero > 0)
        text_add(notes, "; always 0, so that %s relative change is not known\n",
                 zero > 1 ? "their" : "its");
    for (size_t a = 0; a < count; a++) {
        size_t const missing = without_value(series, of[a]);
        if (missing > 0)
            text_add(notes, "%s: at %zu of %zu times of output a column has no value%s\n",
                     study_name(s, of[a]), missing, series->seen,
                     missing < series->seen ? ": left out of its norm" : ": left out");
    }
}
