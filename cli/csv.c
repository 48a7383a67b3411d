/* SPDX-License-Identifier: Apache-2.0 */
/* The table of results. */
#include "csv.h"

#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void csv_column_name(struct text *text, enum scaling scaling, const char *x, const char *p)
{
    if (scaling == SCALE_LOG)
        text_add(text, "dln(%s)/dln(%s)", x, p);
    else if (scaling == SCALE_P)
        text_add(text, "%s*d(%s)/d(%s)", p, x, p);
    else
        text_add(text, "d(%s)/d(%s)", x, p);
}

double csv_scaled(enum scaling scaling, double sens, double x, double p)
{
    if (scaling == SCALE_P) return p * sens;
    if (scaling != SCALE_LOG) return sens;
    if (x == 0) return (double)NAN;
    double const ratio = p / x;
    if (isnormal(ratio) || !isfinite(p) || !isfinite(x) || !isfinite(sens)) return ratio * sens;
    /* p/x is out of range, what is asked for need not be: mantissas and exponents apart */
    int ep = 0, ex = 0, es = 0;
    double const mantissa = frexp(p, &ep) / frexp(x, &ex) * frexp(sens, &es);
    return ldexp(mantissa, ep - ex + es);
}

/* A comment line has no line breaks inside. */
static void add_comment(struct text *line, const char *words)
{
    text_put(line, "# ");
    for (; *words; words++) text_bytes(line, 1, (unsigned char)*words < ' ' ? " " : words);
    text_put(line, "\n");
}

/* Of a run that could not begin there is nothing to say. */
static const char *or_none(const char *word)
{
    return *word ? word : "none";
}

static void add_comments(const struct csv *csv, struct text *line)
{
    const struct study *const s = csv->study;
    struct text words = {0};
    char value[128];
    text_add(&words, "tansy %s, model %s%s%s", tansy_version(), s->summary.name,
             *s->summary.title ? ": " : "", s->summary.title);
    add_comment(line, words.at);
    words.length = 0;
    text_add(&words, "method: %s%s",
             or_none(outcome_line(csv->outcome, "method", value, sizeof value)),
             stats_is_automatic(csv->outcome) ? ", bdf where it is stiff" : "");
    if (s->ns > 0)
        text_add(&words, "; sensitivities: %s",
                 or_none(outcome_line(csv->outcome, "sensitivities", value, sizeof value)));
    add_comment(line, words.at);
    words.length = 0;
    text_add(&words, "rtol = %g, atol = ", study_rtol(s));
    study_tell_atol(s, &words);
    if (s->steps_limited && csv->scanned > 0 && s->end_parameter > 0)
        text_put(&words, "; max step = 1/200 of the time, because the model has conditions");
    else if (s->steps_limited)
        text_add(&words, "; max step = %g, because the model has conditions", s->options.max_step);
    add_comment(line, words.at);
    text_free(&words);
}

/* The time is t, or `time`, which nothing else can be called, where a column is t already. */
static const char *name_of_time(const struct csv *csv)
{
    for (size_t j = 0; j < csv->scanned; j++)
        if (strcmp(csv->scan_name[j], "t") == 0) return "time";
    return study_quantity(csv->study, "t") < 0 ? "t" : "time";
}

static void add_header(struct csv *csv, struct text *line)
{
    const struct study *const s = csv->study;
    struct text name = {0};
    for (size_t j = 0; j < csv->scanned; j++) {
        text_csv(line, csv->scan_name[j]);
        text_put(line, ",");
    }
    text_put(line, name_of_time(csv));
    for (size_t i = 0; i < s->nx; i++) {
        text_put(line, ",");
        text_csv(line, study_name(s, i));
    }
    for (size_t i = 0; i < s->nx; i++)
        for (size_t k = 0; k < s->ns; k++) {
            name.length = 0;
            csv_column_name(&name, s->request->scaling, study_name(s, i), s->column_name[k]);
            text_put(line, ",");
            text_csv(line, name.at);
        }
    text_put(line, "\n");
    text_free(&name);
}

static int write_head(struct csv *csv)
{
    if (csv->headed) return DONE;
    csv->headed = true;
    csv->line.length = 0;
    text_prepare_numbers(&csv->line);
    add_comments(csv, &csv->line);
    add_header(csv, &csv->line);
    text_bytes(&csv->line, csv->waiting.length, csv->waiting.at ? csv->waiting.at : "");
    csv->waiting.length = 0;
    return output_write(&csv->file, &csv->line);
}

int csv_row(struct csv *csv, const struct row *row)
{
    const struct study *const s = csv->study;
    struct text *const line = &csv->line;
    int const status = write_head(csv);
    if (status != DONE) return status;
    line->length = 0;
    for (size_t j = 0; j < csv->scanned; j++) {
        bool const minus = csv->scan_value[j] == 0 && signbit(csv->scan_value[j]);
        if (minus) text_character(line, '-'); /* it was given, and 1/p knows it */
        text_number(line, csv->scan_value[j]);
        text_character(line, ',');
    }
    text_number(line, row->t);
    for (size_t i = 0; i < s->nx; i++) {
        text_character(line, ',');
        text_number(line, row->x[i]);
    }
    for (size_t i = 0; i < s->nx; i++)
        for (size_t k = 0; k < s->ns; k++) {
            text_character(line, ',');
            text_number(line, csv_scaled(s->request->scaling, row->sens[k * s->nx + i], row->x[i],
                                         s->value[k]));
        }
    text_character(line, '\n');
    return output_write(&csv->file, line);
}

/* " in run 2 of 3, k = 0.5": which of the sets of a scan. */
static void add_set(const struct csv *csv, struct text *words)
{
    if (csv->runs == 0) return;
    text_add(words, " in run %zu of %zu", csv->run, csv->runs);
    for (size_t j = 0; j < csv->scanned; j++)
        text_add(words, ", %s = %.17g", csv->scan_name[j], csv->scan_value[j]);
}

/* A line behind the rows, or behind the header to come. */
static int write_comment(struct csv *csv, const char *words, bool waits)
{
    int const status = waits ? DONE : write_head(csv);
    if (!waits) csv->line.length = 0;
    add_comment(waits ? &csv->waiting : &csv->line, words);
    return status == DONE && !waits ? output_write(&csv->file, &csv->line) : status;
}

int csv_stopped(struct csv *csv, const struct outcome *outcome)
{
    struct text words = {0};
    char method[8];
    /* a run that could not begin knows no method, but the next one of a scan may */
    bool const begun = outcome->exit_status != BAD_USAGE &&
                       *outcome_line(outcome, "method", method, sizeof method);
    text_add(&words, "stopped at t = %.17g", outcome->t);
    add_set(csv, &words);
    text_add(&words, ": %s", outcome->why);
    int const status = write_comment(csv, words.at, csv->runs > 0 && !csv->headed && !begun);
    text_free(&words);
    return status;
}

int csv_ended(struct csv *csv, const char *why)
{
    struct text words = {0};
    text_add(&words, "stopped after run %zu of %zu: %s", csv->run, csv->runs, why);
    int const status = write_comment(csv, words.at, false);
    text_free(&words);
    return status;
}

int csv_waiting(struct csv *csv)
{
    return csv->waiting.length > 0 ? write_head(csv) : DONE;
}

void csv_free(struct csv *csv)
{
    output_drop(&csv->file);
    text_free(&csv->line);
    text_free(&csv->waiting);
}
