/* SPDX-License-Identifier: Apache-2.0 */
/* Differences along a line, d/dm f(m) = sum_m weight_m (f(m) - f(0)), by forward, central and fourth-order
   formulas and their one-sided relatives, of which `formulas` says how accurate they are and when to take them. */
#include "derive/line.h"
#include "derive/providers.h"

#include <assert.h>
#include <stddef.h>

enum { ATTEMPTS = 3, MOST_POINTS = 8 };

struct stencil {
    size_t points;
    struct {
        int m;
        double weight;
    } point[MOST_POINTS];
};

/* Let f be analytic within one size of its arguments, |f^(q)| <= q! F/size^q with F the sum of its terms, and
   be evaluated with error u F, u = 2^-53.  The error of a difference with increment Delta*size is, in units of
   F/size, for truncation and rounding: Delta + 2u/Delta; Delta^2 + u/Delta; 4 Delta^4 + 1.5u/Delta.  With Delta
   = eps^(1/2), eps^(1/3), eps^(1/5) that is 3.0e-8, 5.5e-11, 1.4e-12; the reach is rounded up from three to
   twenty times that.  A formula is chosen for S from 3e4 times that on: errors of S are measured against 1e-3
   of the largest y (docs/design.md), and noise in s' must stay below a thirtieth of the tolerance, or the error
   test of a stiff component shrinks the step until it is not stiff any more (tried: with 3e3 the directional
   differences of the pollution problem of the tests never leave its start). */
/* clang-format off */
static const struct difference_formula formulas[] = {
    [TANSY_FORWARD]      = {"forward",      0x1p-26, 1e-7,  1e-3},
    [TANSY_CENTRAL]      = {"central",      6.06e-6, 1e-9,  1e-6},
    [TANSY_FOURTH_ORDER] = {"fourth-order", 7.4e-4,  1e-11, 0},
};

/* The formula proper, then those that stay on one side of the point. */
static const struct stencil stencils[][ATTEMPTS] = {
    [TANSY_FORWARD] = {{1, {{1, 1}}},
                       {1, {{-1, -1}}}},
    [TANSY_CENTRAL] = {{2, {{1, 0.5}, {-1, -0.5}}},
                       {2, {{1, 2}, {2, -0.5}}},
                       {2, {{-1, -2}, {-2, 0.5}}}},
    [TANSY_FOURTH_ORDER] = {{4, {{1, 2.0/3}, {-1, -2.0/3}, {2, -1.0/12}, {-2, 1.0/12}}},
                            {4, {{1, 4}, {2, -3}, {3, 4.0/3}, {4, -0.25}}},
                            {4, {{-1, -4}, {-2, 3}, {-3, -4.0/3}, {-4, 0.25}}}},
    [LINE_EIGHTH_DIFFERENCE] =
        {{8, {{1, -8}, {2, 28}, {3, -56}, {4, 70}, {5, -56}, {6, 28}, {7, -8}, {8, 1}}},
         {8, {{-1, -8}, {-2, 28}, {-3, -56}, {-4, 70}, {-5, -56}, {-6, 28}, {-7, -8}, {-8, 1}}}},
    [LINE_FOURTH_DIFFERENCE] = {{4, {{1, -4}, {2, 6}, {3, -4}, {4, 1}}},
                                {4, {{-1, -4}, {-2, 6}, {-3, -4}, {-4, 1}}}},
};
/* clang-format on */

const struct difference_formula *formula_of(tansy_difference difference)
{
    assert(difference != TANSY_DIFFERENCE_AUTO);
    return &formulas[difference];
}

/* Moves the worker's y and p to point m. */
static void move(const struct derive *d, struct derive_worker *w, const struct line *line, int m)
{
    if (line->step)
        for (size_t i = 0; i < d->n; i++) w->y[i] = line->y[i] + m * line->step[i];
    if (line->rate_step)
        for (size_t i = 0; i < d->n; i++) w->yp[i] = line->yp[i] + m * line->rate_step[i];
    if (line->entries > 0) worker_touch(w);
    for (size_t e = 0; e < line->entries; e++) {
        size_t const k = line->row ? line->row[e] : e;
        w->p[k] = d->p[k] + m * (line->factor * line->value[e]);
    }
}

static void put_back(const struct derive *d, struct derive_worker *w, const struct line *line)
{
    if (line->entries > 0) worker_touch(w);
    for (size_t e = 0; e < line->entries; e++) {
        size_t const k = line->row ? line->row[e] : e;
        w->p[k] = d->p[k];
    }
}

static int apply(struct derive *d, size_t worker, const struct line *line,
                 const struct stencil *stencil, double *N)
{
    struct derive_worker *const w = &d->worker[worker];
    const double *const f = line->f, *const g = w->g;
    int code = 0;
    for (size_t i = 0; i < line->count; i++) N[i] = 0;
    for (size_t x = 0; x < stencil->points && code == 0; x++) {
        double const weight = stencil->point[x].weight;
        int const m = stencil->point[x].m;
        move(d, w, line, m);
        struct point const at = {.t = line->t + m * line->t_step,
                                 .y = line->step ? w->y : line->y,
                                 .yp = line->rate_step ? w->yp : line->yp};
        code = line->evaluate(d, worker, &at, w->g);
        for (size_t i = 0; i < line->count; i++) N[i] += weight * (g[i] - f[i]);
    }
    put_back(d, w, line);
    return code;
}

int line_difference(struct derive *d, size_t worker, const struct line *line, double *N)
{
    int const end = line->only ? line->first + 1 : ATTEMPTS;
    int code = 1;
    for (int attempt = line->first; attempt < end && code > 0; attempt++) {
        const struct stencil *const stencil = &stencils[line->difference][attempt];
        if (stencil->points == 0) break;
        code = apply(d, worker, line, stencil, N);
        if (code == 0) d->worker[worker].failure.kind = FAILURE_NONE;
    }
    return code;
}

struct line line_of_values(const struct derive *d, const struct point *at)
{
    return (struct line){.difference = d->difference,
                         .Delta = d->increment,
                         .count = d->n,
                         .evaluate = derive_value,
                         .t = at->t,
                         .y = at->y,
                         .yp = at->yp,
                         .f = at->f};
}
