/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the page. */
#include "counts.h"
#include "report.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 60, MOST_COLUMNS = 10 };

/* A section with a table; wide ones scroll on their own. */
static void open_table(struct text *page, const char *id, const char *title)
{
    text_add(page, "<section id=\"%s\"><h2>%s</h2>\n<div class=\"scroll\"><table>\n", id, title);
}

static void close_table(struct text *page, const char *note)
{
    text_put(page, "</table></div>\n");
    if (note && *note) text_add(page, "<p class=\"note\">%s</p>\n", note);
    text_put(page, "</section>\n");
}

static void add_name(struct text *page, const char *name)
{
    text_put(page, "<th scope=\"row\">");
    text_html(page, name);
    text_put(page, "</th>");
}

static void add_value(struct text *page, double value)
{
    text_add(page, "<td class=\"number\">%.6g</td>", value + 0.0);
}

static const char *unit_of(const struct study *s, size_t i)
{
    if (i < s->n) return tansy_model_unit(s->model, TANSY_MODEL_STATES, i);
    return tansy_model_unit(s->model, TANSY_MODEL_OUTPUTS, s->output[i - s->n]);
}

void report_values(struct text *page, const struct job *job)
{
    const struct study *const s = &job->study;
    const struct series *const series = &job->series;
    size_t const last = series->count - 1, rows = s->nx < MOST_ROWS ? s->nx : MOST_ROWS;
    char note[96] = "";
    bool units = false;
    for (size_t i = 0; i < rows; i++) units = units || *unit_of(s, i);
    open_table(page, "values", "Values");
    text_add(page, "<tr><th>name</th>%s<th>t = %g</th><th>t = %g</th><th>largest size</th></tr>\n",
             units ? "<th>unit</th>" : "", series->t[0], series->t[last]);
    for (size_t i = 0; i < rows; i++) {
        text_put(page, "<tr>");
        add_name(page, study_name(s, i));
        if (units) text_put(page, "<td>");
        if (units) text_html(page, unit_of(s, i));
        if (units) text_put(page, "</td>");
        add_value(page, series_x(series, 0, i));
        add_value(page, series_x(series, last, i));
        add_value(page, series_largest(series, i));
        text_put(page, "</tr>\n");
    }
    if (rows < s->nx)
        (void)snprintf(note, sizeof note, "The first %zu of %zu; the CSV has all.", rows, s->nx);
    close_table(page, note);
}

void report_sensitivities(struct text *page, const struct job *job)
{
    const struct study *const s = &job->study;
    const struct series *const series = &job->series;
    size_t const last = series->count - 1;
    size_t const rows = s->nx < MOST_ROWS ? s->nx : MOST_ROWS;
    size_t const columns = s->ns < MOST_COLUMNS ? s->ns : MOST_COLUMNS;
    const struct ranking *const ranking = &job->rankings.one[0];
    char title[64], note[160] = "";
    (void)snprintf(title, sizeof title, "Sensitivities at t = %g", series->t[last]);
    open_table(page, "sensitivities", title);
    text_put(page, "<tr><th>dx/dp</th>");
    for (size_t c = 0; c < columns; c++) {
        text_put(page, "<th>");
        text_html(page, s->column_name[ranking->order[c]]);
        text_put(page, "</th>");
    }
    text_put(page, "</tr>\n");
    for (size_t i = 0; i < rows; i++) {
        text_put(page, "<tr>");
        add_name(page, study_name(s, i));
        for (size_t c = 0; c < columns; c++)
            add_value(page, series_sens(series, last, ranking->order[c], i));
        text_put(page, "</tr>\n");
    }
    if (rows < s->nx || columns < s->ns)
        (void)snprintf(note, sizeof note,
                       "The %zu most important of %zu columns, %zu of %zu rows; the CSV has all.",
                       columns, s->ns, rows, s->nx);
    close_table(page, note);
}

void report_ranking(struct text *page, const struct job *job)
{
    const struct study *const s = &job->study;
    const struct ranking *const ranking = &job->rankings.one[0];
    size_t const rows = s->ns < MOST_ROWS ? s->ns : MOST_ROWS;
    double const most = s->ns > 0 ? ranking->norm[ranking->order[0]] : 0;
    open_table(page, "ranking", "Ranking");
    text_put(page, "<tr><th>parameter</th><th>value</th><th>norm</th><th></th></tr>\n");
    for (size_t r = 0; r < rows; r++) {
        size_t const k = ranking->order[r];
        text_put(page, "<tr>");
        add_name(page, s->column_name[k]);
        add_value(page, s->value[k]);
        add_value(page, ranking->norm[k]);
        text_add(page, "<td class=\"bar\"><span style=\"width:%.1f%%\"></span></td></tr>\n",
                 most > 0 && ranking->norm[k] > 0 ? 100 * ranking->norm[k] / most : 0);
    }
    struct text note = {0}, left_out = {0};
    text_put(&note, "Root mean square, over time and all states, of |p| dx/dp / max|x|: the "
                    "relative change of the states for a relative change of the parameter.\n");
    text_put(&left_out, "");
    ranking_notes(&left_out, &job->series, s, ranking);
    text_html(&note, left_out.at);
    close_table(page, note.at);
    text_free(&note);
    text_free(&left_out);
}

/* The last cell of a line. */
struct cell {
    enum seen seen;
    bool good, hidden, promised;
    enum control control;
};

static void add_verdict(struct text *page, const struct cell *of)
{
    bool const open = of->good && (of->hidden || of->seen == NOTHING);
    bool const sure = of->good && of->promised && !open && of->control == CONTROLLED;
    const char *const words = of->seen == ZEROS              ? "0 in both runs"
                              : !of->good                    ? "no"
                              : of->seen == NOTHING          ? "nothing to compare"
                              : of->hidden                   ? "not decided"
                              : !of->promised                ? "nothing promised"
                              : verify_untested(of->control) ? ""
                                                             : "yes";
    text_add(page, "<td class=\"%s\">%s%s%s</td></tr>\n",
             sure           ? "good"
             : of->promised ? "bad"
                            : "",
             words, *words && of->control ? ", " : "", verify_control_text(of->control));
}

/* One line; the column of differences is there when some were taken. */
static void add_digits(struct text *page, enum seen seen, double error,
                       const struct text *by_difference)
{
    char digits[16];
    text_add(page, "<td class=\"number\">%s</td>",
             verify_digits(seen, error, digits, sizeof digits));
    if (!by_difference) return;
    text_put(page, "<td>");
    if (by_difference->at) text_html(page, by_difference->at);
    text_put(page, "</td>");
}

static void add_column(struct text *page, const struct study *s, const struct verification *v,
                       size_t k)
{
    bool const hidden = verify_column_hidden(v, k), promised = verify_promises(v);
    const struct text nothing = {0}, *const none = v->differences ? &nothing : NULL;
    struct text by_difference = {0};
    text_put(page, "<tr><th scope=\"row\">dx/d(");
    text_html(page, s->column_name[k]);
    text_put(page, ")</th>");
    if (v->differences) verify_difference(&by_difference, s, v, k);
    add_digits(page, v->seen_column[k], hidden ? v->hidden[k] : v->column[k],
               v->differences ? &by_difference : NULL);
    text_free(&by_difference);
    add_verdict(page, &(struct cell){.seen = v->seen_column[k],
                                     .good = verify_column_passed(v, k),
                                     .hidden = hidden,
                                     .promised = promised,
                                     .control = verify_column_control(v, k)});
    if (v->untested == 0) return;
    text_put(page, "<tr><th scope=\"row\">d(");
    text_html(page, study_name(s, v->aside_worst[k]));
    text_put(page, ")/d(");
    text_html(page, s->column_name[k]);
    text_put(page, ")</th>");
    add_digits(page, VALUES, v->aside[k], none);
    add_verdict(page, &(struct cell){.seen = VALUES,
                                     .good = verify_aside_passed(v, k),
                                     .promised = promised,
                                     .control = v->control[v->aside_worst[k]]});
}

static void add_quantity(struct text *page, const struct study *s, const struct verification *v,
                         size_t i)
{
    const struct text nothing = {0};
    text_put(page, "<tr>");
    add_name(page, study_name(s, i));
    add_digits(page, v->seen[i], verify_shown(v, i), v->differences ? &nothing : NULL);
    add_verdict(page, &(struct cell){.seen = v->seen[i],
                                     .good = verify_state_passed(v, i),
                                     .hidden = verify_state_hidden(v, i),
                                     .promised = verify_promises(v),
                                     .control = v->control[i]});
}

void report_verification(struct text *page, const struct job *job, const struct verification *v)
{
    const struct study *const s = &job->study;
    struct text note = {0}, verdict = {0};
    if (!v->how) return;
    verify_tell(&verdict, v);
    text_add(page, "<section id=\"verification\"><h2>Verification</h2>\n<p class=\"%s\">",
             verify_verdict(v) == VERDICT_PASS ? "good" : "bad");
    text_html(page, verdict.at);
    text_put(page, "</p>\n");
    text_free(&verdict);
    if (v->stopped) {
        text_put(page, "</section>\n");
        return;
    }
    text_add(page,
             "<div class=\"scroll\"><table>\n"
             "<tr><th>state, output or column</th><th>digits</th>%s<th>as promised</th></tr>\n",
             v->differences ? "<th>digits by differences</th>" : "");
    size_t const states = v->done ? v->nx < MOST_ROWS ? v->nx : MOST_ROWS : 0;
    for (size_t i = 0; i < states; i++) add_quantity(page, s, v, i);
    for (size_t k = 0; v->done && k < v->ns; k++) add_column(page, s, v, k);
    text_put(&note, v->done ? "Compared: " : "Tried: ");
    text_html(&note, v->how);
    if (verify_promises(v))
        text_add(&note, ". Promised are %.1f digits.", digits_of(v->promise));
    else
        text_put(&note, ". Nothing is promised at this tolerance.");
    if (v->times < v->times_all)
        text_add(&note, " Compared at %zu of %zu times of output.", v->times, v->times_all);
    if (states < v->nx) text_add(&note, " The first %zu of %zu states and outputs.", states, v->nx);
    close_table(page, note.at);
    text_free(&note);
}

static void add_count(struct text *page, const char *name, size_t count)
{
    text_put(page, "<tr>");
    add_name(page, name);
    text_add(page, "<td class=\"number\">%zu</td></tr>\n", count);
}

static void add_words(struct text *page, const char *name, const char *words)
{
    text_put(page, "<tr>");
    add_name(page, name);
    text_put(page, "<td>");
    text_html(page, words);
    text_put(page, "</td></tr>\n");
}

void report_statistics(struct text *page, const struct job *job)
{
    const tansy_stats *const st = &job->outcome.stats;
    char seconds[32], step[32];
    (void)snprintf(seconds, sizeof seconds, "%.3g", job->outcome.seconds);
    (void)snprintf(step, sizeof step, "%.3g, order %d", st->h_last, st->order_last);
    open_table(page, "statistics", "Statistics");
    add_words(page, "seconds", seconds);
    add_words(page, "last step", step);
    bool const iterates = st->preconditioners > 0 || st->linear_iterations > 0;
    for (const struct count *c = counts; c->key; c++)
        if (iterates || !strstr(c->words, "gmres")) add_count(page, c->words, count_of(st, c));
    if (st->linear_iterations > 0) {
        char dimension[32];
        (void)snprintf(dimension, sizeof dimension, "%.2f",
                       (double)st->linear_iterations / (double)st->solves);
        add_words(page, "average Krylov dimension", dimension);
    }
    add_count(page, "bytes of the solver", st->bytes);
    close_table(page, NULL);
}

void report_derivatives(struct text *page, const struct job *job)
{
    static const char *const labels[] = {"df/dy", "df/dp", "df/dy s + df/dp", "second derivatives"};
    open_table(page, "derivatives", "Where derivatives come from");
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        char source[64];
        if (*outcome_line(&job->outcome, labels[k], source, sizeof source))
            add_words(page, labels[k],
                      strcmp(source, "given") == 0 ? "the model, symbolically" : source);
    }
    close_table(page, NULL);
}

void report_options(struct text *page, const struct job *job)
{
    const struct study *const s = &job->study;
    static const char *const lines[] = {"method",        "sensitivities", "chosen",
                                        "error control", "linear solver", "structure"};
    char words[128];
    open_table(page, "options", "Options");
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (*outcome_line(&job->outcome, lines[k], words, sizeof words))
            add_words(page, lines[k], words);
    (void)snprintf(words, sizeof words, "rk8 or bdf by stiffness, changed %zu times",
                   stats_method_changes(&job->outcome));
    if (stats_is_automatic(&job->outcome)) add_words(page, "method = auto", words);
    (void)snprintf(words, sizeof words, "%g", study_rtol(s));
    add_words(page, "rtol", words);
    struct text atol = {0};
    study_tell_atol(s, &atol);
    add_words(page, "atol", atol.at);
    text_free(&atol);
    (void)snprintf(words, sizeof words, "%g%s", s->options.max_step,
                   s->steps_limited ? ", because the model has conditions" : "");
    if (s->options.max_step > 0) add_words(page, "max step", words);
    size_t set = 0;
    for (size_t k = 0; k < s->np; k++) {
        if (s->p[k] == tansy_model_parameter(s->model, k).value || set++ >= MOST_ROWS) continue;
        (void)snprintf(words, sizeof words, "%.17g", s->p[k]);
        add_words(page, tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, k), words);
    }
    (void)snprintf(words, sizeof words, "The first %d of %zu parameters that are set.", MOST_ROWS,
                   set);
    close_table(page, set > MOST_ROWS ? words : NULL);
}
