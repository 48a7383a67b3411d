/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that need the solution. */
#include "watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 3 };

void watch_make(struct watch *w, const struct study *s)
{
    w->largest = take(s->n, sizeof *w->largest);
    w->nan_at = take(s->no, sizeof *w->nan_at);
    w->in_column = take(s->no, sizeof *w->in_column);
    w->corner = take(s->no, sizeof *w->corner);
    w->corner_at = take(s->no, sizeof *w->corner_at);
    w->corners = take(s->no, sizeof *w->corners);
    w->corner_run = take(s->no, sizeof *w->corner_run);
    for (size_t o = 0; o < s->no; o++) w->nan_at[o] = (double)NAN;
}

void watch_free(struct watch *w)
{
    free(w->largest);
    free(w->nan_at);
    free(w->in_column);
    free(w->corner);
    free(w->corner_at);
    free(w->corners);
    free(w->corner_run);
    *w = (struct watch){0};
}

/* Outputs whose derivative is one-sided here. */
static void watch_corners(struct watch *w, const struct study *s, const struct row *row)
{
    for (size_t o = 0; o < s->no && row->corner; o++) {
        if (!row->corner[o].condition || w->corners[o]++ > 0) continue;
        w->corner[o] = row->corner[o];
        w->corner_at[o] = row->t;
        w->corner_run[o] = w->run;
    }
}

void watch_row(struct watch *w, const struct study *s, const struct row *row)
{
    for (size_t i = 0; i < s->n; i++)
        w->largest[i] = fmax(w->largest[i], fmax(fabs(row->x[i]), fabs(row->begin[i])));
    watch_corners(w, s, row);
    for (size_t o = 0; o < s->no; o++) {
        size_t const i = s->n + o;
        if (!isnan(w->nan_at[o])) continue;
        bool column = false;
        for (size_t k = 0; k < s->ns && !column; k++) column = isnan(row->sens[k * s->nx + i]);
        if (!column && !isnan(row->x[i])) continue;
        w->nan_at[o] = row->t;
        w->in_column[o] = !isnan(row->x[i]);
    }
}

bool watch_uncontrolled(const struct study *s, size_t i, double largest)
{
    return largest > 0 && largest < s->atol[i] / study_rtol(s);
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
    double const limit = s->atol[first] / study_rtol(s);
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

/* One line for every output with corners. */
static void add_corners(struct text *text, const struct study *s, const struct watch *w)
{
    for (size_t o = 0; o < s->no; o++) {
        const tansy_corner *const c = &w->corner[o];
        if (w->corners[o] == 0) continue;
        if (w->corner_run[o] > 0) text_add(text, "run %zu: ", w->corner_run[o]);
        text_add(text,
                 "output %s %s at t = %.10g, where %s is on its edge: its derivative with respect "
                 "to %s is %s there",
                 study_name(s, s->n + o), c->jumps ? "jumps" : "has a corner", w->corner_at[o],
                 c->condition, s->column_name[c->column], c->jumps ? "not defined" : "one-sided");
        if (w->corners[o] > 1)
            text_add(text, ", and at %zu more time%s", w->corners[o] - 1,
                     w->corners[o] > 2 ? "s" : "");
        text_put(text, "\n");
    }
}

void watch_warnings(struct text *text, const struct study *s, const struct watch *w)
{
    if (!w->largest) return;
    watch_tolerances(text, s, w->largest);
    add_corners(text, s, w);
    for (size_t o = 0; o < s->no; o++)
        if (!isnan(w->nan_at[o]))
            text_add(text, "output %s: %s not a number at t = %.10g\n", study_name(s, s->n + o),
                     w->in_column[o] ? "a sensitivity is" : "it is", w->nan_at[o]);
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
