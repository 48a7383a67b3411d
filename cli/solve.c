/* SPDX-License-Identifier: Apache-2.0 */
/* tansy solve: runs, writes the table, then the pictures, the page and the verdict. */
#include "job.h"
#include "plot.h"
#include "report.h"
#include "verify.h"

#include <stdio.h>
#include <string.h>

static int take_row(void *to, const struct row *row)
{
    struct job *const job = to;
    watch_row(&job->watch, &job->study, row);
    if (job->series.data) series_add(&job->series, row);
    return csv_row(&job->csv, row);
}

static int run_once(struct job *job)
{
    const struct request *const r = job->request;
    if (r->plot.count > 0 || r->report || r->verify) series_make(&job->series, &job->study);
    run_study(&job->study, take_row, job, &job->outcome);
    if (outcome_is_empty(&job->outcome)) return complain(IO_FAILED, "%s", job->outcome.why);
    watch_report(&job->watch, &job->study, &job->outcome);
    int const status = job->outcome.exit_status;
    if (!job->outcome.why || status == BAD_USAGE) {
        if (job->outcome.why) (void)complain(status, "%s", job->outcome.why);
        return status;
    }
    (void)complain(status, "stopped at t = %.10g: %s", job->outcome.t, job->outcome.why);
    return worse(status, csv_stopped(&job->csv, &job->outcome));
}

/* The picture for one file.  One that cannot be drawn is an error, and all else is written. */
static int write_plot(struct job *job, size_t k)
{
    char why[256] = "";
    struct text picture = {0};
    const char *const path = job->request->plot.word[k];
    unsigned const panels = plot_possible(&job->study, &job->series,
                                          job->request->command == RANK ? (unsigned)PANEL_RANKING
                                                                        : job->request->panels);
    struct drawing const drawing = {.study = &job->study,
                                    .series = &job->series,
                                    .rankings = &job->rankings,
                                    .panels = panels,
                                    .kind = strrchr(path, '.') + 1};
    bool const drawn = panels && plot_draw(&drawing, &picture, why, sizeof why);
    int status = DONE;
    if (drawn) {
        status = output_write(&job->plot[k], &picture);
        status = worse(status, output_close(&job->plot[k]));
        job->plotted[k] = status == DONE;
        size_t const shown = plot_rankings(&job->rankings), all = job->rankings.count;
        if (shown < all && !job->request->quiet)
            (void)complain(DONE, "warning: %s shows the first %zu of %zu rankings", path, shown,
                           all);
    } else {
        if (panels) /* else the run has stopped before it had anything */
            status =
                complain(IO_FAILED, "%s is not drawn, all other results are kept: %s", path, why);
        output_drop(&job->plot[k]);
    }
    text_free(&picture);
    return status;
}

int job_write_plots(struct job *job)
{
    int status = DONE;
    for (size_t k = 0; k < job->request->plot.count; k++)
        status = worse(status, write_plot(job, k));
    return status;
}

static int verify(struct job *job, struct verification *v)
{
    if (!job->request->verify) return DONE;
    struct text table = {0};
    int const status = verify_run(&job->study, &job->series, &job->outcome, v);
    if (job->request->quiet && status == DONE) {
        verify_tell(&table, v);
        text_put(&table, "\n");
    } else {
        verify_table(&table, &job->study, v);
    }
    int const written = job_show(job->request, &table);
    text_free(&table);
    return worse(status, written);
}

/* The run stopped early: what there is of it is not verified, and that is said here and on the page. */
static void verify_nothing(struct job *job, struct verification *v)
{
    if (!job->request->verify) return;
    struct text how = {0};
    text_add(&how, "the run %s at t = %.10g",
             job->outcome.interrupted ? "was interrupted" : "stopped", job->outcome.t);
    v->how = how.at;
    v->stopped = true;
    struct text verdict = {0};
    verify_tell(&verdict, v);
    (void)complain(DONE, "%s", verdict.at);
    text_free(&verdict);
}

static const char *place_of(const char *file)
{
    return strcmp(file, "-") == 0 ? "the standard output" : file;
}

static void say_what_was_done(const struct job *job)
{
    const struct request *const r = job->request;
    if (r->quiet || !r->out) return;
    const tansy_stats *const st = &job->outcome.stats;
    (void)fprintf(stderr, "%s: t = %g, %zu steps, %zu column%s, %.3g s; wrote %s",
                  job->study.summary.name, job->outcome.t, st->steps, job->study.ns,
                  job->study.ns == 1 ? "" : "s", job->outcome.seconds, place_of(r->out));
    if (r->stats) (void)fprintf(stderr, ", %s", place_of(r->stats));
    for (size_t k = 0; k < r->plot.count; k++)
        if (job->plotted[k]) (void)fprintf(stderr, ", %s", r->plot.word[k]);
    if (r->report) (void)fprintf(stderr, ", %s", r->report);
    (void)fputc('\n', stderr);
}

/* After the run: the table, then all that is made of it.  What cannot be drawn keeps nothing else from being made. */
static int write_all(struct job *job, int ran)
{
    struct verification v = {0};
    watch_warn(&job->study, &job->watch);
    if (job->series.data) rankings_make(&job->rankings, &job->series, &job->study, 0, NULL);
    int status = worse(ran, output_close(&job->csv.file));
    status = worse(status, job_write_stats(job));
    int const drawn = job_write_plots(job);
    if (status == DONE)
        status = verify(job, &v);
    else if (status == STOPPED)
        verify_nothing(job, &v);
    bool whole = true;
    status = worse(status, report_write(job, &v, &whole));
    if (worse(status, STOPPED) == STOPPED) say_what_was_done(job);
    verify_free(&v);
    return worse(status, whole ? drawn : IO_FAILED);
}

int solve_command(const struct request *request)
{
    struct job job;
    int status = job_open(&job, request);
    if (status == DONE) {
        status = request->scan.count > 0 ? scan_run(&job) : run_once(&job);
        if (outcome_is_empty(&job.outcome)) status = IO_FAILED;
        if (status != BAD_USAGE && status != IO_FAILED) status = write_all(&job, status);
        if (job.outcome.no_memory) status = worse(status, IO_FAILED);
    }
    job_free(&job);
    return status;
}
