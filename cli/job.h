/* SPDX-License-Identifier: Apache-2.0 */
/* One call of `tansy solve` or `tansy rank`: the study, the files it writes, what came out. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "csv.h"
#include "series.h"
#include "watch.h"

enum { MOST_PLOTS = 16 };

struct job {
    const struct request *request;
    struct study study;
    struct csv csv;
    struct output stats, report, plot[MOST_PLOTS];
    bool plotted[MOST_PLOTS];
    struct series series;
    struct rankings rankings; /* for tables and pictures */
    struct watch watch;
    struct outcome outcome;
};

/* BAD_USAGE with a message when a file to write is also one to read, or to write, by any name or link. */
int files_differ(const struct request *request);
/* Reads the model, prepares the study, opens all files before anything is computed. */
int job_open(struct job *job, const struct request *request);
/* Writes the statistics; DONE or IO_FAILED. */
int job_write_stats(struct job *job);
/* A table for people: to the standard output or, where a file of the call goes there, to the standard error. */
int job_show(const struct request *request, const struct text *table);
/* Closes what is open by removing it, frees the rest. */
void job_free(struct job *job);
/* The larger trouble of two exit statuses. */
int worse(int a, int b);

/* Draws the files of --plot; DONE, or IO_FAILED with a message. */
int job_write_plots(struct job *job);

int solve_command(const struct request *request);
int rank_command(const struct request *request);
int check_command(const struct request *request);
/* What there is to say on the index of an implicit model, at y[n], y'[n] of the start; NULL: the model's values. */
void check_index(struct text *text, const struct study *s, const double *y, const double *yp);

/* dy0/dp against differences along a random direction; STOPPED when it is wrong, which it says. */
int check_initial(const struct study *s);
int export_command(const struct request *request);
/* Runs all parameter sets of --scan. */
int scan_run(struct job *job);

#endif
