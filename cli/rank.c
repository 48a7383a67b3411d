/* SPDX-License-Identifier: Apache-2.0 */
/* tansy rank: which parameters matter. */
#include "job.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_CELLS = 40 };

static int keep_row(void *to, const struct row *row)
{
    struct job *const job = to;
    watch_row(&job->watch, &job->study, row);
    series_add(&job->series, row);
    return DONE;
}

/* The quantities of --of, all states when it is not given. */
static int choose_quantities(const struct study *s, size_t *count, size_t **of)
{
    const char *const wanted = s->request->of ? s->request->of : "all";
    *of = take(s->nx, sizeof **of);
    *count = 0;
    if (strcmp(wanted, "all") == 0) {
        for (size_t i = 0; i < s->n; i++) (*of)[(*count)++] = i;
        return DONE;
    }
    struct words items = {0};
    char *const copy = copy_of(wanted);
    int status = DONE;
    split_list(copy, &items);
    for (size_t k = 0; k < items.count && status == DONE; k++) {
        ptrdiff_t const i = study_quantity(s, items.word[k]);
        bool twice = false;
        for (size_t a = 0; a < *count; a++) twice = twice || (ptrdiff_t)(*of)[a] == i;
        if (i < 0)
            status = study_unknown(s, "--of", items.word[k], NAMED_ANY);
        else if (twice)
            status = complain(BAD_USAGE, "--of: %s is named twice; once is enough", items.word[k]);
        else
            (*of)[(*count)++] = (size_t)i;
    }
    free(items.word);
    free(copy);
    return status;
}

static bool speaks_utf8(void)
{
    (void)setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* A bar of part * BAR_CELLS cells, to an eighth of a cell where blocks can be drawn. */
static void add_bar(struct text *text, double part, bool blocks)
{
    int const eighths = (int)lround(8 * BAR_CELLS * part),
              cells = blocks ? eighths / 8 : (eighths + 4) / 8;
    for (int k = 0; k < cells; k++) text_put(text, blocks ? "\xe2\x96\x88" : "#");
    if (!blocks || eighths % 8 == 0) return;
    char const rest[] = {'\xe2', '\x96', (char)('\x90' - eighths % 8),
                         '\0'}; /* U+258F down to U+2589 */
    text_put(text, rest);
}

static void add_ranking(struct text *text, const struct study *s, const struct ranking *r,
                        const char *what, bool blocks)
{
    size_t wide = 9;
    double const most = r->ns > 0 ? r->norm[r->order[0]] : 0;
    for (size_t k = 0; k < s->ns; k++) {
        size_t const length = text_width(s->column_name[k]);
        if (length > wide) wide = length < 40 ? length : 40;
    }
    text_add(text, "%s\n%5s  %-*s  %-12s  %s\n", what, "", (int)wide, "parameter", "value", "norm");
    for (size_t a = 0; a < r->ns; a++) {
        size_t const k = r->order[a];
        text_add(text, "%5zu  ", a + 1);
        text_padded(text, s->column_name[k], wide);
        text_add(text, "  %-12.6g  %-10.4g  ", s->value[k], r->norm[k]);
        add_bar(text, most > 0 && r->norm[k] > 0 ? r->norm[k] / most : 0, blocks);
        text_put(text, "\n");
    }
}

static void add_lines(struct text *csv, const struct study *s, const struct ranking *r,
                      const char *quantity)
{
    for (size_t a = 0; a < r->ns; a++) {
        size_t const k = r->order[a];
        text_csv(csv, quantity);
        text_add(csv, ",%zu,", a + 1);
        text_csv(csv, s->column_name[k]);
        text_put(csv, ",");
        text_number(csv, s->value[k]);
        text_put(csv, ",");
        text_number(csv, r->norm[k]);
        text_put(csv, "\n");
    }
}

static void add_title(struct text *text, const struct job *job)
{
    const struct study *const s = &job->study;
    text_add(text, "%s from t = %g to %g; norm: root mean square over time and over ",
             s->summary.name, s->t0, job->series.t[job->series.count - 1]);
    ranking_name(text, s, &job->rankings.one[0], SIZE_MAX);
    text_put(text,
             "\nof |p| dx/dp / max|x|, the relative change of x for a relative change of p\n");
}

/* What the norms are not made of. */
static void add_notes(struct text *notes, const struct job *job)
{
    const struct study *const s = &job->study;
    text_put(notes, "");
    if (job->outcome.why)
        text_add(notes, "the run stopped at t = %.10g: %zu of %zu times of output\n",
                 job->outcome.t, job->series.seen, s->count);
    ranking_notes(notes, &job->series, s, &job->rankings.one[0]);
}

/* "# ..." of every line. */
static void add_comments(struct text *csv, const char *lines)
{
    for (const char *at = lines; *at;) {
        size_t const length = strcspn(at, "\n") + 1;
        text_put(csv, "# ");
        text_bytes(csv, length, at);
        at += length;
    }
}

/* The rankings as text and as CSV. */
static int write_rankings(struct job *job)
{
    const struct study *const s = &job->study;
    struct text table = {0}, csv = {0}, notes = {0};
    bool const blocks = speaks_utf8();
    add_title(&table, job);
    add_notes(&notes, job);
    text_put(&table, notes.at);
    text_add(&csv, "# tansy %s, model %s; norm: root mean square over time of |p| dx/dp / max|x|\n",
             tansy_version(), s->summary.name);
    add_comments(&csv, notes.at);
    text_put(&csv, "quantity,rank,parameter,value,norm\n");
    for (size_t a = 0; a < job->rankings.count; a++) {
        const struct ranking *const r = &job->rankings.one[a];
        const char *const name = a > 0 ? study_name(s, r->of[0]) : "";
        text_put(&table, a > 0 ? "\n" : "");
        add_ranking(&table, s, r, name, blocks);
        add_lines(&csv, s, r, a > 0 ? name : "all");
    }
    if (job->outcome.why) {
        notes.length = 0;
        text_add(&notes, "stopped at t = %.17g: %s\n", job->outcome.t, job->outcome.why);
        add_comments(&csv, notes.at);
    }
    int status = DONE;
    bool const on_stdout = s->request->out && output_is_stdout(s->request->out);
    if (!on_stdout && (!s->request->quiet || !s->request->out))
        status = job_show(s->request, &table);
    if (job->csv.file.file) status = worse(status, output_write(&job->csv.file, &csv));
    text_free(&table);
    text_free(&csv);
    text_free(&notes);
    return worse(status, output_close(&job->csv.file));
}

/* Nothing is left to rank, for this reason. */
static int refuse_none(const struct request *r)
{
    bool const by_way = r->options.sensitivities == TANSY_NONE;
    if (by_way || (r->sens && strcmp(r->sens, "none") == 0))
        return complain(BAD_USAGE, "there is nothing to rank: %s leaves no columns",
                        by_way ? "--sensitivities none" : "--sens none");
    return complain(BAD_USAGE, "there is nothing to rank: the model has no parameters; --sens "
                               "'x(0)' would rank the initial value of x");
}

/* After the run. */
static int tell_all(struct job *job)
{
    const struct outcome *const o = &job->outcome;
    watch_report(&job->watch, &job->study, o);
    int status = o->exit_status;
    if (o->why) (void)complain(status, "stopped at t = %.10g: %s", o->t, o->why);
    if (status == BAD_USAGE) return status;
    watch_warn(&job->study, &job->watch);
    if (job->series.count > 0) status = worse(status, write_rankings(job));
    status = worse(status, job_write_stats(job));
    status = worse(status, job_write_plots(job));
    return o->no_memory ? worse(status, IO_FAILED) : status;
}

int rank_command(const struct request *request)
{
    struct job job;
    size_t count = 0, *of = NULL;
    int status = job_open(&job, request);
    if (status == DONE && job.study.ns == 0) status = refuse_none(request);
    if (status == DONE) status = choose_quantities(&job.study, &count, &of);
    if (status == DONE) {
        series_make(&job.series, &job.study);
        run_study(&job.study, keep_row, &job, &job.outcome);
        rankings_make(&job.rankings, &job.series, &job.study, count, of);
        status = outcome_is_empty(&job.outcome) ? complain(IO_FAILED, "%s", job.outcome.why)
                                                : tell_all(&job);
    }
    free(of);
    job_free(&job);
    return status;
}
