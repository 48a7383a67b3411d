/* SPDX-License-Identifier: Apache-2.0 */
/* States that are below their atol and grow, see small_start.h. */
#include "small_start.h"

#include "verify_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_LOOKED_AT = 64 };   /* states */
static const double small = 10; /* times atol: a state that stays above keeps what is promised */
static const double promised = 100;
static const double automatic = 1e-3; /* times rtol and the largest so far */

static void forget(struct small_starts *w, size_t n)
{
    struct small_start const none = {.least = HUGE_VAL, .t = (double)NAN};
    for (size_t i = 0; i < n; i++) w->of[i] = none;
    w->any = false;
}

void small_starts_make(struct small_starts *w, const struct study *s)
{
    w->of = take(s->n, sizeof *w->of);
    forget(w, s->n);
}

void small_starts_free(struct small_starts *w)
{
    free(w->of);
}

/* State i has this value; what atol/rtol is by then. */
static double note(struct small_start *w, const struct study *s, size_t i, double value)
{
    double const x = fabs(value);
    w->most = fmax(w->most, x);
    bool const follows = s->atol[i] == TANSY_AUTO_ATOL;
    double const level = follows ? automatic * w->most : study_level(s, i);
    double const atol = study_rtol(s) * level;
    if (x > 0 && x < small * atol && x < w->least) {
        w->least = x;
        w->beside = atol;
    }
    return level;
}

void small_starts_row(struct small_starts *w, const struct study *s, const struct row *row)
{
    for (size_t i = 0; i < s->n; i++) {
        struct small_start *const it = &w->of[i];
        if (it->most == 0) (void)note(it, s, i, row->begin[i]);
        double const level = note(it, s, i, row->x[i]);
        if (isinf(it->least) || !(fabs(row->x[i]) >= level) || !isnan(it->t)) continue;
        it->t = row->t;
        it->x = row->x[i];
        it->level = level;
        w->any = true;
    }
}

struct look {
    struct small_starts *w;
    const struct study *study, *again;
    size_t run;
};

static int compare(void *to, const struct row *row)
{
    const struct look *const l = to;
    struct small_starts *const w = l->w;
    for (size_t i = 0; i < l->study->n; i++) {
        const struct small_start *const it = &w->of[i];
        if (it->t != row->t) continue;
        double const off = fabs(it->x - row->x[i]) / (fabs(row->x[i]) + it->level);
        if (!(off > w->worst.off)) continue;
        w->worst.off = off;
        w->worst.of = *it;
        w->worst.at_first = fabs(row->begin[i]) == it->least;
        w->worst.right = row->x[i];
        w->worst.atol = l->again->atol[i];
        w->worst.state = i;
        w->worst.run = l->run;
    }
    return DONE;
}

static int by_size(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times at which states were found grown, in the direction of the run; how many. */
static size_t take_times(const struct small_starts *w, const struct study *s, double *times)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < s->n && count < MOST_LOOKED_AT; i++)
        if (!isnan(w->of[i].t)) times[count++] = s->t1 < s->t0 ? -w->of[i].t : w->of[i].t;
    qsort(times, count, sizeof *times, by_size);
    for (size_t j = 0; j < count; j++)
        if (kept == 0 || times[j] != times[kept - 1]) times[kept++] = times[j];
    for (size_t j = 0; j < kept && s->t1 < s->t0; j++) times[j] = -times[j];
    return kept;
}

void small_starts_judge(struct small_starts *w, const struct study *s, size_t run, size_t calls)
{
    double times[MOST_LOOKED_AT];
    bool const wanted = w->any && !run_interrupted() && (!s->request->quiet || s->request->report);
    if (wanted) {
        struct series const rows = {.t = times, .count = take_times(w, s, times)};
        struct study again = verify_shadow(s, &rows, 1);
        for (size_t i = 0; i < s->n; i++)
            if (!isnan(w->of[i].t)) again.atol[i] = fmax(study_rtol(s) * w->of[i].least, DBL_MIN);
        again.ns = 0;
        again.options.sensitivities = TANSY_NONE;
        again.end_parameter = 0;
        again.t1 = times[rows.count - 1];
        again.call_limit = 20 * calls + 5000; /* else nothing is known */
        struct look look = {.w = w, .study = s, .again = &again, .run = run};
        struct outcome outcome;
        run_study(&again, compare, &look, &outcome);
        outcome_free(&outcome);
        verify_shadow_free(&again);
    }
    forget(w, s->n);
}

void small_starts_tell(struct text *text, const struct study *s, const struct small_starts *w)
{
    if (!(w->worst.off > promised * study_rtol(s))) return;
    const char *const name = study_name(s, w->worst.state);
    if (w->worst.run > 0) text_add(text, "run %zu: ", w->worst.run);
    text_add(text,
             "state %s %s %g, beside an atol of %g, and what becomes of it depends on that: at t "
             "= %.10g it is %.6g, but %.6g with an atol of %.1g, and so are others and their "
             "sensitivities; give it `atol` in the model or --atol %s=%.1g\n",
             name, w->worst.at_first ? "begins at" : "falls to", w->worst.of.least,
             w->worst.of.beside, w->worst.of.t, w->worst.of.x, w->worst.right, w->worst.atol, name,
             w->worst.atol);
}
