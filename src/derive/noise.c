/* SPDX-License-Identifier: Apache-2.0 */
/* Rounding of f in internal differences.  Where terms of f cancel, or f has noise of its own, [f(Y + eps V) - f(Y)]/eps is wrong by
   the noise of f over eps, however well y is represented.  That noise is measured (Hamming; More and Wild 2011, ECNoise): of values
   with independent errors of variance s^2 at equal distances the eighth difference
     D = f(0) - 8 f(1) + 28 f(2) - 56 f(3) + 70 f(4) - 56 f(5) + 28 f(6) - 8 f(7) + f(8)
   has the variance 12870 s^2, while the smooth part of f, with the eighth power of the increment, has no part in it.  (On both
   sides of y that difference would not see the rounding of y + m eps s, whose errors differ by their signs alone.)  It is taken
   along the column itself, as it is at the end of the step: what cancels between other components does not count, and what is common to rows stays so.
   Brought through the step (h D, or W^-1 D), D/sqrt(12870) is what an evaluation adds to S.  Of most f that costs less: the fourth
   difference, of variance 70 s^2, has a smooth part too, but where it is no more than the last digits of f both are. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "derive/line.h"
#include "derive/providers.h"
#include "derive/second.h"

/* Steps from look to look, where nothing is suspected: eight evaluations more in 32 steps of 3 to 13. */
enum { EVERY = 32, SOON = 8 }; /* the second follows soon */

/* Relative increment of a look.  Wide, so that increments lost in f, as those of y in (1e10 + y) - 1e10, are seen too; of
   functions 200 times steeper than their size says the smooth part is still below their rounding. */
static const double wide = 5e-5;

static const double deviation = 0.008814762886969454; /* 1/sqrt(12870) */

/* The same of the fourth difference, whose points are as far apart as every second of the others, so that they reach as far; and the last digits
   of f that it may have. */
static const double twice = 2, deviation_of_four = 0.11952286093343936, exact = 8;

/* Noise of a step, in units of the error test, that is not believed but measured in the step itself: noise and steps change so fast
   (an orbit near its centre, a stiff start) that an old measurement was wrong by 1e4 (STIFF DETEST D6). */
static const double suspicion = 0.05;

/* The sum of the noise of all steps from which on a column counts as lost.  In all runs of DETEST and STIFF DETEST, rtol 1e-3 to 1e-7,
   columns that noise made wrong by more than 100 rtol have sums of 140 and more, and only F5 has sums above 20. */
static const double too_much = 40;

void noise_layout(struct derive *d, struct arena *arena)
{
    struct internal *const in = &d->internal;
    in->noise = arena_doubles(arena, d->ns);
    in->still = arena_doubles(arena, d->ns);
    in->rounded = arena_doubles(arena, d->ns);
    in->loss = arena_doubles(arena, d->ns);
    in->lost_at = arena_doubles(arena, d->ns);
    units_layout(d, arena);
    ARENA_TAKE(arena, in->since, d->ns);
    ARENA_TAKE(arena, in->looks, d->ns);
    ARENA_TAKE(arena, in->looked, d->ns);
    noise_keep_layout(d, arena);
}

void derive_noise_forget(struct derive *d)
{
    struct internal *const in = &d->internal;
    in->multiple = 1;
    for (size_t w = 0; w < d->workers; w++) d->worker[w].neglected = 0;
    derive_forget_noise(d);
    for (size_t k = 0; d->is_internal && k < d->ns; k++) {
        in->noise[k] = in->still[k] = in->rounded[k] = in->loss[k] = 0;
        in->since[k] = EVERY;
        in->looks[k] = 0;
    }
}

bool derive_noise_lost(const struct derive *d, size_t k)
{
    return d->is_internal && d->internal.loss[k] > too_much;
}

/* The noise of a difference over that of f: the root of the sum of the squared weights, that of f(0) among them. */
static double gain(tansy_difference formula)
{
    return formula == TANSY_FORWARD ? 1.41 : formula == TANSY_CENTRAL ? 0.71 : 0.95;
}

/* What an evaluation has of it in a step. */
static double share_of_step(const struct derive *d, size_t k, tansy_difference formula, double eps)
{
    const struct internal *const in = &d->internal;
    return in->multiple * gain(formula) / eps + in->bend * in->largest[k];
}

/* (B/h - J)^-1 N is h N where B is regular and no component stiff, but -J^-1 N in algebraic components: no shorter step has less of it, and none
   hands it on. */
double noise_of_step(const struct derive *d, size_t k, tansy_difference formula, double eps)
{
    const struct internal *const in = &d->internal;
    double const rests = fmax(in->still[k], in->rounded[k]);
    return fmax(fabs(in->h) * in->noise[k], rests) * share_of_step(d, k, formula, eps);
}

double derive_noise_of_algebraic(const struct derive *d, size_t k)
{
    const struct internal *const in = &d->internal;
    return 0.5 * DBL_EPSILON * share_of_step(d, k, in->formula[k], in->eps[k]);
}

/* Four values with weights 1/(4 a b), where y moves by Delta_2 of its size along both: a = Delta_2/|v|, b = Delta_2/`largest`. */
void derive_noise_bend(struct derive *d, const double *y, const double *v)
{
    double const Delta = second_increment(), largest = Delta / increment_along(d, y, 1, v, Delta);
    if (d->second_source == SOURCE_DIFFERENCES && largest < HUGE_VAL)
        d->internal.bend = fmax(d->internal.bend, 0.5 * largest / (Delta * Delta));
}

/* The noise of column k in the step at work. */
static double noise_now(const struct derive *d, size_t k)
{
    const struct internal *const in = &d->internal;
    return noise_of_step(d, k, in->formula[k], in->eps[k]);
}

/* The noise of column k in this step is not believed but measured. */
static bool is_suspicious(const struct derive *d, size_t k)
{
    const struct internal *const in = &d->internal;
    return in->formula[k] > d->difference || noise_now(d, k) > suspicion;
}

/* The noise of f along the column from four of its values; 1: they do not tell, or cannot be had; below 0: f wants to stop. */
static int look_quickly(struct derive *d, size_t worker, struct line line,
                        const struct column *column, double eps)
{
    const struct derive_worker *const w = &d->worker[worker];
    double *const r = column->r;
    line.difference = (tansy_difference)LINE_FOURTH_DIFFERENCE;
    int const code = differences_by(d, worker, &line, column, eps, 0);
    bool fine = code == 0;
    for (size_t i = 0; i < d->n; i++) {
        double const noise = r[i * column->lanes] * (deviation_of_four * eps),
                     there = fabs(w->g[i]), here = fabs(line.f[i]);
        fine = fine && fabs(noise) <= exact * DBL_EPSILON * (there > here ? there : here);
        r[i * column->lanes] = noise;
    }
    return code < 0 ? code : !fine;
}

/* And from eight, where these do not. */
static int look(struct derive *d, size_t worker, const struct line *line,
                const struct column *column, double eps, bool quick)
{
    int const quickly = quick ? look_quickly(d, worker, *line, column, twice * eps) : 1;
    if (quickly <= 0) return quickly;
    for (size_t i = 0; i < d->n; i++) column->r[i * column->lanes] = 0;
    int const code = differences_by(d, worker, line, column, eps, 0);
    for (size_t i = 0; i < d->n; i++) column->r[i * column->lanes] *= deviation * eps;
    return code;
}

int derive_noise(struct derive *d, size_t worker, const struct point *at, const struct panel *panel,
                 const double *V, double *N)
{
    struct internal *const in = &d->internal;
    size_t const lanes = panel->lanes;
    bool const all = in->since[panel->first] >= EVERY;
    struct line line = line_of_values(d, at);
    line.difference = (tansy_difference)LINE_EIGHTH_DIFFERENCE;
    double eps[MAX_LANES];
    internal_increments(d, panel, at->y, V, wide, eps);
    memset(N, 0, panel->count * sizeof *N);
    if (all) in->since[panel->first] = in->looks[panel->first]++ == 0 ? EVERY - SOON : 0;
    for (size_t k = 0; k < panel->columns; k++) {
        struct column const column = {panel->first + k, lanes, V + k, N + k, NULL};
        in->looked[column.number] = all || is_suspicious(d, column.number);
        if (!in->looked[column.number]) continue;
        int code = look(d, worker, &line, &column, eps[k], !is_suspicious(d, column.number));
        if (code == 0) code = units_add(d, worker, &line, &column, eps[k] / wide);
        if (code != 0) return code;
    }
    return 0;
}

void derive_noise_note(struct derive *d, const struct panel *panel, double h, const double *N,
                       const struct noise_weights *w, const tansy_kind *kind)
{
    double const unit = w->stricter > 0 ? 1 / w->stricter : 1;
    struct internal *const in = &d->internal;
    size_t const lanes = panel->lanes;
    for (size_t k = 0; k < panel->columns; k++) {
        double *const noise = &in->noise[panel->first + k], *const still =
                                                                &in->still[panel->first + k];
        double largest = 0, rests = 0;
        if (!in->looked[panel->first + k]) continue;
        for (size_t i = 0; i < d->n; i++) {
            double const size = fabs(N[i * lanes + k]) * w->inverse[i * lanes + k] * unit;
            if (kind && kind[i] != TANSY_DIFFERENTIAL)
                rests = size > rests ? size : rests;
            else
                largest = size > largest ? size : largest;
        }
        *noise = fmax(largest / fabs(h), *noise / 4); /* one look may be small by accident */
        *still = fmax(rests, *still / 4);
    }
}

bool derive_noise_is_due(const struct derive *d, const struct panel *panel)
{
    const struct internal *const in = &d->internal;
    if (!d->is_internal) return false;
    bool due = in->since[panel->first] >= EVERY;
    for (size_t k = panel->first; k < panel->first + panel->columns; k++)
        due = due || is_suspicious(d, k);
    return due;
}

void derive_noise_step(struct derive *d, const struct panel *panel, double t)
{
    struct internal *const in = &d->internal;
    for (size_t k = panel->first; k < panel->first + panel->columns; k++) {
        bool const was_lost = derive_noise_lost(d, k);
        double const share = share_of_step(d, k, in->formula[k], in->eps[k]);
        in->loss[k] = fmax(in->loss[k] + share * fabs(in->h) * in->noise[k],
                           share * fmax(in->still[k], in->rounded[k]));
        if (!was_lost) in->lost_at[k] = t;
    }
    in->since[panel->first]++;
}
