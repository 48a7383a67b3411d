/* SPDX-License-Identifier: Apache-2.0 */
/* The files of one call and their fate. */
#include "job.h"
#include "stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int worse(int a, int b)
{
    static const int rank[] = {
        [DONE] = 0, [NOT_VERIFIED] = 1, [STOPPED] = 2, [BAD_USAGE] = 3, [IO_FAILED] = 4};
    return rank[a] >= rank[b] ? a : b;
}

static int open_if(struct output *file, const char *path)
{
    return path ? output_open(file, path) : DONE;
}

/* Those of gmres, which no other choice takes, `auto` neither. */
static void tell_idle_gmres(const tansy_options *o)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {{"preconditioner", o->preconditioner != 0},
                   {"precondition-side", o->precondition_side != 0},
                   {"preconditioner-lower", o->preconditioner_lower > 0},
                   {"preconditioner-upper", o->preconditioner_upper > 0},
                   {"preconditioner-block", o->preconditioner_block > 0},
                   {"krylov-dimension", o->krylov_dimension > 0},
                   {"krylov-orthogonal", o->krylov_orthogonal > 0},
                   {"krylov-restarts", o->krylov_restarts > 0},
                   {"krylov-tolerance", o->krylov_tolerance > 0}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (options[k].given)
            (void)complain(DONE, "warning: --%s does nothing without --linear-solver gmres",
                           options[k].name);
}

/* Options that are right by themselves and do nothing here. */
static void tell_idle_options(const struct request *r)
{
    if (r->quiet) return;
    if (r->has_panels && r->plot.count == 0 && !r->report)
        (void)complain(DONE, "warning: --panels does nothing without --plot FILE");
    if (r->options.linear_solver != TANSY_GMRES) tell_idle_gmres(&r->options);
    bool const rows = r->options.method == TANSY_LIMEX;
    bool const second = rows || r->options.method == TANSY_ROSENBROCK;
    if (!rows && (r->options.full_tableau || r->options.memory_limit > 0))
        (void)complain(DONE, "warning: --full-tableau and --memory-limit do nothing without "
                             "--method limex");
    if (!second && r->options.second_derivatives)
        (void)complain(DONE, "warning: --second-derivatives does nothing without --method "
                             "rosenbrock or limex");
}

/* A picture that would show nothing. */
static int refuse_empty_pictures(const struct study *s)
{
    const struct request *const r = s->request;
    if (r->plot.count == 0 || s->ns > 0 || (r->panels & PANEL_TRAJECTORIES)) return DONE;
    return complain(BAD_USAGE,
                    "--plot %s: there is nothing to draw, since there are no columns: "
                    "add trajectories to --panels, or columns by --sens",
                    r->plot.word[0]);
}

int job_open(struct job *job, const struct request *request)
{
    *job = (struct job){.request = request};
    int status = files_differ(request);
    if (status == DONE) status = study_read(&job->study, request);
    if (status == DONE) status = study_prepare(&job->study);
    if (status == DONE && request->command == SOLVE) status = refuse_empty_pictures(&job->study);
    if (status != DONE) return status;
    tell_idle_options(request);
    watch_make(&job->watch, &job->study);
    job->csv.study = &job->study;
    job->csv.outcome = &job->outcome;
    if (request->command == SOLVE || request->out)
        status = output_open(&job->csv.file, request->out);
    if (status == DONE) status = open_if(&job->stats, request->stats);
    if (status == DONE) status = open_if(&job->report, request->report);
    for (size_t k = 0; k < request->plot.count && status == DONE; k++)
        status = output_open(&job->plot[k], request->plot.word[k]);
    return status;
}

int job_write_stats(struct job *job)
{
    if (!job->stats.file) return DONE;
    struct text json = {0};
    stats_json(&json, &job->study, &job->outcome);
    int const status = output_write(&job->stats, &json);
    text_free(&json);
    return worse(status, output_close(&job->stats));
}

static bool has_stdout(const char *path)
{
    return path && output_is_stdout(path);
}

int job_show(const struct request *request, const struct text *table)
{
    bool taken = (request->command == SOLVE && !request->out) || has_stdout(request->out) ||
                 has_stdout(request->stats) || has_stdout(request->report);
    for (size_t k = 0; k < request->plot.count; k++)
        taken = taken || has_stdout(request->plot.word[k]);
    if (taken) {
        (void)fputs(table->at, stderr);
        return DONE;
    }
    struct output out;
    int status = output_open(&out, NULL);
    status = worse(status, output_write(&out, table));
    return worse(status, output_close(&out));
}

void job_free(struct job *job)
{
    csv_free(&job->csv);
    output_drop(&job->stats);
    output_drop(&job->report);
    for (size_t k = 0; k < MOST_PLOTS; k++) output_drop(&job->plot[k]);
    series_free(&job->series);
    rankings_free(&job->rankings);
    watch_free(&job->watch);
    outcome_free(&job->outcome);
    study_free(&job->study);
}
