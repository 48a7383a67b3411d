/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of S at a switching point, see remains.h. */
#include "drive/remains.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "drive/solver.h"

static const double promised = 100; /* rtol, in the norm of DESIGN 12: */
static const double of_largest = 1e-3;

void remains_layout(struct tansy_solver *s, struct arena *arena)
{
    struct remains *const r = &s->events.remains;
    size_t const n = s->ns > 0 && s->events.switches > 0 ? s->n : 0;
    ARENA_TAKE(arena, r->slope, n);
    ARENA_TAKE(arena, r->largest, n);
    ARENA_TAKE(arena, r->error, n);
    ARENA_TAKE(arena, r->since, n);
    ARENA_TAKE(arena, r->decay, n);
    ARENA_TAKE(arena, r->size, n);
    ARENA_TAKE(arena, r->column, n);
    ARENA_TAKE(arena, r->number, n);
}

static bool is_wanted(const struct tansy_solver *s)
{
    return s->ns > 0 && s->events.switches > 0;
}

void remains_forget(struct tansy_solver *s)
{
    struct remains *const r = &s->events.remains;
    r->rows = 0;
    r->pressed = 0;
    r->told.wrong = 0;
    if (!is_wanted(s)) return;
    memset(r->largest, 0, s->n * sizeof *r->largest);
    memset(r->error, 0, s->n * sizeof *r->error);
}

/* g_t and the sum of dg_j/dy_i, i from .. from + count - 1, each with a factor of no special position where there are several. */
static double slope_along(struct tansy_solver *s, double t, size_t j, size_t from, size_t count)
{
    struct events *const e = &s->events;
    memset(e->probe, 0, s->n * sizeof *e->probe);
    for (size_t i = from; i < from + count; i++) {
        double const x = 0.61803398874989485 * (double)(i + 1);
        e->probe[i] = count > 1 ? 1 + x - floor(x) : 1;
    }
    bool const known = events_is_known(e, events_rates(s, t, e->probe, e->value, e->rate_probe));
    return known ? e->rate_probe[j] : nan("");
}

/* Stretches of components that g_j does not depend on are passed over as a whole. */
void remains_find_slope(struct tansy_solver *s, double t, size_t j)
{
    enum { MOST_SLOPES = 1024 }; /* of more components nothing is known */
    struct remains *const r = &s->events.remains;
    size_t slopes = 0, from = 0, count = s->n;
    if (!is_wanted(s)) return;
    memset(r->slope, 0, s->n * sizeof *r->slope);
    struct failure const failure = s->derive.worker[0].failure;
    double const alone = slope_along(s, t, j, 0, 0);
    while (from < s->n && slopes <= MOST_SLOPES) {
        double const part = slope_along(s, t, j, from, count) - alone;
        if (part != 0 && count > 1) {
            count = (count + 1) / 2;
            continue;
        }
        slopes += part != 0;
        r->slope[from] = part;
        from += count;
        count = 2 * count < s->n - from ? 2 * count : s->n - from;
    }
    s->derive.worker[0].failure = failure;
    r->rate = s->events.rate[j];
    r->is_known = slopes <= MOST_SLOPES && isfinite(alone);
}

/* Errors of S, in tolerances.  In a pulse that is followed (jump_pulse.c) these are lower; what was made before it is in the jumps of both of its ends, and goes. */
static double typical(const struct tansy_solver *s)
{
    const struct method *const m = s->stepper.method;
    double const usual = m->tableau ? 0.1 : method_is_one_step(m) ? 0.5 : 1;
    double const theta = s->jump.is_on && s->jump.lasts ? s->jump.theta : 1;
    return usual * theta * s->events.remains.pressed;
}

/* What s_ik, times the scale of k, may be wrong by: a tolerance, or what is left of it since it was more. */
static double error_before(const struct tansy_solver *s, double t, size_t i, size_t k)
{
    const struct remains *const r = &s->events.remains;
    const struct tolerances *const w = &s->tolerances;
    double const size = fabs(s->sens0[k * s->n + i]) * w->scale[k];
    double const usual = typical(s) * (w->rtol[i] * fmin(size, r->largest[i]) + w->zero[i]);
    if (r->error[i] == 0 || r->column[i] != k) return usual;
    return fmax(usual, r->error[i] * exp(-r->decay[i] * fabs(t - r->since[i])));
}

/* ds+_ik times the scale of k, see remains.h, with the sum in `others`, that of all j. */
static double error_behind(const struct tansy_solver *s, size_t i, double own, double others)
{
    const struct events *const e = &s->events;
    double const slope = e->remains.slope[i];
    double const share = (e->f[i] - e->f_after[i]) / e->remains.rate;
    return fabs(1 - share * slope) * own + fabs(share) * (others - fabs(slope) * own);
}

static double sum_of_errors(const struct tansy_solver *s, double t, size_t k)
{
    const double *const slope = s->events.remains.slope;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        if (slope[i] != 0) sum += fabs(slope[i]) * error_before(s, t, i, k);
    return sum;
}

static double floor_of(const struct tansy_solver *s, size_t i)
{
    const struct tolerances *const w = &s->tolerances;
    double const zero = w->rtol[i] > 0 ? w->zero[i] / w->rtol[i] : HUGE_VAL;
    return fmax(zero, of_largest * s->events.remains.largest[i]);
}

/* -df_i/dy_i behind the point, of y' = f; 0: it does not decay, or nothing is known. */
static double decay_of(struct tansy_solver *s, double t, size_t i)
{
    struct events *const e = &s->events;
    double const y = s->y0[i], step = 1e-7 * fmax(fabs(y), floor_of(s, i));
    if (s->derive.form != FORM_ODE) return 0;
    struct failure const failure = s->derive.worker[0].failure;
    s->y0[i] = y + step;
    bool const known = events_is_known(e, events_slope(s, t, e->f_near));
    s->y0[i] = y;
    s->derive.worker[0].failure = failure;
    double const slope = (e->f_near[i] - e->f_after[i]) / step;
    return known && isfinite(slope) ? fmax(0, -slope) : 0;
}

static void remember(struct tansy_solver *s, double t, size_t j, size_t i, double worst)
{
    struct remains *const r = &s->events.remains;
    r->rows += (worst > 0) - (r->error[i] > 0);
    r->error[i] = worst;
    if (worst == 0) return;
    r->since[i] = t;
    r->number[i] = j;
    r->decay[i] = decay_of(s, t, i);
}

void remains_look(struct tansy_solver *s, double t, size_t j)
{
    struct events *const e = &s->events;
    struct remains *const r = &e->remains;
    if (!is_wanted(s) || !r->is_known) return;
    for (size_t i = 0; i < s->n; i++) r->largest[i] = fmax(r->largest[i], fabs(s->y0[i]));
    for (size_t i = 0; i < s->n; i++) {
        double const step = e->f[i] - e->f_after[i];
        double worst = 0, most = promised * s->tolerances.tightest;
        if (step == 0 || solver_is_algebraic(s, i))
            continue; /* its S follows from that of others */
        for (size_t k = 0; k < s->ns; k++) {
            double const before = s->sens0[k * s->n + i], scale = s->tolerances.scale[k];
            double const left = fabs(before + step * e->delay[k]) * scale + floor_of(s, i);
            if (!(fabs(before) * scale > left)) continue;
            double const own = error_before(s, t, i, k);
            double const off = error_behind(s, i, own, sum_of_errors(s, t, k));
            if (!(off > most * left)) continue;
            most = off / left;
            worst = off;
            r->size[i] = fabs(before) * scale / left;
            r->column[i] = k;
        }
        remember(s, t, j, i, worst);
    }
    r->pressed = 0;
}

void remains_note_step(struct tansy_solver *s)
{
    struct remains *const r = &s->events.remains;
    r->pressed = fmax(r->pressed, fmin(s->candidate[SAME].error, 1));
}

void remains_judge(struct tansy_solver *s, double t, const double *y, const double *sens)
{
    struct remains *const r = &s->events.remains;
    if (!is_wanted(s)) return;
    for (size_t i = 0; i < s->n && y; i++) r->largest[i] = fmax(r->largest[i], fabs(y[i]));
    for (size_t i = 0; i < s->n && sens && r->rows > 0; i++) {
        if (r->error[i] == 0 || !(s->direction * (t - r->since[i]) > 0)) continue;
        size_t const k = r->column[i];
        double const s_ik = sens[activation_number(s, k) * s->n + i] * s->tolerances.scale[k];
        double const error = r->error[i] * exp(-r->decay[i] * fabs(t - r->since[i]));
        double const wrong = error / (fabs(s_ik) + floor_of(s, i));
        if (!(wrong > promised * s->tolerances.tightest) || wrong <= r->told.wrong) continue;
        r->told.t = r->since[i];
        r->told.wrong = wrong;
        r->told.size = r->size[i];
        r->told.number = r->number[i];
        r->told.row = i;
        r->told.column = k;
    }
}
