/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that need the solution. */
#include "watch.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 3 };

void watch_make(struct watch *w, const struct study *s)
{
    w->largest = take(s->n, sizeof *w->largest);
    w->output = take(s->no, sizeof *w->output);
    w->growth.earlier = take(s->ns, sizeof *w->growth.earlier);
    w->growth.later = take(s->ns, sizeof *w->growth.later);
    small_starts_make(&w->small, s);
    second_look_make(&w->look, s);
    for (size_t o = 0; o < s->no; o++) w->output[o].nan_at = (double)NAN;
}

void watch_free(struct watch *w)
{
    free(w->largest);
    free(w->output);
    free(w->growth.earlier);
    free(w->growth.later);
    small_starts_free(&w->small);
    second_look_free(&w->look);
    *w = (struct watch){0};
}

/* Outputs whose derivative is one-sided here. */
static void watch_corners(struct watch *w, const struct study *s, const struct row *row)
{
    for (size_t o = 0; o < s->no && row->corner; o++) {
        struct watched_output *const output = &w->output[o];
        if (!row->corner[o].condition || output->corners++ > 0) continue;
        output->corner = row->corner[o];
        output->corner_at = row->t;
        output->corner_run = w->run;
    }
}

static void watch_numbers(struct watch *w, const struct study *s, const struct row *row)
{
    for (size_t o = 0; o < s->no; o++) {
        struct watched_output *const output = &w->output[o];
        size_t const i = s->n + o;
        if (!isnan(output->nan_at)) continue;
        bool column = false;
        for (size_t k = 0; k < s->ns && !column; k++) column = isnan(row->sens[k * s->nx + i]);
        if (!column && !isnan(row->x[i])) continue;
        output->nan_at = row->t;
        output->nan_run = w->run;
        output->in_column = !isnan(row->x[i]);
    }
}

/* A row that is twice as far as the last that was kept, or farther, is kept. */
static void keep_sizes(struct watch *w, const struct study *s, double t, const double *size)
{
    struct growth *const g = &w->growth;
    assert(g->earlier && g->later); /* watch_make() */
    if (g->run != w->run) g->rows = 0;
    g->run = w->run;
    if (g->rows > 0 && fabs(t - s->t0) < 2 * fabs(g->t_later - s->t0)) return;
    g->rows++;
    g->t_earlier = g->t_later;
    g->t_later = t;
    for (size_t k = 0; k < s->ns; k++) {
        g->earlier[k] = g->rows > 1 ? g->later[k] : 0;
        g->later[k] = size[k];
    }
}

/* Those of a row of this run that is half as far as t, or less; NULL: there is none, but the initial values. */
static const double *sizes_before(const struct watch *w, const struct study *s, double t)
{
    const struct growth *const g = &w->growth;
    if (g->rows == 0 || g->run != w->run) return NULL;
    bool const later = 2 * fabs(g->t_later - s->t0) <= fabs(t - s->t0);
    double const from = later ? g->t_later : g->t_earlier;
    if ((!later && g->rows == 1) || from == s->t0) return NULL;
    return later ? g->later : g->earlier;
}

/* How far column k moves a state where its parameter moves by its scale, the most of all: in units of the state's size. */
static double size_of(const struct watch *w, const struct study *s, const struct row *row, size_t k,
                      size_t *state)
{
    double size = 0;
    for (size_t i = 0; i < s->n; i++) {
        double const x = fmax(w->largest[i], study_level(s, i));
        double const moves = fabs(row->sens[k * s->nx + i]) * s->scale[k] / x;
        if (!(moves > size)) continue;
        size = moves;
        *state = i;
    }
    return size;
}

/* Errors of the integration are of the size of rtol, and grow as columns do: by a column that has grown far, and by which a state moves by much of its size where a parameter moves by rtol, they may do the
   same.  A column that is as large as ever says that of the parameter alone, as of one of two pressures whose difference drives a flow. */
static void watch_condition(struct watch *w, const struct study *s, const struct row *row)
{
    static const double far = 100; /* times what it was half-way */
    double const rtol = study_rtol(s);
    double *const size = take(s->ns, sizeof *size);
    const double *const before = sizes_before(w, s, row->t);
    w->alone.share = 0;
    for (size_t k = 0; k < s->ns; k++) {
        size_t most = 0;
        size[k] = size_of(w, s, row, k, &most);
        struct shakiest const it = {
            .share = size[k] * rtol, .state = most, .column = k, .run = w->run, .t = row->t};
        struct shakiest *const worst = before ? &w->shakiest : &w->alone;
        bool const grown = !before || (before[k] > 0 && size[k] > far * before[k]);
        if (grown && it.share > worst->share) *worst = it;
    }
    keep_sizes(w, s, row->t, size);
    free(size);
}

/* A run that has no row half as far as its last: it is not known whether columns have grown, and only what moves a state by all of its size is told. */
static void judge_alone(struct watch *w, const struct study *s)
{
    const struct shakiest *const x = &w->alone;
    bool const large = x->share > 1 && w->largest[x->state] >= study_level(s, x->state);
    if (large && x->t != s->t0 && x->share > w->shakiest.share) w->shakiest = *x;
    w->alone.share = 0;
}

void watch_row(struct watch *w, const struct study *s, const struct row *row)
{
    for (size_t i = 0; i < s->n; i++)
        w->largest[i] = fmax(w->largest[i], fmax(fabs(row->x[i]), fabs(row->begin[i])));
    watch_corners(w, s, row);
    watch_numbers(w, s, row);
    watch_condition(w, s, row);
    small_starts_row(&w->small, s, row);
    second_look_row(&w->look, row);
}

bool watch_uncontrolled(const struct study *s, size_t i, double largest)
{
    return largest > 0 && largest < study_level(s, i);
}

void watch_tolerances(struct text *text, const struct study *s, const double *largest)
{
    size_t count = 0, first = 0;
    struct text names = {0};
    for (size_t i = 0; i < s->n; i++) {
        if (!watch_uncontrolled(s, i, largest[i])) continue;
        if (count == 0) first = i;
        if (count < MOST_NAMED) text_add(&names, "%s%s", count > 0 ? ", " : "", study_name(s, i));
        count++;
    }
    double const limit = study_level(s, first);
    if (count == 1)
        text_add(
            text,
            "state %s stays below its atol/rtol = %g at all output times: its relative error is "
            "not controlled; give it `atol` in the model or --atol %s=...\n",
            names.at, limit, names.at);
    if (count > 1)
        text_add(
            text,
            "%zu states (%s%s) stay below their atol/rtol, %g for %s, at all output times: their "
            "relative error is not controlled; give them `atol` in the model or --atol %s=...\n",
            count, names.at, count > MOST_NAMED ? ", ..." : "", limit, study_name(s, first),
            study_name(s, first));
    text_free(&names);
}

static void add_run(struct text *text, size_t run)
{
    if (run > 0) text_add(text, "run %zu: ", run);
}

/* One line for all outputs that jump, or that have corners. */
static void add_corners(struct text *text, const struct study *s, const struct watch *w, bool jumps)
{
    struct alike all = {0};
    for (size_t o = 0; o < s->no; o++) {
        const struct watched_output *const output = &w->output[o];
        const tansy_corner *const c = &output->corner;
        if (output->corners == 0 || c->jumps != jumps) continue;
        if (!alike_add(&all, study_name(s, s->n + o))) continue;
        add_run(text, output->corner_run);
        text_add(text,
                 "output %s %s at t = %.10g, where %s is on its edge: its derivative with respect "
                 "to %s is %s there",
                 study_name(s, s->n + o), c->jumps ? "jumps" : "has a corner", output->corner_at,
                 c->condition, s->column_name[c->column], c->jumps ? "not defined" : "one-sided");
        if (output->corners > 1)
            text_add(text, ", and at %zu more time%s", output->corners - 1,
                     output->corners > 2 ? "s" : "");
    }
    if (all.count > 0) alike_tell(text, &all);
}

/* One line for all outputs that have no value, or of which a sensitivity has none. */
static void add_missing(struct text *text, const struct study *s, const struct watch *w,
                        bool in_column)
{
    struct alike all = {0};
    for (size_t o = 0; o < s->no; o++) {
        const struct watched_output *const output = &w->output[o];
        if (isnan(output->nan_at) || output->in_column != in_column) continue;
        if (!alike_add(&all, study_name(s, s->n + o))) continue;
        add_run(text, output->nan_run);
        text_add(text, "output %s: %s not a number at t = %.10g", study_name(s, s->n + o),
                 in_column ? "a sensitivity is" : "it is", output->nan_at);
    }
    if (all.count > 0) alike_tell(text, &all);
}

/* One line where hardly a digit of a state is sure: chaos, a pole near by, a row in the midst of a jump. */
static void add_condition(struct text *text, const struct study *s, const struct watch *w)
{
    static const double usual = 1000; /* times rtol: 100 and less in most models */
    const struct shakiest *const x = &w->shakiest;
    if (!(x->share >= fmax(usual * study_rtol(s), 0.01))) return;
    const char *const name = study_name(s, x->state), *const column = s->column_name[x->column];
    add_run(text, x->run);
    text_add(
        text,
        "at t = %.10g %s moves by %.1g of its size, by d(%s)/d(%s), where %s moves by rtol, and "
        "errors of the integration may do as much: hardly a digit of its sensitivities is "
        "sure there; --verify tells how many are right, a smaller --rtol gives more\n",
        x->t, name, x->share, name, column, column);
}

/* One line for columns by initial values that are but guesses. */
static void add_guesses(struct text *text, const struct study *s)
{
    struct alike all = {0};
    for (size_t k = 0; k < s->ns && s->summary.kind; k++) {
        if (s->columns[k] >= 0) continue;
        size_t const i = (size_t)(-1 - s->columns[k]);
        bool const guessed = s->summary.kind[i] != TANSY_DIFFERENTIAL;
        if (!guessed || !alike_add(&all, s->column_name[k])) continue;
        text_add(text,
                 "the column of %s is 0: %s is an algebraic variable, of which the initial value "
                 "is a first guess; the start is corrected to satisfy the equations, and what "
                 "comes of it does not move with the guess",
                 s->column_name[k], study_name(s, i));
    }
    if (all.count > 0) alike_tell(text, &all);
}

void watch_warnings(struct text *text, const struct study *s, const struct watch *w)
{
    if (!w->largest) return;
    add_guesses(text, s);
    watch_tolerances(text, s, w->largest);
    small_starts_tell(text, s, &w->small);
    second_look_tell(text, s, &w->look);
    add_condition(text, s, w);
    for (int second = 0; second < 2; second++) add_corners(text, s, w, second == 1);
    for (int second = 0; second < 2; second++) add_missing(text, s, w, second == 1);
}

/* A line of the report, of so many bytes. */
static void tell_line(const struct study *s, const char *run, const char *line, size_t length)
{
    struct text copy = {0};
    text_bytes(&copy, length, line);
    char *const words = study_words(s, copy.at);
    (void)complain(DONE, "%s%s", run, words);
    free(words);
    text_free(&copy);
}

void watch_report(struct watch *w, const struct study *s, const struct outcome *outcome)
{
    bool any = false;
    for (const char *line = outcome->report; line && *line && !s->request->quiet;) {
        size_t const end = strcspn(line, "\n");
        bool const warns = strncmp(line, "warning:", 8) == 0;
        char run[32] = "";
        if (w->run > 0) (void)snprintf(run, sizeof run, "run %zu: ", w->run);
        if (warns && w->warned < MOST_NAMED) tell_line(s, run, line, end);
        any = any || warns;
        line += end + (line[end] == '\n');
    }
    w->warned += any;
    if (any && w->warned == MOST_NAMED + 1)
        (void)complain(DONE, "warning: more runs have warnings, which are not shown");
    judge_alone(w, s);
    small_starts_judge(&w->small, s, w->run, outcome->stats.rhs_evals);
    second_look_judge(&w->look, s, w->run, outcome);
}

void watch_warn(const struct study *s, const struct watch *w)
{
    struct text text = {0};
    text_put(&text, "");
    if (!s->request->quiet) watch_warnings(&text, s, w);
    for (char *line = text.at; *line;) {
        char *const end = strchr(line, '\n');
        *end = '\0';
        (void)complain(DONE, "warning: %s", line);
        line = end + 1;
    }
    text_free(&text);
}
