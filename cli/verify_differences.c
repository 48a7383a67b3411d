/* SPDX-License-Identifier: Apache-2.0 */
/* --verify by differences of whole runs, at tolerances that are 10^4 times smaller. */
#include "verify_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int keep_row(void *to, const struct row *row)
{
    series_add(to, row);
    return DONE;
}

/* How many times of output but the last come before the end, which moves where it is a parameter. */
static size_t count_before_end(const struct study *w)
{
    double const end = study_time(w, w->count - 1), direction = end < w->t0 ? -1 : 1;
    size_t before = w->count - 1;
    while (before > 0 && direction * (end - w->times[before - 1]) <= 0) before--;
    return before;
}

/* A run beside another one has gone astray, as a thermostat whose limits have passed each other does, where it takes so many times its
   evaluations, and so many more. */
enum { ASTRAY = 30, MANY_CALLS = 20000 };

/* The states with column k's parameter, or initial value, moved by `by`, as far as the run goes; turned: as in struct study.
   Returns how many times the run has before its end: of the others the last one alone. */
static size_t run_moved(const struct study *s, const struct series *series, size_t k, double by,
                        struct verification *v, struct numbers *turned, struct series *moved)
{
    struct study w = verify_shadow(s, series, 1e4);
    if (by != 0) w.call_limit = ASTRAY * v->base_calls + MANY_CALLS;
    w.ns = 0;
    w.problem.ns = 0;
    w.problem.columns = NULL;
    w.options.sensitivities = TANSY_NONE;
    w.turned = turned;
    double *const y0 = take(s->n, sizeof *y0);
    memcpy(y0, s->y0, s->n * sizeof *y0);
    if (by != 0 && s->columns[k] < 0) {
        y0[-1 - s->columns[k]] += by;
        w.problem.initial = NULL;
        w.problem.initial_jacobian = NULL;
        w.problem.y0 = y0;
    } else if (by != 0) {
        w.p[s->columns[k]] += by;
    }
    struct outcome outcome;
    series_make(moved, &w);
    size_t const before = count_before_end(&w);
    w.count = before + 1;
    run_study(&w, keep_row, moved, &outcome);
    if (moved->count == before + 1) series_move_last(moved, series->count);
    if (by == 0) v->base_calls = outcome.stats.rhs_evals;
    outcome_free(&outcome);
    verify_shadow_free(&w);
    free(y0);
    return before;
}

void verify_base(const struct study *s, const struct series *series, struct verification *v)
{
    (void)run_moved(s, series, 0, 0, v, &v->turned, &v->base);
}

/* One look at column k by increments d; runs that stop early tell as far as they go. */
static void look_at(const struct study *s, const struct series *series, size_t k, double d,
                    struct verification *v, struct decided *decided)
{
    static const double steps[MOVED] = {-2, -1, 0, 1, 2};
    struct series moved[MOVED];
    struct numbers turned[MOVED] = {{0}};
    struct look look = {.rtol = fmax(study_rtol(s) / 1e4, 1e-13),
                        .scale = s->scale[k],
                        .d = d,
                        .count = series->count,
                        .all = series->count,
                        .before_end = series->count};
    for (size_t m = 0; m < MOVED; m++) {
        size_t before = series->count;
        if (m != MOVED / 2)
            before = run_moved(s, series, k, steps[m] * d, v, &turned[m], &moved[m]);
        if (before < look.before_end) look.before_end = before;
        look.moved[m] = m == MOVED / 2 ? &v->base : &moved[m];
        look.turned[m] = m == MOVED / 2 ? &v->turned : &turned[m];
        if (look.moved[m]->count < look.count) look.count = look.moved[m]->count;
    }
    look_decide(&look, series, k, v, decided);
    double const until = look.count > 0 ? series->t[look.count - 1] : s->t0;
    if (fabs(until - s->t0) > fabs(v->until[k] - s->t0)) v->until[k] = until;
    for (size_t m = 0; m < MOVED; m++) {
        if (m != MOVED / 2) series_free(&moved[m]);
        free(turned[m].at);
    }
}

/* Truncation d^4 and the runs' error rtol/d balance near rtol^(1/5); a little less is safer where f bends.  Columns that are
   small beside the state drown in the noise: they are looked at with larger increments.  Where a condition bends f within d, as
   one on a state that moves far less than its own size does, all the formulas may err alike: what seems wrong is looked at again
   with smaller increments, on which wrong columns fail too. */
static void difference_column(const struct study *s, const struct series *series, size_t k,
                              struct verification *v, struct decided *decided)
{
    static const double factor[] = {1, 10, 0.1, 0.01};
    double const d = pow(fmax(study_rtol(s) / 1e4, 1e-13), 0.25) * s->scale[k];
    size_t const all = series->count * v->nx;
    for (size_t a = 0; a < all; a++) decided[a] = (struct decided){.how = UNDECIDED};
    v->until[k] = s->t0;
    for (size_t look = 0; look < sizeof factor / sizeof *factor && !run_interrupted(); look++) {
        bool const larger = factor[look] > 1;
        if (look > 0 && !look_is_wanted(series->count, v, decided, larger)) continue;
        look_at(s, series, k, factor[look] * d, v, decided);
    }
    look_sum_up(series->count, k, v, decided);
}

void verify_by_differences(const struct study *s, const struct series *series,
                           struct verification *v)
{
    struct decided *const decided = take(series->count * v->nx, sizeof *decided);
    v->differences = true;
    for (size_t k = 0; k < s->ns && !run_interrupted(); k++)
        difference_column(s, series, k, v, decided);
    free(decided);
}
